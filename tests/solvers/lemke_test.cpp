// Lemke's answers against enumeration of all complementary bases, and its verdicts of infeasibility against a
// second enumeration (vertices of the feasible set).
#include "palp/solvers/lemke.hpp"

#include <random>

#include "support/dense.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace lemke_test {

using Random = std::mt19937_64;

MatX random_psd(Random& random, int n, int rank) {
  std::normal_distribution<double> normal;
  MatX Y(rank, n);
  for (double& y : Y.reshaped()) y = normal(random);
  return Y.transpose() * Y;
}

VecX random_vector(Random& random, int n) {
  std::normal_distribution<double> normal;
  VecX q(n);
  for (double& x : q) x = normal(random);
  return q;
}

double natural_residual(const MatX& M, const VecX& q, const VecX& z) {
  return z.size() ? (M * z + q).cwiseMin(z).cwiseAbs().maxCoeff() : 0;
}

// Tries every choice of basic z: M_BB z_B = −q_B in the least-squares sense (so that singular bases count
// too).
bool solvable_by_enumeration(const MatX& M, const VecX& q) {
  const int n = static_cast<int>(q.size());
  for (int mask = 0; mask < (1 << n); ++mask) {
    std::vector<int> basis;
    for (int i = 0; i < n; ++i)
      if (mask >> i & 1) basis.push_back(i);
    VecX z = VecX::Zero(n);
    if (!basis.empty()) {
      z(basis) = testing::least_squares(M(basis, basis), -q(basis));
    }
    if (natural_residual(M, q, z) < 1e-7) return true;
  }
  return false;
}

TEST(Lemke, answers_positive_definite_problems_exactly) {
  Random random(1);
  Lemke lemke;
  for (int trial = 0; trial < 4000; ++trial) {
    const int n = 1 + trial % 6;
    const MatX M = random_psd(random, n, n + 1) + 1e-3 * MatX::Identity(n, n);
    const VecX q = random_vector(random, n);
    VecX z(n);
    ASSERT_EQ(lemke.solve(M, q, z), LemkeStatus::solved) << trial;
    EXPECT_LT(natural_residual(M, q, z), 1e-9 * (1 + z.cwiseAbs().maxCoeff())) << trial;
  }
}

// A positive semi-definite problem has a solution exactly when it is feasible: enumeration decides which.
TEST(Lemke, verdict_on_rank_deficient_problems_agrees_with_enumeration) {
  Random random(2);
  Lemke lemke;
  int solved = 0, infeasible = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const int n = 2 + trial % 5;
    const int rank = 1 + static_cast<int>(random() % (n - 1));
    const MatX M = random_psd(random, n, rank);
    const VecX q = random_vector(random, n);
    VecX z(n);
    const LemkeStatus status = lemke.solve(M, q, z);
    if (solvable_by_enumeration(M, q)) {
      ASSERT_EQ(status, LemkeStatus::solved) << trial << " n " << n << " rank " << rank;
      EXPECT_LT(natural_residual(M, q, z), 1e-8 * (1 + z.cwiseAbs().maxCoeff())) << trial;
      ++solved;
    } else {
      ASSERT_EQ(status, LemkeStatus::infeasible) << trial << " n " << n << " rank " << rank;
      ++infeasible;
    }
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(infeasible, 100);
}

// Small integers make exact ties, zero entries of q and repeated rows: the ratio test is degenerate all the
// time.
TEST(Lemke, degenerate_integer_problems_do_not_cycle_and_are_decided_right) {
  Random random(3);
  Lemke lemke;
  int degenerate = 0, infeasible = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const int n = 2 + trial % 5, rank = 1 + static_cast<int>(random() % n);
    MatX Y(rank, n);
    for (double& y : Y.reshaped()) y = static_cast<double>(random() % 3) - 1;
    const MatX M = Y.transpose() * Y;
    VecX q(n);
    for (double& x : q) x = static_cast<double>(random() % 4) - 2;
    degenerate += (q.array() == 0).any();
    VecX z(n);
    const LemkeStatus status = lemke.solve(M, q, z);
    const bool solvable = solvable_by_enumeration(M, q);
    infeasible += !solvable;
    ASSERT_EQ(status, solvable ? LemkeStatus::solved : LemkeStatus::infeasible) << trial << "\n"
                                                                                << M << "\n"
                                                                                << q;
    if (solvable) {
      EXPECT_LT(natural_residual(M, q, z), 1e-9) << trial;
    }
  }
  EXPECT_GT(degenerate, 1000);
  EXPECT_GT(infeasible, 500);
}

// For matrices without any structure a ray proves nothing. What is claimed must be true all the same.
TEST(Lemke, never_claims_a_falsehood_on_arbitrary_matrices) {
  Random random(4);
  Lemke lemke;
  int solved = 0, rays = 0, infeasible = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int n = 2 + trial % 5;
    MatX M(n, n);
    M << random_vector(random, n * n).reshaped(n, n);
    const VecX q = random_vector(random, n);
    VecX z(n);
    const LemkeStatus status = lemke.solve(M, q, z);
    if (status == LemkeStatus::solved) {
      EXPECT_LT(natural_residual(M, q, z), 1e-7 * (1 + z.cwiseAbs().maxCoeff())) << trial;
      ++solved;
    } else if (status == LemkeStatus::infeasible) {
      EXPECT_FALSE(solvable_by_enumeration(M, q)) << trial;
      ++infeasible;
    } else {
      EXPECT_EQ(status, LemkeStatus::ray) << trial;
      ++rays;
    }
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(rays, 10);
  EXPECT_GT(infeasible, 10);
}

