#include "support/dense.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/hex_element.hpp"
#include "palp/mechanics/quadratic_tet_element.hpp"

namespace palp {
namespace element_test {

/// Voigt form, with its own matrices: the textbook's V Bᵀ D B at one point.
template <int N>
Eigen::Matrix<double, 3 * N, 3 * N> textbook_stiffness(const Eigen::Matrix<double, 3, N>& g, double V,
                                                       double E, double nu) {
  Eigen::Matrix<double, 6, 3 * N> B = Eigen::Matrix<double, 6, 3 * N>::Zero();
  for (int a = 0; a < N; ++a) {
    const double x = g(0, a), y = g(1, a), z = g(2, a);
    B.template middleCols<3>(3 * a) << x, 0, 0, 0, y, 0, 0, 0, z, y, x, 0, 0, z, y, z, 0, x;
  }
  Mat6 D = Mat6::Zero();
  const double c = E / ((1 + nu) * (1 - 2 * nu));
  D.topLeftCorner<3, 3>().setConstant(c * nu);
  D.topLeftCorner<3, 3>().diagonal().setConstant(c * (1 - nu));
  D.bottomRightCorner<3, 3>().diagonal().setConstant(c * (1 - 2 * nu) / 2);
  return V * B.transpose() * D * B;
}

HexNodes skew_hex() {
  HexNodes X;
  X << 0, 1, 1.1, -0.1, 0.2, 1.2, 0.9, 0.1,  //
      0, 0.1, 1, 0.9, -0.1, 0, 1.2, 1,       //
      0, -0.1, 0.1, 0, 0.8, 1, 1.1, 0.9;
  return X;
}

TEST(Element, tet_gradients_reproduce_a_linear_function) {
  const Vec3 x[4] = {{0.1, 0, 0}, {1, 0.2, -0.1}, {0, 0.8, 0.3}, {0.2, 0.1, 1.5}};
  const TetShape s = tet_shape(x[0], x[1], x[2], x[3]);
  const Vec3 slope(3, -2, 0.5);
  Vec3 found = Vec3::Zero();
  for (int a = 0; a < 4; ++a) found += (slope.dot(x[a]) + 4) * s.g.col(a);
  EXPECT_LT((found - slope).norm(), 1e-13);
  EXPECT_NEAR(s.volume, (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6, 1e-15);
}

TEST(Element, tet_stiffness_is_the_textbook_product_of_strain_and_elasticity_matrices) {
  const TetShape s = tet_shape({0.1, 0, 0}, {1, 0.2, -0.1}, {0, 0.8, 0.3}, {0.2, 0.1, 1.5});
  const auto expected = textbook_stiffness<4>(s.g, s.volume, 2e5, 0.35);
  EXPECT_LT((tet_stiffness(s, lame(2e5, 0.35)) - expected).norm(), 1e-13 * expected.norm());
}

TEST(Element, hex_stiffness_sums_the_textbook_product_over_gauss_points) {
  const HexNodes X = skew_hex();
  HexStiffness expected = HexStiffness::Zero();
  for (int q = 0; q < 8; ++q) {
    const HexPoint p = hex_point(X, Vec3(q & 1 ? 1 : -1, q & 2 ? 1 : -1, q & 4 ? 1 : -1) / std::sqrt(3.0));
    expected += textbook_stiffness<8>(p.g, p.jacobian, 2e5, 0.35);
  }
  EXPECT_LT((hex_stiffness(X, lame(2e5, 0.35)) - expected).norm(), 1e-13 * expected.norm());
}

TEST(Element, hex_stiffness_is_its_mean_part_plus_a_positive_hourglass_part_blind_to_linear_fields) {
  const HexNodes X = skew_hex();
  const Lame m = lame(2e5, 0.35);
  const HexShape s = hex_shape(X);
  const HexStiffness K = hex_stiffness(X, m), K_hg = hex_hourglass_stiffness(X, s, m, HexModes::none);
  EXPECT_LT((textbook_stiffness<8>(s.g, s.volume, 2e5, 0.35) + K_hg - K).norm(), 1e-13 * K.norm());
  Mat3 slope;
  slope << 1, 2, -1, 0.5, 3, 0.3, -2, 0.1, 1;
  HexNodes u = slope * X;
  EXPECT_LT((K_hg * Eigen::Map<Eigen::Matrix<double, 24, 1>>(u.data())).norm(), 1e-12 * K.norm() * u.norm());
  const VecX eigenvalues = testing::eigenvalues(K_hg);
  EXPECT_GT(eigenvalues.minCoeff(), -1e-12 * K.norm());
  EXPECT_GT(eigenvalues[12], 1e-6 * K.norm());  // 24 − 12 linear fields = 12 hourglass modes
}

TEST(Element, inner_modes_soften_only_what_is_not_linear_and_leave_twelve_hourglass_modes) {
  for (double nu : {0.0, 0.35, 0.499}) {
    const HexNodes X = skew_hex();
    const Lame m = lame(2e5, nu);
    const HexShape s = hex_shape(X);
    const HexStiffness plain = hex_hourglass_stiffness(X, s, m, HexModes::none);
    const HexStiffness soft = hex_hourglass_stiffness(X, s, m, HexModes::inner);
    const double scale = m.mu * std::cbrt(s.volume);
    Mat3 slope;
    slope << 1, 2, -1, 0.5, 3, 0.3, -2, 0.1, 1;
    HexNodes u = slope * X;
    EXPECT_LT((soft * Eigen::Map<Eigen::Matrix<double, 24, 1>>(u.data())).norm(), 1e-12 * plain.norm());
    const auto eigenvalues = [](const HexStiffness& K) { return testing::eigenvalues(K); };
    EXPECT_GT(eigenvalues(soft)[0], -1e-12 * plain.norm());
    EXPECT_GT(eigenvalues(soft)[12], 1e-3 * scale);
    EXPECT_GT(eigenvalues(plain - soft)[0],
              -1e-12 * plain.norm());  // a minimum is no more than what it is of
  }
}

TEST(Element, a_brick_with_inner_modes_bends_as_saint_venant_says) {
  // Pure bending: u = (x z, −ν y z, (−x² + ν y² − ν z²)/2) is an exact solution with the stress σ_xx = E z.
  // At the corners of a brick the element sees x z and y z only; its energy must be E/2 ∫ z².
  const double a = 0.03, b = 0.01, c = 0.004, E = 2e5;
  for (double nu : {0.0, 0.3, 0.499}) {
    HexNodes X, u;
    X << -a, a, a, -a, -a, a, a, -a, -b, -b, b, b, -b, -b, b, b, -c, -c, -c, -c, c, c, c, c;
    for (int n = 0; n < 8; ++n) {
      const double x = X(0, n), y = X(1, n), z = X(2, n);
      u.col(n) = Vec3(x * z, -nu * y * z, (-x * x + nu * y * y - nu * z * z) / 2);
    }
    const Eigen::Map<Eigen::Matrix<double, 24, 1>> v(u.data());
    const HexShape s = hex_shape(X);
    const Lame m = lame(E, nu);
    const double exact = 0.5 * E * (2 * a) * (2 * b) * std::pow(2 * c, 3) / 12;
    EXPECT_NEAR(0.5 * v.dot(hex_hourglass_stiffness(X, s, m, HexModes::inner) * v), exact, 1e-10 * exact);
    EXPECT_GT(0.5 * v.dot(hex_hourglass_stiffness(X, s, m, HexModes::none) * v), 10 * exact);
  }
}

TEST(Element, quadratic_tet_stores_the_energy_of_every_quadratic_field) {
  const Vec3 corner[4] = {{0.1, 0, 0}, {1, 0.2, -0.1}, {0, 0.8, 0.3}, {0.2, 0.1, 1.5}};
  const TetShape s = tet_shape(corner[0], corner[1], corner[2], corner[3]);
  const double E = 2e5, nu = 0.35;
  const Lame m = lame(E, nu);
  // u_i = xᵀ Q_i x: its strain is linear; the mid-point rule on a fine split converges to its energy, and the
  // rule on four points is exact, so compare with the textbook's strain energy at these points.
  Mat3 Q[3];
  Q[0] << 1, 0.3, -0.2, 0.3, -0.5, 0.7, -0.2, 0.7, 0.4;
  Q[1] << 0.2, -0.6, 0.1, -0.6, 0.9, 0.2, 0.1, 0.2, -0.8;
  Q[2] << -0.4, 0.5, 0.6, 0.5, 0.3, -0.1, 0.6, -0.1, 1.1;
  const auto value = [&](const Vec3& x) { return Vec3(x.dot(Q[0] * x), x.dot(Q[1] * x), x.dot(Q[2] * x)); };
  Eigen::Matrix<double, 3, 10> u;
  for (int i = 0; i < 4; ++i) u.col(i) = value(corner[i]);
  for (int e = 0; e < 6; ++e) u.col(4 + e) = value(0.5 * (corner[kTetEdges[e][0]] + corner[kTetEdges[e][1]]));
  const Eigen::Map<Eigen::Matrix<double, 30, 1>> v(u.data());
  ElementStiffness<10> K = quadratic_tet_hourglass_stiffness(s, m);
  add_stiffness<10>(quadratic_tet_mean_gradients(s), s.volume, m, K);
  // ∫ p q over a tet for linear p, q from their corner values: V/20 (Σp Σq + Σ p q).
  double energy = 0;
  Mat3 strain[4], sum = Mat3::Zero();
  for (int i = 0; i < 4; ++i) {
    Mat3 slope;
    for (int k = 0; k < 3; ++k) slope.row(k) = 2 * (Q[k] * corner[i]).transpose();
    strain[i] = 0.5 * (slope + slope.transpose());
    sum += strain[i];
  }
  const auto density = [&](const Mat3& a, const Mat3& b) {
    return m.mu * (a * b).trace() + 0.5 * m.lambda * a.trace() * b.trace();
  };
  energy += density(sum, sum);
  for (const Mat3& e : strain) energy += density(e, e);
  energy *= s.volume / 20;
  EXPECT_NEAR(0.5 * v.dot(K * v), energy, 1e-12 * energy);
  const VecX eigenvalues = testing::eigenvalues(K);
  EXPECT_GT(eigenvalues[0], -1e-12 * K.norm());
  EXPECT_LT(eigenvalues[5], 1e-12 * K.norm());
  EXPECT_GT(eigenvalues[6], 1e-6 * K.norm());
}

TEST(Element, quadratic_tet_mass_gives_the_kinetic_energy_of_quadratic_velocity_fields) {
  const TetShape s = tet_shape({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const Vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Eigen::Matrix<double, 10, 1> xx, yz;
  for (int n = 0; n < 10; ++n) {
    const Vec3 x =
        n < 4 ? corner[n] : Vec3(0.5 * (corner[kTetEdges[n - 4][0]] + corner[kTetEdges[n - 4][1]]));
    xx[n] = x.x() * x.x();
    yz[n] = x.y() * x.z();
  }
  const auto M = quadratic_tet_consistent_mass(s, 3);
  EXPECT_NEAR(M.sum(), 0.5, 1e-15);
  EXPECT_NEAR(quadratic_tet_lumped_mass(s, 3).sum(), 0.5, 1e-15);
  EXPECT_GT(quadratic_tet_lumped_mass(s, 3).minCoeff(), 0);
  // ∫ x^a y^b z^c over the unit tetrahedron = a! b! c!/(a + b + c + 3)!
  EXPECT_NEAR(xx.dot(M * xx), 3 * 24.0 / 5040, 1e-15);
  EXPECT_NEAR(yz.dot(M * yz), 3 * 4.0 / 5040, 1e-15);
  EXPECT_NEAR(xx.dot(M * yz), 3 * 2.0 / 5040, 1e-15);
}

TEST(Element, element_mass_is_density_times_volume_and_gives_the_kinetic_energy_of_linear_velocity_fields) {
  const TetShape s = tet_shape({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  EXPECT_NEAR(tet_consistent_mass(s, 3).sum(), 3.0 / 6, 1e-15);
  EXPECT_NEAR(4 * tet_lumped_mass(s, 3), 3.0 / 6, 1e-15);
  // ∫ x² over the unit tetrahedron = 1/60
  EXPECT_NEAR(Eigen::Vector4d(0, 1, 0, 0).dot(tet_consistent_mass(s, 1) * Eigen::Vector4d(0, 1, 0, 0)),
              1.0 / 60, 1e-15);

  HexNodes box;
  box << 0, 2, 2, 0, 0, 2, 2, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 3, 3, 3, 3;
  EXPECT_NEAR(hex_shape(box).volume, 6, 1e-14);
  EXPECT_NEAR(hex_lumped_mass(box, 5).sum(), 30, 1e-13);
  const Eigen::Matrix<double, 8, 1> x = box.row(0).transpose();
  EXPECT_NEAR(x.dot(hex_consistent_mass(box, 1) * x), 8.0 / 3 * 1 * 3, 1e-13);  // ∫ x² = 2³/3 · 1 · 3
}

}  // namespace element_test
}  // namespace palp
