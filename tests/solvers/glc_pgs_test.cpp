// K16's contact situations (figures 1, 3, 4, 5 and their kin) with positions known from geometry: against a
// rigid surface and without friction the proxy ends at the foot of its free position on the surface that it
// cannot leave.
#include "palp/solvers/glc_pgs.hpp"

#include <random>

#include "solvers/glc_scene.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace glc_pgs_test {

using namespace cases;
using Step = GlcStep;

Step step(const GlcScene& scene, GlcSettings settings = {}, SolveOptions options = {.tolerance = 1e-9}) {
  return solve_step(scene, settings, options, VecX::Zero(3 * scene.problem.size()));
}

#define EXPECT_POSITION(actual, expected) \
  EXPECT_LT(((actual) - (expected)).norm(), 1e-9) << (actual).transpose()

// Signorini on a plane: the proxy stays on it and the force is the depth over the compliance.
TEST(GlcPgs, plane_stops_the_proxy_with_the_force_of_its_coupling) {
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 5 * mm)});
  scene.move({{0, 0, 1 * mm}}, {{2 * mm, 1 * mm, -3 * mm}});
  const Step s = step(scene);
  ASSERT_TRUE(s.report.converged());
  EXPECT_POSITION(s.x, Vec3(2 * mm, 1 * mm, 0));
  EXPECT_NEAR(s.f[0], 3 * mm / kProxyCompliance, 1e-6);
  EXPECT_EQ(s.f.tail<2>().norm(), 0);
}

TEST(GlcPgs, nothing_happens_outside_the_active_region) {
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 2 * mm, 2 * mm, 2 * mm)});
  for (const Vec3& x_free : {Vec3(0, 0, 1 * mm), Vec3(3 * mm, 0, -1 * mm)}) {  // above; beside
    scene.move({{3 * mm, 0, 1 * mm}}, {x_free});
    const Step s = step(scene);
    ASSERT_TRUE(s.report.converged());
    EXPECT_EQ(s.f.norm(), 0);
    EXPECT_POSITION(s.x, x_free);
  }
}

// Coulomb on the true cone: sticking while the free slip is within μ times the depth, otherwise dragged by μ
// f_n exactly against the motion, in any direction of the plane.
TEST(GlcPgs, friction_force_lies_on_the_true_cone_in_every_direction) {
  const double mu = 0.4, depth = 2 * mm;
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 20 * mm, 20 * mm, 5 * mm, mu)});
  for (int k = 0; k < 23; ++k) {
    const Vec3 along(std::cos(k), std::sin(k), 0);
    for (double slip : {0.5 * mm, 3 * mm}) {
      scene.move({Vec3::Zero()}, {slip * along - depth * kUp});
      const Step s = step(scene);
      ASSERT_TRUE(s.report.converged());
      const double left = std::max(0.0, slip - mu * depth);
      EXPECT_POSITION(s.x, left * along);
      EXPECT_NEAR(s.f.tail<2>().norm(), std::min(slip, mu * depth) / kProxyCompliance, 1e-6);
    }
  }
}

// A box corner: top z = 0 for x < 0, side x = 0 for z < 0. reach = how far the GLCs stick out beyond the
// edge.
std::vector<Glc> convex_edge(double reach) {
  const double s = 5 * mm;
  return {face({-s, 0, 0}, kUp, s + reach, s, 2 * mm),
          face({0, 0, -s}, kRight, s + reach, s, 2 * mm, 0, 0, kUp)};
}

