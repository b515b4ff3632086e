// The hexahedron with 2×2×2 Gauss points (K16 §4): stiffness, mass, and the split into a mean part and an
// hourglass part, on which the corotational form is built.
//
// With ḡ_a = (1/V)∫∇N_a dV the stiffness is K_e = K_mean + K_hg, where K_mean = stiffness of the mean strain
// (the formula of a tetrahedron with gradients ḡ_a) and K_hg ≥ 0 is what the deviation from the mean strain
// costs. K_hg vanishes on every linear displacement field.
//
// Trilinear displacements cannot bend: a bar one cell high is too stiff by shear (locking), and near ν = 0.5
// by pressure. Inner modes cure both: strains that only this element knows, chosen so that its energy is
// least,
//     ε = (B − B̄) u + G α,     K_hg = min over α of ∫ εᵀ D ε dV,
//     G = (j₀/j) J₀⁻ᵀ-turned gradients of ½(ξ_k² − 1), three per axis (Wilson et al. 1973), and the three
//         volume strains η ζ, ζ ξ, ξ η (Simo, Armero and Taylor 1993),
// with J₀, j₀ = det J₀ taken at the centre (Taylor, Beresford and Wilson 1976) and the mean of G over the
// element taken off, so that a constant stress does no work on α: distorted elements pass the patch test. α
// is eliminated here, once: later nobody sees it, and K_hg stays positive semi-definite.
#pragma once
#include <array>

#include "palp/mechanics/material.hpp"
#include "palp/mesh/cell_fill.hpp"

namespace palp {

using HexNodes = Eigen::Matrix<double, 3, 8>;  ///< column a: node a, VTK order
using HexStiffness = ElementStiffness<8>;
using HexMass = Eigen::Matrix<double, 8, 8>;

enum class HexModes {
  inner,  ///< bends and does not lock
  none,   ///< the plain trilinear element
};

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
HexShape hex_shape(const HexNodes& X, const CellFill& fill = {});

/// K_e of the trilinear element, 24×24 in node-major order.
HexStiffness hex_stiffness(const HexNodes& X, const Lame& m);
/// K_hg, of the trilinear element or with its inner modes eliminated.
HexStiffness hex_hourglass_stiffness(const HexNodes& X, const HexShape& s, const Lame& m, HexModes modes,
                                     const CellFill& fill = {});

/// Consistent mass per axis: ∫ρ N_a N_b dV.
HexMass hex_consistent_mass(const HexNodes& X, double density, const CellFill& fill = {});
/// Lumped mass of each node: ∫ρ N_a dV.
Eigen::Matrix<double, 8, 1> hex_lumped_mass(const HexNodes& X, double density);

}  // namespace palp
