#include "palp/hands/coupling.hpp"

#include <gtest/gtest.h>

#include "palp/hands/single_rate.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace coupling_test {

std::shared_ptr<const Body> brick() {
  RigidSpec spec;
  BoxShape shape;
  shape.size_m = {0.1, 0.06, 0.04};
  shape.cells = {1, 1, 1};
  spec.surface = extract_surface(*box_hexes(shape)).mesh;
  spec.density_kg_per_m3 = 1000;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(spec)));
}

Model held_brick() {
  Model model;
  model.bodies = {{"brick", brick()}};
  model.solver.name = "coulomb_gs";
  model.h_s = 0.001;
  return model;
}

TEST(Coupling, load_is_the_linearisation_of_the_wrench) {
  // Without motion of the device: force(Δ) = force(0) − stiffness Δ for small Δ, with Δ over one step of h.
  const CouplingSettings s{500, 3, 7, 0.2};
  const double h = 0.002;
  BodyFrame frame;
  frame.position = Vec3(0.1, 0.2, -0.1);
  frame.orientation = Quat(Eigen::AngleAxisd(0.3, Vec3(1, 2, 0.5).normalized()));
  frame.has_rotation = true;
  const Vec3 lever(0.02, -0.01, 0.03);
  DevicePose device;
  device.position = frame.position + frame.orientation * lever;  // relaxed: no geometric stiffness
  device.orientation = frame.orientation;
  const BlockLoad load = coupling_load(s, frame, lever, device, h);
  EXPECT_LT(load.force.norm(), 1e-12);
  EXPECT_LT((load.stiffness - load.stiffness.transpose()).norm(), 1e-12 * load.stiffness.norm());
  const double e = 1e-7;
  for (int k = 0; k < 6; ++k) {
    BodyFrame moved = frame;
    const Vec6 d = e * Vec6::Unit(k);
    moved.position += d.head<3>();
    moved.orientation = rotation_from_vector(d.tail<3>()) * frame.orientation;
    moved.velocity = d.head<3>() / h;
    moved.angular_velocity = d.tail<3>() / h;
    const Wrench w = coupling_wrench(s, moved, lever, device);
    Vec6 generalised;
    generalised << w.force, w.torque + (moved.orientation * lever).cross(w.force);
    EXPECT_LT((generalised + load.stiffness.col(k) * e).norm(), 1e-5 * e * load.stiffness.norm());
  }
}

TEST(Coupling, a_held_body_hangs_where_the_spring_carries_its_weight) {
  Model model = held_brick();
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  DevicePose pose;
  CouplingSettings c{2000, critical_damping(2000, model.bodies[0].body->mass()), 5, 0.05};
  const std::vector<Grip> grips{*grip_here(model, state, 0, 0, 0, pose, c)};
  std::vector<Wrench> wrenches(1);
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(haptic_step(model, grips, {&pose, 1}, state, ws, wrenches).status, StepStatus::ok);
  const double weight = 9.81 * model.bodies[0].body->mass();
  EXPECT_NEAR(state.bodies[0].x[2], -weight / 2000, 1e-8);
  EXPECT_LT((wrenches[0].force - Vec3(0, 0, -weight)).norm(), 1e-6);  // the hand feels the weight
}

TEST(Coupling, any_stiffness_is_stable_on_the_simulations_side) {
  Model model = held_brick();
  for (double k : {1e2, 1e5, 1e9}) {
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    DevicePose pose;
    const std::vector<Grip> grips{*grip_here(model, state, 0, 0, 0, pose, {k, 0, k * 1e-3, 0})};
    std::vector<Wrench> wrenches(1);
    pose.position = Vec3(0.01, 0, 0);  // a jump of the device
    for (int i = 0; i < 3000; ++i) haptic_step(model, grips, {&pose, 1}, state, ws, wrenches);
    EXPECT_LT((state.bodies[0].x.head<3>() - pose.position).norm(),
              0.011 + 9.81 * model.bodies[0].body->mass() / k)
        << k;
    EXPECT_TRUE(state.bodies[0].x.allFinite());
  }
}

/// A cube that a device turns about itself at a constant rate, held at the end of a lever.
struct Turned {
  double felt_N = 0;    ///< what the hand feels
  double needed_N = 0;  ///< what bends the way of the cube's centre: m |Δ²x|/h²
  double radius_m = 0;  ///< of that way
};

