// Crossings against a second method: the sign of the volume that the four corners span, followed in small
// steps.
#include "palp/proximity/crossings.hpp"

#include <random>

#include <gtest/gtest.h>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace crossings_test {

struct Skin {
  TouchSurface touch;
  Sweep sweep;
  Skin(const std::vector<Vec3>& start, const std::vector<Vec3>& end, const std::vector<Triangle>& triangles,
       const std::vector<Edge>& segments = {})
      : touch(TouchTopology::make(static_cast<int>(start.size()), triangles, segments)) {
    touch.update(start, start);
    sweep.update(touch, end);
  }
};

std::vector<Crossing> crossings(const Skin& a, const Skin& b, double thickness = 0, double tolerance = 1e-7) {
  CrossingScratch scratch;
  std::vector<Crossing> out;
  find_crossings(a.touch, a.sweep, b.touch, b.sweep, {.thickness_m = thickness, .tolerance_m = tolerance},
                 scratch, out);
  return out;
}

struct Dice {
  std::mt19937 engine{7};
  Vec3 vec(double size) {
    std::uniform_real_distribution<> d(-size, size);
    return {d(engine), d(engine), d(engine)};
  }
};

double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

/// Four corners on straight ways: how often does the volume change its sign where `inside` holds, and by how
/// much is the last change certain?
template <class Inside>
int sign_changes(const std::array<Vec3, 4>& start, const std::array<Vec3, 4>& end, Inside&& inside,
                 bool& certain) {
  constexpr int samples = 4000;
  int changes = 0;
  double before = 0;
  std::array<Vec3, 4> x;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    for (int k = 0; k < 4; ++k) x[k] = start[k] + t * (end[k] - start[k]);
    const double now = volume(x[0], x[1], x[2], x[3]);
    if (i > 0 && now * before < 0) {
      const double margin = inside(x);
      certain = certain && margin > 0.02;  // elsewhere, it goes round the border
      changes += margin > 0;
    }
    before = now;
  }
  return changes;
}

