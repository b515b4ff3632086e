// A hand that is pushed, not moved: a SpaceMouse or a stick says how fast it is to go. The pose is the
// integral of that, kept within a box of 20 cm about where it started.
#pragma once
#include "palp/devices/backends/port.hpp"
#include "palp/math/rotation.hpp"

namespace palp {

class RateHand {
 public:
  static constexpr double reach_m = 0.2;
  static constexpr double fastest_m_per_s = 0.15, fastest_rad_per_s = 1.5;  ///< at full deflection

  /// `share`, `turn`: −1 … 1 per axis.
  void push(const Vec3& share, const Vec3& turn) {
    velocity_ = fastest_m_per_s * share;
    angular_velocity_ = fastest_rad_per_s * turn;
  }
  DevicePose advance(double now_us) {
    const double dt = time_us_ > 0 ? std::min(1e-6 * (now_us - time_us_), 0.05) : 0;
    time_us_ = now_us;
    const Vec3 before = pose_.position;
    pose_.position = (before + dt * velocity_).cwiseMax(-reach_m).cwiseMin(reach_m);
    pose_.orientation = (rotation_from_vector(dt * angular_velocity_) * pose_.orientation).normalized();
    pose_.velocity = dt > 0 ? Vec3((pose_.position - before) / dt) : Vec3(Vec3::Zero());
    pose_.angular_velocity = angular_velocity_;
    return pose_;
  }

 private:
  DevicePose pose_;
  Vec3 velocity_ = Vec3::Zero(), angular_velocity_ = Vec3::Zero();
  double time_us_ = 0;
};

}  // namespace palp
