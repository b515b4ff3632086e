// The 6×6 system of a rigid frame over one step (D06 eq. 28), shared by the rigid body and the global
// corotational one:
//     A(q) q̈ + b(q, q̇) = Γ   →   (A/h² + αA/h + couplings) Δq = Γ + (A/h) q̇,     A = diag(m I, R J Rᵀ),
// where b = ω × Jω is taken implicitly by replacing ω on the right with the torque-free ω⁺ (spin.hpp): A
// stays symmetric and a free body keeps its angular momentum exactly.
//
// Mid-point rule: with the motion without forces Δq° and the velocity q̇° it ends with (a straight line;
// spin.hpp),
//     (2A/h² + αA/h + couplings) Δq = Γ + (2A/h²) Δq°,       q̇ = q̇° + 2 (Δq − Δq°)/h.
#pragma once
#include <algorithm>
#include <array>

#include "palp/math/dense.hpp"
#include "palp/mechanics/body.hpp"
#include "palp/mechanics/spin.hpp"

namespace palp {

struct FrameSystem {
  Mat6 A = Mat6::Zero();
  Mat6 inverse = Mat6::Zero();
  Vec6 rhs = Vec6::Zero();
  Mat3 inertia_start = Mat3::Zero();                         ///< of the rotation, world axes
  Vec6 drift = Vec6::Zero(), drift_velocity = Vec6::Zero();  ///< mid-point rule: Δq°, q̇°

  /// Everything but external forces. v: velocity of the centre and angular velocity, world axes.
  /// Quasi-static: only the drag αA/h is left, so that α or a coupling must hold the frame.
  void begin(double mass, const Mat3& inertia_world, double rayleigh_mass_per_s, const Vec6& v, double h,
             bool quasi_static = false, Scheme scheme = Scheme::euler) {
    Mat6 M = Mat6::Zero();
    M.diagonal().head<3>().setConstant(mass);
    M.bottomRightCorner<3, 3>() = inertia_start = inertia_world;
    const double inertia = quasi_static ? 0 : (scheme == Scheme::midpoint ? 2 : 1) / (h * h);
    A = (inertia + rayleigh_mass_per_s / h) * M;
    rhs.setZero();
    if (quasi_static) return;
    if (scheme == Scheme::midpoint) {
      const TorqueFreeMotion free = torque_free_motion(inertia_world, v.tail<3>(), h);
      drift << h * v.head<3>(), free.turn;
      drift_velocity << v.head<3>(), free.omega;
      rhs = inertia * (M * drift);
      return;
    }
    Vec6 turned = v;
    turned.tail<3>() = torque_free_spin(inertia_world, v.tail<3>(), h);
    rhs = M * turned / h;
  }
  /// A coupling on block 0 (force or wrench) or block 1 (torque). False for any other block.
  bool add(const BlockLoad& load) {
    if (load.has_rotation && load.block == 0) {
      A += load.stiffness;
      rhs += load.force;
    } else if (!load.has_rotation && (load.block == 0 || load.block == 1)) {
      A.block<3, 3>(3 * load.block, 3 * load.block) += load.stiffness.topLeftCorner<3, 3>();
      rhs.segment<3>(3 * load.block) += load.force.head<3>();
    } else {
      return false;
    }
    return true;
  }
  /// The velocity after a step Δq, dq = h times the mean velocity. It was found with the inertia of the
  /// start; turned as the body is at the end, by two rotations that do not commute, the same spin may be more
  /// energy, which nobody has given.
  Vec6 velocity(const BodyWorkspace& ws, const Vec6& dq, const Mat3& inertia_end) const {
    if (ws.reflects()) return drift_velocity + 2 / ws.h * (dq - drift);
    Vec6 v = dq / ws.h;
    const Vec3 omega = v.tail<3>();
    v.tail<3>() = spin_within(omega.dot(inertia_start * omega), inertia_end, omega);
    return v;
  }
  bool factor() { return positive_inverse(A, inverse) && rhs.allFinite(); }
};

/// Point i of H as a function of the frame's six increments; entries on other blocks are left out.
inline Eigen::Matrix<double, 3, 6> frame_rows(const PointJacobian& H, int i) {
  Eigen::Matrix<double, 3, 6> J = Eigen::Matrix<double, 3, 6>::Zero();
  for (int k = H.start[i]; k < H.start[i + 1]; ++k)
    if (H.column[k] < 2) J.middleCols<3>(3 * H.column[k]) += H.block[k];
  return J;
}

/// G += J_c A⁻¹ J_cᵀ (D06 eq. 29-30). In tiles, so that the rows of J_c are gathered seldom and need no
/// memory but the stack's.
inline void project_frame(const PointJacobian& H, const Mat6& inverse, MatRef G) {
  constexpr int tile = 16;
  std::array<Eigen::Matrix<double, 3, 6>, tile> J;
  for (int first = 0; first < H.points(); first += tile) {
    const int last = std::min(first + tile, H.points());
    for (int p = first; p < last; ++p) J[p - first] = frame_rows(H, p);
    for (int q = first; q < H.points(); ++q) {
      const Eigen::Matrix<double, 6, 3> Y = inverse * frame_rows(H, q).transpose();
      for (int p = first; p < std::min(q, last); ++p) {
        const Mat3 W = J[p - first] * Y;
        G.block<3, 3>(3 * p, 3 * q) += W;
        G.block<3, 3>(3 * q, 3 * p) += W.transpose();
      }
      if (q >= last) continue;
      const Mat3 W = J[q - first] * Y;
      G.block<3, 3>(3 * q, 3 * q) += 0.5 * (W + W.transpose());
    }
  }
}

}  // namespace palp
