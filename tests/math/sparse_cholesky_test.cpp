// The sparse Cholesky against dense Eigen factorisations: every shape of pattern, every kind of `last`, every
// failure.
#include "palp/math/sparse_cholesky.hpp"

#include <limits>
#include <random>
#include <set>

#include "math/elastic_block.hpp"
#include "support/dense.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace sparse_cholesky_test {

using Order = CholeskyOptions::Order;
using testing_support::elastic_block;
using testing_support::top_contacts;
using testing_support::touched_blocks;

using Pairs = std::set<std::pair<int, int>>;  // (row > column)

/// A block matrix on the given off-diagonal pairs: random, symmetric, made positive definite by diagonal
/// dominance.
BlockSymmetric random_spd(int blocks, const Pairs& pairs, int seed) {
  std::srand(seed);
  std::vector<int> elements;
  for (auto [i, j] : pairs) elements.insert(elements.end(), {i, j});
  BlockSymmetric A = block_pattern(blocks, elements, 2);
  std::vector<double> weight(blocks, 1.0);
  for (int j = 0; j < blocks; ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
      A.value[k].setRandom();
      if (A.row[k] == j) continue;
      weight[j] += A.value[k].norm();
      weight[A.row[k]] += A.value[k].norm();
    }
  for (int j = 0; j < blocks; ++j) {
    Mat3& D = A.value[A.start[j]];
    D = (D * D.transpose() + weight[j] * Mat3::Identity()).eval();
  }
  return A;
}

struct Case {
  std::string name;
  BlockSymmetric A;
};

std::vector<Case> all_shapes() {
  std::vector<Case> cases;
  const auto add = [&](std::string name, int n, const Pairs& pairs) {
    cases.push_back({std::move(name), random_spd(n, pairs, static_cast<int>(cases.size()) + 1)});
  };
  add("nothing", 0, {});
  add("one block", 1, {});
  add("two coupled blocks", 2, {{1, 0}});
  add("diagonal", 37, {});
  Pairs arrow_down, arrow_up, band, dense, islands, ring, star_of_chains;
  for (int i = 1; i < 40; ++i) arrow_down.insert({i, 0});
  for (int i = 0; i < 39; ++i) arrow_up.insert({39, i});
  for (int i = 0; i < 90; ++i)
    for (int d = 1; d <= 4 && i + d < 90; ++d) band.insert({i + d, i});
  for (int i = 0; i < 45; ++i)
    for (int j = 0; j < i; ++j) dense.insert({i, j});
  for (int base : {0, 13, 14, 30})
    for (int i = 1; i < 12 && base + i < 40; ++i) islands.insert({base + i, base + i / 2});
  for (int i = 1; i < 50; ++i) ring.insert({i, i - 1});
  ring.insert({49, 0});
  for (int arm = 0; arm < 5; ++arm)
    for (int i = 0; i < 10; ++i) star_of_chains.insert({1 + 10 * arm + i, i == 0 ? 0 : 10 * arm + i});
  add("arrow with an early head", 40, arrow_down);
  add("arrow with a late head", 40, arrow_up);
  add("band", 90, band);
  add("dense", 45, dense);
  add("disconnected islands", 40, islands);
  add("ring", 50, ring);
  add("star of chains", 51, star_of_chains);
  std::mt19937 random(3);
  for (int n : {2, 5, 13, 60, 150})
    for (double density : {0.5, 2.0, 6.0}) {
      Pairs pairs;
      for (int k = 0; k < n * density; ++k) {
        const int i = static_cast<int>(random() % n), j = static_cast<int>(random() % n);
        if (i != j) pairs.insert({std::max(i, j), std::min(i, j)});
      }
      add("random " + std::to_string(n) + " density " + std::to_string(density), n, pairs);
    }
  cases.push_back({"elastic block", elastic_block(5, 4, 6).A});
  cases.push_back({"elastic plate", elastic_block(9, 8, 2).A});
  return cases;
}

