#include "palp/math/block_tridiagonal.hpp"

#include <limits>
#include <random>

#include "support/dense.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace block_tridiagonal_test {

BlockTridiagonal random_positive_definite(int n, unsigned seed) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal;
  // A = L Lᵀ + I with a random block-bidiagonal L.
  std::vector<Mat6> D(n), B(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 36; ++k) D[i](k) = normal(rng), B[i](k) = normal(rng);
  BlockTridiagonal A;
  A.resize(n);
  for (int i = 0; i < n; ++i) {
    A.diagonal(i) = D[i] * D[i].transpose() + Mat6::Identity();
    if (i > 0) {
      A.diagonal(i) += B[i - 1] * B[i - 1].transpose();
      A.below(i - 1) = B[i - 1] * D[i - 1].transpose();
    }
  }
  return A;
}

TEST(BlockTridiagonal, solve_equals_the_dense_solve) {
  for (int n : {1, 2, 3, 17}) {
    BlockTridiagonal A = random_positive_definite(n, n);
    const MatX dense = A.dense();
    const VecX b = VecX::LinSpaced(6 * n, -1, 2);
    ASSERT_TRUE(A.factor());
    VecX x = b;
    A.solve(x);
    EXPECT_LT((dense * x - b).norm(), 1e-12 * dense.norm() * x.norm());
    VecX r = b;
    A.subtract_product(x, r);
    EXPECT_LT(r.norm(), 1e-12 * dense.norm() * x.norm());
  }
}

TEST(BlockTridiagonal, projection_equals_the_dense_inverse_for_points_spanning_any_blocks) {
  std::mt19937 rng(5);
  std::normal_distribution<double> normal;
  for (int n : {1, 2, 9}) {
    BlockTridiagonal A = random_positive_definite(n, 10 + n);
    const MatX inverse = testing::inverse(A.dense());
    std::vector<char> held(2 * n, 0);
    if (n > 2) held[5] = 1;
    PointJacobian H;
    MatX J = MatX::Zero(0, 6 * n);
    for (int i = 0; i < 11; ++i) {
      J.conservativeResize(3 * (i + 1), 6 * n);
      J.bottomRows(3).setZero();
      for (int k = 0; k < 1 + i % 4; ++k) {  // one to four blocks, far apart, sometimes the same twice
        Mat3 block;
        for (double& value : block.reshaped()) value = normal(rng);
        const int column = static_cast<int>(rng() % (2 * n));
        H.add(column, block);
        if (!held[column]) J.block<3, 3>(3 * i, 3 * column) += block;
      }
      H.end_point();
    }
    ASSERT_TRUE(A.factor());
    MatX G = MatX::Ones(33, 33);
    A.project(H, held, G);
    const MatX expected = J * inverse * J.transpose() + MatX::Ones(33, 33);
    EXPECT_LT((G - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(BlockTridiagonal, indefinite_and_not_finite_matrices_are_refused) {
  BlockTridiagonal A = random_positive_definite(4, 1);
  A.diagonal(2)(3, 3) = -1;
  EXPECT_FALSE(A.factor());
  A = random_positive_definite(4, 1);
  A.diagonal(1)(2, 0) = A.diagonal(1)(0, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(A.factor());
  A = random_positive_definite(4, 1);
  A.below(2)(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(A.factor());
}

}  // namespace block_tridiagonal_test
}  // namespace palp
