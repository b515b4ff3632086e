// The gyroscopic term of a spinning body, taken implicitly (b(q, q̇) = ω × Jω in D06 eq. 28).
#pragma once
#include "palp/math/rotation.hpp"
#include "palp/math/types.hpp"

namespace palp {

/// The angular velocity ω⁺ after a step h without torque, from ω and the inertia J (both in world axes, at
/// the start): the rotation over the step is exp(hω⁺), so that the inertia at its end is E J Eᵀ with E =
/// exp(hω⁺), and keeping the angular momentum L = Jω exactly asks for E J Eᵀ ω⁺ = L, i.e.
///     J ω⁺ = exp(−hω⁺) L.
/// Newton from ω. With many radians per step the equation has several solutions, or Newton none: the result
/// is then scaled down to the kinetic energy at the start, so that the energy never grows, whatever h.
inline Vec3 torque_free_spin(const Mat3& J, const Vec3& omega, double h) {
  const Vec3 L = J * omega;
  const double scale = L.norm(), energy = omega.dot(L);
  if (!(scale > 0)) return omega;
  Vec3 w = omega;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const Vec3 turned = rotation_from_vector(-h * w) * L;
    const Vec3 residual = J * w - turned;
    if (residual.norm() <= 1e-14 * scale) break;
    w -= (J - h * cross_matrix(turned)).inverse() * residual;
  }
  const double reached = w.dot(J * w);
  return reached > energy ? Vec3(w * std::sqrt(energy / reached)) : w;
}

}  // namespace palp
