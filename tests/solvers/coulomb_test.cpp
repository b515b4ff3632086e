#include "palp/solvers/coulomb.hpp"

#include "solvers/judged.hpp"
#include "solvers/make_problems.hpp"
#include "solvers/stored_problems.hpp"
#include "support/dense.hpp"
#include <gtest/gtest.h>

#include "palp/io/problem_json.hpp"
#include "palp/solvers/gauss_seidel.hpp"

namespace palp {
namespace coulomb_test {

using testing::as_sparse;
using testing::BlockOnPlane;
using testing::counting_clock;
using testing::looks;
using testing::plain_certificate;
using testing::random_problem;
using testing::solved;

std::vector<std::unique_ptr<Solver>> both() {
  std::vector<std::unique_ptr<Solver>> all;
  all.push_back(make_coulomb());
  all.push_back(make_coulomb_newton());
  return all;
}

void every_stored_problem(Solver& solver, double tolerance, bool with_rock_pile) {
  for (const std::string& file : testing::stored_problems()) {
    const bool rock_pile = file.find("RockPile") != std::string::npos;
    if (rock_pile && !with_rock_pile) continue;
    auto p = read_problem(file);
    ASSERT_TRUE(p) << p.error().text();
    SCOPED_TRACE(file);
    solved(solver, *p, rock_pile ? std::max(tolerance, 1e-7) : tolerance);  // its W is asymmetric by 2.5e-3
  }
}

TEST(Coulomb, every_stored_problem_reaches_1e_4_from_zero) {
  PALP_NEEDS_STORED_PROBLEMS();
  every_stored_problem(*make_coulomb(), 1e-4, true);
}

TEST(Coulomb, slow_every_stored_problem_reaches_1e_8_from_zero) {
  PALP_NEEDS_STORED_PROBLEMS();
  every_stored_problem(*make_coulomb(), 1e-8, true);
}

TEST(Coulomb, slow_the_accurate_solver_reaches_1e_10_on_every_stored_problem) {
  PALP_NEEDS_STORED_PROBLEMS();
  every_stored_problem(*make_coulomb_newton(), 1e-10, true);
}

TEST(Coulomb, a_dense_problem_with_unique_forces_has_the_forces_of_gauss_seidel) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Problem p = random_problem(1 + seed, 0.3, seed);
    auto nsgs = make_coulomb_nsgs();
    const VecX expected = solved(*nsgs, p, 1e-11);
    for (auto& solver : both())
      for (const Problem& q : {p, as_sparse(p)})
        EXPECT_LT((solved(*solver, q, 1e-11) - expected).norm(), 1e-8 * (1 + expected.norm())) << seed;
  }
}

TEST(Coulomb, random_definite_and_rank_deficient_problems_are_solved_or_not_claimed) {
  for (auto& solver : both()) {
    int problems = 0, converged = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
      const int m = 1 + static_cast<int>(seed * 7 % 60);
      const double mu = std::array{0.0, 0.1, 0.4, 0.8, 1.5, 5.0}[seed % 6];
      const int rank = seed % 2 ? -1 : std::max(3, 3 * m / 2);
      Problem p = random_problem(m, mu, 1000 + seed, rank, seed % 2 ? 0.05 : 0.0);
      if (seed % 2 == 0) {  // consistent by construction: δ_free in the range of W plus an opening
        const VecX f = VecX::Random(3 * m);
        VecX open = VecX::Zero(3 * m);
        for (int i = 0; i < m; ++i) open[3 * i] = std::abs(f[3 * i]);
        p.delta_free = p.W.dense * (f - 2 * open);
      }
      VecX f(3 * m);
      ASSERT_TRUE(solver->set_problem(p));
      const SolveReport r = solver->solve({.tolerance = 1e-8, .max_sweeps = 5000}, f);
      ++problems;
      const double judged = plain_certificate(p, f);
      EXPECT_NEAR(judged, r.certificate, 1e-6 * judged + 1e-14) << "seed " << seed;
      if (r.converged()) {
        ++converged;
        EXPECT_LE(judged, 1.000001e-8) << "a false claim, seed " << seed;
      }
    }
    RecordProperty(std::string(solver->name()) + "_solved_of_200", converged);
    std::printf("[          ] %s: %d of %d random problems to 1e-8\n", std::string(solver->name()).c_str(),
                converged, problems);
    EXPECT_GE(converged, problems * 95 / 100) << solver->name();
  }
}