/// Random points on 0-5 blocks each, a block possibly twice in a point, a point possibly twice in the list.
PointJacobian random_points(int blocks, int points, int pool, int seed) {
  std::mt19937 random(seed);
  std::srand(seed);
  PointJacobian H;
  for (int i = 0; i < points; ++i) {
    if (i % 7 == 3 && i > 0)  // the same contact again
      for (int k = H.start[i - 1]; k < H.start[i]; ++k) H.add(int(H.column[k]), Mat3(H.block[k]));
    else
      for (int k = static_cast<int>(random() % 6); k > 0; --k) {
        const int column = static_cast<int>(random() % std::min(pool, blocks));
        H.add(column, Mat3::Random());
        if (random() % 4 == 0) H.add(column, Mat3::Random());
      }
    H.end_point();
  }
  return H;
}

MatX dense_jacobian(const PointJacobian& H, int blocks) {
  MatX J = MatX::Zero(3 * H.points(), 3 * blocks);
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) J.block<3, 3>(3 * i, 3 * H.column[k]) += H.block[k];
  return J;
}

MatX dense_compliance(const BlockSymmetric& A, const PointJacobian& H) {
  const MatX J = dense_jacobian(H, A.blocks());
  return J * testing::solve_positive(A.dense(), J.transpose());
}

std::vector<std::vector<int>> all_kinds_of_last(int blocks) {
  std::vector<std::vector<int>> kinds{{}};
  if (blocks == 0) return kinds;
  std::vector<int> all, some, repeated;
  for (int i = blocks - 1; i >= 0; --i) {
    all.push_back(i);
    if (i % 3 == 0) some.push_back(i);
    if (i % 4 == 1) repeated.insert(repeated.end(), {i, i, blocks - 1});
  }
  kinds.insert(kinds.end(), {all, some, repeated, {blocks / 2}});
  return kinds;
}

double relative(const MatX& a, const MatX& b) { return (a - b).norm() / std::max(b.norm(), 1e-300); }

TEST(SparseCholesky, solves_every_shape_with_every_order_as_dense_cholesky_does) {
  for (const Case& c : all_shapes())
    for (const auto& last : all_kinds_of_last(c.A.blocks()))
      for (Order order : {Order::automatic, Order::plain, Order::last_last}) {
        SparseCholesky cholesky;
        cholesky.analyze(c.A, last, {.order = order});
        ASSERT_TRUE(cholesky.factor(c.A)) << c.name;
        const VecX b = VecX::Random(3 * c.A.blocks());
        VecX x = b;
        cholesky.solve(x);
        if (c.A.blocks() == 0) continue;
        EXPECT_LT(relative(x, testing::solve_positive(c.A.dense(), b)), 1e-11) << c.name;
        EXPECT_LT((c.A.dense() * x - b).norm(),
                  1e-12 * b.norm() * std::max(1.0, c.A.dense().norm() * x.norm()))
            << c.name;
      }
}

TEST(SparseCholesky, many_right_hand_sides_at_a_time_are_solved_as_each_alone) {
  for (const Case& c : all_shapes()) {
    if (c.A.blocks() == 0) continue;
    const MatX inverse = testing::inverse(c.A.dense());
    for (auto precision : {CholeskyOptions::Precision::full, CholeskyOptions::Precision::single})
      for (const auto& last : all_kinds_of_last(c.A.blocks())) {
        SparseCholesky cholesky;
        cholesky.analyze(c.A, last, {.precision = precision});
        ASSERT_TRUE(cholesky.factor(c.A));
        MatX X, one;
        for (int points : {30, 1, 5}) {  // X keeps the columns it has
          const PointJacobian H = random_points(c.A.blocks(), points, 1000, points);
          cholesky.solve(H, X);
          ASSERT_GE(X.cols(), 3 * points);
          const MatX expected = inverse * dense_jacobian(H, c.A.blocks()).transpose();
          EXPECT_LE((X.leftCols(3 * points) - expected).norm(), 1e-11 * expected.norm()) << c.name;
          for (int i = 0; i < points; ++i) {
            PointJacobian alone;
            for (int k = H.start[i]; k < H.start[i + 1]; ++k) alone.add(H.column[k], H.block[k]);
            alone.end_point();
            cholesky.solve(alone, one);
            EXPECT_TRUE(one.leftCols<3>() == X.middleCols<3>(3 * i)) << c.name << ", to the bit";
          }
        }
      }
  }
}

