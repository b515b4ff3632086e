// Which GLCs carry: what made K16's choice of carriers go round in circles, each with an answer known from
// geometry or by trying every choice.
#include <random>

#include "solvers/glc_scene.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace glc_carriers_test {

using namespace cases;
using Step = GlcStep;

Step step(const GlcScene& scene, const VecX& start) {
  return solve_step(scene, {}, {.tolerance = 1e-10, .max_sweeps = 100, .warm_start = true}, start);
}

// A block whose top is a shallow valley along x, and its side: both halves of the top are convex with the
// side and concave to each other. Beyond the side is free space, however far the top's rectangles stick out,
// and whichever GLC comes first.
TEST(GlcCarriers, answer_does_not_depend_on_the_order_of_the_glcs) {
  const double reach = 1 * mm, s = 5 * mm, tilt = 0.02;
  const std::vector<Glc> faces{face({-s, -s / 2, s / 2 * tilt}, {0, tilt, 1}, s + reach, s, 2 * mm),
                               face({-s, s / 2, s / 2 * tilt}, {0, -tilt, 1}, s + reach, s, 2 * mm),
                               face({0, 0, -s}, kRight, s + reach, s, 2 * mm, 0, 0, kUp)};
  std::vector<int> order{0, 1, 2};
  do {
    GlcScene scene = scene_of({faces[order[0]], faces[order[1]], faces[order[2]]});
    const Vec3 beyond(0.5 * mm, 0.1 * mm, -0.4 * mm);
    scene.move({{-0.5 * mm, 0.1 * mm, 0}}, {beyond});
    const Step out = step(scene, VecX::Zero(9));
    EXPECT_TRUE(out.report.converged());
    EXPECT_LT((out.x - beyond).norm(), 1e-9) << out.x.transpose();
    // And inside, nearer to the side than to the top, the side answers.
    scene.move({{-0.2 * mm, 0.1 * mm, -0.6 * mm}}, {{-0.2 * mm, 0.1 * mm, -0.6 * mm}});
    const Step in = step(scene, VecX::Zero(9));
    EXPECT_TRUE(in.report.converged());
    EXPECT_LT((in.x - Vec3(0, 0.1 * mm, -0.6 * mm)).norm(), 1e-9) << in.x.transpose();
  } while (std::next_permutation(order.begin(), order.end()));
}

// A ridge of two faces on a body that gives way differently below each of them, without friction. Let each
// face carry alone: A's answer is wrong when it leaves ψ_B > 0, B's when it leaves ψ_A > 0. With W positive
// definite both cannot be wrong: A's answer with ψ_B ≥ 0 and B's with ψ_A ≥ 0 would be two solutions of one
// linear complementarity problem. So eq. 13 has an answer, and it is found without holding anyone.
TEST(GlcCarriers, a_soft_ridge_always_has_an_answer_and_it_is_found) {
  std::mt19937_64 random(41);
  std::uniform_real_distribution<double> uniform;
  int touching = 0, one_sided = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double slope = 0.3 * uniform(random), s = 20 * mm;
    const Vec3 left = Vec3(-slope, 0, 1).normalized(), right = Vec3(slope, 0, 1).normalized();
    GlcScene scene = scene_of({face({-s / 2, 0, -slope * s / 2}, left, s, s, 10 * mm),
                               face({s / 2, 0, -slope * s / 2}, right, s, s, 10 * mm)});
    const double a = 3e-3 * uniform(random), b = 3e-3 * uniform(random);
    const double coupling = (2 * uniform(random) - 1) * std::sqrt(a * b);
    MatX body = MatX::Zero(6, 6);
    body(0, 0) = a;
    body(3, 3) = b;
    body(0, 3) = body(3, 0) = coupling;
    scene.give(body);
    const Vec3 from((2 * uniform(random) - 1) * mm, 0, 0);
    scene.move({from}, {from + Vec3(2 * uniform(random) - 1, 0, -2 * uniform(random)) * mm});
    VecX start = VecX::Zero(6);
    if (trial % 2) start[trial % 4 == 1 ? 0 : 3] = uniform(random);
    const Step out = step(scene, start);
    ASSERT_TRUE(out.report.converged()) << trial;
    EXPECT_EQ(out.report.held, 0) << trial;
    const MatX whole = cases::whole_response(scene.problem);
    const VecX delta = whole * out.f + scene.motion.delta_free;
    const double tolerance = 1e-9 + 1e-8 * delta.norm();
    ASSERT_GE(std::max(delta[0], delta[3]), -tolerance) << trial;
    for (int i : {0, 3}) {
      if (!(out.f[i] > 0)) continue;
      ASSERT_EQ(out.f[3 - i], 0) << trial;
      ASSERT_NEAR(delta[i], 0, tolerance) << trial;
      ASSERT_LE(delta[3 - i], tolerance) << trial << ": the other face has the larger gap";
      const double other = scene.motion.delta_free[3 - i], other_f = -other / whole(3 - i, 3 - i);
      ++touching;
      one_sided += other_f <= 0 || whole(i, 3 - i) * other_f + scene.motion.delta_free[i] > 0;
    }
  }
  EXPECT_GT(touching, 500);
  EXPECT_GT(one_sided, 50) << "cases in which the other face alone would be wrong";
}

