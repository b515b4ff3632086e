# Embree is the rival of bench_proximity, when it is installed (Debian: libembree-dev). It is never needed.
find_library(EMBREE_LIBRARY NAMES embree3)
find_path(EMBREE_INCLUDE embree3/rtcore.h)
if(EMBREE_LIBRARY AND EMBREE_INCLUDE AND TARGET bench_proximity)
  message(STATUS "bench_proximity: Embree found")
  target_link_libraries(bench_proximity PRIVATE ${EMBREE_LIBRARY})
  target_include_directories(bench_proximity SYSTEM PRIVATE ${EMBREE_INCLUDE})
  target_compile_definitions(bench_proximity PRIVATE PALP_BENCH_EMBREE)
endif()
