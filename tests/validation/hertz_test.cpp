// Hertz (1882): an elastic sphere of radius R on a rigid plane,
//     F = 4/3 E* √R d^(3/2),   E* = E/(1 − ν²),   contact radius a = √(R d).
// The theory is for a half space under a parabola: it asks for a ≪ R, and for elements much smaller than a.
// The body is a cylinder with a spherical end, its elements graded from a/12 under the tip to R/4 far away;
// its flat end is carried by a device. Being finite it is stiffer than the half space: the displacement field
// of the load decays as 1/distance, so the far end at R cuts off a share of the order a/(2R) of the
// indentation, less than 2 % here. The pressure under it is p₀ √(1 − r²/a²), with p₀ = 3F/(2πa²).
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "palp/hands/single_rate.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/sim/contact_pressure.hpp"

namespace palp {
namespace hertz_test {

constexpr double R = 0.03, nu = 0.3, E = 1e6;
constexpr double a_max = 0.001;  // R/30

/// 0, s, 2s, … up to `even_until`, then growing by `ratio`, the last step ending at `last`.
std::vector<double> graded(double s, double even_until, double ratio, double last) {
  std::vector<double> r{0};
  while (r.back() < even_until) r.push_back(r.back() + s);
  double step = s * ratio;
  for (; r.back() + step < last; step *= ratio) r.push_back(r.back() + step);
  if (last - r.back() < 0.5 * step) r.pop_back();
  r.push_back(last);
  return r;
}

/// A disc of hexes: a square of n × n cells in the middle, rings of 4n sectors around it, layered in z.
HexMesh spherical_punch() {
  constexpr int n = 6, sectors = 4 * n;
  const double s = a_max / 12;
  const std::vector<double> ring = graded(s, 1.3 * a_max, 1.3, 0.9 * R),
                            layer = graded(s, 0.5 * a_max, 1.3, R);
  // A polygon of 4n corners has a smaller area than its circle: its corners stand out so that the areas
  // agree.
  const double angle = 2 * std::numbers::pi / sectors;
  const double outwards = std::sqrt(angle / std::sin(angle));

  std::vector<Vec3> disc;  // z = 0
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) disc.emplace_back(s * (i - n / 2), s * (j - n / 2), 0);
  const auto square = [](int i, int j) { return j * (n + 1) + i; };
  std::vector<int> inner;  // the square's rim, counter-clockwise
  for (int k = 0; k < n; ++k) inner.push_back(square(k, 0));
  for (int k = 0; k < n; ++k) inner.push_back(square(n, k));
  for (int k = 0; k < n; ++k) inner.push_back(square(n - k, n));
  for (int k = 0; k < n; ++k) inner.push_back(square(0, n - k));
  std::vector<std::array<int, 4>> quads;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      quads.push_back({square(i, j), square(i + 1, j), square(i + 1, j + 1), square(i, j + 1)});
  std::vector<int> last = inner;
  const std::vector<Vec3> rim(disc);
  for (size_t r = n / 2 + 1; r < ring.size(); ++r) {
    std::vector<int> next;
    // From the square to the circle within the first four rings.
    const double roundness = std::min(1.0, (static_cast<double>(r) - n / 2) / 4);
    for (int k = 0; k < sectors; ++k) {
      const double theta = -0.75 * std::numbers::pi + k * angle;
      const Vec3 circle = outwards * ring[r] * Vec3(std::cos(theta), std::sin(theta), 0);
      const Vec3 straight = rim[inner[k]] * (ring[r] / (s * n / 2));
      next.push_back(static_cast<int>(disc.size()));
      disc.push_back(roundness * circle + (1 - roundness) * straight);
    }
    for (int k = 0; k < sectors; ++k) {
      const int m = (k + 1) % sectors;
      quads.push_back({last[k], next[k], next[m], last[m]});
    }
    last = next;
  }

  HexMesh mesh;
  const int per_layer = static_cast<int>(disc.size());
  for (double z : layer)
    for (const Vec3& p : disc) {
      const double low = R - std::sqrt(R * R - p.squaredNorm());
      mesh.nodes.emplace_back(p.x(), p.y(), low + z / R * (R - low));
    }
  for (int l = 0; l + 1 < static_cast<int>(layer.size()); ++l)
    for (const auto& q : quads) {
      Hex hex;
      for (int k = 0; k < 4; ++k) {
        hex[k] = q[k] + l * per_layer;
        hex[4 + k] = q[k] + (l + 1) * per_layer;
      }
      mesh.hexes.push_back(hex);
    }
  return mesh;
}

TEST(Hertz, slow_hertz_force_grows_with_indentation_to_three_halves) {
  FemSpec spec;
  HexMesh mesh = spherical_punch();
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n)
    if (mesh.nodes[n].z() > R * (1 - 1e-9)) spec.driven_nodes.push_back(n);
  spec.mesh = std::move(mesh);
  spec.model = FemModel::linear;
  spec.young_modulus_Pa = E;
  spec.poisson_ratio = nu;
  spec.quasi_static = true;
  spec.condensation_bound_bytes = 0;  // few of the skin's nodes ever touch
  auto body = FemBody::make(spec);
  ASSERT_TRUE(body) << body.error().text();

