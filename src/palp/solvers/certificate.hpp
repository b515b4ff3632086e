// The certificate: how well a force satisfies the contact laws, whoever computed it. The only judge of
// convergence.
//     û = δ + μ|δ_t| n,   ρ_i = 1/λ_max(W_ii),
//     e = ‖f − Proj_{K_μ}(f − ρ û)‖ / max(‖f‖, ‖ρ min(δ_free,n, 0)‖),   e = 0 when the numerator is 0
// (De Saxcé's bi-potential form, H08 §3.2). A bilateral block adds ρδ to the numerator and ρδ_free to the
// denominator.
#pragma once
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

/// The certificate contact by contact, for a selection of contacts: add each one, then ask for the result.
class CertificateSum {
 public:
  void add(bool bilateral, double mu, double rho, const Vec3& f, const Vec3& delta, const Vec3& delta_free);
  Certificate result() const;

 private:
  double numerator_ = 0, force_ = 0, violation_ = 0;  // squares
  bool infeasible_ = false;
};

/// Given δ = W f + δ_free and ρ (m). δ_free is a parameter of its own because solvers replace it. Never
/// allocates.
Certificate certificate(const Problem& problem, ConstVecRef delta_free, ConstVecRef rho, ConstVecRef f,
                        ConstVecRef delta);

/// The same for unilateral contacts in plain arrays (μ and ρ: m, the others 3m), four contacts at a time.
Certificate unilateral_certificate(int m, const double* mu, const double* rho, const double* delta_free,
                                   const double* f, const double* delta);

/// Computes ρ and δ itself: the independent judgement of a finished solve. Allocates.
Certificate certificate(const Problem& problem, ConstVecRef f);

}  // namespace palp
