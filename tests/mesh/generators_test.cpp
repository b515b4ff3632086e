#include "palp/mesh/generators.hpp"

#include <limits>
#include <numbers>

#include "mesh/support.hpp"

namespace palp {
namespace generators_test {

using std::numbers::pi;

/// log2 of the ratio of two errors, the second at half the element size.
double order(double coarse, double fine) { return std::log2(std::abs(coarse) / std::abs(fine)); }

TEST(Sphere, is_a_sound_solid_of_good_quality_at_any_resolution) {
  for (int n : {3, 4, 5, 6, 8, 11, 16}) {
    SCOPED_TRACE(n);
    const auto mesh = sphere_hexes({.radius_m = 0.03, .centre_m = {0.1, 0, -0.2}, .cells_across = n});
    ASSERT_TRUE(mesh);
    expect_sound_solid(*mesh, 0.55, 0.35);
    EXPECT_EQ(euler_characteristic(extract_surface(*mesh).mesh.triangles), 2);
    for (const Vec3& p : extract_surface(*mesh).mesh.nodes)
      EXPECT_NEAR((p - Vec3(0.1, 0, -0.2)).norm(), 0.03, 1e-15);
  }
}

TEST(Sphere, volume_and_area_converge_with_second_order) {
  double volume_error[2], area_error[2];
  for (int level = 0; level < 2; ++level) {
    const auto mesh = sphere_tets({.radius_m = 0.5, .cells_across = 8 << level});
    ASSERT_TRUE(mesh);
    volume_error[level] = pi / 6 - volume(*mesh);
    area_error[level] = pi - area(extract_surface(*mesh).mesh);
    EXPECT_GT(volume_error[level], 0);  // inscribed
  }
  EXPECT_NEAR(order(volume_error[0], volume_error[1]), 2, 0.1);
  EXPECT_NEAR(order(area_error[0], area_error[1]), 2, 0.1);
}

TEST(Icosphere, converges_to_the_sphere_and_counts_as_one) {
  double error[2];
  for (int s = 0; s < 5; ++s) {
    const auto mesh = icosphere({.radius_m = 0.5, .centre_m = {1, 1, 1}, .subdivisions = s});
    ASSERT_TRUE(mesh);
    EXPECT_EQ(mesh->triangles.size(), 20u << (2 * s));
    EXPECT_EQ(mesh->nodes.size(), (10u << (2 * s)) + 2);  // Euler: V = 2 + F/2
    EXPECT_EQ(euler_characteristic(mesh->triangles), 2);
    EXPECT_TRUE(check_mesh(*mesh).findings.empty()) << check_mesh(*mesh).text();
    EXPECT_EQ(orientation(*mesh), Orientation::outward);
    if (s >= 3) error[s - 3] = pi / 6 - enclosed_volume(*mesh);
  }
  EXPECT_NEAR(order(error[0], error[1]), 2, 0.05);
}

TEST(Cylinder, is_a_sound_solid_whose_volume_is_that_of_its_polygonal_prism) {
  for (int n : {3, 4, 6, 9, 16}) {
    SCOPED_TRACE(n);
    const CylinderShape shape{.radius_m = 0.02, .length_m = 0.1, .cells_across = n, .cells_along = 5 * n};
    const auto mesh = cylinder_hexes(shape);
    ASSERT_TRUE(mesh);
    expect_sound_solid(*mesh, 0.7, 0.3);
    EXPECT_EQ(euler_characteristic(extract_surface(*mesh).mesh.triangles), 2);
    // The rim is a regular polygon with four times as many corners as the core has cells along a side.
    int corners = 0;
    for (const Vec3& p : mesh->nodes) corners += p.z() < -0.0499 && p.head<2>().norm() > 0.02 - 1e-12;
    const double area = corners / 2.0 * 0.02 * 0.02 * std::sin(2 * pi / corners);
    EXPECT_NEAR(volume(*mesh), area * 0.1, 1e-16);
  }
  const double coarse =
      volume(*cylinder_tets({.radius_m = 1, .length_m = 1, .cells_across = 8, .cells_along = 1}));
  const double fine =
      volume(*cylinder_tets({.radius_m = 1, .length_m = 1, .cells_across = 16, .cells_along = 1}));
  EXPECT_NEAR(order(pi - coarse, pi - fine), 2, 0.05);
}

TEST(Tube, is_a_torus_with_the_volume_of_the_polygonal_ring) {
  for (int n : {3, 8, 24, 48}) {
    SCOPED_TRACE(n);
    const TubeShape shape{.inner_radius_m = 0.01,
                          .outer_radius_m = 0.015,
                          .length_m = 0.06,
                          .cells_around = n,
                          .cells_through = 2};
    const auto mesh = tube_hexes(shape);
    ASSERT_TRUE(mesh);
    expect_sound_solid(*mesh, n > 3 ? 0.6 : 0.4, n > 3 ? 0.2 : 0.05);
    const TriMesh skin = extract_surface(*mesh).mesh;
    EXPECT_EQ(euler_characteristic(skin.triangles), 0);
    const double polygon = n / 2.0 * std::sin(2 * pi / n);
    EXPECT_NEAR(volume(*mesh), polygon * (0.015 * 0.015 - 0.01 * 0.01) * 0.06, 1e-16);
    EXPECT_EQ(tube_surface(shape)->triangles, skin.triangles);
  }
}

TEST(Clip, is_a_sound_solid_whose_volume_converges_to_the_strip_and_the_handle) {
  ClipShape shape;
  const auto exact = [&] {
    // A strip of constant thickness has the area thickness × length of its middle line; the handle is a
    // rectangle less the segment of the ring that it stands on.
    const double t = shape.outer_radius_m - shape.inner_radius_m, ro = shape.outer_radius_m;
    const double ring = (2 * pi - shape.opening_angle_rad) * (shape.inner_radius_m + ro) / 2;
    const double strip = t * (ring + 2 * shape.lip_angle_rad * shape.lip_radius_m);
    const double w = shape.handle_thickness_m, a = std::asin(w / 2 / ro);
    const double under_arc = ro * ro * (a + std::sin(a) * std::cos(a));
    return (strip + w * (ro + shape.handle_length_m) - under_arc) * shape.width_m;
  };
  for (double lip : {0.0, 1.3}) {
    shape.lip_angle_rad = lip;
    shape.cells_wide = 6;
    const auto coarse = clip_hexes(shape);
    ASSERT_TRUE(coarse) << coarse.error().text();
    expect_sound_solid(*coarse, 0.6, 0.2);
    EXPECT_EQ(euler_characteristic(extract_surface(*coarse).mesh.triangles), 2);
    // Refined four times, so that rounding the cells of each section to whole numbers matters little.
    double error[2];
    for (int level = 0; level < 2; ++level) {
      ClipShape finer = shape;
      finer.cells_around = 48 << 2 * level;
      error[level] = exact() - volume(*clip_hexes(finer));
    }
    EXPECT_NEAR(order(error[0], error[1]), 4, 0.2);
  }
}

TEST(Clip, default_weighs_the_fifteen_grams_of_the_paper_in_polyethylene) {
  EXPECT_NEAR(volume(*clip_tets({})) * 950, 0.015, 0.0005);
}

TEST(Clip, opening_is_as_wide_as_asked_and_the_grasp_is_the_outer_half_of_the_handle) {
  const ClipShape shape{.lip_angle_rad = 0};
  const auto mesh = clip_tets(shape);
  ASSERT_TRUE(mesh);
  for (const Vec3& p : mesh->nodes) {
    if (p.head<2>().norm() > shape.outer_radius_m + 1e-9) continue;  // handle
    EXPECT_GE(p.head<2>().norm(), shape.inner_radius_m - 1e-12);
    EXPECT_LE(std::abs(std::atan2(p.x(), p.y())), pi - shape.opening_angle_rad / 2 + 1e-12);
  }
  const auto grasp = clip_grasp_nodes(shape, mesh->nodes);
  EXPECT_GE(grasp.size(), 8u);
  EXPECT_LT(grasp.size(), mesh->nodes.size() / 2);
  const double middle = shape.outer_radius_m + shape.handle_length_m / 2;
  for (size_t n = 0; n < mesh->nodes.size(); ++n) {
    const bool held = std::binary_search(grasp.begin(), grasp.end(), static_cast<int>(n));
    if (mesh->nodes[n].y() > middle + 1e-9) {
      EXPECT_TRUE(held);
    }
    if (mesh->nodes[n].y() < middle - 1e-4) {
      EXPECT_FALSE(held);
    }
  }
}

TEST(Table, fills_its_boxes_and_has_a_hole_per_reinforcement) {
  for (const auto& [bars_x, bars_y, holes] :
       {std::tuple{false, false, 0}, {true, false, 2}, {false, true, 2}, {true, true, 4}}) {
    SCOPED_TRACE(holes);
    const TableShape shape{.reinforced_along_x = bars_x, .reinforced_along_y = bars_y};
    const auto mesh = table_hexes(shape);
    ASSERT_TRUE(mesh);
    expect_sound_solid(*mesh, 0.999, 0.5);
    EXPECT_EQ(euler_characteristic(extract_surface(*mesh).mesh.triangles), 2 - 2 * holes);
    const double bar = shape.leg_thickness_m * shape.bar_thickness_m;
    const double expected = shape.length_m * shape.width_m * shape.top_thickness_m +
                            4 * shape.leg_thickness_m * shape.leg_thickness_m * shape.leg_length_m +
                            (bars_x ? 2 * bar * (shape.length_m - 2 * shape.leg_thickness_m) : 0) +
                            (bars_y ? 2 * bar * (shape.width_m - 2 * shape.leg_thickness_m) : 0);
    EXPECT_NEAR(volume(*mesh), expected, 1e-12 * expected);
    // Four feet on the floor, apart from each other.
    const auto feet = nodes_in_box(mesh->nodes, {-1, -1, -1e-9}, {1, 1, 1e-9});
    int corners = 0;
    for (int n : feet) {
      EXPECT_GE(std::abs(mesh->nodes[n].x()), shape.length_m / 2 - shape.leg_thickness_m - 1e-12);
      EXPECT_GE(std::abs(mesh->nodes[n].y()), shape.width_m / 2 - shape.leg_thickness_m - 1e-12);
      corners += std::abs(mesh->nodes[n].x()) > shape.length_m / 2 - 1e-9 &&
                 std::abs(mesh->nodes[n].y()) > shape.width_m / 2 - 1e-9;
    }
    EXPECT_EQ(corners, 4);
  }
}

TEST(SinePlate, surface_lies_on_the_sine_and_the_solid_below_it) {
  const SinePlateShape shape;
  const auto sheet = sine_surface(shape);
  ASSERT_TRUE(sheet);
  double top = 0;
  for (const Vec3& p : sheet->nodes) {
    EXPECT_NEAR(p.z(), 0.005 * std::sin(2 * pi * p.x() / 0.025), 1e-15);
    top = std::max(top, p.z());
  }
  EXPECT_NEAR(top, 0.005, 1e-12);
  for (const Triangle& t : sheet->triangles)
    EXPECT_GT((sheet->nodes[t[1]] - sheet->nodes[t[0]]).cross(sheet->nodes[t[2]] - sheet->nodes[t[0]]).z(),
              0);
  EXPECT_EQ(orientation(*sheet), Orientation::open);
  EXPECT_EQ(boundary_loops(sheet->triangles).size(), 1u);
  const auto solid = sine_plate_hexes(shape);
  ASSERT_TRUE(solid);
  expect_sound_solid(*solid, 0.4, 0.15);
  // Whole waves add nothing to the flat plate.
  EXPECT_NEAR(volume(*solid), shape.length_m * shape.width_m * shape.depth_m, 1e-16);
}

TEST(SinePlate, area_converges_with_second_order_to_the_arc_length_times_the_width) {
  // Arc length of the sine by Simpson's rule on a million points' worth of accuracy.
  double arc = 0;
  const int steps = 20000;
  for (int k = 0; k <= steps; ++k) {
    const double slope = 0.005 * 2 * pi / 0.025 * std::cos(2 * pi * 4 * k / steps);
    arc += (k == 0 || k == steps ? 1 : k % 2 ? 4 : 2) * std::sqrt(1 + slope * slope) * 0.1 / steps / 3;
  }
  const double coarse = area(*sine_surface({.cells_along = 80})),
               fine = area(*sine_surface({.cells_along = 160}));
  EXPECT_NEAR(order(arc * 0.04 - coarse, arc * 0.04 - fine), 2, 0.1);
}

TEST(Curves, chains_have_equal_segments_and_the_right_ends) {
  const auto straight = straight_curve({.from_m = {1, 0, 0}, .to_m = {1, 2, 0}, .segments = 4});
  ASSERT_TRUE(straight);
  EXPECT_EQ(straight->nodes.size(), 5u);
  EXPECT_EQ(straight->nodes[4], Vec3(1, 2, 0));
  EXPECT_LT((straight->nodes[1] - Vec3(1, 0.5, 0)).norm(), 1e-15);

  const auto arc = arc_curve({.radius_m = 2, .angle_rad = pi / 2, .segments = 9});
  ASSERT_TRUE(arc);
  EXPECT_LT((arc->nodes[9] - Vec3(2, 2, 0)).norm(), 1e-14);
  for (size_t n = 0; n + 1 < arc->nodes.size(); ++n)
    EXPECT_NEAR((arc->nodes[n + 1] - arc->nodes[n]).norm(), 4 * std::sin(pi / 36), 1e-14);

  const auto ring = arc_curve({.radius_m = 1, .angle_rad = 2 * pi, .segments = 12});
  ASSERT_TRUE(ring);
  EXPECT_TRUE(ring->closed);
  EXPECT_EQ(ring->nodes.size(), 12u);
  EXPECT_TRUE(check_mesh(*ring).findings.empty()) << check_mesh(*ring).text();
}

TEST(Curves, clip_is_mirror_symmetric_smooth_and_flares_outwards) {
  const ClipCurveShape shape{.segments = 200};
  const auto clip = clip_curve(shape);
  ASSERT_TRUE(clip);
  EXPECT_FALSE(clip->closed);
  EXPECT_LT((clip->nodes[100] - Vec3(0, shape.radius_m, 0)).norm(), 1e-15);
  double length = 0;
  for (int n = 0; n < 200; ++n) {
    const Vec3 a = clip->nodes[n], b = clip->nodes[n + 1], mirrored = clip->nodes[200 - n];
    EXPECT_NEAR(a.x(), -mirrored.x(), 1e-15);
    EXPECT_NEAR(a.y(), mirrored.y(), 1e-15);
    length += (b - a).norm();
    if (n > 0) {
      EXPECT_GT((b - a).normalized().dot((a - clip->nodes[n - 1]).normalized()), 0.95);
    }
  }
  const double exact = (2 * pi - 1.5) * shape.radius_m + 2 * shape.lip_angle_rad * shape.lip_radius_m;
  EXPECT_NEAR(length, exact, 2e-4 * exact);
  double throat = 1;
  for (const Vec3& p : clip->nodes)
    if (p.y() < 0) throat = std::min(throat, std::abs(p.x()));
  EXPECT_LT(throat, shape.radius_m);                       // narrower than the ring: it snaps
  EXPECT_GT(std::abs(clip->nodes[0].x()), throat + 1e-4);  // and opens again towards the tips
}

TEST(Generators, impossible_values_are_errors_that_name_the_parameter) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto expect_named = [](const auto& result, const char* name) {
    ASSERT_FALSE(result) << name;
    EXPECT_NE(result.error().text().find(name), std::string::npos) << result.error().text();
  };
  expect_named(sphere_tets({.radius_m = -1}), "radius_m");
  expect_named(sphere_tets({.cells_across = 2}), "cells_across");
  expect_named(sphere_tets({.cells_across = 1000}), "coarser");
  expect_named(icosphere({.subdivisions = 30}), "subdivisions");
  expect_named(cylinder_tets({.length_m = nan}), "length_m");
  expect_named(tube_tets({.inner_radius_m = 0.02, .outer_radius_m = 0.01}), "inner_radius_m");
  expect_named(tube_surface({.cells_around = 2}), "cells_around");
  expect_named(clip_tets({.opening_angle_rad = 7}), "opening_angle_rad");
  expect_named(clip_tets({.lip_radius_m = 0.001}), "lip_radius_m");
  expect_named(clip_tets({.lip_radius_m = 1e9}), "coarser");
  expect_named(clip_tets({.handle_thickness_m = 0.1}), "handle_thickness_m");
  expect_named(clip_tets({.inner_radius_m = 0.019, .outer_radius_m = 0.019}), "inner_radius_m");
  expect_named(table_tets({.leg_thickness_m = 0.05}), "legs");
  expect_named(table_tets({.reinforced_along_x = true, .bar_height_m = 0.06}), "bars");
  expect_named(table_tets({.cell_m = 1e-9}), "coarser");
  expect_named(sine_plate_hexes({.depth_m = 0.004}), "depth_m");
  expect_named(sine_surface({.cells_along = 5}), "cells_along");
  expect_named(straight_curve({.to_m = {0, 0, 0}}), "from_m");
  expect_named(arc_curve({.angle_rad = 9}), "angle_rad");
  expect_named(clip_curve({.segments = 7}), "segments");
}

}  // namespace generators_test
}  // namespace palp
