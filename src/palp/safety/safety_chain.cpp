#include "palp/safety/safety_chain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "palp/math/rotation.hpp"

namespace palp {
namespace {

/// What the slew limiter may use of the device's slew: the rest belongs to the gain.
double room_for_force(double slew, double most, const DeviceProfile& p) {
  if (std::isinf(slew)) return slew;
  return slew - most / std::min(p.ramp_s, p.decay_s);
}

/// The damper of the passivity controller: the device's own and twice the leak K T/2 of the stiffest spring
/// allowed; 0 without limits, where the controller is of no use.
double most_damping(const DeviceProfile& p) {
  const double b = p.damping_N_s_per_m + p.max_stiffness_N_per_m * p.sample_time_s;
  return std::isfinite(b) ? b : 0;
}

/// The same about the lever arm at which the largest force makes the largest torque.
double most_angular_damping(const DeviceProfile& p) {
  const double lever = p.max_torque_Nm / p.max_force_N;
  return std::isfinite(lever) ? most_damping(p) * lever * lever : 0;
}

constexpr std::uint32_t decay_bits = intervention::pose_not_finite | intervention::pose_jump |
                                     intervention::device_lost | intervention::force_not_finite |
                                     intervention::stale_snapshot | intervention::late_tick;

}  // namespace

void InterventionCounts::add(std::uint32_t bits) {
  for (; bits; bits &= bits - 1) ++count[static_cast<size_t>(std::countr_zero(bits))];
}

std::uint64_t InterventionCounts::of(intervention::Bit bit) const {
  return count[static_cast<size_t>(std::countr_zero(static_cast<std::uint32_t>(bit)))];
}

std::uint64_t InterventionCounts::faults() const {
  std::uint64_t sum = 0;
  for (std::uint64_t c : count) sum += c;
  return sum - of(intervention::ramp);
}

PoseGuard::PoseGuard(const DeviceProfile& profile, const DevicePose& start)
    : max_speed_(profile.max_speed_m_per_s),
      max_angular_speed_(profile.max_angular_speed_rad_per_s),
      good_(start) {
  good_.velocity.setZero();
  good_.angular_velocity.setZero();
}

const DevicePose& PoseGuard::admit(const DevicePose& read, bool present, double dt_s, std::uint32_t& done) {
  since_good_s_ += dt_s;
  std::uint32_t fault = present ? 0u : intervention::device_lost;
  if (!read.finite() || !(std::abs(read.orientation.norm() - 1) < 1e-3)) {
    fault |= intervention::pose_not_finite;
  } else if (any_) {
    const double way = (read.position - good_.position).stableNorm();
    const double turn = vector_from_rotation(read.orientation * good_.orientation.conjugate()).norm();
    const bool too_far = way > max_speed_ * since_good_s_ || turn > max_angular_speed_ * since_good_s_;
    const bool too_fast =
        read.velocity.stableNorm() > max_speed_ || read.angular_velocity.stableNorm() > max_angular_speed_;
    if (too_far || too_fast) fault |= intervention::pose_jump;
  }
  done |= fault;
  if (fault) {
    good_.velocity.setZero();
    good_.angular_velocity.setZero();
  } else {
    good_ = read;
    since_good_s_ = 0;
    any_ = true;
  }
  return good_;
}

const Wrench& FiniteGuard::pass(const Wrench& wrench, std::uint32_t& done) {
  const auto sane = [](const Vec3& v) { return v.allFinite() && v.cwiseAbs().maxCoeff() < absurd; };
  if (sane(wrench.force) && sane(wrench.torque))
    good_ = wrench;
  else
    done |= intervention::force_not_finite;
  return good_;
}

Vec3 PassivityPort::limit(const Vec3& force, const Vec3& velocity, double h, std::uint32_t& done) const {
  const double after = E_ - h * force.dot(velocity);
  const double v2 = velocity.squaredNorm();
  if (after >= 0 || !(v2 > 0)) return force;
  // With E ≥ 0 the whole deficit is this tick's doing. An older debt waits for its damper.
  const double own = std::min(-after, std::max(0.0, h * force.dot(velocity)));
  const double alpha = own / (h * v2) + std::min((-after - own) / (h * v2), max_damping_);
  if (!(alpha > 0)) return force;
  done |= intervention::passivity;
  return force - alpha * velocity;
}

Vec3 SlewLimit::limit(const Vec3& wanted, const Vec3& before, const Vec3& first, std::uint32_t& done) const {
  const Vec3 change = wanted - before;
  if (change.norm() <= most_) return wanted;
  done |= intervention::slew;
  const double along = std::clamp(first.dot(change), -most_, most_);
  const Vec3 across = change - first * first.dot(change);
  const double left = std::sqrt(std::max(0.0, (most_ - along) * (most_ + along))), size = across.norm();
  return before + along * first + (size > left ? Vec3(across * (left / size)) : across);
}

Vec3 Clamp::limit(const Vec3& wanted, std::uint32_t& done) const {
  const double size = wanted.norm();
  if (size <= most_) return wanted;
  done |= intervention::clamp;
  return wanted * (most_ / size);
}

bool Watchdog::healthy(double snapshot_age_s, double dt_s, double h_s, std::uint32_t& done) const {
  // Written so that NaN counts as too old.
  if (!(snapshot_age_s <= stale_s_)) done |= intervention::stale_snapshot;
  if (!(dt_s <= h_s + late_s_)) done |= intervention::late_tick;
  return (done & decay_bits) == 0;
}

ForceGain::ForceGain(const DeviceProfile& profile)
    : ramp_s_(profile.ramp_s), decay_s_(profile.decay_s), gain_(profile.ramp_s > 0 ? 0 : 1) {}

double ForceGain::update(bool healthy, double h_s, double dt_s, std::uint32_t& done) {
  if (!healthy)
    gain_ = std::max(0.0, gain_ - dt_s / decay_s_);
  else if (gain_ < 1)
    gain_ = ramp_s_ > 0 ? std::min(1.0, gain_ + h_s / ramp_s_) : 1;
  if (healthy && gain_ < 1) done |= intervention::ramp;
  return gain_;
}

SafetyChain::SafetyChain(const DeviceProfile& p, double h_s, const DevicePose& start)
    : profile_(p),
      h_s_(h_s),
      poses_(p, start),
      translation_(most_damping(p)),
      rotation_(most_angular_damping(p)),
      force_slew_(h_s * room_for_force(p.max_slew_N_per_s, p.max_force_N, p)),
      torque_slew_(h_s * room_for_force(p.max_torque_slew_Nm_per_s, p.max_torque_Nm, p)),
      force_clamp_(p.max_force_N),
      torque_clamp_(p.max_torque_Nm),
      watchdog_(p),
      gain_(p),
      pose_(start) {}

const DevicePose& SafetyChain::admit(const DevicePose& read, bool present, double dt_s) {
  done_ = 0;
  read_ = read;
  present_ = present;
  dt_s_ = dt_s > h_s_ ? dt_s : h_s_;
  const DevicePose before = pose_;
  pose_ = poses_.admit(read, present, dt_s_, done_);
  if (!first_) {
    const Vec3 turn = vector_from_rotation(pose_.orientation * before.orientation.conjugate());
    translation_.observe(given_.force, pose_.position - before.position);
    rotation_.observe(given_.torque, turn);
  }
  first_ = false;
  return pose_;
}

Vec3 SafetyChain::limited(const Vec3& wanted, const Vec3& velocity, const PassivityPort& port,
                          const SlewLimit& slew, const Clamp& clamp, Vec3& before) {
  const Vec3 passive = profile_.passivity ? port.limit(wanted, velocity, h_s_, done_) : wanted;
  const Vec3 first = passive == wanted ? Vec3(Vec3::Zero()) : Vec3(velocity.normalized());
  std::uint32_t projected = 0;  // no intervention of its own: the slew limit has told already
  before = clamp.limit(slew.limit(clamp.limit(passive, done_), before, first, done_), projected);
  return before;
}

Wrench SafetyChain::release(const Wrench& coupling, double snapshot_age_s, std::uint32_t noted) {
  raw_ = coupling;
  done_ |= noted;
  Wrench w = finite_.pass(coupling, done_);
  w.force = limited(w.force, pose_.velocity, translation_, force_slew_, force_clamp_, clamped_.force);
  w.torque =
      limited(w.torque, pose_.angular_velocity, rotation_, torque_slew_, torque_clamp_, clamped_.torque);
  const bool healthy = watchdog_.healthy(snapshot_age_s, dt_s_, h_s_, done_);
  const double gain = gain_.update(healthy, h_s_, dt_s_, done_);
  given_.force = gain * w.force;
  given_.torque = gain * w.torque;
  counts_.add(done_);
  return given_;
}

void SafetyChain::fill(TickDevice& record) const {
  set_pose(record, read_);
  record.raw_force = plain(raw_.force);
  record.raw_torque = plain(raw_.torque);
  record.force = plain(given_.force);
  record.torque = plain(given_.torque);
  record.given_J = given_J();
  record.present = present_ ? 1 : 0;
  record.interventions = done_;
}

}  // namespace palp