  BoxShape floor;
  floor.size_m = Vec3(4 * R, 4 * R, 0.01);
  floor.centre_m = Vec3(0, 0, -0.005);
  floor.cells = {1, 1, 1};
  ObstacleSpec plane;
  plane.surface = extract_surface(*box_hexes(floor)).mesh;

  const double d_max = a_max * a_max / R;
  Model model;
  model.gravity.setZero();
  model.bodies = {{"sphere", std::shared_ptr<const Body>(std::move(*body))},
                  {"plane", std::shared_ptr<const Body>(std::move(*Obstacle::make(plane)))}};
  TouchRule rule;
  rule.body1 = 0;
  rule.body2 = 1;
  rule.alarm_distance_m = 1.2 * d_max;
  model.rules = {rule};
  model.solver.options.tolerance = 1e-8;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  DevicePose pose;
  std::vector<int> frames(spec.driven_nodes.size());
  for (size_t k = 0; k < frames.size(); ++k) frames[k] = static_cast<int>(k);
  const std::vector<Grasp> grasps{*grasp_here(model, state, 0, frames, 0, pose)};
  std::vector<Wrench> wrenches(1);

  std::vector<double> log_d, log_F;
  for (double share : {0.3, 0.4, 0.55, 0.75, 1.0}) {
    const double d = share * d_max;
    pose.position.z() = -d;
    const StepReport report = haptic_step(model, {}, grasps, {&pose, 1}, state, ws, wrenches);
    ASSERT_EQ(report.status, StepStatus::ok);
    ASSERT_TRUE(report.converged);
    const double hertz = 4.0 / 3.0 * E / (1 - nu * nu) * std::sqrt(R) * std::pow(d, 1.5);
    EXPECT_NEAR(wrenches[0].force.z() / hertz, 1, 0.05) << "a = R/" << R / std::sqrt(R * d);
    RecordProperty("share_of_hertz_at_" + std::to_string(static_cast<int>(100 * share)),
                   std::to_string(wrenches[0].force.z() / hertz));
    log_d.push_back(std::log(d));
    log_F.push_back(std::log(wrenches[0].force.z()));
  }
  // The slope of the line through all points.
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (size_t i = 0; i < log_d.size(); ++i) {
    mx += log_d[i] / static_cast<double>(log_d.size());
    my += log_F[i] / static_cast<double>(log_d.size());
  }
  for (size_t i = 0; i < log_d.size(); ++i) {
    xy += (log_d[i] - mx) * (log_F[i] - my);
    xx += (log_d[i] - mx) * (log_d[i] - mx);
  }
  EXPECT_NEAR(xy / xx, 1.5, 0.03);

  // The last one has twelve cells from the centre to the rim of the contact.
  const Skin& skin = model.bodies[0].body->skin();
  std::vector<Vec3> x(static_cast<size_t>(skin.vertices));
  model.bodies[0].body->skin_positions(state.bodies[0], VecX(), x);
  std::vector<SkinLoad> loads;
  add_contact_loads(ws, 0, loads);
  const std::vector<double> pressure = contact_pressure(skin, x, loads);
  const double p0 = 3 * wrenches[0].force.z() / (2 * std::numbers::pi * a_max * a_max);
  double largest = 0, worst = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    largest = std::max(largest, pressure[v]);
    const double r = x[v].head<2>().norm() / a_max;
    if (x[v].z() < 1e-4 * R && r < 0.8)
      worst = std::max(worst, std::abs(pressure[v] / p0 - std::sqrt(1 - r * r)));
  }
  RecordProperty("share_of_hertz_peak_pressure", std::to_string(largest / p0));
  RecordProperty("worst_error_of_the_pressure", std::to_string(worst));
  EXPECT_NEAR(largest / p0, 1, 0.02);
  EXPECT_LT(worst, 0.03);
}

}  // namespace hertz_test
}  // namespace palp