// Figure 1: over a convex edge within one snapshot, from the top to the side, always on the surface, never
// held in the air.
TEST(GlcPgs, proxy_slides_over_a_convex_edge_and_stays_on_the_surface) {
  for (double reach : {0.0, 0.3 * mm}) {
    GlcScene scene = scene_of(convex_edge(reach));
    Vec3 x(-3 * mm, 0, 0);
    for (int tick = 0; tick <= 80; ++tick) {
      const double a = tick / 80.0;
      const Vec3 input(-3.01 * mm + a * 5 * mm, 0,
                       -0.5 * mm - a * 2 * mm);  // leaves the solid through its side
      scene.move({x}, {input});
      const Step s = step(scene);
      ASSERT_TRUE(s.report.converged()) << tick;
      x = s.x;
      if (input.x() >= 0) {
        EXPECT_POSITION(x, input);  // free space, however far the GLCs stick out
      } else {
        const double inside = std::min(-x.x(), -x.z());
        EXPECT_NEAR(inside, 0, 1e-9) << tick << " " << x.transpose();  // on the top or on the side
      }
    }
  }
}

// Figure 3 left: overlapping borders make a ledge. Two plain half spaces hold the proxy there; a convex set
// does not.
TEST(GlcPgs, overlap_beyond_the_edge_does_not_lock) {
  GlcScene scene = scene_of(convex_edge(1 * mm));
  const Vec3 input(0.5 * mm, 0,
                   -0.4 * mm);  // outside the side face, below the top plane, within its overhang
  scene.move({{-0.5 * mm, 0, 0}}, {input});
  const Step with_sets = step(scene), without = step(scene, {.convex_sets = false});
  ASSERT_TRUE(with_sets.report.converged());
  EXPECT_POSITION(with_sets.x, input);
  EXPECT_EQ(with_sets.f.norm(), 0);
  EXPECT_NEAR(without.x.z(), 0, 1e-9);  // held on the ledge in the air
}

// Figure 3 middle: already inside both. The least violated face answers alone.
TEST(GlcPgs, ambiguity_inside_a_convex_corner_is_resolved_by_the_smallest_violation) {
  GlcScene scene = scene_of(convex_edge(0));
  for (const auto& [inside, foot] : {std::pair{Vec3(-0.8 * mm, 0, -0.3 * mm), Vec3(-0.8 * mm, 0, 0)},
                                     std::pair{Vec3(-0.3 * mm, 0, -0.8 * mm), Vec3(0, 0, -0.8 * mm)}}) {
    scene.move({inside}, {inside});
    const Step s = step(scene);
    ASSERT_TRUE(s.report.converged());
    EXPECT_POSITION(s.x, foot);
  }
}

// Figure 3 right: a wedge of 30°. The rectangular region under one face reaches through the other one into
// free space.
TEST(GlcPgs, sharp_corner_leaves_the_free_space_free) {
  const double angle = 30 * M_PI / 180, s = 5 * mm;
  const Vec3 down(-std::cos(angle), 0, -std::sin(angle));         // along the lower face, away from the edge
  const Vec3 lower_normal(std::sin(angle), 0, -std::cos(angle));  // outwards: below the lower face
  GlcScene scene =
      scene_of({face({-s, 0, 0}, kUp, s, s, 3 * mm), face(s * down, lower_normal, s, s, 3 * mm, 0, 0, down)});
  const Vec3 outside =
      2 * mm * down + 0.7 * mm * lower_normal;  // under the top face's rectangle, but below the wedge
  ASSERT_LT(outside.z(), 0);
  ASSERT_GT(outside.z(), -3 * mm);
  scene.move({outside}, {outside});
  const Step s1 = step(scene);
  ASSERT_TRUE(s1.report.converged());
  EXPECT_EQ(s1.f.norm(), 0);
  EXPECT_GT(step(scene, {.convex_sets = false}).f.norm(), 0);
}

// Figure 4 left: two opposing faces of a slab, a free motion that leaps over both regions.
TEST(GlcPgs, fast_motion_tunnels_through_a_slab_only_without_the_trust_region) {
  const double thickness = 2 * mm;
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 0.5 * thickness),
                             face({0, 0, -thickness}, -kUp, 10 * mm, 10 * mm, 0.5 * thickness)});
  const Vec3 input(1 * mm, 0, -9 * mm);
  scene.move({{0, 0, 3 * mm}}, {input});
  const Step with = step(scene), without = step(scene, {.inner_trust = false});
  ASSERT_TRUE(with.report.converged());
  EXPECT_POSITION(with.x, Vec3(1 * mm, 0, 0));
  EXPECT_GT(with.report.inner_hits, 0);
  EXPECT_POSITION(without.x, input);
}

