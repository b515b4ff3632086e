// A scene with `haptics:` on the clock (haptics/two_threads.hpp), its devices at the hands' end.
#pragma once
#include "palp/haptics/safety.hpp"
#include "palp/haptics/two_threads.hpp"
#include "palp/io/recorder.hpp"
#include "palp/scene/scene.hpp"

namespace palp {

/// The devices of a scene as seen from the haptic thread, each behind its safety chain; and the recorder.
class ScenePort final : public HandPort {
 public:
  /// `recorder` may be null.
  ScenePort(Scene& scene, Recorder* recorder);
  void read(double time_s, std::span<DevicePose> poses) override;
  void look(const Snapshot& snapshot, const HighRate& high) override;
  void look(const GlcTick& high, double time_s) override;
  void look(const LowRate& low, long tick, double time_s) override;
  void look(const GlcSnapshot& snapshot, const State& state, double time_s) override;
  void write(const TickReport& report, std::span<const Wrench> wrenches, double h_s) override;
  const SafetyChain& safety(int device) const { return safety_[static_cast<size_t>(device)]; }

 private:
  Scene& scene_;
  Recorder* recorder_;
  std::vector<SafetyChain> safety_;
  TickRecord record_;
  ContactView contacts_;
  double start_us_ = 0, last_us_ = 0;
};

/// An error when the scene has one rate only. `counts`: interventions by device.
Result<RealTimeReport> run_scene_realtime(Scene& scene, const RealTimeOptions& options,
                                          Recorder* recorder = nullptr,
                                          std::vector<InterventionCounts>* counts = nullptr);

}  // namespace palp
