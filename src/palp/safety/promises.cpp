#include "palp/safety/promises.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

constexpr double rounding = 1e-9;

bool finite(const Vec3& v) { return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z()); }

/// Angle between two orientations.
double angle(const Quat& a, const Quat& b) {
  const double c = std::abs(a.w() * b.w() + a.x() * b.x() + a.y() * b.y() + a.z() * b.z());
  const Vec3 s = a.w() * b.vec() - b.w() * a.vec() - a.vec().cross(b.vec());
  return 2 * std::atan2(s.norm(), c);
}

/// The axis of the rotation from a to b times its angle.
Vec3 turn(const Quat& a, const Quat& b) {
  Vec3 s = a.w() * b.vec() - b.w() * a.vec() - b.vec().cross(a.vec());
  if (a.w() * b.w() + a.vec().dot(b.vec()) < 0) s = -s;
  const double sine = s.norm();
  return sine > 0 ? Vec3(s * (angle(a, b) / sine)) : Vec3(Vec3::Zero());
}

/// Three times the ticks that a slew limit needs from one end of the bound to the other. Every tick takes at
/// least the share room/(2 most) of a part that is no longer asked for, whatever else is asked for.
int ticks_to_turn(double most, double slew, const DeviceProfile& p, double h_s) {
  const double room = (slew - most / std::min(p.ramp_s, p.decay_s)) * h_s;
  return 3 + (std::isfinite(2 * most / room) ? 3 * static_cast<int>(std::ceil(2 * most / room)) : 0);
}

}  // namespace

PromiseCheck::PromiseCheck(const DeviceProfile& profile, double h_s, const DevicePose& start)
    : p_(profile), h_s_(h_s), used_(start), share_(profile.ramp_s > 0 ? 0 : 1) {
  used_.velocity.setZero();
  used_.angular_velocity.setZero();
  turn_ticks_ = std::max(ticks_to_turn(p_.max_force_N, p_.max_slew_N_per_s, p_, h_s),
                         ticks_to_turn(p_.max_torque_Nm, p_.max_torque_slew_Nm_per_s, p_, h_s));
}

/// Follows the device as far as it can be believed. False: it cannot, in this tick.
bool PromiseCheck::take_pose(const TickFacts& facts) {
  const DevicePose& r = facts.read;
  since_used_s_ += facts.dt_s;
  const double length = r.orientation.norm();
  bool good = facts.present && finite(r.position) && finite(r.velocity) && finite(r.angular_velocity) &&
              std::isfinite(length) && std::abs(length - 1) < 1e-3;
  if (good && any_)
    good = (r.position - used_.position).stableNorm() <= p_.max_speed_m_per_s * since_used_s_ &&
           angle(used_.orientation, r.orientation) <= p_.max_angular_speed_rad_per_s * since_used_s_ &&
           r.velocity.stableNorm() <= p_.max_speed_m_per_s &&
           r.angular_velocity.stableNorm() <= p_.max_angular_speed_rad_per_s;
  if (!good) {
    used_.velocity.setZero();
    used_.angular_velocity.setZero();
    return false;
  }
  used_ = r;
  since_used_s_ = 0;
  any_ = true;
  return true;
}

bool PromiseCheck::Port::broken(const Vec3& force, const Vec3& velocity, double bound, int ticks) {
  const bool gives = put_in_J < -rounding && force.dot(velocity) > 0.05 * bound * velocity.norm();
  gives_in_debt = gives ? gives_in_debt + 1 : 0;
  return gives_in_debt > ticks;
}

std::uint32_t PromiseCheck::tick(const TickFacts& facts, const Wrench& given) {
  std::uint32_t broken = 0;
  const auto require = [&](bool kept, promise::Kind kind) {
    if (!kept) broken |= 1u << kind;
  };
  const DevicePose before = used_;
  const bool believed = take_pose(facts);
  translation_.put_in_J -= last_.force.dot(used_.position - before.position);
  rotation_.put_in_J -= last_.torque.dot(turn(before.orientation, used_.orientation));

  const bool sound = believed && facts.silence_s <= p_.stale_s && facts.dt_s <= h_s_ + p_.late_s;
  if (!sound)
    share_ = std::max(0.0, share_ - facts.dt_s / p_.decay_s);
  else
    share_ = p_.ramp_s > 0 ? std::min(1.0, share_ + h_s_ / p_.ramp_s) : 1;
  gone_ticks_ = share_ < rounding ? gone_ticks_ + 1 : 0;  // a sum of steps may leave a grain in the first

  if (!finite(given.force) || !finite(given.torque)) return broken | 1u << promise::finite;
  const double force = given.force.norm(), torque = given.torque.norm();
  require(force <= p_.max_force_N * (1 + rounding), promise::force_bound);
  require(torque <= p_.max_torque_Nm * (1 + rounding), promise::torque_bound);
  const double slew = (given.force - last_.force).norm() / facts.dt_s,
               torque_slew = (given.torque - last_.torque).norm() / facts.dt_s;
  require(slew <= p_.max_slew_N_per_s * (1 + rounding), promise::force_slew);
  require(torque_slew <= p_.max_torque_slew_Nm_per_s * (1 + rounding), promise::torque_slew);
  const auto within = [&](double size, double most) {
    return share_ >= 1 || (gone_ticks_ > 1 ? size == 0 : size <= (share_ + rounding) * most);
  };
  require(within(force, p_.max_force_N) && within(torque, p_.max_torque_Nm),
          sound ? promise::ramp : promise::decay);
  if (p_.passivity) {
    require(!translation_.broken(given.force, used_.velocity, p_.max_force_N, turn_ticks_),
            promise::passivity);
    require(!rotation_.broken(given.torque, used_.angular_velocity, p_.max_torque_Nm, turn_ticks_),
            promise::passivity);
  }
  last_ = given;
  worst_force_ = std::max(worst_force_, force);
  worst_torque_ = std::max(worst_torque_, torque);
  worst_slew_ = std::max(worst_slew_, slew);
  worst_torque_slew_ = std::max(worst_torque_slew_, torque_slew);
  return broken;
}

}  // namespace palp
