// After set_problem no solver touches the heap: malloc itself is watched, since Eigen does not use operator
// new.
#include <atomic>
#include <cstddef>

#include "solvers/make_problems.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/solver.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PALP_MALLOC_IS_WATCHED 0
#else
#define PALP_MALLOC_IS_WATCHED 1
#endif

namespace {

std::atomic<bool> watching{false};
std::atomic<long> allocations{0};
void count() {
  if (watching.load(std::memory_order_relaxed)) ++allocations;
}

}  // namespace

#if PALP_MALLOC_IS_WATCHED
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  count();
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  count();
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  count();
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : 12;
}
}
#endif

namespace palp {
namespace {

class NoAllocation : public ::testing::TestWithParam<std::string_view> {};

TEST_P(NoAllocation, solve_and_delta_free_updates_and_smaller_problems_stay_off_the_heap) {
  if (!PALP_MALLOC_IS_WATCHED) GTEST_SKIP() << "sanitizers own malloc";
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver);
  for (bool sparse : {false, true})
    for (double mu : {0.0, 0.5}) {
      Problem large = testing::random_problem(14, mu, 1), small = testing::random_problem(9, mu, 2);
      if (sparse) large = testing::as_sparse(large), small = testing::as_sparse(small);
      if (!(*solver)->set_problem(large)) continue;  // declined
      VecX f_large(42), f_small(27);
      const VecX moved = large.delta_free * 1.1;
      const SolveOptions options{.tolerance = 1e-10, .max_sweeps = 300};
      allocations = 0;
      watching = true;
      (*solver)->solve(options, f_large);
      (*solver)->set_delta_free(moved);
      (*solver)->solve(options, f_large);
      (*solver)->solve({.tolerance = 1e-12, .max_sweeps = 300, .budget_us = 50, .warm_start = true}, f_large);
      const bool taken = static_cast<bool>((*solver)->set_problem(small));
      (*solver)->solve(options, f_small);
      watching = false;
      EXPECT_TRUE(taken);
      EXPECT_EQ(allocations, 0) << (sparse ? "sparse" : "dense") << " mu " << mu;
    }
}

TEST(AllocationWatch, sees_an_allocation) {
  if (!PALP_MALLOC_IS_WATCHED) GTEST_SKIP() << "sanitizers own malloc";
  allocations = 0;
  watching = true;
  VecX* v = new VecX(100);
  watching = false;
  EXPECT_GE(allocations, 2);
  delete v;
}

INSTANTIATE_TEST_SUITE_P(Registry, NoAllocation, ::testing::ValuesIn(solver_names()),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace palp
