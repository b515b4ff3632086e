// One contact alone, solved exactly: given W_ii (3×3), q = δ_i with f_i taken out (the frozen side of D06 eq.
// 25) and μ, find f with δ = W_ii f + q under Signorini's and Coulomb's laws.
//
// With the normal eliminated by δ_n = 0,
//     S = W_tt − W_tn W_nt / W_nn,   b = q_t − W_tn q_n / W_nn,
// and slip written as δ_t = −α f_t, α ≥ 0, every contacting state lies on one curve
//     f_t(α) = −(S + α I)⁻¹ b,   f_n(α) = −(q_n + W_nt f_t(α)) / W_nn.
// α = 0 is stick; otherwise slip is the root of h(α) = |f_t(α)| − μ f_n(α). When stick is outside the cone
// h(0) > 0, and h(∞) = μ q_n / W_nn < 0: a root always exists, and a bracketed Newton iteration cannot miss
// it.
//
// Large μ with strong normal-tangential coupling can allow several states at once. The choice is then:
// separation when q_n ≥ 0, else stick when it is in the cone, else the slip root that the bracket leads to.
//
// All of it in plain numbers and in the header: as a call, moving vectors through memory takes as long as the
// arithmetic.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "palp/math/types.hpp"

namespace palp {

enum class ContactState : unsigned char { separated, stick, slip, infeasible };

/// What a local solve needs of W_ii; computed once per problem. All compliances but W_nn are over W_nn, as is
/// α, and the tangent axes are turned to the principal axes of S, so that s + α keeps every digit of α when S
/// is singular.
struct LocalBlock {
  double W_nn = 0, inverse_nn = 0;
  double cos = 1, sin = 0;    ///< first principal axis of the symmetric part of S
  double nt_1 = 0, nt_2 = 0;  ///< W_nt, in these axes
  double tn_1 = 0, tn_2 = 0;  ///< W_tn
  double s_1 = 0, s_2 = 0;  ///< eigenvalues of the symmetric part, s_1 ≥ s_2; what is rounding counts as 0
  double skew = 0;          ///< S_12 = −S_21 in these axes: 0 unless W is asymmetric
  double alpha_0 = 0;       ///< least α: 0, or the rounding level of W_ii when s_2 = 0

  static LocalBlock of(const Mat3& W_ii);
};

struct LocalSolution {
  Vec3 f = Vec3::Zero();
  ContactState state = ContactState::separated;
  double alpha = 0;  ///< when slipping
};

/// The curve f(α), times det(S + αI): polynomials, so that a point of it costs no division.
struct SlipCurve {
  const LocalBlock& B;
  double b_1, b_2, depth, mu;  ///< depth: −q_n

  SlipCurve(const LocalBlock& block, double q_n, double q_1, double q_2, double friction)
      : B(block),
        b_1(B.cos * q_1 + B.sin * q_2 - B.tn_1 * q_n),
        b_2(B.cos * q_2 - B.sin * q_1 - B.tn_2 * q_n),
        depth(-q_n),
        mu(friction) {}

