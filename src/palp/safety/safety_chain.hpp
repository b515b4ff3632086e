// The way of a force from the coupling to the user's hand, and of a pose from the device to the simulation:
//
//     pose in:    finite? slower than a hand can be? present?  → else the last good pose is held
//     force out:  coupling → finite check → passivity controller → clamp → slew limit → gain (ramp, watchdog)
//
// One small class per concern, one chain per device. Nothing here allocates, locks, throws or prints.
//
// What is promised, whatever comes in (h: the nominal tick, dt ≥ h: the time since the last one):
//     the force is finite;   |F| ≤ max_force;   |ΔF| ≤ slew · dt;
//     after a fault F = 0 within decay_s, and it comes back no faster than ramp_s.
// The slew limiter leaves room for the gain's own slope: with F ≤ max and a gain g that changes by at most
// dt/min(ramp, decay),  |Δ(g F)| ≤ |ΔF| + |Δg| max ≤ slew · dt  when  |ΔF| ≤ (slew − max/min(ramp, decay)) h.
// A ball is convex: on the straight way from one force within it to another the slew limit never leaves it.
// Where the controller asks for another way (SlewLimit), the answer is projected back on the ball, which
// brings no two forces further apart. A force within the bound has a part along the motion of at most the
// bound: what the passivity controller has taken away is gone within a few ticks.
#pragma once
#include "palp/safety/device_profile.hpp"
#include "palp/safety/tick_record.hpp"

namespace palp {

/// How often each intervention happened, by bit number.
struct InterventionCounts {
  std::array<std::uint64_t, intervention::bits> count{};

  void add(std::uint32_t bits);
  std::uint64_t of(intervention::Bit bit) const;
  /// All but the ramp: letting the force in at the start is part of a normal run.
  std::uint64_t faults() const;
};

/// Holds the last good pose when the device gives one that no hand could have reached. A pose that stays far
/// away is accepted once the time since the last good one allows the distance; by then the force has gone.
class PoseGuard {
 public:
  PoseGuard(const DeviceProfile& profile, const DevicePose& start);
  /// The pose to use; sets bits in `done`.
  const DevicePose& admit(const DevicePose& read, bool present, double dt_s, std::uint32_t& done);

 private:
  double max_speed_, max_angular_speed_;
  DevicePose good_;
  double since_good_s_ = 0;
  bool any_ = false;  ///< the first finite pose is taken wherever it is
};

/// Passes numbers, holds the last ones otherwise. No device renders a billion newtons: beyond it is a fault.
class FiniteGuard {
 public:
  static constexpr double absurd = 1e9;
  const Wrench& pass(const Wrench& wrench, std::uint32_t& done);

 private:
  Wrench good_;
};

/// Time-domain passivity observer and controller (Hannaford and Ryu 2002) of one port, translation or
/// rotation. The observer counts what the user has put in and not got back, the force that was held over the
/// way Δx that the device really went: E ← E − F·Δx. (With F·v h instead it would be blind to the very leak
/// of a sampled spring, K T/2.) The controller expects the way v h: a force that would make E negative loses
/// as much of its part along v as is too much,
///     F ← F − α v,   α |v|² h = −(E − h F·v),
/// so with E ≥ 0 at most the whole part along v. A debt, because the way was another one or a later stage
/// changed the force, is paid back by a damper of at most `max_damping`.
class PassivityPort {
 public:
  explicit PassivityPort(double max_damping) : max_damping_(max_damping) {}
  void observe(const Vec3& held_force, const Vec3& way) { E_ -= held_force.dot(way); }
  Vec3 limit(const Vec3& force, const Vec3& velocity, double h_s, std::uint32_t& done) const;
  double energy_J() const { return E_; }

 private:
  double max_damping_;
  double E_ = 0;
};

/// Changes by at most `most` a tick. `first`: a direction whose part of the change comes before the rest, or
/// zero. The passivity controller names that of the motion: a hand that trembles turns it from tick to tick,
/// and a limit that shared its way out evenly would lag behind with a force that gives energy.
class SlewLimit {
 public:
  explicit SlewLimit(double most) : most_(most) {}
  Vec3 limit(const Vec3& wanted, const Vec3& before, const Vec3& first, std::uint32_t& done) const;

 private:
  double most_;
};

/// At most `most` long.
class Clamp {
 public:
  explicit Clamp(double most) : most_(most) {}
  Vec3 limit(const Vec3& wanted, std::uint32_t& done) const;

 private:
  double most_;
};

/// Decides whether force may flow.
class Watchdog {
 public:
  explicit Watchdog(const DeviceProfile& profile) : stale_s_(profile.stale_s), late_s_(profile.late_s) {}
  /// Sets its own bits; true when none of the bits that call for a decay is set.
  bool healthy(double snapshot_age_s, double dt_s, double h_s, std::uint32_t& done) const;

 private:
  double stale_s_, late_s_;
};

/// The share of the force that gets through: up at 1/ramp_s while healthy, down at 1/decay_s otherwise.
class ForceGain {
 public:
  explicit ForceGain(const DeviceProfile& profile);
  double update(bool healthy, double h_s, double dt_s, std::uint32_t& done);
  double value() const { return gain_; }

 private:
  double ramp_s_, decay_s_;
  double gain_;
};

/// Everything for one device. Each tick: admit a pose, simulate, release a wrench.
class SafetyChain {
 public:
  /// `profile` has passed check(); `start`: the pose to hold until the device gives a good one.
  SafetyChain(const DeviceProfile& profile, double h_s, const DevicePose& start = {});

  /// `dt_s`: since the last tick; the nominal tick when it came on time or the clock is virtual.
  const DevicePose& admit(const DevicePose& read, bool present, double dt_s = 0);
  /// `snapshot_age_s`: 0 for a single-rate loop. `noted`: bits of the tick itself, to be counted and
  /// recorded.
  Wrench release(const Wrench& coupling, double snapshot_age_s = 0, std::uint32_t noted = 0);

  std::uint32_t interventions() const { return done_; }  ///< of this tick
  const InterventionCounts& counts() const { return counts_; }
  double gain() const { return gain_.value(); }
  /// Energy given to the user so far, by the passivity observers.
  double given_J() const { return -translation_.energy_J() - rotation_.energy_J(); }
  const DeviceProfile& profile() const { return profile_; }

  /// Pose, wrenches, energy and interventions of this tick. The caller adds buttons and the proxy's frame.
  void fill(TickDevice& record) const;

 private:
  /// Passivity controller, clamp and slew limit of one port; `before`: what it let through last.
  Vec3 limited(const Vec3& wanted, const Vec3& velocity, const PassivityPort& port, const SlewLimit& slew,
               const Clamp& clamp, Vec3& before);

  DeviceProfile profile_;
  double h_s_;
  PoseGuard poses_;
  FiniteGuard finite_;
  PassivityPort translation_, rotation_;
  SlewLimit force_slew_, torque_slew_;
  Clamp force_clamp_, torque_clamp_;
  Watchdog watchdog_;
  ForceGain gain_;
  Wrench clamped_;  ///< before the gain, of the last tick: where the slew limit starts from
  Wrench raw_, given_;
  DevicePose read_, pose_;
  bool present_ = true, first_ = true;
  double dt_s_ = 0;
  std::uint32_t done_ = 0;
  InterventionCounts counts_;
};

}  // namespace palp
