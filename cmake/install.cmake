# What is installed: shared libraries, the headers that users include, a CMake package, pkg-config files; and the .deb
# packages made of them (cpack -G DEB). All of it can be moved to another folder as a whole.
if(NOT BUILD_SHARED_LIBS)
  return() # static libraries serve a build that contains Palp; they are not installed
endif()
include(CMakePackageConfigHelpers)

# The public headers are named in public_headers.txt. What they include beyond those is installed under palp/detail, so
# that no application comes to lean on it: the same files, with their includes turned to the new place.
set(header_folder ${PROJECT_BINARY_DIR}/public_headers)
set(header_script ${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DSOURCE=${PROJECT_SOURCE_DIR}\"
  \"-DOUT=${header_folder}\" -P \"${header_script}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT dev)
install(DIRECTORY ${header_folder}/palp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

set(libraries core devices io draw scene)
foreach(name ${libraries})
  install(TARGETS palp_${name} EXPORT palpTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    NAMELINK_COMPONENT dev)
endforeach()
install(TARGETS palp EXPORT palpTargets)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/palp)
install(EXPORT palpTargets NAMESPACE palp:: DESTINATION ${package} COMPONENT dev)
configure_package_config_file(cmake/palpConfig.cmake.in ${PROJECT_BINARY_DIR}/palpConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/palpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/palpConfig.cmake ${PROJECT_BINARY_DIR}/palpConfigVersion.cmake
  DESTINATION ${package} COMPONENT dev)

set(pc_core_about "the engine: bodies, contact, solvers, haptic loops")
set(pc_core_requires "eigen3")
set(pc_devices_about "haptic devices: backends behind one interface")
set(pc_devices_requires "palp-core")
set(pc_io_about "mesh files, contact problems, recordings")
set(pc_io_requires "palp-core")
set(pc_draw_about "pictures and plots")
set(pc_draw_requires "palp-core")
set(pc_scene_about "scene files and what runs them")
set(pc_scene_requires "palp-io")
file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(name ${libraries})
  set(pc_name ${name})
  set(pc_about ${pc_${name}_about})
  set(pc_requires ${pc_${name}_requires})
  configure_file(cmake/palp.pc.in ${PROJECT_BINARY_DIR}/palp-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/palp-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

# Debian packages: palp (program and scenes), libpalp (libraries), libpalp-dev (headers).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME palp)
set(CPACK_PACKAGE_CONTACT "The Palp developers <palp@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program library dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(abi "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME "libpalp${abi}")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME "libpalp-dev")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME "palp")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libpalp${abi} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libpalp${abi} (= ${PROJECT_VERSION}), libeigen3-dev")
include(CPack)
