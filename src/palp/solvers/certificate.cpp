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

void CertificateSum::add(bool bilateral, double mu, double rho, const Vec3& f, const Vec3& delta,
                         const Vec3& delta_free) {
  // A residual at the level of the rounding of its own evaluation counts as zero: otherwise f = 0, which has
  // nothing in the denominator, would be judged by noise.
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  Vec3 residual;
  double magnitude2 = 0;  // at least the square of the magnitude |f| + ρ|u|, at most twice it
  if (bilateral) {
    infeasible_ |= rho == 0 && delta_free != Vec3::Zero();
    residual = rho * delta;
    violation_ += (rho * delta_free).squaredNorm();
  } else {
    infeasible_ |= rho == 0 && delta_free[0] < 0;
    const double depth = rho * std::min(delta_free[0], 0.0);
    violation_ += depth * depth;
    // Open, as it should be: f − ρû lies in the polar cone and its projection is f = 0. True of most
    // contacts.
    if (f == Vec3::Zero() && delta[0] >= 0 && std::isfinite(delta[1] + delta[2])) return;
    Vec3 u = delta;
    u[0] += mu * delta.tail<2>().norm();
    residual = f - project_on_cone(f - rho * u, mu);
    magnitude2 = 2 * (f.squaredNorm() + rho * rho * u.squaredNorm());
  }
  const double r2 = residual.squaredNorm();
  if (!(r2 <= rounding * rounding * magnitude2)) numerator_ += r2;
  force_ += f.squaredNorm();
}

Certificate CertificateSum::result() const {
  if (infeasible_) return {.infeasible = true};
  if (numerator_ == 0) return {.value = 0};
  const double e = std::sqrt(numerator_) / std::sqrt(std::max(force_, violation_));
  return {.value = std::isnan(e) ? std::numeric_limits<double>::infinity() : e};
}

Certificate certificate(const Problem& problem, ConstVecRef delta_free, ConstVecRef rho, ConstVecRef f,
                        ConstVecRef delta) {
  CertificateSum sum;
  for (int i = 0; i < problem.contacts(); ++i)
    sum.add(problem.bilateral(i), problem.mu[i], rho[i], f.segment<3>(3 * i), delta.segment<3>(3 * i),
            delta_free.segment<3>(3 * i));
  return sum.result();
}

Certificate certificate(const Problem& problem, ConstVecRef f) {
  const int m = problem.contacts();
  VecX rho(m), delta(3 * m);
  for (int i = 0; i < m; ++i) rho[i] = contact_rho(diagonal_block(problem.W, i));
  multiply(problem, f, delta);
  return certificate(problem, problem.delta_free, rho, f, delta);
}

}  // namespace palp
