// A skin that meets itself: what is folded on each other is found, neighbours and thin walls are not.
#include <cmath>
#include <numbers>

#include "proximity/shapes.hpp"
#include <gtest/gtest.h>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/proximity/self_touch.hpp"

namespace palp {
namespace self_pairs_test {

using testing::Shape;

constexpr double thickness = 0.002, length = 0.1;

Shape strip() {
  BoxShape shape;
  shape.size_m = Vec3(length, 0.01, thickness);
  shape.centre_m = Vec3(0.5 * length, 0, 0);
  shape.cells = {50, 5, 1};
  const TriMesh mesh = extract_surface(*box_hexes(shape)).mesh;
  return {mesh.nodes, mesh.triangles, {}};
}

/// The strip bent to a U around y: legs with `gap` between their inner sides, which were the upper side. The
/// bend has a gap of 1 mm or more; further on the upper leg sinks by the rest.
Vec3 bent(const Vec3& x, double gap) {
  const double inner = std::max(gap, 0.001), radius = 0.5 * (inner + thickness);
  const double leg = 0.5 * (length - std::numbers::pi * radius);
  if (x.x() <= leg) return x;
  const double angle = std::min((x.x() - leg) / radius, std::numbers::pi);
  const double beyond = std::max(0.0, x.x() - leg - std::numbers::pi * radius), r = radius - x.z();
  const double sunk = (inner - gap) * (angle / std::numbers::pi);
  return {leg + r * std::sin(angle) - beyond, x.y(), radius - r * std::cos(angle) - sunk};
}

struct Found {
  std::vector<ProximityPair> pairs;
  Shape rest;
};

/// `before`: knows the steps before.
Found search(const Shape& rest, const std::vector<Vec3>& now, double alarm, SelfTouch* before = nullptr) {
  const TouchSurface at_rest = testing::touch(rest);
  SelfTouch touch(at_rest, 0.5 * std::numbers::pi * alarm);
  const TouchSurface s = testing::touch({now, rest.triangles, rest.segments});
  Found out{{}, rest};
  ProximitySettings settings;
  settings.range_m = settings.max_depth_m = alarm;
  settings.self = before ? before : &touch;
  testing::find_pairs(s, s, settings, out.pairs);
  return out;
}

TEST(SelfPairs, a_body_at_rest_does_not_touch_itself_however_thin) {
  const Shape flat = strip();
  const Shape ball = testing::bumpy_sphere(3, 0.05, Vec3::Zero(), 0.02, 3);
  for (double alarm : {0.0005, 0.003, 0.02}) {
    EXPECT_TRUE(search(flat, flat.x, alarm).pairs.empty()) << alarm;
    EXPECT_TRUE(search(ball, ball.x, alarm).pairs.empty()) << alarm;
  }
}

TEST(SelfPairs, a_thin_wall_may_be_squeezed_to_a_third_and_does_not_touch_itself) {
  const Shape flat = strip();
  std::vector<Vec3> squeezed = flat.x;
  for (Vec3& x : squeezed) x.z() *= 0.33;
  for (double alarm : {0.0005, 0.003, 0.02})
    EXPECT_TRUE(search(flat, squeezed, alarm).pairs.empty()) << alarm;
}

// Inner sides face each other at the distance of the legs, also where they overlap a little; the outer sides
// have nothing to do with each other, though the strip is thinner than the alarm distance.
TEST(SelfPairs, the_legs_of_a_folded_strip_meet_at_their_inner_sides) {
  const Shape flat = strip();
  for (double gap : {0.0015, 0.0002, 0.0, -0.0001}) {
    SCOPED_TRACE(gap);
    std::vector<Vec3> now = flat.x;
    for (Vec3& x : now) x = bent(x, gap);
    const Found found = search(flat, now, 0.003);
    std::vector<int> met(flat.x.size(), 0);
    for (const ProximityPair& p : found.pairs) {
      EXPECT_GT(p.P.at(flat.x).z(), 0.4 * thickness);
      EXPECT_GT(p.Q.at(flat.x).z(), 0.4 * thickness);
      const bool legs = p.P.at(now).x() < 0.038 && p.Q.at(now).x() < 0.038;
      if (legs) {
        EXPECT_NEAR(p.gap, gap, 1e-6);
        EXPECT_NEAR(std::abs(p.normal.z()), 1, 1e-6);
        // Into the body that P belongs to: up when P is on the upper leg.
        EXPECT_GT(p.normal.z() * (p.P.at(flat.x).x() > 0.5 * length ? 1 : -1), 0);
      }
      if (p.vertex(0) >= 0) ++met[p.vertex(0)];
      if (p.vertex(1) >= 0) ++met[p.vertex(1)];
    }
    for (size_t v = 0; v < met.size(); ++v) {
      const bool inner = flat.x[v].z() > 0, leg = now[v].x() < 0.036 && now[v].x() > 0.002;
      if (inner && leg) {
        EXPECT_GE(met[v], 1) << now[v].transpose();
      }
      if (!inner) {
        EXPECT_EQ(met[v], 0) << now[v].transpose();
      }
    }
  }
}

// What may come near is remembered from step to step; what is found is what a search without memory finds.
TEST(SelfPairs, a_strip_that_folds_step_by_step_finds_what_a_fresh_search_finds) {
  const Shape flat = strip();
  const double alarm = 0.003;
  SelfTouch memory(testing::touch(flat), 0.5 * std::numbers::pi * alarm);
  size_t most = 0;
  for (int i = 0; i <= 30; ++i) {
    SCOPED_TRACE(i);
    // It folds, comes apart again and drifts; now and then it jumps.
    const double gap = 0.012 * std::abs(std::cos(0.22 * i)) - 0.0001;
    std::vector<Vec3> now = flat.x;
    for (Vec3& x : now) x = bent(x, gap) + Vec3(0.004 * i, i % 10 == 0 ? 0.5 : 0, -0.001 * i);
    const Found kept = search(flat, now, alarm, &memory), fresh = search(flat, now, alarm);
    ASSERT_EQ(kept.pairs.size(), fresh.pairs.size());
    for (size_t k = 0; k < kept.pairs.size(); ++k) {
      EXPECT_EQ(kept.pairs[k].key(), fresh.pairs[k].key());
      EXPECT_EQ(kept.pairs[k].gap, fresh.pairs[k].gap);
    }
    most = std::max(most, kept.pairs.size());
  }
  EXPECT_GT(most, 20u);
}

// The same where the skin deforms little from step to step, and while it moves; the truth compares all with
// all.
TEST(SelfPairs, what_is_remembered_of_a_skin_that_deforms_slowly_misses_nothing) {
  const Shape flat = strip();
  const double alarm = 0.001;
  SelfTouch memory(testing::touch(flat), 0.5 * std::numbers::pi * alarm), none = memory;
  size_t most = 0;
  for (int i = 0; i <= 100; ++i) {
    SCOPED_TRACE(i);
    const auto shape_at = [&](int k) {
      std::vector<Vec3> x = flat.x;
      const double gap = 0.006 * std::abs(std::cos(0.03 * k)) - 0.0001;
      for (Vec3& p : x) p = bent(p, gap) + Vec3(0.004 * k, 0, -0.001 * k);
      return x;
    };
    const std::vector<Vec3> now = shape_at(i), free = shape_at(i + 1);
    TouchSurface s = testing::touch({now, flat.triangles, {}});
    s.update(now, free);
    ProximitySettings settings;
    settings.range_m = settings.max_depth_m = alarm;
    settings.self = &memory;
    std::vector<ProximityPair> kept, all;
    testing::find_pairs(s, s, settings, kept);
    settings.self = &none;
    settings.range_m = 1;  // remembers all, and looks at all of it in the next search
    testing::find_pairs(s, s, settings, all);
    settings.range_m = alarm;
    testing::find_pairs(s, s, settings, all);
    ASSERT_EQ(kept.size(), all.size());
    for (size_t k = 0; k < kept.size(); ++k) EXPECT_EQ(kept[k].key(), all[k].key());
    most = std::max(most, kept.size());
  }
  EXPECT_GT(most, 20u);
}

// A slit that is there at rest is no neighbourhood.
TEST(SelfPairs, a_slit_at_rest_may_close) {
  const Shape flat = strip();
  Shape slit = flat;
  for (Vec3& x : slit.x) x = bent(x, 0.001);
  const Found found = search(slit, slit.x, 0.003);
  std::vector<int> met(flat.x.size(), 0);
  for (const ProximityPair& p : found.pairs)
    for (int skin : {0, 1})
      if (p.vertex(skin) >= 0 && std::abs(p.gap - 0.001) < 1e-6) ++met[p.vertex(skin)];
  // All of the slit's sides, but near the bend, where the way along the skin is short.
  for (size_t v = 0; v < met.size(); ++v)
    if (flat.x[v].z() > 0 && slit.x[v].x() < 0.04) {
      EXPECT_GE(met[v], 1) << slit.x[v].transpose();
    }
}

// A thread in a loop meets itself where it crosses, and nowhere else.
TEST(SelfPairs, a_loop_of_thread_meets_itself_where_it_crosses) {
  Shape straight, loop;
  const int n = 80;
  for (int i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / n, a = -0.4 + (2 * std::numbers::pi + 0.8) * s;
    straight.x.push_back(Vec3(s * 0.05 * (2 * std::numbers::pi + 0.8), 0, 0));
    // Ends beyond the crossing go on straight, 4 mm apart in z.
    loop.x.push_back(Vec3(0.05 * std::sin(a), -0.05 * std::cos(a), 0.004 * s));
    if (i < n) straight.segments.push_back({i, i + 1});
  }
  const Found found = search(straight, loop.x, 0.006);
  ASSERT_FALSE(found.pairs.empty());
  for (const ProximityPair& p : found.pairs) {
    EXPECT_GT(std::abs(p.P.at(straight.x).x() - p.Q.at(straight.x).x()), 0.2);
    EXPECT_LT(p.gap, 0.006);
    EXPECT_GT(p.gap, 0.002);
  }
}

}  // namespace self_pairs_test
}  // namespace palp
