#include "palp/solvers/gauss_seidel.hpp"

#include "solvers/judged.hpp"
#include "solvers/make_problems.hpp"
#include "solvers/stored_problems.hpp"
#include "support/dense.hpp"
#include <gtest/gtest.h>

#include "palp/io/problem_json.hpp"
#include "palp/solvers/sweep.hpp"

namespace palp {
namespace gauss_seidel_test {

using testing::as_sparse;
using testing::BlockOnPlane;
using testing::counting_clock;
using testing::looks;
using testing::random_problem;
using testing::solved;

std::vector<std::unique_ptr<Solver>> frictional_solvers() {
  std::vector<std::unique_ptr<Solver>> all;
  all.push_back(make_coulomb_gs());
  all.push_back(make_coulomb_nsgs());
  return all;
}

/// The frictionless solution by trying every set of touching contacts.
VecX enumerate_signorini(const Problem& p) {
  const int m = p.contacts();
  MatX W(m, m);
  VecX q(m);
  for (int i = 0; i < m; ++i) {
    q[i] = p.delta_free[3 * i];
    for (int j = 0; j < m; ++j) W(i, j) = p.W.dense(3 * i, 3 * j);
  }
  for (int set = 0; set < (1 << m); ++set) {
    MatX A = MatX::Identity(m, m);
    VecX b = VecX::Zero(m);
    for (int i = 0; i < m; ++i)
      if (set >> i & 1) A.row(i) = W.row(i), b[i] = -q[i];
    VecX f = testing::solve(A, b);
    if (f.minCoeff() >= -1e-12 && (W * f + q).minCoeff() >= -1e-12) {
      VecX full = VecX::Zero(3 * m);
      for (int i = 0; i < m; ++i) full[3 * i] = f[i];
      return full;
    }
  }
  ADD_FAILURE() << "a positive definite frictionless problem has a solution";
  return VecX::Zero(3 * m);
}

TEST(GaussSeidel, frictionless_forces_are_those_of_exhaustive_enumeration) {
  auto signorini = make_signorini_gs();
  for (int m = 1; m <= 6; ++m)
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Problem p = random_problem(m, 0, 100 * m + seed);
      const VecX expected = enumerate_signorini(p);
      EXPECT_LT((solved(*signorini, p, 1e-12) - expected).norm(), 1e-9 * (1 + expected.norm()));
      for (auto& solver : frictional_solvers())
        EXPECT_LT((solved(*solver, p, 1e-12) - expected).norm(), 1e-9 * (1 + expected.norm()))
            << solver->name();
    }
}

TEST(GaussSeidel, signorini_declines_friction) {
  const Problem p = random_problem(3, 0.5, 1);
  auto solver = make_signorini_gs();
  ASSERT_TRUE(solver->set_problem(p));
  VecX f(9);
  EXPECT_EQ(solver->solve({}, f).status, SolveStatus::not_applicable);
}

TEST(GaussSeidel, of_two_coupled_contacts_one_slips_and_one_sticks_as_computed_by_hand) {
  // Normals uncoupled with N = 1 and 4; tangents coupled by c = 1/2. Contact 1 slides with f = −μN₁ = −1/2;
  // contact 2 sticks with f = −(s₂ − c μN₁)/a = −1/2, below its limit 2; contact 1 then slips by s₁ + a f₁ +
  // c f₂ = 5/4.
  Problem p;
  p.W.dense = MatX::Identity(6, 6);
  p.W.dense(1, 4) = p.W.dense(4, 1) = 0.5;
  p.delta_free.resize(6);
  p.delta_free << -1, 2, 0, -4, 0.75, 0;
  p.mu = VecX::Constant(2, 0.5);
  VecX expected(6);
  expected << 1, -0.5, 0, 4, -0.5, 0;
  for (auto& solver : frictional_solvers()) {
    const VecX f = solved(*solver, p, 1e-13);
    EXPECT_LT((f - expected).norm(), 1e-11) << solver->name();
    EXPECT_NEAR((p.W.dense * f + p.delta_free)[1], 1.25, 1e-11);
  }
}

TEST(GaussSeidel, a_block_on_an_incline_slides_exactly_when_the_slope_exceeds_the_friction_angle) {
  for (double slope : {0.1, 0.4, 0.5, 0.8}) {  // atan(0.5) = 0.4636
    BlockOnPlane block;
    block.slope = slope;
    const Problem p = block.problem();
    const double weight = block.mass * block.gravity;
    const bool slides = std::tan(slope) > block.mu;
    const double friction = slides ? block.mu * weight * std::cos(slope) : weight * std::sin(slope);
    const double travel = block.h * block.h / block.mass * (weight * std::sin(slope) - friction);
    for (auto& solver : frictional_solvers()) {
      const VecX f = solved(*solver, p, 1e-10);
      const VecX delta = p.W.dense * f + p.delta_free;
      double normal = 0, tangential = 0;
      for (int i = 0; i < 4; ++i) {
        normal += f[3 * i];
        tangential -= f[3 * i + 1];
        EXPECT_NEAR(delta[3 * i + 1], travel, 1e-8 * block.h * block.h * block.gravity) << solver->name();
      }
      EXPECT_NEAR(normal, weight * std::cos(slope), 1e-7 * weight) << solver->name();
      EXPECT_NEAR(tangential, friction, 1e-7 * weight) << solver->name();
    }
  }
}

TEST(GaussSeidel, bilateral_blocks_give_the_direct_linear_solution) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Problem p = random_problem(5, 0.5, seed);
    p.kind.assign(5, ContactKind::bilateral);
    const VecX expected = -testing::solve_symmetric(p.W.dense, p.delta_free);
    for (auto& solver : frictional_solvers())
      for (const Problem& q : {p, as_sparse(p)})
        EXPECT_LT((solved(*solver, q, 1e-12) - expected).norm(), 1e-9 * expected.norm());
  }
}