constexpr double kMore = 1.01;
/// Tiles side by side at z = 0 on a body that sinks by give·f and moves by drag·f along −x, as a whole, under
/// any normal force f; the second one sinks kMore times as much.
GlcScene dragged_tiles(double give, double drag, bool second) {
  std::vector<Glc> tiles{face({-5 * mm, 0, 0}, kUp, 5 * mm, 5 * mm, 3 * mm)};
  if (second) tiles.push_back(face({5 * mm, 0, 0}, kUp, 5 * mm, 5 * mm, 3 * mm));
  GlcScene scene = scene_of(tiles);
  MatX W = MatX::Zero(3 * tiles.size(), 3 * tiles.size());
  for (size_t i = 0; i < tiles.size(); ++i)
    for (size_t j = 0; j < tiles.size(); ++j) {
      const double sink_i = i == 0 ? 1 : kMore, sink_j = j == 0 ? 1 : kMore;
      W(3 * i, 3 * j) += give * sink_i * sink_j;
      W(3 * i + 1, 3 * j) += drag * sink_j;  // the proxy moves along +x relative to the tiles
      W(3 * i, 3 * j + 1) += drag * sink_i;
      W(3 * i + 1, 3 * j + 1) += 2 * drag * drag / give;
    }
  scene.give(W);
  return scene;
}

// The force on the first tile carries it away below the proxy, which is then over the second; with the force
// gone it would be over the first again. The second takes over within the same solve.
TEST(GlcCarriers, a_patch_that_leaves_the_proxy_hands_over_to_its_neighbour) {
  const double give = 1e-3, drag = 1e-3, down = 1 * mm;
  GlcScene scene = dragged_tiles(give, drag, true);
  scene.move({{-0.2 * mm, 0, 0}}, {{-0.1 * mm, 0, -down}});
  VecX start = VecX::Zero(6);
  start[0] = 0.7 * down / give;
  const Step out = step(scene, start);
  const double force = down / (kProxyCompliance + give * kMore * kMore);
  ASSERT_TRUE(out.report.converged());
  EXPECT_LT((out.x - Vec3(-0.1 * mm, 0, kProxyCompliance * force - down)).norm(), 1e-8) << out.x.transpose();
  EXPECT_EQ(out.f[0], 0);
  EXPECT_NEAR(out.f[3], force, 1e-6 * force);
  EXPECT_EQ(out.report.held, 0);
  EXPECT_EQ(out.report.overstep, 0);
}

// The same at the border of the world: no neighbour. The proxy is held by the tile that it was on, and the
// report says by how much the tile oversteps its border.
TEST(GlcCarriers, a_patch_that_leaves_the_proxy_at_a_hole_holds_it_and_says_so) {
  const double give = 1e-3, drag = 1e-3, down = 1 * mm;
  GlcScene scene = dragged_tiles(give, drag, false);
  scene.move({{-0.2 * mm, 0, 0}}, {{-0.1 * mm, 0, -down}});
  const Step out = step(scene, VecX::Zero(3));
  const double force = down / (kProxyCompliance + give);
  ASSERT_TRUE(out.report.converged());
  EXPECT_LT((out.x - Vec3(-0.1 * mm, 0, kProxyCompliance * force - down)).norm(), 1e-8) << out.x.transpose();
  EXPECT_NEAR(out.report.overstep, (4.9 * mm + drag * force) / (5 * mm) - 1, 1e-6);
}

// A bulge through the border of the outer trust region: below its top the half space of the top misses the
// region. No force grows without bound; the proxy waits where it was.
TEST(GlcCarriers, a_bulge_through_the_border_of_the_region_stops_the_proxy_without_a_large_force) {
  GlcScene scene = scene_of({face({0, 0, 3 * mm}, kUp, 5 * mm, 5 * mm, 4 * mm)});
  scene.problem.proxy[0].trust_half = Vec3::Constant(2 * mm);
  const Vec3 before(-1 * mm, 0, 1.5 * mm);
  scene.move({before}, {{1 * mm, 0, 0}});
  const Step out = step(scene, VecX::Zero(3));
  EXPECT_FALSE(out.report.converged());
  EXPECT_LT(out.report.sweeps, 60);
  EXPECT_EQ(out.report.outer_hits, 1);
  EXPECT_EQ(out.x, before);
  EXPECT_EQ(out.f.norm(), 0);
}

