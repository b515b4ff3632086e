#include "palp/proximity/pairs.hpp"

#include <set>

#include "proximity/shapes.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace pairs_test {

using namespace testing;

TEST(Pairs, the_closest_pair_is_the_distance_of_the_two_surfaces) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<> number(-1, 1);
  int found = 0;
  for (unsigned round = 0; round < 60; ++round) {
    const Shape a = bumpy_sphere(2, 1, Vec3::Zero(), 0.08, round);
    const Vec3 direction = Vec3(number(engine), number(engine), number(engine)).normalized();
    const Shape b = bumpy_sphere(2, 0.7, 1.95 * direction, 0.08, round + 1000);
    const double distance = brute_distance(a, b);
    ASSERT_GT(distance, 0);
    const TouchSurface sa = touch(a), sb = touch(b);
    std::vector<ProximityPair> pairs;
    testing::find_pairs(sa, sb, {.range_m = distance + 0.1, .max_depth_m = 0}, pairs);
    double closest = 1e300;
    for (const auto& pair : pairs) {
      const Vec3 d = pair.P.at(a.x) - pair.Q.at(b.x);
      EXPECT_NEAR(pair.normal.norm(), 1, 1e-12);
      // Between separated surfaces the normal is the direction of the shortest way.
      EXPECT_NEAR(d.dot(pair.normal), d.norm(), 1e-9);
      closest = std::min(closest, pair.gap);
    }
    EXPECT_NEAR(closest, distance, 1e-9) << "round " << round;
    found += !pairs.empty();
  }
  EXPECT_EQ(found, 60);
}

TEST(Pairs, the_tree_finds_what_comparing_all_primitives_finds) {
  const Shape a = bumpy_sphere(3, 1, Vec3::Zero(), 0.02, 1),
              b = bumpy_sphere(3, 1, Vec3(1.93, 0.3, 0.1), 0.02, 2);
  TouchSurface sa = touch(a), sb = touch(b);
  std::vector<ProximityPair> near, all;
  testing::find_pairs(sa, sb, {.range_m = 0.05, .max_depth_m = 0.05}, near);
  // With an enormous range every primitive pair is visited; the same filter applied afterwards must agree.
  testing::find_pairs(sa, sb, {.range_m = 100, .max_depth_m = 0.05}, all);
  std::erase_if(all, [](const ProximityPair& p) { return std::min(p.gap, p.gap_free) > 0.05; });
  ASSERT_GT(near.size(), 10u);
  ASSERT_EQ(near.size(), all.size());
  for (size_t i = 0; i < near.size(); ++i) EXPECT_EQ(near[i].key(), all[i].key());
}

TEST(Pairs, surfaces_that_look_only_around_the_place_find_what_whole_ones_find) {
  Shape a = bumpy_sphere(3, 1, Vec3::Zero(), 0.02, 1), b = bumpy_sphere(3, 1, Vec3(1.93, 0.3, 0.1), 0.02, 2);
  TouchSurface sa = touch(a), sb = touch(b);
  std::set<int> near_a, near_b;
  BoxTree::for_each_near_pair(sa.tree(), sb.tree(), 0.1f, [&](int i, int j) {
    near_a.insert(i);
    near_b.insert(j);
  });
  ASSERT_LT(near_a.size(), sa.topology().primitives.size() / 4);
  sa.focus(std::vector<int>(near_a.begin(), near_a.end()));
  sb.focus(std::vector<int>(near_b.begin(), near_b.end()));
  for (int round = 0; round < 3; ++round) {  // closer, into each other and past each other
    for (Vec3& x : b.x) x += Vec3(-0.015, 0.01, 0.005 * x.y());
    sa.update(a.x, a.x);
    sb.update(b.x, b.x);
    std::vector<ProximityPair> some, all;
    testing::find_pairs(sa, sb, {.range_m = 0.03, .max_depth_m = 0.03}, some);
    testing::find_pairs(touch(a), touch(b), {.range_m = 0.03, .max_depth_m = 0.03}, all);
    ASSERT_GT(all.size(), 3u);
    ASSERT_EQ(some.size(), all.size()) << round;
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(some[i].key(), all[i].key());
      EXPECT_EQ(some[i].gap, all[i].gap);
      EXPECT_EQ(some[i].normal, all[i].normal);
    }
  }
}

TEST(Pairs, refitted_trees_equal_rebuilt_ones) {
  const Shape a = bumpy_sphere(3, 1, Vec3::Zero(), 0.02, 1);
  Shape b = bumpy_sphere(3, 1, Vec3(5, 0, 0), 0.02, 2);
  TouchSurface sa = touch(a), moved = touch(b);
  for (Vec3& p : b.x) p = Vec3(-p.y(), p.x() - 3.1, 1.2 * p.z());
  moved.update(b.x, b.x);
  const TouchSurface fresh = touch(b);
  std::vector<ProximityPair> x, y;
  testing::find_pairs(sa, moved, {.range_m = 0.3, .max_depth_m = 0.1}, x);
  testing::find_pairs(sa, fresh, {.range_m = 0.3, .max_depth_m = 0.1}, y);
  ASSERT_GT(x.size(), 0u);
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i].key(), y[i].key());
}

