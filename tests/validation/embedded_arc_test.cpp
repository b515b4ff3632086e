// Curved walls given by their surface alone, with default settings: no lattice runs along them. An arc bent
// by couples on its ends has an exact answer (Golovin; Timoshenko and Goodier, Theory of Elasticity, art.
// 29): its sections stay plane and turn against each other by
//     8 M (b² − a²) / (E N)  per angle,    N = (b² − a²)² − 4 a² b² ln²(b/a),
// M the couple per width, a and b the radii inside and outside.
#include <gtest/gtest.h>

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/lattice.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/voxels.hpp"

namespace palp {
namespace embedded_arc_test {

struct Arc {
  double inner, thickness, width, angle;
  double young = 7e8, poisson = 0.3;
  Mat3 attitude = Mat3::Identity();
  VoxelOptions voxels = {};

  struct Answer {
    double bend;  ///< turn of the sections over Golovin's
    int cells;
    double through;
    std::vector<std::string> warnings;
  };

  Answer measure() const {
    const int around = 96, through = 4, wide = 4;
    const double a = inner, b = inner + thickness, middle = inner + thickness / 2;
    struct Place {
      double r, theta, z;
    };
    const auto position = [&](int i, int j, int k) {
      const double r = a + thickness * i / through, t = angle * (1.0 * j / around - 0.5);
      return Vec3(r * std::cos(t), r * std::sin(t), width * (1.0 * k / wide - 0.5));
    };
    TriMesh surface =
        extract_surface(lattice_hexes(
                            {through, around, wide}, [](int, int, int) { return true; }, position))
            .mesh;
    std::vector<Place> X;
    for (Vec3& p : surface.nodes) {
      X.push_back({p.head<2>().norm(), std::atan2(p.y(), p.x()), p.z()});
      p = attitude * p;
    }
    auto laid = embed_in_voxel_hexes(surface, voxels);
    EXPECT_TRUE(laid) << laid.error().text();
    const auto body = FemBody::make({.mesh = laid->mesh,
                                     .hex_fill = laid->fill,
                                     .model = FemModel::linear,
                                     .young_modulus_Pa = young,
                                     .poisson_ratio = poisson,
                                     .rayleigh_mass_per_s = 1,
                                     .quasi_static = true,
                                     .skin = embedded_skin(laid->embedding, surface.triangles),
                                     .condensation_bound_bytes = 0})
                          .value();
    const auto along = [&](const Place& p) {
      return Vec3(attitude * Vec3(-std::sin(p.theta), std::cos(p.theta), 0));
    };
    const auto same = [](double x, double y, double size) { return std::abs(x - y) < 1e-7 * size; };
    const BodyState rest = body->rest_state();
    Loads loads;
    loads.force = VecX::Zero(body->dof());
    double couple = 0;
    for (size_t v = 0; v < X.size(); ++v) {
      if (!same(std::abs(X[v].theta), angle / 2, angle)) continue;
      const double area = (same(X[v].r, a, a) || same(X[v].r, b, a) ? 0.5 : 1) *
                          (same(std::abs(X[v].z), width / 2, width) ? 0.5 : 1);
      const double f = area * (X[v].r - middle) * (X[v].theta > 0 ? 1 : -1);
      if (X[v].theta > 0) couple += f * X[v].r;
      PointJacobian H;
      body->append_vertex(rest, static_cast<int>(v), 1, H);
      H.end_point();
      for (size_t k = 0; k < H.column.size(); ++k)
        loads.force.segment<3>(3 * H.column[k]) += H.block[k].transpose() * (f * along(X[v]));
    }
    auto ws = body->make_workspace();
    BodyState state = rest;
    EXPECT_TRUE(body->free_motion(state, loads, 1, *ws));
    body->commit(*ws, VecX(), state);
    std::vector<Vec3> moved(X.size());
    body->skin_positions(state, VecX(), moved);
    const auto turn = [&](double at) {
      double sum = 0, norm = 0;
      for (size_t v = 0; v < X.size(); ++v) {
        if (!same(X[v].theta, at, angle)) continue;
        sum += (moved[v] - surface.nodes[v]).dot(along(X[v])) * (X[v].r - middle);
        norm += (X[v].r - middle) * (X[v].r - middle);
      }
      return sum / norm;
    };
    const double squares = b * b - a * a, log = std::log(b / a);
    const double N = squares * squares - 4 * a * a * b * b * log * log;
    const double theory = 8 * couple / width * squares / (young * N) * angle / 2;
    return {(turn(angle / 4) - turn(-angle / 4)) / theory, static_cast<int>(laid->mesh.hexes.size()),
            laid->report.cells_through, laid->report.warnings()};
  }
};

constexpr double mm = 1e-3;

TEST(EmbeddedArc, thin_curved_parts_bend_within_five_percent_with_default_settings) {
  // Wide arcs without Poisson's ratio: Golovin's answer then holds whatever the width.
  const std::pair<const char*, Arc> arcs[] = {
      {"a ring with a gap", {15 * mm, 2.5 * mm, 25 * mm, 4.7, 7e8, 0}},
      {"a C-ring, as wide as thick", {15 * mm, 2 * mm, 2 * mm, 4.7, 7e8, 0.3}},
      {"a quarter of a thin tube", {30 * mm, 1.5 * mm, 40 * mm, 1.57, 2e9, 0}},
      {"a hook, turned",
       {6 * mm, 3 * mm, 3 * mm, 3.1, 7e8, 0.3, Mat3(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()))}},
  };
  for (const auto& [name, arc] : arcs) {
    const Arc::Answer answer = arc.measure();
    EXPECT_NEAR(answer.bend, 1, 0.05)
        << name << ": " << answer.cells << " cells, " << answer.through << " through";
    EXPECT_LT(answer.cells, 4500) << name;
  }
}

TEST(EmbeddedArc, too_few_cells_through_a_curved_wall_are_told_with_the_error_they_make) {
  Arc arc{15 * mm, 2.5 * mm, 25 * mm, 4.7, 7e8, 0};
  arc.voxels.wanted_cells = 600;
  const Arc::Answer answer = arc.measure();
  ASSERT_GT(answer.through, 1);
  ASSERT_EQ(answer.warnings.size(), 1u);
  EXPECT_NE(answer.warnings[0].find("askew"), std::string::npos) << answer.warnings[0];
  const size_t at = answer.warnings[0].find("they bend about ");
  ASSERT_NE(at, std::string::npos) << answer.warnings[0];
  const double told = 0.01 * std::atof(answer.warnings[0].c_str() + at + 16);
  EXPECT_NEAR(told, 1 - answer.bend, 0.5 * told) << answer.warnings[0];
}

}  // namespace embedded_arc_test
}  // namespace palp
