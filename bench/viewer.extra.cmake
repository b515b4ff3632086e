if(TARGET palp_viewer)
  target_link_libraries(bench_viewer PRIVATE palp_viewer Boost::headers)
  target_compile_definitions(bench_viewer PRIVATE BOOST_ASIO_DISABLE_CONCEPTS)
endif()
