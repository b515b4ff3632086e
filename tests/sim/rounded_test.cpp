// Bodies whose contact is exact: balls, capsules, boxes with rounded edges.
#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace rounded_test {

using testing::obstacle;
using testing::two_bodies;

std::shared_ptr<const Body> round_body(const RoundedShape& shape, double density = 1000) {
  RigidSpec spec;
  spec.rounded = shape;
  spec.density_kg_per_m3 = density;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

std::shared_ptr<const Body> tilted_plane(double angle = 0) {
  const Mat3 tilt = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  return obstacle(testing::box_surface(Vec3(20, 1, 0.1), tilt * Vec3(0, 0, -0.05), tilt));
}

TEST(Rounded, mass_and_inertia_are_those_of_the_books) {
  const auto ball_of = mass_properties(*round_ball(0.3, Vec3(1, 2, 3)), 700);
  const double m = 700 * 4 * std::numbers::pi / 3 * 0.027;
  EXPECT_NEAR(ball_of->mass_kg, m, 1e-12 * m);
  EXPECT_LT((ball_of->inertia_kg_m2 - 0.4 * m * 0.09 * Mat3::Identity()).norm(), 1e-12 * m);
  // A capsule: a cylinder and two half balls, whose centres of mass are 3r/8 from their flat sides.
  const double r = 0.1, L = 0.5, rho = 900;
  const auto c = mass_properties(*round_capsule(r, L + 2 * r, Vec3::Zero()), rho);
  const double mc = rho * std::numbers::pi * r * r * L, mh = rho * 2 * std::numbers::pi / 3 * r * r * r;
  const double along = 0.5 * mc * r * r + 2 * 0.4 * mh * r * r;
  const double across =
      mc * (3 * r * r + L * L) / 12 + 2 * mh * ((0.4 - 9.0 / 64) * r * r + std::pow(0.5 * L + 0.375 * r, 2));
  EXPECT_NEAR(c->mass_kg, mc + 2 * mh, 1e-12);
  EXPECT_NEAR(c->inertia_kg_m2(2, 2), along, 1e-12);
  EXPECT_NEAR(c->inertia_kg_m2(0, 0), across, 1e-12);
  // Almost no rounding: the box.
  const Vec3 size(0.1, 0.2, 0.3);
  const auto b = mass_properties(*round_box(size, 1e-9, Vec3::Zero()), rho);
  EXPECT_NEAR(b->mass_kg, rho * size.prod(), 1e-6);
  EXPECT_NEAR(b->inertia_kg_m2(0, 0), b->mass_kg / 12 * (0.04 + 0.09), 1e-8);
}

TEST(Rounded, the_solid_between_box_and_ball_agrees_with_a_sum_over_small_cells) {
  const auto shape = *round_box(Vec3(0.2, 0.3, 0.25), 0.06, Vec3::Zero());
  double volume = 0;
  Vec3 second = Vec3::Zero();
  const int n = 120;
  const Vec3 cell = Vec3(0.2, 0.3, 0.25) / n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 x = (Vec3(i, j, k) + Vec3::Constant(0.5)).cwiseProduct(cell) - Vec3(0.1, 0.15, 0.125);
        const Vec3 beyond = (x.cwiseAbs() - shape.half_core_m).cwiseMax(0);
        if (beyond.norm() > shape.radius_m) continue;
        volume += cell.prod();
        second += cell.prod() * x.cwiseProduct(x);
      }
  const auto m = mass_properties(shape, 1);
  EXPECT_NEAR(m->mass_kg, volume, 1e-3 * volume);
  EXPECT_NEAR(m->inertia_kg_m2(0, 0), second[1] + second[2], 2e-3 * (second[1] + second[2]));
  EXPECT_NEAR(m->inertia_kg_m2(2, 2), second[0] + second[1], 2e-3 * (second[0] + second[1]));
}

