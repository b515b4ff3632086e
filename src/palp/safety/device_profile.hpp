// What a haptic device can do and what it may be asked for, and the stiffness that it renders stably.
//
// A sampled spring-damper wall K, B on a device with inherent damping b and sample time T is passive when
//     b > K T / 2 + |B|                                             (Colgate and Schenkel 1997)
// because a force that is held for T lags half a sample behind the motion and so gives energy back that only
// b can take away.
#pragma once
#include <limits>

#include "palp/base/result.hpp"
#include "palp/safety/hand.hpp"

namespace palp {

struct DeviceProfile {
  static constexpr double no_limit = std::numeric_limits<double>::infinity();

  // What leaves: the defaults suit a desktop arm that is held like a pen.
  double max_force_N = 8;
  double max_torque_Nm = 0.3;
  double max_slew_N_per_s = 4000;
  double max_torque_slew_Nm_per_s = 150;
  // What the arm is made of.
  double max_stiffness_N_per_m = 3000;  ///< above it, a warning
  double damping_N_s_per_m = 2;         ///< b: of the arm and a light grip
  double sample_time_s = 0.001;         ///< T
  // What comes in: faster than this is a fault, not a hand.
  double max_speed_m_per_s = 5;
  double max_angular_speed_rad_per_s = 100;
  // How the force is let in and taken away.
  double ramp_s = 0.2;     ///< from nothing to everything, at the start and after a fault; 0: at once
  double decay_s = 0.05;   ///< from everything to nothing
  double stale_s = 0.2;    ///< the low-rate side may be silent for so long
  double late_s = 0.005;   ///< a tick may come so late
  bool passivity = false;  ///< time-domain passivity controller

  /// For simulated devices: nothing is limited; only numbers that are not finite are stopped.
  static DeviceProfile unlimited();
};

/// Refuses what cannot be kept: limits that are not positive, a ramp or decay steeper than the slew limit.
Result<void> check(const DeviceProfile& profile);

/// b > K T/2 + |B| for one coupling.
struct StableRange {
  double needed_damping_N_s_per_m = 0;  ///< K T/2 + |B|
  double max_stiffness_N_per_m = 0;     ///< 2 (b − |B|)/T, with this B; 0 when B alone is too much
  bool stable = true;
};
StableRange stable_range(const DeviceProfile& profile, const CouplingSettings& coupling);

}  // namespace palp
