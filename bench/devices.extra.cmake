target_link_libraries(bench_devices PRIVATE palp_doubles ${CMAKE_DL_LIBS})
target_compile_definitions(bench_devices PRIVATE PALP_DOUBLES="${double_folder}")
add_dependencies(bench_devices ${double_libraries})
