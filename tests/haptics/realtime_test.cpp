#include "palp/haptics/realtime.hpp"

#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace realtime_test {

using namespace two_rate_test;

/// Plays a path and remembers what came back.
struct Recorder final : HandPort {
  std::vector<TickReport> reports;
  bool finite = true;
  double largest = 0;

  explicit Recorder(size_t ticks) { reports.reserve(ticks); }
  void read(double time_s, std::span<DevicePose> poses) override {
    poses[0] = Press::path(std::min(time_s, 0.12));
  }
  void write(const TickReport& report, std::span<const Wrench> wrenches, double) override {
    reports.push_back(report);
    finite = finite && wrenches[0].force.allFinite();
    largest = std::max(largest, wrenches[0].force.norm());
  }
};

TwoRateModel gentle_press() {
  Press press(0.3, true);
  press.model.solver.options.tolerance = 1e-4;
  return press.at_rates({.h_high_s = 2e-3, .low_every = 20});
}

TEST(RealTime, every_period_has_a_tick_or_is_counted_as_missed) {
  const TwoRateModel m = gentle_press();
  Recorder hands(1000);
  const RealTimeReport r = run_realtime(m, hands, {.seconds = 0.5});
  EXPECT_EQ(r.ticks + r.missed_periods, 250);
  EXPECT_EQ(r.ticks, static_cast<long>(hands.reports.size()));
  EXPECT_GT(r.low_steps, 1);
  EXPECT_LE(r.low_steps, 0.5 / m.settings.h_low_s() + 2);
  EXPECT_TRUE(hands.finite);
  EXPECT_GE(r.late_us.p50, 0);
  EXPECT_LE(r.cost_us.p50, r.cost_us.max);
  long sequence = 0;
  for (const TickReport& t : hands.reports) {  // snapshots never go back
    EXPECT_GE(t.sequence, sequence);
    sequence = t.sequence;
  }
  EXPECT_GT(sequence, 0);
}

TEST(RealTime, ticks_outlive_the_low_rate_thread) {
  const TwoRateModel m = gentle_press();
  Recorder hands(1000);
  const RealTimeReport r = run_realtime(m, hands, {.seconds = 0.4, .low_steps_at_most = 2});
  EXPECT_EQ(r.low_steps, 2);
  EXPECT_EQ(r.ticks + r.missed_periods, 200);
  EXPECT_TRUE(hands.finite);
  EXPECT_EQ(hands.reports.back().sequence, 2);
  EXPECT_GT(hands.reports.back().age_ticks, 20);  // and the report says how stale it is
}

TEST(RealTime, a_run_can_be_stopped_early) {
  const TwoRateModel m = gentle_press();
  Recorder hands(1000);
  std::atomic<bool> stop = true;
  EXPECT_EQ(run_realtime(m, hands, {.seconds = 100, .stop = &stop}).ticks, 0);
}

}  // namespace realtime_test
}  // namespace palp