TEST(SparseCholesky, projection_equals_the_dense_compliance_whether_by_points_or_by_blocks) {
  for (const Case& c : all_shapes()) {
    if (c.A.blocks() == 0) continue;
    const MatX inverse = testing::inverse(c.A.dense());
    for (const auto& last : all_kinds_of_last(c.A.blocks()))
      for (Order order : {Order::plain, Order::last_last}) {
        SparseCholesky cholesky;
        cholesky.analyze(c.A, last, {.order = order});
        ASSERT_TRUE(cholesky.factor(c.A));
        for (int points : {1, 4, 5, 30})
          // A small pool makes the distinct blocks fewer than the points, a large one the opposite.
          for (int pool : {3, 1000}) {
            const PointJacobian H = random_points(c.A.blocks(), points, pool, points + pool);
            MatX G = MatX::Zero(3 * points, 3 * points);
            cholesky.project(H, G);
            const MatX J = dense_jacobian(H, c.A.blocks()), W = J * inverse * J.transpose();
            EXPECT_LE((G - W).norm(), 1e-12 * W.norm()) << c.name << ", " << points << " points";
            EXPECT_TRUE(G == G.transpose()) << c.name;
          }
      }
  }
}

TEST(SparseCholesky, elastic_compliance_is_exact_symmetric_and_positive_semidefinite) {
  const auto block = elastic_block(7, 7, 5);
  for (int contacts : {1, 12, 40, 90})
    for (Order order : {Order::automatic, Order::plain, Order::last_last}) {
      const PointJacobian H = top_contacts(block, contacts);
      SparseCholesky cholesky;
      cholesky.analyze(block.A, touched_blocks(H), {.order = order});
      ASSERT_TRUE(cholesky.factor(block.A));
      MatX G = MatX::Zero(3 * contacts, 3 * contacts);
      cholesky.project(H, G);
      EXPECT_LT(relative(G, dense_compliance(block.A, H)), 1e-12);
      EXPECT_TRUE(G == G.transpose());
      const VecX eigenvalues = testing::eigenvalues(G);
      EXPECT_GT(eigenvalues.minCoeff(), -1e-13 * eigenvalues.maxCoeff());
    }
}

TEST(SparseCholesky, projection_adds_to_what_is_there_and_works_on_a_part_of_a_matrix) {
  const auto block = elastic_block(4, 4, 4);
  const PointJacobian H = top_contacts(block, 6);
  SparseCholesky cholesky;
  cholesky.analyze(block.A);
  ASSERT_TRUE(cholesky.factor(block.A));
  const MatX before = MatX::Random(40, 40);
  MatX G = before;
  cholesky.project(H, G.block(5, 9, 18, 18));
  MatX expected = before;
  expected.block(5, 9, 18, 18) += dense_compliance(block.A, H);
  EXPECT_LT((G - expected).norm(), 1e-12 * expected.norm());
}

TEST(SparseCholesky, no_points_and_points_on_nothing_add_nothing) {
  const auto block = elastic_block(3, 3, 3);
  SparseCholesky cholesky;
  cholesky.analyze(block.A);
  ASSERT_TRUE(cholesky.factor(block.A));
  PointJacobian H;
  MatX none(0, 0);
  cholesky.project(H, none);
  H.end_point();
  H.end_point();
  MatX G = MatX::Ones(6, 6);
  cholesky.project(H, G);
  EXPECT_TRUE(G == MatX::Ones(6, 6));
}

