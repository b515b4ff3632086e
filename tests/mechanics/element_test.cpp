#include <gtest/gtest.h>

#include "palp/mechanics/hex_element.hpp"
#include "palp/mechanics/tet_element.hpp"

namespace palp {
namespace {

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
  const HexStiffness K = hex_stiffness(X, m), K_hg = hex_hourglass_stiffness(X, s, m);
  EXPECT_LT((textbook_stiffness<8>(s.g, s.volume, 2e5, 0.35) + K_hg - K).norm(), 1e-13 * K.norm());
  Mat3 slope;
  slope << 1, 2, -1, 0.5, 3, 0.3, -2, 0.1, 1;
  HexNodes u = slope * X;
  EXPECT_LT((K_hg * Eigen::Map<Eigen::Matrix<double, 24, 1>>(u.data())).norm(), 1e-12 * K.norm() * u.norm());
  Eigen::SelfAdjointEigenSolver<HexStiffness> eigen(K_hg);
  EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-12 * K.norm());
  EXPECT_GT(eigen.eigenvalues()[12], 1e-6 * K.norm());  // 24 − 12 linear fields = 12 hourglass modes
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

}  // namespace
}  // namespace palp
