// A scene on the clock, its devices at the hands' end: with `haptics:` in the threads of
// haptics/two_threads.hpp, with one rate in one thread that makes a step every dt (single_rate_clock.hpp).
#pragma once
#include "palp/haptics/two_threads.hpp"
#include "palp/io/recorder.hpp"
#include "palp/safety/safety_chain.hpp"
#include "palp/scene/scene.hpp"

namespace palp {

/// The time between ticks by the clock, from what a recording keeps of it (TickRecord::clock_us): the run and
/// its replay find the same bits. 0 at the first tick, and always on the virtual clock.
class TickClock {
 public:
  double since_last_s(double clock_us) {
    const double dt_s = any_ ? 1e-6 * (clock_us - last_us_) : 0;
    last_us_ = clock_us;
    any_ = true;
    return dt_s;
  }

 private:
  double last_us_ = 0;
  bool any_ = false;
};

/// Whoever wants to look at the bodies, or to change friction, between two low-rate steps. Called on the
/// low-rate thread, with one rate on the only one: must not lock, throw or print.
class LowRateGuest {
 public:
  virtual ~LowRateGuest() = default;
  virtual void before_low_step() = 0;
  /// `ws`: contacts and forces of the step.
  virtual void after_low_step(const State& state, const Workspace& ws, double time_s) = 0;
};

/// The devices of a scene as seen from the haptic thread, each behind its safety chain; and the recorder.
class ScenePort final : public HandPort {
 public:
  /// `recorder` and `guest` may be null.
  ScenePort(Scene& scene, Recorder* recorder, LowRateGuest* guest = nullptr);
  void read(double time_s, std::span<DevicePose> poses) override;
  void look(const Snapshot& snapshot, const HighRate& high) override;
  void low_step_begins() override;
  void look(const LowRate& low, const Snapshot* handed, long tick, double time_s) override;
  void write(const TickReport& report, std::span<const Wrench> wrenches, double h_s) override;
  const SafetyChain& safety(int device) const { return safety_[static_cast<size_t>(device)]; }

 private:
  Scene& scene_;
  Recorder* recorder_;
  LowRateGuest* guest_;
  std::vector<SafetyChain> safety_;
  TickRecord record_;
  ContactView contacts_;
  double start_us_ = 0;
  TickClock clock_;
};

/// Runs until options.seconds are over or options.stop is set; the devices are then given zero force.
/// `counts`: interventions by device.
Result<RealTimeReport> run_scene_realtime(Scene& scene, const RealTimeOptions& options,
                                          Recorder* recorder = nullptr,
                                          std::vector<InterventionCounts>* counts = nullptr,
                                          LowRateGuest* guest = nullptr);

}  // namespace palp
