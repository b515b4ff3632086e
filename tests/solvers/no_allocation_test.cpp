// After set_problem no solver touches the heap: malloc itself is watched, since Eigen does not use operator
// new.
#include "solvers/make_problems.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/solver.hpp"

namespace palp {
namespace no_allocation_test {

class NoAllocation : public ::testing::TestWithParam<std::string_view> {};

TEST_P(NoAllocation, solve_and_delta_free_updates_and_smaller_problems_stay_off_the_heap) {
  if (!testing::watches_allocations()) GTEST_SKIP() << "sanitizers own malloc";
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
      const long before = testing::allocations();
      (*solver)->solve(options, f_large);
      (*solver)->set_delta_free(moved);
      (*solver)->solve(options, f_large);
      (*solver)->solve({.tolerance = 1e-12, .max_sweeps = 300, .budget_us = 50, .warm_start = true}, f_large);
      const bool taken = static_cast<bool>((*solver)->set_problem(small));
      (*solver)->solve(options, f_small);
      const long after = testing::allocations();
      EXPECT_TRUE(taken);
      EXPECT_EQ(after, before) << (sparse ? "sparse" : "dense") << " mu " << mu;
    }
}

TEST_P(NoAllocation, smaller_piles_stay_off_the_heap) {
  if (!testing::watches_allocations()) GTEST_SKIP() << "sanitizers own malloc";
  auto solver = make_solver(GetParam());
  ASSERT_TRUE(solver);
  const Problem large = testing::pile(64, 50, 0.4, 1);
  if (!(*solver)->set_problem(large)) return;  // declined
  VecX f_large(192), f_small(105);
  const SolveOptions options{.tolerance = 1e-6, .max_sweeps = 100};
  (*solver)->solve(options, f_large);
  for (unsigned seed = 2; seed < 8; ++seed) {
    const Problem small = testing::pile(35, 28, 0.4, seed);
    const long before = testing::allocations();
    const bool taken = static_cast<bool>((*solver)->set_problem(small));
    (*solver)->solve(options, f_small);
    const long after = testing::allocations();
    EXPECT_TRUE(taken);
    EXPECT_EQ(after, before) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, NoAllocation, ::testing::ValuesIn(solver_names()),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace no_allocation_test
}  // namespace palp
