#include "palp/solvers/local.hpp"

#include <numbers>
#include <random>

#include "solvers/plain.hpp"
#include "support/dense.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace local_test {

constexpr double pi = std::numbers::pi;

Problem one_contact(const Mat3& W, const Vec3& q, double mu) {
  Problem p;
  p.W.dense = W;
  p.delta_free = q;
  p.mu = VecX::Constant(1, mu);
  return p;
}

/// Random rotation × diag × rotationᵀ with eigenvalues 10^−decades … 1, times a scale.
struct RandomBlocks {
  std::mt19937 random{12345};
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  Mat3 block(double decades) {
    const Mat3 R =
        Quat(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized().toRotationMatrix();
    const Vec3 lambda(1, std::pow(10, -uniform(0, decades)), std::pow(10, -uniform(0, decades)));
    return R * lambda.asDiagonal() * R.transpose();
  }
  Vec3 vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
};

/// Every solution by brute force: separation and stick tested directly, slip by a dense scan over the
/// direction of the friction force and bisection on (δ_t × direction).
std::vector<Vec3> brute_force(const Mat3& W, const Vec3& q, double mu) {
  std::vector<Vec3> found;
  if (q[0] >= 0) found.push_back(Vec3::Zero());
  const Vec3 stick = -testing::solve(W, q);
  if (std::hypot(stick[1], stick[2]) <= mu * stick[0]) found.push_back(stick);
  const auto force = [&](double angle) -> Vec3 {
    const Vec3 ray(1, mu * std::cos(angle), mu * std::sin(angle));
    return -q[0] / W.row(0).dot(ray) * ray;
  };
  const auto turn = [&](double angle) {
    const Vec3 delta = W * force(angle) + q;
    return delta[1] * std::sin(angle) - delta[2] * std::cos(angle);
  };
  const int steps = 2000;
  for (int k = 0; k < steps; ++k) {
    double low = 2 * pi * k / steps, high = 2 * pi * (k + 1) / steps;
    const double sign = turn(low);
    if (sign * turn(high) > 0) continue;
    for (int n = 0; n < 60; ++n) {
      const double middle = (low + high) / 2;
      (sign * turn(middle) > 0 ? low : high) = middle;
    }
    const Vec3 f = force(low), delta = W * f + q;
    const double with_force = delta[1] * std::cos(low) + delta[2] * std::sin(low);
    if (f[0] > 0 && with_force < 0 && std::abs(turn(low)) < 1e-6 * delta.norm()) found.push_back(f);
  }
  return found;
}

TEST(LocalSolve, agrees_with_brute_force_over_the_slip_direction) {
  RandomBlocks make;
  int seen[3] = {0, 0, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    Mat3 W = make.block(2);
    if (trial % 5 == 0)
      W(0, 1) += 0.005, W(1, 2) += 0.005 * W(2, 2);  // stored problems are not quite symmetric
    const Vec3 q = make.vector();
    const double mu = trial % 10 == 0 ? 0 : make.uniform(0, trial % 3 == 0 ? 5 : 1);
    const LocalSolution s = solve_local(LocalBlock::of(W), q, mu);
    ++seen[static_cast<int>(s.state)];
    EXPECT_LT(testing::plain_certificate(one_contact(W, q, mu), s.f), 1e-12) << "trial " << trial;
    double nearest = INFINITY;
    for (const Vec3& f : brute_force(W, q, mu)) nearest = std::min(nearest, (f - s.f).norm());
    EXPECT_LT(nearest, 1e-6 * (1e-3 + s.f.norm()))
        << "trial " << trial << " mu " << mu << " state " << int(s.state);
  }
  for (int count : seen) EXPECT_GT(count, 200) << "separation, stick and slip must all occur";
}

TEST(LocalSolve, never_fails_on_nearly_degenerate_blocks) {
  RandomBlocks make;
  for (int trial = 0; trial < 20000; ++trial) {
    const Mat3 W = std::pow(10, make.uniform(-12, 12)) * make.block(14);
    Vec3 q = std::pow(10, make.uniform(-12, 12)) * make.vector();
    if (trial % 4 == 0) q.tail<2>() *= 1e-9;
    const double mu = trial % 7 == 0 ? std::pow(10, make.uniform(-9, 0)) : make.uniform(0, 5);
    const LocalSolution s = solve_local(LocalBlock::of(W), q, mu);
    ASSERT_TRUE(s.f.allFinite());
    ASSERT_NE(s.state, ContactState::infeasible);
    EXPECT_LT(testing::plain_certificate(one_contact(W, q, mu), s.f), 1e-9)
        << "trial " << trial << " mu " << mu << "\n"
        << W << "\n"
        << q.transpose() << "\n state " << int(s.state) << " f " << s.f.transpose();
  }
}

TEST(LocalSolve, rank_deficient_blocks_that_allow_an_answer_get_one) {
  RandomBlocks make;
  for (int trial = 0; trial < 2000; ++trial) {
    // W = Yᵀ Y of rank 1 or 2 with q in its range: stick is possible at least in the least-squares sense.
    const int rank = 1 + trial % 2;
    MatX Y = MatX::Random(rank, 3);
    const Mat3 W = Y.transpose() * Y;
    const Vec3 q = W * make.vector();
    const double mu = make.uniform(0, 5);
    const LocalSolution s = solve_local(LocalBlock::of(W), q, mu);
    EXPECT_LT(testing::plain_certificate(one_contact(W, q, mu), s.f), 1e-9)
        << "trial " << trial << " mu " << mu << "\n"
        << W << "\n"
        << q.transpose() << "\n state " << int(s.state) << " f " << s.f.transpose();
  }
}

TEST(LocalSolve, isotropic_uncoupled_contact_follows_the_textbook) {
  // W = w I: f_n = −q_n/w; stick when |q_t| ≤ μ|q_n|, else friction opposes the free slip.
  const double w = 0.25, mu = 0.5;
  const LocalBlock B = LocalBlock::of(w * Mat3::Identity());
  EXPECT_LT((solve_local(B, {-2, 0.6, 0.8}, mu).f - Vec3(8, -2.4, -3.2)).norm(), 1e-14);
  EXPECT_EQ(solve_local(B, {-2, 0.6, 0.8}, mu).state, ContactState::stick);
  EXPECT_LT((solve_local(B, {-2, 3, 4}, mu).f - Vec3(8, -2.4, -3.2)).norm(), 1e-14);
  EXPECT_EQ(solve_local(B, {-2, 3, 4}, mu).state, ContactState::slip);
  EXPECT_EQ(solve_local(B, {0.1, 3, 4}, mu).f, Vec3::Zero());
}

TEST(LocalSolve, without_normal_compliance_a_penetration_is_flagged) {
  Mat3 W = Mat3::Zero();
  EXPECT_EQ(solve_local(LocalBlock::of(W), {-1, 0, 0}, 0.5).state, ContactState::infeasible);
  EXPECT_EQ(solve_local(LocalBlock::of(W), {0, 1, 0}, 0.5).state, ContactState::separated);
  W(0, 0) =
      1;  // only the normal gives way: friction cannot change the slip, and takes its full value against it
  const LocalSolution s = solve_local(LocalBlock::of(W), {-1, 3, 4}, 0.5);
  EXPECT_LT((s.f - Vec3(1, -0.3, -0.4)).norm(), 1e-12);
}

TEST(BilateralInverse, is_the_pseudo_inverse_on_rank_deficient_blocks) {
  RandomBlocks make;
  for (int rank = 0; rank <= 3; ++rank) {
    const MatX Y = MatX::Random(rank, 3);
    const Mat3 W = rank == 0 ? Mat3::Zero() : Mat3(Y.transpose() * Y);
    const Mat3 P = bilateral_inverse(W);
    EXPECT_LT((W * P * W - W).norm(), 1e-9);
    EXPECT_LT((P * W * P - P).norm(), 1e-9 * (1 + P.norm()));
  }
}

}  // namespace local_test
}  // namespace palp
