// The clock of the real-time runners: the haptic thread and the low-rate thread, each sleeping to absolute
// times (clock_nanosleep). What a period of either does is a RatePair's business (realtime.cpp); its
// two halves exchange what they know through wait-free triple buffers.
//
// Real-time priority (SCHED_FIFO) and locked memory are asked for and not required: the report says what was
// granted, how late ticks started, how long they took, and how many periods passed without a tick.
#pragma once
#include <atomic>
#include <limits>
#include <span>
#include <vector>

#include "palp/haptics/tick.hpp"

namespace palp {

struct LowRate;

/// Whoever is at the devices' end. Called on the haptic thread: must not allocate, lock, throw or print.
class HandPort {
 public:
  virtual ~HandPort() = default;
  /// Poses of all devices at `time_s` after the start.
  virtual void read(double time_s, std::span<DevicePose> poses) = 0;
  /// Insides of the tick just made, before write; valid during the call. For recorders.
  virtual void look(const Snapshot&, const HighRate&) {}
  /// On the low-rate thread, before and after each of its steps; the same rules. `handed`: what the ticks
  /// will get, null when the step failed.
  virtual void low_step_begins() {}
  virtual void look(const LowRate&, const Snapshot* /*handed*/, long /*tick*/, double /*time_s*/) {}
  /// What the users are to feel, after every tick.
  virtual void write(const TickReport& report, std::span<const Wrench> wrenches, double h_s) = 0;
};

/// Both rates, each called by its own thread only.
class RatePair {
 public:
  virtual ~RatePair() = default;
  virtual int devices() const = 0;
  virtual double h_high_s() const = 0;
  virtual double h_low_s() const = 0;
  /// Haptic thread: one tick against the newest snapshot. Must not allocate, lock, throw or print.
  virtual TickReport tick(std::span<const DevicePose> poses, std::span<Wrench> wrenches) = 0;
  /// Low-rate thread: takes what the newest tick has told; false when no tick has been made since the last
  /// step that knows its result.
  virtual bool hear() = 0;
  /// Low-rate thread, between two steps: whether one is wanted before its time; asked every so many seconds.
  virtual bool wants_step() { return false; }
  virtual double ask_again_s() const { return h_low_s(); }
  /// Low-rate thread: one step from there. When it failed the ticks keep their snapshot.
  virtual StepReport low_step() = 0;
};

struct RealTimeOptions {
  double seconds = 1;
  bool lock_memory = false;  ///< of the whole process (mlockall), while it runs
  int priority = 60;         ///< of the haptic thread; the low rate takes half of it
  /// A fault to study: the low-rate thread ends after so many steps.
  long low_steps_at_most = std::numeric_limits<long>::max();
  const std::atomic<bool>* stop = nullptr;  ///< ends the run early when it becomes true
};

/// Percentiles of a series of times in microseconds.
struct TimeQuantiles {
  double p50 = 0, p99 = 0, p999 = 0, max = 0;
  static TimeQuantiles of(std::vector<float>& samples);  ///< sorts them
};

/// The first tick or step of a rate that failed.
struct FirstFailure {
  StepStatus status = StepStatus::ok;
  int body = -1;
  double time_s = 0;  ///< after the start

  void note(StepStatus failed, int of_body, double at_s) {
    if (failed != StepStatus::ok && status == StepStatus::ok) *this = {failed, of_body, at_s};
  }
};

struct RealTimeReport {
  double wall_s = 0;
  long ticks = 0, low_steps = 0;
  long missed_periods = 0;  ///< haptic periods that passed without a tick
  long long_ticks = 0;      ///< took longer than their period
  long late_low_steps = 0;  ///< took longer than their period
  long failed_ticks = 0, failed_low_steps = 0;
  FirstFailure failed_tick, failed_low_step;
  long unconverged_ticks = 0;  ///< the tolerance was not reached within sweeps and budget
  long late_solves = 0;        ///< of them, ended by the budget
  long held_back_ticks = 0;    ///< a tool was held at the border of the surface that its snapshot knows
  double worst_certificate = 0;
  int most_contacts = 0;
  long oldest_snapshot_ticks = 0;
  TimeQuantiles late_us, cost_us, low_cost_us;
  bool has_priority = false, memory_is_locked = false;

  double tick_rate_Hz() const { return wall_s > 0 ? static_cast<double>(ticks) / wall_s : 0; }
  double low_rate_Hz() const { return wall_s > 0 ? static_cast<double>(low_steps) / wall_s : 0; }
};

/// Runs both threads for options.seconds and waits for them.
RealTimeReport run_threads(RatePair& rates, HandPort& hands, const RealTimeOptions& options);

}  // namespace palp
