// Isotropic linear elasticity (Hooke): σ = λ tr(ε) I + 2 μ ε.
#pragma once
#include <cmath>

#include "palp/math/types.hpp"

namespace palp {

/// Lamé's constants in pascals.
struct Lame {
  double lambda = 0;
  double mu = 0;
};

/// What a part of a body is made of.
struct Material {
  double young_modulus_Pa = 1e5;
  double poisson_ratio = 0.3;
  double density_kg_per_m3 = 1000;
};

/// λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)). Valid for E > 0 and −1 < ν < 0.5.
inline Lame lame(double young_modulus_Pa, double poisson_ratio) {
  const double E = young_modulus_Pa, nu = poisson_ratio;
  return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
}

inline bool valid_material(double young_modulus_Pa, double poisson_ratio) {
  return std::isfinite(young_modulus_Pa) && young_modulus_Pa > 0 && poisson_ratio > -1 && poisson_ratio < 0.5;
}

/// Stiffness between two nodes whose shape functions have the constant gradients ga, gb over a volume V:
///     V (λ ga gbᵀ + μ gb gaᵀ + μ (ga·gb) I).
inline Mat3 stiffness_block(const Vec3& ga, const Vec3& gb, double V, const Lame& m) {
  Mat3 k = (V * m.lambda) * ga * gb.transpose() + (V * m.mu) * gb * ga.transpose();
  k.diagonal().array() += V * m.mu * ga.dot(gb);
  return k;
}

template <int N>
using ElementStiffness = Eigen::Matrix<double, 3 * N, 3 * N>;  ///< node-major: node 0 x y z, node 1 x y z, …

/// K += V Bᵀ D B for shape functions with the gradients g.col(a) over a volume V.
template <int N>
void add_stiffness(const Eigen::Matrix<double, 3, N>& g, double V, const Lame& m, ElementStiffness<N>& K) {
  for (int a = 0; a < N; ++a)
    for (int b = 0; b < N; ++b)
      K.template block<3, 3>(3 * a, 3 * b) += stiffness_block(g.col(a), g.col(b), V, m);
}

}  // namespace palp
