#include "palp/solvers/local.hpp"

#include <cmath>
#include <limits>

namespace palp {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A point of the curve f(α) and the slopes of |f_t|²/2 and f_n.
struct CurvePoint {
  Vec2 f_t;
  double length;  ///< |f_t|
  double f_n;
  double square_slope;  ///< |f_t| d|f_t|/dα
  double f_n_slope;     ///< d f_n/dα
};

CurvePoint curve(const LocalBlock& B, const Vec2& b, double q_n, double alpha) {
  const double s_1 = B.s_1 + alpha, s_2 = B.s_2 + alpha, inverse = 1 / (s_1 * s_2 + B.skew * B.skew);
  const auto solve = [&](const Vec2& r) -> Vec2 {  // (S + αI)⁻¹ r: sums of positive terms only, but for skew
    return {(s_2 * r[0] - B.skew * r[1]) * inverse, (s_1 * r[1] + B.skew * r[0]) * inverse};
  };
  CurvePoint p;
  p.f_t = -solve(b);
  const Vec2 f_t_slope = -solve(p.f_t);
  p.length = p.f_t.norm();
  p.f_n = -(q_n + B.W_nt.dot(p.f_t)) * B.inverse_nn;
  p.square_slope = p.f_t.dot(f_t_slope);
  p.f_n_slope = -B.W_nt.dot(f_t_slope) * B.inverse_nn;
  return p;
}

Vec3 in_contact_axes(const LocalBlock& B, double f_n, const Vec2& f_t) {
  const Vec2 t = B.axes * f_t;
  return {f_n, t[0], t[1]};
}

/// The force in the direction of f_t(α) with δ_n = 0 and |f_t| = μ f_n exactly.
Vec3 slip_force(const LocalBlock& B, const CurvePoint& p, double q_n, double mu) {
  const Vec2 along = p.f_t * (1 / p.length);
  const double W_along = B.W_nn + mu * B.W_nt.dot(along);  // > 0 at a root, since W_along f_n = −q_n > 0
  const double f_n = W_along > 0 ? -q_n / W_along : std::max(0.0, p.f_n);
  return in_contact_axes(B, f_n, mu * f_n * along);
}

}  // namespace

LocalBlock LocalBlock::of(const Mat3& W) {
  LocalBlock B;
  B.W_nn = W(0, 0);
  if (!(B.W_nn > std::numeric_limits<double>::min())) {
    B.W_nn = 0;
    return B;
  }
  B.inverse_nn = 1 / B.W_nn;
  const Vec2 W_tn = W.block<2, 1>(1, 0), W_nt = W.block<1, 2>(0, 1).transpose();
  const Mat2 S = W.block<2, 2>(1, 1) - W_tn * W_nt.transpose() / B.W_nn;
  const double mean = 0.5 * (S(0, 0) + S(1, 1));
  const double difference = 0.5 * (S(0, 0) - S(1, 1)), coupling = 0.5 * (S(0, 1) + S(1, 0));
  const double radius = std::hypot(difference, coupling);
  const double angle = radius > 0 ? 0.5 * std::atan2(coupling, difference) : 0;
  B.axes << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  B.W_nt = B.axes.transpose() * W_nt;
  B.W_tn_over_nn = B.axes.transpose() * W_tn / B.W_nn;
  const double rounding = 8 * eps * W.cwiseAbs().maxCoeff();  // S inherits the rounding of all of W_ii
  const auto above_rounding = [rounding](double x) { return std::abs(x) > rounding ? x : 0; };
  B.s_1 = std::max(0.0, above_rounding(mean + radius));
  B.s_2 = std::max(0.0, above_rounding(mean - radius));
  B.skew = above_rounding(0.5 * (S(0, 1) - S(1, 0)));
  if (B.s_2 == 0) B.alpha_0 = rounding;
  return B;
}

LocalSolution solve_local(const LocalBlock& B, const Vec3& q, double mu, double accuracy, double guess) {
  const double q_n = q[0];
  if (q_n >= 0) return {};
  if (B.W_nn == 0) return {.state = ContactState::infeasible};
  const LocalSolution frictionless{Vec3(-q_n / B.W_nn, 0, 0), ContactState::slip};
  if (mu == 0) return frictionless;

  const Vec2 b = B.axes.transpose() * q.tail<2>() - B.W_tn_over_nn * q_n;
  CurvePoint p = curve(B, b, q_n, B.alpha_0);
  if (p.length <= mu * p.f_n) return {in_contact_axes(B, p.f_n, p.f_t), ContactState::stick};

  // h(low) > 0 > h(high), since |f_t| ≤ |b|/α and f_n ≥ (−q_n − |W_nt||b|/α)/W_nn.
  double low = B.alpha_0;
  double high = B.alpha_0 + 2 * b.norm() * (B.W_nn + mu * B.W_nt.norm()) / (mu * -q_n);
  if (!std::isfinite(high)) return frictionless;
  accuracy = std::max(accuracy, 2 * eps);
  double alpha = low;
  if (guess > low && guess < high) {
    p = curve(B, b, q_n, alpha = guess);
    const double h = p.length - mu * p.f_n;
    (h > 0 ? low : high) = alpha;
  }
  for (int iteration = 0; iteration < 100; ++iteration) {
    // Newton on 1/|f_t| − 1/(μ f_n), which is nearly linear in α (as in trust-region steps), written with one
    // division.
    double next = -1;
    if (p.f_n > 0 && p.length > 0) {
      const double N = mu * p.f_n, L = p.length, N_slope = mu * p.f_n_slope;
      next = alpha - (N - L) * N * L * L / (L * L * L * N_slope - N * N * p.square_slope);
    }
    // Outside the bracket: halve it, by ratio while it spans decades.
    if (!(next > low && next < high))
      next = low > 0 && high > 16 * low ? std::sqrt(low) * std::sqrt(high) : 0.5 * (low + high);
    alpha = next;
    p = curve(B, b, q_n, alpha);
    const double h = p.length - mu * p.f_n;
    if (std::abs(h) <= accuracy * p.length || high - low <= 2 * eps * high) break;
    (h > 0 ? low : high) = alpha;
  }
  if (!(p.length > 0)) return frictionless;
  return {slip_force(B, p, q_n, mu), ContactState::slip};
}

Mat3 bilateral_inverse(const Mat3& W_ii) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(0.5 * (W_ii + W_ii.transpose()));
  const double largest = eigen.eigenvalues()[2];
  if (!(largest > std::numeric_limits<double>::min())) return Mat3::Zero();
  if (eigen.eigenvalues()[0] > 1e-12 * largest) return W_ii.inverse();
  Vec3 inverse = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > 1e-12 * largest) inverse[k] = 1 / eigen.eigenvalues()[k];
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace palp