TEST(Pairs, roles_exchanged_give_the_opposite_normals) {
  const Shape a = bumpy_sphere(2, 1, Vec3::Zero(), 0.05, 1),
              b = bumpy_sphere(2, 1, Vec3(0.2, 1.95, 0.1), 0.05, 2);
  const TouchSurface sa = touch(a), sb = touch(b);
  std::vector<ProximityPair> ab, ba;
  testing::find_pairs(sa, sb, {.range_m = 0.2, .max_depth_m = 0}, ab);
  testing::find_pairs(sb, sa, {.range_m = 0.2, .max_depth_m = 0}, ba);
  ASSERT_EQ(ab.size(), ba.size());
  ASSERT_GT(ab.size(), 0u);
  for (const auto& p : ab) {
    const bool mirrored = std::any_of(ba.begin(), ba.end(), [&](const ProximityPair& q) {
      return std::abs(q.gap - p.gap) < 1e-12 && (q.normal + p.normal).norm() < 1e-9 &&
             (q.P.at(b.x) - p.Q.at(b.x)).norm() < 1e-9;
    });
    EXPECT_TRUE(mirrored);
  }
}

TEST(Pairs, a_cube_resting_on_a_large_one_has_its_four_corners_in_contact_and_no_others) {
  const Shape small = cube(1, Vec3(0.1, 0.05, 1.5001)), large = cube(2, Vec3(0, 0, 0));
  const TouchSurface s = touch(small), l = touch(large);
  std::vector<ProximityPair> pairs;
  testing::find_pairs(s, l, {.range_m = 0.01, .max_depth_m = 0.01}, pairs);
  std::map<int, int> corners;
  for (const auto& p : pairs) {
    EXPECT_EQ(p.kind, PairKind::vertex_face);
    EXPECT_NEAR(p.gap, 1e-4, 1e-9);
    EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-9);
    ++corners[p.feature1];
  }
  EXPECT_EQ(corners.size(), 4u);
}

TEST(Pairs, crossed_cube_edges_meet_edge_to_edge) {
  // A cube turned 45° about x above one turned 45° about y: two ridges that cross.
  Shape low = cube(1, Vec3::Zero()), high = cube(1, Vec3::Zero());
  const double lift = std::sqrt(2.0) + 1e-3;
  for (Vec3& p : low.x) p = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitX()) * p;
  for (Vec3& p : high.x) p = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()) * p + Vec3(0.07, 0.03, lift);
  const TouchSurface h = touch(high), l = touch(low);
  std::vector<ProximityPair> pairs;
  testing::find_pairs(h, l, {.range_m = 0.01, .max_depth_m = 0.01}, pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].kind, PairKind::edge_edge);
  EXPECT_NEAR(pairs[0].gap, 1e-3, 1e-9);
  EXPECT_LT((pairs[0].normal - Vec3::UnitZ()).norm(), 1e-9);
  // Pushed slightly into each other the normal does not flip and the gap turns negative.
  for (Vec3& p : high.x) p.z() -= 2e-3;
  testing::find_pairs(touch(high), l, {.range_m = 0.01, .max_depth_m = 0.01}, pairs);
  ASSERT_FALSE(pairs.empty());
  const auto ee =
      std::find_if(pairs.begin(), pairs.end(), [](auto& p) { return p.kind == PairKind::edge_edge; });
  ASSERT_NE(ee, pairs.end());
  EXPECT_NEAR(ee->gap, -1e-3, 1e-9);
  EXPECT_LT((ee->normal - Vec3::UnitZ()).norm(), 1e-9);
}