TEST(Coulomb, a_warm_start_saves_sweeps) {
  const Problem p = random_problem(30, 0.4, 5);
  auto solver = make_coulomb();
  VecX f = solved(*solver, p, 1e-8);
  SolveReport again = solver->solve({.tolerance = 1e-8, .warm_start = true}, f);
  EXPECT_TRUE(again.converged());
  EXPECT_EQ(again.sweeps, 0);
  const VecX moved = p.delta_free * 1.001;
  solver->set_delta_free(moved);
  VecX cold = f;
  again = solver->solve({.tolerance = 1e-6, .warm_start = true}, f);
  const SolveReport zero = solver->solve({.tolerance = 1e-6}, cold);
  EXPECT_TRUE(again.converged());
  EXPECT_LT(again.sweeps, zero.sweeps);
  Problem q = p;
  q.delta_free = moved;
  EXPECT_LE(plain_certificate(q, f), 1.00001e-6);
}

TEST(Coulomb, one_contact_is_solved_from_any_guess) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const double mu = std::array{0.0, 0.05, 0.3, 0.8, 2.0}[seed % 5];
    const Problem p = random_problem(1, mu, seed, seed % 3 ? 6 : 3, seed % 2 ? 0.05 : 0.0);
    auto solver = make_coulomb();
    ASSERT_TRUE(solver->set_problem(p));
    VecX f = VecX::Random(3), cold(3);
    f[0] = std::abs(f[0]);
    if (seed % 7 == 0) f[1] = std::numeric_limits<double>::quiet_NaN();
    for (double tolerance : {1e-4, 1e-10}) {
      const SolveReport warm = solver->solve({.tolerance = tolerance, .warm_start = true}, f);
      EXPECT_TRUE(warm.converged()) << seed;
      EXPECT_LE(plain_certificate(p, f), 1.00001 * tolerance + 1e-15) << seed;
      EXPECT_TRUE(solver->solve({.tolerance = tolerance}, cold).converged()) << seed;
      EXPECT_LE(plain_certificate(p, cold), 1.00001 * tolerance + 1e-15) << seed;
    }
  }
}

TEST(Coulomb, forces_vanish_when_nothing_touches_whatever_the_guess) {
  for (int m : {1, 3, 10, 40}) {
    Problem p = random_problem(m, 0.4, m);
    for (int i = 0; i < m; ++i) p.delta_free[3 * i] = 0.01 * i;  // the first one just touches
    auto solver = make_coulomb();
    ASSERT_TRUE(solver->set_problem(p));
    VecX f = VecX::Ones(3 * m);
    const SolveReport r = solver->solve({.tolerance = 1e-9, .warm_start = true}, f);
    EXPECT_TRUE(r.converged());
    EXPECT_LE(plain_certificate(p, f), 1e-9);
    EXPECT_LT(f.norm(), 1e-6 * p.delta_free.norm()) << m;
  }
}

TEST(Coulomb, a_sliding_block_slides_and_a_resting_block_rests) {
  for (double slope : {0.1, 0.4, 0.5, 0.8}) {  // atan(0.5) = 0.4636
    BlockOnPlane block;
    block.slope = slope;
    const double weight = block.mass * block.gravity;
    const double friction =
        std::tan(slope) > block.mu ? block.mu * weight * std::cos(slope) : weight * std::sin(slope);
    for (auto& solver : both()) {
      const VecX f = solved(*solver, block.problem(), 1e-10);
      double normal = 0, tangential = 0;
      for (int i = 0; i < 4; ++i) normal += f[3 * i], tangential -= f[3 * i + 1];
      EXPECT_NEAR(normal, weight * std::cos(slope), 1e-7 * weight) << solver->name();
      EXPECT_NEAR(tangential, friction, 1e-7 * weight) << solver->name();
    }
  }
}

