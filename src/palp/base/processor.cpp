// Compiled for the plain processor whatever the target is (cmake/libraries.cmake); processor_needs.cpp is
// compiled for the target and tells what it is.
#include "palp/base/processor.hpp"

#include "palp/base/processor_needs.hpp"

namespace palp {

#if defined(__x86_64__)

const char* missing_processor_features() {
  static char text[64];
  char* end = text;
  const auto miss = [&](const char* name) {
    if (end != text) *end++ = ',', *end++ = ' ';
    while (*name) *end++ = *name++;
    *end = 0;
  };
  __builtin_cpu_init();
  if (processor_needs.avx2 && !__builtin_cpu_supports("avx2")) miss("AVX2");
  if (processor_needs.fma && !__builtin_cpu_supports("fma")) miss("FMA");
  if (processor_needs.bmi2 && !__builtin_cpu_supports("bmi2")) miss("BMI2");
  if (processor_needs.avx512f && !__builtin_cpu_supports("avx512f")) miss("AVX-512F");
  if (processor_needs.avx512dq && !__builtin_cpu_supports("avx512dq")) miss("AVX-512DQ");
  return text;
}

#else

const char* missing_processor_features() { return ""; }

#endif

const char* build_target() { return PALP_BUILD_TARGET; }

}  // namespace palp
