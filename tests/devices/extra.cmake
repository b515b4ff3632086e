# Backends against their doubles: services in the test program, libraries under the vendors' names.
target_link_libraries(test_devices PRIVATE palp_doubles ${CMAKE_DL_LIBS})
target_compile_definitions(test_devices PRIVATE PALP_DOUBLES="${double_folder}")
add_dependencies(test_devices ${double_libraries})
