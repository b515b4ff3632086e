#include "palp/mechanics/hex_element.hpp"

#include <algorithm>

namespace palp {
namespace {

// Corner signs of the reference cube in VTK order.
const double kCorner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

Vec3 corner(int a) { return Vec3(kCorner[a][0], kCorner[a][1], kCorner[a][2]); }
Vec3 gauss_point(int q) { return corner(q) / std::sqrt(3.0); }  // weights are 1

double shape(int a, const Vec3& xi) {
  return 0.125 * (1 + xi.x() * kCorner[a][0]) * (1 + xi.y() * kCorner[a][1]) * (1 + xi.z() * kCorner[a][2]);
}

}  // namespace

HexPoint hex_point(const HexNodes& X, const Vec3& xi) {
  Eigen::Matrix<double, 3, 8> dN;  // ∂N_a/∂ξ
  for (int a = 0; a < 8; ++a) {
    const Vec3 f = Vec3::Ones() + xi.cwiseProduct(corner(a));
    dN.col(a) = 0.125 * Vec3(kCorner[a][0] * f.y() * f.z(), kCorner[a][1] * f.x() * f.z(),
                             kCorner[a][2] * f.x() * f.y());
  }
  const Mat3 J = X * dN.transpose();  // ∂x/∂ξ
  HexPoint p;
  p.jacobian = J.determinant();
  p.g = J.inverse().transpose() * dN;
  return p;
}

HexShape hex_shape(const HexNodes& X) {
  HexShape s;
  s.g.setZero();
  s.least_jacobian = hex_point(X, corner(0)).jacobian;
  for (int q = 0; q < 8; ++q) {
    const HexPoint p = hex_point(X, gauss_point(q));
    s.g += p.jacobian * p.g;
    s.volume += p.jacobian;
    s.least_jacobian = std::min({s.least_jacobian, p.jacobian, hex_point(X, corner(q)).jacobian});
  }
  s.g /= s.volume;
  return s;
}

HexStiffness hex_stiffness(const HexNodes& X, const Lame& m) {
  HexStiffness K = HexStiffness::Zero();
  for (int q = 0; q < 8; ++q) {
    const HexPoint p = hex_point(X, gauss_point(q));
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b)
        K.block<3, 3>(3 * a, 3 * b) += stiffness_block(p.g.col(a), p.g.col(b), p.jacobian, m);
  }
  return K;
}

HexStiffness hex_hourglass_stiffness(const HexNodes& X, const HexShape& s, const Lame& m) {
  // Summing the deviations from the mean keeps K_hg positive semi-definite in floating point too.
  HexStiffness K = HexStiffness::Zero();
  for (int q = 0; q < 8; ++q) {
    const HexPoint p = hex_point(X, gauss_point(q));
    const Eigen::Matrix<double, 3, 8> d = p.g - s.g;
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b)
        K.block<3, 3>(3 * a, 3 * b) += stiffness_block(d.col(a), d.col(b), p.jacobian, m);
  }
  return K;
}

HexMass hex_consistent_mass(const HexNodes& X, double density) {
  // Three points per axis integrate N_a N_b det(∂x/∂ξ), of degree four per axis, exactly.
  const double r = std::sqrt(0.6), point[3] = {-r, 0, r}, weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  HexMass M = HexMass::Zero();
  for (int i = 0; i < 27; ++i) {
    const int ix = i % 3, iy = i / 3 % 3, iz = i / 9;
    const Vec3 xi(point[ix], point[iy], point[iz]);
    Eigen::Matrix<double, 8, 1> N;
    for (int a = 0; a < 8; ++a) N[a] = shape(a, xi);
    M += density * weight[ix] * weight[iy] * weight[iz] * hex_point(X, xi).jacobian * N * N.transpose();
  }
  return M;
}

Eigen::Matrix<double, 8, 1> hex_lumped_mass(const HexNodes& X, double density) {
  return hex_consistent_mass(X, density).rowwise().sum();
}

}  // namespace palp
