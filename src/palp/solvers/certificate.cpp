#include "palp/solvers/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

Vec3 project_on_cone(const Vec3& x, double mu) {
  const double n = x[0], t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (mu * t <= -n) return Vec3::Zero();  // first: with μ = 0 and t = 0 the next line is true for any n
  if (t <= mu * n) return x;
  // Sliding: the nearest point on the generator in the direction of x_t.
  const double on_axis = (n + mu * t) / (1 + mu * mu);
  const double shrink = mu * on_axis / t;
  return {on_axis, shrink * x[1], shrink * x[2]};
}

double contact_rho(const Mat3& W_ii) {
  const Mat3 S = 0.5 * (W_ii + W_ii.transpose());
  const double size = S.cwiseAbs().maxCoeff();
  if (!(size > std::numeric_limits<double>::min())) return 0;
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(S / size, Eigen::EigenvaluesOnly);
  const double largest = eigen.eigenvalues()[2];
  return largest > 0 ? 1 / (largest * size) : 0;
}

Mat3 diagonal_block(const Delassus& W, int i) {
  if (W.is_dense) return W.dense.block<3, 3>(3 * i, 3 * i);
  for (int k = W.sparse.start[i]; k < W.sparse.start[i + 1]; ++k)
    if (W.sparse.column[k] == i) return W.sparse.value[k];
  return Mat3::Zero();
}

Certificate certificate(const Problem& problem, ConstVecRef delta_free, ConstVecRef rho, ConstVecRef f,
                        ConstVecRef delta) {
  // A residual at the level of the rounding of its own evaluation counts as zero: otherwise f = 0, which has
  // nothing in the denominator, would be judged by noise.
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  double numerator = 0, force = 0, violation = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Vec3 f_i = f.segment<3>(3 * i), delta_i = delta.segment<3>(3 * i);
    const Vec3 free_i = delta_free.segment<3>(3 * i);
    Vec3 residual;
    double magnitude;
    if (problem.bilateral(i)) {
      if (rho[i] == 0 && free_i != Vec3::Zero()) return {.infeasible = true};
      residual = rho[i] * delta_i;
      magnitude = 0;
      violation += (rho[i] * free_i).squaredNorm();
    } else {
      if (rho[i] == 0 && free_i[0] < 0) return {.infeasible = true};
      if (f_i[0] == 0 && f_i[1] == 0 && f_i[2] == 0 && delta_i[0] >= 0) {  // open, as it should be: no residual
        const double closing = rho[i] * std::min(free_i[0], 0.0);
        violation += closing * closing;
        continue;
      }
      const double mu = problem.mu[i];
      Vec3 u = delta_i;
      u[0] += mu * delta_i.tail<2>().norm();
      residual = f_i - project_on_cone(f_i - rho[i] * u, mu);
      magnitude = f_i.norm() + rho[i] * u.norm();
      const double depth = rho[i] * std::min(free_i[0], 0.0);
      violation += depth * depth;
    }
    const double r = residual.norm();
    if (!(r <= rounding * magnitude)) numerator += r * r;
    force += f_i.squaredNorm();
  }
  if (numerator == 0) return {.value = 0};
  const double e = std::sqrt(numerator) / std::sqrt(std::max(force, violation));
  return {.value = std::isnan(e) ? std::numeric_limits<double>::infinity() : e};
}

Certificate certificate(const Problem& problem, ConstVecRef f) {
  const int m = problem.contacts();
  VecX rho(m), delta(3 * m);
  for (int i = 0; i < m; ++i) rho[i] = contact_rho(diagonal_block(problem.W, i));
  multiply(problem, f, delta);
  return certificate(problem, problem.delta_free, rho, f, delta);
}

}  // namespace palp
