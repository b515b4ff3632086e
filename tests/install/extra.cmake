# Installs the library into a scratch prefix and builds examples/embed against it, as a user would.
add_test(NAME install.embedding_example_builds_against_the_installed_library
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DBINARY=${PROJECT_BINARY_DIR} -DCXX=${CMAKE_CXX_COMPILER}
          -DSANITIZE=${PALP_SANITIZE} -P ${CMAKE_CURRENT_SOURCE_DIR}/install/install_and_embed.cmake)
set_tests_properties(install.embedding_example_builds_against_the_installed_library PROPERTIES LABELS slow TIMEOUT 600)
