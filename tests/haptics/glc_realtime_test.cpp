// K16's two rates on the real clock. No law here depends on how fast the machine is.
#include "haptics/glc_cases.hpp"
#include <gtest/gtest.h>

#include "palp/haptics/realtime.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace glc_realtime_test {

using namespace cases;

/// Presses each hand by 3 mm along its direction within 0.1 s and remembers what came back.
struct Presser final : HandPort {
  std::vector<Vec3> start, into;
  std::vector<TickReport> reports;
  std::vector<Wrench> last;
  bool finite = true;
  std::vector<Vec3> proxy;
  long snapshots = 0, last_snapshot = 0;  // low-rate thread
  bool ordered = true;                    // low-rate thread

  Presser(std::vector<Vec3> from, std::vector<Vec3> direction)
      : start(std::move(from)), into(std::move(direction)), last(start.size()), proxy(start.size()) {
    reports.reserve(10000);
  }
  void read(double time_s, std::span<DevicePose> poses) override {
    for (size_t d = 0; d < poses.size(); ++d)
      poses[d].position = start[d] + 3 * mm * std::min(1.0, time_s / 0.1) * into[d];
  }
  void look(const Snapshot&, const HighRate& high) override {
    for (size_t k = 0; k < proxy.size(); ++k) proxy[k] = high.tools[k].state.x;
  }
  void look(const LowRate&, const Snapshot* s, long, double) override {
    if (!s) return;
    ordered = ordered && s->sequence == last_snapshot + 1;
    last_snapshot = s->sequence;
    ++snapshots;
  }
  void write(const TickReport& report, std::span<const Wrench> wrenches, double) override {
    reports.push_back(report);
    for (size_t d = 0; d < last.size(); ++d) {
      finite = finite && wrenches[d].force.allFinite();
      last[d] = wrenches[d];
    }
  }
};

/// The top of a rigid sine plate; a hand above a flank.
Model rigid_plate() {
  SinePlateShape shape;
  shape.cells_along = 40;
  shape.cells_wide = 8;
  return touch_model(obstacle(*sine_surface(shape)), {Vec3(0.05, 0.3 * mm, sine_height(0.05) + 0.2 * mm)},
                     0.1);
}

/// A soft bar between two hands.
Model bar_between_two_hands() {
  return touch_model(soft_bar({8, 3, 2}).body, {Vec3(0, 1 * mm, 10.1 * mm), Vec3(5 * mm, 1 * mm, -10.1 * mm)},
                     0.3);
}

TwoRateModel in_time(const Model& model) {
  TwoRateSettings settings = glc_settings();
  settings.solve.budget_us = 500;
  return *touch_rates(model, settings);
}

TEST(GlcRealTime, every_period_has_a_tick_or_is_counted_as_missed_and_snapshots_never_go_back) {
  const Model model = bar_between_two_hands();
  Presser hands({Vec3(0, 1 * mm, 10.1 * mm), Vec3(5 * mm, 1 * mm, -10.1 * mm)},
                {-Vec3::UnitZ(), Vec3::UnitZ()});
  const RealTimeReport r = run_realtime(in_time(model), hands, {.seconds = 0.6});
  EXPECT_EQ(r.ticks + r.missed_periods, 600);
  EXPECT_EQ(r.ticks, static_cast<long>(hands.reports.size()));
  EXPECT_EQ(r.low_steps - r.failed_low_steps, hands.snapshots);
  EXPECT_TRUE(hands.ordered);
  EXPECT_EQ(r.failed_ticks, 0);
  EXPECT_TRUE(hands.finite);
  long sequence = 0;
  for (const TickReport& t : hands.reports) {
    EXPECT_GE(t.sequence, sequence);
    EXPECT_GE(t.age_ticks, 0);
    sequence = t.sequence;
  }
  EXPECT_GT(sequence, 0);
  EXPECT_LE(sequence, hands.last_snapshot);
}

// What a hand that stands still feels in the end does not depend on the threads' timing. (Every solve comes to its end here,
// however busy the machine is.)
TEST(GlcRealTime, at_rest_the_real_clock_and_the_virtual_one_give_the_same_force) {
  const Model model = rigid_plate();
  const Vec3 start = Vec3(0.05, 0.3 * mm, sine_height(0.05) + 0.2 * mm);
  Presser hands({start}, {-Vec3::UnitZ()});
  run_realtime(*touch_rates(model), hands, {.seconds = 1});
  HapticLoop loop(*touch_rates(model));
  Wrench wrench;
  std::vector<DevicePose> pose(1);
  for (int tick = 0; tick < 1000; ++tick) {
    hands.read(1e-3 * (tick + 1), pose);
    ASSERT_EQ(loop.advance(pose, {&wrench, 1}).status, TickStatus::ok);
  }
  ASSERT_GT(wrench.force.norm(), 1);
  EXPECT_LT((hands.last[0].force - wrench.force).norm(), 0.05 * wrench.force.norm())
      << hands.last[0].force.transpose() << " | " << wrench.force.transpose();
  EXPECT_LT((hands.proxy[0] - proxy_of(loop, 0)).norm(), 0.2 * mm);
}

TEST(GlcRealTime, ticks_outlive_the_low_rate_thread_and_the_point_stays_outside) {
  const Model model = rigid_plate();
  const Vec3 start = Vec3(0.05, 0.3 * mm, sine_height(0.05) + 0.2 * mm);
  Presser hands({start}, {-Vec3::UnitZ()});
  const RealTimeReport r = run_realtime(in_time(model), hands, {.seconds = 0.4, .low_steps_at_most = 2});
  EXPECT_EQ(r.low_steps, 2);
  EXPECT_EQ(r.ticks + r.missed_periods, 400);
  EXPECT_EQ(hands.reports.back().sequence, 2);
  EXPECT_GT(hands.reports.back().age_ticks, 40);  // and the report says how stale it is
  EXPECT_TRUE(hands.finite);
  // The mesh leaves the sine by at most κ c²/8 = 0.25 mm.
  EXPECT_GT(hands.proxy[0].z(), sine_height(hands.proxy[0].x()) - 0.3 * mm);
}

}  // namespace glc_realtime_test
}  // namespace palp