TEST(GlcPgs, thin_slab_answers_on_the_side_where_the_proxy_is) {
  const double thickness = 1 * mm;
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 0.5 * thickness),
                             face({0, 0, -thickness}, -kUp, 10 * mm, 10 * mm, 0.5 * thickness)});
  scene.move({{0, 0, 0}}, {{0, 0, -0.9 * mm}});  // pressed from above, input nearer to the bottom face
  EXPECT_POSITION(step(scene).x, Vec3(0, 0, 0));
  scene.move({{0, 0, -thickness}}, {{0, 0, -0.1 * mm}});  // pressed from below
  EXPECT_POSITION(step(scene).x, Vec3(0, 0, -thickness));
}

// Figures 4 right and 5: sliding on the floor into a wall; the floor's answer leaps over the wall.
TEST(GlcPgs, concave_corner_is_leapt_over_only_without_the_trust_region) {
  const Glc floor = face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 2 * mm);
  const Glc wall = face({1 * mm, 0, 2 * mm}, -kRight, 3 * mm, 10 * mm, 0.5 * mm, 0, 0, kUp);
  GlcScene scene = scene_of({floor, wall});
  const Vec3 input(6 * mm, 0.2 * mm, -1 * mm);
  scene.move({{0, 0, 0}}, {input});
  const Step with = step(scene), without = step(scene, {.inner_trust = false});
  ASSERT_TRUE(with.report.converged());
  EXPECT_POSITION(with.x, Vec3(1 * mm, 0.2 * mm, 0));
  EXPECT_EQ(with.report.carriers, 2);  // floor and wall are not one convex set
  EXPECT_GT(without.x.x(), 1.1 * mm);
}

// A valley of two 45° faces: the proxy rests on its bottom line, the two forces balance the coupling.
TEST(GlcPgs, concave_edge_carries_on_both_faces) {
  const Vec3 left_normal = Vec3(1, 0, 1).normalized(), right_normal = Vec3(-1, 0, 1).normalized();
  const double s = 4 * mm, depth = 1 * mm;
  GlcScene scene = scene_of({face(s / std::sqrt(2) * Vec3(-1, 0, 1), left_normal, 1.2 * s, s, 2 * mm),
                             face(s / std::sqrt(2) * Vec3(1, 0, 1), right_normal, 1.2 * s, s, 2 * mm)});
  scene.move({{0, 0, 0.5 * mm}}, {{0.2 * mm, 0, -depth}});
  const Step step_down = step(scene);
  ASSERT_TRUE(step_down.report.converged());
  EXPECT_POSITION(step_down.x, Vec3(0, 0, 0));
  // Balance: C (f_l n_l + f_r n_r) = (−0.2, 0, 1) mm.
  EXPECT_NEAR(step_down.f[0], (depth - 0.2 * mm) / std::sqrt(2) / kProxyCompliance, 1e-6);
  EXPECT_NEAR(step_down.f[3], (depth + 0.2 * mm) / std::sqrt(2) / kProxyCompliance, 1e-6);
}