TEST(SparseCholesky, a_sparse_right_hand_side_gives_a_column_of_the_inverse) {
  const auto block = elastic_block(5, 5, 5);
  SparseCholesky cholesky;
  cholesky.analyze(block.A);
  ASSERT_TRUE(cholesky.factor(block.A));
  const MatX inverse = testing::inverse(block.A.dense());
  for (int i : {0, 77, 374}) {
    VecX e = VecX::Unit(375, i);
    cholesky.solve(e);
    EXPECT_LT(relative(e, inverse.col(i)), 1e-12);
  }
}

TEST(SparseCholesky, single_precision_solves_are_refined_to_double_and_projections_are_nearly_exact) {
  for (double young_Pa : {1e3, 1e5, 1e7}) {
    const auto block = elastic_block(6, 6, 7, 1, young_Pa);
    const PointJacobian H = top_contacts(block, 25);
    for (Order order : {Order::plain, Order::last_last}) {
      SparseCholesky cholesky;
      cholesky.analyze(block.A, touched_blocks(H),
                       {.order = order, .precision = CholeskyOptions::Precision::single});
      ASSERT_TRUE(cholesky.factor(block.A));
      const MatX A = block.A.dense();
      const VecX x_true = VecX::Random(A.rows());
      VecX x = A * x_true;
      cholesky.solve(x);
      const VecX eigenvalues = testing::eigenvalues(A);
      const double condition = eigenvalues.maxCoeff() / eigenvalues.minCoeff();
      EXPECT_LT(relative(x, x_true), 1e-14 * condition + 1e-13);
      MatX G = MatX::Zero(75, 75);
      cholesky.project(H, G);
      EXPECT_LT(relative(G, dense_compliance(block.A, H)), 6e-8 * condition);
      EXPECT_TRUE(G == G.transpose());
    }
  }
}

TEST(SparseCholesky, the_product_with_the_lower_triangle_is_the_product_with_the_matrix) {
  for (const Case& c : all_shapes()) {
    const VecX x = VecX::Random(3 * c.A.blocks());
    VecX y(x.size());
    y.setZero();
    c.A.multiply_add(x, y);
    EXPECT_LE((y - c.A.dense() * x).norm(), 1e-13 * c.A.dense().norm() * x.norm()) << c.name;
  }
}

TEST(SparseCholesky, a_right_hand_side_that_is_not_a_number_never_gives_a_number_looking_answer) {
  const auto block = elastic_block(3, 3, 3);
  for (auto precision : {CholeskyOptions::Precision::full, CholeskyOptions::Precision::single}) {
    SparseCholesky cholesky;
    cholesky.analyze(block.A, {}, {.precision = precision});
    ASSERT_TRUE(cholesky.factor(block.A));
    VecX b = VecX::Ones(81);
    b[40] = std::numeric_limits<double>::quiet_NaN();
    cholesky.solve(b);
    EXPECT_FALSE(b.allFinite());
  }
}

TEST(SparseCholesky, a_zero_right_hand_side_gives_zero_in_either_precision) {
  const auto block = elastic_block(3, 3, 3);
  for (auto precision : {CholeskyOptions::Precision::full, CholeskyOptions::Precision::single}) {
    SparseCholesky cholesky;
    cholesky.analyze(block.A, {}, {.precision = precision});
    ASSERT_TRUE(cholesky.factor(block.A));
    VecX b = VecX::Zero(81);
    cholesky.solve(b);
    EXPECT_TRUE(b == VecX::Zero(81));
  }
}

