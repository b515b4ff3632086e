// Runs a scene step by step and keeps what every step measured. No printing, no files: commands, tests and
// benchmarks share this loop.
#pragma once
#include <functional>

#include "palp/haptics/safety.hpp"
#include "palp/scene/scene.hpp"

namespace palp {

/// One row of the series that `palp run --csv` writes.
struct StepRecord {
  double time_s = 0;
  StepReport report;
  double kinetic_J = 0, elastic_J = 0;
  double given_J = 0;  ///< energy handed to all users so far: ∫ F·v dt (passivity observer)
  struct Hand {
    DevicePose pose;  ///< that was used: the device's, or the last good one
    Wrench wrench;    ///< what the user feels
  };
  std::vector<Hand> hands;  ///< one per device
};

class SceneRun {
 public:
  explicit SceneRun(Scene& scene);

  /// One step: devices → couplings → step → forces. False when the step failed; the state is then unchanged.
  bool advance();

  /// Of the last step; before the first one, the start.
  const StepRecord& record() const { return record_; }
  const State& state() const { return state_; }
  State& state() { return state_; }
  const Workspace& workspace() const { return ws_; }
  /// Skin of a body at the current state.
  TriMesh skin(int body) const;
  const SafetyChain& safety(int device) const { return safety_[static_cast<size_t>(device)]; }
  /// The last step as a tick, for the recorder; and its contact problem, W only if there is just one group.
  TickRecord tick_record() const;
  ContactView contacts();

 private:
  Scene& scene_;
  State state_;
  Workspace ws_;
  StepRecord record_;
  std::vector<DevicePose> poses_;
  std::vector<Wrench> wrenches_;
  std::vector<SafetyChain> safety_;  ///< one per device
  std::vector<unsigned> buttons_;
  std::vector<double> delta_free_, lambda_;  ///< contacts: of all groups, one after the other
};

/// Why a step failed, for people.
std::string explain(const Scene& scene, const StepReport& report);

}  // namespace palp
