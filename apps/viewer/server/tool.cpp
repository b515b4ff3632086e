#include "tool.hpp"

#include <algorithm>

#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"

namespace palp::view {
namespace {

/// A hand that stays where it was put.
class RestingDevice final : public Device {
 public:
  explicit RestingDevice(const Vec3& position, const Quat& orientation = Quat::Identity()) {
    reading_.pose.position = position;
    reading_.pose.orientation = orientation;
  }
  DeviceReading read(double) override { return reading_; }
  void write(const Wrench&, double) override {}

 private:
  DeviceReading reading_;
};

/// Where everything is at the start, in world axes; bodies that nothing moves count only if there are no
/// others.
Eigen::AlignedBox3d extent(const Scene& scene) {
  Eigen::AlignedBox3d all, moving;
  std::vector<Vec3> x;
  for (const auto& entry : scene.model.bodies) {
    x.resize(entry.body->skin().vertices);
    entry.body->skin_positions(entry.body->rest_state(), VecX(), x);
    for (const Vec3& p : x) {
      all.extend(p);
      if (entry.body->movable()) moving.extend(p);
    }
  }
  return moving.isEmpty() ? all : moving;
}

/// A rigid ball beside the bodies, held through a coupling, that touches everything as the bodies touch each
/// other.
Result<void> add_tool(Scene& scene) {
  const Eigen::AlignedBox3d box = extent(scene);
  if (box.isEmpty()) return {};
  const double size = box.diagonal().norm(), radius = 0.06 * size;
  const Vec3 start(box.max().x() + 2.5 * radius, box.center().y(), box.center().z() + 0.25 * box.sizes().z());
  auto surface = icosphere({.radius_m = radius, .centre_m = start, .subdivisions = 2});
  if (!surface) return surface.error();
  RigidSpec spec;
  spec.surface = std::move(*surface);
  spec.density_kg_per_m3 = 1000;
  auto made = RigidBody::make(std::move(spec));
  if (!made) return made.error();
  const double mass = (*made)->mass();

  Model& model = scene.model;
  const int tool = static_cast<int>(model.bodies.size());
  TouchRule like;
  like.mu = 0.3;
  like.alarm_distance_m = 0.05 * size;
  if (!model.rules.empty()) like = model.rules.front();
  like.alarm_distance_m = std::min(like.alarm_distance_m, 0.5 * radius);
  model.bodies.push_back({"tool", std::shared_ptr<const Body>(std::move(*made))});
  for (int b = 0; b < tool; ++b) {
    like.body1 = b;
    like.body2 = tool;
    model.rules.push_back(like);
  }
  scene.devices.push_back({.name = "tool", .device = std::make_unique<RestingDevice>(start)});
  // A frequency of 15 Hz with the tool's own mass: firm, but soft enough for the softest of bodies to be
  // felt.
  CouplingSettings coupling;
  coupling.stiffness_N_per_m = mass * 1e4;
  coupling.damping_N_s_per_m = critical_damping(coupling.stiffness_N_per_m, mass);
  coupling.angular_stiffness_Nm_per_rad = coupling.stiffness_N_per_m * radius * radius;
  coupling.angular_damping_Nm_s_per_rad = coupling.damping_N_s_per_m * radius * radius;
  DevicePose pose;
  pose.position = start;
  auto grip = grip_here(model, make_state(model), tool, 0, static_cast<int>(scene.devices.size()) - 1, pose,
                        coupling);
  if (!grip) return grip.error();
  scene.grips.push_back(*grip);
  return check(model);
}

/// The arm that a visitor has: the scene's own hand, or one that matches the coupling it pulls on.
HandSettings arm_for(const Scene& scene, int device) {
  if (const auto* hand = dynamic_cast<const HandDevice*>(scene.devices[device].device.get()))
    return hand->settings();
  HandSettings arm;
  for (const Grip& grip : scene.grips)
    if (grip.device == device) {
      // As stiff as the coupling; the mass answers within 20 ms, critically damped.
      arm.stiffness_N_per_m = grip.coupling.stiffness_N_per_m;
      arm.mass_kg = arm.stiffness_N_per_m * 4e-4;
      arm.damping_N_s_per_m = critical_damping(arm.stiffness_N_per_m, arm.mass_kg);
      if (grip.coupling.angular_stiffness_Nm_per_rad > 0) {
        arm.angular_stiffness_Nm_per_rad = grip.coupling.angular_stiffness_Nm_per_rad;
        arm.inertia_kg_m2 = arm.angular_stiffness_Nm_per_rad * 4e-4;
        arm.angular_damping_Nm_s_per_rad =
            critical_damping(arm.angular_stiffness_Nm_per_rad, arm.inertia_kg_m2);
      }
    }
  return arm;
}

}  // namespace

Result<void> make_touchable(Scene& scene, std::span<const std::shared_ptr<VisitorChannel>> channels,
                            std::span<const std::string> resting) {
  if (scene.devices.empty() && !scene.two_rate)
    if (auto ok = add_tool(scene); !ok) return ok;
  for (size_t d = 0; d < std::min(channels.size(), scene.devices.size()); ++d) {
    auto& device = scene.devices[d].device;
    const HandSettings arm = arm_for(scene, static_cast<int>(d));
    // An empty name is that of the first device, as behind --device.
    const auto meant = [&](const std::string& name) {
      return name == scene.devices[d].name || (name.empty() && d == 0);
    };
    if (std::any_of(resting.begin(), resting.end(), meant)) {
      const DevicePose start = device->read(0).pose;
      device = std::make_unique<RestingDevice>(start.position, start.orientation);
    }
    device = std::make_unique<VisitorDevice>(channels[d], std::move(device), arm);
  }
  return {};
}

}  // namespace palp::view
