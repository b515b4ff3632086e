#include "solvers/allocation_counter.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "palp/math/types.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PALP_WATCHES_MALLOC 1
#else
#define PALP_WATCHES_MALLOC 0
#endif

namespace {
thread_local long counted = 0;
}

#if PALP_WATCHES_MALLOC
// Stands in front of glibc's own; operator new and Eigen both end here.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++counted;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++counted;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  ++counted;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++counted;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  ++counted;
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : 12;  // ENOMEM
}
}
#endif

namespace palp::testing {

long allocations() { return counted; }
bool watches_allocations() { return PALP_WATCHES_MALLOC != 0; }

#if PALP_WATCHES_MALLOC
TEST(AllocationCounter, sees_standard_containers_and_eigen) {
  const long before = allocations();
  std::vector<double> v(100);
  EXPECT_EQ(allocations(), before + 1);
  VecX x = VecX::Zero(100);
  EXPECT_EQ(allocations(), before + 2);
  EXPECT_EQ(v[0], x[0]);
}
#endif

}  // namespace palp::testing