  struct Point {
    double alpha, det, t_1, t_2;  ///< det(S + αI), f_t
    double normal, limit;         ///< f_n, μ f_n
    double length2, length;       ///< |f_t|
    bool in_cone() const { return length <= limit; }
    bool on_cone(double accuracy) const { return std::abs(length - limit) <= accuracy * length; }
  };
  Point at(double alpha) const {
    const double s_1 = B.s_1 + alpha, s_2 = B.s_2 + alpha;  // sums of positive terms only, but for skew
    Point p;
    p.alpha = alpha;
    p.det = s_1 * s_2 + B.skew * B.skew;
    p.t_1 = B.skew * b_2 - s_2 * b_1;
    p.t_2 = -B.skew * b_1 - s_1 * b_2;
    p.normal = depth * p.det - (B.nt_1 * p.t_1 + B.nt_2 * p.t_2);
    p.limit = mu * p.normal;
    p.length2 = p.t_1 * p.t_1 + p.t_2 * p.t_2;
    p.length = std::sqrt(p.length2);
    return p;
  }
  /// Newton's next α for μ f_n/|f_t| = 1, whose left side is nearly linear in α.
  double newton(const Point& p) const {
    const double length2_slope = -(b_1 * p.t_1 + b_2 * p.t_2);  // half of it
    const double limit_slope = mu * (depth * (B.s_1 + B.s_2 + 2 * p.alpha) + (B.nt_1 * b_1 + B.nt_2 * b_2));
    // The quotient need not wait for the root in |f_t|.
    return p.alpha + (p.length - p.limit) * (p.length2 / (limit_slope * p.length2 - p.limit * length2_slope));
  }
  /// α beyond which h < 0, since |f_t| ≤ |b|/α and f_n ≥ (−q_n − |W_nt||b|/α)/W_nn.
  double largest() const {
    return B.alpha_0 + 2 * (std::abs(b_1) + std::abs(b_2)) *
                           (1 + mu * (std::abs(B.nt_1) + std::abs(B.nt_2))) / (mu * depth);
  }
  Vec3 stick(const Point& p) const {
    const double scale = B.inverse_nn / p.det;
    return in_contact_axes(p.normal * scale, p.t_1 * scale, p.t_2 * scale);
  }
  /// The force in the direction of f_t(α) with δ_n = 0 and |f_t| = μ f_n exactly.
  Vec3 slip(const Point& p) const {
    // (W_nn + μ W_nt f_t/|f_t|) f_n = −q_n: the bracket is > 0 at a root, since −q_n is.
    const double bracket = p.length + mu * (B.nt_1 * p.t_1 + B.nt_2 * p.t_2);
    const double scale =
        B.inverse_nn * (bracket > 0 ? depth / bracket : std::max(0.0, p.normal) / (p.det * p.length));
    return in_contact_axes(scale * p.length, mu * scale * p.t_1, mu * scale * p.t_2);
  }
  Vec3 in_contact_axes(double f_n, double t_1, double t_2) const {
    return {f_n, B.cos * t_1 - B.sin * t_2, B.sin * t_1 + B.cos * t_2};
  }
};

/// Slip is found to `accuracy` of |f_t|; `alpha` > 0 is a first guess. Never fails on finite input.
/// `infeasible`: q_n < 0 and the contact has no normal compliance; f = 0 then.
inline LocalSolution solve_local(const LocalBlock& B, const Vec3& q, double mu, double accuracy = 0,
                                 double alpha = 0) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  if (q[0] >= 0) return {};
  if (B.W_nn == 0) return {.state = ContactState::infeasible};
  const auto frictionless = [&] {
    return LocalSolution{Vec3(-q[0] * B.inverse_nn, 0, 0), ContactState::slip};
  };
  if (mu == 0) return frictionless();
  const SlipCurve curve(B, q[0], q[1], q[2], mu);
  SlipCurve::Point p = curve.at(B.alpha_0);
  if (p.in_cone()) return {curve.stick(p), ContactState::stick};

  double low = B.alpha_0, high = curve.largest();  // h(low) > 0 > h(high)
  if (!std::isfinite(high)) return frictionless();
  accuracy = std::max(accuracy, 2 * eps);
  if (alpha > low && alpha < high) p = curve.at(alpha);
  for (int k = 0; k < 100 && !p.on_cone(accuracy) && high - low > 2 * eps * high; ++k) {
    (p.in_cone() ? high : low) = p.alpha;
    alpha = curve.newton(p);
    // Outside the bracket: halve it, by ratio while it spans decades.
    if (!(alpha > low && alpha < high))
      alpha = low > 0 && high > 16 * low ? std::sqrt(low) * std::sqrt(high) : 0.5 * (low + high);
    p = curve.at(alpha);
  }
  if (!(p.length > 0)) return frictionless();
  return {curve.slip(p), ContactState::slip, p.alpha};
}

/// W_ii⁻¹, or its pseudo-inverse when the block is rank-deficient: the step of a bilateral block.
Mat3 bilateral_inverse(const Mat3& W_ii);

}  // namespace palp
