// The certificate: how well a force satisfies the contact laws, whoever computed it. The only judge of
// convergence.
//     û = δ + μ|δ_t| n,   ρ_i = 1/λ_max(W_ii),
//     e = ‖f − Proj_{K_μ}(f − ρ û)‖ / max(‖f‖, ‖ρ min(δ_free,n, 0)‖),   e = 0 when the numerator is 0
// (De Saxcé's bi-potential form, H08 §3.2). A bilateral block adds ρδ to the numerator and ρδ_free to the
// denominator.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "palp/solvers/problem.hpp"

namespace palp {

struct Certificate {
  double value = std::numeric_limits<double>::infinity();
  bool infeasible =
      false;  ///< a contact without any compliance violates its law: no force can help; value = ∞
  bool within(double tolerance) const { return value <= tolerance; }
};

/// Euclidean projection of x = (n, t1, t2) on the Coulomb cone K_μ = {|x_t| ≤ μ x_n}.
Vec3 project_on_cone(const Vec3& x, double mu);

/// ρ = 1/λ_max of the symmetric part of W_ii; 0 when the block is zero.
double contact_rho(const Mat3& W_ii);

/// W_ii, a 3×3 copy.
Mat3 diagonal_block(const Delassus& W, int i);

/// A residual at the level of the rounding of its own evaluation, in squares, counts as zero: otherwise f =
/// 0, which has nothing in the denominator, would be judged by noise.
inline constexpr double certificate_rounding2 =
    16 * std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon();

/// From the sums of squares of the formula above.
inline Certificate certificate_from_sums(double numerator, double force, double violation, bool infeasible) {
  if (infeasible) return {.infeasible = true};
  if (numerator == 0) return {.value = 0};
  const double e = std::sqrt(numerator) / std::sqrt(std::max(force, violation));
  return {.value = std::isnan(e) ? std::numeric_limits<double>::infinity() : e};
}

/// The certificate contact by contact, for a selection of contacts: add each one, then ask for the result.
class CertificateSum {
 public:
  void add(bool bilateral, double mu, double rho, const Vec3& f, const Vec3& delta, const Vec3& delta_free);
  Certificate result() const { return certificate_from_sums(numerator_, force_, violation_, infeasible_); }

 private:
  double numerator_ = 0, force_ = 0, violation_ = 0;  // squares
  bool infeasible_ = false;
};

inline void CertificateSum::add(bool bilateral, double mu, double rho, const Vec3& f, const Vec3& delta,
                                const Vec3& delta_free) {
  // Plain numbers: small vectors would go through memory, which takes longer than the arithmetic.
  const double f_n = f[0], f_1 = f[1], f_2 = f[2], d_n = delta[0], d_1 = delta[1], d_2 = delta[2];
  const double f2 = f_n * f_n + f_1 * f_1 + f_2 * f_2;
  if (bilateral) {
    infeasible_ |= rho == 0 && delta_free != Vec3::Zero();
    numerator_ += rho * rho * (d_n * d_n + d_1 * d_1 + d_2 * d_2);
    violation_ += (rho * delta_free).squaredNorm();
    force_ += f2;
    return;
  }
  const double free_n = delta_free[0];
  infeasible_ |= rho == 0 && free_n < 0;
  const double depth = rho * std::min(free_n, 0.0), d2 = d_1 * d_1 + d_2 * d_2;
  violation_ += depth * depth;
  // Open, as it should be: f − ρû lies in the polar cone and its projection is f = 0. True of most contacts.
  if (f2 == 0 && d_n >= 0 && std::isfinite(d2)) return;
  const double u_n = d_n + mu * std::sqrt(d2);
  // The projection of x = f − ρû, as in project_on_cone.
  const double x_n = f_n - rho * u_n, x_1 = f_1 - rho * d_1, x_2 = f_2 - rho * d_2;
  const double t = std::sqrt(x_1 * x_1 + x_2 * x_2);
  double p_n = 0, p_t = 0;  // normal part; factor of the tangential part
  if (!(mu * t <= -x_n)) {
    p_n = x_n;
    p_t = 1;
    if (!(t <= mu * x_n)) {
      p_n = (x_n + mu * t) / (1 + mu * mu);
      p_t = mu * p_n / t;
    }
  }
  const double r_n = f_n - p_n, r_1 = f_1 - p_t * x_1, r_2 = f_2 - p_t * x_2;
  const double r2 = r_n * r_n + r_1 * r_1 + r_2 * r_2;
  const double magnitude2 = 2 * (f2 + rho * rho * (u_n * u_n + d2));  // (|f| + ρ|û|)², or up to twice that
  if (!(r2 <= certificate_rounding2 * magnitude2)) numerator_ += r2;
  force_ += f2;
}

/// Given δ = W f + δ_free and ρ (m). δ_free is a parameter of its own because solvers replace it. Never
/// allocates.
Certificate certificate(const Problem& problem, ConstVecRef delta_free, ConstVecRef rho, ConstVecRef f,
                        ConstVecRef delta);

/// The same for unilateral contacts in plain arrays, four contacts at a time: μ and ρ of each, of the others
/// three rows, `stride` (3 or 4) from contact to contact.
template <int stride = 3>
Certificate unilateral_certificate(int m, const double* mu, const double* rho, const double* delta_free,
                                   const double* f, const double* delta);

/// Computes ρ and δ itself: the independent judgement of a finished solve. Allocates.
Certificate certificate(const Problem& problem, ConstVecRef f);

}  // namespace palp
