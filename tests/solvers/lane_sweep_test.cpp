// Sweeps by lanes against Algorithm 1 written down contact by contact in double.
#include "palp/solvers/lane_sweep.hpp"

#include "solvers/make_problems.hpp"
#include "solvers/plain.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/coulomb.hpp"

namespace palp {
namespace {

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
      VecX f = VecX::Zero(3 * m), expected = f, delta(3 * m), fresh(3 * m);
      lanes.refresh(f);
      double first = 0;
      for (int sweep = 0; sweep < 5; ++sweep) {
        lanes.begin();
        const double moved = lanes.sweep(f, 0, lanes.batches());
        const double plain = plain_sweep(p, expected);
        if (sweep == 0) first = plain;
        EXPECT_NEAR(std::sqrt(moved), std::sqrt(plain), 1e-6 * std::sqrt(first))  // rounding of floats
            << m << " " << mu << " " << sweep;
        EXPECT_LT((f - expected).norm(), 1e-5 * expected.norm()) << m << " " << mu << " " << sweep;
      }
      int closed = 0;
      for (int i = 0; i < m; ++i) closed += expected[3 * i] > 0;
      EXPECT_EQ(lanes.closed(), closed);
      lanes.delta(delta);
      multiply(p, f, fresh);
      EXPECT_LT((delta - fresh).norm(), 1e-5 * fresh.norm());
      lanes.refresh(f);
      lanes.delta(delta);
      EXPECT_LT((delta - fresh).norm(), 1e-13 * fresh.norm());
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
  VecX f = VecX::Zero(270), g = f;
  whole.refresh(f);
  parts.refresh(g);
  for (int sweep = 0; sweep < 4; ++sweep) {
    whole.begin();
    whole.sweep(f, 0, whole.batches());
    parts.begin();
    for (int b = 0; b < parts.batches(); ++b) parts.sweep(g, b, b + 1);
    EXPECT_EQ(f, g);
    EXPECT_EQ(whole.state_changes(), parts.state_changes());
    EXPECT_EQ(whole.closed(), parts.closed());
  }
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

}  // namespace
}  // namespace palp
