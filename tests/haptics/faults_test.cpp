// Faults on the virtual clock: the two-rate loop behind the safety chain, with the hand's force and pose cut,
// torn or late. Whatever happens: finite, clamped, slew-limited; zero in time; back with the ramp.

#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

#include "palp/safety/safety_chain.hpp"

namespace palp {
namespace faults_test {

using namespace two_rate_test;

constexpr double kTick_s = 1e-3;

/// What goes wrong in a tick.
struct Trouble {
  bool low_rate_stalls = false, device_gone = false, pose_is_nan = false, pose_jumps = false;
  double dt_s = kTick_s;
};

/// A hand that presses a block into a soft one and stays there; `trouble(tick)` says what goes wrong when.
class PressedLoop {
 public:
  explicit PressedLoop(const DeviceProfile& profile)
      : profile_(profile),
        loop_(Press(0.3).at_rates({.h_high_s = kTick_s, .low_every = 20, .delay_ticks = 10})),
        chain_(profile, kTick_s, pose(0)) {}

  static DevicePose pose(double t) { return Press::path(std::min(t, 0.1)); }

  /// Runs ticks and checks what must hold in every one of them.
  void run(int ticks, const Trouble& trouble) {
    for (int i = 0; i < ticks; ++i, ++tick_) {
      loop_.stall_low_rate(trouble.low_rate_stalls);
      DevicePose read = pose(tick_ * kTick_s);
      read.velocity.setZero();
      if (trouble.pose_is_nan) read.position.y() = std::numeric_limits<double>::quiet_NaN();
      if (trouble.pose_jumps) read.position.x() += 1;
      const DevicePose used = chain_.admit(read, !trouble.device_gone, trouble.dt_s);
      ASSERT_TRUE(used.finite());
      Wrench raw;
      const TickReport r = loop_.advance(std::span(&used, 1), std::span(&raw, 1));
      ASSERT_EQ(r.status, TickStatus::ok) << tick_;
      age_s_ = kTick_s * static_cast<double>(r.age_ticks);
      const Wrench w = chain_.release(raw, age_s_);
      ASSERT_TRUE(w.force.allFinite() && w.torque.allFinite());
      ASSERT_LE(w.force.norm(), profile_.max_force_N * (1 + 1e-12));
      ASSERT_LE(w.torque.norm(), profile_.max_torque_Nm * (1 + 1e-12));
      ASSERT_LE((w.force - force_.force).norm(), profile_.max_slew_N_per_s * trouble.dt_s * (1 + 1e-9));
      ASSERT_LE((w.torque - force_.torque).norm(),
                profile_.max_torque_slew_Nm_per_s * trouble.dt_s * (1 + 1e-9));
      force_ = w;
      raw_ = raw;
    }
  }
  double force() const { return force_.force.norm(); }
  double raw() const { return raw_.force.norm(); }
  double age_s() const { return age_s_; }
  const InterventionCounts& counts() const { return chain_.counts(); }

 private:
  DeviceProfile profile_;
  HapticLoop loop_;
  SafetyChain chain_;
  long tick_ = 0;
  Wrench force_, raw_;
  double age_s_ = 0;
};

DeviceProfile profile() {
  DeviceProfile p;
  p.stale_s = 0.1;
  return p;
}

TEST(Faults, a_normal_run_meets_no_intervention) {
  PressedLoop run(profile());
  run.run(600, {});
  EXPECT_EQ(run.counts().faults(), 0u);
  EXPECT_GT(run.force(), 0.3);  // it presses
  EXPECT_EQ(run.force(), run.raw());
  EXPECT_LT(run.age_s(), 0.04);
}

/// Presses, breaks for `ticks`, heals: the force must be gone at the end of the fault and back after it.
void expect_decay_and_recovery(const Trouble& trouble, int ticks, intervention::Bit bit) {
  PressedLoop run(profile());
  run.run(500, {});
  ASSERT_EQ(run.counts().faults(), 0u);
  const double before = run.force();
  ASSERT_GT(before, 0.3);
  run.run(ticks, trouble);
  EXPECT_EQ(run.force(), 0);
  EXPECT_GT(run.counts().of(bit), 0u);
  const auto faults = run.counts().faults();
  run.run(600, {});
  EXPECT_NEAR(run.force(), before, 0.1 * before);
  EXPECT_EQ(run.force(), run.raw());
  EXPECT_LE(run.counts().faults() - faults, 250u);  // until the low rate answers or the jump is over
}

TEST(Faults, a_low_rate_that_stalls_for_half_a_second) {
  expect_decay_and_recovery({.low_rate_stalls = true}, 500, intervention::stale_snapshot);
}

TEST(Faults, a_low_rate_that_never_comes_back_leaves_a_loop_that_runs_without_force) {
  PressedLoop run(profile());
  run.run(500, {});
  run.run(3000, {.low_rate_stalls = true});
  EXPECT_EQ(run.force(), 0);
  EXPECT_NEAR(static_cast<double>(run.counts().of(intervention::stale_snapshot)), 2900, 40);
}

TEST(Faults, a_device_that_disappears_and_comes_back) {
  expect_decay_and_recovery({.device_gone = true}, 60, intervention::device_lost);
}

TEST(Faults, a_pose_that_is_no_number) {
  expect_decay_and_recovery({.pose_is_nan = true}, 60, intervention::pose_not_finite);
}

TEST(Faults, a_pose_that_jumps_by_a_metre_and_back) {
  expect_decay_and_recovery({.pose_jumps = true}, 60, intervention::pose_jump);
}

TEST(Faults, a_pose_that_stays_a_metre_away_is_taken_with_no_force_and_the_ramp) {
  PressedLoop run(profile());
  run.run(500, {});
  run.run(199, {.pose_jumps = true});  // 1 m at 5 m/s is 200 ticks
  EXPECT_EQ(run.force(), 0);
  run.run(400, {.pose_jumps = true});  // now the tool is pulled there; limits are checked in every tick
  EXPECT_EQ(run.counts().of(intervention::pose_jump), 199u);
}

TEST(Faults, ticks_that_come_late) { expect_decay_and_recovery({.dt_s = 0.01}, 10, intervention::late_tick); }

TEST(Faults, everything_at_once) {
  PressedLoop run(profile());
  run.run(400, {});
  run.run(
      200,
      {.low_rate_stalls = true, .device_gone = true, .pose_is_nan = true, .pose_jumps = true, .dt_s = 0.02});
  EXPECT_EQ(run.force(), 0);
  run.run(600, {});
  EXPECT_GT(run.force(), 0.3);
}

}  // namespace faults_test
}  // namespace palp
