#include "support/allocation_counter.hpp"

#include <algorithm>
#include <cerrno>

#include "support/sanitized.hpp"

#if defined(__GLIBC__) && !defined(PALP_SANITIZED)
#define PALP_WATCHES_MALLOC 1
#include <malloc.h>
#else
#define PALP_WATCHES_MALLOC 0
#endif

namespace {
struct Watch {
  long calls = 0;
  bool weighs = false;
  std::size_t live = 0, most = 0;  // bytes, while `weighs`
};
thread_local constinit Watch watch;
}  // namespace

#if PALP_WATCHES_MALLOC
namespace {
void* taken(void* p) {
  ++watch.calls;
  if (watch.weighs && p) watch.most = std::max(watch.most, watch.live += malloc_usable_size(p));
  return p;
}
// Memory that was taken before the weighing began, or on another thread, must not make the sum negative.
void given_back(void* p) {
  if (watch.weighs && p) watch.live -= std::min(watch.live, malloc_usable_size(p));
}
}  // namespace

// These stand in front of glibc's own.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) { return taken(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return taken(__libc_calloc(count, size)); }
void* realloc(void* p, std::size_t size) {
  given_back(p);
  return taken(__libc_realloc(p, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return taken(__libc_memalign(alignment, size));
}
void* memalign(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size)); }
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  *p = taken(__libc_memalign(alignment, size));
  return *p ? 0 : ENOMEM;
}
void free(void* p) {
  given_back(p);
  __libc_free(p);
}
}
#endif

namespace palp::testing {

bool watches_allocations() { return PALP_WATCHES_MALLOC != 0; }
long allocations() { return watch.calls; }

PeakMemory::PeakMemory() {
  watch.live = watch.most = 0;
  watch.weighs = true;
}
PeakMemory::~PeakMemory() { watch.weighs = false; }
std::size_t PeakMemory::bytes() const { return watch.most; }

}  // namespace palp::testing
