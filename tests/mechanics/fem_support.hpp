// Small bodies and independent checks shared by the tests of the volume models.
#pragma once
#include <random>

#include <gtest/gtest.h>

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"
#include "palp/mesh/quadratic.hpp"

namespace palp::test {

inline TetMesh tet_box(int n, double size = 0.1) {
  return box_tets({.size_m = Vec3::Constant(size), .centre_m = Vec3::Zero(), .cells = {n, n, n}}).value();
}
inline HexMesh hex_box(int n, double size = 0.1) {
  return box_hexes({.size_m = Vec3::Constant(size), .centre_m = Vec3::Zero(), .cells = {n, n, n}}).value();
}

/// Moves every node by up to `amount`, so that no element is regular.
template <class Mesh>
Mesh distorted(Mesh mesh, double amount, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-amount, amount);
  for (Vec3& x : mesh.nodes) x += Vec3(u(random), u(random), u(random));
  return mesh;
}

enum class Kind { tets, hexes, trilinear_hexes, quadratic_tets };
inline constexpr Kind kKinds[] = {Kind::tets, Kind::hexes, Kind::trilinear_hexes, Kind::quadratic_tets};
inline std::string name(Kind kind) {
  constexpr const char* names[] = {"tets", "hexes", "trilinear hexes", "quadratic tets"};
  return names[static_cast<int>(kind)];
}

/// Linear hexes as elements of any kind.
inline FemSpec spec_of(Kind kind, const HexMesh& hexes) {
  FemSpec spec;
  if (kind == Kind::tets)
    spec.mesh = split_hexes(hexes);
  else if (kind == Kind::quadratic_tets)
    spec.mesh = quadratic(split_hexes(hexes));
  else
    spec.mesh = hexes;
  spec.hex_modes = kind == Kind::trilinear_hexes ? HexModes::none : HexModes::inner;
  return spec;
}

/// An irregular cube of n³ cells.
inline FemSpec irregular_box(Kind kind, int n) { return spec_of(kind, distorted(hex_box(n), 0.004)); }

inline const std::vector<Vec3>& nodes(const FemSpec& spec) {
  return std::visit([](const auto& mesh) -> const std::vector<Vec3>& { return mesh.nodes; }, spec.mesh);
}

inline std::vector<int> nodes_where(const std::vector<Vec3>& nodes,
                                    const std::function<bool(const Vec3&)>& keep) {
  std::vector<int> out;
  for (size_t n = 0; n < nodes.size(); ++n)
    if (keep(nodes[n])) out.push_back(static_cast<int>(n));
  return out;
}

inline std::unique_ptr<FemBody> make(const FemSpec& spec) {
  auto body = FemBody::make(spec);
  if (!body) ADD_FAILURE() << body.error().text();
  return std::move(body).value();
}

/// Random numbers in [−amount, amount].
inline VecX noise(int size, double amount, unsigned seed = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-amount, amount);
  return VecX::NullaryExpr(size, [&] { return u(random); });
}

/// x ← R x for all nodes.
inline VecX rotated(const VecX& x, const Mat3& R) {
  VecX out = x;
  for (int i = 0; i + 2 < x.size(); i += 3) out.segment<3>(i) = R * x.segment<3>(i);
  return out;
}

inline Mat3 some_rotation(double angle) {
  return Eigen::AngleAxisd(angle, Vec3(1, -2, 0.7).normalized()).toRotationMatrix();
}

/// `count` contact points, each inside a skin triangle; the last one repeats the first.
inline PointJacobian contact_points(const FemBody& body, const BodyState& state, int count,
                                    unsigned seed = 11) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(0, 1);
  PointJacobian H;
  const auto& triangles = body.skin().triangles;
  for (int i = 0; i < count; ++i) {
    const Triangle& t = triangles[i + 1 == count ? 0 : (i * 7) % triangles.size()];
    const double a = i + 1 == count || i == 0 ? 0.2 : u(random), b = (1 - a) * 0.6;
    body.append_vertex(state, t[0], a, H);
    body.append_vertex(state, t[1], b, H);
    body.append_vertex(state, t[2], 1 - a - b, H);
    H.end_point();
  }
  return H;
}

inline MatX dense(const PointJacobian& H, int dof) {
  MatX J = MatX::Zero(3 * H.points(), dof);
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) J.block<3, 3>(3 * i, 3 * H.column[k]) += H.block[k];
  return J;
}

/// Steps without contact.
inline bool step(const Body& body, const Loads& loads, double h, BodyWorkspace& ws, BodyState& state) {
  if (!body.free_motion(state, loads, h, ws)) return false;
  body.commit(ws, VecX(), state);
  return true;
}

}  // namespace palp::test
