// One fuzzer per format: PALP_FUZZ_NAME is the file name that the bytes pretend to have.
#include <cstdio>
#include <cstdlib>

#include "mesh_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto broken = palp::fuzz::broken_law({reinterpret_cast<const char*>(data), size}, PALP_FUZZ_NAME);
  if (!broken.empty()) {
    std::fprintf(stderr, "%s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
