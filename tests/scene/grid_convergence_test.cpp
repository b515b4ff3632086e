#include "palp/scene/grid_convergence.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace palp {
namespace grid_convergence_test {

const std::vector<double> kSteps{1, 1 / 1.5, 0.5, 1.0 / 3};

std::vector<double> sequence(double limit, double factor, double order) {
  std::vector<double> f;
  for (double h : kSteps) f.push_back(limit + factor * std::pow(h, order));
  return f;
}

TEST(GridConvergence, an_error_that_is_a_power_of_the_step_is_extrapolated_away) {
  for (double order : {0.5, 1.0, 1.5, 2.0})
    for (double factor : {2.0, -0.1}) {
      const auto f = sequence(3, factor, order);
      const GridConvergence g = grid_convergence(kSteps, f);
      ASSERT_TRUE(g.converged);
      EXPECT_NEAR(*g.order, order, 1e-9);
      EXPECT_NEAR(g.value, 3, 1e-9);
      EXPECT_NEAR(g.error, 1.25 * std::abs(f.back() - 3), 1e-9);
    }
}

TEST(GridConvergence, an_order_beyond_the_formal_one_is_told_but_not_trusted) {
  const auto f = sequence(3, 2, 4);
  const GridConvergence g = grid_convergence(kSteps, f);
  ASSERT_TRUE(g.converged);
  EXPECT_NEAR(*g.order, 4, 1e-9);
  // By order 2 over the ratio 1.5 of the last two steps.
  EXPECT_NEAR(g.value, f[3] - (f[2] - f[3]) / (1.5 * 1.5 - 1), 1e-12);
  EXPECT_NEAR(g.error, 3 * std::abs(g.value - f[3]), 1e-12);
  EXPECT_LT(std::abs(g.value - 3), g.error);
}

TEST(GridConvergence, what_swings_or_runs_away_is_not_converged_and_its_spread_is_the_error) {
  for (const std::vector<double>& f :
       {std::vector<double>{9, 1, 2, 1.5}, {0, 1, 2, 4}, {0, 1, 2, 3.5}, {9, 1, 2, 2.1}}) {
    const GridConvergence g = grid_convergence(kSteps, f);
    EXPECT_FALSE(g.converged);
    EXPECT_FALSE(g.order);
    EXPECT_EQ(g.value, f[3]);
    EXPECT_EQ(g.error, std::max({f[1], f[2], f[3]}) - std::min({f[1], f[2], f[3]}));
  }
}

TEST(GridConvergence, equal_values_have_no_order_and_two_values_no_verdict) {
  const GridConvergence same = grid_convergence(kSteps, std::vector<double>{2, 2, 2, 2});
  EXPECT_TRUE(same.converged);
  EXPECT_FALSE(same.order);
  EXPECT_EQ(same.value, 2);
  EXPECT_EQ(same.error, 0);
  const GridConvergence two = grid_convergence(std::vector<double>{1, 0.5}, std::vector<double>{1, 1.1});
  EXPECT_FALSE(two.converged);
  EXPECT_NEAR(two.error, 0.1, 1e-12);
}

}  // namespace grid_convergence_test
}  // namespace palp
