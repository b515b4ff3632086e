// A scene with `haptics:` on the clock (haptics/realtime.hpp), its devices at the hands' end.
#pragma once
#include "palp/haptics/realtime.hpp"
#include "palp/scene/scene.hpp"

namespace palp {

/// The devices of a scene as seen from the haptic thread.
class ScenePort final : public HandPort {
 public:
  explicit ScenePort(Scene& scene) : scene_(scene) {}
  void read(double time_s, std::span<DevicePose> poses) override;
  void write(const TickReport& report, std::span<const Wrench> wrenches, double h_s) override;

 private:
  Scene& scene_;
};

/// An error when the scene has one rate only.
Result<RealTimeReport> run_scene_realtime(Scene& scene, const RealTimeOptions& options);

}  // namespace palp
