#include "palp/devices/visitor.hpp"

#include <cmath>

#include "palp/math/rotation.hpp"

namespace palp {
namespace {

constexpr double smoothing_s = 0.015;  ///< about the time between two poses of a mouse

/// Moves `smooth` towards the visitor's pose by first-order decay, and gives it the velocity of that motion.
void follow(const Vec3& position, const Quat& orientation, double h, DevicePose& smooth) {
  const double share = 1 - std::exp(-h / smoothing_s);
  const Vec3 way = share * (position - smooth.position);
  const Vec3 turn = share * vector_from_rotation(orientation * smooth.orientation.conjugate());
  smooth.velocity = way / h;
  smooth.angular_velocity = turn / h;
  smooth.position += way;
  smooth.orientation = (rotation_from_vector(turn) * smooth.orientation).normalized();
}

}  // namespace

bool VisitorChannel::hold(const Vec3& position, const Quat& orientation, unsigned buttons) {
  const double length = orientation.norm();
  if (!position.allFinite() || !std::isfinite(length) || length < 1e-6) return false;
  aim_.back() = {position, orientation.normalized(), true, buttons, ++serial_};
  aim_.publish();
  return true;
}

void VisitorChannel::let_go() {
  aim_.back() = {Vec3::Zero(), Quat::Identity(), false, 0, ++serial_};
  aim_.publish();
}

Wrench VisitorChannel::felt() {
  felt_.update();
  return felt_.front();
}

VisitorDevice::VisitorDevice(std::shared_ptr<VisitorChannel> channel, std::unique_ptr<Device> own,
                             const HandSettings& arm)
    : channel_(std::move(channel)), own_(std::move(own)), arm_(arm), last_(own_->read(0)) {
  channel_->aim_.update();
  first_ = heeded_ = channel_->aim_.front().serial;
}

DeviceInfo VisitorDevice::info() const {
  return {.kind = "page", .name = "visitor in the page", .feels = 0, .buttons = 2};
}

DeviceHealth VisitorDevice::health() const {
  DeviceHealth h;
  h.present = held();
  h.frames = poses_;
  h.skipped = static_cast<std::uint64_t>(heeded_ - first_) - poses_;
  h.opened = 1;
  return h;
}

DeviceReading VisitorDevice::read(double time_s) {
  channel_->aim_.update();
  const VisitorChannel::Aim& aim = channel_->aim_.front();
  if (!taken_ && aim.holding && aim.serial > heeded_) {
    taken_ = true;
    aim_ = last_.pose;
  }
  if (aim.serial > heeded_) ++poses_;
  heeded_ = aim.serial;
  if (!taken_) last_ = own_->read(time_s);
  if (taken_) last_.buttons = aim.buttons;
  return last_;
}

void VisitorDevice::write(const Wrench& wrench, double h) {
  channel_->felt_.back() = wrench;
  channel_->felt_.publish();
  if (!taken_) return own_->write(wrench, h);
  const VisitorChannel::Aim& aim = channel_->aim_.front();
  HandSettings arm = arm_;
  if (!aim.holding) arm.stiffness_N_per_m = arm.angular_stiffness_Nm_per_rad = 0;
  const int steps = arm_steps(h);
  for (int i = 0; i < steps; ++i) {
    if (aim.holding) {
      follow(aim.position, aim.orientation, h / steps, aim_);
    } else {
      aim_ = last_.pose;
      aim_.velocity = aim_.angular_velocity = Vec3::Zero();
    }
    move_arm(arm, aim_, wrench, h / steps, last_.pose);
  }
}

}  // namespace palp
