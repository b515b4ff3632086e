// Small models that the tests of the step share: boxes, floors, inclines.
#pragma once
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/sim/step.hpp"

namespace palp::testing {

inline TriMesh box_surface(const Vec3& size, const Vec3& centre, const Mat3& rotation = Mat3::Identity()) {
  BoxShape shape;
  shape.size_m = size;
  shape.cells = {1, 1, 1};
  TriMesh mesh = extract_surface(*box_hexes(shape)).mesh;
  for (Vec3& x : mesh.nodes) x = rotation * x + centre;
  return mesh;
}

inline std::shared_ptr<const Body> obstacle(TriMesh surface) {
  ObstacleSpec spec;
  spec.surface = std::move(surface);
  return std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))));
}

inline std::shared_ptr<const Body> rigid(TriMesh surface, double density) {
  RigidSpec spec;
  spec.surface = std::move(surface);
  spec.density_kg_per_m3 = density;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

inline std::shared_ptr<const Body> soft_box(const Vec3& size, const Vec3& centre, double young) {
  BoxShape shape;
  shape.size_m = size;
  shape.centre_m = centre;
  shape.cells = {4, 4, 4};
  FemSpec spec;
  spec.mesh = *box_tets(shape);
  spec.young_modulus_Pa = young;
  spec.density_kg_per_m3 = 1000;
  spec.rayleigh_stiffness_s = 0.005;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

inline Model two_bodies(std::shared_ptr<const Body> upper, std::shared_ptr<const Body> lower, double mu) {
  Model model;
  model.bodies = {{"upper", std::move(upper)}, {"lower", std::move(lower)}};
  TouchRule rule;
  rule.body1 = 0;
  rule.body2 = 1;
  rule.mu = mu;
  rule.alarm_distance_m = 0.005;
  model.rules = {rule};
  model.solver.name = "coulomb_gs";
  model.solver.options.tolerance = 1e-9;
  model.solver.options.max_sweeps = 100000;
  return model;
}

inline Vec3 mean_position(const Model& model, const State& state, int body) {
  std::vector<Vec3> x(model.bodies[body].body->skin().vertices);
  model.bodies[body].body->skin_positions(state.bodies[body], VecX(), x);
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : x) sum += p;
  return sum / static_cast<double>(x.size());
}

/// Sum of the contact forces on body 1 of every contact, world axes.
inline Vec3 total_force(const Workspace& ws) {
  Vec3 sum = Vec3::Zero();
  for (int g = 0; g < ws.group_count; ++g)
    for (size_t i = 0; i < ws.groups[g].contacts.size(); ++i)
      sum += ws.groups[g].contacts[i].frame.transpose() * ws.groups[g].f.segment<3>(3 * static_cast<int>(i));
  return sum;
}

inline void add_rule(Model& model, int i, int j, double mu, double alarm = 0.005) {
  TouchRule rule;
  rule.body1 = i;
  rule.body2 = j;
  rule.mu = mu;
  rule.alarm_distance_m = alarm;
  model.rules.push_back(rule);
}

/// A rigid block of 10 cm on a plane tilted by `angle` about y.
inline Model incline(double angle, double mu) {
  const Mat3 tilt = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  return two_bodies(rigid(box_surface(Vec3(0.1, 0.1, 0.04), tilt * Vec3(0, 0, 0.0201), tilt), 1000),
                    obstacle(box_surface(Vec3(4, 1, 0.1), tilt * Vec3(0, 0, -0.05), tilt)), mu);
}

}  // namespace palp::testing
