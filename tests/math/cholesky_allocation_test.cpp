// Factor, solve and project run inside a real-time step: after a warm-up they must not touch the heap.
#include "math/elastic_block.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/math/sparse_cholesky.hpp"

namespace palp {
namespace cholesky_allocation_test {

TEST(CholeskyAllocation, factor_solve_and_project_do_not_allocate_after_the_first_round) {
  using namespace testing_support;
  if (!testing::watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  const auto block = elastic_block(7, 6, 6);
  const PointJacobian few = top_contacts(block, 20), many = top_contacts(block, 70);
  MatX small = MatX::Zero(60, 60), large = MatX::Zero(210, 210);
  VecX b = VecX::Random(3 * block.blocks());
  MatX X;
  using Options = CholeskyOptions;
  for (const Options& options :
       {Options{.order = Options::Order::plain}, Options{.order = Options::Order::last_last},
        Options{.precision = Options::Precision::single}}) {
    SparseCholesky cholesky;
    cholesky.analyze(block.A, touched_blocks(few), options);
    const auto round = [&] {
      const bool good = cholesky.factor(block.A);
      cholesky.solve(b);
      cholesky.solve(many, X);
      cholesky.solve(few, X);
      cholesky.project(few, small);
      cholesky.project(many, large);
      return good;
    };
    ASSERT_TRUE(round());
    const long before = testing::allocations();
    const bool good = round();
    EXPECT_EQ(testing::allocations() - before, 0);
    EXPECT_TRUE(good);
  }
}

}  // namespace cholesky_allocation_test
}  // namespace palp
