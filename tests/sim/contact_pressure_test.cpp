// Contact pressure on a skin: forces over areas, nothing lost.
#include "palp/sim/contact_pressure.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "palp/mesh/generators.hpp"

namespace palp {
namespace contact_pressure_test {

double total(std::span<const double> pressure, std::span<const double> area) {
  return std::inner_product(pressure.begin(), pressure.end(), area.begin(), 0.0);
}

TEST(ContactPressure, a_force_in_the_middle_of_a_triangle_is_spread_over_all_of_it) {
  const std::vector<Vec3> x{{0, 0, 0}, {0.02, 0, 0}, {0, 0.01, 0}};
  Skin skin;
  skin.vertices = 3;
  skin.triangles = {{0, 1, 2}};
  const SkinLoad load{.at = {.vertex = {0, 1, 2}, .weight = Vec3::Constant(1.0 / 3)}, .force_N = 5};
  for (double p : contact_pressure(skin, x, {&load, 1})) EXPECT_NEAR(p, 5 / 1e-4, 1e-6);
}

TEST(ContactPressure, forces_anywhere_on_a_skin_are_what_pressure_over_area_comes_to) {
  const TriMesh ball = *icosphere({.radius_m = 0.03, .subdivisions = 2});
  Skin skin;
  skin.vertices = static_cast<int>(ball.nodes.size());
  skin.triangles = ball.triangles;
  std::vector<SkinLoad> loads;
  double sum = 0;
  for (int i = 0; i < 50; ++i) {
    const double a = 0.02 * i, b = (1 - a) * (0.3 + 0.01 * i), force = 1 + 0.1 * i;
    loads.push_back(
        {{.vertex = ball.triangles[static_cast<size_t>(6 * i)], .weight = {a, b, 1 - a - b}}, force});
    sum += force;
  }
  const auto area = vertex_areas(skin.triangles, ball.nodes);
  EXPECT_NEAR(total(contact_pressure(skin, ball.nodes, loads), area), sum, 1e-12 * sum);
  for (double p : contact_pressure(skin, ball.nodes, {})) EXPECT_EQ(p, 0);
}

TEST(ContactPressure, the_corners_of_a_rectangle_have_a_quarter_of_it_however_it_is_cut) {
  const std::vector<Vec3> x{{0, 0, 0}, {0.02, 0, 0}, {0.02, 0.01, 0}, {0, 0.01, 0}};
  const std::vector<Triangle> quad{{0, 1, 2}, {0, 2, 3}}, other{{0, 1, 2}, {2, 3, 0}};
  for (double a : vertex_areas(quad, x)) EXPECT_NEAR(a, 0.25 * 2e-4, 1e-15);
  EXPECT_NEAR(vertex_areas(other, x)[0], 2e-4 / 3, 1e-15);  // two triangles that happen to meet
  EXPECT_NEAR(vertex_areas(other, x)[1], 2e-4 / 6, 1e-15);
}

TEST(ContactPressure, what_has_no_surface_has_no_pressure) {
  Skin thread;
  thread.vertices = 2;
  thread.segments = {{0, 1}};
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}};
  const SkinLoad load{.at = {.vertex = {0, 1, 0}, .weight = {0.5, 0.5, 0}}, .force_N = 1};
  EXPECT_TRUE(contact_pressure(thread, x, {&load, 1}).empty());
}

}  // namespace contact_pressure_test
}  // namespace palp