// A plane tiled by overlapping GLCs is one convex set: one carrier, the same force as one large GLC.
TEST(GlcPgs, tiles_of_a_plane_act_as_one) {
  std::vector<Glc> tiles;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      tiles.push_back(face({2 * mm * i, 2 * mm * j, 0}, kUp, 1.3 * mm, 1.3 * mm, 2 * mm, 0.2));
  GlcScene scene = scene_of(tiles);
  Vec3 x(-5 * mm, -4 * mm, 0);
  for (int tick = 0; tick < 40; ++tick) {
    const Vec3 drag(0.25 * mm, 0.15 * mm, -1 * mm);
    scene.move({x}, {x + drag});
    const Step s = step(scene);
    ASSERT_TRUE(s.report.converged()) << tick;
    EXPECT_EQ(s.report.carriers, 1);
    const Vec2 slip = drag.head<2>() * (1 - 0.2 * 1 * mm / drag.head<2>().norm());
    EXPECT_POSITION(s.x, Vec3(x + Vec3(slip.x(), slip.y(), 0)));
    x = s.x;
  }
}

// A body that gives way as a whole, by more than the depth of its GLCs. The second tile lies a little lower:
// when the proxy passes the border, no tile carries for a moment, and the body comes back. It must not leap
// over the proxy.
TEST(GlcPgs, soft_surface_does_not_spring_back_over_a_sliding_proxy) {
  const double give = 5e-3, lower = 0.01 * mm, down = 6 * mm;  // m/N, m, m
  GlcScene scene = scene_of({face({-5 * mm, 0, 0}, kUp, 5 * mm, 5 * mm, 2 * mm),
                             face({5 * mm, 0, -lower}, kUp, 5 * mm, 5 * mm, 2 * mm)});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) scene.problem.W.block<3, 3>(3 * i, 3 * j) += give * Mat3::Identity();
  GlcPgs pgs;
  ASSERT_TRUE(pgs.set_problem(scene.problem));
  VecX f = VecX::Zero(6);
  const auto rest = [&](double plane) {  // ψ = x_free − plane + (C + give) f = 0
    return -down + kProxyCompliance * (plane + down) / (kProxyCompliance + give);
  };
  f[0] = down / (kProxyCompliance + give);  // pressed in already
  Vec3 x(-2.25 * mm, 0, rest(0));
  for (int tick = 0; tick < 9; ++tick) {
    const double to = (-1.75 + 0.5 * tick) * mm;
    scene.move({x}, {Vec3(to, 0, -down)});
    ASSERT_TRUE(pgs.solve({.tolerance = 1e-10, .warm_start = true}, scene.motion, f).converged()) << tick;
    x = pgs.proxy_position(0);
    EXPECT_POSITION(x, Vec3(to, 0, rest(to < 0 ? 0 : -lower))) << tick;
  }
}

// Two triangles of one plane share an edge whose nodes give way. A point on the edge belongs to both:
// whichever bears its force, on the nodes with the weights of that place, the surface goes the same way.
TEST(GlcPgs, on_an_edge_either_triangle_gives_way_alike) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform;
  for (int trial = 0; trial < 50; ++trial) {
    const double at = uniform(random);
    MatX Y(6, 12);
    for (double& y : Y.reshaped()) y = 2 * uniform(random) - 1;
    double force[2];
    Vec3 x[2];
    for (int side : {0, 1}) {
      GlcScene scene = scene_of({face({0, 0, 0}, kUp, 20 * mm, 20 * mm, 5 * mm, 0.2)});
      scene.problem.nodes = 4;  // 0 and 1 of the edge, one more of each triangle
      scene.problem.glc[0].node = {0, 1, 2 + side};
      scene.problem.glc[0].weight = Vec3(1 - at, at, 0);
      scene.problem.W = 1e-4 * Y.transpose() * Y;
      scene.move({Vec3::Zero()}, {Vec3(1 * mm, 0.3 * mm, -2 * mm)});
      const Step s = step(scene);
      ASSERT_TRUE(s.report.converged());
      force[side] = s.f[0];
      x[side] = s.x;
      // The law of the nodes: what lies between them goes between them.
      const MatX E =
          (MatX(3, 12) << (1 - at) * Mat3::Identity(), at * Mat3::Identity(), MatX::Zero(3, 6)).finished();
      const Mat3 own = E * scene.problem.W * E.transpose();
      const Vec3 f_world = frame_rows(scene.problem.glc[0]).transpose() * s.f;
      EXPECT_NEAR((s.x + own * f_world).z(), 0, 1e-9);
    }
    EXPECT_NEAR(force[0], force[1], 1e-9 * force[0]);
    EXPECT_POSITION(x[0], x[1]);
  }
}

