// A second, deliberately plain implementation of W f and of the certificate, written from the formula alone
// and sharing no code with the library, so that a solver cannot be right by the library's own mistake.
#pragma once
#include <cmath>

#include "support/dense.hpp"

#include "palp/solvers/problem.hpp"

namespace palp::testing {

inline MatX plain_dense(const Problem& p) {
  if (p.W.is_dense) return p.W.dense;
  const int m = p.contacts();
  MatX W = MatX::Zero(3 * m, 3 * m);
  for (int i = 0; i < m; ++i)
    for (int k = p.W.sparse.start[i]; k < p.W.sparse.start[i + 1]; ++k)
      W.block(3 * i, 3 * p.W.sparse.column[k], 3, 3) += p.W.sparse.value[k];
  return W;
}

inline double plain_certificate(const Problem& p, const VecX& f) {
  const MatX W = plain_dense(p);
  const VecX delta = W * f + p.delta_free;
  double top = 0, bottom_f = 0, bottom_free = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const MatX block = W.block(3 * i, 3 * i, 3, 3);
    const double lambda = testing::eigenvalues((block + block.transpose()) / 2).maxCoeff();
    const double rho = lambda > 0 ? 1 / lambda : 0;
    const double mu = p.mu[i];
    Vec3 x = f.segment(3 * i, 3) - rho * delta.segment(3 * i, 3);
    Vec3 projected = x;
    if (p.bilateral(i)) {
      bottom_free += std::pow(rho * p.delta_free.segment(3 * i, 3).norm(), 2);
    } else {
      const double slip = std::sqrt(std::pow(delta[3 * i + 1], 2) + std::pow(delta[3 * i + 2], 2));
      x[0] -= rho * mu * slip;
      const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
      if (x[0] >= 0 && t <= mu * x[0]) {
        projected = x;
      } else if (mu * t <= -(1 + 1e-14) * x[0]) {  // also on its border, however mu * t is rounded
        projected = Vec3::Zero();
      } else {  // along the generator g through (x_n, x_t): the foot of x on it
        const Vec3 g(1, mu * x[1] / t, mu * x[2] / t);
        projected = std::max(0.0, x.dot(g) / g.squaredNorm()) * g;
      }
      if (p.delta_free[3 * i] < 0) bottom_free += std::pow(rho * p.delta_free[3 * i], 2);
    }
    top += (f.segment(3 * i, 3) - projected).squaredNorm();
    bottom_f += f.segment(3 * i, 3).squaredNorm();
  }
  return top == 0 ? 0 : std::sqrt(top / std::max(bottom_f, bottom_free));
}

}  // namespace palp::testing