TEST(Crossings, a_vertex_that_passes_through_a_triangle_is_found_and_nothing_else) {
  Dice dice;
  int found = 0, twice = 0;
  for (int i = 0; i < 3000; ++i) {
    std::array<Vec3, 4> start, end;
    for (int k = 0; k < 4; ++k) start[k] = dice.vec(1), end[k] = start[k] + dice.vec(i % 2 ? 0.3 : 1.5);
    bool certain = true;
    const int changes = sign_changes(
        start, end,
        [](const std::array<Vec3, 4>& x) {
          const Vec3 n = (x[1] - x[0]).cross(x[2] - x[0]);
          const double area2 = n.squaredNorm();
          const double a = (x[2] - x[1]).cross(x[3] - x[1]).dot(n) / area2,
                       b = (x[0] - x[2]).cross(x[3] - x[2]).dot(n) / area2;
          return std::min({a, b, 1 - a - b});
        },
        certain);
    // Faces may turn as far as they like, and be crossed twice: forth and back is through, too.
    if (!certain) continue;
    twice += changes > 1;
    const Skin sheet({start[0], start[1], start[2]}, {end[0], end[1], end[2]}, {{0, 1, 2}});
    const Skin point({start[3]}, {end[3]}, {});
    const auto all = crossings(point, sheet);
    EXPECT_EQ(all.size(), changes > 0 ? 1u : 0u) << i;
    found += changes > 0;
    if (all.empty()) continue;
    EXPECT_GT(all[0].depth, 0);
    // The normal leads back to where the vertex was, unless the face turns too far to tell.
    const Vec3 n0 = (start[1] - start[0]).cross(start[2] - start[0]).normalized(),
               n1 = (end[1] - end[0]).cross(end[2] - end[0]).normalized();
    if (n0.dot(n1) < 0.6) continue;
    EXPECT_GT(all[0].pair.gap, 0);
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(twice, 0);
}

TEST(Crossings, edges_that_pass_through_each_other_are_found_and_nothing_else) {
  Dice dice;
  int found = 0, twice = 0;
  for (int i = 0; i < 3000; ++i) {
    std::array<Vec3, 4> start, end;
    for (int k = 0; k < 4; ++k) start[k] = dice.vec(1), end[k] = start[k] + dice.vec(i % 2 ? 0.3 : 1.5);
    bool certain = true;
    const int changes = sign_changes(
        start, end,
        [](const std::array<Vec3, 4>& x) {
          const Vec3 u = x[1] - x[0], v = x[3] - x[2], w = x[0] - x[2];
          const double uu = u.dot(u), vv = v.dot(v), uv = u.dot(v), det = uu * vv - uv * uv;
          const double s = (uv * v.dot(w) - vv * u.dot(w)) / det, t = (uu * v.dot(w) - uv * u.dot(w)) / det;
          return std::min({s, 1 - s, t, 1 - t});
        },
        certain);
    if (!certain) continue;
    twice += changes > 1;
    // Edges of sheets without thickness: the third corners lie far off, where nothing else is met.
    const Vec3 far1 = start[0] + Vec3(0, 0, 40), far2 = start[2] + Vec3(0, 40, 0);
    const Skin one({start[0], start[1], far1}, {end[0], end[1], far1}, {{0, 1, 2}});
    const Skin two({start[2], start[3], far2}, {end[2], end[3], far2}, {{0, 1, 2}});
    CrossingScratch scratch;
    std::vector<Crossing> all;
    find_crossings(one.touch, one.sweep, two.touch, two.sweep, {.tolerance_m = 1e-7}, scratch, all);
    const auto mine = std::count_if(all.begin(), all.end(), [](const Crossing& c) {
      return c.pair.kind == PairKind::edge_edge && c.pair.P.vertex[0] + c.pair.P.vertex[1] == 1 &&
             c.pair.Q.vertex[0] + c.pair.Q.vertex[1] == 1;
    });
    // Another pair of the sheets may be met before; then the edges are not asked.
    if (mine == 0 && !all.empty()) continue;
    EXPECT_EQ(mine, changes > 0 ? 1 : 0) << i;
    found += changes > 0;
  }
  EXPECT_GT(found, 10);
  EXPECT_GT(twice, 0);
}

TEST(Crossings, with_a_thickness_the_time_is_that_of_the_touch) {
  // A point with a radius of 0.1 falls on a sheet, past a segment, on a point.
  const Skin point({Vec3(0, 0, 1)}, {Vec3(0, 0, -1)}, {});
  const Skin sheet({{-1, -1, 0}, {1, -1, 0}, {0, 2, 0}}, {{-1, -1, 0}, {1, -1, 0}, {0, 2, 0}}, {{0, 1, 2}});
  const auto on_sheet = crossings(point, sheet, 0.1);
  ASSERT_EQ(on_sheet.size(), 1u);
  EXPECT_NEAR(on_sheet[0].time, 0.45, 1e-6);
  EXPECT_NEAR(on_sheet[0].depth, 1.1, 1e-6);
  const Skin segment({{-1, 0.06, 0}, {1, 0.06, 0}}, {{-1, 0.06, 0}, {1, 0.06, 0}}, {}, {{0, 1}});
  const auto on_segment = crossings(point, segment, 0.1);
  ASSERT_EQ(on_segment.size(), 1u);
  EXPECT_NEAR(on_segment[0].time, 0.5 - 0.04, 1e-6);  // 0.08 above: sqrt(0.1² − 0.06²)
  EXPECT_NEAR(on_segment[0].pair.normal.dot(Vec3(0, -0.6, 0.8)), 1, 1e-5);
  const Skin beside({{-1, 0.11, 0}, {1, 0.11, 0}}, {{-1, 0.11, 0}, {1, 0.11, 0}}, {}, {{0, 1}});
  EXPECT_TRUE(crossings(point, beside, 0.1).empty());
  const Skin other({Vec3(0.06, 0, 0)}, {Vec3(0.06, 0, 0)}, {});
  const auto on_point = crossings(point, other, 0.1);
  ASSERT_EQ(on_point.size(), 1u);
  EXPECT_NEAR(on_point[0].time, 0.46, 1e-6);
}

// A soft skin that is led by its vertices may be crumpled and inside out, so that its edges look where its
// vertices do not. Whatever enters a solid with a vertex is found with a vertex.
TEST(Crossings, a_led_skin_is_found_at_its_vertices_however_it_is_turned) {
  BoxShape shape;
  shape.size_m = Vec3(10, 10, 1);
  shape.centre_m = Vec3(0, 0, -0.5);
  shape.cells = {1, 1, 1};
  const TriMesh plate = extract_surface(*box_hexes(shape)).mesh;
  const Skin below(plate.nodes, plate.nodes, plate.triangles);
  const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  Dice dice;
  int entered = 0, edges_too = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Vec3> start(4), end(4);
    bool enters = false;
    for (int k = 0; k < 4; ++k) {
      start[k] = dice.vec(0.5) + Vec3(0, 0, 0.5 + 1e-3);
      end[k] = start[k] + dice.vec(0.3);
      enters |= end[k].z() < -1e-3;
    }
    const Skin crumpled(start, end, faces);
    CrossingScratch scratch;
    std::vector<Crossing> out;
    const auto search = [&](std::array<bool, 2> led) {
      find_crossings(crumpled.touch, crumpled.sweep, below.touch, below.sweep,
                     {.tolerance_m = 1e-6, .led = led}, scratch, out);
    };
    search({true, false});
    if (enters) {
      EXPECT_FALSE(out.empty()) << i;
      ++entered;
    }
    for (const Crossing& c : out) EXPECT_GE(c.pair.vertex(0), 0) << i;
    search({false, false});
    for (const Crossing& c : out) edges_too += c.pair.vertex(0) < 0;
  }
  EXPECT_GT(entered, 300);
  EXPECT_GT(edges_too, 0);  // the plate's diagonal
}

