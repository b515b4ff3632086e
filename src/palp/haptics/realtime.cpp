#include "palp/haptics/realtime.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <system_error>
#include <thread>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "palp/base/clock.hpp"

namespace palp {
namespace {

void sleep_until_us(double time_us) {
  timespec t;
  t.tv_sec = static_cast<time_t>(time_us * 1e-6);
  t.tv_nsec = static_cast<long>((time_us - 1e6 * static_cast<double>(t.tv_sec)) * 1e3);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

bool take_priority(int priority) {
  sched_param p{};
  p.sched_priority = priority;
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == 0;
}

/// What the two threads share, and what each of them alone writes.
struct Run {
  const TwoRateModel& m;
  HandPort& hands;
  const RealTimeOptions& options;
  HighRate high;
  LowRate low;
  TripleBuffer<Snapshot> snapshots;
  TripleBuffer<ToolState> tools;
  std::atomic<bool> over = false;  ///< the haptic thread has finished
  double start_us = 0;
  RealTimeReport report = {};  ///< haptic thread; the fields of the low rate: low-rate thread
  std::vector<float> late, cost, low_cost;

  bool stopped() const { return options.stop && options.stop->load(std::memory_order_relaxed); }

  void haptic_thread() {
    report.has_priority = take_priority(options.priority);
    const double period_us = 1e6 * m.settings.h_high_s;
    const long periods = std::lround(options.seconds / m.settings.h_high_s);
    std::vector<DevicePose> poses(m.devices);
    std::vector<Wrench> wrenches(m.devices);
    for (long period = 0; period < periods && !stopped(); ++period) {
      const double planned_us = start_us + static_cast<double>(period) * period_us;
      sleep_until_us(planned_us);
      const double begin_us = now_us();
      hands.read(static_cast<double>(period + 1) * m.settings.h_high_s, poses);
      publish_tools(high, poses, m.settings.h_high_s, tools);
      snapshots.update();
      const TickReport r = tick(m, snapshots.front(), poses, high, wrenches);
      hands.write(r, wrenches, m.settings.h_high_s);
      const double end_us = now_us();
      late.push_back(static_cast<float>(begin_us - planned_us));
      cost.push_back(static_cast<float>(end_us - begin_us));
      count(r, end_us - begin_us > period_us);
      // Periods that are over by now will have no tick of their own.
      const long missed = static_cast<long>((end_us - start_us) / period_us) - period - 1;
      if (missed > 0) {
        report.missed_periods += std::min(missed, periods - period - 1);
        period += missed;
      }
    }
    report.wall_s = 1e-6 * (now_us() - start_us);
    over.store(true, std::memory_order_release);
  }

  void count(const TickReport& r, bool took_long) {
    ++report.ticks;
    report.long_ticks += took_long;
    report.failed_ticks += r.status != TickStatus::ok;
    report.unconverged_ticks += !r.converged;
    report.worst_certificate = std::max(report.worst_certificate, r.certificate);
    report.most_contacts = std::max(report.most_contacts, r.contacts);
    if (r.sequence > 0) report.oldest_snapshot_ticks = std::max(report.oldest_snapshot_ticks, r.age_ticks);
  }

  void low_rate_thread() {
    take_priority(options.priority / 2);
    const double period_us = 1e6 * m.settings.h_low_s();
    double planned_us = start_us;
    for (long n = 0; n < options.low_steps_at_most && !over.load(std::memory_order_acquire); ++n) {
      sleep_until_us(planned_us);
      const double begin_us = now_us();
      while (!tools.update() && n == 0 && !over.load(std::memory_order_acquire))
        sleep_until_us(now_us() + 100);  // the first tick has not begun
      const LowReport r = low_step(m, tools.front(), low, snapshots.back());
      if (r.status == StepStatus::ok)
        snapshots.publish();
      else
        ++report.failed_low_steps;
      const double end_us = now_us();
      ++report.low_steps;
      report.late_low_steps += end_us - begin_us > period_us;
      low_cost.push_back(static_cast<float>(end_us - begin_us));
      planned_us = std::max(planned_us + period_us, end_us);
    }
  }
};

}  // namespace

TimeQuantiles TimeQuantiles::of(std::vector<float>& samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double q) {
    return static_cast<double>(
        samples[static_cast<size_t>(q * static_cast<double>(samples.size() - 1) + 0.5)]);
  };
  return {at(0.5), at(0.99), at(0.999), at(1)};
}

RealTimeReport run_realtime(const TwoRateModel& m, HandPort& hands, const RealTimeOptions& options) {
  Run run{.m = m,
          .hands = hands,
          .options = options,
          .high = HighRate(m),
          .low = make_low_rate(m),
          .snapshots = TripleBuffer<Snapshot>(empty_snapshot(m)),
          .tools = TripleBuffer<ToolState>(empty_tool_state(m)),
          .late = {},
          .cost = {},
          .low_cost = {}};
  const size_t ticks = static_cast<size_t>(options.seconds / m.settings.h_high_s) + 2;
  run.late.reserve(ticks);
  run.cost.reserve(ticks);
  run.low_cost.reserve(ticks);
  const bool locked = options.lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  run.start_us = now_us() + 2e3;
  std::thread low, haptic;
  try {
    haptic = std::thread([&] { run.haptic_thread(); });
    low = std::thread([&] { run.low_rate_thread(); });
  } catch (
      const std::system_error&) {  // no thread to be had: the report shows no ticks, or no low-rate steps
  }
  if (haptic.joinable()) haptic.join();
  if (low.joinable()) low.join();
  if (locked) munlockall();
  run.report.memory_is_locked = locked;
  run.report.late_us = TimeQuantiles::of(run.late);
  run.report.cost_us = TimeQuantiles::of(run.cost);
  run.report.low_cost_us = TimeQuantiles::of(run.low_cost);
  return run.report;
}

}  // namespace palp
