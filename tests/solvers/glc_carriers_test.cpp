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

}  // namespace glc_carriers_test
}  // namespace palp
