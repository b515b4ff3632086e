// Small two-rate models that several tests share.
#pragma once
#include "palp/haptics/haptic_loop.hpp"
#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace palp::two_rate_test {

inline TriMesh box_surface(const Vec3& size, const Vec3& centre) {
  BoxShape shape;
  shape.size_m = size;
  shape.cells = {1, 1, 1};
  TriMesh mesh = extract_surface(*box_hexes(shape)).mesh;
  for (Vec3& x : mesh.nodes) x += centre;
  return mesh;
}

inline std::shared_ptr<const Body> rigid_box(const Vec3& size, const Vec3& centre, double density = 1000) {
  RigidSpec spec;
  spec.surface = box_surface(size, centre);
  spec.density_kg_per_m3 = density;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

inline std::shared_ptr<const Body> floor_at(double z) {
  ObstacleSpec spec;
  spec.surface = box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, z - 0.05));
  return std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))));
}

inline std::shared_ptr<const Body> point(const Vec3& at, double mass = 0.01) {
  return std::shared_ptr<const Body>(std::move(*PointProxy::make({.position_m = at, .mass_kg = mass})));
}

/// A soft block with its bottom held, its top at z = 0.
inline std::shared_ptr<const Body> soft_block(const Vec3& size, std::array<int, 3> cells, double young,
                                              bool quasi_static) {
  BoxShape shape;
  shape.size_m = size;
  shape.centre_m = Vec3(0, 0, -0.5 * size.z());
  shape.cells = cells;
  FemSpec spec;
  TetMesh mesh = *box_tets(shape);
  for (size_t n = 0; n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n].z() < -size.z() + 1e-9) spec.fixed_nodes.push_back(static_cast<int>(n));
  spec.mesh = std::move(mesh);
  spec.young_modulus_Pa = young;
  spec.rayleigh_stiffness_s = 0.005;
  spec.quasi_static = quasi_static;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

inline std::shared_ptr<const Body> beam(const Vec3& from, const Vec3& to, int segments, double radius,
                                        double young, bool quasi_static, std::vector<int> fixed = {}) {
  BeamSpec spec;
  for (int i = 0; i <= segments; ++i) spec.curve.nodes.push_back(from + (to - from) * (double(i) / segments));
  spec.section = BeamSection::circle(radius, 0);
  spec.young_modulus_Pa = young;
  spec.quasi_static = quasi_static;
  spec.rayleigh_mass_per_s = 5;
  spec.rayleigh_stiffness_s = 0.002;
  spec.fixed_nodes = std::move(fixed);
  return std::shared_ptr<const Body>(std::move(*BeamBody::make(std::move(spec))));
}

inline TouchRule rule(int a, int b, double mu, double alarm = 0.005) {
  TouchRule r;
  r.body1 = a;
  r.body2 = b;
  r.mu = mu;
  r.alarm_distance_m = alarm;
  return r;
}

inline Grip hold(const Model& model, int body, int frame, int device, const DevicePose& pose,
                 CouplingSettings c) {
  return *grip_here(model, make_state(model), body, frame, device, pose, c);
}

inline DevicePose at(const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  DevicePose p;
  p.position = position;
  p.velocity = velocity;
  return p;
}

/// A rigid block held above a soft one that stands on nothing else; the hand pushes it in and sideways.
struct Press {
  Model model;
  std::vector<int> tools{0};
  std::vector<Grip> grips;

  explicit Press(double mu = 0.3, bool quasi_static = false, double young = 3e4) {
    model.gravity = Vec3(0, 0, -9.81);
    model.bodies = {{"tool", rigid_box(Vec3(0.02, 0.02, 0.01), Vec3(0.003, 0.002, 0.0061))},
                    {"block", soft_block(Vec3(0.06, 0.06, 0.03), {4, 4, 2}, young, quasi_static)}};
    model.rules = {rule(0, 1, mu)};
    model.solver.options.tolerance = 1e-8;
    model.solver.options.max_sweeps = 5000;
    grips = {hold(model, 0, 0, 0, path(0),
                  {.stiffness_N_per_m = 800,
                   .damping_N_s_per_m = 3,
                   .angular_stiffness_Nm_per_rad = 2,
                   .angular_damping_Nm_s_per_rad = 0.01})};
  }
  /// Down by 4 mm within 80 ms, then sideways at 5 cm/s.
  static DevicePose path(double t) {
    const double s = std::min(t / 0.08, 1.0);
    const Vec3 down(0, 0, -0.004 * s), aside(0.05 * std::max(t - 0.08, 0.0), 0, 0);
    return at(Vec3(0.003, 0.002, 0.0061) + down + aside, Vec3(t > 0.08 ? 0.05 : 0, 0, t < 0.08 ? -0.05 : 0));
  }
  TwoRateModel at_rates(TwoRateSettings settings) const {
    settings.solve.tolerance = model.solver.options.tolerance;
    settings.solve.max_sweeps = model.solver.options.max_sweeps;
    return *TwoRateModel::make(model, tools, grips, 1, settings);
  }
};

/// The same with a mass point instead of the block: one or a few contacts.
inline Press point_press(double mu) {
  Press p(mu);
  p.model.bodies[0].body = point(Press::path(0).position);
  p.grips = {hold(p.model, 0, 0, 0, Press::path(0), {.stiffness_N_per_m = 800, .damping_N_s_per_m = 3})};
  return p;
}

/// A soft block of given damping, its bottom held.
inline std::shared_ptr<const Body> damped_block(double beta, double alpha = 0, bool held = true) {
  BoxShape shape;
  shape.size_m = Vec3(0.06, 0.06, 0.03);
  shape.centre_m = Vec3(0, 0, -0.015);
  shape.cells = {4, 4, 2};
  FemSpec spec;
  TetMesh mesh = *box_tets(shape);
  for (size_t n = 0; held && n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n].z() < -0.03 + 1e-9) spec.fixed_nodes.push_back(static_cast<int>(n));
  spec.mesh = std::move(mesh);
  spec.young_modulus_Pa = 3e4;
  spec.rayleigh_stiffness_s = beta;
  spec.rayleigh_mass_per_s = alpha;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

}  // namespace palp::two_rate_test
