// The gyroscopic term of a spinning body, taken implicitly (b(q, q̇) = ω × Jω in D06 eq. 28).
#pragma once
#include <algorithm>
#include <cmath>

#include "palp/math/rotation.hpp"
#include "palp/math/types.hpp"

namespace palp {

/// ω, or as much of it as has no more than this energy (doubled) with the inertia J.
inline Vec3 spin_within(double twice_energy, const Mat3& J, const Vec3& omega) {
  const double reached = omega.dot(J * omega);
  return reached > twice_energy ? Vec3(omega * std::sqrt(twice_energy / reached)) : omega;
}

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
  return spin_within(energy, J, w);
}

/// Rotation vector and angular velocity after a time without torque.
struct TorqueFreeMotion {
  Vec3 turn = Vec3::Zero();
  Vec3 omega = Vec3::Zero();
};

/// The mid-point rule on Euler's equations in body axes, L' = L × J⁻¹L, in steps of at most a quarter of a
/// radian:
///     L₁ − L₀ = τ L̄ × ω̄,   L̄ = (L₀ + L₁)/2,   ω̄ = J⁻¹L̄.
/// It keeps |L|² and L·J⁻¹L, both quadratic, whatever τ; and since L₁ = cay(τω̄)ᵀ L₀, the rotation by cay(τω̄)
/// keeps L in the world: a free top loses neither its angular momentum nor its energy. τ = 2 tan(h|ω̄|/2)/|ω̄|
/// instead of h makes its angle h|ω̄|, so that a steady rotation is exact.
inline TorqueFreeMotion torque_free_motion(const Mat3& J, const Vec3& omega, double h) {
  constexpr double longest_turn = 0.25;
  constexpr int most_steps = 64;
  const Mat3 J_inverse = J.inverse();
  const int steps =
      static_cast<int>(std::clamp(std::ceil(h * omega.norm() / longest_turn), 1.0, double(most_steps)));
  const double dt = h / steps;
  Vec3 L = J * omega;  // in body axes, which are the world's at the start
  Quat turn = Quat::Identity();
  for (int step = 0; step < steps; ++step) {
    const Vec3 start = L;
    Vec3 half = Vec3::Zero();  // τω̄/2
    for (int iteration = 0; iteration < 30; ++iteration) {
      const Vec3 mean = 0.5 * (start + L), w = J_inverse * mean;
      const double speed = w.norm(),
                   tau = speed > 0 ? 2 * std::tan(std::min(0.5 * dt * speed, 1.0)) / speed : dt;
      half = 0.5 * tau * w;
      const Vec3 residual = L - start - tau * mean.cross(w);
      if (residual.norm() <= 1e-15 * start.norm()) break;
      const Mat3 tangent = Mat3::Identity() - 0.5 * tau * (cross_matrix(mean) * J_inverse - cross_matrix(w));
      L -= tangent.inverse() * residual;
    }
    turn = (turn * Quat(1, half.x(), half.y(), half.z())).normalized();
  }
  return {vector_from_rotation(turn), turn * Vec3(J_inverse * L)};
}

}  // namespace palp
