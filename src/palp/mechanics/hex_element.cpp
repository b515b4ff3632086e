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

/// The points to integrate with: Gauss's in a full cell.
CellFill samples(const CellFill& fill) {
  if (!fill.empty()) return fill;
  CellFill gauss(8);
  for (int q = 0; q < 8; ++q) gauss[q] = {gauss_point(q), 1};
  return gauss;
}

/// ∂N_a/∂ξ
Eigen::Matrix<double, 3, 8> shape_slopes(const Vec3& xi) {
  Eigen::Matrix<double, 3, 8> dN;
  for (int a = 0; a < 8; ++a) {
    const Vec3 f = Vec3::Ones() + xi.cwiseProduct(corner(a));
    dN.col(a) = 0.125 * Vec3(kCorner[a][0] * f.y() * f.z(), kCorner[a][1] * f.x() * f.z(),
                             kCorner[a][2] * f.x() * f.y());
  }
  return dN;
}

/// ∂x/∂ξ
Mat3 jacobian(const HexNodes& X, const Vec3& xi) { return X * shape_slopes(xi).transpose(); }

constexpr int kInnerModes = 12;
using NodeStrain = Eigen::Matrix<double, 6, 24>;
using InnerStrain = Eigen::Matrix<double, 6, kInnerModes>;

/// Strain (xx, yy, zz, 2xy, 2yz, 2zx) of displacements along x, y, z that grow along g.
Eigen::Matrix<double, 6, 3> strain_of(const Vec3& g) {
  Eigen::Matrix<double, 6, 3> B;
  B << g.x(), 0, 0, 0, g.y(), 0, 0, 0, g.z(), g.y(), g.x(), 0, 0, g.z(), g.y(), g.z(), 0, g.x();
  return B;
}

/// G at ξ, without the factor j₀/j.
InnerStrain inner_strain(const Mat3& J0_inverse, const Vec3& xi) {
  InnerStrain G = InnerStrain::Zero();
  for (int k = 0; k < 3; ++k) {
    G.middleCols<3>(3 * k) = strain_of(xi[k] * J0_inverse.row(k).transpose());
    G.col(9 + k).head<3>().setConstant(xi[(k + 1) % 3] * xi[(k + 2) % 3]);
  }
  return G;
}

Mat6 elasticity(const Lame& m) {
  Mat6 D = Mat6::Zero();
  D.topLeftCorner<3, 3>().setConstant(m.lambda);
  D.diagonal().array() += m.mu;
  D.topLeftCorner<3, 3>().diagonal().array() += m.mu;
  return D;
}

}  // namespace

HexPoint hex_point(const HexNodes& X, const Vec3& xi) {
  const Eigen::Matrix<double, 3, 8> dN = shape_slopes(xi);
  const Mat3 J = X * dN.transpose();
  HexPoint p;
  p.jacobian = J.determinant();
  p.g = J.inverse().transpose() * dN;
  return p;
}

HexShape hex_shape(const HexNodes& X, const CellFill& fill) {
  HexShape s;
  s.g.setZero();
  s.least_jacobian = hex_point(X, corner(0)).jacobian;
  for (const CellSample& q : samples(fill)) {
    const HexPoint p = hex_point(X, q.xi);
    s.g += q.weight * p.jacobian * p.g;
    s.volume += q.weight * p.jacobian;
    s.least_jacobian = std::min(s.least_jacobian, p.jacobian);
  }
  for (int a = 0; a < 8; ++a)
    s.least_jacobian =
        std::min({s.least_jacobian, hex_point(X, corner(a)).jacobian, hex_point(X, gauss_point(a)).jacobian});
  s.g /= s.volume;
  return s;
}

HexStiffness hex_stiffness(const HexNodes& X, const Lame& m) {
  HexStiffness K = HexStiffness::Zero();
  for (int q = 0; q < 8; ++q) {
    const HexPoint p = hex_point(X, gauss_point(q));
    add_stiffness<8>(p.g, p.jacobian, m, K);
  }
  return K;
}

HexStiffness hex_hourglass_stiffness(const HexNodes& X, const HexShape& s, const Lame& m, HexModes modes,
                                     const CellFill& fill) {
  // Summing εᵀ D ε keeps K_hg positive semi-definite in floating point too.
  HexStiffness K = HexStiffness::Zero();
  const CellFill points = samples(fill);
  if (modes == HexModes::none) {
    for (const CellSample& q : points) {
      const HexPoint p = hex_point(X, q.xi);
      add_stiffness<8>(p.g - s.g, q.weight * p.jacobian, m, K);
    }
    return K;
  }
  const Mat3 J0 = jacobian(X, Vec3::Zero()), J0_inverse = J0.inverse();
  const double j0 = J0.determinant();
  struct Point {
    double weight;
    NodeStrain B;
    InnerStrain G;
  };
  std::vector<Point> strains(points.size());
  InnerStrain mean = InnerStrain::Zero();
  for (size_t q = 0; q < points.size(); ++q) {
    const HexPoint p = hex_point(X, points[q].xi);
    Point& at = strains[q];
    at.weight = points[q].weight * p.jacobian;
    for (int a = 0; a < 8; ++a) at.B.middleCols<3>(3 * a) = strain_of(p.g.col(a) - s.g.col(a));
    at.G = j0 / p.jacobian * inner_strain(J0_inverse, points[q].xi);
    mean += at.weight / s.volume * at.G;
  }
  const Mat6 D = elasticity(m);
  Eigen::Matrix<double, kInnerModes, kInnerModes> inner;
  Eigen::Matrix<double, kInnerModes, 24> mixed;
  inner.setZero();
  mixed.setZero();
  for (Point& at : strains) {
    at.G -= mean;
    const Eigen::Matrix<double, kInnerModes, 6> stress = at.weight * at.G.transpose() * D;
    inner.noalias() += stress * at.G;
    mixed.noalias() += stress * at.B;
  }
  const Eigen::Matrix<double, kInnerModes, 24> alpha = -inner.ldlt().solve(mixed);
  for (const Point& at : strains) {
    const NodeStrain strain = at.B + at.G * alpha;
    const NodeStrain stress = at.weight * D * strain;
    K.noalias() += strain.transpose() * stress;
  }
  return K;
}

HexMass hex_consistent_mass(const HexNodes& X, double density, const CellFill& fill) {
  HexMass M = HexMass::Zero();
  const auto add = [&](const Vec3& xi, double weight) {
    Eigen::Matrix<double, 8, 1> N;
    for (int a = 0; a < 8; ++a) N[a] = shape(a, xi);
    M += density * weight * hex_point(X, xi).jacobian * N * N.transpose();
  };
  for (const CellSample& q : fill) add(q.xi, q.weight);
  if (!fill.empty()) return M;
  // Three points per axis integrate N_a N_b det(∂x/∂ξ), of degree four per axis, exactly.
  const double r = std::sqrt(0.6), point[3] = {-r, 0, r}, weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (int i = 0; i < 27; ++i) {
    const int ix = i % 3, iy = i / 3 % 3, iz = i / 9;
    add(Vec3(point[ix], point[iy], point[iz]), weight[ix] * weight[iy] * weight[iz]);
  }
  return M;
}

Eigen::Matrix<double, 8, 1> hex_lumped_mass(const HexNodes& X, double density) {
  return hex_consistent_mass(X, density).rowwise().sum();
}

}  // namespace palp
