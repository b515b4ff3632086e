// Mean strain and stress of the elements of a body, for pictures and files: F = Σ_a x_a ḡ_aᵀ, F = R S,
//     ε = R (S − I) Rᵀ,   σ = 2μ ε + λ tr(ε) I   (world axes; what corotational_elements.hpp stores as
//     energy).
#pragma once
#include "palp/mechanics/fem_body.hpp"

namespace palp {

/// ε of each element of a mesh whose nodes have moved to `positions`. `fill`: as in FemSpec.
std::vector<Mat3> element_strains(const VolumeMesh& mesh, const std::vector<CellFill>& fill,
                                  std::span<const Vec3> positions);

inline Mat3 stress_of(const Mat3& strain, const Lame& m) {
  return 2 * m.mu * strain + m.lambda * strain.trace() * Mat3::Identity();
}

/// Von Mises: √(3/2) times the norm of the deviator, for stress; ⅔ of that measure for strain.
inline double equivalent_stress(const Mat3& stress) {
  return std::sqrt(1.5) * (stress - stress.trace() / 3 * Mat3::Identity()).norm();
}
inline double equivalent_strain(const Mat3& strain) {
  return std::sqrt(2.0 / 3) * (strain - strain.trace() / 3 * Mat3::Identity()).norm();
}

}  // namespace palp