TEST(GlcPgs, outer_trust_region_holds_the_proxy_and_reports_it) {
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 2 * mm)});
  scene.problem.proxy[0].trust_half = Vec3(3 * mm, 4 * mm, 5 * mm);
  scene.move({{0, 0, 0}}, {{8 * mm, -1 * mm, -1 * mm}});
  const Step s = step(scene);
  ASSERT_TRUE(s.report.converged());
  EXPECT_POSITION(s.x, Vec3(3 * mm, -1 * mm, 0));
  EXPECT_EQ(s.report.outer_hits, 1);
  scene.move({{0, 0, 0}}, {{2 * mm, -1 * mm, -1 * mm}});
  EXPECT_EQ(step(scene).report.outer_hits, 0);
}

// Two proxies press the same body: W = C I + K with K the body's compliance between their points. Without
// friction the forces solve the 2 × 2 system; each feels the other within the same solve.
TEST(GlcPgs, two_proxies_feel_each_other_through_the_body) {
  const double a = 4e-4, b = 2.5e-4;  // own and mutual compliance of the body, m/N
  GlcScene scene;
  scene.add_proxy({-5 * mm, 0, 0});
  scene.add_proxy({5 * mm, 0, 0});
  scene.add(face({-5 * mm, 0, 0}, kUp, 4 * mm, 4 * mm, 4 * mm, 0, 0));
  scene.add(face({5 * mm, 0, 0}, kUp, 4 * mm, 4 * mm, 4 * mm, 0, 1));
  scene.assemble();
  MatX body = MatX::Zero(6, 6);
  body(0, 0) = body(3, 3) = a;
  body(0, 3) = body(3, 0) = b;
  scene.give(body);
  GlcPgs pgs;
  ASSERT_TRUE(pgs.set_problem(scene.problem));
  VecX f = VecX::Zero(6);
  double first_before = 0;
  for (double depth : {0.0, 1 * mm, 2 * mm}) {
    scene.move({{-5 * mm, 0, 0}, {5 * mm, 0, 0}}, {{-5 * mm, 0, -1 * mm}, {5 * mm, 0, -depth}});
    ASSERT_TRUE(pgs.solve({.tolerance = 1e-11}, scene.motion, f).converged());
    const double c = kProxyCompliance + a;
    Vec2 exact = Mat2{{c, b}, {b, c}}.inverse() * Vec2(1 * mm, depth);
    if (exact.minCoeff() < 0) exact = Vec2(1 * mm / c, 0);
    EXPECT_NEAR(f[0], exact[0], 1e-6);
    EXPECT_NEAR(f[3], exact[1], 1e-6);
    if (depth > 0) {
      EXPECT_LT(f[0], first_before);  // the body gives way where the other hand pushes it down
    }
    first_before = f[0];
  }
}

// GLCs of different proxies never share a convex set (eq. 18), though they may lie in one plane.
TEST(GlcPgs, one_proxy_outside_does_not_excuse_another_inside) {
  GlcScene scene;
  scene.add_proxy({0, 0, 0});
  scene.add_proxy({1 * mm, 0, 1 * mm});
  scene.add(face({0, 0, 0}, kUp, 5 * mm, 5 * mm, 4 * mm, 0, 0));
  scene.add(face({0, 0, 0}, kUp, 5 * mm, 5 * mm, 4 * mm, 0, 1));
  scene.assemble();
  scene.move({{0, 0, 0}, {1 * mm, 0, 1 * mm}}, {{0, 0, -1 * mm}, {1 * mm, 0, 0.5 * mm}});
  const Step s = step(scene);
  ASSERT_TRUE(s.report.converged());
  EXPECT_POSITION(s.x, Vec3(0, 0, 0));
  EXPECT_EQ(s.f[3], 0);
}

