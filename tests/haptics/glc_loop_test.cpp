// K16's two-rate loop with GLCs: what the user feels over real surfaces.
#include "palp/haptics/glc_loop.hpp"

#include "haptics/glc_cases.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace {

using namespace cases;
constexpr double mm = 1e-3;

struct Swipe {
  double away_m = 0;  ///< largest distance of the proxy from the true sine
  double jump_N = 0;  ///< largest change of the force in a tick
  double force_N = 0;
  int unsettled = 0, glcs = 0, outer = 0;
};

/// Distance of x to the curve z = sine(x).
double sine_distance(const Vec3& x) {
  double best = 1e9;
  for (double a = x.x() - 6 * mm; a < x.x() + 6 * mm; a += 0.002 * mm)
    best = std::min(best, std::hypot(x.x() - a, x.z() - sine_height(a)));
  return best;
}

Swipe swipe(HapticContact contact, int cells_along, double speed, double mu = 0.1) {
  SinePlateShape shape;
  shape.cells_along = cells_along;
  shape.cells_wide = 8;
  const Vec3 start(10 * mm, 0.3 * mm, sine_height(10 * mm));
  const Model model = touch_model(obstacle(*sine_surface(shape)), {start}, mu);
  GlcLoopSettings settings;
  settings.contact = contact;
  auto loop = GlcLoop::make(model, touch_hands(model), settings);
  EXPECT_TRUE(loop);
  Swipe result;
  Vec3 input = start, force = Vec3::Zero();
  for (int tick = 0; input.x() < 90 * mm; ++tick) {
    const Vec3 before = input;
    const double x = start.x() + speed * kTick * std::max(0, tick - 100);
    input = Vec3(x, start.y(), sine_height(x) - 1 * mm * std::min(1.0, tick / 50.0));
    const DevicePose pose = pose_at(input, before);
    Wrench wrench;
    EXPECT_TRUE(loop->tick({&pose, 1}, {&wrench, 1}));
    if (tick > 101) {
      result.jump_N = std::max(result.jump_N, (wrench.force - force).norm());
      result.away_m = std::max(result.away_m, sine_distance(loop->high().proxy(0).x));
      result.force_N = std::max(result.force_N, wrench.force.norm());
      result.unsettled += !loop->tick_report().solve.converged();
      result.outer += loop->tick_report().solve.outer_hits;
      result.glcs = std::max(result.glcs, loop->tick_report().glcs);
    }
    force = wrench.force;
  }
  return result;
}

TEST(GlcLoop, look) {
  for (int cells : {40, 80, 160})
    for (double speed : {0.1, 0.25, 0.4})
      for (HapticContact c : {HapticContact::glc, HapticContact::standard}) {
        const Swipe s = swipe(c, cells, speed);
        std::printf(
            "cells %d speed %.2f %s away %.4f mm jump %.3f N force %.2f unsettled %d outer %d glcs %d\n",
            cells, speed, c == HapticContact::glc ? "glc" : "std", s.away_m / mm, s.jump_N, s.force_N,
            s.unsettled, s.outer, s.glcs);
      }
}

}  // namespace
}  // namespace palp
