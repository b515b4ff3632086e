// What every solver in the registry owes its user, whichever method it uses. A solver that declines a problem
// (not_applicable) or gives up is fine; one that claims more than it has is not.
#include "solvers/make_problems.hpp"
#include "solvers/plain.hpp"
#include "solvers/stored_problems.hpp"
#include <gtest/gtest.h>

#include "palp/io/problem_json.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {
namespace every_solver_test {

using testing::as_sparse;
using testing::random_problem;

class EverySolver : public ::testing::TestWithParam<std::string_view> {
 protected:
  std::unique_ptr<Solver> solver = std::move(*make_solver(GetParam()));

  struct Answer {
    SolveReport report;
    VecX f;
  };
  Answer solve(const Problem& p, double tolerance, int max_sweeps = 20000) {
    Answer a;
    a.f = VecX::Constant(3 * p.contacts(), 1e300);  // must be overwritten
    if (auto ok = solver->set_problem(p); !ok) {
      a.report.status = SolveStatus::not_applicable;
      return a;
    }
    a.report = solver->solve({.tolerance = tolerance, .max_sweeps = max_sweeps, .budget_us = 1e6}, a.f);
    EXPECT_TRUE(a.f.allFinite());
    if (a.report.converged()) {
      EXPECT_LE(a.report.certificate, tolerance);
      EXPECT_LE(testing::plain_certificate(p, a.f), tolerance * (1 + 1e-6) + 1e-14) << "claimed convergence";
    }
    return a;
  }
};

TEST_P(EverySolver, never_claims_convergence_above_its_tolerance_on_random_problems) {
  int converged = 0, applicable = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int m = 1 + seed % 12;
    const double mu = seed % 4 == 0 ? 0 : 0.25 * (seed % 8);
    Problem p = random_problem(m, mu, seed, seed % 5 == 0 ? m : -1, seed % 3 == 0 ? 0 : 0.05);
    if (seed % 7 == 0) p = as_sparse(p);
    for (double tolerance : {1e-2, 1e-6}) {
      const auto a = solve(p, tolerance, 2000);
      applicable += a.report.status != SolveStatus::not_applicable;
      converged += a.report.converged();
    }
  }
  EXPECT_GT(applicable, 0);
  // A solver that never converges would pass trivially. The pyramid's exact answer is on the cone only
  // without friction.
  EXPECT_GT((GetParam() == "pyramid_lemke" ? 5 : 2) * converged, applicable);
}

TEST_P(EverySolver, never_claims_convergence_above_its_tolerance_on_stored_problems) {
  PALP_NEEDS_STORED_PROBLEMS();
  for (const std::string& file : testing::stored_problems()) {
    auto p = read_problem(file);
    ASSERT_TRUE(p) << p.error().text();
    if (p->contacts() > 60) continue;
    SCOPED_TRACE(file);
    for (double tolerance : {1e-3, 1e-7}) solve(*p, tolerance, 200);
  }
}

TEST_P(EverySolver, an_empty_problem_is_solved) {
  const auto a = solve(Problem{}, 1e-8);
  EXPECT_TRUE(a.report.converged());
  EXPECT_EQ(a.report.certificate, 0);
}

TEST_P(EverySolver, without_a_clock_the_answer_is_the_same_and_took_no_time) {
  for (int m : {1, 4, 30}) {
    const Problem p = random_problem(m, 0.3, 11);
    const auto timed = solve(p, 1e-6);
    if (timed.report.status == SolveStatus::not_applicable) continue;
    VecX f(3 * m);
    const SolveReport r =
        solver->solve({.tolerance = 1e-6, .max_sweeps = 20000, .budget_us = 1, .clock_us = nullptr}, f);
    EXPECT_EQ(r.status, timed.report.status);
    EXPECT_EQ(r.time_us, 0);
    EXPECT_LT((f - timed.f).norm(), 1e-4 * (1 + timed.f.norm())) << m;
  }
}

TEST_P(EverySolver, contacts_that_are_apart_get_no_force) {
  Problem p = random_problem(5, 0, 3);
  for (int i = 0; i < 5; ++i) p.delta_free[3 * i] = 0.1 + i;
  for (bool slipping : {true, false}) {
    if (!slipping)
      for (int i = 0; i < 5; ++i) p.delta_free.segment<2>(3 * i + 1).setZero();
    const auto a = solve(p, 1e-8);
    EXPECT_TRUE(a.report.converged());
    EXPECT_LT(a.f.norm(), 1e-12);
  }
}

TEST_P(EverySolver, repeated_contacts_share_the_force_of_one) {
  // The same frictionless contact four times over: W = w 11ᵀ in the normal rows, rank 1. The sum of forces is
  // unique.
  const double w = 0.5, depth = 0.2;
  Problem p;
  p.W.dense = MatX::Zero(12, 12);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) p.W.dense.block<3, 3>(3 * i, 3 * j) = w * Mat3::Identity();
  p.delta_free = VecX::Zero(12);
  for (int i = 0; i < 4; ++i) p.delta_free[3 * i] = -depth;
  p.mu = VecX::Zero(4);
  const auto a = solve(p, 1e-8);
  ASSERT_TRUE(a.report.converged()) << a.report.certificate;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += a.f[3 * i];
  EXPECT_NEAR(sum, depth / w, 1e-6);
}

TEST_P(EverySolver, zero_rows_are_separated_or_flagged) {
  Problem p = random_problem(3, 0, 4);
  p.W.dense.middleRows(3, 3).setZero();
  p.W.dense.middleCols(3, 3).setZero();
  p.delta_free[3] = 0.1;
  const auto open = solve(p, 1e-8);
  EXPECT_TRUE(open.report.converged()) << open.report.certificate;
  EXPECT_LT(open.f.segment<3>(3).norm(), 1e-12);
  p.delta_free[3] = -0.1;
  const auto impossible = solve(p, 1e-8);
  EXPECT_FALSE(impossible.report.converged()) << "no force can lift a contact without compliance";
}

TEST_P(EverySolver, huge_friction_and_extreme_units_are_solved_or_flagged) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    solve(random_problem(4, 1e6, seed), 1e-6);
    for (double compliance : {1e-12, 1e12}) {
      const auto a = solve(scaled(random_problem(4, 0, seed), compliance, 1e-3), 1e-6);
      EXPECT_TRUE(a.report.converged()) << compliance;
    }
  }
}

TEST_P(EverySolver, sizes_that_do_not_fit_are_refused) {
  Problem p = random_problem(3, 0, 5);
  p.mu.resize(2);
  EXPECT_FALSE(solver->set_problem(p));
}

TEST_P(EverySolver, keeps_its_name) { EXPECT_EQ(solver->name(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Registry, EverySolver, ::testing::ValuesIn(solver_names()),
                         [](const auto& each) { return std::string(each.param); });

TEST(Registry, an_unknown_name_lists_the_known_ones) {
  const auto unknown = make_solver("coulomp_gs");
  ASSERT_FALSE(unknown);
  for (std::string_view name : solver_names())
    EXPECT_NE(unknown.error().text().find(name), std::string::npos) << unknown.error().text();
}

}  // namespace every_solver_test
}  // namespace palp
