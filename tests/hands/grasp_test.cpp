#include "palp/hands/grasp.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "palp/hands/single_rate.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/sim/contact_wrench.hpp"

namespace palp {
namespace grasp_test {

constexpr double young = 2e5, length = 0.2, width = 0.04;

/// A bar along x from 0 to `length`, without lateral contraction: pulled at its ends it is strained evenly.
FemSpec bar(FemModel model) {
  BarShape shape;
  shape.length_m = length;
  shape.width_m = shape.height_m = width;
  shape.cells_along = 6;
  shape.cells_wide = shape.cells_high = 2;
  FemSpec spec;
  spec.mesh = *bar_tets(shape);
  spec.model = model;
  spec.young_modulus_Pa = young;
  spec.poisson_ratio = 0;
  spec.density_kg_per_m3 = 1000;
  return spec;
}

std::vector<int> nodes_at_x(const FemSpec& spec, double x) {
  std::vector<int> nodes;
  const auto& all = std::get<TetMesh>(spec.mesh).nodes;
  for (int n = 0; n < static_cast<int>(all.size()); ++n)
    if (std::abs(all[n].x() - x) < 1e-9) nodes.push_back(n);
  return nodes;
}

double lowest_x(const FemSpec& spec) {
  double x = 1e9;
  for (const Vec3& p : std::get<TetMesh>(spec.mesh).nodes) x = std::min(x, p.x());
  return x;
}

std::vector<int> all_driven(const Body& body) {
  std::vector<int> frames(body.driven_frames());
  for (int k = 0; k < body.driven_frames(); ++k) frames[k] = k;
  return frames;
}

struct Held {
  Model model;
  State state;
  Workspace ws;
  DevicePose pose;
  std::vector<Grasp> grasps;
  std::vector<Wrench> wrenches{1};

  explicit Held(std::shared_ptr<const Body> body) {
    model.bodies = {{"body", std::move(body)}};
    model.h_s = 0.01;
  }
  void start() {
    state = make_state(model);
    ws = make_workspace(model);
  }
  StepStatus step() { return haptic_step(model, {}, grasps, {&pose, 1}, state, ws, wrenches).status; }
};

TEST(Grasp, driven_nodes_go_exactly_where_the_device_carries_them) {
  for (FemModel model : {FemModel::linear, FemModel::corotational}) {
    FemSpec spec = bar(model);
    spec.driven_nodes = nodes_at_x(spec, lowest_x(spec));
    const auto made = *FemBody::make(spec);
    const FemBody& body = *made;
    Held held(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))));
    held.start();
    held.pose.position = Vec3(-0.05, 0.02, 0.01);
    held.pose.orientation = Quat(Eigen::AngleAxisd(0.3, Vec3(1, 1, 0).normalized()));
    const DevicePose first = held.pose;
    held.grasps = {*grasp_here(held.model, held.state, 0, all_driven(body), 0, held.pose)};
    const VecX rest = held.state.bodies[0].x;
    for (int i = 1; i <= 50; ++i) {
      held.pose.position = first.position + 0.001 * i * Vec3(1, -0.5, 0.2);
      held.pose.orientation = rotation_from_vector(0.01 * i * Vec3(0.2, 1, -0.3)) * first.orientation;
      ASSERT_EQ(held.step(), StepStatus::ok);
    }
    const Quat turn = held.pose.orientation * first.orientation.conjugate();
    for (int n : body.driven_nodes()) {
      const Vec3 expected = held.pose.position + turn * (rest.segment<3>(3 * n) - first.position);
      EXPECT_LT((held.state.bodies[0].x.segment<3>(3 * n) - expected).norm(), 1e-12);
    }
  }
}

TEST(Grasp, a_pulled_bar_pulls_back_with_modulus_times_area_times_strain) {
  for (FemModel model : {FemModel::linear, FemModel::corotational}) {
    FemSpec spec = bar(model);
    spec.quasi_static = true;
    const double x0 = lowest_x(spec);
    spec.fixed_nodes = nodes_at_x(spec, x0);
    spec.driven_nodes = nodes_at_x(spec, x0 + length);
    Held held(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))));
    held.model.gravity.setZero();
    held.start();
    held.pose.position = Vec3(x0 + length, 0, 0);
    held.grasps = {
        *grasp_here(held.model, held.state, 0, all_driven(*held.model.bodies[0].body), 0, held.pose)};
    const double pull = 0.002;
    held.pose.position.x() += pull;
    for (int i = 0; i < 5; ++i) ASSERT_EQ(held.step(), StepStatus::ok);
    const double force = young * width * width * pull / length;
    EXPECT_LT((held.wrenches[0].force - Vec3(-force, 0, 0)).norm(), 1e-6 * force);
  }
}

