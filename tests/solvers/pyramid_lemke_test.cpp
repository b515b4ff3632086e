#include "palp/solvers/pyramid_lemke.hpp"

#include <numbers>

#include "solvers/contact_cases.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace pyramid_lemke_test {

VecX solve(PyramidLemke& solver, const Problem& problem, double tolerance = 1e-10) {
  VecX f = VecX::Zero(problem.delta_free.size());
  EXPECT_TRUE(solver.set_problem(problem));
  const SolveReport report = solver.solve({.tolerance = tolerance}, f);
  EXPECT_EQ(report.converged(), report.certificate <= tolerance);
  EXPECT_NEAR(certificate(problem, f).value, report.certificate, 1e-12);
  return f;
}

// Free sliding in direction θ: the polygon's force is the corner nearest to −θ. Its distance to the true
// force is at most the chord 2 sin(π/2k), of order 1/k; what it lacks along the slip (the dissipation) is at
// most 1 − cos(π/k), of order 1/k².
TEST(PyramidLemke, friction_tends_to_the_cone_with_the_number_of_sides) {
  double lack_before = 0, gap_before = 0;
  for (int k : {4, 8, 16, 32}) {
    PyramidLemke solver(k);
    double gap = 0, lack = 0;
    const int samples = 32 * k;
    for (int s = 0; s < samples; ++s) {
      cases::OneContact slip{
          // far beyond the elastic slip, so that the direction of the slip is that of the free motion
          .slip = 10,
          .angle = 2 * std::numbers::pi * (s + 0.3) / samples};
      const Vec3 f = solve(solver, slip.problem()), exact = slip.answer();
      ASSERT_TRUE(solver.lcp_solved()) << k << " " << s;
      EXPECT_NEAR(f[0], exact[0], 1e-8);
      const double radius = slip.mu * exact[0];
      gap = std::max(gap, (f - exact).norm() / radius);
      lack = std::max(lack, 1 + f.tail<2>().dot(Vec2(std::cos(slip.angle), std::sin(slip.angle))) / radius);
    }
    EXPECT_LE(gap, 2 * std::sin(std::numbers::pi / (2 * k)) + 1e-9) << k;
    EXPECT_LE(lack, 1 - std::cos(std::numbers::pi / k) + 1e-9) << k;
    if (k > 4) {
      EXPECT_NEAR(std::log2(lack_before / lack), 2, 0.2) << k;
      EXPECT_NEAR(std::log2(gap_before / gap), 1, 0.1) << k;
    }
    lack_before = lack;
    gap_before = gap;
  }
}

TEST(PyramidLemke, slip_along_a_corner_of_the_pyramid_is_exact) {
  for (int k : {3, 4, 5, 8, 16}) {
    PyramidLemke solver(k);
    cases::OneContact slip{.slip = 0.1, .angle = 2 * std::numbers::pi / k + std::numbers::pi};
    const VecX f = solve(solver, slip.problem());
    EXPECT_LT((f - slip.answer()).norm(), 1e-9) << k;
  }
}

TEST(PyramidLemke, sticking_inside_the_pyramid_is_exact) {
  for (int k : {4, 7, 8, 16}) {
    PyramidLemke solver(k);
    cases::OneContact stick{.slip = 3e-4, .angle = 1.1};
    ASSERT_LT(stick.slip / stick.w_t, 0.7 * stick.mu * stick.depth / stick.w_n);
    EXPECT_LT((solve(solver, stick.problem()) - stick.answer()).norm(), 1e-9) << k;
  }
}

TEST(PyramidLemke, two_contacts_split_into_stick_and_slip) {
  PyramidLemke solver;  // t1 is a corner of the eight-sided pyramid: exact
  const cases::StickAndSlip two;
  EXPECT_LT((solve(solver, two.problem()) - two.answer()).norm(), 1e-9 * two.answer().norm());
}

