// What the safety chain promises (docs/safety.md), checked from outside: the checker sees what a device told,
// what happened to it, and what it was given, and shares no code with the chain.
//
// With g the largest share of the force that may flow, which rises by h/ramp in a sound tick and falls by
// dt/decay in a tick with a fault that no chain can miss, every tick must keep
//     F, T finite      |F| ≤ max g      |ΔF| ≤ slew dt      (likewise for the torque)
// and, with the passivity controller, a force along the motion of more than a twentieth of the bound, while
// the user has got more energy than was put in, must end within three times what the slew limit needs to turn
// a force round.
#pragma once
#include <array>
#include <cstdint>

#include "palp/safety/device_profile.hpp"

namespace palp {

namespace promise {
enum Kind : int { finite, force_bound, torque_bound, force_slew, torque_slew, decay, ramp, passivity };
inline constexpr int kinds = 8;
inline constexpr std::array<const char*, kinds> names{
    "finite", "force_bound", "torque_bound", "force_slew", "torque_slew", "decay", "ramp", "passivity"};
}  // namespace promise

/// What one tick was for one device.
struct TickFacts {
  DevicePose read;       ///< as the device gave it
  bool present = true;   ///< as the device said
  double dt_s = 0;       ///< since the last tick, at least the nominal one
  double silence_s = 0;  ///< for so long at least the low rate has not been heard of
};

class PromiseCheck {
 public:
  PromiseCheck(const DeviceProfile& profile, double h_s, const DevicePose& start);

  /// Returns the promises that this tick broke, a bit by promise::Kind.
  std::uint32_t tick(const TickFacts& facts, const Wrench& given);

  double worst_force_N() const { return worst_force_; }
  double worst_torque_Nm() const { return worst_torque_; }
  double worst_slew_N_per_s() const { return worst_slew_; }
  double worst_torque_slew_Nm_per_s() const { return worst_torque_slew_; }

 private:
  /// One port of the passivity observer, translation or rotation.
  struct Port {
    double put_in_J = 0;    ///< by the user, less what was given back
    int gives_in_debt = 0;  ///< ticks in a row
    bool broken(const Vec3& force, const Vec3& velocity, double bound, int ticks);
  };
  bool take_pose(const TickFacts& facts);

  DeviceProfile p_;
  double h_s_;
  int turn_ticks_ = 0;  ///< that the slew limit may need to turn a force round
  DevicePose used_;     ///< the last pose that no chain could refuse, standing still while there is none
  bool any_ = false;
  double since_used_s_ = 0;
  double share_ = 0;    ///< g
  int gone_ticks_ = 0;  ///< in a row without any share
  Wrench last_;
  Port translation_, rotation_;
  double worst_force_ = 0, worst_torque_ = 0, worst_slew_ = 0, worst_torque_slew_ = 0;
};

}  // namespace palp