TEST(Pairs, a_fast_vertex_is_seen_before_it_passes_a_face) {
  const Shape target = cube(1, Vec3::Zero());
  Shape point{{Vec3(0.1, 0.2, 2.0)}, {}, {}};
  TouchSurface s = touch(point), t = touch(target);
  const std::vector<Vec3> free{Vec3(0.1, 0.2, -3.0)};
  s.update(point.x, free);
  std::vector<ProximityPair> pairs;
  testing::find_pairs(s, t, {.range_m = 0.01, .max_depth_m = 0.01}, pairs);
  ASSERT_FALSE(pairs.empty());
  EXPECT_LT((pairs[0].normal - Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(pairs[0].gap, 1.5, 1e-12);
  EXPECT_NEAR(pairs[0].gap_free, -3.5, 1e-12);
}

TEST(Pairs, the_far_side_of_a_thin_plate_does_not_push_inwards) {
  Shape plate = cube(1, Vec3::Zero());
  for (Vec3& p : plate.x) p.z() *= 0.01;
  // A point 1 mm below the top of a 10 mm plate: out through the top only.
  const Shape point{{Vec3(0.1, 0.2, 0.004)}, {}, {}};
  std::vector<ProximityPair> pairs;
  testing::find_pairs(touch(point), touch(plate), {.range_m = 0.02, .max_depth_m = 0.02}, pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_LT((pairs[0].normal - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Pairs, crossing_beams_have_one_pair_and_parallel_ones_face_each_other) {
  const Shape x{{Vec3(-1, 0, 0), Vec3(1, 0, 0)}, {}, {{0, 1}}},
      y{{Vec3(0.2, -1, 0.1), Vec3(0.2, 1, 0.1)}, {}, {{0, 1}}};
  std::vector<ProximityPair> pairs;
  testing::find_pairs(touch(y), touch(x), {.range_m = 0.2, .max_depth_m = 0}, pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].kind, PairKind::edge_edge);
  EXPECT_NEAR(pairs[0].gap, 0.1, 1e-12);
  const Shape z{{Vec3(-1, 0, 0.1), Vec3(1, 0, 0.1)}, {}, {{0, 1}}};
  testing::find_pairs(touch(z), touch(x), {.range_m = 0.2, .max_depth_m = 0}, pairs);
  ASSERT_FALSE(pairs.empty());
  for (auto& p : pairs) EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-12);
}

// Of many pairs the bound keeps the deepest, and no pair that would overlap is far from one that is kept: not
// further than the furthest of the kept from each other.
TEST(Pairs, the_bound_covers_the_patch_and_the_choice_repeats) {
  const Shape a = bumpy_sphere(3, 1, Vec3::Zero(), 0.01, 1),
              b = bumpy_sphere(3, 1, Vec3(1.98, 0, 0), 0.01, 2);
  const TouchSurface sa = touch(a), sb = touch(b);
  std::vector<ProximityPair> all, few, again;
  testing::find_pairs(sa, sb, {.range_m = 0.2, .max_depth_m = 0.1}, all);
  testing::find_pairs(sa, sb, {.range_m = 0.2, .max_depth_m = 0.1, .max_pairs = 20}, few);
  testing::find_pairs(sa, sb, {.range_m = 0.2, .max_depth_m = 0.1, .max_pairs = 20}, again);
  ASSERT_GT(all.size(), 20u);
  ASSERT_EQ(few.size(), 20u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(few[i].key(), again[i].key());
  EXPECT_EQ(few[0].key(), all[0].key());
  const auto nearest = [&](const ProximityPair& p) {
    double least = 1e300;
    for (const ProximityPair& k : few)
      if (k.key() != p.key()) least = std::min(least, (k.P.at(sa.start()) - p.P.at(sa.start())).norm());
    return least;
  };
  double spacing = 1e300, hole = 0;
  for (const ProximityPair& p : few) spacing = std::min(spacing, nearest(p));
  for (const ProximityPair& p : all)
    if (std::none_of(few.begin(), few.end(), [&](const auto& k) { return k.key() == p.key(); }) &&
        std::min(p.gap, p.gap_free) < 0)
      hole = std::max(hole, nearest(p));
  EXPECT_LE(hole, spacing);
}

TEST(Pairs, degenerate_meshes_never_give_numbers_that_are_not_finite) {
  std::mt19937 engine(5);
  std::uniform_int_distribution<> grid(0, 2);
  for (int round = 0; round < 200; ++round) {
    // Points on a coarse grid: many coincide, many triangles have no area.
    Shape shape[2];
    for (Shape& s : shape) {
      for (int i = 0; i < 8; ++i) s.x.push_back(0.1 * Vec3(grid(engine), grid(engine), grid(engine)));
      for (int i = 0; i < 10; ++i) {
        const int a = engine() % 8, b = engine() % 8, c = engine() % 8;
        if (a != b && b != c && c != a) s.triangles.push_back({a, b, c});
      }
    }
    std::vector<ProximityPair> pairs;
    testing::find_pairs(touch(shape[0]), touch(shape[1]), {.range_m = 0.2, .max_depth_m = 0.2}, pairs);
    for (const auto& p : pairs) {
      EXPECT_TRUE(p.normal.allFinite() && p.P.weight.allFinite() && p.Q.weight.allFinite());
      EXPECT_NEAR(p.normal.norm(), 1, 1e-9);
      EXPECT_NEAR(p.P.weight.sum(), 1, 1e-9);
      EXPECT_NEAR(p.Q.weight.sum(), 1, 1e-9);
    }
  }
}

}  // namespace pairs_test
}  // namespace palp
