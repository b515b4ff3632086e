#include "palp/solvers/certificate.hpp"

#include <algorithm>
#include <cmath>

#include "palp/solvers/certificate_lanes.hpp"

namespace palp {
namespace {

/// `count` contacts: mu and rho of each, three rows of the others, `stride` from contact to contact. Lanes
/// beyond hold contacts of nothing.
template <int count, int stride>
void add(FourContacts& sums, const double* mu, const double* rho, const double* f, const double* delta,
         const double* delta_free) {
  const auto four = [](const double* v, int apart) {
    return FourContacts::Lanes{v[0], count > 1 ? v[apart] : 0, count > 2 ? v[2 * apart] : 0,
                               count > 3 ? v[3 * apart] : 0};
  };
  const auto row = [&](const double* v, int r) { return four(v + r, stride); };
  sums.add(four(mu, 1), four(rho, 1), row(delta_free, 0), {row(f, 0), row(f, 1), row(f, 2)},
           {row(delta, 0), row(delta, 1), row(delta, 2)});
}

}  // namespace

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

template <int stride>
Certificate unilateral_certificate(int m, const double* mu, const double* rho, const double* delta_free,
                                   const double* f, const double* delta) {
  FourContacts sums;
  int i = 0;
  const auto next = [&]<int count> {
    add<count, stride>(sums, mu + i, rho + i, f + stride * i, delta + stride * i, delta_free + stride * i);
  };
  for (; i + 4 <= m; i += 4) next.template operator()<4>();
  switch (m - i) {
    case 3:
      next.template operator()<3>();
      break;
    case 2:
      next.template operator()<2>();
      break;
    case 1:
      next.template operator()<1>();
      break;
    default:
      break;
  }
  return sums.result();
}
template Certificate unilateral_certificate<3>(int, const double*, const double*, const double*,
                                               const double*, const double*);
template Certificate unilateral_certificate<4>(int, const double*, const double*, const double*,
                                               const double*, const double*);

Certificate certificate(const Problem& problem, ConstVecRef delta_free, ConstVecRef rho, ConstVecRef f,
                        ConstVecRef delta) {
  if (problem.kind.empty())
    return unilateral_certificate(problem.contacts(), problem.mu.data(), rho.data(), delta_free.data(),
                                  f.data(), delta.data());
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
