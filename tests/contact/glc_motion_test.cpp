// Fast motions against the GLCs of real shapes (K16 §3.5, figures 4 and 5).
#include "contact/glc_shapes.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/glc_pgs.hpp"

namespace palp {
namespace glc_motion_test {

using namespace cases;

/// Where a proxy ends that goes from x towards x_free in one tick.
Vec3 move_once(const PlacedSurface& placed, const Vec3& x, const Vec3& x_free, bool inner_trust) {
  const BuiltGlcs built = build_problem(placed, x, {.max_constraints = 1000});
  GlcPgs pgs({.glc = 1000, .other = 0, .proxies = 1}, {.inner_trust = inner_trust});
  EXPECT_TRUE(pgs.set_problem(built.problem));
  GlcMotion motion;
  move(built.problem, x, x_free, motion);
  VecX f = VecX::Zero(3 * built.problem.size());
  const GlcReport report = pgs.solve({.tolerance = 1e-9}, motion, f);
  EXPECT_TRUE(report.converged());
  return pgs.proxy_position(0);
}

// Figure 4 left, from a mesh: two opposite walls 2 mm apart.
TEST(GlcMotion, fast_motion_passes_a_thin_plate_only_without_the_trust_region) {
  BoxShape shape;
  shape.size_m = Vec3(40, 40, 2) * mm;
  shape.cells = {8, 8, 1};
  const PlacedSurface plate(extract_surface(*box_hexes(shape)).mesh);
  const Vec3 x(0.3 * mm, 0.2 * mm, 4 * mm), x_free(1.3 * mm, 0.2 * mm, -9 * mm);
  EXPECT_LT((move_once(plate, x, x_free, true) - Vec3(1.3 * mm, 0.2 * mm, 1 * mm)).norm(), 1e-8);
  EXPECT_LT((move_once(plate, x, x_free, false) - x_free).norm(), 1e-8);
}

// Figures 4 right and 5, from a mesh: sliding on a floor into a wall.
TEST(GlcMotion, fast_motion_overleaps_a_concave_corner_only_without_the_trust_region) {
  const PlacedSurface corner(corner_block(10 * mm));
  const Vec3 x(3 * mm, 0.2 * mm, 0), x_free(-6 * mm, 0.4 * mm, -1 * mm);
  EXPECT_LT((move_once(corner, x, x_free, true) - Vec3(0, 0.4 * mm, 0)).norm(), 1e-8);
  const Vec3 without = move_once(corner, x, x_free, false);
  EXPECT_LT(without.x(), -5 * mm);
  EXPECT_TRUE(inside(corner.mesh, without - Vec3(0, 0, 1e-6)));
}

// A concave corner is not one convex set: floor and wall both carry, and so do the three walls of a pit.
TEST(GlcMotion, proxy_rests_in_the_corner_of_a_room) {
  const PlacedSurface room(hollow_box(8 * mm, 14 * mm));
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    const Vec3 x = 7 * mm * random.point(), x_free = x + 6 * mm * random.point();
    const Vec3 clamped = x_free.cwiseMax(-8 * mm).cwiseMin(8 * mm);
    ASSERT_LT((move_once(room, x, x_free, true) - clamped).norm(), 1e-7)
        << x.transpose() << " " << x_free.transpose();
  }
}

struct Tumble {
  int motions = 0, touching = 0, lost = 0, unsettled = 0;
  int unsettled_inside = 0;        ///< of them, those that did not reach the border of the region
  double deepest_m = 0;            ///< at the end of a tick
  double deepest_converged_m = 0;  ///< of a tick whose solve converged
  double deepest_walk_m = 0;       ///< of the tentative positions in between
};

/// Random motions of up to 8 mm in a tick, from places all over the statue. Lost: deeper than half the depth
/// of the GLCs; that proxy is given up.
Tumble tumble(const PlacedSurface& placed, bool inner_trust, int rounds) {
  Random random(5);
  constexpr int limit = 150, ticks = 10;
  constexpr double depth = 2 * mm;
  GlcPgs pgs({.glc = limit, .other = 0, .proxies = 1}, {.inner_trust = inner_trust});
  GlcMotion motion;
  Tumble t;
  const auto below = [&](const Vec3& x) {
    const double distance = nearest_point(placed.mesh, x).distance;
    return distance > 1e-9 && inside(placed.mesh, x) ? distance : 0.0;
  };
  for (int round = 0; round < rounds; ++round) {
    Vec3 x = Vec3(0, 0, 0.05) + random.point().cwiseProduct(Vec3(0.045, 0.03, 0.055));
    const Nearest near = nearest_point(placed.mesh, x);
    x = near.point + 0.3 * mm * (x - near.point).normalized();
    if (inside(placed.mesh, x)) continue;
    for (int build = 0; build < 4; ++build) {
      const BuiltGlcs built = build_problem(placed, x, {.max_depth_m = depth, .max_constraints = limit});
      EXPECT_TRUE(pgs.set_problem(built.problem));
      VecX f = VecX::Zero(3 * built.problem.size());
      for (int tick = 0; tick < ticks; ++tick) {
        move(built.problem, x, x + 8 * mm * std::abs(random.number()) * random.point(), motion);
        const VecX start = f;
        const GlcReport report =
            pgs.solve({.tolerance = 1e-6, .max_sweeps = 400, .warm_start = true}, motion, f);
        x = pgs.proxy_position(0);
        ++t.motions;
        t.unsettled += !report.converged();
        t.unsettled_inside += !report.converged() && report.outer_hits == 0;
        t.touching += f.norm() > 0;
        const double deep = below(x);
        t.deepest_m = std::max(t.deepest_m, deep);
        if (report.converged()) t.deepest_converged_m = std::max(t.deepest_converged_m, deep);
        if (t.motions % 16 == 0)  // the way there: the same solve, cut short after every sweep
          for (int sweeps = 1; sweeps < report.sweeps; ++sweeps) {
            VecX g = start;
            pgs.solve({.tolerance = 1e-6, .max_sweeps = sweeps, .warm_start = true}, motion, g);
            t.deepest_walk_m = std::max(t.deepest_walk_m, below(pgs.proxy_position(0)));
          }
        if (deep > 0.5 * depth) {
          ++t.lost;
          tick = ticks;
          build = 4;
        }
      }
    }
  }
  return t;
}

// K16.8. Rings, saddles, thin arms, sharp edges. A proxy is never lost, and where the solve has converged it
// is not below the surface.
void tumble_on_statue(int tries) {
  for (double mu : {0.0, 0.3}) {
    const PlacedSurface placed(statue(), mu);
    const Tumble with = tumble(placed, true, tries);
    EXPECT_GT(with.motions, 25 * tries);
    EXPECT_GT(with.touching, 6 * tries);
    EXPECT_EQ(with.lost, 0);
    EXPECT_LT(with.deepest_converged_m, 0.002 * mm);  // two triangles share a GLC when flat within 0.001 rad
    EXPECT_LT(with.deepest_walk_m, 2 * mm);           // never deeper than a GLC reaches
    EXPECT_LT(with.unsettled, 0.01 * with.motions);
    EXPECT_EQ(with.unsettled_inside, 0);
    EXPECT_GT(tumble(placed, false, 20).lost, 5) << "the motions are too tame to show anything";
  }
}

TEST(GlcMotion, slow_fast_motions_never_tunnel_through_a_complex_shape) { tumble_on_statue(16); }

TEST(GlcMotion, long_thousands_of_fast_motions_never_tunnel_through_a_complex_shape) { tumble_on_statue(80); }

}  // namespace glc_motion_test
}  // namespace palp