// Rolling without slip: a = 5/7 g sin α.
TEST(Rounded, a_ball_rolls_down_a_slope_with_five_sevenths_of_g_sine) {
  const double angle = 0.2, radius = 0.03;
  for (double h : {0.001, 0.005, 0.01}) {
    const Mat3 tilt = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    Model model =
        two_bodies(round_body(*round_ball(radius, tilt * Vec3(0, 0, radius))), tilted_plane(angle), 0.5);
    model.h_s = h;
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    const int steps = static_cast<int>(std::lround(1 / h));
    for (int i = 0; i < steps; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
    const double speed = state.bodies[0].v.head<3>().norm(),
                 expected = 5.0 / 7 * 9.81 * std::sin(angle) * steps * h;
    EXPECT_NEAR(speed, expected, 1e-3 * expected) << h;
    EXPECT_NEAR(state.bodies[0].v.tail<3>().norm() * radius, speed, 1e-3 * speed) << h;
  }
}

// A ball that slides gains spin by friction: v and ω change at μg and 5/2 μg/r until it rolls at 5/7 of its
// speed.
TEST(Rounded, a_sliding_ball_ends_rolling_at_five_sevenths_of_its_speed) {
  const double radius = 0.05, v0 = 2, mu = 0.3, h = 0.005;
  Model model = two_bodies(round_body(*round_ball(radius, Vec3(0, 0, radius))), tilted_plane(), mu);
  model.h_s = h;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  state.bodies[0].v[0] = v0;
  const double until = 2.0 / 7 * v0 / (mu * 9.81);  // 0.19 s
  double t = 0;
  for (; t < 0.6 * until; t += h) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  EXPECT_NEAR(state.bodies[0].v[0], v0 - mu * 9.81 * t, 0.01 * v0);
  EXPECT_NEAR(state.bodies[0].v[4], 2.5 * mu * 9.81 * t / radius, 0.01 * v0 / radius);
  for (; t < 1.5 * until; t += h) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  EXPECT_NEAR(state.bodies[0].v[0], 5.0 / 7 * v0, 0.005 * v0);
  EXPECT_NEAR(state.bodies[0].v[4] * radius, 5.0 / 7 * v0, 0.005 * v0);
}

TEST(Rounded, a_ball_rests_at_its_radius_wherever_it_lies_on_a_box) {
  for (double x : {0.0, 0.21, 4.73}) {
    Model model = two_bodies(round_body(*round_ball(0.04, Vec3(x, 0.013, 0.045))), tilted_plane(), 0.3);
    model.h_s = 0.005;
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
    EXPECT_NEAR(state.bodies[0].x[2], 0.04, 1e-9);
    EXPECT_NEAR(testing::total_force(ws).z(), model.bodies[0].body->mass() * 9.81, 1e-6);
    EXPECT_LT(model.bodies[0].body->kinetic_energy(state.bodies[0]), 1e-15);
  }
}

// Two equal balls, head on and without friction: by implicit Euler they end with the momentum of both.
TEST(Rounded, two_balls_meet_at_the_sum_of_their_radii_and_keep_their_momentum) {
  Model model = two_bodies(round_body(*round_ball(0.02, Vec3(0, 0, 0))),
                           round_body(*round_ball(0.03, Vec3(0.06, 0.01, 0)), 500), 0.4);
  model.gravity.setZero();
  model.h_s = 0.002;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  state.bodies[0].v[0] = 1;
  const double m0 = model.bodies[0].body->mass(), m1 = model.bodies[1].body->mass();
  double nearest = 1;
  for (int i = 0; i < 60; ++i) {
    ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
    nearest = std::min(nearest, (state.bodies[0].x.head<3>() - state.bodies[1].x.head<3>()).norm());
    const Vec3 p = m0 * state.bodies[0].v.head<3>() + m1 * state.bodies[1].v.head<3>();
    EXPECT_LT((p - Vec3(m0, 0, 0)).norm(), 1e-12);
  }
  EXPECT_GT(state.bodies[1].v.head<3>().norm(), 0.1);
  EXPECT_NEAR(nearest, 0.05, 1e-4);
}

TEST(Rounded, a_capsule_and_a_box_with_rounded_edges_come_to_rest_flat) {
  const auto lying = [](RoundedShape shape) {
    shape.rotation = Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()));
    return shape;
  };
  const std::vector<std::pair<RoundedShape, double>> cases{
      {lying(*round_capsule(0.02, 0.12, Vec3(0, 0, 0.021))), 0.02},
      {*round_box(Vec3(0.1, 0.08, 0.06), 0.01, Vec3(0, 0, 0.031)), 0.03}};
  for (const auto& [shape, height] : cases) {
    Model model = two_bodies(round_body(shape), tilted_plane(), 0.3);
    model.h_s = 0.005;
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    for (int i = 0; i < 400; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
    EXPECT_NEAR(state.bodies[0].x[2], height, 1e-6);
    EXPECT_LT(model.bodies[0].body->kinetic_energy(state.bodies[0]), 1e-12);
    EXPECT_NEAR(testing::total_force(ws).z(), model.bodies[0].body->mass() * 9.81, 1e-5);
  }
}

