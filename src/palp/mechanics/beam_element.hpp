// One corotational beam between two 6-DoF nodes (P11 §III.B): small strain in a local frame, any rotation of
// it.
//
// P11 hangs the local frame on one of the two nodes; here it is the mean of both, so that the element does
// not care which end comes first. With element axes carried by the nodes, R1 = R(q1)Q1 and R2 = R(q2)Q2
// (equal at rest):
//     θ = log(R1ᵀ R2),    R_m = R1 exp(θ/2),    Δ = p2 − p1,   l = |Δ|,   u = R_mᵀ Δ.
// In the mean frame the Euler-Bernoulli element is diagonal (bending splits into an even mode θ and an odd
// mode u/L):
//     U = ½ [ EA/L (l − L)² + 12EI_z/L³ u_y² + 12EI_y/L³ u_z² + GJ/L θ_x² + EI_y/L θ_y² + EI_z/L θ_z² ].
// For small deformation this is the classical 12×12 beam, exact at its nodes. The axial strain is the
// chord's, so that a taut thread gains nothing by turning its nodes. Shear flexibility divides the two odd
// terms by 1 + 12EI/(κGA L²).
//
// Variations (ω_i: world rotation increments of the nodes, Θ = R_m θ):
//     ω_m = ½(ω1 + ω2) − ½T Θ×(ω2 − ω1),  T = tan(|θ|/4)/|θ|;
//     δθ = D R_mᵀ(ω2 − ω1),  D = β I + (1 − β) aaᵀ,  a = θ/|θ|,  β = (|θ|/2)/sin(|θ|/2).
// Valid while an element twists and bends by less than π, and its chord stays within a right angle of its
// mean frame.
#pragma once
#include "palp/math/types.hpp"

namespace palp {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

struct BeamElement {
  double L = 0;                ///< rest length, m
  Vec6 k = Vec6::Zero();       ///< the six stiffnesses of U, in the order l, u_y, u_z, θ_x, θ_y, θ_z
  Quat Q1 = Quat::Identity();  ///< element axes in node 1's axes
  Quat Q2 = Quat::Identity();  ///< element axes in node 2's axes
};

/// Where the element is: everything that energy, force and tangent share.
struct BeamPose {
  Vec3 delta;    ///< Δ
  double l = 0;  ///< |Δ|; 0 leaves the chord's direction undefined
  Vec3 t;        ///< Δ/l
  Mat3 Rm;       ///< mean frame
  Vec6 e;        ///< l − L, u_y, u_z, θ
};

BeamPose beam_pose(const BeamElement& element, const Vec3& p1, const Quat& q1, const Vec3& p2,
                   const Quat& q2);

double beam_energy(const BeamElement& element, const BeamPose& pose);

/// B = ∂e/∂(Δp1, ω1, Δp2, ω2).
Eigen::Matrix<double, 6, 12> beam_strain_rows(const BeamPose& pose);

/// Bᵀ diag(k) B (material part, positive semi-definite for every pose) and Bᵀ diag(k) e (internal force, the
/// exact gradient of U).
void beam_material(const BeamElement& element, const BeamPose& pose, Mat12& K, Vec12& f);

/// What tension adds: N/l (I − ttᵀ) between the two translations, N = EA/L (l − L) > 0; zero in compression.
/// The rest of the geometric stiffness (compression, shear, moments) is left out: it is what could make A
/// indefinite.
Mat3 beam_tension_stiffness(const BeamElement& element, const BeamPose& pose);

}  // namespace palp
