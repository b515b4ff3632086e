// Scenes of K16 §7 built in code: a rigid or deformable surface and hands that hold point proxies.
#pragma once
#include <numbers>

#include "palp/haptics/haptic_loop.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mesh/generators.hpp"

namespace palp::cases {

constexpr double mm = 1e-3;
constexpr double kTick = 1e-3, kLow = 33e-3;

inline std::shared_ptr<const Body> obstacle(TriMesh surface) {
  ObstacleSpec spec;
  spec.surface = std::move(surface);
  return std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))));
}

/// K16 §7: 1 g, 1000 N/m, 0.8 N·s/m.
inline CouplingSettings k16_coupling() { return {.stiffness_N_per_m = 1000, .damping_N_s_per_m = 0.8}; }

/// `body` and one point proxy per start position; no gravity.
inline Model touch_model(std::shared_ptr<const Body> body, const std::vector<Vec3>& proxies, double mu) {
  Model model;
  model.h_s = kLow;
  model.gravity.setZero();
  model.bodies.push_back({"body", std::move(body)});
  for (const Vec3& x : proxies) {
    PointProxySpec spec;
    spec.position_m = x;
    model.bodies.push_back({"proxy", std::shared_ptr<const Body>(std::move(*PointProxy::make(spec)))});
    TouchRule rule;
    rule.body1 = 0;
    rule.body2 = static_cast<int>(model.bodies.size()) - 1;
    rule.mu = mu;
    rule.alarm_distance_m = 0.02;
    model.rules.push_back(rule);
  }
  return model;
}
inline std::vector<Grip> touch_grips(const Model& model) {
  std::vector<Grip> grips;
  for (int b = 1; b < static_cast<int>(model.bodies.size()); ++b)
    grips.push_back({.device = b - 1, .body = b, .coupling = k16_coupling()});
  return grips;
}
inline TwoRateSettings glc_settings(HapticContact contact = HapticContact::glc, int delay = 0) {
  return {.h_high_s = kTick,
          .low_every = 33,
          .delay_ticks = delay,
          .solve = {.tolerance = 1e-6, .max_sweeps = 400, .warm_start = true},
          .contact = contact};
}
inline Result<TwoRateModel> touch_rates(const Model& model,
                                        const TwoRateSettings& settings = glc_settings()) {
  std::vector<int> tools;
  for (int b = 1; b < static_cast<int>(model.bodies.size()); ++b) tools.push_back(b);
  return TwoRateModel::make(model, tools, touch_grips(model), static_cast<int>(tools.size()), settings);
}
inline Vec3 proxy_of(const HapticLoop& loop, int k) { return loop.high().tools[k].state.x; }

/// Where the input is, and how fast, from two positions of a path.
inline DevicePose pose_at(const Vec3& x, const Vec3& before) {
  DevicePose pose;
  pose.position = x;
  pose.velocity = (x - before) / kTick;
  return pose;
}

inline double sine_height(double x) { return 0.005 * std::sin(2 * std::numbers::pi * x / 0.025); }

/// A soft bar along x, held at both ends, top at z = 10 mm.
struct SoftBar {
  std::shared_ptr<const Body> body;
  std::vector<int> free_nodes;
};
inline SoftBar soft_bar(const std::array<int, 3>& cells) {
  BoxShape shape;
  shape.size_m = Vec3(0.12, 0.03, 0.02);
  shape.cells = cells;
  FemSpec spec;
  const HexMesh mesh = *box_hexes(shape);
  spec.mesh = mesh;
  spec.young_modulus_Pa = 5e4;
  spec.rayleigh_stiffness_s = 0.02;
  SoftBar bar;
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n)
    (std::abs(mesh.nodes[n].x()) > 0.0599 ? spec.fixed_nodes : bar.free_nodes).push_back(n);
  bar.body = std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
  return bar;
}

}  // namespace palp::cases
