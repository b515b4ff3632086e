// The linear tetrahedron: constant gradients, stiffness and mass (D04 §III, H08 §2, P11 §III.A).
#pragma once
#include <array>

#include "palp/mechanics/material.hpp"

namespace palp {

/// Shape functions of one tetrahedron: N_a is linear with the constant gradient g.col(a) and ∇N sums to zero.
struct TetShape {
  Eigen::Matrix<double, 3, 4> g;
  double volume = 0;  ///< signed: negative when the element is inverted
};

inline TetShape tet_shape(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  Mat3 edges;
  edges << x1 - x0, x2 - x0, x3 - x0;
  TetShape s;
  s.volume = edges.determinant() / 6;
  s.g.rightCols<3>() = edges.inverse().transpose();  // edges · (gradients as rows) = I
  s.g.col(0) = -s.g.rightCols<3>().rowwise().sum();
  return s;
}

/// K_e: V Bᵀ D B.
inline ElementStiffness<4> tet_stiffness(const TetShape& s, const Lame& m) {
  ElementStiffness<4> K = ElementStiffness<4>::Zero();
  add_stiffness<4>(s.g, s.volume, m, K);
  return K;
}

/// Consistent mass per axis: ρ V/20 (1 + δ_ab).
inline Eigen::Matrix4d tet_consistent_mass(const TetShape& s, double density) {
  Eigen::Matrix4d M = Eigen::Matrix4d::Constant(density * s.volume / 20);
  M.diagonal() *= 2;
  return M;
}

/// Lumped mass: the same at each of the four nodes.
inline double tet_lumped_mass(const TetShape& s, double density) { return density * s.volume / 4; }

}  // namespace palp
