#include "palp/solvers/uzawa.hpp"

#include "solvers/contact_cases.hpp"
#include "support/dense.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/pyramid_lemke.hpp"

namespace palp {
namespace uzawa_test {

constexpr UzawaOptions kStored{.global_predictor = UzawaOptions::GlobalPredictor::stored};

struct Solved {
  VecX f;
  SolveReport report;
};

Solved solve(Uzawa& solver, const Problem& problem, const SolveOptions& options) {
  Solved s;
  s.f = VecX::Zero(problem.delta_free.size());
  EXPECT_TRUE(solver.set_problem(problem));
  s.report = solver.solve(options, s.f);
  EXPECT_EQ(s.report.converged(), s.report.certificate <= options.tolerance);
  EXPECT_NEAR(certificate(problem, s.f).value, s.report.certificate, 1e-12);
  return s;
}

TEST(Uzawa, single_contact_sticks_slips_or_opens_as_the_analytic_answer_says) {
  for (UzawaScheme scheme : {UzawaScheme::local, UzawaScheme::global})
    for (double mu : {0.0, 0.1, 0.4, 2.0})
      for (double slip : {0.0, 1e-4, 1e-3, 1e-2}) {
        Uzawa solver(scheme);
        const cases::OneContact one{.slip = slip, .angle = 0.7, .mu = mu};
        const Solved s = solve(solver, one.problem(), {.tolerance = 1e-10});
        EXPECT_TRUE(s.report.converged()) << mu << " " << slip;
        EXPECT_LT((s.f - one.answer()).norm(), 1e-8 * one.answer().norm()) << mu << " " << slip;
      }
  Uzawa solver(UzawaScheme::local);
  cases::OneContact open{.depth = -1e-3};
  EXPECT_EQ(solve(solver, open.problem(), {}).f.norm(), 0);
}

TEST(Uzawa, two_contacts_split_into_stick_and_slip) {
  const cases::StickAndSlip two;
  for (UzawaScheme scheme : {UzawaScheme::local, UzawaScheme::global}) {
    Uzawa solver(scheme);
    const Solved s = solve(solver, two.problem(), {.tolerance = 1e-10});
    EXPECT_TRUE(s.report.converged());
    EXPECT_LT((s.f - two.answer()).norm(), 1e-7 * two.answer().norm());
  }
}

TEST(Uzawa, frictionless_answer_is_that_of_lemke) {
  cases::Random random(21);
  PyramidLemke lemke;
  for (int trial = 0; trial < 100; ++trial) {
    const Problem problem = cases::random_problem(random, 1 + trial % 6, 0.0);
    VecX exact(problem.delta_free.size());
    ASSERT_TRUE(lemke.set_problem(problem));
    ASSERT_TRUE(lemke.solve({}, exact).converged());
    for (UzawaScheme scheme : {UzawaScheme::local, UzawaScheme::global}) {
      Uzawa solver(scheme);
      const Solved s = solve(solver, problem, {.tolerance = 1e-11});
      ASSERT_TRUE(s.report.converged()) << trial;
      EXPECT_LT((s.f - exact).norm(), 1e-8 * (1 + exact.norm())) << trial;
    }
  }
}

TEST(Uzawa, local_and_global_agree_on_weakly_coupled_frictional_problems) {
  cases::Random random(22);
  for (int trial = 0; trial < 60; ++trial) {
    const Problem problem = cases::random_problem(random, 1 + trial % 8, 0.6, 0.2);
    Uzawa local(UzawaScheme::local), global(UzawaScheme::global);
    const Solved a = solve(local, problem, {.tolerance = 1e-10}),
                 b = solve(global, problem, {.tolerance = 1e-10});
    ASSERT_TRUE(a.report.converged()) << trial;
    ASSERT_TRUE(b.report.converged()) << trial;
    EXPECT_LT((a.f - b.f).norm(), 1e-7 * (1 + a.f.norm())) << trial;
    EXPECT_LE(a.report.sweeps, b.report.sweeps)
        << trial;  // H08: the local scheme needs fewer outer iterations
  }
}

TEST(Uzawa, bilateral_rows_are_solved_as_linear_equations) {
  cases::Random random(23);
  Problem problem = cases::random_problem(random, 3, 0.0);
  problem.kind.assign(3, ContactKind::bilateral);
  const VecX exact = -testing::solve_symmetric(problem.W.dense, problem.delta_free);
  for (UzawaScheme scheme : {UzawaScheme::local, UzawaScheme::global}) {
    Uzawa solver(scheme);
    const Solved s = solve(solver, problem, {.tolerance = 1e-11});
    ASSERT_TRUE(s.report.converged());
    EXPECT_LT((s.f - exact).norm(), 1e-8 * exact.norm());
  }
}

// Strong coupling (a soft cantilever under many contacts: W nearly of rank one). A simultaneous step with
// ρ = 1/max W_ii overshoots as soon as two contacts push the same way; the local scheme does not care.
TEST(Uzawa, strong_coupling_makes_the_stored_predictor_diverge_and_not_the_local_scheme) {
  const int m = 12;
  MatX W = 0.05 * MatX::Identity(3 * m, 3 * m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) W.block<3, 3>(3 * i, 3 * j) += Mat3::Identity();
  VecX free = VecX::Zero(3 * m);
  for (int i = 0; i < m; ++i) free[3 * i] = -1 - 0.01 * i;
  const Problem problem = cases::dense_problem(1e-3 * W, 1e-3 * free, VecX::Constant(m, 0.3));
  Uzawa global(UzawaScheme::global, kStored), local(UzawaScheme::local);
  const Solved b = solve(global, problem, {.tolerance = 1e-6, .max_sweeps = 2000});
  const Solved a = solve(local, problem, {.tolerance = 1e-6, .max_sweeps = 2000});
  EXPECT_FALSE(b.report.converged());
  EXPECT_TRUE(a.report.converged());
  EXPECT_FALSE(local.diverged());
  EXPECT_TRUE(b.f.allFinite());
}

TEST(Uzawa, papers_tolerance_bounds_the_last_change_and_costs_iterations_when_tightened) {
  cases::Random random(24);
  const Problem problem = cases::random_problem(random, 10, 0.3);
  int before = 0;
  for (double error : {1e-4, 1e-6, 1e-8}) {
    Uzawa solver(UzawaScheme::local, {.error_m = error});
    const Solved s = solve(solver, problem, {.tolerance = 1e-2});
    EXPECT_LT(solver.error_m(), error);
    EXPECT_GE(s.report.sweeps, before);
    before = s.report.sweeps;
  }
  EXPECT_GT(before, 1);
}

TEST(Uzawa, warm_start_from_the_answer_needs_no_sweep) {
  cases::Random random(25);
  const Problem problem = cases::random_problem(random, 6, 0.5);
  Uzawa solver(UzawaScheme::local);
  Solved s = solve(solver, problem, {.tolerance = 1e-9});
  const SolveReport again = solver.solve({.tolerance = 1e-9, .warm_start = true}, s.f);
  EXPECT_TRUE(again.converged());
  EXPECT_EQ(again.sweeps, 0);
}

TEST(Uzawa, zero_matrix_is_reported_and_never_gives_nan) {
  const Problem closed = cases::dense_problem(MatX::Zero(3, 3), Vec3(-1, 0, 0), VecX::Constant(1, 0.5));
  const Problem open = cases::dense_problem(MatX::Zero(3, 3), Vec3(1, 0, 0), VecX::Constant(1, 0.5));
  for (UzawaScheme scheme : {UzawaScheme::local, UzawaScheme::global}) {
    Uzawa solver(scheme);
    VecX f = VecX::Zero(3);
    ASSERT_TRUE(solver.set_problem(closed));
    EXPECT_EQ(solver.solve({}, f).status, SolveStatus::infeasible);
    ASSERT_TRUE(solver.set_problem(open));
    EXPECT_TRUE(solver.solve({}, f).converged());
    EXPECT_TRUE(f.allFinite());
  }
}

}  // namespace uzawa_test
}  // namespace palp
