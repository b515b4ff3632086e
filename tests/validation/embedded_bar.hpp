// A bar given by its surface alone, in any attitude, bent and twisted by couples on its ends: no support is
// needed, so the answer does not depend on where the lattice's nodes happen to lie.
#pragma once
#include <gtest/gtest.h>

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/voxels.hpp"

namespace palp::test {

struct EmbeddedBar {
  double length, width, height;  ///< along x, y, z
  Mat3 attitude = Mat3::Identity();
  double young = 2e9, poisson = 0.3;
  VoxelOptions voxels = {};

  struct Answer {
    double bend_y, bend_z;  ///< curvature over that of M/(E I), couple about y and z
    double twist;           ///< twist over that of T/(G J), Saint-Venant
    VoxelReport report;
    int cells = 0;
  };

  /// J of a rectangle (Timoshenko and Goodier's series).
  double torsion_constant() const {
    const double a = std::max(width, height), b = std::min(width, height), pi = std::acos(-1.0);
    double sum = 0;
    for (int n = 1; n < 40; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
    return a * b * b * b / 3 * (1 - 192 * b / (std::pow(pi, 5) * a) * sum);
  }

  Answer measure() const {
    const int along = 40;
    TriMesh surface =
        extract_surface(
            *box_hexes({.size_m = {length, width, height}, .centre_m = {0, 0, 0}, .cells = {along, 6, 4}}))
            .mesh;
    const std::vector<Vec3> X = surface.nodes;
    for (Vec3& p : surface.nodes) p = attitude * p;
    auto laid = embed_in_voxel_hexes(surface, voxels);
    EXPECT_TRUE(laid) << laid.error().text();
    FemSpec spec{.mesh = laid->mesh,
                 .hex_fill = laid->fill,
                 .model = FemModel::linear,
                 .young_modulus_Pa = young,
                 .poisson_ratio = poisson,
                 .rayleigh_mass_per_s = 1,
                 .quasi_static = true,
                 .skin = embedded_skin(laid->embedding, surface.triangles),
                 .condensation_bound_bytes = 0};
    const auto body = FemBody::make(spec).value();
    const BodyState rest = body->rest_state();
    Answer answer{};
    answer.report = laid->report;
    answer.cells = static_cast<int>(laid->mesh.hexes.size());
    const double E = young, G = young / (2 * (1 + poisson));
    for (int load = 0; load < 3; ++load) {
      // Couple per unit: bending by axial forces that grow across, torsion by forces around the axis; nodal
      // areas of the end faces' grid.
      const auto shape = [&](const Vec3& x) -> Vec3 {
        if (load == 0) return {x.z(), 0, 0};
        if (load == 1) return {-x.y(), 0, 0};
        return {0, -x.z(), x.y()};
      };
      const auto area = [&](const Vec3& x) {
        const double edge_y = std::abs(std::abs(x.y()) - width / 2) < 1e-9 ? 0.5 : 1,
                     edge_z = std::abs(std::abs(x.z()) - height / 2) < 1e-9 ? 0.5 : 1;
        return edge_y * edge_z;
      };
      const auto moment = [&](const Vec3& x, const Vec3& f) {
        return Vec3(x.cross(f))[load == 2 ? 0 : load == 0 ? 1 : 2];
      };
      VecX force = VecX::Zero(body->dof());
      double couple = 0;
      for (size_t v = 0; v < X.size(); ++v) {
        const double side = std::abs(std::abs(X[v].x()) - length / 2) < 1e-9 ? (X[v].x() > 0 ? 1 : -1) : 0;
        if (side == 0) continue;
        const Vec3 f = side * area(X[v]) * shape(X[v]);
        if (side > 0) couple += moment(Vec3(0, X[v].y(), X[v].z()), f);
        PointJacobian H;
        body->append_vertex(rest, static_cast<int>(v), 1, H);
        H.end_point();
        for (size_t k = 0; k < H.column.size(); ++k)
          force.segment<3>(3 * H.column[k]) += H.block[k].transpose() * (attitude * f);
      }
      Loads loads;
      loads.force = force;
      auto ws = body->make_workspace();
      BodyState state = rest;
      EXPECT_TRUE(body->free_motion(state, loads, 1, *ws));
      body->commit(*ws, VecX(), state);
      std::vector<Vec3> moved(X.size());
      body->skin_positions(state, VecX(), moved);
      // Turn of the cross-sections at a quarter and three quarters.
      const auto turn = [&](double at) {
        double sum = 0, norm = 0;
        for (size_t v = 0; v < X.size(); ++v) {
          if (std::abs(X[v].x() - at) > 1e-9 * length) continue;
          const Vec3 u = attitude.transpose() * (moved[v] - surface.nodes[v]), w = shape(X[v]);
          sum += u.dot(w);
          norm += w.squaredNorm();
        }
        return sum / norm;
      };
      const double rate = (turn(length / 4) - turn(-length / 4)) / (length / 2);
      const double stiffness = load == 0   ? E * width * std::pow(height, 3) / 12
                               : load == 1 ? E * height * std::pow(width, 3) / 12
                                           : G * torsion_constant();
      (load == 0 ? answer.bend_y : load == 1 ? answer.bend_z : answer.twist) = rate * stiffness / couple;
    }
    return answer;
  }
};

}  // namespace palp::test
