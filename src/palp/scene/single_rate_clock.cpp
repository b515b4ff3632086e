#include "palp/scene/single_rate_clock.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "palp/base/clock.hpp"
#include "palp/scene/run.hpp"

namespace palp {
namespace {

constexpr double frame_s = 0.016;  ///< between two looks of a guest or a recorder at the bodies

struct Clocked {
  Scene& scene;
  const RealTimeOptions& options;
  Recorder* recorder;
  LowRateGuest* guest;
  SceneRun run{scene};
  RealTimeReport report = {};
  std::vector<float> late = {}, cost = {};

  bool stopped() const { return options.stop && options.stop->load(std::memory_order_relaxed); }

  void loop() {
    sched_param p{};
    p.sched_priority = options.priority;
    report.has_priority = pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == 0;
    const double h_s = run.step_s(), period_us = 1e6 * h_s;
    const double start_us = now_us();
    double next_frame_us = start_us;
    TickClock clock;
    const auto periods = static_cast<long>(std::min(options.seconds / h_s, 1e15));
    for (long period = 0; period < periods && !stopped(); ++period) {
      const double planned_us = start_us + static_cast<double>(period) * period_us;
      if (const double left = planned_us - now_us(); left > 0)
        std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(left));
      const double begin_us = now_us(), clock_us = begin_us - start_us;
      const bool looks = begin_us >= next_frame_us;
      if (guest && looks) guest->before_low_step();
      const bool ok = run.advance(clock.since_last_s(clock_us));
      const double end_us = now_us();
      count(ok, end_us - begin_us > period_us);
      if (late.size() < late.capacity()) {
        late.push_back(static_cast<float>(begin_us - planned_us));
        cost.push_back(static_cast<float>(end_us - begin_us));
      }
      if (recorder) record(clock_us, begin_us - planned_us, looks);
      if (looks) {
        if (guest) guest->after_low_step(run.state(), run.workspace(), run.state().time_s);
        next_frame_us = begin_us + 1e6 * frame_s;
      }
      const long missed = static_cast<long>((now_us() - start_us) / period_us) - period - 1;
      if (missed > 0) {
        report.missed_periods += std::min(missed, periods - period - 1);
        period += missed;
      }
    }
    report.wall_s = 1e-6 * (now_us() - start_us);
  }

  void count(bool ok, bool took_long) {
    const StepReport& r = run.record().report;
    ++report.ticks;
    report.long_ticks += took_long;
    report.failed_ticks += !ok;
    if (!ok) report.failed_tick.note(r.status, r.body, run.state().time_s);
    report.unconverged_ticks += !r.converged;
    report.worst_certificate = std::max(report.worst_certificate, r.certificate);
    report.most_contacts = std::max(report.most_contacts, r.contacts);
  }

  void record(double clock_us, double late_us, bool with_frame) {
    TickRecord tick = run.tick_record();
    tick.clock_us = clock_us;
    tick.late_us = late_us;
    recorder->tick(tick, run.contacts());
    if (with_frame) recorder->frame(tick.sequence, tick.time_s, scene.model, run.state().bodies);
  }
};

}  // namespace

Result<RealTimeReport> run_single_rate(Scene& scene, const RealTimeOptions& options, Recorder* recorder,
                                       std::vector<InterventionCounts>* counts, LowRateGuest* guest) {
  double& budget = scene.model.solver.options.budget_us;
  budget = std::min(budget, 1e6 * scene.model.h_s);
  Clocked clocked{.scene = scene, .options = options, .recorder = recorder, .guest = guest};
  const auto room = static_cast<size_t>(std::min(options.seconds / scene.model.h_s, 2e6)) + 2;
  clocked.late.reserve(room);
  clocked.cost.reserve(room);
  const bool locked = options.lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  std::thread([&] { clocked.loop(); }).join();
  if (locked) munlockall();
  for (SceneDevice& d : scene.devices) d.device->write(Wrench{}, scene.model.h_s);
  RealTimeReport& report = clocked.report;
  report.memory_is_locked = locked;
  report.late_us = TimeQuantiles::of(clocked.late);
  report.cost_us = TimeQuantiles::of(clocked.cost);
  if (counts)
    for (size_t d = 0; d < scene.devices.size(); ++d)
      counts->push_back(clocked.run.safety(static_cast<int>(d)).counts());
  return report;
}

}  // namespace palp
