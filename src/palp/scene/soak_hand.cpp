#include "palp/scene/soak_hand.hpp"

#include <algorithm>
#include <numbers>

#include "palp/math/rotation.hpp"

namespace palp {

SoakHand::SoakHand(std::vector<DevicePose> way, double seconds, double stray_m)
    : way_(std::move(way)), seconds_(seconds), stray_m_(stray_m) {
  restart();
}

void SoakHand::restart() {
  pose_ = way_.front();
  pose_.velocity.setZero();
  pose_.angular_velocity.setZero();
  time_s_ = 0;
  given_ = {};
  lie = {};
}

/// To and fro along the way, with three slow sines beside it that never meet again.
DevicePose SoakHand::aim() const {
  const double round = std::fmod(time_s_ / seconds_, 2);
  const double at = (round < 1 ? round : 2 - round) * static_cast<double>(way_.size() - 1);
  const size_t k = std::min(static_cast<size_t>(at), way_.size() - 2);
  const double s = at - static_cast<double>(k);
  DevicePose a = way_[k];
  a.position += s * (way_[k + 1].position - way_[k].position);
  a.orientation = way_[k].orientation.slerp(s, way_[k + 1].orientation);
  a.velocity.setZero();
  a.angular_velocity.setZero();
  if (time_s_ <= 0) return a;
  constexpr double frequency_Hz[3] = {0.31, 0.83, std::numbers::sqrt2};
  for (int c = 0; c < 3; ++c)
    a.position[c] += stray_m_ * std::sin(2 * std::numbers::pi * frequency_Hz[c] * time_s_);
  return a;
}

DeviceReading SoakHand::read(double) {
  DevicePose p = pose_;
  if (lie.jumps) {
    p.position += lie.away;
    p.orientation = rotation_from_vector(lie.turned) * p.orientation;
    if (lie.too_fast_m_per_s > 0) p.velocity.x() = lie.too_fast_m_per_s;
  }
  if (lie.not_finite) {
    double* const number[13] = {&p.position.x(),        &p.position.y(),         &p.position.z(),
                                &p.orientation.x(),     &p.orientation.y(),      &p.orientation.z(),
                                &p.orientation.w(),     &p.velocity.x(),         &p.velocity.y(),
                                &p.velocity.z(),        &p.angular_velocity.x(), &p.angular_velocity.y(),
                                &p.angular_velocity.z()};
    *number[lie.which] = lie.number;
  }
  told_ = {p, buttons, !lie.gone};
  return told_;
}

void SoakHand::write(const Wrench& wrench, double) { given_ = wrench; }

void SoakHand::pass(double dt_s) {
  // What is no number is the checker's business; an arm that felt it would be lost for the rest of the run.
  const bool sane = given_.force.squaredNorm() < 1e12 && given_.torque.squaredNorm() < 1e12;
  const int steps = arm_steps(dt_s);
  for (int i = 0; i < steps; ++i) {
    time_s_ += dt_s / steps;
    move_arm(arm_, aim(), sane ? given_ : Wrench{}, dt_s / steps, pose_);
  }
}

}  // namespace palp
