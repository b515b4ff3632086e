#include "palp/sim/step.hpp"

#include <algorithm>

#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace step_test {

using namespace testing;

TEST(Step, a_block_on_an_incline_sticks_below_the_angle_of_friction) {
  const double mu = 0.5, angle = std::atan(mu) - 0.02;
  Model model = incline(angle, mu);
  model.h_s = 0.002;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  const Vec3 before = mean_position(model, state, 0);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  EXPECT_LT((mean_position(model, state, 0) - before).norm(), 1e-7);
}

TEST(Step, a_block_on_an_incline_slides_above_it_with_the_right_acceleration) {
  const double mu = 0.3, angle = std::atan(mu) + 0.2, g = 9.81;
  Model model = incline(angle, mu);
  model.h_s = 0.001;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  const double v0 = state.bodies[0].v.head<3>().norm();
  constexpr int n = 300;
  for (int i = 0; i < n; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  const double acceleration = (state.bodies[0].v.head<3>().norm() - v0) / (n * model.h_s);
  EXPECT_NEAR(acceleration, g * (std::sin(angle) - mu * std::cos(angle)), 1e-3 * g);
  // Down the slope, whatever the axes of the contact frames.
  const Vec3 down = Eigen::AngleAxisd(angle, Vec3::UnitY()) * Vec3::UnitX();
  EXPECT_GT(state.bodies[0].v.head<3>().normalized().dot(down), 0.9999);
}

TEST(Step, contact_carries_the_weight_of_a_soft_box_at_rest_without_penetration) {
  Model model = two_bodies(soft_box(Vec3::Constant(0.1), Vec3(0, 0, 0.0502), 5e4),
                           obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.4);
  model.h_s = 0.01;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  StepReport report;
  for (int i = 0; i < 300; ++i) {
    report = step(model, state, ws);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.violation_m, 1e-9);
    EXPECT_LT(report.penetration_m, 1e-8);
  }
  const double weight = 9.81 * model.bodies[0].body->mass();
  EXPECT_NEAR(total_force(ws).z(), weight, 1e-3 * weight);
  EXPECT_LT(total_force(ws).head<2>().norm(), 1e-3 * weight);
}

TEST(Step, energy_never_grows_when_two_soft_boxes_collide) {
  Model model = two_bodies(soft_box(Vec3::Constant(0.1), Vec3(0, 0.01, 0.052), 5e4),
                           soft_box(Vec3::Constant(0.1), Vec3(0, 0, -0.05), 2e4), 0.3);
  model.gravity.setZero();
  model.h_s = 0.005;
  State state = make_state(model);
  for (int n = 0; n < state.bodies[0].v.size() / 3; ++n)
    state.bodies[0].v.segment<3>(3 * n) = Vec3(0.1, 0, -0.5);
  Workspace ws = make_workspace(model);
  bool touched = false;
  double energy = model.bodies[0].body->kinetic_energy(state.bodies[0]);
  for (int i = 0; i < 60; ++i) {
    const StepReport report = step(model, state, ws);
    ASSERT_EQ(report.status, StepStatus::ok);
    touched |= report.active_contacts > 0;
    double now = 0;
    for (int b = 0; b < 2; ++b)
      now += model.bodies[b].body->kinetic_energy(state.bodies[b]) +
             model.bodies[b].body->elastic_energy(state.bodies[b]);
    EXPECT_LE(now, energy + 1e-9);
    energy = now;
  }
  EXPECT_TRUE(touched);
}

TEST(Step, action_equals_reaction_total_momentum_survives_a_collision) {
  Model model = two_bodies(rigid(box_surface(Vec3::Constant(0.1), Vec3(0.02, 0.01, 0.055)), 1000),
                           rigid(box_surface(Vec3(0.2, 0.1, 0.1), Vec3(0, 0, -0.05)), 700), 0.3);
  model.gravity.setZero();
  model.h_s = 0.002;
  State state = make_state(model);
  state.bodies[0].v.head<3>() = Vec3(0.1, 0.05, -0.5);
  Workspace ws = make_workspace(model);
  const auto momentum = [&] {
    return Vec3(model.bodies[0].body->mass() * state.bodies[0].v.head<3>() +
                model.bodies[1].body->mass() * state.bodies[1].v.head<3>());
  };
  const Vec3 before = momentum();
  bool touched = false;
  for (int i = 0; i < 40; ++i) {
    touched |= step(model, state, ws).active_contacts > 0;
    EXPECT_LT((momentum() - before).norm(), 1e-12 * before.norm() + 1e-13);
  }
  EXPECT_TRUE(touched);
  EXPECT_GT(state.bodies[1].v.head<3>().norm(), 0.01);
}

TEST(Step, the_same_scene_gives_the_same_bits) {
  const auto run = [] {
    Model model = two_bodies(soft_box(Vec3::Constant(0.1), Vec3(0.003, 0, 0.06), 3e4),
                             obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.4);
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    for (int i = 0; i < 50; ++i) step(model, state, ws);
    return state.bodies[0].x;
  };
  const VecX a = run(), b = run();
  EXPECT_TRUE((a.array() == b.array()).all());
}

