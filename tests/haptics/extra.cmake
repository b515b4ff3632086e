# The threads of the real-time runners and the wait-free parts between them, once more under the thread sanitizer: two
# files, half a minute. The runners as a whole: cmake --preset tsan (HACKING.md).
if(NOT PALP_SANITIZE)
  add_executable(test_thread_sanitizer haptics/two_threads_test.cpp ${PROJECT_SOURCE_DIR}/src/palp/haptics/two_threads.cpp)
  target_include_directories(test_thread_sanitizer PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(test_thread_sanitizer PRIVATE $<TARGET_PROPERTY:palp_core,INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(test_thread_sanitizer PRIVATE -O1 -g -fsanitize=thread)
  target_link_options(test_thread_sanitizer PRIVATE -fsanitize=thread)
  target_link_libraries(test_thread_sanitizer PRIVATE palp_flags Eigen3::Eigen GTest::gtest_main Threads::Threads)
  add_dependencies(palp_tests test_thread_sanitizer)
  add_test(NAME haptics.no_data_race_between_the_threads_of_the_real_time_runners COMMAND test_thread_sanitizer)
  # Some kernels place memory where the sanitizer of GCC 12 cannot have it.
  set_tests_properties(haptics.no_data_race_between_the_threads_of_the_real_time_runners PROPERTIES LABELS quick
    TIMEOUT 300 SKIP_REGULAR_EXPRESSION "unexpected memory mapping")
endif()
