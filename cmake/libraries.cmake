# The libraries, one for each thing that an application may want alone. The rooms are folders of src/palp; what a room
# may include is checked by tests/layering. `palp` is all of them.
#
# Shared by default: Eigen's templates are compiled into every program that uses them, with that program's flags. The
# export list keeps the library's own copies to itself, so that an application built for another processor neither
# replaces them nor is given them, and the engine computes the same bits in every application.
set(palp_fuzz_counters -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp,indirect-calls)
function(palp_library name) # ROOMS room... [PUBLIC target...] [PRIVATE target...]
  cmake_parse_arguments(arg "" "" "ROOMS;PUBLIC;PRIVATE" ${ARGN})
  set(sources "")
  foreach(room ${arg_ROOMS})
    file(GLOB room_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/palp/${room}/*.cpp)
    list(APPEND sources ${room_sources})
    # Where speed is made, a file is compiled alone: how much the compiler inlines depends on all that it sees at once.
    if(room MATCHES "^(math|mechanics|proximity|contact|solvers|sim)$")
      set_source_files_properties(${room_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set(target palp_${name})
  add_library(${target} ${sources})
  add_library(palp::${name} ALIAS ${target})
  # One DEFINE_SYMBOL for all: they share precompiled headers.
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME palp-${name} POSITION_INDEPENDENT_CODE ON
    DEFINE_SYMBOL palp_core_EXPORTS
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN"
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math -fno-semantic-interposition)
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE $<BUILD_INTERFACE:palp_flags> ${arg_PRIVATE})
  if(BUILD_SHARED_LIBS)
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions
      -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
  endif()
  # What fuzzers look into: counters of the branches taken, for libFuzzer. Elsewhere they would only cost time.
  if(PALP_BUILD_FUZZ AND name MATCHES "^(io|scene|study)$")
    target_compile_options(${target} PRIVATE ${palp_fuzz_counters})
  endif()
  if(name STREQUAL core)
    target_precompile_headers(${target} PRIVATE cmake/pch.hpp)
  else()
    target_compile_options(${target} PRIVATE ${palp_quick_to_compile})
    if(name STREQUAL io)
      target_precompile_headers(${target} PRIVATE cmake/pch.hpp <nlohmann/json.hpp>)
    else()
      target_precompile_headers(${target} REUSE_FROM palp_io)
    endif()
  endif()
endfunction()

include(GNUInstallDirs)
palp_library(core ROOMS base math mesh mechanics proximity contact solvers sim safety hands haptics devices
  PUBLIC Eigen3::Eigen PRIVATE ${METIS_LIBRARY} ${AMD_LIBRARY} Threads::Threads)
target_include_directories(palp_core SYSTEM PRIVATE ${AMD_INCLUDE} ${METIS_INCLUDE})
target_compile_features(palp_core PUBLIC cxx_std_20)
# Eigen's alignment follows -march, up to this bound: 16 is what every x86-64 and arm64 target reaches, so that a user's
# other flags give the same memory layout. Its allocator follows -march too, bound or not: with EIGEN_MALLOC_ALREADY_ALIGNED=0
# it is the same everywhere, and what one side allocates the other can free (math/layout.hpp checks all of it).
target_compile_definitions(palp_core PUBLIC EIGEN_MAX_ALIGN_BYTES=16 EIGEN_MAX_STATIC_ALIGN_BYTES=16
  EIGEN_MALLOC_ALREADY_ALIGNED=0)

# The check of the processor runs on every processor: base/processor.cpp.
set_source_files_properties(src/palp/base/processor.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
  COMPILE_DEFINITIONS "PALP_BUILD_TARGET=\"${PALP_ARCH}\"")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(src/palp/base/processor.cpp PROPERTIES COMPILE_OPTIONS -march=x86-64)
endif()

palp_library(io ROOMS io PUBLIC palp_core
  PRIVATE HDF5::HDF5 ZLIB::ZLIB PkgConfig::PUGIXML nlohmann_json::nlohmann_json)
# What drives devices finds vendors' libraries when a device is opened: nothing is linked that a machine may not have.
palp_library(devices ROOMS devices/backends PUBLIC palp_core
  PRIVATE Threads::Threads ${CMAKE_DL_LIBS} Boost::headers nlohmann_json::nlohmann_json)
target_compile_definitions(palp_devices PRIVATE BOOST_ASIO_DISABLE_CONCEPTS)
palp_library(draw ROOMS draw PUBLIC palp_core PRIVATE palp_io PkgConfig::CAIRO)
palp_library(scene ROOMS scene PUBLIC palp_io PRIVATE PkgConfig::YAMLCPP)
palp_library(study ROOMS study PUBLIC palp_scene
  PRIVATE palp_draw PkgConfig::YAMLCPP HDF5::HDF5 nlohmann_json::nlohmann_json Threads::Threads)

add_library(palp INTERFACE)
add_library(palp::palp ALIAS palp)
target_link_libraries(palp INTERFACE palp_core palp_devices palp_io palp_draw palp_scene palp_study)
