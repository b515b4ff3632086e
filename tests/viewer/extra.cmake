# The viewer's server (C++) and its page (in headless Chromium, driven by Node).
if(TARGET test_viewer)
  target_link_libraries(test_viewer PRIVATE palp_viewer Boost::headers)
  target_compile_definitions(test_viewer PRIVATE BOOST_ASIO_DISABLE_CONCEPTS)
  if(TARGET palp_cli)
    add_dependencies(test_viewer palp_cli)
  endif()
endif()

# The page: npm packages once (a fixture), then each browser test; they skip with a message where Node.js, Chromium or
# the packages are missing. One at a time: each has a browser that draws without a graphics card, and takes as long as a
# room of other tests; those who only want to know whether the page can be touched run that one.
if(TARGET palp_cli)
  set(in_page ${CMAKE_CURRENT_SOURCE_DIR}/viewer/in_page)
  add_test(NAME viewer.npm_packages COMMAND ${in_page} packages)
  add_test(NAME viewer.slow_built_page_is_up_to_date COMMAND ${in_page} compare ${CMAKE_CURRENT_BINARY_DIR}/viewer-page)
  set_tests_properties(viewer.npm_packages PROPERTIES FIXTURES_SETUP viewer_npm LABELS slow TIMEOUT 600
    SKIP_RETURN_CODE 77)
  set_tests_properties(viewer.slow_built_page_is_up_to_date PROPERTIES FIXTURES_REQUIRED viewer_npm LABELS slow
    TIMEOUT 600 SKIP_RETURN_CODE 77)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/viewer/*_test.mjs)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    string(REPLACE "_test" "" name ${name})
    set(label long)
    if(name STREQUAL "touch")
      set(label slow)
    endif()
    add_test(NAME viewer.${label}_page_${name} COMMAND ${in_page} node ${script})
    set_tests_properties(viewer.${label}_page_${name} PROPERTIES FIXTURES_REQUIRED viewer_npm LABELS ${label} TIMEOUT 600
      RESOURCE_LOCK browser COST 200 SKIP_RETURN_CODE 77
      ENVIRONMENT "PALP_PROGRAM=$<TARGET_FILE:palp_cli>;PALP_SHOTS=${PROJECT_BINARY_DIR}/viewer-screenshots")
  endforeach()
endif()
