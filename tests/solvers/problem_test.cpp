#include "palp/solvers/problem.hpp"

#include "solvers/make_problems.hpp"
#include "solvers/plain.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/certificate.hpp"
#include "palp/solvers/prepared.hpp"

namespace palp {
namespace problem_test {

using testing::as_sparse;
using testing::random_problem;

void expect_refused(const Problem& p, const char* about) {
  const auto result = validate(p);
  ASSERT_FALSE(result) << about;
  EXPECT_NE(result.error().text().find(about), std::string::npos) << result.error().text();
}

TEST(Problem, validation_names_what_is_wrong) {
  const Problem good = random_problem(4, 0.5, 1);
  EXPECT_TRUE(validate(good));
  EXPECT_TRUE(validate(as_sparse(good)));
  EXPECT_TRUE(validate(Problem{}));
  for (bool sparse : {false, true}) {
    const auto refuse = [&](auto&& change, const char* about) {
      Problem p = good;
      change(p);
      expect_refused(sparse ? as_sparse(p) : p, about);
    };
    refuse([](Problem& p) { p.mu.resize(3); }, "mu has 3");
    refuse([](Problem& p) { p.kind.resize(2); }, "kind has 2");
    refuse([](Problem& p) { p.mu[1] = -0.1; }, "negative");
    refuse([](Problem& p) { p.mu[1] = std::nan(""); }, "mu of contact 1 is not finite");
    refuse([](Problem& p) { p.delta_free[4] = INFINITY; }, "contact 1 is not finite");
    refuse([](Problem& p) { p.W.dense(0, 7) = std::nan(""); }, "not finite");
    refuse([](Problem& p) { p.W.dense(0, 7) += 0.02 * p.W.dense.cwiseAbs().maxCoeff(); },
           "asymmetric by 2.0");
    refuse([](Problem& p) { p.W.dense(4, 4) = -1; }, "indefinite");
    refuse([](Problem& p) { p.W.dense(0, 3) = p.W.dense(3, 0) = 3; }, "indefinite");
  }
  Problem wrong = good;
  wrong.delta_free.resize(11);
  expect_refused(wrong, "delta_free");
  wrong = good;
  wrong.W.dense.resize(12, 9);
  expect_refused(wrong, "W has");
  wrong = as_sparse(good);
  wrong.W.sparse.column[3] = 4;
  expect_refused(wrong, "outside");
}

TEST(Problem, slight_asymmetry_is_measured_and_accepted) {
  Problem p = random_problem(5, 0.5, 2);
  const double size = p.W.dense.cwiseAbs().maxCoeff();
  p.W.dense(2, 9) += 0.004 * size;
  for (const Problem& q : {p, as_sparse(p)}) {
    const auto info = validate(q);
    ASSERT_TRUE(info);
    EXPECT_NEAR(info->asymmetry, 0.004, 1e-9);
  }
}

TEST(Problem, rank_deficient_operators_are_not_indefinite) {
  EXPECT_TRUE(validate(random_problem(20, 0.5, 3, 7, 0)));
  EXPECT_TRUE(validate(as_sparse(random_problem(20, 0.5, 3, 7, 0))));
  EXPECT_TRUE(validate(scaled(random_problem(20, 0.5, 3, 7, 0), 1e-12, 1e-12)));
}

TEST(Problem, dense_sparse_and_column_products_agree) {
  Problem p = random_problem(7, 0.5, 4);
  p.W.dense.block(0, 9, 6, 6).setZero();
  p.W.dense(1, 16) += 0.1;  // asymmetric: rows and columns must not be confused
  const Problem q = as_sparse(p);
  ASSERT_LT(q.W.sparse.value.size(), 49u);
  VecX f = VecX::Random(21);
  f.segment<3>(6).setZero();
  const VecX expected = p.W.dense * f + p.delta_free;
  VecX delta(21);
  for (const Problem* each : {static_cast<const Problem*>(&p), &q}) {
    multiply(*each, f, delta);
    EXPECT_LT((delta - expected).norm(), 1e-13);
    Prepared prepared;
    ASSERT_TRUE(prepared.set(*each));
    prepared.residual(f, delta);
    EXPECT_LT((delta - expected).norm(), 1e-13);
  }
}

TEST(Problem, entries_add_up_and_dense_or_sparse_is_chosen_by_fill) {
  const std::vector<int> i{0, 0, 5, 3}, j{0, 0, 1, 3};
  const std::vector<double> v{1, 2, 4, 8};
  auto W = delassus_from_entries(2, i, j, v);
  ASSERT_TRUE(W);
  EXPECT_TRUE(W->is_dense);
  EXPECT_EQ(W->dense(0, 0), 3);
  EXPECT_EQ(W->dense(5, 1), 4);
  W = delassus_from_entries(50, i, j, v);
  ASSERT_TRUE(W);
  EXPECT_FALSE(W->is_dense);
  EXPECT_EQ(W->sparse.value.size(), 3u);
  EXPECT_FALSE(delassus_from_entries(1, i, j, v)) << "entries outside";
  EXPECT_FALSE(delassus_from_entries(-1, {}, {}, {}));
  EXPECT_FALSE(delassus_from_entries(2, i, j, std::vector<double>{1}));
}

TEST(Certificate, agrees_with_a_plain_second_implementation) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Problem p = random_problem(1 + seed % 8, 0.1 * (seed % 12), seed);
    if (seed % 3 == 0) {
      p.kind.assign(p.contacts(), ContactKind::unilateral);
      p.kind[0] = ContactKind::bilateral;
    }
    VecX f = VecX::Random(3 * p.contacts());
    for (const Problem& q : {p, as_sparse(p)}) {
      const double expected = testing::plain_certificate(q, f);
      EXPECT_NEAR(certificate(q, f).value, expected, 1e-12 * expected) << seed;
    }
  }
}