TEST(SparseCholesky, refactoring_with_other_values_forgets_the_old_ones) {
  const auto soft = elastic_block(5, 5, 6, 1, 1e3), stiff = elastic_block(5, 5, 6, 2, 1e6);
  const PointJacobian H = top_contacts(soft, 20);
  SparseCholesky cholesky;
  cholesky.analyze(soft.A, touched_blocks(H));
  BlockSymmetric broken = soft.A;
  broken.value[broken.start[70]] = -Mat3::Identity();
  for (const BlockSymmetric* A : std::array<const BlockSymmetric*, 4>{&soft.A, &stiff.A, &broken, &soft.A}) {
    const bool good = cholesky.factor(*A);
    EXPECT_EQ(good, A != &broken);
    if (!good) continue;
    MatX G = MatX::Zero(60, 60);
    cholesky.project(H, G);
    EXPECT_LT(relative(G, dense_compliance(*A, H)), 1e-12);
  }
}

TEST(SparseCholesky, a_new_analysis_with_another_pattern_or_region_replaces_the_old_one) {
  SparseCholesky cholesky;
  for (int n : {6, 3, 5, 5})
    for (int contacts : {3, 30}) {
      const auto block = elastic_block(n, 4, 5);
      const PointJacobian H = top_contacts(block, contacts);
      cholesky.analyze(block.A, touched_blocks(H), {.order = Order::last_last});
      ASSERT_TRUE(cholesky.factor(block.A));
      EXPECT_TRUE(cholesky.statistics().last_last);
      MatX G = MatX::Zero(3 * contacts, 3 * contacts);
      cholesky.project(H, G);
      EXPECT_LT(relative(G, dense_compliance(block.A, H)), 1e-12);
    }
}

TEST(SparseCholesky, indefinite_singular_and_not_finite_matrices_are_refused) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const Case& c : all_shapes()) {
    if (c.A.blocks() == 0) continue;
    SparseCholesky cholesky;
    cholesky.analyze(c.A);
    std::mt19937 random(5);
    for (int trial = 0; trial < 6; ++trial) {
      BlockSymmetric A = c.A;
      const int j = static_cast<int>(random() % A.blocks()), axis = static_cast<int>(random() % 3);
      const int entry = A.start[j] + static_cast<int>(random() % (A.start[j + 1] - A.start[j]));
      switch (trial) {
        case 0:
          A.value[A.start[j]](axis, axis) = -1e-3;
          break;
        case 1:
          A.value[A.start[j]](axis, axis) = 0;
          break;
        case 2:
          A.value[A.start[j]](axis, axis) = nan;
          break;
        case 3:
          A.value[A.start[j]](axis, axis) = inf;
          break;
        case 4:
          A.value[entry](2, axis) = nan;
          break;
        case 5:
          A.value[entry](2, axis) = -inf;
          break;
      }
      EXPECT_FALSE(cholesky.factor(A)) << c.name << ", trial " << trial;
    }
    EXPECT_TRUE(cholesky.factor(c.A)) << c.name << ": usable again after a failure";
  }
}

TEST(SparseCholesky, an_indefinite_matrix_with_positive_diagonal_is_refused) {
  BlockSymmetric A = random_spd(30, {{29, 0}, {15, 3}, {20, 15}}, 4);
  for (int k = A.start[15]; k < A.start[16]; ++k)
    if (A.row[k] == 20) A.value[k] = 1e3 * Mat3::Identity();
  ASSERT_LT(testing::eigenvalues(A.dense()).minCoeff(), 0);
  SparseCholesky cholesky;
  cholesky.analyze(A);
  EXPECT_FALSE(cholesky.factor(A));
}

TEST(SparseCholesky, nested_dissection_beats_the_natural_order_by_far_on_a_block) {
  const auto block = elastic_block(11, 11, 11);
  SparseCholesky cholesky;
  cholesky.analyze(block.A);
  // Band Cholesky in natural order: half-bandwidth w = 3·(11² + 11 + 2), about N w² operations.
  const double w = 3 * (121 + 11 + 2), N = 3 * block.blocks();
  EXPECT_LT(cholesky.statistics().factor_flops, 0.5 * N * w * w);
}

}  // namespace sparse_cholesky_test
}  // namespace palp
