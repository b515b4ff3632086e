#include "palp/haptics/two_threads.hpp"

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
  RatePair& rates;
  HandPort& hands;
  const RealTimeOptions& options;
  std::atomic<int> ready = 0;      ///< threads that wait for `go`
  std::atomic<bool> go = false;    ///< start_us is set
  std::atomic<bool> over = false;  ///< the haptic thread has finished
  double start_us = 0;
  RealTimeReport report = {};  ///< haptic thread; the fields of the low rate: low-rate thread
  std::vector<float> late = {}, cost = {}, low_cost = {};

  bool stopped() const { return options.stop && options.stop->load(std::memory_order_relaxed); }

  /// A thread with locked memory takes milliseconds to come up: the clock starts when both are there.
  void wait_for_start() {
    ready.fetch_add(1);
    ready.notify_one();
    go.wait(false);
  }

  void haptic_thread() {
    report.has_priority = take_priority(options.priority);
    const double h_s = rates.h_high_s(), period_us = 1e6 * h_s;
    const long periods = std::lround(std::min(options.seconds / h_s, 1e15));
    std::vector<DevicePose> poses(static_cast<size_t>(rates.devices()));
    std::vector<Wrench> wrenches(poses.size());
    wait_for_start();
    for (long period = 0; period < periods && !stopped(); ++period) {
      const double planned_us = start_us + static_cast<double>(period) * period_us;
      sleep_until_us(planned_us);
      const double begin_us = now_us();
      hands.read(static_cast<double>(period + 1) * h_s, poses);
      const TickReport r = rates.tick(poses, wrenches);
      hands.write(r, wrenches, h_s);
      const double end_us = now_us();
      if (late.size() < late.capacity()) {
        late.push_back(static_cast<float>(begin_us - planned_us));
        cost.push_back(static_cast<float>(end_us - begin_us));
      }
      report.failed_tick.note(step_status(r.status), r.body, static_cast<double>(period + 1) * h_s);
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
    report.late_solves += r.solve == SolveStatus::budget_spent;
    report.held_back_ticks += r.held_back > 0;
    report.worst_certificate = std::max(report.worst_certificate, r.certificate);
    report.most_contacts = std::max(report.most_contacts, r.contacts);
    if (r.sequence > 0) report.oldest_snapshot_ticks = std::max(report.oldest_snapshot_ticks, r.age_ticks);
  }

  void low_rate_thread() {
    take_priority(options.priority / 2);
    wait_for_start();
    const double period_us = 1e6 * rates.h_low_s();
    double planned_us = start_us;
    for (long n = 0; n < options.low_steps_at_most; ++n) {
      for (double now = now_us(); now < planned_us && !over.load(std::memory_order_acquire); now = now_us()) {
        sleep_until_us(std::min(planned_us, now + 1e6 * rates.ask_again_s()));
        if (now_us() < planned_us && rates.wants_step()) break;
      }
      const double begin_us = now_us();
      while (!rates.hear() && !over.load(std::memory_order_acquire))
        sleep_until_us(now_us() + 100);  // no tick since the last step
      if (over.load(std::memory_order_acquire)) break;
      const StepReport step = rates.low_step();
      report.failed_low_steps += step.status != StepStatus::ok;
      report.failed_low_step.note(step.status, step.body, 1e-6 * (begin_us - start_us));
      const double end_us = now_us();
      ++report.low_steps;
      report.late_low_steps += end_us - begin_us > period_us;
      if (low_cost.size() < low_cost.capacity()) low_cost.push_back(static_cast<float>(end_us - begin_us));
      if (begin_us >= planned_us) planned_us += period_us;
      planned_us = std::max(planned_us, end_us);
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

RealTimeReport run_threads(RatePair& rates, HandPort& hands, const RealTimeOptions& options) {
  Run run{.rates = rates, .hands = hands, .options = options};
  // Of a run without an end, percentiles of its first half hour.
  const size_t ticks = static_cast<size_t>(std::min(options.seconds / rates.h_high_s(), 2e6)) + 2;
  run.late.reserve(ticks);
  run.cost.reserve(ticks);
  run.low_cost.reserve(ticks);
  const bool locked = options.lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  std::thread low, haptic;
  int threads = 0;
  try {
    haptic = std::thread([&] { run.haptic_thread(); });
    ++threads;
    low = std::thread([&] { run.low_rate_thread(); });
    ++threads;
  } catch (const std::system_error&) {
    // No thread to be had: the report shows no ticks, or no low-rate steps.
  }
  for (int there = run.ready; there < threads; there = run.ready) run.ready.wait(there);
  run.start_us = now_us() + 2e3;
  run.go = true;
  run.go.notify_all();
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
