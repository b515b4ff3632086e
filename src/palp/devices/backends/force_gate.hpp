// The last thing between Palp and a motor, on the device's own side of the hand-over, where it goes on
// working when the loop does not. Whatever is asked for,
//     the force is finite,   |F| ≤ max_force,   |ΔF| ≤ slew · dt,
//     it is let in from zero within ramp_s, and is zero decay_s (and a few milliseconds) after a fault began.
// The safety chain (safety/safety_chain.hpp) promises the same of what the loop writes. This gate promises it
// of what the device is told: also when the loop stops, hangs or ends in the middle of a force.
#pragma once
#include "palp/safety/safety_chain.hpp"

namespace palp {

class ForceGate {
 public:
  explicit ForceGate(const DeviceProfile& limits = {});
  /// The wrench to send. `healthy`: loop and device have both been heard lately; `dt_s`: since the last call.
  Wrench pass(const Wrench& wanted, bool healthy, double dt_s);
  const Wrench& given() const { return given_; }
  bool resting() const { return given_.force.isZero(0) && given_.torque.isZero(0); }

 private:
  /// A gate that was not asked for longer than this does not make up for it in one step.
  static constexpr double longest_step_s = 5e-3;
  DeviceProfile limits_;
  ForceGain gain_;
  Clamp force_clamp_, torque_clamp_;
  Wrench given_;
};

}  // namespace palp