// Thick shapes are not lost by depth: the core is found however far the surfaces overlap, up to the radius.
TEST(Rounded, a_fast_ball_does_not_pass_a_thin_plate) {
  for (double speed : {1.0, 5.0, 20.0, 100.0}) {
    Model model = two_bodies(round_body(*round_ball(0.05, Vec3(0, 0, 0.3))),
                             obstacle(testing::box_surface(Vec3(1, 1, 0.002), Vec3::Zero())), 0);
    model.h_s = 0.005;
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    state.bodies[0].v[2] = -speed;
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
      ASSERT_GT(state.bodies[0].x[2], 0.001 + 0.05 - 1e-6) << speed << " " << i;
    }
  }
}

// The soft skin is round at rest: it touches with the curves of its edges, which turn with the deformation
// and must not push by themselves.
TEST(Rounded, a_soft_ball_thrown_on_a_rod_gains_no_energy) {
  SphereShape shape;
  shape.radius_m = 0.03;
  shape.centre_m = Vec3(0, 0, 0.055);
  shape.cells_across = 6;
  FemSpec soft;
  soft.mesh = *sphere_hexes(shape);
  soft.model = FemModel::corotational;
  soft.young_modulus_Pa = 3e4;
  const std::shared_ptr<const Body> ball = std::move(*FemBody::make(soft));
  ObstacleSpec rod;
  rod.rounded = *round_capsule(0.02, 0.3, Vec3::Zero());
  rod.rounded->rotation = Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX()));
  const std::shared_ptr<const Body> below = std::move(*Obstacle::make(std::move(rod)));
  for (double mu : {0.0, 0.5})
    for (double aside : {0.0, 0.004, 0.01}) {
      Model model = two_bodies(ball, below, mu);
      model.gravity.setZero();
      model.h_s = 0.002;
      State state = make_state(model);
      Workspace ws = make_workspace(model);
      for (int n = 0; n < state.bodies[0].x.size() / 3; ++n) state.bodies[0].x[3 * n] += aside;
      ball->launch(Vec3(0, 0, -0.5), Vec3::Zero(), state.bodies[0]);
      const auto energy = [&] {
        return ball->kinetic_energy(state.bodies[0]) + ball->elastic_energy(state.bodies[0]);
      };
      const double given = energy();
      double before = given;
      int touching = 0;
      for (int i = 0; i < 100; ++i) {
        const StepReport report = step(model, state, ws);
        ASSERT_EQ(report.status, StepStatus::ok);
        touching += report.active_contacts > 0;
        EXPECT_LT(energy(), before + 1e-6 * given) << "step " << i << ", mu " << mu << ", aside " << aside;
        before = energy();
      }
      EXPECT_GT(touching, 10);
      EXPECT_LT(before, given);
    }
}

}  // namespace rounded_test
}  // namespace palp