TEST(Grasp, a_carried_body_at_rest_weighs_on_the_device_with_its_lever_arm) {
  FemSpec spec = bar(FemModel::corotational);
  spec.young_modulus_Pa = 2e7;
  spec.rayleigh_stiffness_s = 0.05;
  const double x0 = lowest_x(spec);
  spec.driven_nodes = nodes_at_x(spec, x0);
  Held held(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))));
  held.start();
  held.pose.position = Vec3(x0 - 0.1, 0.03, 0);
  held.grasps = {
      *grasp_here(held.model, held.state, 0, all_driven(*held.model.bodies[0].body), 0, held.pose)};
  for (int i = 0; i < 400; ++i) ASSERT_EQ(held.step(), StepStatus::ok);
  const Vec3 weight = held.model.bodies[0].body->mass() * held.model.gravity;
  EXPECT_LT((held.wrenches[0].force - weight).norm(), 1e-6 * weight.norm());
  // The centre of mass, where the bar hangs: from the nodes' masses.
  const auto& body = static_cast<const FemBody&>(*held.model.bodies[0].body);
  Vec3 moment = Vec3::Zero();
  for (int n = 0; n < body.blocks(); ++n)
    moment += (held.state.bodies[0].x.segment<3>(3 * n) - held.pose.position)
                  .cross(body.node_mass()[n] * held.model.gravity);
  EXPECT_LT((held.wrenches[0].torque - moment).norm(), 1e-6 * moment.norm());
}

TEST(Grasp, a_clamped_beam_answers_a_moved_end_as_the_textbook_says) {
  BeamSpec spec;
  spec.curve = *straight_curve({.from_m = Vec3::Zero(), .to_m = Vec3(length, 0, 0), .segments = 8});
  const double radius = 0.002;
  spec.section = BeamSection::circle(radius, 0);
  spec.young_modulus_Pa = 1e9;
  spec.quasi_static = true;
  spec.fixed_nodes = {0};
  spec.driven_nodes = {8};
  Held held(std::shared_ptr<const Body>(std::move(*BeamBody::make(spec))));
  held.model.gravity.setZero();
  held.start();
  held.pose.position = Vec3(length, 0, 0);
  held.grasps = {*grasp_here(held.model, held.state, 0, {0}, 0, held.pose)};
  const double d = 1e-5, I = std::numbers::pi * std::pow(radius, 4) / 4;
  held.pose.position.y() += d;  // across, without rotation
  for (int i = 0; i < 5; ++i) ASSERT_EQ(held.step(), StepStatus::ok);
  const double force = 12 * spec.young_modulus_Pa * I * d / std::pow(length, 3);
  EXPECT_NEAR(held.wrenches[0].force.y(), -force, 1e-3 * force);
  EXPECT_NEAR(held.wrenches[0].torque.z(), 0.5 * force * length, 1e-3 * force * length);
}

TEST(Grasp, a_carried_obstacle_feels_the_opposite_of_what_holds_the_body_it_presses) {
  FemSpec spec = bar(FemModel::corotational);
  spec.quasi_static = true;
  const double x0 = lowest_x(spec);
  spec.fixed_nodes = nodes_at_x(spec, x0);
  Held held(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))));
  held.model.gravity.setZero();
  BoxShape plate;
  plate.size_m = Vec3(0.02, 0.1, 0.1);
  plate.centre_m = Vec3(x0 + length + 0.0101, 0, 0);
  plate.cells = {1, 1, 1};
  ObstacleSpec obstacle;
  obstacle.surface = extract_surface(*box_hexes(plate)).mesh;
  held.model.bodies.push_back({"plate", std::shared_ptr<const Body>(std::move(*Obstacle::make(obstacle)))});
  TouchRule rule;
  rule.body1 = 0;
  rule.body2 = 1;
  rule.mu = 0.3;
  rule.alarm_distance_m = 0.005;
  held.model.rules = {rule};
  held.model.solver.options.tolerance = 1e-9;
  held.start();
  held.pose.position = plate.centre_m;
  held.grasps = {*grasp_here(held.model, held.state, 1, {0}, 0, held.pose)};
  VecX hold(held.model.bodies[0].body->dof());
  for (int i = 0; i < 30; ++i) {
    held.pose.position.x() -= 1e-4;
    held.pose.position.y() += 2e-5;
    ASSERT_EQ(held.step(), StepStatus::ok);
    // The bar is in balance: what its fixed nodes push back is what the plate's carrier feels.
    const auto& w = held.ws.bodies[0];
    const BodyContacts none, &rows = held.ws.group_count ? held.ws.groups[0].rows[0] : none;
    held.model.bodies[0].body->constraint_force(*w.mechanics, rows.H, rows.lambda.head(3 * rows.H.points()),
                                                w.dx_c, hold);
    Vec3 wall = Vec3::Zero();
    for (int n : spec.fixed_nodes) wall += hold.segment<3>(3 * n);
    EXPECT_LT((held.wrenches[0].force - wall).norm(), 1e-7 * (1 + wall.norm()));
  }
  EXPECT_GT(held.wrenches[0].force.x(), 0.3 * young * width * width * 0.0029 / length);
}

