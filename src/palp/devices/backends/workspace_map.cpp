#include "palp/devices/backends/workspace_map.hpp"

namespace palp {

void WorkspaceMap::index(const DevicePose& device, const DevicePose& scene) {
  device_ = device;
  scene_ = scene;
}

DevicePose WorkspaceMap::to_scene(const DevicePose& device) const {
  DevicePose out;
  out.position = scene_.position + scale_ * (rotation_ * (device.position - device_.position));
  out.orientation = (rotation_ * device.orientation * device_.orientation.conjugate() *
                     rotation_.conjugate() * scene_.orientation)
                        .normalized();
  out.velocity = scale_ * (rotation_ * device.velocity);
  out.angular_velocity = rotation_ * device.angular_velocity;
  return out;
}

Wrench WorkspaceMap::to_device(const Wrench& scene) const {
  return {rotation_.conjugate() * scene.force, rotation_.conjugate() * scene.torque};
}

DeviceProfile seen_by_scene(DeviceProfile profile, double scale) {
  profile.max_speed_m_per_s *= scale;
  profile.damping_N_s_per_m /= scale;
  profile.max_stiffness_N_per_m /= scale;
  return profile;
}

}  // namespace palp
