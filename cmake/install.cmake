# find_package(palp) for users of the installed library.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS palp EXPORT palpTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/palp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT palpTargets NAMESPACE palp:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/palp)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/palpConfig.cmake [=[
include(CMakeFindDependencyMacro)
enable_language(C) # FindHDF5 compiles a C program
find_dependency(Eigen3 3.4)
find_dependency(HDF5 COMPONENTS C)
find_dependency(ZLIB)
find_dependency(Threads)
find_dependency(PkgConfig)
find_dependency(nlohmann_json)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(PUGIXML REQUIRED IMPORTED_TARGET pugixml)
pkg_check_modules(YAMLCPP REQUIRED IMPORTED_TARGET yaml-cpp)
include("${CMAKE_CURRENT_LIST_DIR}/palpTargets.cmake")
]=])
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/palpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/palpConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/palpConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/palp)
