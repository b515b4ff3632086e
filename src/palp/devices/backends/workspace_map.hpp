// From a device's workspace to the scene: a rotation R, a scale s, and two poses that stand for each other,
// p₀, q₀ of the device and p, q of the scene,
//     x ↦ p + s R (x − p₀),     q_dev ↦ R q_dev q₀⁻¹ R⁻¹ q,     v ↦ s R v,     ω ↦ R ω,     F ↦ Rᵀ F.
// Forces are not scaled: the user feels the scene's newtons. A scene that is s times larger than the user's
// motion is therefore s times stiffer to the user, and a limit on stiffness must be told (`seen_by_scene`).
#pragma once
#include "palp/safety/device_profile.hpp"

namespace palp {

class WorkspaceMap {
 public:
  explicit WorkspaceMap(double scale = 1, const Quat& rotation = Quat::Identity())
      : scale_(scale), rotation_(rotation) {}
  /// From now on `device` stands for `scene`.
  void index(const DevicePose& device, const DevicePose& scene);
  DevicePose to_scene(const DevicePose& device) const;
  Wrench to_device(const Wrench& scene) const;
  double scale() const { return scale_; }

 private:
  double scale_;
  Quat rotation_;
  DevicePose device_, scene_;
};

/// The device's profile in the scene's metres.
DeviceProfile seen_by_scene(DeviceProfile profile, double scale);

}  // namespace palp