Turned turn_about_the_hand(double h, double angle_per_step, double lever) {
  Model model;
  RigidSpec spec;
  BoxShape shape;
  shape.size_m = {0.04, 0.04, 0.04};
  shape.cells = {1, 1, 1};
  spec.surface = extract_surface(*box_hexes(shape)).mesh;
  spec.density_kg_per_m3 = 1000;
  model.bodies = {{"cube", std::shared_ptr<const Body>(std::move(*RigidBody::make(spec)))}};
  model.solver.name = "coulomb_gs";
  model.gravity.setZero();
  model.h_s = h;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  const Vec3 axis = Vec3::UnitZ(), hand(lever, 0, 0);
  DevicePose pose;
  pose.position = hand;
  const CouplingSettings c{.stiffness_N_per_m = 2000,
                           .damping_N_s_per_m = critical_damping(2000, model.bodies[0].body->mass()),
                           .angular_stiffness_Nm_per_rad = 5,
                           .angular_damping_Nm_s_per_rad = 0.05};
  const std::vector<Grip> grips{*grip_here(model, state, 0, 0, 0, pose, c)};
  std::vector<Wrench> wrenches(1);
  pose.angular_velocity = angle_per_step / h * axis;
  Vec3 x[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (int i = 1; i <= 4000; ++i) {
    pose.orientation = rotation_from_vector(std::remainder(i * angle_per_step, 6.283185307179586) * axis);
    EXPECT_EQ(haptic_step(model, grips, {&pose, 1}, state, ws, wrenches).status, StepStatus::ok);
    x[0] = x[1];
    x[1] = x[2];
    x[2] = state.bodies[0].x.head<3>();
  }
  const double mass = model.bodies[0].body->mass();
  return {wrenches[0].force.norm(), mass * (x[2] - 2 * x[1] + x[0]).norm() / (h * h), (x[2] - hand).norm()};
}

// Newton's second law: without contacts and gravity the hand feels what bends the body's way, and nothing
// else. A coupling that is linear in the rotation about the start of the step adds k r Δθ²/2 and the damper's
// share: a third of the true force at 0.001 s a step, thirteen times as much at 0.02 s.
TEST(Coupling, a_body_turned_at_a_long_lever_is_felt_by_its_inertia_alone) {
  for (const double h : {0.001, 0.02})
    for (const double angle : {0.002, 0.02, 0.1}) {
      const Turned t = turn_about_the_hand(h, angle, 0.15);
      EXPECT_NEAR(t.felt_N, t.needed_N, 1e-4 * t.needed_N) << h << " s, " << angle << " rad a step";
      // The way is a circle: |Δ²x| = 2 (1 − cos Δθ) ρ.
      const double mass = 0.04 * 0.04 * 0.04 * 1000;
      EXPECT_NEAR(t.needed_N, mass * 2 * (1 - std::cos(angle)) * t.radius_m / (h * h), 1e-4 * t.needed_N);
    }
}

TEST(Coupling, a_spinning_body_at_a_long_lever_comes_to_rest_whatever_the_stiffness) {
  for (const double k : {1e2, 1e4, 1e6}) {
    Model model = held_brick();
    model.gravity.setZero();
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    DevicePose pose;
    pose.position = Vec3(0.3, 0, 0);
    const double d = critical_damping(k, model.bodies[0].body->mass());
    const std::vector<Grip> grips{*grip_here(model, state, 0, 0, 0, pose, {k, d, 1e-2 * k, 1e-2 * d})};
    std::vector<Wrench> wrenches(1);
    state.bodies[0].v.tail<3>() = Vec3(40, 300, -70);  // a blow
    for (int i = 0; i < 8000; ++i) {
      ASSERT_EQ(haptic_step(model, grips, {&pose, 1}, state, ws, wrenches).status, StepStatus::ok) << k;
      ASSERT_LT(state.bodies[0].v.norm(), 1e4) << k;
    }
    EXPECT_LT(wrenches[0].force.norm(), 1e-3) << k;
    EXPECT_LT(state.bodies[0].v.norm(), 1e-3) << k;
  }
}

TEST(Coupling, a_pose_that_is_not_finite_lets_go) {
  Model model = held_brick();
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  DevicePose pose;
  const std::vector<Grip> grips{*grip_here(model, state, 0, 0, 0, pose, {})};
  pose.position.x() = std::numeric_limits<double>::quiet_NaN();
  std::vector<Wrench> wrenches(1);
  EXPECT_EQ(haptic_step(model, grips, {&pose, 1}, state, ws, wrenches).status, StepStatus::ok);
  EXPECT_TRUE(state.bodies[0].x.allFinite());
  EXPECT_EQ(wrenches[0].force, Vec3(0, 0, 0));
}

}  // namespace coupling_test
}  // namespace palp