TEST(Coulomb, bilateral_blocks_give_the_direct_linear_solution) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Problem p = random_problem(5, 0.5, seed);
    p.kind.assign(5, ContactKind::bilateral);
    const VecX expected = -testing::solve_symmetric(p.W.dense, p.delta_free);
    for (auto& solver : both())
      for (const Problem& q : {p, as_sparse(p)})
        EXPECT_LT((solved(*solver, q, 1e-12) - expected).norm(), 1e-9 * expected.norm());
    p.kind[2] = ContactKind::unilateral;
    auto nsgs = make_coulomb_nsgs();
    const VecX mixed = solved(*nsgs, p, 1e-12);
    for (auto& solver : both())
      EXPECT_LT((solved(*solver, p, 1e-12) - mixed).norm(), 1e-8 * (1 + mixed.norm()));
  }
}

TEST(Coulomb, repeated_contacts_share_the_force_of_one) {
  const Problem one = random_problem(4, 0.4, 21);
  Problem two = one;
  const int n = 12;
  two.W.dense.resize(2 * n, 2 * n);
  two.W.dense << one.W.dense, one.W.dense, one.W.dense, one.W.dense;
  two.delta_free.resize(2 * n);
  two.delta_free << one.delta_free, one.delta_free;
  two.mu = VecX::Constant(8, 0.4);
  for (auto& solver : both()) {
    const VecX single = solved(*solver, one, 1e-10), repeated = solved(*solver, two, 1e-10);
    EXPECT_LT((repeated.head(n) + repeated.tail(n) - single).norm(), 1e-7 * single.norm()) << solver->name();
  }
}

TEST(Coulomb, units_do_not_matter) {
  const Problem p = random_problem(10, 0.6, 10, 20);
  for (auto& solver : both()) {
    const VecX f = solved(*solver, p, 1e-9);
    for (double compliance : {1e-12, 1e12}) {
      const VecX g = solved(*solver, scaled(p, compliance, 1e-3), 1e-9);
      const VecX back = g * compliance / 1e-3;
      EXPECT_LT((p.W.dense * (back - f)).norm(), 1e-6 * (p.W.dense * f).norm())
          << solver->name() << compliance;
    }
  }
}

TEST(Coulomb, nothing_zero_rows_and_impossible_problems_are_answered) {
  for (auto& solver : both()) {
    Problem none;
    none.delta_free.resize(0);
    none.mu.resize(0);
    none.W.dense.resize(0, 0);
    VecX f(0);
    ASSERT_TRUE(solver->set_problem(none));
    EXPECT_TRUE(solver->solve({}, f).converged());

    Problem p = random_problem(3, 0.4, 3);
    p.W.dense.middleRows(3, 3).setZero();
    p.W.dense.middleCols(3, 3).setZero();
    p.delta_free[3] = 0.1;  // without compliance, but open
    solved(*solver, p, 1e-9);
    p.delta_free[3] = -0.1;  // no force can help
    f.resize(9);
    ASSERT_TRUE(solver->set_problem(p));
    EXPECT_EQ(solver->solve({}, f).status, SolveStatus::infeasible);
  }
}

TEST(Coulomb, the_budget_is_honoured) {
  const Problem p = random_problem(60, 0.4, 11, 90, 1e-6);
  for (const Problem& q : {p, as_sparse(p)})
    for (auto& solver : both()) {
      VecX f(180);
      ASSERT_TRUE(solver->set_problem(q));
      for (double budget : {100.0, 1000.0}) {
        looks = 0;
        const SolveReport r = solver->solve(
            {.tolerance = -1, .max_sweeps = 1000000, .budget_us = budget, .clock_us = counting_clock}, f);
        EXPECT_EQ(r.status, SolveStatus::budget_spent) << solver->name();
        EXPECT_LE(r.time_us, 1.05 * budget) << solver->name();
        EXPECT_NEAR(r.certificate, plain_certificate(q, f), 1e-9 * (1 + r.certificate));
      }
      const SolveReport limited = solver->solve({.tolerance = -1, .max_sweeps = 7}, f);
      EXPECT_EQ(limited.status, SolveStatus::sweep_limit);
      EXPECT_EQ(limited.sweeps, 7);
    }
}

}  // namespace coulomb_test
}  // namespace palp
