// The axes of devices, turned into Palp's: x to the user's right, y away from the user, z up.
#pragma once
#include "palp/safety/hand.hpp"

namespace palp {

/// x towards the user, y to the right, z up: Force Dimension, Virtuose.
inline const Quat axes_x_to_user{0.70710678118654752440, 0, 0, -0.70710678118654752440};
/// x to the right, y up, z towards the user: OpenHaptics, spacenav.
inline const Quat axes_y_up{0.70710678118654752440, 0.70710678118654752440, 0, 0};

/// The pose in Palp's axes, both as to where the handle is and how it is turned.
inline DevicePose from_axes(const Quat& axes, const DevicePose& p) {
  return {axes * p.position, axes * p.orientation * axes.conjugate(), axes * p.velocity,
          axes * p.angular_velocity};
}
inline Wrench to_axes(const Quat& axes, const Wrench& w) {
  return {axes.conjugate() * w.force, axes.conjugate() * w.torque};
}

}  // namespace palp
