// Velocities of a device that tells only where it is: the difference of two poses through a low pass of a few
// milliseconds,
//     v ← v + (1 − e^{−dt/τ}) (Δx/dt − v),      τ = 5 ms.
#pragma once
#include <cmath>

#include "palp/math/rotation.hpp"
#include "palp/safety/hand.hpp"

namespace palp {

class VelocityEstimate {
 public:
  void fill_velocity(DevicePose& pose, double now_us) { update(pose, now_us, true, false); }
  void fill_angular_velocity(DevicePose& pose, double now_us) { update(pose, now_us, false, true); }
  void fill(DevicePose& pose, double now_us) { update(pose, now_us, true, true); }
  void reset() { time_us_ = 0; }

 private:
  static constexpr double tau_s = 5e-3, longest_s = 0.1;
  void update(DevicePose& pose, double now_us, bool linear, bool angular) {
    const double dt = 1e-6 * (now_us - time_us_);
    if (!(dt > 0)) {
      // The same instant: nothing new.
    } else if (time_us_ == 0 || dt > longest_s) {
      v_.setZero();
      w_.setZero();
    } else {
      const double share = 1 - std::exp(-dt / tau_s);
      v_ += share * ((pose.position - position_) / dt - v_);
      w_ += share * (vector_from_rotation(pose.orientation * orientation_.conjugate()) / dt - w_);
    }
    if (!v_.allFinite() || !w_.allFinite()) {
      v_.setZero();
      w_.setZero();
    }
    time_us_ = now_us;
    position_ = pose.position;
    orientation_ = pose.orientation;
    if (linear) pose.velocity = v_;
    if (angular) pose.angular_velocity = w_;
  }

  Vec3 position_ = Vec3::Zero(), v_ = Vec3::Zero(), w_ = Vec3::Zero();
  Quat orientation_ = Quat::Identity();
  double time_us_ = 0;
};

}  // namespace palp
