// Small contact problems with known answers or known difficulties, shared by the solver tests.
#pragma once
#include <random>

#include "palp/solvers/problem.hpp"

namespace palp::testing {

/// W = Yᵀ Y/rank + ridge·I with random Y of `rank` rows, random δ_free, equal μ.
inline Problem random_problem(int m, double mu, unsigned seed, int rank = -1, double ridge = 0.05) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  if (rank < 0) rank = 3 * m + 3;
  MatX Y(rank, 3 * m);
  for (int c = 0; c < Y.cols(); ++c)
    for (int r = 0; r < Y.rows(); ++r) Y(r, c) = normal(random);
  Problem p;
  p.W.dense = Y.transpose() * Y / rank;
  p.W.dense.diagonal().array() += ridge;
  p.delta_free.resize(3 * m);
  for (int i = 0; i < 3 * m; ++i) p.delta_free[i] = normal(random) - (i % 3 == 0 ? 0.5 : 0);
  p.mu = VecX::Constant(m, mu);
  return p;
}

/// A rigid cube of side 2a on a plane inclined by `slope`, pulled by gravity over one step h; its four lower
/// corners touch. Normal n = z, downhill = x. W has rank 6 for 12 rows.
struct BlockOnPlane {
  double mass = 2, a = 0.1, h = 0.01, gravity = 9.81, slope = 0.3, mu = 0.5;

  Problem problem() const {
    MatX J(12, 6);
    const double corner[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    for (int i = 0; i < 4; ++i) {
      const Vec3 r(a * corner[i][0], a * corner[i][1], -a);
      Mat3 rotation;  // −[r]×: velocity of the corner by angular velocity
      rotation << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
      MatX world(3, 6);
      world << Mat3::Identity(), rotation;
      J.row(3 * i) = world.row(2);
      J.row(3 * i + 1) = world.row(0);
      J.row(3 * i + 2) = world.row(1);
    }
    VecX inverse_mass(6);
    const double inertia = mass * (2 * a) * (2 * a) / 6;
    inverse_mass << Vec3::Constant(1 / mass), Vec3::Constant(1 / inertia);
    Problem p;
    p.W.dense = h * h * J * inverse_mass.asDiagonal() * J.transpose();
    const Vec3 fall = h * h * gravity * Vec3(std::sin(slope), 0, -std::cos(slope));
    p.delta_free.resize(12);
    for (int i = 0; i < 4; ++i) p.delta_free.segment<3>(3 * i) = Vec3(fall.z(), fall.x(), fall.y());
    p.mu = VecX::Constant(4, mu);
    return p;
  }
};

/// The same W in blocks.
inline Problem as_sparse(const Problem& dense) {
  Problem p = dense;
  const int m = p.contacts();
  p.W.is_dense = false;
  p.W.dense.resize(0, 0);
  p.W.sparse = {};
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      const Mat3 block = dense.W.dense.block<3, 3>(3 * i, 3 * j);
      if (block.isZero(0)) continue;
      p.W.sparse.column.push_back(j);
      p.W.sparse.value.push_back(block);
    }
    p.W.sparse.start.push_back(static_cast<int>(p.W.sparse.column.size()));
  }
  return p;
}

/// Bodies in a row, in random order: contact i presses two of `bodies` together, so that contacts are
/// neighbours when they share one. W = J Jᵀ + ridge, block-sparse.
inline Problem pile(int contacts, int bodies, double mu, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  MatX J = MatX::Zero(3 * contacts, 6 * bodies);
  for (int i = 0; i < contacts; ++i) {
    const int a = static_cast<int>(random() % bodies), b = (a + 1 + static_cast<int>(random() % 2)) % bodies;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 6; ++c) {
        J(3 * i + r, 6 * a + c) += 0.5 * normal(random);
        J(3 * i + r, 6 * b + c) += 0.5 * normal(random);
      }
  }
  Problem p;
  p.W.dense = J * J.transpose();
  p.W.dense.diagonal().array() += 0.3;
  p.delta_free.resize(3 * contacts);
  for (int i = 0; i < 3 * contacts; ++i) p.delta_free[i] = normal(random) - (i % 3 == 0 ? 0.7 : 0);
  p.mu = VecX::Constant(contacts, mu);
  return as_sparse(p);
}

}  // namespace palp::testing
