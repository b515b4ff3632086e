// The trilinear hexahedron with 2×2×2 Gauss points (K16 §4): stiffness, mass, and its split into a mean part
// and an hourglass part, on which the corotational form is built.
//
// With ḡ_a = (1/V)∫∇N_a dV the stiffness is K_e = K_mean + K_hg, where K_mean = stiffness of the mean strain
// (the formula of a tetrahedron with gradients ḡ_a) and K_hg ≥ 0 is what the deviation from the mean strain
// costs. K_hg vanishes on every linear displacement field.
#pragma once
#include <array>

#include "palp/mechanics/material.hpp"

namespace palp {

using HexNodes = Eigen::Matrix<double, 3, 8>;  ///< column a: node a, VTK order
using HexStiffness = Eigen::Matrix<double, 24, 24>;
using HexMass = Eigen::Matrix<double, 8, 8>;

/// Gradients of the eight shape functions in space, and det(∂x/∂ξ), at ξ ∈ [−1, 1]³.
struct HexPoint {
  Eigen::Matrix<double, 3, 8> g;
  double jacobian = 0;
};
HexPoint hex_point(const HexNodes& X, const Vec3& xi);

struct HexShape {
  Eigen::Matrix<double, 3, 8> g;  ///< ḡ, mean gradients
  double volume = 0;
  double least_jacobian = 0;  ///< over Gauss points and corners: ≤ 0 means inverted or degenerate
};
HexShape hex_shape(const HexNodes& X);

/// K_e, 24×24 in node-major order.
HexStiffness hex_stiffness(const HexNodes& X, const Lame& m);
/// K_hg = K_e − K_mean.
HexStiffness hex_hourglass_stiffness(const HexNodes& X, const HexShape& s, const Lame& m);

/// Consistent mass per axis: ∫ρ N_a N_b dV.
HexMass hex_consistent_mass(const HexNodes& X, double density);
/// Lumped mass of each node: ∫ρ N_a dV.
Eigen::Matrix<double, 8, 1> hex_lumped_mass(const HexNodes& X, double density);

}  // namespace palp
