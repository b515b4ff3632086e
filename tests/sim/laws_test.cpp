// What holds on every step, whatever the scene: Newton's third law, Coulomb's law in every direction, no
// energy from nothing, bodies that stay outside each other.
#include <numbers>

#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

#include "palp/sim/contact_wrench.hpp"

namespace palp {
namespace laws_test {

using namespace testing;

Model strict(Model model) {
  model.solver.name = "coulomb";
  model.solver.options.tolerance = 1e-9;
  model.solver.options.max_sweeps = 20000;
  return model;
}

/// Linear momentum: node by node for a volume body, mass times velocity for a rigid one.
Vec3 momentum(const Model& model, const State& state, int body) {
  const Body& b = *model.bodies[body].body;
  const VecX& v = state.bodies[body].v;
  const auto* fem = dynamic_cast<const FemBody*>(&b);
  if (!fem) return b.mass() * v.head<3>();
  Vec3 sum = Vec3::Zero();
  for (int n = 0; n < fem->blocks(); ++n) sum += fem->node_mass()[n] * v.segment<3>(3 * n);
  return sum;
}

double potential(const Model& model, const State& state, int body) {
  const Body& b = *model.bodies[body].body;
  if (!b.movable()) return 0;
  const auto* fem = dynamic_cast<const FemBody*>(&b);
  if (!fem) return -b.mass() * model.gravity.dot(state.bodies[body].x.head<3>());
  double sum = 0;
  for (int n = 0; n < fem->blocks(); ++n)
    sum -= fem->node_mass()[n] * model.gravity.dot(state.bodies[body].x.segment<3>(3 * n));
  return sum;
}

double energy(const Model& model, const State& state) {
  double sum = 0;
  for (size_t b = 0; b < model.bodies.size(); ++b)
    sum += model.bodies[b].body->kinetic_energy(state.bodies[b]) +
           model.bodies[b].body->elastic_energy(state.bodies[b]) +
           potential(model, state, static_cast<int>(b));
  return sum;
}

TEST(Laws, a_stack_transmits_its_weight_and_separate_stacks_are_separate_problems) {
  Model model;
  const auto brick = [](double x, double z) { return soft_box(Vec3(0.1, 0.1, 0.05), Vec3(x, 0, z), 1e5); };
  model.bodies = {{"lower", brick(0, 0.0251)},
                  {"upper", brick(0.01, 0.0753)},
                  {"alone", brick(0.5, 0.0251)},
                  {"floor", obstacle(box_surface(Vec3(2, 1, 0.1), Vec3(0, 0, -0.05)))}};
  for (auto [i, j] : {std::pair{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}) add_rule(model, i, j, 0.5);
  model = strict(model);
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  StepReport report;
  for (int i = 0; i < 250; ++i) {
    report = step(model, state, ws);
    ASSERT_EQ(report.status, StepStatus::ok);
    ASSERT_TRUE(report.converged) << i << " certificate " << report.certificate;
  }
  EXPECT_EQ(report.groups, 2);
  Vec3 lower, upper, alone, floor, torque;
  contact_wrench(ws, 0, Vec3::Zero(), lower, torque);
  contact_wrench(ws, 1, Vec3::Zero(), upper, torque);
  contact_wrench(ws, 2, Vec3::Zero(), alone, torque);
  contact_wrench(ws, 3, Vec3::Zero(), floor, torque);
  const double weight = 9.81 * model.bodies[0].body->mass();  // of each: they are equal
  EXPECT_NEAR(upper.z(), weight, 1e-4 * weight);
  EXPECT_NEAR(lower.z(), weight, 1e-4 * weight);  // twice from below, once from above
  EXPECT_NEAR(alone.z(), weight, 1e-4 * weight);
  EXPECT_NEAR(floor.z(), -3 * weight, 3e-4 * weight);
}

TEST(Laws, contacts_do_not_change_the_momentum_of_all_bodies_together_on_any_step) {
  // A soft box falls beside a rigid one and hits it, with friction, in free fall: only gravity acts from
  // outside.
  Model model = strict(two_bodies(soft_box(Vec3::Constant(0.08), Vec3(0.01, 0.02, 0.09), 3e4),
                                  rigid(box_surface(Vec3(0.2, 0.1, 0.1), Vec3(0, 0, -0.002)), 700), 0.6));
  model.h_s = 0.004;
  State state = make_state(model);
  for (int n = 0; n < state.bodies[0].v.size() / 3; ++n)
    state.bodies[0].v.segment<3>(3 * n) = Vec3(0.2, -0.1, -0.6);
  Workspace ws = make_workspace(model);
  const double mass = model.bodies[0].body->mass() + model.bodies[1].body->mass();
  int touching = 0;
  for (int i = 0; i < 60; ++i) {
    const Vec3 before = momentum(model, state, 0) + momentum(model, state, 1);
    const StepReport report = step(model, state, ws);
    ASSERT_EQ(report.status, StepStatus::ok);
    touching += report.active_contacts > 0;
    const Vec3 gained = momentum(model, state, 0) + momentum(model, state, 1) - before;
    EXPECT_LT((gained - model.h_s * mass * model.gravity).norm(), 1e-10 * (1 + before.norm()));
    Vec3 first, second, torque1, torque2;
    contact_wrench(ws, 0, Vec3::Zero(), first, torque1);
    contact_wrench(ws, 1, Vec3::Zero(), second, torque2);
    EXPECT_LT((first + second).norm(), 1e-12 * (1 + first.norm()));
    // P and Q are apart by at most the alarm distance: so much of the torques may differ.
    EXPECT_LE((torque1 + torque2).norm(), 0.005 * first.norm() + 1e-12);
  }
  EXPECT_GT(touching, 5);
}

TEST(Laws, friction_opposes_the_slip_equally_in_every_direction) {
  const double mu = 0.35, g = 9.81, speed = 0.5;
  for (int k = 0; k < 24; ++k) {
    const double angle = 2 * std::numbers::pi * (k + 0.3) / 24;
    const Vec3 along(std::cos(angle), std::sin(angle), 0);
    // Low and wide, so that the deceleration does not tip it.
    Model model = strict(two_bodies(rigid(box_surface(Vec3(0.2, 0.2, 0.01), Vec3(0, 0, 0.00501)), 1000),
                                    obstacle(box_surface(Vec3(4, 4, 0.1), Vec3(0, 0, -0.05))), mu));
    model.h_s = 0.002;
    State state = make_state(model);
    state.bodies[0].v.head<3>() = speed * along;
    Workspace ws = make_workspace(model);
    const double weight = g * model.bodies[0].body->mass();
    for (int i = 0; i < 20; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
    const double v0 = state.bodies[0].v.head<3>().norm();
    for (int i = 0; i < 30; ++i) {
      ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
      Vec3 force, torque;
      contact_wrench(ws, 0, Vec3::Zero(), force, torque);
      EXPECT_LT((Vec3(force.x(), force.y(), 0) + mu * weight * along).norm(), 1e-5 * weight) << angle;
    }
    const Vec3 v = state.bodies[0].v.head<3>();
    EXPECT_NEAR(v.norm(), v0 - mu * g * 30 * model.h_s, 1e-5);
    EXPECT_LT((v.normalized() - along).norm(), 1e-5) << angle;
  }
}

TEST(Laws, friction_never_does_positive_work_and_stays_in_its_cone) {
  Model model = strict(two_bodies(soft_box(Vec3::Constant(0.1), Vec3(0, 0, 0.053), 3e4),
                                  obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.3));
  model.h_s = 0.005;
  State state = make_state(model);
  for (int n = 0; n < state.bodies[0].v.size() / 3; ++n) {
    const Vec3 x = state.bodies[0].x.segment<3>(3 * n);
    state.bodies[0].v.segment<3>(3 * n) =
        Vec3(0.4, 0.1, -0.3) + Vec3(0, 0, 8).cross(x);  // sliding and spinning
  }
  Workspace ws = make_workspace(model);
  double work = 0;
  for (int i = 0; i < 80; ++i) {
    const StepReport report = step(model, state, ws);
    ASSERT_EQ(report.status, StepStatus::ok);
    ASSERT_TRUE(report.converged);
    for (int g = 0; g < ws.group_count; ++g)
      for (size_t c = 0; c < ws.groups[g].contacts.size(); ++c) {
        const Vec3 f = ws.groups[g].f.segment<3>(3 * static_cast<int>(c));
        const Vec3 delta = ws.groups[g].delta.segment<3>(3 * static_cast<int>(c));
        const double w = f.tail<2>().dot(delta.tail<2>());
        EXPECT_LE(w, 1e-9 * (1 + f.norm()) * (1e-3 + delta.norm()));
        EXPECT_GE(f[0], 0);
        EXPECT_LE(f.tail<2>().norm(), 0.3 * f[0] * (1 + 1e-9) + 1e-12);
        work += w;
      }
  }
  EXPECT_LT(work, -0.01);  // it did brake
}

TEST(Laws, energy_never_grows_when_a_soft_box_is_thrown_on_the_floor) {
  for (double mu : {0.0, 0.5}) {
    Model model = strict(two_bodies(soft_box(Vec3(0.1, 0.08, 0.06), Vec3(0, 0, 0.06), 5e4),
                                    obstacle(box_surface(Vec3(2, 2, 0.1), Vec3(0, 0, -0.05))), mu));
    model.h_s = 0.005;
    State state = make_state(model);
    for (int n = 0; n < state.bodies[0].v.size() / 3; ++n) {
      const Vec3 x = state.bodies[0].x.segment<3>(3 * n) - Vec3(0, 0, 0.06);
      state.bodies[0].v.segment<3>(3 * n) = Vec3(0.5, 0.1, -0.5) + Vec3(1, 3, 0).cross(x);
    }
    Workspace ws = make_workspace(model);
    double before = energy(model, state);
    const double first = before;
    int touching = 0;
    for (int i = 0; i < 100; ++i) {
      const StepReport report = step(model, state, ws);
      ASSERT_EQ(report.status, StepStatus::ok);
      touching += report.active_contacts > 0;
      const double now = energy(model, state);
      EXPECT_LE(now, before + 1e-9) << "step " << i << ", mu " << mu;
      before = now;
    }
    EXPECT_GT(touching, 20);
    EXPECT_LT(before, 0.9 * first);
  }
}

TEST(Laws, a_tumbling_block_penetrates_no_more_than_its_rotation_bends_the_straight_way) {
  // The free motion is followed exactly, the correction to first order. A point at distance r that turns by θ
  // leaves the straight line by r θ²/2, so the two second-order parts, of the free rotation θ_f and of the
  // final one θ, bound what is left: r (θ² + θ_f²)/2. So deep a point may be found at the next step, not
  // deeper.
  const Vec3 size(0.12, 0.08, 0.05);
  const double reach = 0.5 * size.norm();
  Model model = strict(two_bodies(rigid(box_surface(size, Vec3(0, 0, 0.12)), 1000),
                                  obstacle(box_surface(Vec3(8, 8, 0.1), Vec3(0, 0, -0.05))), 0.4));
  model.rules[0].alarm_distance_m = 0.02;
  model.h_s = 0.002;
  State state = make_state(model);
  state.bodies[0].v << 0.8, 0.2, -0.5, 3, 12, 2;
  Workspace ws = make_workspace(model);
  double allowed = 0, turn_free = state.bodies[0].v.tail<3>().norm() * model.h_s;
  int touching = 0;
  for (int i = 0; i < 700; ++i) {
    const StepReport report = step(model, state, ws);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_LE(report.penetration_m, allowed + 1e-8) << "step " << i;
    // The certificate bounds the violation in units of force · compliance; micrometres are far above it.
    EXPECT_LE(report.violation_m, 1e-7) << "step " << i;
    touching += report.active_contacts > 0;
    const double turn = state.bodies[0].v.tail<3>().norm() * model.h_s;
    allowed = 0.5 * reach * (turn * turn + turn_free * turn_free);
    turn_free = turn;
  }
  EXPECT_GT(touching, 100);
  EXPECT_LT(state.bodies[0].v.norm(), 0.01);  // it came to rest
}

}  // namespace laws_test
}  // namespace palp