TEST(GaussSeidel, bilateral_and_unilateral_mixes_reduce_to_linear_systems) {
  int stuck = 0, open = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Problem p = random_problem(4, 1e3, seed);
    p.kind.assign(4, ContactKind::bilateral);
    p.kind[1] = ContactKind::unilateral;
    // Either the one contact is open, and the others form a linear system, or (huge μ) it sticks: all rows
    // are zero.
    const VecX all = -testing::solve_symmetric(p.W.dense, p.delta_free);
    MatX W = p.W.dense;
    VecX q = p.delta_free;
    W.middleRows(3, 3).setZero();
    W.block(3, 3, 3, 3).setIdentity();
    q.segment<3>(3).setZero();
    const VecX others = -testing::solve(W, q);
    const double gap = (p.W.dense * others + p.delta_free)[3];
    if (std::abs(gap) < 0.05 || (gap < 0 && all[3] < 0.01 * all.segment<3>(3).norm()))
      continue;  // near slip: no oracle
    const VecX& expected = gap > 0 ? others : all;
    ++(gap > 0 ? open : stuck);
    auto solver = make_coulomb_nsgs();
    EXPECT_LT((solved(*solver, p, 1e-12) - expected).norm(), 1e-8 * expected.norm()) << seed;
  }
  EXPECT_GT(stuck, 3);
  EXPECT_GT(open, 3);
}

TEST(GaussSeidel, exact_local_steps_solve_a_single_contact_in_one_sweep) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Problem p = random_problem(1, 0.1 * (seed % 10), seed);
    auto solver = make_coulomb_nsgs();
    ASSERT_TRUE(solver->set_problem(p));
    VecX f(3);
    const SolveReport r = solver->solve({.tolerance = 1e-12, .max_sweeps = 1}, f);
    EXPECT_TRUE(r.converged()) << seed;
  }
}

TEST(GaussSeidel, a_warm_start_from_the_answer_needs_no_sweep) {
  const Problem p = random_problem(12, 0.4, 8);
  for (auto& solver : frictional_solvers()) {
    VecX f = solved(*solver, p, 1e-8);
    const SolveReport again = solver->solve({.tolerance = 1e-8, .warm_start = true}, f);
    EXPECT_TRUE(again.converged());
    EXPECT_EQ(again.sweeps, 0);
    f[4] = std::nan("");
    EXPECT_TRUE(solver->solve({.tolerance = 1e-8, .warm_start = true}, f).converged())
        << "a bad first guess is dropped";
  }
}

