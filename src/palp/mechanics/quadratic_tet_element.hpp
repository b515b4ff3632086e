// The quadratic tetrahedron with straight sides: ten nodes, linear strain. It bends, and does not lock near
// ν = 0.5.
//
// With ḡ_a = (1/V)∫∇N_a dV (corners: 0, edge ij: ∇λ_i + ∇λ_j) its stiffness is split as the hexahedron's is
// (hex_element.hpp): K_e = K_mean + K_hg, the stiffness of the mean strain and what the deviation from it
// costs.
#pragma once
#include "palp/mechanics/tet_element.hpp"
#include "palp/mesh/quadratic.hpp"

namespace palp {

/// ḡ.
inline Eigen::Matrix<double, 3, 10> quadratic_tet_mean_gradients(const TetShape& s) {
  Eigen::Matrix<double, 3, 10> g = Eigen::Matrix<double, 3, 10>::Zero();
  for (int e = 0; e < 6; ++e) g.col(4 + e) = s.g.col(kTetEdges[e][0]) + s.g.col(kTetEdges[e][1]);
  return g;
}

/// K_hg: four points integrate the square of a linear strain exactly.
inline ElementStiffness<10> quadratic_tet_hourglass_stiffness(const TetShape& s, const Lame& m) {
  ElementStiffness<10> K = ElementStiffness<10>::Zero();
  const double near = (5 + 3 * std::sqrt(5.0)) / 20, far = (5 - std::sqrt(5.0)) / 20;
  for (int q = 0; q < 4; ++q) {
    const auto from_mean = [&](int i) { return (i == q ? near : far) - 0.25; };  // λ_i − ¼
    Eigen::Matrix<double, 3, 10> d;
    for (int i = 0; i < 4; ++i) d.col(i) = 4 * from_mean(i) * s.g.col(i);
    for (int e = 0; e < 6; ++e) {
      const auto [i, j] = kTetEdges[e];
      d.col(4 + e) = 4 * (from_mean(i) * s.g.col(j) + from_mean(j) * s.g.col(i));
    }
    add_stiffness<10>(d, s.volume / 4, m, K);
  }
  // What is left for the corners of the mean gradient, (4·¼ − 1) ∇λ_i, is zero: d is the whole deviation.
  return K;
}

/// Consistent mass per axis: ρ V/420 times whole numbers (∫ λ^α dV = 6V α!/(|α| + 3)!).
inline Eigen::Matrix<double, 10, 10> quadratic_tet_consistent_mass(const TetShape& s, double density) {
  Eigen::Matrix<double, 10, 10> M;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) M(i, j) = i == j ? 6 : 1;
  for (int e = 0; e < 6; ++e) {
    const auto [a, b] = kTetEdges[e];
    for (int i = 0; i < 4; ++i) M(i, 4 + e) = M(4 + e, i) = i == a || i == b ? -4 : -6;
    for (int f = 0; f < 6; ++f) {
      const auto [c, d] = kTetEdges[f];
      const int shared = (a == c || a == d) + (b == c || b == d);
      M(4 + e, 4 + f) = shared == 2 ? 32 : shared == 1 ? 16 : 8;
    }
  }
  return density * s.volume / 420 * M;
}

/// Lumped mass: the diagonal of the consistent one, scaled to the mass of the element. (Its rows' sums would
/// be negative at the corners.)
inline Eigen::Matrix<double, 10, 1> quadratic_tet_lumped_mass(const TetShape& s, double density) {
  Eigen::Matrix<double, 10, 1> m;
  m.head<4>().setConstant(density * s.volume / 36);
  m.tail<6>().setConstant(density * s.volume * 4 / 27);
  return m;
}

}  // namespace palp
