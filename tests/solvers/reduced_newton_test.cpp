// Newton steps on the contacts that carry a force, on problems made from their answer.
#include "palp/solvers/reduced_newton.hpp"

#include <random>

#include "solvers/make_problems.hpp"
#include "solvers/plain.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/solver.hpp"

namespace palp {
namespace reduced_newton_test {

using testing::plain_certificate;
using testing::random_problem;

struct Made {
  Problem problem;
  VecX force;  // the answer
};

/// W at random; contact i sticks (i % 3 = 0), slides (1) or is open (2); δ_free follows from the answer.
Made made_from_answer(int m, double mu, unsigned seed, int rank = -1, double ridge = 0.05) {
  Made made{random_problem(m, mu, seed, rank, ridge), VecX::Zero(3 * m)};
  std::mt19937 random(seed + 1);
  std::uniform_real_distribution<double> uniform(0.2, 1), angle(0, 2 * M_PI);
  VecX delta = VecX::Zero(3 * m);
  for (int i = 0; i < m; ++i) {
    const double a = angle(random);
    const Vec2 e(std::cos(a), std::sin(a));
    if (i % 3 == 2) {
      delta.segment<3>(3 * i) << uniform(random), uniform(random) * e;
      continue;
    }
    const double f_n = uniform(random);
    made.force.segment<3>(3 * i) << f_n, (i % 3 == 0 ? 0.5 : 1) * mu * f_n * e;
    if (i % 3 == 1) delta.segment<2>(3 * i + 1) = -0.1 * uniform(random) * e;
  }
  made.problem.delta_free = delta - made.problem.W.dense * made.force;
  return made;
}

/// The answer with forces changed by `share`, and those that slide turned, in the same states.
VecX near(const Made& made, double share, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  VecX f = made.force;
  for (int i = 0; i < made.problem.contacts(); ++i) {
    if (f[3 * i] == 0) continue;
    const double turn = share * normal(random);
    f.segment<3>(3 * i) *= std::exp(share * normal(random));
    f.segment<2>(3 * i + 1) = Eigen::Rotation2Dd(turn) * f.segment<2>(3 * i + 1);
  }
  return f;
}

struct Steps {
  Steps(const Problem& problem) : p(problem) {
    EXPECT_TRUE(prepared.set(p));
    newton.set(prepared);
  }
  VecX delta(const VecX& f) const { return p.W.dense * f + p.delta_free; }
  const Problem& p;
  Prepared prepared;
  ReducedNewton newton;
};

TEST(ReducedNewton, contacts_that_stick_are_solved_in_one_step) {
  Made made = made_from_answer(12, 0.7, 3);
  for (int i = 0; i < 12; ++i)  // those that slid shall stick
    if (i % 3 == 1) made.force.segment<2>(3 * i + 1) *= 0.3;
  for (int i = 0; i < 12; ++i)
    if (i % 3 == 2) made.force.segment<3>(3 * i) << 1, 0, 0.1;
  made.problem.delta_free = -made.problem.W.dense * made.force;
  Steps steps(made.problem);
  VecX f = near(made, 0.05, 9);
  steps.newton.classify(f);
  ASSERT_TRUE(steps.newton.direction(f, steps.delta(f)));
  steps.newton.advance(f);
  EXPECT_LT((f - made.force).norm(), 1e-7 * made.force.norm());  // the term ε keeps it from being exact
}

TEST(ReducedNewton, with_the_right_states_the_error_is_squared_at_every_step) {
  for (double mu : {0.2, 0.6, 1.5})
    for (unsigned seed : {1u, 2u, 3u}) {
      const Made made = made_from_answer(21, mu, seed);
      ASSERT_LT(plain_certificate(made.problem, made.force), 1e-12);
      Steps steps(made.problem);
      VecX f = near(made, 0.02, seed);
      for (int k = 0; k < 4; ++k) {
        const double before = (f - made.force).norm() / made.force.norm();
        steps.newton.classify(f);
        ASSERT_TRUE(steps.newton.direction(f, steps.delta(f)));
        steps.newton.advance(f);
        EXPECT_LT((f - made.force).norm() / made.force.norm(), 20 * before * before + 1e-8)
            << mu << " " << seed;
      }
      EXPECT_LT(plain_certificate(made.problem, f), 1e-8) << mu << " " << seed;
    }
}

TEST(ReducedNewton, a_cut_step_stays_in_the_cones_and_changes_the_state_of_one_contact) {
  int cuts = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Made made = made_from_answer(15, 0.5, seed);
    Steps steps(made.problem);
    VecX f(45);  // everything sticks, far from the answer
    for (int i = 0; i < 15; ++i) f.segment<3>(3 * i) << 1, 0.1, -0.2;
    const VecX start = f;
    steps.newton.classify(f);
    ASSERT_TRUE(steps.newton.direction(f, steps.delta(f)));
    VecX whole = f;
    steps.newton.advance(whole);
    const bool all = steps.newton.advance_in_cones(f);
    int on_edge = 0;
    for (int i = 0; i < 15; ++i) {
      const double slack = 0.5 * f[3 * i] - f.segment<2>(3 * i + 1).norm();
      EXPECT_GE(slack, -1e-12) << seed;
      on_edge += slack < 1e-9;
    }
    EXPECT_EQ(on_edge, all ? 0 : 1) << seed;
    const VecX way = f - start, direction = whole - start;  // along the step, but for one that opened
    EXPECT_GT(way.dot(direction), 0.9 * way.norm() * direction.norm()) << seed;
    if (all) {
      EXPECT_EQ(f, whole);
    }
    cuts += !all;
  }
  EXPECT_GT(cuts, 40);  // the states were wrong
}

TEST(ReducedNewton, no_contact_no_step_and_bilateral_blocks_have_no_cone) {
  Made made = made_from_answer(12, 0.5, 4);
  made.problem.kind.assign(12, ContactKind::unilateral);
  made.problem.kind[2] = ContactKind::bilateral;
  Steps steps(made.problem);
  VecX f = VecX::Zero(36);
  steps.newton.classify(f);
  ASSERT_TRUE(steps.newton.direction(f, steps.delta(f)));
  EXPECT_TRUE(steps.newton.advance_in_cones(f));
  EXPECT_LT(steps.delta(f).segment<3>(6).norm(), 1e-7 * made.problem.delta_free.norm());
  EXPECT_EQ((f.array() != 0).count(), 3);
  made.problem.kind.clear();
  f.setZero();
  steps.newton.classify(f);
  EXPECT_FALSE(steps.newton.direction(f, steps.delta(f)));
}

// W of 54 rows and rank 30 but for a ridge of 1e-4: sweeps creep, the tail arrives.
TEST(ReducedNewton, badly_conditioned_problems_end_where_sweeps_only_creep) {
  for (unsigned seed : {1u, 2u, 3u, 4u}) {
    const Made made = made_from_answer(18, 0.4, seed, 30, 1e-4);
    const auto solved = [&](const char* name) {
      auto solver = std::move(make_solver(name)).value();
      EXPECT_TRUE(solver->set_problem(made.problem));
      VecX f = VecX::Zero(54);
      const SolveReport report = solver->solve({.tolerance = 1e-8, .max_sweeps = 400}, f);
      if (report.converged()) {
        EXPECT_LT(plain_certificate(made.problem, f), 1.01e-8);
      }
      EXPECT_LE(report.sweeps, 400);
      return report.converged();
    };
    EXPECT_TRUE(solved("coulomb")) << seed;
    EXPECT_FALSE(solved("coulomb_gs")) << seed;
  }
}

}  // namespace reduced_newton_test
}  // namespace palp
