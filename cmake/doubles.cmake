# Doubles of devices (src/palp/devices/doubles): services for `palp emulate`, and libraries under the vendors' names that
# are found only in their own folder.
file(GLOB double_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/palp/devices/doubles/*.cpp)
add_library(palp_doubles STATIC ${double_sources})
set_target_properties(palp_doubles PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(palp_doubles PRIVATE BOOST_ASIO_DISABLE_CONCEPTS)
target_compile_options(palp_doubles PRIVATE ${palp_quick_to_compile}) # they wait for a socket; Beast takes long to compile
target_link_libraries(palp_doubles PUBLIC palp_core palp_devices Threads::Threads
  PRIVATE palp_flags Boost::headers nlohmann_json::nlohmann_json)
set(double_folder ${PROJECT_BINARY_DIR}/doubles)
foreach(pair drd:drd hd:HD virtuose:Virtuose sdl:SDL2)
  string(REPLACE ":" ";" names ${pair})
  list(GET names 0 source)
  list(GET names 1 library)
  add_library(palp_double_${source} MODULE ${PROJECT_SOURCE_DIR}/src/palp/devices/doubles/libraries/${source}.cpp)
  set_target_properties(palp_double_${source} PROPERTIES OUTPUT_NAME ${library} LIBRARY_OUTPUT_DIRECTORY ${double_folder}
    CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF INSTALL_RPATH "$ORIGIN/../..")
  target_link_libraries(palp_double_${source} PRIVATE palp_doubles palp_flags)
  install(TARGETS palp_double_${source} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/palp/doubles COMPONENT program)
  list(APPEND double_libraries palp_double_${source})
endforeach()
