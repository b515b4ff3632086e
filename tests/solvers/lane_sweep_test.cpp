// Sweeps by lanes against Algorithm 1 written down contact by contact in double.
#include "palp/solvers/lane_sweep.hpp"

#include <random>

#include "solvers/make_problems.hpp"
#include "solvers/plain.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/coulomb.hpp"

namespace palp {
namespace lane_sweep_test {

using testing::pile;

/// One sweep of D06 Algorithm 1 in the order of the contacts. Returns Σ |Δf_i|²/ρ_i.
double plain_sweep(const Problem& p, VecX& f) {
  double moved = 0;
  VecX delta(f.size());
  for (int i = 0; i < p.contacts(); ++i) {
    multiply(p, f, delta);
    const Mat3 W = diagonal_block(p.W, i);
    const Vec3 old = f.segment<3>(3 * i);
    Vec3 next = Vec3::Zero();
    if (const double n = old[0] - delta[3 * i] / W(0, 0); n > 0) {
      next[0] = n;
      next.tail<2>() = old.tail<2>() - delta.segment<2>(3 * i + 1) / (0.5 * (W(1, 1) + W(2, 2)));
      const double length = next.tail<2>().norm();
      if (length > p.mu[i] * n) next.tail<2>() *= p.mu[i] * n / length;
    }
    f.segment<3>(3 * i) = next;
    moved += (next - old).squaredNorm() / contact_rho(W);
  }
  return moved;
}

TEST(LaneSweep, eight_contacts_at_a_time_do_what_one_after_the_other_does) {
  for (int m : {37, 61, 120}) {
    for (double mu : {0.0, 0.4, 2.0}) {
      const Problem p = pile(m, 2 * m, mu, 7 + m);
      Prepared prepared;
      ASSERT_TRUE(prepared.set(p));
      LaneSweep lanes;
      ASSERT_TRUE(lanes.set(prepared)) << m;
      VecX f = VecX::Zero(3 * m), expected = f, fresh(3 * m);
      lanes.refresh(f);
      double first = 0;
      for (int sweep = 0; sweep < 5; ++sweep) {
        lanes.begin();
        const double moved = lanes.sweep(0, lanes.batches());
        lanes.store(f);
        const double plain = plain_sweep(p, expected);
        if (sweep == 0) first = plain;
        EXPECT_NEAR(std::sqrt(moved), std::sqrt(plain), 1e-6 * std::sqrt(first))  // rounding of floats
            << m << " " << mu << " " << sweep;
        EXPECT_LT((f - expected).norm(), 1e-5 * expected.norm()) << m << " " << mu << " " << sweep;
      }
      int closed = 0;
      for (int i = 0; i < m; ++i) closed += expected[3 * i] > 0;
      EXPECT_EQ(lanes.closed(), closed);
      // The certificate from δ in single precision, and from δ afresh.
      const double exact = testing::plain_certificate(p, f);
      EXPECT_NEAR(lanes.judge().value, exact, 1e-5 * exact + 1e-6) << m << " " << mu;
      lanes.refresh(f);
      EXPECT_NEAR(lanes.judge().value, exact, 1e-9 * exact + 1e-13) << m << " " << mu;
      multiply(p, f, fresh);
      EXPECT_LT((lanes.base() - fresh).norm(), 1e-13 * fresh.norm());
    }
  }
}

TEST(LaneSweep, a_sweep_in_parts_is_a_sweep) {
  const Problem p = pile(90, 60, 0.5, 3);
  Prepared prepared;
  ASSERT_TRUE(prepared.set(p));
  LaneSweep whole, parts;
  ASSERT_TRUE(whole.set(prepared));
  ASSERT_TRUE(parts.set(prepared));
  const VecX zero = VecX::Zero(270);
  whole.refresh(zero);
  parts.refresh(zero);
  for (int sweep = 0; sweep < 4; ++sweep) {
    whole.begin();
    whole.sweep(0, whole.batches());
    parts.begin();
    for (int b = 0; b < parts.batches(); ++b) parts.sweep(b, b + 1);
    EXPECT_EQ(whole.force(), parts.force());
    EXPECT_EQ(whole.closed(), parts.closed());
  }
}

TEST(LaneSweep, forces_changed_from_outside_are_pulled_into_their_cones) {
  const int m = 75;
  const Problem p = pile(m, 60, 0.5, 11);
  Prepared prepared;
  ASSERT_TRUE(prepared.set(p));
  LaneSweep lanes;
  ASSERT_TRUE(lanes.set(prepared));
  VecX f = VecX::Zero(3 * m);
  lanes.refresh(f);
  lanes.begin();
  lanes.sweep(0, lanes.batches());
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (double& x : lanes.force()) x += 0.3 * normal(random) * (x != 0);
  lanes.changed();
  lanes.store(f);
  int sliding = 0, sticking = 0;
  for (int i = 0; i < m; ++i) {
    const double n = f[3 * i], t = f.segment<2>(3 * i + 1).norm();
    EXPECT_GE(n, 0);
    EXPECT_LE(t, p.mu[i] * n * (1 + 1e-15));
    (t > 0 && t >= 0.999999 * p.mu[i] * n ? sliding : sticking) += n > 0;
  }
  EXPECT_GT(sliding, 0);
  EXPECT_GT(sticking, 0);
  // δ follows: the next sweep does what Algorithm 1 does from there.
  lanes.begin();
  lanes.sweep(0, lanes.batches());
  VecX next(3 * m);
  lanes.store(next);
  plain_sweep(p, f);
  EXPECT_LT((next - f).norm(), 1e-5 * f.norm());
}

TEST(LaneSweep, declines_what_it_cannot_do_at_once) {
  Prepared prepared;
  LaneSweep lanes;
  const Problem dense = testing::random_problem(20, 0.5, 1), coupled = testing::as_sparse(dense);
  ASSERT_TRUE(prepared.set(dense));
  EXPECT_FALSE(lanes.set(prepared));
  ASSERT_TRUE(prepared.set(coupled));  // every contact touches every other
  EXPECT_FALSE(lanes.set(prepared));
  Problem bilateral = pile(40, 40, 0.5, 1);
  bilateral.kind.assign(40, ContactKind::unilateral);
  bilateral.kind[3] = ContactKind::bilateral;
  ASSERT_TRUE(prepared.set(bilateral));
  EXPECT_FALSE(lanes.set(prepared));
}

TEST(LaneSweep, piles_are_solved_to_ten_digits_whatever_their_units) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Problem p = pile(60 + 5 * static_cast<int>(seed), 50, 0.3, seed);
    for (double compliance : {1.0, 1e-12, 1e12}) {
      const Problem q = scaled(p, compliance, 1);
      auto solver = make_coulomb();
      ASSERT_TRUE(solver->set_problem(q));
      VecX f(3 * q.contacts());
      EXPECT_TRUE(solver->solve({.tolerance = 1e-10}, f).converged()) << seed << " " << compliance;
      EXPECT_LE(testing::plain_certificate(q, f), 1.00001e-10) << seed << " " << compliance;
    }
  }
}

}  // namespace lane_sweep_test
}  // namespace palp
