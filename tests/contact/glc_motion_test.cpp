// Fast motions against GLCs of real shapes (K16 §3.5, figures 4 and 5).
#include "contact/glc_shapes.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/glc_pgs.hpp"

namespace palp {
namespace {

using namespace cases;
constexpr double mm = 1e-3;

struct Random {
  std::mt19937 engine{5};
  double number() { return std::uniform_real_distribution<>(-1, 1)(engine); }
  Vec3 point() { return {number(), number(), number()}; }
};

TEST(GlcMotion, look_statue) {
  for (bool trust : {true, false})
  for (double mu : {0.0, 0.3})
    for (double reach : {1.0, 3.0, 8.0}) {
      const PlacedSurface placed(statue(), mu);
      Random random;
      const int limit = 150;
      GlcPgs pgs({.glc = limit, .other = 0, .proxies = 1}, {.inner_trust = trust});
      GlcMotion motion;
      int touching = 0, unsettled = 0, outer = 0, lost = 0;
      double halfsum = 0, sweeps = 0;
      std::vector<double> depth, depth_u, hover;
      const int rounds = 100, builds = 4, ticks = 10;
      for (int round = 0; round < rounds; ++round) {
        Vec3 x = Vec3(0, 0, 0.05) + random.point().cwiseProduct(Vec3(0.045, 0.03, 0.055));
        if (inside(placed.mesh, x)) continue;
        const Nearest near = nearest_point(placed.mesh, x);
        x = near.point + 0.3 * mm * (x - near.point).normalized();
        if (inside(placed.mesh, x)) continue;
        for (int build = 0; build < builds; ++build) {
        const BuiltGlcs built = build_glcs(placed, x, {.max_constraints = limit});
        halfsum += built.region.half_m;
        ASSERT_TRUE(pgs.set_problem(built.problem));
        VecX f = VecX::Zero(3 * built.problem.size());
        for (int tick = 0; tick < ticks; ++tick) {
          const Vec3 to = x + reach * mm * random.point();
          move(built.problem, x, to, motion);
          const GlcReport report = pgs.solve({.tolerance = 1e-6, .max_sweeps = 400, .warm_start = true}, motion, f);
          x = pgs.proxy_position(0);
          sweeps += report.sweeps;
          unsettled += !report.converged();
          outer += report.outer_hits;
          if (f.norm() > 0) {
            ++touching;
            const double distance = nearest_point(placed.mesh, x).distance;
            const bool in = distance > 1e-9 && inside(placed.mesh, x);
            if (in) (report.converged() ? depth : depth_u).push_back(distance / mm);
            if (!in && report.outer_hits == 0) hover.push_back(distance / mm);
          }
          if (inside(placed.mesh, x) && nearest_point(placed.mesh, x).distance > 0.8 * mm) { ++lost; build = builds; break; }
        }
        }
      }
      auto show = [](std::vector<double> v) {
        std::sort(v.begin(), v.end());
        if (v.empty()) return std::string("none");
        char text[100];
        std::snprintf(text, 100, "n %zu p50 %.4f p90 %.4f p99 %.4f max %.4f", v.size(), v[v.size() / 2], v[v.size() * 9 / 10], v[v.size() * 99 / 100], v.back());
        return std::string(text);
      };
      std::printf("trust %d mu %.1f reach %.0f: touching %d unsettled %d outer %d lost %d half %.2f mm sweeps %.1f | depth %s | unsettled %s | hover %s\n",
                  trust, mu, reach, touching, unsettled, outer, lost, halfsum / rounds / builds / mm, sweeps / rounds / ticks / builds, show(depth).c_str(), show(depth_u).c_str(), show(hover).c_str());
    }
}

}  // namespace
}  // namespace palp