// Others beside the GLCs: a bilateral tether of the proxy to the plane x = 1 mm (stiff in x only) and an
// ordinary contact.
TEST(GlcPgs, other_constraints_share_the_sweeps) {
  GlcScene scene;
  scene.add_proxy(Vec3::Zero());
  scene.add(face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 4 * mm));
  Mat3 tether = Mat3::Zero();
  tether.row(0) = kRight.transpose();
  scene.problem.other.push_back({.kind = ContactKind::bilateral, .proxy = 0, .frame = tether});
  Mat3 stop;  // an infinite wall: y ≤ 2 mm
  stop << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  scene.problem.other.push_back({.kind = ContactKind::unilateral, .proxy = 0, .frame = stop});
  scene.assemble();
  const Vec3 input(3 * mm, 5 * mm, -1 * mm);
  scene.move({Vec3::Zero()}, {input});
  scene.motion.delta_free.segment<3>(3) << input.x() - 1 * mm, 0, 0;
  scene.motion.delta_free.segment<3>(6) << 2 * mm - input.y(), input.x(), input.z();
  const Step s = step(scene);
  ASSERT_TRUE(s.report.converged());
  EXPECT_POSITION(s.x, Vec3(1 * mm, 2 * mm, 0));
}

TEST(GlcPgs, warm_start_from_the_answer_takes_one_sweep_per_trust_step) {
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 2 * mm, 0.3)});
  scene.move({Vec3::Zero()}, {{0.5 * mm, 0, -1 * mm}});
  GlcPgs pgs;
  ASSERT_TRUE(pgs.set_problem(scene.problem));
  VecX f = VecX::Zero(3);
  ASSERT_TRUE(pgs.solve({}, scene.motion, f).converged());
  const VecX answer = f;
  const GlcReport again = pgs.solve({.warm_start = true}, scene.motion, f);
  EXPECT_TRUE(again.converged());
  EXPECT_LE(again.sweeps, 2);
  EXPECT_LT((f - answer).norm(), 1e-9 * answer.norm());
}

// A solve cut short leaves the proxy on its way, not behind the wall.
TEST(GlcPgs, solve_cut_short_has_not_leapt_over_anything) {
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, 10 * mm, 10 * mm, 0.4 * mm)});
  scene.move({{0, 0, 5 * mm}}, {{0, 0, -9 * mm}});
  for (int sweeps = 1; sweeps < 40; ++sweeps) {
    const Step s = step(scene, {}, {.max_sweeps = sweeps});
    EXPECT_GE(s.x.z(), -0.4 * mm) << sweeps;
  }
}

TEST(GlcPgs, problems_beyond_the_sizes_or_with_nonsense_are_refused) {
  GlcScene scene = scene_of({face({0, 0, 0}, kUp, mm, mm, mm), face({0, 0, 0}, kUp, mm, mm, mm)});
  GlcPgs small({.glc = 1, .other = 0, .proxies = 1});
  EXPECT_FALSE(small.set_problem(scene.problem));
  GlcProblem bad = scene.problem;
  bad.glc[0].n *= 2;
  EXPECT_FALSE(validate(bad));
  bad = scene.problem;
  bad.glc[1].proxy = 7;
  EXPECT_FALSE(validate(bad));
  bad = scene.problem;
  bad.W(1, 2) = std::nan("");
  EXPECT_FALSE(validate(bad));
  GlcPgs pgs;
  ASSERT_TRUE(pgs.set_problem(scene.problem));
  scene.motion.x_free[0].x() = std::nan("");
  VecX f = VecX::Ones(6);
  EXPECT_EQ(pgs.solve({}, scene.motion, f).status, SolveStatus::not_applicable);
  EXPECT_EQ(f.norm(), 0);
}

}  // namespace glc_pgs_test
}  // namespace palp