TEST(Step, a_failed_step_leaves_the_state_as_it_was) {
  Model model = two_bodies(soft_box(Vec3::Constant(0.1), Vec3(0, 0, 0.0502), 5e4),
                           obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.4);
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  for (int i = 0; i < 5; ++i) step(model, state, ws);
  ws.bodies[0].loads.force.setConstant(model.bodies[0].body->dof(), std::numeric_limits<double>::quiet_NaN());
  const State before = state;
  const StepReport report = step(model, state, ws);
  EXPECT_EQ(report.status, StepStatus::free_motion_failed);
  EXPECT_EQ(report.body, 0);
  EXPECT_EQ(state.time_s, before.time_s);
  EXPECT_TRUE((state.bodies[0].x.array() == before.bodies[0].x.array()).all());
  // And the next good step goes on from there.
  ws.bodies[0].loads.force.resize(0);
  EXPECT_EQ(step(model, state, ws).status, StepStatus::ok);
}

TEST(Step, attached_points_stay_together) {
  Model model;
  model.bodies = {{"box", soft_box(Vec3::Constant(0.1), Vec3::Zero(), 5e4)}};
  Attachment a;
  a.body1 = 0;
  std::vector<Vec3> x(model.bodies[0].body->skin().vertices);
  model.bodies[0].body->skin_positions(model.bodies[0].body->rest_state(), VecX(), x);
  a.P = {{0, 0, 0}, {1, 0, 0}};
  a.anchor = x[0];
  model.attachments = {a};
  model.solver.name = "coulomb_gs";
  model.solver.options.tolerance = 1e-10;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  model.bodies[0].body->skin_positions(state.bodies[0], VecX(), x);
  EXPECT_LT((x[0] - a.anchor).norm(), 1e-9);
  EXPECT_LT(mean_position(model, state, 0).z(), -0.01);  // it hangs
}

TEST(Step, bodies_that_do_not_touch_are_separate_groups) {
  Model model;
  const auto floor = obstacle(box_surface(Vec3(3, 1, 0.1), Vec3(0, 0, -0.05)));
  model.bodies = {{"a", rigid(box_surface(Vec3::Constant(0.1), Vec3(-1, 0, 0.0501)), 1000)},
                  {"b", rigid(box_surface(Vec3::Constant(0.1), Vec3(1, 0, 0.0501)), 1000)},
                  {"floor", floor}};
  for (auto [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    TouchRule rule;
    rule.body1 = i;
    rule.body2 = j;
    rule.alarm_distance_m = 0.005;
    model.rules.push_back(rule);
  }
  model.solver.name = "coulomb_gs";
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  const StepReport report = step(model, state, ws);
  EXPECT_EQ(report.groups, 2);
  EXPECT_GE(report.contacts, 8);
}

TEST(Step, an_obstacle_at_rest_is_found_where_it_is_also_after_it_was_moved) {
  Model model = two_bodies(rigid(box_surface(Vec3::Constant(0.1), Vec3(0, 0, 0.0502)), 1000),
                           obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.4);
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  for (int i = 0; i < 10; ++i) step(model, state, ws);
  EXPECT_GE(step(model, state, ws).contacts, 4);
  state.bodies[1].x.head<3>() += Vec3(0, 0, -1);  // taken away between two steps
  EXPECT_EQ(step(model, state, ws).contacts, 0);
  state.bodies[1].x.head<3>() += Vec3(0, 0, 0.998);
  EXPECT_GE(step(model, state, ws).contacts, 4);
  // Driven upwards, then left alone: the block is lifted and rests on it where it stopped.
  ws.bodies[1].loads.prescribed = {Vec3(0, 0, 0.001), Vec3::Zero()};
  for (int i = 0; i < 50; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  ws.bodies[1].loads.prescribed = {Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < 100; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
  EXPECT_NEAR(mean_position(model, state, 0).z() - state.bodies[1].x[2], 0.05, 1e-6);
}

TEST(Step, warm_starts_follow_the_contacts_from_step_to_step) {
  const auto sweeps_at_rest = [](bool warm) {
    Model model = two_bodies(soft_box(Vec3::Constant(0.1), Vec3(0, 0, 0.0502), 5e4),
                             obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.4);
    model.solver.options.warm_start = warm;
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    // At rest to 1e-10, so that a looser solve finds its answer in the last step's forces: what a solve
    // leaves over moves the body, and at one and the same tolerance every second start is just above it.
    std::vector<int> sweeps;
    for (int i = 0; i < 300; ++i) {
      const bool look = i >= 200 && i % 10 == 0;
      model.solver.options.tolerance = look ? 1e-6 : 1e-10;
      const StepReport report = step(model, state, ws);
      if (look) sweeps.push_back(report.sweeps);
    }
    return *std::max_element(sweeps.begin(), sweeps.end());
  };
  const int warm = sweeps_at_rest(true), cold = sweeps_at_rest(false);
  EXPECT_GT(cold, 5);
  EXPECT_LT(warm, cold / 4);
}

}  // namespace step_test
}  // namespace palp