// At the border of the region a force that no longer presses is gone within a few sweeps.
TEST(GlcCarriers, at_the_border_of_the_region_a_force_that_holds_nothing_is_dropped) {
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 5 * mm, 5 * mm, 2 * mm)});
  scene.problem.proxy[0].trust_centre = Vec3(0, 0, 2 * mm);
  scene.problem.proxy[0].trust_half = Vec3::Constant(1.99 * mm);  // begins above the plane
  scene.move({{0, 0, 0.02 * mm}}, {{0, 0, -9 * mm}});
  VecX start = VecX::Zero(3);
  start[0] = 30;
  const Step out = step(scene, start);
  ASSERT_TRUE(out.report.converged());
  EXPECT_LT(out.report.sweeps, 30);
  EXPECT_LT((out.x - Vec3(0, 0, 0.01 * mm)).norm(), 1e-9);
  EXPECT_EQ(out.f.norm(), 0);
}

// A rigid triangle over a floor, each corner in a box of its own, pulled and turned where boxes and floor do
// not let it go. What holds at the end, whatever the way there: corners are above the floor and in their
// boxes, forces push away from what they touch, and they bring the tool where it is. Borders and carriers
// answer to each other at once: a handful of iterations is enough.
TEST(GlcCarriers, borders_of_a_tool_and_its_carriers_are_solved_together) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto point = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  const std::vector<Vec3> arm{Vec3(4, 0, 0) * mm, Vec3(-2, 3, 0) * mm, Vec3(-2, -3, 0) * mm};
  MatX J(9, 6);
  for (int p = 0; p < 3; ++p)
    for (int k = 0; k < 3; ++k) {
      J.block<3, 1>(3 * p, k) = Vec3::Unit(k);
      J.block<3, 1>(3 * p, 3 + k) = Vec3::Unit(k).cross(arm[p]) / (3 * mm);
    }
  const MatX C = kProxyCompliance * J * J.transpose();
  auto solver = make_solver("coulomb");
  ASSERT_TRUE(solver);
  int pushed_by_both = 0;
  for (int trial = 0; trial < 500; ++trial) {
    GlcScene scene;
    for (int p = 0; p < 3; ++p) scene.add_proxy(Vec3::Zero());
    for (int p = 0; p < 3; ++p) scene.add(face({0, 0, 0}, kUp, 50 * mm, 50 * mm, 2 * mm, 0.2, p));
    scene.assemble();
    scene.problem.C = C;
    VecX motion(6);
    for (double& x : motion) x = 2 * mm * uniform(random);
    motion[2] -= 1 * mm;
    std::vector<Vec3> from, to;
    for (int p = 0; p < 3; ++p) {
      from.push_back(arm[p] + Vec3(0, 0, 0.2 * mm));
      to.push_back(from[p] + J.middleRows<3>(3 * p) * motion);
      GlcProxy& proxy = scene.problem.proxy[p];
      proxy.tool = 0;
      proxy.trust_half = (0.6 * Vec3::Ones() + 0.3 * point()) * mm;
      proxy.trust_centre = from[p] + 0.5 * proxy.trust_half.cwiseProduct(point());
    }
    scene.move(from, to);
    GlcPgs pgs({.glc = 3, .nodes = 3, .other = 0, .proxies = 3});
    pgs.set_solver(solver->get());  // as ticks do
    ASSERT_TRUE(pgs.set_problem(scene.problem));
    VecX f = VecX::Zero(9);
    const GlcReport report = pgs.solve({.tolerance = 1e-8, .max_sweeps = 100}, scene.motion, f);
    ASSERT_TRUE(report.converged()) << trial;
    EXPECT_LE(report.sweeps, 15) << trial;
    VecX force(9);
    double pushes = 0;
    for (int p = 0; p < 3; ++p) {
      const Vec3 x = pgs.proxy_position(p), push = pgs.trust_force(p);
      const GlcProxy& proxy = scene.problem.proxy[p];
      force.segment<3>(3 * p) = push + frame_of(scene.problem.glc[p]).transpose() * f.segment<3>(3 * p);
      pushes += push.norm();
      EXPECT_GT(x.z(), -1e-9) << trial;
      EXPECT_LT(std::abs(f[3 * p] * x.z()), 1e-9 * f.norm() + 1e-12) << trial;
      for (int k = 0; k < 3; ++k) {
        const double away = x[k] - proxy.trust_centre[k];
        EXPECT_LT(std::abs(away), proxy.trust_half[k] + 1e-9) << trial;
        if (push[k] != 0) {
          EXPECT_NEAR(away, (push[k] > 0 ? -1 : 1) * proxy.trust_half[k], 1e-9) << trial;
        }
      }
    }
    pushed_by_both += pushes > 0 && f.norm() > 0;
    for (int p = 0; p < 3; ++p)
      EXPECT_LT((to[p] + C.middleRows<3>(3 * p) * force - pgs.proxy_position(p)).norm(), 1e-9) << trial;
  }
  EXPECT_GT(pushed_by_both, 100);
}

}  // namespace glc_carriers_test
}  // namespace palp
