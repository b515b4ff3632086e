// Contact problems with known answers, and random ones like those of deformable bodies.
#pragma once
#include <random>

#include "palp/solvers/problem.hpp"

namespace palp::cases {

using Random = std::mt19937_64;

inline Problem dense_problem(MatX W, VecX delta_free, VecX mu) {
  Problem p;
  p.W.dense = std::move(W);
  p.delta_free = std::move(delta_free);
  p.mu = std::move(mu);
  return p;
}

/// One contact with decoupled directions: f_n = depth/w_n; f_t = −slip/w_t when that is inside the cone,
/// otherwise −μ f_n along the slip.
struct OneContact {
  double w_n = 2e-3, w_t = 1e-3, depth = 4e-3, slip = 1e-3, angle = 0.3, mu = 0.4;
  Problem problem() const {
    return dense_problem(Vec3(w_n, w_t, w_t).asDiagonal(),
                         Vec3(-depth, slip * std::cos(angle), slip * std::sin(angle)), VecX::Constant(1, mu));
  }
  Vec3 answer() const {
    const double f_n = depth / w_n, f_t = std::min(slip / w_t, mu * f_n);
    return {f_n, -f_t * std::cos(angle), -f_t * std::sin(angle)};
  }
};

/// Two contacts pulled together along t1 and coupled in that direction alone: the first is pressed hard and
/// sticks, the second lightly and slips. f_2t = −μ f_2n, f_1t = −(slip + c f_2t)/w.
struct StickAndSlip {
  double w = 1e-3, c = 4e-4, depth_1 = 2e-2, depth_2 = 1e-3, slip = 5e-3, mu = 0.5;
  Problem problem() const {
    MatX W = w * MatX::Identity(6, 6);
    W(1, 4) = W(4, 1) = c;
    return dense_problem(W, VecX{{-depth_1, slip, 0, -depth_2, slip, 0}}, VecX::Constant(2, mu));
  }
  VecX answer() const {
    const double f_1 = depth_1 / w, f_2 = depth_2 / w, t_2 = -mu * f_2;
    return VecX{{f_1, -(slip + c * t_2) / w, 0, f_2, t_2, 0}};
  }
};

/// W = Yᵀ Y + a little on the diagonal, gaps of both signs, μ in [0, mu_max].
inline Problem random_problem(Random& random, int m, double mu_max, double coupling = 0.3) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  MatX Y(3 * m + 2, 3 * m);
  for (double& y : Y.reshaped()) y = normal(random);
  MatX W = coupling / (3 * m) * (Y.transpose() * Y);
  W.diagonal().array() += 1;
  VecX free(3 * m), mu(m);
  for (double& x : free) x = normal(random);
  for (int i = 0; i < m; ++i) {
    free[3 * i] -= 0.5;
    mu[i] = mu_max * uniform(random);
  }
  return dense_problem(1e-3 * W, 1e-3 * free, mu);
}

}  // namespace palp::cases
