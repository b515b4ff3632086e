// How far a force may go within its Coulomb cone: where Newton's steps are cut.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace palp {

/// t ≥ 0 at which f + t d, f in the cone, leaves {|f_t| ≤ μ f_n}; infinite when never. Both as (n, t1, t2).
inline double room_in_cone(const double* f, const double* d, double mu) {
  const double mu2 = mu * mu;  // |f_t + t d_t|² − μ² (f_n + t d_n)² = a t² + 2 b t + c, c ≤ 0
  const double a = d[1] * d[1] + d[2] * d[2] - mu2 * d[0] * d[0];
  const double b = f[1] * d[1] + f[2] * d[2] - mu2 * f[0] * d[0];
  const double c = std::min(f[1] * f[1] + f[2] * f[2] - mu2 * f[0] * f[0], 0.0);
  const double root = std::sqrt(std::max(b * b - a * c, 0.0));
  return b + root > 0 ? -c / (b + root) : std::numeric_limits<double>::infinity();
}

}  // namespace palp