TEST(Grasp, springs_on_nodes_carry_the_weight_and_turn_the_body) {
  FemSpec spec = bar(FemModel::corotational);
  spec.young_modulus_Pa = 2e7;
  spec.rayleigh_mass_per_s = 5;
  const double x0 = lowest_x(spec);
  Held held(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))));
  held.start();
  held.pose.position = Vec3(x0 + 0.5 * length, 0, 0);
  // Nodes of both ends: symmetric about the middle, so that the bar hangs straight.
  std::vector<int> nodes = nodes_at_x(spec, x0), other = nodes_at_x(spec, x0 + length);
  nodes.insert(nodes.end(), other.begin(), other.end());
  CouplingSettings springs;
  springs.stiffness_N_per_m = 5000;
  springs.damping_N_s_per_m = 50;
  held.grasps = {*grasp_here(held.model, held.state, 0, nodes, 0, held.pose, &springs)};
  held.pose.orientation = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ()));
  for (int i = 0; i < 1500; ++i) ASSERT_EQ(held.step(), StepStatus::ok);
  const Vec3 weight = held.model.bodies[0].body->mass() * held.model.gravity;
  EXPECT_LT((held.wrenches[0].force - weight).norm(), 1e-5 * weight.norm());
  EXPECT_LT(held.wrenches[0].torque.norm(), 1e-4 * weight.norm() * length);
  Vec3 axis = Vec3::Zero(), sag = Vec3::Zero();
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Vec3 x = held.state.bodies[0].x.segment<3>(3 * nodes[i]);
    axis += i < nodes.size() / 2 ? Vec3(-x) : x;
    sag += (x - held.pose.position) / static_cast<double>(nodes.size());
  }
  EXPECT_LT((axis.normalized() - Vec3(std::cos(0.5), std::sin(0.5), 0)).norm(), 1e-4);
  EXPECT_NEAR(sag.z(), weight.z() / springs.stiffness_N_per_m, 1e-6);
}

TEST(Grasp, a_pose_that_is_not_finite_stands_still) {
  FemSpec spec = bar(FemModel::corotational);
  spec.driven_nodes = nodes_at_x(spec, lowest_x(spec));
  Held held(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))));
  held.start();
  held.grasps = {
      *grasp_here(held.model, held.state, 0, all_driven(*held.model.bodies[0].body), 0, held.pose)};
  held.pose.position.x() = 0.001;
  ASSERT_EQ(held.step(), StepStatus::ok);
  const VecX before = held.state.bodies[0].x;
  held.pose.position.x() = std::numeric_limits<double>::quiet_NaN();
  ASSERT_EQ(held.step(), StepStatus::ok);
  for (int n : spec.driven_nodes)
    EXPECT_EQ(Vec3(held.state.bodies[0].x.segment<3>(3 * n)), Vec3(before.segment<3>(3 * n)));
  EXPECT_EQ(held.wrenches[0].force, Vec3(0, 0, 0));
}

TEST(Grasp, what_the_body_does_not_offer_is_an_error) {
  FemSpec spec = bar(FemModel::corotational);
  Held held(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))));
  held.start();
  CouplingSettings springs;
  EXPECT_FALSE(grasp_here(held.model, held.state, 0, {}, 0, held.pose));
  EXPECT_FALSE(grasp_here(held.model, held.state, 0, {0}, 0, held.pose));  // nothing is driven
  EXPECT_FALSE(grasp_here(held.model, held.state, 0, {-1}, 0, held.pose, &springs));
  EXPECT_FALSE(grasp_here(held.model, held.state, 0, {100000}, 0, held.pose, &springs));
  EXPECT_TRUE(grasp_here(held.model, held.state, 0, {0, 1, 2}, 0, held.pose, &springs));
}

}  // namespace grasp_test
}  // namespace palp
