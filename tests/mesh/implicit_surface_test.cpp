#include "palp/mesh/implicit_surface.hpp"

#include <limits>
#include <numbers>

#include "mesh/support.hpp"

#include "palp/mesh/voxels.hpp"

namespace palp {
namespace implicit_surface_test {

using std::numbers::pi;

double ball(const Vec3& p) { return (p - Vec3(0.003, 0.001, -0.002)).norm() - 0.07; }
double torus(const Vec3& p) { return std::hypot(std::hypot(p.x(), p.y()) - 0.05, p.z()) - 0.02; }

TEST(ImplicitSurface, a_ball_lies_on_the_sphere_and_its_volume_converges_with_second_order) {
  double error[2];
  for (int level = 0; level < 2; ++level) {
    const auto mesh = implicit_surface(ball, {.cell_m = 0.01 / (1 << level)});
    ASSERT_TRUE(mesh);
    const MeshReport report = check_mesh(*mesh);
    EXPECT_TRUE(report.findings.empty()) << report.text();
    EXPECT_EQ(orientation(*mesh), Orientation::outward);
    EXPECT_EQ(euler_characteristic(mesh->triangles), 2);
    for (const Vec3& p : mesh->nodes) ASSERT_NEAR(ball(p), 0, 1e-9);
    error[level] = 4 * pi / 3 * std::pow(0.07, 3) - enclosed_volume(*mesh);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.3);
}

TEST(ImplicitSurface, a_torus_has_one_hole_and_pappus_volume_and_area) {
  const auto mesh = implicit_surface(torus, {.cell_m = 0.003});
  ASSERT_TRUE(mesh);
  EXPECT_TRUE(check_mesh(*mesh).findings.empty()) << check_mesh(*mesh).text();
  EXPECT_EQ(euler_characteristic(mesh->triangles), 0);
  EXPECT_NEAR(enclosed_volume(*mesh), 2 * pi * pi * 0.05 * 0.02 * 0.02,
              0.01 * 2 * pi * pi * 0.05 * 0.02 * 0.02);
  EXPECT_NEAR(area(*mesh), 4 * pi * pi * 0.05 * 0.02, 0.01 * 4 * pi * pi * 0.05 * 0.02);
}

TEST(ImplicitSurface, closed_and_manifold_even_for_noise_that_the_grid_cannot_resolve) {
  for (int seed = 1; seed <= 4; ++seed) {
    const auto noise = [seed](const Vec3& p) {
      if (p.cwiseAbs().maxCoeff() > 0.08) return 1.0;
      return std::sin(1234.5 * seed * p.x() + 1) * std::cos(987.6 * p.y() * seed) +
             std::sin(555.5 * seed * p.z());
    };
    const auto mesh = implicit_surface(noise, {.cell_m = 0.01, .relaxations = 0});
    ASSERT_TRUE(mesh);
    const MeshReport report = check_mesh(*mesh);
    EXPECT_EQ(report.find(Defect::open_edge), nullptr);
    EXPECT_EQ(report.find(Defect::non_manifold_edge), nullptr);
    EXPECT_EQ(report.find(Defect::non_manifold_vertex), nullptr);
    EXPECT_EQ(report.find(Defect::orientation), nullptr);
  }
}

TEST(ImplicitSurface, statue_has_four_holes_at_any_resolution_and_scale) {
  double volumes[2];
  int level = 0;
  for (const StatueShape& shape : {StatueShape{0.1, 0.002}, StatueShape{1.0, 0.015}}) {
    const auto mesh = statue_surface(shape);
    ASSERT_TRUE(mesh);
    const MeshReport report = check_mesh(*mesh);
    EXPECT_TRUE(report.findings.empty()) << report.text();
    EXPECT_EQ(orientation(*mesh), Orientation::outward);
    EXPECT_EQ(euler_characteristic(mesh->triangles), 2 - 2 * 4);
    double low = 1, high = -1;
    for (const Vec3& p : mesh->nodes) {
      low = std::min(low, p.z());
      high = std::max(high, p.z());
    }
    EXPECT_NEAR(low, 0, 0.01 * shape.height_m);
    EXPECT_NEAR(high, shape.height_m, 0.01 * shape.height_m);
    volumes[level++] = enclosed_volume(*mesh) / std::pow(shape.height_m, 3);
  }
  EXPECT_NEAR(volumes[0], volumes[1], 0.02 * volumes[1]);
}

TEST(ImplicitSurface, statue_becomes_a_deformable_body_by_itself) {
  const auto mesh = statue_surface({});
  ASSERT_TRUE(mesh);
  const auto body = embed_in_voxel_hexes(*mesh, {.wanted_cells = 800});
  ASSERT_TRUE(body);
  EXPECT_TRUE(body->embedding.extrapolated.empty());
  EXPECT_TRUE(check_mesh(body->mesh).ok());
  EXPECT_EQ(body->report.parts, 1);
}

TEST(ImplicitSurface, is_repeatable_to_the_bit) {
  const auto a = statue_surface({}), b = statue_surface({});
  EXPECT_EQ(a->nodes, b->nodes);
  EXPECT_EQ(a->triangles, b->triangles);
}

TEST(ImplicitSurface, impossible_grids_and_functions_are_errors) {
  EXPECT_FALSE(implicit_surface(ball, {.cell_m = 0}));
  EXPECT_FALSE(implicit_surface(ball, {.cell_m = 1e-6}));
  EXPECT_FALSE(implicit_surface(ball, {.low_m = Vec3::Constant(0.2), .high_m = Vec3::Constant(0.1)}));
  EXPECT_FALSE(implicit_surface(ball, {.low_m = Vec3::Constant(-0.01), .high_m = Vec3::Constant(0.01)}));
  EXPECT_FALSE(implicit_surface([](const Vec3&) { return 1.0; }, {}));
  EXPECT_FALSE(implicit_surface([](const Vec3&) { return std::numeric_limits<double>::quiet_NaN(); }, {}));
  EXPECT_FALSE(statue_surface({.height_m = 0.1, .cell_m = 0.01}));
}

}  // namespace implicit_surface_test
}  // namespace palp
