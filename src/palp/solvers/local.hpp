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
#pragma once
#include "palp/math/types.hpp"

namespace palp {

enum class ContactState : unsigned char { separated, stick, slip, infeasible };

/// What a local solve needs of W_ii; computed once per problem. The tangent axes are turned to the principal
/// axes of S, so that s + α keeps every digit of α when S is singular.
struct LocalBlock {
  double W_nn = 0, inverse_nn = 0;
  Mat2 axes = Mat2::Identity();      ///< columns: principal axes of the symmetric part of S
  Vec2 W_nt = Vec2::Zero();          ///< row n, in these axes
  Vec2 W_tn_over_nn = Vec2::Zero();  ///< column n / W_nn, in these axes
  double s_1 = 0, s_2 = 0;  ///< eigenvalues of the symmetric part, s_1 ≥ s_2; what is rounding counts as 0
  double skew = 0;          ///< S_12 = −S_21 in these axes: 0 unless W is asymmetric
  double alpha_0 = 0;       ///< least α: 0, or the rounding level of W_ii when s_2 = 0

  static LocalBlock of(const Mat3& W_ii);
};

struct LocalSolution {
  Vec3 f = Vec3::Zero();
  ContactState state = ContactState::separated;
};

/// Slip is found to `accuracy` of |f_t|; `alpha` > 0 is a first guess of α. Never fails on finite input.
/// `infeasible`: q_n < 0 and the contact has no normal compliance; f = 0 then.
LocalSolution solve_local(const LocalBlock& block, const Vec3& q, double mu, double accuracy = 0,
                          double alpha = 0);

/// W_ii⁻¹, or its pseudo-inverse when the block is rank-deficient: the step of a bilateral block.
Mat3 bilateral_inverse(const Mat3& W_ii);

}  // namespace palp