TEST(PyramidLemke, certificate_improves_with_the_sides_on_coupled_problems) {
  cases::Random random(11);
  double sum[4] = {};
  const int sides[4] = {4, 8, 16, 32};
  for (int trial = 0; trial < 40; ++trial) {
    const Problem problem = cases::random_problem(random, 1 + trial % 6, 0.8);
    for (int s = 0; s < 4; ++s) {
      PyramidLemke solver(sides[s]);
      const VecX f = solve(solver, problem);
      ASSERT_TRUE(solver.lcp_solved()) << trial << " " << sides[s];
      sum[s] += certificate(problem, f).value;
    }
  }
  EXPECT_LT(sum[1], 0.8 * sum[0]);
  EXPECT_LT(sum[2], 0.8 * sum[1]);
  EXPECT_LT(sum[3], 0.8 * sum[2]);
}

TEST(PyramidLemke, frictionless_problem_is_the_plain_lcp_and_exact) {
  cases::Random random(12);
  PyramidLemke solver;
  for (int trial = 0; trial < 200; ++trial) {
    const Problem problem = cases::random_problem(random, 1 + trial % 12, 0.0);
    const VecX f = solve(solver, problem);
    EXPECT_EQ(solver.lcp_rows(), problem.contacts());
    EXPECT_LT(certificate(problem, f).value, 1e-11);
  }
}

// A bilateral block that carries a contact: eliminated by hand, the rest is the one-contact problem.
TEST(PyramidLemke, bilateral_blocks_enter_as_equations) {
  cases::Random random(13);
  PyramidLemke solver;
  for (int trial = 0; trial < 100; ++trial) {
    Problem problem = cases::random_problem(random, 4, 0.0);
    problem.kind = {ContactKind::unilateral, ContactKind::bilateral, ContactKind::unilateral,
                    ContactKind::bilateral};
    const VecX f = solve(solver, problem);
    EXPECT_LT(certificate(problem, f).value, 1e-11) << trial;
  }
}

TEST(PyramidLemke, repeated_contacts_carry_the_same_total_force) {
  const cases::OneContact one{.angle = 0};
  PyramidLemke solver;
  for (int copies : {2, 5}) {
    const MatX W = one.problem().W.dense.replicate(copies, copies);
    const VecX free = one.problem().delta_free.replicate(copies, 1);
    const VecX f = solve(solver, cases::dense_problem(W, free, VecX::Constant(copies, one.mu)));
    ASSERT_TRUE(solver.lcp_solved());
    EXPECT_LT((f.reshaped(3, copies).rowwise().sum() - one.answer()).norm(), 1e-9) << copies;
  }
}

TEST(PyramidLemke, impossible_contact_is_reported_as_infeasible) {
  // Two opposite contacts on a body that can only move along their common normal: both gaps negative.
  MatX W = MatX::Zero(6, 6);
  W.block<3, 3>(0, 0) = W.block<3, 3>(3, 3) = Mat3::Identity();
  W.block<3, 3>(0, 3) = W.block<3, 3>(3, 0) = -Mat3::Identity();
  const Problem problem =
      cases::dense_problem(W, VecX{{-1.0, 0.0, 0.0, -1.0, 0.0, 0.0}}, VecX::Constant(2, 0.0));
  PyramidLemke solver;
  VecX f(6);
  ASSERT_TRUE(solver.set_problem(problem));
  EXPECT_EQ(solver.solve({}, f).status, SolveStatus::infeasible);
  EXPECT_TRUE(f.allFinite());
}

TEST(PyramidLemke, a_problem_too_large_is_refused_with_advice) {
  const int m = PyramidLemke::max_rows / 10 + 1;
  Problem problem;
  problem.W.is_dense = false;
  for (int i = 0; i < m; ++i) {
    problem.W.sparse.column.push_back(i);
    problem.W.sparse.value.push_back(Mat3::Identity());
    problem.W.sparse.start.push_back(i + 1);
  }
  problem.delta_free = VecX::Zero(3 * m);
  problem.mu = VecX::Constant(m, 0.5);
  PyramidLemke solver;
  const auto result = solver.set_problem(problem);
  ASSERT_FALSE(result);
  EXPECT_FALSE(result.error().remedy.empty());
  VecX f(3 * m);
  EXPECT_EQ(solver.solve({}, f).status, SolveStatus::not_applicable);
}

}  // namespace pyramid_lemke_test
}  // namespace palp
