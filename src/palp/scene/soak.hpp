// A scene left alone with faults: the haptic loop on the virtual clock, as long as one likes, with poses that
// are no numbers, jumps, a device that goes and comes back, a low rate that stalls, late ticks and bodies
// that are hit hard; and what the safety chain promises (safety/promises.hpp) checked at every tick. The
// same scene, seed and number of ticks give the same bits.
//
// Every device is replaced by a simulated arm that wanders along the way that the scene's device would go, to
// and fro, and feels what it is given. Calm and stormy times take turns, so that faults meet a force that
// flows. Now and then the simulation starts afresh.
#pragma once
#include <functional>
#include <optional>

#include "palp/safety/promises.hpp"
#include "palp/safety/safety_chain.hpp"
#include "palp/scene/scene.hpp"

namespace palp {

namespace soak_fault {
enum Kind : int { pose_not_finite, pose_jump, device_lost, low_rate_stalled, late_tick, body_hit, buttons };
inline constexpr int kinds = 7;
inline constexpr std::array<const char*, kinds> names{
    "pose_not_finite", "pose_jump", "device_lost", "low_rate_stalled", "late_tick", "body_hit", "buttons"};
}  // namespace soak_fault

struct SoakOptions {
  long ticks = 100000;
  std::uint64_t seed = 1;
  long start_afresh_every = 20000;  ///< ticks
  /// What is checked, when it is not what the devices promise: to see that the check checks.
  std::optional<DeviceProfile> promised = {};
  std::function<void(double share)> progress = {};
};

struct SoakReport {
  long ticks = 0, starts = 0;
  double wall_s = 0;
  int cautious_devices = 0;                      ///< without a profile of their own: DeviceProfile's defaults
  std::array<long, soak_fault::kinds> faults{};  ///< how often each began
  std::array<long, soak_fault::kinds> fault_ticks{};  ///< how many ticks it lasted, all together
  InterventionCounts interventions;                   ///< all devices
  long failed_steps = 0;       ///< ticks whose step or low-rate step failed, as they may when hit hard enough
  long not_finite_states = 0;  ///< ticks after which a body was nowhere, which is never right
  long ticks_with_force = 0;   ///< some device was given some
  double worst_force_N = 0, worst_torque_Nm = 0, worst_slew_N_per_s = 0, worst_torque_slew_Nm_per_s = 0;
  std::array<long, promise::kinds> broken{};  ///< promises
  struct First {
    long tick = -1;  ///< −1: none was broken
    int device = 0;
    promise::Kind kind = promise::finite;
  } first_broken;
  std::uint64_t digest = 0;  ///< of everything that was given: the same run, the same number

  long broken_promises() const;
};

/// An error when the scene has no device. Replaces the scene's devices.
Result<SoakReport> soak(Scene& scene, const SoakOptions& options);

}  // namespace palp
