#include "palp/solvers/certificate.hpp"

#include <algorithm>
#include <cmath>

// Vectors of 32 bytes go in and out of functions of this file only.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace palp {
namespace {

/// Four contacts side by side. The sums of CertificateSum, without its branches.
using Lanes = double __attribute__((vector_size(32)));

Lanes root(Lanes x) {
  for (int k = 0; k < 4; ++k) x[k] = std::sqrt(x[k]);
  return x;
}

double sum(Lanes x) { return (x[0] + x[1]) + (x[2] + x[3]); }

struct FourContacts {
  Lanes numerator{}, force{}, violation{};
  decltype(Lanes{} < Lanes{}) infeasible{};

  /// `count` contacts: mu and rho of each, three rows of the others, `stride` from contact to contact. Lanes
  /// beyond hold contacts of nothing.
  template <int count, int stride>
  void add(const double* mu_i, const double* rho_i, const double* f, const double* delta,
           const double* delta_free) {
    const auto four = [](const double* v, int apart) {
      return Lanes{v[0], count > 1 ? v[apart] : 0, count > 2 ? v[2 * apart] : 0,
                   count > 3 ? v[3 * apart] : 0};
    };
    const auto row = [&](const double* v, int r) { return four(v + r, stride); };
    const Lanes mu = four(mu_i, 1), rho = four(rho_i, 1), zero{};
    const Lanes free_n = row(delta_free, 0);
    infeasible |= (rho == zero) & (free_n < zero);
    const Lanes depth = rho * (free_n < zero ? free_n : zero);
    violation += depth * depth;

    const Lanes f_n = row(f, 0), f_1 = row(f, 1), f_2 = row(f, 2);
    const Lanes d_1 = row(delta, 1), d_2 = row(delta, 2);
    const Lanes u_n = row(delta, 0) + mu * root(d_1 * d_1 + d_2 * d_2);
    // The projection of x = f − ρû, as in project_on_cone.
    const Lanes x_n = f_n - rho * u_n, x_1 = f_1 - rho * d_1, x_2 = f_2 - rho * d_2;
    const Lanes t = root(x_1 * x_1 + x_2 * x_2);
    const Lanes on_axis = (x_n + mu * t) / (1 + mu * mu), shrink = mu * on_axis / t;
    const auto apart = mu * t <= -x_n, inside = t <= mu * x_n;
    const auto projected = [&](Lanes x, Lanes slid) { return apart ? zero : inside ? x : slid; };
    const Lanes r_n = f_n - projected(x_n, on_axis);
    const Lanes r_1 = f_1 - projected(x_1, shrink * x_1), r_2 = f_2 - projected(x_2, shrink * x_2);

    const Lanes f2 = f_n * f_n + f_1 * f_1 + f_2 * f_2, r2 = r_n * r_n + r_1 * r_1 + r_2 * r_2;
    const Lanes magnitude2 = 2 * (f2 + rho * rho * (u_n * u_n + d_1 * d_1 + d_2 * d_2));
    numerator += r2 <= certificate_rounding2 * magnitude2 ? zero : r2;
    force += f2;
  }
  Certificate result() const {
    const bool any = infeasible[0] | infeasible[1] | infeasible[2] | infeasible[3];
    return certificate_from_sums(sum(numerator), sum(force), sum(violation), any);
  }
};

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
  const auto add = [&]<int count> {
    sums.add<count, stride>(mu + i, rho + i, f + stride * i, delta + stride * i, delta_free + stride * i);
  };
  for (; i + 4 <= m; i += 4) add.template operator()<4>();
  switch (m - i) {
    case 3:
      add.template operator()<3>();
      break;
    case 2:
      add.template operator()<2>();
      break;
    case 1:
      add.template operator()<1>();
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