// P-matrix of Murty: the classical example on which pivoting visits many bases; the answer is e_1.
TEST(Lemke, solves_the_exponential_example_of_murty) {
  const int n = 12;
  MatX M = MatX::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) M(i, j) = 2;
  const VecX q = VecX::Constant(n, -1);
  VecX z(n);
  Lemke lemke;
  ASSERT_EQ(lemke.solve(M, q, z), LemkeStatus::solved);
  EXPECT_LT((z - VecX::Unit(n, 0)).norm(), 1e-12);
}

TEST(Lemke, answer_does_not_depend_on_the_units) {
  Random random(5);
  Lemke lemke;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 5;
    const MatX M = random_psd(random, n, n) + 1e-2 * MatX::Identity(n, n);
    const VecX q = random_vector(random, n);
    VecX z(n), scaled(n);
    ASSERT_EQ(lemke.solve(M, q, z), LemkeStatus::solved);
    for (double s : {1e-12, 1e-6, 1e6, 1e12}) {
      ASSERT_EQ(lemke.solve(s * M, q, scaled), LemkeStatus::solved) << trial << " scale " << s;
      EXPECT_LT((s * scaled - z).norm(), 1e-8 * (1 + z.norm()));
      ASSERT_EQ(lemke.solve(M, s * q, scaled), LemkeStatus::solved);
      EXPECT_LT((scaled / s - z).norm(), 1e-8 * (1 + z.norm()));
    }
  }
}

// Free rows are equations: eliminating them by hand (Schur complement) and solving the rest gives the same
// answer.
TEST(Lemke, free_rows_equal_the_schur_complement) {
  Random random(6);
  Lemke lemke;
  for (int trial = 0; trial < 1000; ++trial) {
    const int free_count = 1 + trial % 3, rest = 1 + trial % 4, n = free_count + rest;
    const MatX M = random_psd(random, n, n + 2);
    const VecX q = random_vector(random, n);
    std::vector<char> free_rows(n, 0);
    for (int i = 0; i < free_count; ++i) free_rows[i] = 1;
    VecX z(n);
    ASSERT_EQ(lemke.solve(M, q, free_rows, {}, z), LemkeStatus::solved) << trial;
    const MatX inverse = testing::inverse(M.topLeftCorner(free_count, free_count));
    const MatX B = M.bottomLeftCorner(rest, free_count);
    const MatX S = M.bottomRightCorner(rest, rest) - B * inverse * B.transpose();
    const VecX r = q.tail(rest) - B * inverse * q.head(free_count);
    EXPECT_LT(natural_residual(S, r, z.tail(rest)), 1e-8 * (1 + z.norm())) << trial;
    EXPECT_LT((M * z + q).head(free_count).norm(), 1e-8 * (1 + z.norm())) << trial;
  }
}

TEST(Lemke, repeated_equations_are_dropped_and_contradicting_ones_refused) {
  MatX M = MatX::Ones(2, 2);
  VecX z(2);
  Lemke lemke;
  const std::vector<char> both{1, 1};
  ASSERT_EQ(lemke.solve(M, VecX::Constant(2, -1), both, {}, z), LemkeStatus::solved);
  EXPECT_NEAR(z.sum(), 1, 1e-12);
  EXPECT_EQ(lemke.solve(M, VecX{{-1.0, -2.0}}, both, {}, z), LemkeStatus::infeasible);
}

TEST(Lemke, limits_are_kept_and_reported) {
  Random random(7);
  const int n = 40;
  const MatX M = random_psd(random, n, n + 2);
  const VecX q = -VecX::Ones(n);
  VecX z(n);
  Lemke lemke;
  Lemke::Options options;
  options.max_pivots = 3;
  EXPECT_EQ(lemke.solve(M, q, {}, options, z), LemkeStatus::pivot_limit);
  EXPECT_LE(lemke.pivots(), 3);
  options = {};
  options.clock_us = [] { return 1.0; };
  options.deadline_us = 1;
  EXPECT_EQ(lemke.solve(M, q, {}, options, z), LemkeStatus::out_of_time);
}

TEST(Lemke, empty_zero_and_non_finite_problems_have_clear_answers) {
  Lemke lemke;
  VecX none(0);
  EXPECT_EQ(lemke.solve(MatX(0, 0), none, none), LemkeStatus::solved);
  VecX z(2);
  EXPECT_EQ(lemke.solve(MatX::Zero(2, 2), VecX::Zero(2), z), LemkeStatus::solved);
  EXPECT_EQ(lemke.solve(MatX::Zero(2, 2), VecX{{1.0, -1.0}}, z), LemkeStatus::infeasible);
  EXPECT_EQ(lemke.solve(MatX::Identity(2, 2), VecX{{1.0, std::nan("")}}, z), LemkeStatus::inaccurate);
}

}  // namespace lemke_test
}  // namespace palp
