// Laws that every body model obeys, whatever it is made of. Each check compares with an independent answer:
// finite differences of the positions, or the dense inverse of the system matrix.
#pragma once
#include <limits>
#include <random>

#include "support/dense.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/body.hpp"

namespace palp::checks {

inline MatX dense_jacobian(const PointJacobian& H, int dof) {
  MatX D = MatX::Zero(3 * H.points(), dof);
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) D.block<3, 3>(3 * i, 3 * H.column[k]) += H.block[k];
  return D;
}

/// `points` random convex combinations of three skin vertices, the last one a repetition of the first.
inline PointJacobian random_points(const Body& body, const BodyState& state, int points, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_int_distribution<int> vertex(0, body.skin().vertices - 1);
  std::uniform_real_distribution<double> weight(0.1, 1);
  PointJacobian H;
  for (int i = 0; i < points; ++i) {
    if (i + 1 == points) rng.seed(seed);
    const double a = weight(rng), b = weight(rng), c = weight(rng);
    for (double w : {a, b, c}) body.append_vertex(state, vertex(rng), w / (a + b + c), H);
    H.end_point();
  }
  return H;
}

/// append_vertex is the derivative of skin_positions at the state (central differences).
inline void expect_jacobian_is_derivative_of_positions(const Body& body, const BodyState& state,
                                                       double scale = 1) {
  const int n = body.skin().vertices;
  PointJacobian H;
  for (int v = 0; v < n; ++v) {
    body.append_vertex(state, v, 1, H);
    H.end_point();
  }
  const MatX J = dense_jacobian(H, body.dof());
  const double eps = 1e-6 * scale;
  std::vector<Vec3> plus(n), minus(n);
  double worst = 0;
  for (int d = 0; d < body.dof(); ++d) {
    VecX dx = VecX::Zero(body.dof());
    dx[d] = eps;
    body.skin_positions(state, dx, plus);
    dx[d] = -eps;
    body.skin_positions(state, dx, minus);
    for (int v = 0; v < n; ++v)
      worst = std::max(worst, ((plus[v] - minus[v]) / (2 * eps) - J.block<3, 1>(3 * v, d)).norm());
  }
  EXPECT_LT(worst, 1e-8);
  // An empty increment and a zero increment are the same place.
  body.skin_positions(state, VecX(), plus);
  body.skin_positions(state, VecX::Zero(body.dof()), minus);
  for (int v = 0; v < n; ++v) EXPECT_LT((plus[v] - minus[v]).norm(), 1e-15);
}

/// W = H A⁻¹ Hᵀ against the dense inverse, symmetric, positive semi-definite; response and free motion
/// likewise. `A_inverse`: dof() square, the independent answer.
inline void expect_compliance_is(const MatX& A_inverse, const Body& body, const BodyState& state,
                                 const Loads& loads, double h, double tolerance = 1e-10) {
  auto ws = body.make_workspace();
  ASSERT_TRUE(body.free_motion(state, loads, h, *ws));
  const PointJacobian H = random_points(body, state, 13, 7);
  const MatX J = dense_jacobian(H, body.dof());
  const MatX expected = J * A_inverse * J.transpose();

  MatX W = MatX::Constant(expected.rows(), expected.cols(), 0.25);  // G +=, not G =
  body.project_compliance(H, *ws, W);
  W.array() -= 0.25;
  const double size = expected.norm();
  EXPECT_LT((W - expected).norm(), tolerance * size + 1e-16 * W.rows());
  EXPECT_LT((W - W.transpose()).norm(), 1e-14 * size + 1e-16 * W.rows());
  EXPECT_GT(testing::eigenvalues(W).minCoeff(), -1e-11 * size - 1e-15);

  std::mt19937 rng(3);
  std::normal_distribution<double> normal;
  VecX lambda(J.rows()), dx(body.dof());
  for (double& value : lambda) value = normal(rng);
  body.response(H, lambda, *ws, dx);
  const VecX expected_dx = A_inverse * J.transpose() * lambda;
  EXPECT_LT((dx - expected_dx).norm(), tolerance * expected_dx.norm() + 1e-18);
}

inline void expect_compliance_is_dense_inverse(const Body& body, const BodyState& state, const Loads& loads,
                                               double h, double tolerance = 1e-10) {
  expect_compliance_is(testing::inverse(body.dense_system(state, loads, h)), body, state, loads, h,
                       tolerance);
}

/// A state that is not a number is refused, entry by entry.
inline void expect_nan_is_refused(const Body& body, const BodyState& state) {
  auto ws = body.make_workspace();
  for (double poison : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < state.x.size(); i += 3) {
      BodyState bad = state;
      bad.x[i] = poison;
      EXPECT_FALSE(body.free_motion(bad, {}, 1e-3, *ws));
    }
    BodyState bad = state;
    bad.v[0] = poison;
    EXPECT_FALSE(body.free_motion(bad, {}, 1e-3, *ws));
  }
  EXPECT_FALSE(body.free_motion(state, {}, 0, *ws));
}

/// One step without contact.
inline void step(const Body& body, const Loads& loads, double h, BodyWorkspace& ws, BodyState& state) {
  ASSERT_TRUE(body.free_motion(state, loads, h, ws));
  body.commit(ws, VecX::Zero(body.dof()), state);
}

}  // namespace palp::checks
