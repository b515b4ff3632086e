// What passes between a hand and the engine: where it is, what it feels, how firmly it holds.
#pragma once
#include "palp/math/types.hpp"

namespace palp {

/// Where a hand is: a frame and its velocity. The angular velocity is in world axes.
struct DevicePose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();

  bool finite() const {
    return position.allFinite() && orientation.coeffs().allFinite() && velocity.allFinite() &&
           angular_velocity.allFinite();
  }
};

/// Force and torque in newtons and newton metres, torque about the held point.
struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
};

/// The virtual coupling (hands/coupling.hpp).
struct CouplingSettings {
  double stiffness_N_per_m = 1000;
  double damping_N_s_per_m = 1;
  double angular_stiffness_Nm_per_rad = 0;  ///< 0: three degrees of freedom
  double angular_damping_Nm_s_per_rad = 0;
};

}  // namespace palp
