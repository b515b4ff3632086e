# Siconos as a second opinion, when it is installed (Debian: libsiconos-numerics-dev).
find_library(SICONOS_NUMERICS siconos_numerics)
find_path(SICONOS_INCLUDE FrictionContactProblem.h PATH_SUFFIXES siconos/numerics)
find_path(SICONOS_EXTERNALS_INCLUDE SiconosConfig.h PATH_SUFFIXES siconos)
if(SICONOS_NUMERICS AND SICONOS_INCLUDE AND SICONOS_EXTERNALS_INCLUDE AND TARGET test_solvers)
  target_link_libraries(test_solvers PRIVATE ${SICONOS_NUMERICS})
  target_include_directories(test_solvers SYSTEM PRIVATE ${SICONOS_INCLUDE} ${SICONOS_EXTERNALS_INCLUDE})
  target_compile_definitions(test_solvers PRIVATE PALP_TEST_SICONOS)
endif()