TEST(Certificate, is_zero_for_a_solution_and_does_not_depend_on_units) {
  const double w = 0.25;
  Problem p;
  p.W.dense = w * MatX::Identity(3, 3);
  p.delta_free = VecX{{-2, 3, 4}};
  p.mu = VecX::Constant(1, 0.5);
  const VecX slip{{8, -2.4, -3.2}};
  EXPECT_LT(certificate(p, slip).value, 1e-15);
  const VecX wrong{{8, -2.4, 3.2}};
  const double e = certificate(p, wrong).value;
  EXPECT_GT(e, 0.1);
  for (double compliance : {1e-12, 1e12})
    for (double length : {1e-9, 1e3})
      EXPECT_NEAR(certificate(scaled(p, compliance, length), wrong * length / compliance).value, e, 1e-12);
}

TEST(Certificate, a_distant_contact_does_not_dilute_the_error) {
  Problem near = random_problem(2, 0.5, 5);
  near.delta_free[0] = -1;
  Problem far = near;
  far.W.dense = MatX::Identity(9, 9);
  far.W.dense.topLeftCorner(6, 6) = near.W.dense;
  far.delta_free = VecX::Zero(9);
  far.delta_free.head(6) = near.delta_free;
  far.delta_free[6] = 1e9;
  far.mu = VecX::Constant(3, 0.5);
  VecX f = VecX::Random(9);
  f.tail<3>().setZero();
  EXPECT_NEAR(certificate(far, f).value, certificate(near, f.head<6>()).value, 1e-12);
}

TEST(Certificate, a_contact_without_compliance_is_separated_or_infeasible) {
  Problem p;
  p.W.dense = MatX::Zero(3, 3);
  p.mu = VecX::Constant(1, 0.5);
  p.delta_free = VecX{{0.1, 5, 0}};
  EXPECT_EQ(certificate(p, VecX::Zero(3)).value, 0);
  p.delta_free = VecX{{-0.1, 0, 0}};
  EXPECT_TRUE(certificate(p, VecX::Zero(3)).infeasible);
  EXPECT_FALSE(certificate(p, VecX::Zero(3)).within(1e9));
  p.kind = {ContactKind::bilateral};
  EXPECT_TRUE(certificate(p, VecX::Zero(3)).infeasible);
  p.delta_free.setZero();
  EXPECT_EQ(certificate(p, VecX::Zero(3)).value, 0);
}

TEST(Certificate, projection_on_the_cone_is_the_nearest_point) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (double mu : {0.0, 0.3, 1.0, 5.0})
    for (int trial = 0; trial < 300; ++trial) {
      Vec3 x(normal(random), normal(random), normal(random));
      if (trial % 5 == 0) x.tail<2>().setZero();
      const Vec3 p = project_on_cone(x, mu);
      EXPECT_LE(p.tail<2>().norm(), mu * p[0] + 1e-14);
      // Moreau: x − p is orthogonal to p and in the polar cone: no point of K is nearer.
      EXPECT_NEAR((x - p).dot(p), 0, 1e-13);
      EXPECT_LE(mu * (x - p).tail<2>().norm(), -(x - p)[0] + 1e-13);
    }
}

}  // namespace problem_test
}  // namespace palp