TEST(GaussSeidel, delta_free_can_be_replaced_without_a_new_problem) {
  const Problem p = random_problem(9, 0.4, 9);
  Problem moved = p;
  moved.delta_free += 0.3 * VecX::Random(27);
  for (auto& solver : frictional_solvers()) {
    solved(*solver, p, 1e-8);
    solver->set_delta_free(moved.delta_free);
    VecX f(27);
    EXPECT_TRUE(solver->solve({.tolerance = 1e-8}, f).converged());
    EXPECT_LE(testing::plain_certificate(moved, f), 1.001e-8);
  }
}

TEST(GaussSeidel, units_do_not_change_the_sweeps) {
  const Problem p = random_problem(10, 0.6, 10, 20);
  for (auto& solver : frictional_solvers()) {
    VecX f(30), g(30);
    ASSERT_TRUE(solver->set_problem(p));
    const SolveReport r = solver->solve({.tolerance = 1e-9}, f);
    for (double compliance : {1e-12, 1e12}) {
      const Problem q = scaled(p, compliance, 1e-3);
      ASSERT_TRUE(solver->set_problem(q));
      const SolveReport s = solver->solve({.tolerance = 1e-9}, g);
      EXPECT_TRUE(s.converged());
      EXPECT_NEAR(s.sweeps, r.sweeps, 1);
      EXPECT_LT((g * compliance / 1e-3 - f).norm(), 1e-7 * f.norm());
    }
  }
}

// A clock that advances by one microsecond per look.

TEST(GaussSeidel, the_budget_is_honoured_and_the_clock_is_read_often_enough) {
  const Problem p = random_problem(60, 0.4, 11, 90, 1e-6);
  for (const Problem& q : {p, as_sparse(p)})
    for (auto& solver : frictional_solvers()) {
      VecX f(180);
      ASSERT_TRUE(solver->set_problem(q));
      for (double budget : {50.0, 400.0}) {
        looks = 0;
        const SolveReport r = solver->solve(
            {.tolerance = 1e-30, .max_sweeps = 1000000, .budget_us = budget, .clock_us = counting_clock}, f);
        EXPECT_EQ(r.status, SolveStatus::budget_spent) << solver->name();
        EXPECT_LE(r.time_us, 1.05 * budget);
        EXPECT_GE(r.time_us, 0.9 * budget) << "time must not be given away either";
        EXPECT_NEAR(r.certificate, testing::plain_certificate(q, f), 1e-9 * (1 + r.certificate));
        // At most 8000 multiply-adds and one column between two looks: about two microseconds of work.
        const double work = 9.0 * 60 * 60 * r.sweeps;
        EXPECT_LE(work / r.time_us, 8000 + 9 * 60);
      }
    }
}

TEST(GaussSeidel, a_budget_is_reported_as_such_even_when_it_is_nothing) {
  const Problem p = random_problem(30, 0.4, 12);
  auto solver = make_coulomb_gs();
  ASSERT_TRUE(solver->set_problem(p));
  VecX f(90);
  const SolveReport r = solver->solve({.tolerance = 1e-12, .budget_us = 0}, f);
  EXPECT_EQ(r.status, SolveStatus::budget_spent);
  EXPECT_TRUE(f.allFinite());
}

TEST(GaussSeidel, cycling_exact_steps_are_noticed_and_left) {
  PALP_NEEDS_STORED_PROBLEMS();
  for (const char* name : {"OneObject-i100000-316.hdf5", "OneObject-i1028-138.hdf5"}) {
    auto p = read_problem((testing::stored_problem_folder() / name).string());
    ASSERT_TRUE(p) << p.error().text();
    auto solver = make_coulomb_nsgs();
    solved(*solver, *p, 1e-8);
  }
}

TEST(GaussSeidel, every_stored_problem_reaches_1e_4_and_the_well_conditioned_ones_1e_8) {
  PALP_NEEDS_STORED_PROBLEMS();
  for (const std::string& file : testing::stored_problems()) {
    auto p = read_problem(file);
    ASSERT_TRUE(p) << p.error().text();
    for (auto& solver : frictional_solvers()) {
      SCOPED_TRACE(file);
      solved(*solver, *p, 1e-4);
      if (file.find("_dyn_") != std::string::npos || file.find("_qs_") != std::string::npos)
        solved(*solver, *p, 1e-8);
    }
  }
}

}  // namespace gauss_seidel_test
}  // namespace palp
