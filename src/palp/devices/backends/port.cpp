#include "palp/devices/backends/port.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

constexpr double tremor_m = 1e-3;  ///< two frames may come at almost the same moment

/// A handle may be a little outside of what its maker says; twice as far it is not metres.
bool within_reach(const DeviceInfo& info, const Vec3& position) {
  const Vec3 size = info.workspace_high - info.workspace_low;
  if (size.isZero(0)) return true;
  const Vec3 centre = 0.5 * (info.workspace_low + info.workspace_high);
  return ((position - centre).array().abs() <= Vec3::Constant(size.maxCoeff()).array()).all();
}

}  // namespace

DevicePort::Reading DevicePort::read(double now_us) {
  const bool fresh = frames_.update();
  const Slot& slot = frames_.front();
  if (fresh && slot.number > read_) {
    unread_.fetch_add(slot.number - read_ - 1, std::memory_order_relaxed);
    read_ = slot.number;
  }
  if (slot.present) pose_age_us_.store(now_us - slot.time_us, std::memory_order_relaxed);
  return {slot.frame, slot.present && now_us <= slot.good_until_us, slot.opened};
}

void DevicePort::write(const Wrench& wrench, double h_s, double now_us) {
  commands_.back() = {wrench, h_s, now_us, ++written_};
  commands_.publish();
}

void DevicePort::opened(const DeviceInfo& info, double stale_s) {
  info_ = info;
  stale_s_ = stale_s;
  gate_ = ForceGate(info.limits);
  resting_.store(true, std::memory_order_relaxed);
  wanted_us_ = good_until_us_ = good_us_ = 0;
  present_ = false;
  letting_go_.store(false, std::memory_order_relaxed);
  opened_.fetch_add(1, std::memory_order_relaxed);
}

void DevicePort::lost() {
  losses_.fetch_add(1, std::memory_order_relaxed);
  publish(last_, false, 0);
}

bool DevicePort::got(const DeviceFrame& frame, double now_us) {
  const DevicePose& pose = frame.pose;
  // Faster than a hand can be; a place that stays far away is believed once the time allows it.
  const double way = (pose.position - last_.pose.position).stableNorm();
  const bool leaps =
      good_us_ > 0 && way > tremor_m + info_.limits.max_speed_m_per_s * 1e-6 * (now_us - good_us_);
  if (!pose.finite() || !std::isfinite(frame.gripper_m) || !(std::abs(pose.orientation.norm() - 1) < 1e-3) ||
      !within_reach(info_, pose.position) || leaps) {
    refuse();
    return false;
  }
  good_us_ = now_us;
  last_ = frame;
  last_.pose.orientation.normalize();
  good_.fetch_add(1, std::memory_order_relaxed);
  publish(last_, true, now_us + 1e6 * stale_s_);
  return true;
}

void DevicePort::refuse() {
  refused_.fetch_add(1, std::memory_order_relaxed);
  publish(last_, false, 0);
}

void DevicePort::publish(const DeviceFrame& frame, bool present, double good_until_us) {
  frames_.back() = {frame,
                    present,
                    good_until_us,
                    good_us_,
                    static_cast<long>(opened_.load(std::memory_order_relaxed)),
                    good_.load(std::memory_order_relaxed)};
  frames_.publish();
  present_ = present;
  good_until_us_ = good_until_us;
  there_.store(present, std::memory_order_relaxed);
}

Wrench DevicePort::wanted(double now_us) {
  const bool fresh = commands_.update();
  const Command& c = commands_.front();
  if (fresh) {
    unsent_.fetch_add(c.number - taken_ - 1, std::memory_order_relaxed);
    taken_ = c.number;
  }
  const bool spoken = c.time_us > 0;
  if (spoken) wrench_age_us_.store(now_us - c.time_us, std::memory_order_relaxed);
  const bool silent = !spoken || now_us - c.time_us > 1e6 * std::max(silence_s, 3 * c.h_s);
  const bool was_felt = !c.wrench.force.isZero(0) || !c.wrench.torque.isZero(0);
  if (silent && !silent_ && was_felt) silences_.fetch_add(1, std::memory_order_relaxed);
  silent_ = silent;
  const bool heard = present_ && now_us <= good_until_us_;
  const double dt_s = wanted_us_ > 0 ? 1e-6 * (now_us - wanted_us_) : 0;
  wanted_us_ = now_us;
  const Wrench given =
      gate_.pass(c.wrench, !silent && heard && !letting_go_.load(std::memory_order_relaxed), dt_s);
  resting_.store(gate_.resting(), std::memory_order_relaxed);
  return given;
}

DeviceHealth DevicePort::health() const {
  const auto of = [](const std::atomic<std::uint64_t>& n) { return n.load(std::memory_order_relaxed); };
  DeviceHealth h;
  h.present = there_.load(std::memory_order_relaxed);
  h.frames = of(good_);
  h.refused = of(refused_);
  h.missed = of(missed_);
  h.skipped = of(skipped_);
  h.losses = of(losses_);
  h.opened = of(opened_);
  h.silences = of(silences_);
  h.unread = of(unread_);
  h.unsent = of(unsent_);
  h.pose_age_us = pose_age_us_.load(std::memory_order_relaxed);
  h.wrench_age_us = wrench_age_us_.load(std::memory_order_relaxed);
  return h;
}

}  // namespace palp
