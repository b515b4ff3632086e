// Per-element corotational elasticity of tets (P11 §III.A), hexes (K16 §4) and quadratic tets: energy, force,
// tangent, in batches.
//
// The deformation gradient of an element, F = Σ_a x_a g_aᵀ (linear tet: constant; else mean over the
// element), is split into F = R S. The element's energy and force are those of linear elasticity in the axes
// turned by R:
//     E = V (μ |S − I|² + λ/2 tr²(S − I)) + ½ yᵀ K_hg y,      y_a = Rᵀ x_a
//     f = ∂E/∂x:   f_a = R (V σ g_a + (K_hg y)_a + g_a × q),   σ = 2μ (S − I) + λ tr(S − I) I.
// K_hg is what the deviation from the mean strain costs (hex_element.hpp, quadratic_tet_element.hpp); linear
// tets have none, and f = R K_e (Rᵀx − X) exactly. The small vector q = (tr S I − S)⁻¹ Σ_a y_a × (K_hg y)_a
// comes from the rotation turning with x; with it the force has an energy and conserves angular momentum.
//
// Tangent, with g' = R g and κ = λ tr(S − I) − 2μ, from dR = R[ω], ω = (tr S I − S)⁻¹ Σ_b g_b × Rᵀdx_b:
//     K_ab = V (2μ (g_a·g_b) I + λ g'_a g'_bᵀ + [g'_a]ᵀ T [g'_b]) + R K_hg,ab Rᵀ,    T = R κ (tr S I − S)⁻¹
//     Rᵀ.
// T = −μ I gives back R K_e Rᵀ, the stiffness of the papers; and K is positive semi-definite as long as T ≥
// −μ I. Hence the choice of Tangent below: it decides T, by its eigenvalues.
#pragma once
#include <vector>

#include "palp/math/block_symmetric.hpp"
#include "palp/mechanics/material.hpp"
#include "palp/mechanics/polar.hpp"

namespace palp {

enum class Tangent {
  rotation_frozen,  ///< R K_e Rᵀ: the papers' stiffness; positive semi-definite
  consistent,       ///< ∂f/∂x with T raised to −μ where it is below, and q's own derivative left out:
                    ///< positive semi-definite, exact in stretched linear tets
  exact,            ///< ∂f/∂x, whatever its signs
};

/// kLanes elements of N nodes. Each element's nodes are in ascending order, so that the block of the pair
/// (a, b), a ≥ b, lies in the lower triangle of the system and is never transposed.
template <int N>
struct ElementBatch {
  static constexpr int kPairs = N * (N + 1) / 2;
  Lane g[N][3];  ///< (mean) gradients of the shape functions at rest
  Lane volume;   ///< zero: padding
  int node[N][kLanes];
  int entry[kPairs]
           [kLanes];  ///< where the pair's block is in BlockSymmetric::value; pairs run (0,0) (1,0) (1,1) …
  int hourglass[kLanes];  ///< index of K_hg, in the order of `node`; −1: none
  Lame material;          ///< of all its elements
};

/// All elements of one kind: N = 4 linear tets, 8 hexes, 10 quadratic tets.
template <int N>
struct Elements {
  std::vector<ElementBatch<N>> batches;
  std::vector<ElementStiffness<N>> hourglass;  ///< one per shape of element
};

struct CorotationalParameters {
  Tangent tangent = Tangent::consistent;
  double stiffness_factor = 1;  ///< the tangent is multiplied by it: 1 + β/h
};

/// f += f_int(x); and K, when given, += stiffness_factor · tangent.
template <int N>
void add_corotational(const Elements<N>& elements, const CorotationalParameters& p, ConstVecRef x, VecRef f,
                      BlockSymmetric* K);

template <int N>
double corotational_energy(const Elements<N>& elements, ConstVecRef x);

}  // namespace palp
