#include "palp/haptics/coupling.hpp"

#include <gtest/gtest.h>

#include "palp/haptics/single_rate.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

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

}  // namespace
}  // namespace palp