TEST(Crossings, a_cover_keeps_the_ends_of_a_row) {
  std::vector<CoverPlace> row;
  for (int i = 0; i <= 100; ++i) row.push_back({Vec3(0.01 * i, 0, 0)});
  CoverScratch scratch;
  choose_cover(row, 3, scratch);
  EXPECT_TRUE(scratch.kept[0] && scratch.kept[50] && scratch.kept[100]);
  row[30].needed = row[31].needed = true;
  row[31].depth = 0.1;
  choose_cover(row, 3, scratch);
  EXPECT_TRUE(scratch.kept[30] && scratch.kept[31] && scratch.kept[100]);
  choose_cover(row, 1, scratch);
  EXPECT_EQ(std::count(scratch.kept.begin(), scratch.kept.end(), 1), 1);
  EXPECT_TRUE(scratch.kept[31]);  // the deepest
  row[30].known = true;
  row[30].depth = 0.09;
  choose_cover(row, 1, scratch);
  EXPECT_TRUE(scratch.kept[30]);  // hardly less deep, and kept a step ago
}

TEST(Crossings, a_cover_stands_for_every_part) {
  std::vector<CoverPlace>
      places;  // a wide patch, and a small one of another pair of bodies at the same place
  for (int i = 0; i < 100; ++i) places.push_back({Vec3(0.01 * i, 0, 0), 0});
  for (int i = 0; i < 10; ++i) places.push_back({Vec3(0.01 * i, 0, 0), 1});
  CoverScratch scratch;
  choose_cover(places, 4, scratch);
  EXPECT_GT(std::count(scratch.kept.begin() + 100, scratch.kept.end(), 1), 0);
  EXPECT_TRUE(scratch.kept[0] && scratch.kept[99]);
}

}  // namespace crossings_test
}  // namespace palp
