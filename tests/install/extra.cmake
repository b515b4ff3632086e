# Installs into a scratch prefix and builds programs against it, as users would.
if(BUILD_SHARED_LIBS)
  set(use install.slow_applications_build_against_the_installed_library_with_any_flags)
  add_test(NAME ${use}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DBINARY=${PROJECT_BINARY_DIR} -DCXX=${CMAKE_CXX_COMPILER}
            -DSANITIZE=${PALP_SANITIZE} -DPROCESSOR=${CMAKE_SYSTEM_PROCESSOR}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/install/install_and_use.cmake)
  set_tests_properties(${use} PROPERTIES LABELS slow TIMEOUT 1200 COST 300)
endif()
if(TARGET palp_cli AND PALP_ARCH STREQUAL "x86-64-v3" AND NOT PALP_SANITIZE)
  add_test(NAME install.slow_program_on_other_processors COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/machines/other_processors
    $<TARGET_FILE:palp_cli> ${PROJECT_BINARY_DIR}/other-processors)
  set_tests_properties(install.slow_program_on_other_processors PROPERTIES LABELS slow TIMEOUT 1200 SKIP_RETURN_CODE 77)
endif()
