// Soft skins of facets against exact shapes: the curve between two vertices touches, not the chord.
#include <algorithm>
#include <cmath>

#include "proximity/shapes.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace curved_edges_test {

using palp::testing::find_pairs;
using palp::testing::Shape;
using palp::testing::touch;

constexpr double pi = 3.14159265358979323846;

/// A trough: the inner side of an arc of a tube around the z axis, open on both rims; or its outer side.
Shape arc(double radius, int cells, double from, double to, bool inner) {
  Shape s;
  for (int i = 0; i <= cells; ++i)
    for (double z : {-0.5, 0.5}) {
      const double angle = from + (to - from) * i / cells;
      s.x.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  for (int i = 0; i < cells; ++i) {
    const int a = 2 * i;
    s.triangles.push_back({a, a + 2, a + 3});
    s.triangles.push_back({a, a + 3, a + 1});
    if (!inner) continue;
    for (size_t k = s.triangles.size() - 2; k < s.triangles.size(); ++k)
      std::swap(s.triangles[k][1], s.triangles[k][2]);
  }
  return s;
}

ProximitySettings soft_first(double range) {
  ProximitySettings settings;
  settings.range_m = range;
  settings.max_depth_m = 0.01;
  settings.leading = 1;
  settings.rounded = {false, true};
  return settings;
}

double smallest_gap(const Shape& skin, const Shape& core, double range) {
  std::vector<ProximityPair> pairs;
  find_pairs(touch(skin), touch(core), soft_first(range), pairs);
  double gap = range;
  for (const ProximityPair& p : pairs) gap = std::min(gap, p.gap);
  return gap;
}

/// An axis that goes round inside or outside the arc sees the round surface everywhere. Facets would be
/// nearer or further by up to their sagitta.
void expect_round(bool inner) {
  const double radius = 1, reach = 0.3, sagitta = radius * (1 - std::cos(0.5 * 1.5 / 6));
  const Shape skin = arc(radius, 6, 0, 1.5, inner);
  for (int i = 0; i <= 200; ++i) {
    const double angle = 0.15 + 1.2 * i / 200, r = inner ? radius - reach : radius + reach;
    Shape core;
    core.x = {{r * std::cos(angle), r * std::sin(angle), -2}, {r * std::cos(angle), r * std::sin(angle), 2}};
    core.segments = {{0, 1}};
    EXPECT_NEAR(smallest_gap(skin, core, 0.4), reach, 0.02 * sagitta) << angle;
  }
}

TEST(CurvedEdges, an_axis_inside_a_trough_of_facets_sees_it_round) { expect_round(true); }
TEST(CurvedEdges, an_axis_beside_a_rod_of_facets_sees_it_round) { expect_round(false); }

TEST(CurvedEdges, the_other_order_of_skins_gives_the_same_pairs_turned_round) {
  const Shape skin = arc(1, 6, 0, 1.5, true);
  Shape core;
  core.x = {{0.7 * std::cos(0.4), 0.7 * std::sin(0.4), -2}, {0.7 * std::cos(0.4), 0.7 * std::sin(0.4), 2}};
  core.segments = {{0, 1}};
  std::vector<ProximityPair> one, other;
  find_pairs(touch(skin), touch(core), soft_first(0.4), one);
  ProximitySettings settings = soft_first(0.4);
  settings.leading = 2;
  settings.rounded = {true, false};
  find_pairs(touch(core), touch(skin), settings, other);
  ASSERT_EQ(one.size(), other.size());
  const auto curved = [](const ProximityPair& p) { return !p.bulge.isZero(0); };
  EXPECT_GT(std::count_if(one.begin(), one.end(), curved), 0);
  for (const ProximityPair& p : one)
    EXPECT_TRUE(std::any_of(other.begin(), other.end(), [&](const ProximityPair& q) {
      return std::abs(p.gap - q.gap) < 1e-12 && (p.normal + q.normal).norm() < 1e-9 &&
             (p.bulge + q.bulge).norm() < 1e-12;
    }));
}

TEST(CurvedEdges, creases_and_flat_faces_stay_as_they_are) {
  // A box whose edges and faces an axis passes at all angles: nothing of it is curved.
  const Shape box = palp::testing::cube(1, Vec3::Zero());
  for (int i = 0; i < 100; ++i) {
    const double angle = 2 * pi * i / 100;
    Shape core;
    core.x = {{std::cos(angle), std::sin(angle), -2}, {std::cos(angle), std::sin(angle), 2}};
    core.segments = {{0, 1}};
    std::vector<ProximityPair> pairs;
    find_pairs(touch(box), touch(core), soft_first(0.6), pairs);
    for (const ProximityPair& p : pairs) EXPECT_TRUE(p.bulge.isZero(1e-12)) << angle;
  }
}

TEST(CurvedEdges, a_ball_near_a_sphere_of_facets_is_never_nearer_than_to_the_sphere) {
  const Shape skin = palp::testing::bumpy_sphere(2, 1, Vec3::Zero(), 0, 1);
  std::mt19937 engine(5);
  std::normal_distribution<> normal;
  for (int i = 0; i < 500; ++i) {
    Shape core;
    core.x = {1.3 * Vec3(normal(engine), normal(engine), normal(engine)).normalized()};
    // The sphere is 0.3 away; the vertices and edges around the nearest point at most a facet's height
    // further.
    const double gap = smallest_gap(skin, core, 0.6);
    EXPECT_GT(gap, 0.3 - 2e-3);
    EXPECT_LT(gap, 0.36);
  }
}

/// A rod of facets along z that stands for a round one, as a rigid mesh.
Shape rod(double radius, int sides, double turn) {
  Shape s;
  for (int i = 0; i < sides; ++i)
    for (double z : {-2.0, 2.0}) {
      const double angle = turn + 2 * pi * i / sides;
      s.x.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  for (int i = 0; i < sides; ++i) {
    const int a = 2 * i, b = 2 * ((i + 1) % sides);
    s.triangles.push_back({a, b, b + 1});
    s.triangles.push_back({a, b + 1, a + 1});
  }
  return s;
}

// A trough of six facets and a rod of 48, both of which stand for round surfaces: the gap is that of the
// circles, wherever the rod is, and the normal that of the circles as well.
TEST(CurvedEdges, a_smooth_rod_of_facets_in_a_trough_of_facets_sees_it_round) {
  const double radius = 1, reach = 0.3, thick = 0.25;
  const double of_trough = radius * (1 - std::cos(0.5 * 1.5 / 6)), of_rod = thick * (1 - std::cos(pi / 48));
  const Shape skin = arc(radius, 6, 0, 1.5, true);
  ProximitySettings settings = soft_first(0.1);
  settings.rounded = {false, false};
  int edges = 0;
  for (int i = 0; i <= 200; ++i) {
    const double angle = 0.15 + 1.2 * i / 200, r = radius - reach;
    Shape tool = rod(thick, 48, 0.03 * i);
    const Vec3 middle(r * std::cos(angle), r * std::sin(angle), 0);
    for (Vec3& x : tool.x) x += middle;
    std::vector<ProximityPair> pairs;
    find_pairs(touch(skin), touch(tool), settings, pairs);
    ASSERT_FALSE(pairs.empty());
    const ProximityPair& nearest = pairs.front();
    EXPECT_NEAR(nearest.gap, reach - thick, 0.02 * of_trough + 0.1 * of_rod) << angle;
    EXPECT_GT(nearest.normal.dot(middle.normalized()), 1 - 0.1 * (1 - std::cos(pi / 48))) << angle;
    edges += nearest.feature2 == ProximityPair::patches;
  }
  EXPECT_GT(edges, 150);
}

}  // namespace curved_edges_test
}  // namespace palp
