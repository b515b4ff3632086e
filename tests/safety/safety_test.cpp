// Each stage's law, then the chain's promises against hostile forces, poses and clocks.
#include <algorithm>
#include <cstring>

#include "safety/dice.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/math/rotation.hpp"
#include "palp/safety/safety_chain.hpp"

namespace palp {
namespace safety_test {

using namespace chance;

bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(a.data(), b.data(), sizeof(Vec3)) == 0; }

struct HostileDice : Dice {
  using Dice::Dice;
  /// Anything a broken simulation may give: small, huge, not finite.
  double hostile() {
    switch (std::uniform_int_distribution<int>(0, 7)(engine)) {
      case 0:
        return nan;
      case 1:
        return chance(0.5) ? inf : -inf;
      case 2:
        return uniform(-1, 1) * std::numeric_limits<double>::max();
      case 3:
        return uniform(-1, 1) * std::numeric_limits<double>::denorm_min();
      case 4:
        return uniform(-1e8, 1e8);
      default:
        return uniform(-10, 10);
    }
  }
  Vec3 hostile_vec() { return {hostile(), hostile(), hostile()}; }
};

TEST(Clamp, shortens_without_turning_and_leaves_the_rest_alone) {
  HostileDice dice(1);
  const Clamp clamp(3);
  for (int i = 0; i < 10000; ++i) {
    const Vec3 f = dice.vec(6);
    std::uint32_t done = 0;
    const Vec3 out = clamp.limit(f, done);
    EXPECT_LE(out.norm(), 3 * (1 + 1e-15));
    if (f.norm() <= 3) {
      EXPECT_TRUE(same_bits(out, f));
      EXPECT_EQ(done, 0u);
    } else {
      EXPECT_NEAR(out.norm(), 3, 1e-12);
      EXPECT_NEAR(out.cross(f).norm(), 0, 1e-12);
      EXPECT_GT(out.dot(f), 0);
      EXPECT_EQ(done, intervention::clamp);
    }
  }
}

TEST(SlewLimit, reaches_a_distant_force_on_a_straight_line_in_equal_steps) {
  const SlewLimit slew(0.25);
  const Vec3 goal(3, -4, 12);  // 13 long: 52 steps
  Vec3 f = Vec3::Zero();
  for (int i = 1; i <= 52; ++i) {
    std::uint32_t done = 0;
    f = slew.limit(goal, f, Vec3::Zero(), done);
    EXPECT_NEAR((f - goal * (i / 52.0)).norm(), 0, 1e-12);
    if (i < 52) {
      EXPECT_EQ(done, intervention::slew);
    }
  }
}

TEST(SlewLimit, spends_its_way_in_the_named_direction_first) {
  HostileDice dice(3);
  for (int i = 0; i < 10000; ++i) {
    const Vec3 before = dice.vec(5), wanted = dice.vec(5), first = dice.vec(1).normalized();
    const double most = dice.uniform(0.1, 3);
    std::uint32_t done = 0;
    const Vec3 out = SlewLimit(most).limit(wanted, before, first, done);
    EXPECT_LE((out - before).norm(), most * (1 + 1e-12));
    // Whatever could be done in that direction was.
    const double asked = first.dot(wanted - before), made = first.dot(out - before);
    EXPECT_NEAR(made, std::clamp(asked, -most, most), 1e-12);
    // Nothing was done that was not asked for.
    const Vec3 across = (out - before) - made * first, wish = (wanted - before) - asked * first;
    EXPECT_NEAR(across.cross(wish).norm(), 0, 1e-12);
    EXPECT_LE(across.norm(), wish.norm() * (1 + 1e-12));
  }
}

TEST(FiniteGuard, holds_the_last_good_wrench_while_the_new_one_is_not_a_number) {
  FiniteGuard guard;
  const Wrench good{Vec3(1, 2, 3), Vec3(0.1, 0.2, 0.3)};
  std::uint32_t done = 0;
  EXPECT_TRUE(same_bits(guard.pass(good, done).force, good.force));
  EXPECT_EQ(done, 0u);
  for (double bad : {nan, inf, -inf, 1e300}) {
    for (int k = 0; k < 3; ++k) {
      Wrench w = good;
      w.torque[k] = bad;
      done = 0;
      const Wrench out = guard.pass(w, done);
      EXPECT_TRUE(same_bits(out.force, good.force) && same_bits(out.torque, good.torque));
      EXPECT_EQ(done, intervention::force_not_finite);
    }
  }
}

TEST(PassivityPort, observed_energy_is_never_negative_when_the_device_goes_the_way_it_was_expected_to) {
  HostileDice dice(2);
  for (int run = 0; run < 50; ++run) {
    PassivityPort port(2);
    double put_in = 0;  // scale of rounding
    for (int i = 0; i < 2000; ++i) {
      const Vec3 v = dice.chance(0.05) ? Vec3(Vec3::Zero()) : dice.vec(std::pow(10, dice.uniform(-12, 1)));
      const Vec3 f = dice.vec(std::pow(10, dice.uniform(-6, 3)));
      const double before = port.energy_J();
      std::uint32_t done = 0;
      const Vec3 out = port.limit(f, v, tick_s, done);
      port.observe(out, tick_s * v);
      put_in += tick_s * std::abs(f.dot(v));
      ASSERT_GE(port.energy_J(), -1e-13 * put_in);
      // Only the part along v is touched, never more than all of it (and a damper for debts of rounding).
      ASSERT_LE((out - f).norm(),
                std::abs(f.dot(v)) / std::max(v.norm(), 1e-300) * (1 + 1e-9) + 2 * v.norm());
      if (f.dot(v) <= 0 && before >= 0) {
        ASSERT_TRUE(same_bits(out, f));
      }  // the user pays: nothing to limit
      ASSERT_EQ(done != 0, !same_bits(out, f));
    }
  }
}

TEST(PassivityPort, a_debt_is_paid_back_by_a_bounded_damper) {
  PassivityPort port(2);
  const Vec3 v(0.1, 0, 0);
  port.observe(Vec3(5, 0, 0), tick_s * v);  // given although it should not have been
  EXPECT_LT(port.energy_J(), 0);
  int ticks = 0;
  while (port.energy_J() < -1e-15 && ticks < 1000) {
    std::uint32_t done = 0;
    const Vec3 out = port.limit(Vec3::Zero(), v, tick_s, done);
    EXPECT_EQ(done, intervention::passivity);
    EXPECT_LT(out.x(), 0);
    EXPECT_GE(out.x(), -2 * 0.1 * (1 + 1e-12));
    port.observe(out, tick_s * v);
    ++ticks;
  }
  // 5 N · 0.1 m/s · tick_s owed, 0.2 N · 0.1 m/s · tick_s a tick: 25 ticks, one more for rounding.
  EXPECT_GE(ticks, 25);
  EXPECT_LE(ticks, 26);
}

TEST(PoseGuard, a_metre_in_a_tick_is_held_and_accepted_when_the_time_allows_it) {
  DeviceProfile profile;
  profile.max_speed_m_per_s = 5;
  PoseGuard guard(profile, {});
  DevicePose at;
  at.position = Vec3(0.1, 0.2, 0.3);
  std::uint32_t done = 0;
  guard.admit(at, true, tick_s, done);
  EXPECT_EQ(done, 0u);
  DevicePose far = at;
  far.position.x() += 1;
  int held = 0;
  for (int i = 1; i <= 300; ++i) {
    done = 0;
    const DevicePose used = guard.admit(far, true, tick_s, done);
    if (done == 0) {
      EXPECT_TRUE(same_bits(used.position, far.position));
      break;
    }
    EXPECT_EQ(done, intervention::pose_jump);
    EXPECT_TRUE(same_bits(used.position, at.position));
    EXPECT_EQ(used.velocity.norm(), 0);
    ++held;
  }
  EXPECT_NEAR(held, 1 / (5 * tick_s), 1);  // 1 m at 5 m/s
}

TEST(PoseGuard, a_turn_that_no_hand_makes_is_a_jump_too) {
  PoseGuard guard(DeviceProfile{}, {});
  std::uint32_t done = 0;
  DevicePose at;
  guard.admit(at, true, tick_s, done);
  at.orientation = rotation_from_vector(Vec3(0, 0, 0.05));  // 50 rad/s: a fast hand
  guard.admit(at, true, tick_s, done);
  EXPECT_EQ(done, 0u);
  at.orientation = rotation_from_vector(Vec3(0, 2, 0));
  guard.admit(at, true, tick_s, done);
  EXPECT_EQ(done, intervention::pose_jump);
}

TEST(PoseGuard, what_it_admits_is_always_finite_and_never_faster_than_a_hand) {
  HostileDice dice(3);
  DeviceProfile profile;
  PoseGuard guard(profile, {});
  DevicePose last;
  bool any = false;
  double since = 0;
  for (int i = 0; i < 20000; ++i) {
    DevicePose read;
    read.position = dice.chance(0.2) ? dice.hostile_vec() : dice.vec(0.003);
    if (dice.chance(0.1)) read.orientation.coeffs()[i % 4] = dice.hostile();
    if (dice.chance(0.1)) read.velocity = dice.hostile_vec();
    std::uint32_t done = 0;
    const DevicePose used = guard.admit(read, dice.chance(0.95), tick_s, done);
    ASSERT_TRUE(used.finite());
    ASSERT_NEAR(used.orientation.norm(), 1, 1e-3);
    since += tick_s;
    if (any) {
      ASSERT_LE((used.position - last.position).norm(), profile.max_speed_m_per_s * since * (1 + 1e-12));
    }
    if (done == 0) {
      any = true;
      since = 0;
    }
    last = used;
  }
}

TEST(DeviceProfile, the_defaults_pass_their_own_check) {
  EXPECT_TRUE(check(DeviceProfile{}));
  EXPECT_TRUE(check(DeviceProfile::unlimited()));
}

TEST(DeviceProfile, what_cannot_be_kept_is_refused_with_a_remedy) {
  const auto refused = [](auto change) {
    DeviceProfile p;
    change(p);
    const auto ok = check(p);
    return !ok && !ok.error().remedy.empty();
  };
  EXPECT_TRUE(refused([](DeviceProfile& p) { p.max_force_N = 0; }));
  EXPECT_TRUE(refused([](DeviceProfile& p) { p.max_torque_Nm = nan; }));
  EXPECT_TRUE(refused([](DeviceProfile& p) { p.damping_N_s_per_m = -1; }));
  EXPECT_TRUE(refused([](DeviceProfile& p) { p.decay_s = inf; }));
  EXPECT_TRUE(refused([](DeviceProfile& p) { p.decay_s = 0.001; }));  // 8 N in 1 ms: 8000 N/s
  EXPECT_TRUE(refused([](DeviceProfile& p) { p.ramp_s = 0; }));
  EXPECT_TRUE(refused([](DeviceProfile& p) { p.max_force_N = DeviceProfile::no_limit; }));
}

/// A mass on a device with damping b meets a sampled spring −K x(k), held for T: the exact solution between
/// samples. `filter` turns position, velocity and wanted force into the force given. Returns the amplitude at
/// the end over the amplitude at the start.
template <class Filter>
double sampled_spring_growth(double mass, double b, double K, double T, Filter filter) {
  const double decay = std::exp(-b * T / mass);
  double x = 0.001, v = 0, first = 0, last = 0;
  for (int i = 0; i < 20000; ++i) {
    const double v_end = filter(x, v, -K * x) / b;  // where the velocity would settle
    x += v_end * T + (v - v_end) * (1 - decay) * mass / b;
    v = v_end + (v - v_end) * decay;
    const double amplitude = std::sqrt(x * x + mass * v * v / K);
    if (i < 2000) first = std::max(first, amplitude);
    if (i >= 18000) last = std::max(last, amplitude);
    if (!(amplitude < 1e6)) return 1e6;
  }
  return last / first;
}

double unfiltered(double, double, double f) { return f; }

TEST(StableRange, a_sampled_spring_grows_just_above_the_bound_and_dies_just_below) {
  DeviceProfile profile;
  profile.damping_N_s_per_m = 1.5;
  CouplingSettings coupling;
  coupling.damping_N_s_per_m = 0;
  const double limit = stable_range(profile, coupling).max_stiffness_N_per_m;
  coupling.stiffness_N_per_m = 0.97 * limit;
  EXPECT_TRUE(stable_range(profile, coupling).stable);
  EXPECT_LT(sampled_spring_growth(0.5, 1.5, 0.97 * limit, profile.sample_time_s, unfiltered), 0.9);
  coupling.stiffness_N_per_m = 1.03 * limit;
  EXPECT_FALSE(stable_range(profile, coupling).stable);
  EXPECT_GT(sampled_spring_growth(0.5, 1.5, 1.03 * limit, profile.sample_time_s, unfiltered), 1.1);
}

TEST(StableRange, virtual_damping_counts_against_the_device) {
  DeviceProfile profile;
  CouplingSettings coupling;
  coupling.stiffness_N_per_m = 1000;
  coupling.damping_N_s_per_m = 1;
  const StableRange range = stable_range(profile, coupling);
  EXPECT_DOUBLE_EQ(range.needed_damping_N_s_per_m, 1.5);
  EXPECT_DOUBLE_EQ(range.max_stiffness_N_per_m, 2000);
  coupling.damping_N_s_per_m = 3;
  EXPECT_EQ(stable_range(profile, coupling).max_stiffness_N_per_m, 0);
  EXPECT_FALSE(stable_range(profile, coupling).stable);
}

TEST(SafetyChain, the_passivity_controller_tames_a_spring_that_is_too_stiff_for_the_device) {
  const double b = 0.1, K = 3000;  // K T/2 = 1.5: fifteen times too stiff
  EXPECT_GT(sampled_spring_growth(0.5, b, K, tick_s, unfiltered), 100);
  double given_J[2];
  for (const bool on : {false, true}) {
    DeviceProfile profile;
    profile.damping_N_s_per_m = b;
    profile.max_speed_m_per_s = profile.max_angular_speed_rad_per_s = DeviceProfile::no_limit;
    profile.passivity = on;
    SafetyChain chain(profile, tick_s);
    double highest = 0;
    const double growth = sampled_spring_growth(0.5, b, K, tick_s, [&](double x, double v, double f) {
      DevicePose pose;
      pose.position.x() = x;
      pose.velocity.x() = v;
      chain.admit(pose, true);
      highest = std::max(highest, chain.given_J());
      return chain.release({Vec3(f, 0, 0), Vec3::Zero()}).force.x();
    });
    given_J[on] = highest;
    if (on) {
      EXPECT_LT(growth, 1);
      // What the user gets is what the spring held at the start, and a debt of a few ticks.
      EXPECT_LT(highest, 2 * 0.5 * K * 0.001 * 0.001);
    } else {
      EXPECT_GT(growth, 2);  // the clamp alone bounds the force, not the energy
    }
  }
  EXPECT_GT(given_J[0], 10 * given_J[1]);
}

// ---- the chain ----

DevicePose hand_at(double time_s) {
  DevicePose p;
  p.position = Vec3(0.02 * std::sin(6 * time_s), 0.01, 0);
  p.velocity = Vec3(0.12 * std::cos(6 * time_s), 0, 0);
  return p;
}

Wrench pushing(double time_s) { return {Vec3(2 + std::sin(6 * time_s), 1, 0), Vec3(0, 0.02, 0.01)}; }

struct Fault {
  const char* name;
  intervention::Bit bit;
};

class EveryFault : public ::testing::TestWithParam<Fault> {
 protected:
  /// One tick with or without the fault.
  Wrench tick(SafetyChain& chain, double t, bool broken) const {
    DevicePose pose = hand_at(t);
    Wrench wrench = pushing(t);
    bool present = true;
    double dt = tick_s, age = 0.02;
    if (broken) switch (GetParam().bit) {
        case intervention::pose_not_finite:
          pose.position.y() = nan;
          break;
        case intervention::pose_jump:
          pose.position.z() += 1 + 100 * t;
          break;  // ever further
        case intervention::device_lost:
          present = false;
          break;
        case intervention::force_not_finite:
          wrench.torque.x() = inf;
          break;
        case intervention::stale_snapshot:
          age = 0.5;
          break;
        case intervention::late_tick:
          dt = 0.02;
          break;
        default:
          ADD_FAILURE();
      }
    chain.admit(pose, present, dt);
    return chain.release(wrench, age);
  }
};

TEST_P(EveryFault, force_decays_to_zero_in_time_and_comes_back_with_the_ramp) {
  const DeviceProfile profile;
  SafetyChain chain(profile, tick_s);
  int i = 0;
  Wrench w;
  for (; i < 1000; ++i) w = tick(chain, i * tick_s, false);
  EXPECT_TRUE(same_bits(w.force, pushing(0.999).force));
  EXPECT_EQ(chain.counts().faults(), 0u);
  // Broken.
  double last = w.force.norm();
  double gone = 0;
  for (int k = 0; k < 400; ++k, ++i) {
    w = tick(chain, i * tick_s, true);
    EXPECT_TRUE(chain.interventions() & GetParam().bit);
    gone += GetParam().bit == intervention::late_tick ? 0.02 : tick_s;
    ASSERT_TRUE(w.force.allFinite() && w.torque.allFinite());
    if (gone >= profile.decay_s + 0.5 * tick_s) {
      ASSERT_EQ(w.force.norm() + w.torque.norm(), 0) << k;
    }
    last = w.force.norm();
  }
  EXPECT_EQ(last, 0);
  EXPECT_EQ(chain.counts().of(GetParam().bit), 400u);
  // Whole again: nothing before the ramp, everything after it.
  const int back = i;
  int full = -1;
  for (; i < back + 400 && full < 0; ++i) {
    w = tick(chain, i * tick_s, false);
    const double share = (i - back + 1) * tick_s / profile.ramp_s;
    ASSERT_LE(w.force.norm(), std::min(1.0, share) * pushing(i * tick_s).force.norm() * (1 + 1e-9));
    if (same_bits(w.force, pushing(i * tick_s).force)) full = i - back + 1;
  }
  EXPECT_NEAR(full, profile.ramp_s / tick_s, 2);
  EXPECT_EQ(chain.counts().of(GetParam().bit), 400u);
}

INSTANTIATE_TEST_SUITE_P(Safety, EveryFault,
                         ::testing::Values(Fault{"pose_not_finite", intervention::pose_not_finite},
                                           Fault{"pose_jump", intervention::pose_jump},
                                           Fault{"device_lost", intervention::device_lost},
                                           Fault{"force_not_finite", intervention::force_not_finite},
                                           Fault{"stale_snapshot", intervention::stale_snapshot},
                                           Fault{"late_tick", intervention::late_tick}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(SafetyChain, whatever_comes_in_the_force_is_finite_short_and_slow) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    HostileDice dice(seed);
    DeviceProfile profile;
    profile.passivity = seed % 2;
    profile.max_force_N = dice.uniform(1, 20);
    profile.max_slew_N_per_s =
        dice.uniform(1.01, 30) * profile.max_force_N / std::min(profile.ramp_s, profile.decay_s);
    ASSERT_TRUE(check(profile));
    SafetyChain chain(profile, tick_s);
    Wrench before;
    const double badness = dice.uniform(0, 0.5);
    for (int i = 0; i < 5000; ++i) {
      DevicePose read = hand_at(i * tick_s);
      if (dice.chance(badness * 0.2)) read.position = dice.hostile_vec();
      if (dice.chance(badness * 0.2)) read.velocity = dice.hostile_vec();
      if (dice.chance(badness * 0.2)) read.orientation.coeffs()[i % 4] = dice.hostile();
      const double dt =
          dice.chance(badness * 0.2) ? (dice.chance(0.5) ? dice.uniform(0, 0.1) : dice.hostile()) : tick_s;
      const DevicePose used = chain.admit(read, !dice.chance(badness * 0.1), dt);
      ASSERT_TRUE(used.finite());
      Wrench raw{dice.vec(15), dice.vec(0.5)};
      if (dice.chance(badness)) raw.force = dice.hostile_vec();
      if (dice.chance(badness)) raw.torque = dice.hostile_vec();
      const double age = dice.chance(badness * 0.2) ? dice.hostile() : 0.01;
      const Wrench w = chain.release(raw, age);
      ASSERT_TRUE(w.force.allFinite() && w.torque.allFinite());
      ASSERT_LE(w.force.norm(), profile.max_force_N * (1 + 1e-12));
      ASSERT_LE(w.torque.norm(), profile.max_torque_Nm * (1 + 1e-12));
      const double passed = dt > tick_s ? dt : tick_s;  // a clock that goes back counts as one tick
      ASSERT_LE((w.force - before.force).norm(), profile.max_slew_N_per_s * passed * (1 + 1e-9));
      ASSERT_LE((w.torque - before.torque).norm(), profile.max_torque_slew_Nm_per_s * passed * (1 + 1e-9));
      ASSERT_TRUE(std::isfinite(chain.given_J()));
      before = w;
    }
  }
}

TEST(SafetyChain, a_normal_run_meets_no_intervention_but_the_start_ramp) {
  const DeviceProfile profile;
  SafetyChain chain(profile, tick_s);
  for (int i = 0; i < 3000; ++i) {
    chain.admit(hand_at(i * tick_s), true, tick_s);
    const Wrench w = chain.release(pushing(i * tick_s), 0.03);
    if (i > profile.ramp_s / tick_s) {
      ASSERT_TRUE(same_bits(w.force, pushing(i * tick_s).force) &&
                  same_bits(w.torque, pushing(i * tick_s).torque));
    }
  }
  EXPECT_EQ(chain.counts().faults(), 0u);
  EXPECT_NEAR(static_cast<double>(chain.counts().of(intervention::ramp)), profile.ramp_s / tick_s, 1);
}

TEST(SafetyChain, without_limits_every_finite_force_passes_bit_for_bit) {
  HostileDice dice(4);
  SafetyChain chain(DeviceProfile::unlimited(), tick_s);
  for (int i = 0; i < 1000; ++i) {
    DevicePose pose;
    pose.position = dice.vec(5);
    const Wrench raw{dice.vec(1e4), dice.vec(1e3)};
    EXPECT_TRUE(same_bits(chain.admit(pose, true).position, pose.position));
    const Wrench w = chain.release(raw, 100);
    ASSERT_TRUE(same_bits(w.force, raw.force) && same_bits(w.torque, raw.torque));
  }
  EXPECT_EQ(chain.counts().faults() + chain.counts().of(intervention::ramp), 0u);
}

TEST(SafetyChain, energy_given_is_force_times_the_way_really_gone) {
  // 3 N along a way of 5 cm and back with 1 N: 0.15 J − 0.05 J.
  SafetyChain chain(DeviceProfile::unlimited(), tick_s);
  DevicePose pose;
  for (int i = 0; i <= 200; ++i) {
    pose.position.x() = 0.0005 * (i <= 100 ? i : 200 - i);
    chain.admit(pose, true);
    chain.release({Vec3(i < 100 ? 3 : 1, 0, 0), Vec3::Zero()});
  }
  EXPECT_NEAR(chain.given_J(), 0.10, 1e-12);
}

TEST(SafetyChain, a_huge_force_leaves_no_memory_that_delays_the_way_back) {
  const DeviceProfile profile;
  SafetyChain chain(profile, tick_s);
  for (int i = 0; i < 2000; ++i) {
    chain.admit(hand_at(0), true);
    chain.release({Vec3(1e8, 0, 0), Vec3::Zero()});
  }
  int ticks = 0;
  for (Wrench w{Vec3(1, 0, 0), Vec3::Zero()}; w.force.norm() > 0 && ticks < 1000; ++ticks) {
    chain.admit(hand_at(0), true);
    w = chain.release({});
  }
  EXPECT_LE(ticks, 4);  // 8 N at 3.84 N a tick
}

TEST(SafetyChain, a_motion_that_swings_under_a_large_force_is_not_fed_for_long) {
  // What the passivity controller leaves of a large force lies across the motion and swings with it. The slew
  // limit lags behind, and what lags has a part along the motion: it must be gone within 3 · 2 max/room
  // ticks.
  for (const double swing_rad : {0.1, 0.25, 0.5})
    for (const int period : {6, 10, 20, 60})
      for (const double asked_N : {50.0, 113.0, 1e3, 1e5}) {
        DeviceProfile profile;
        profile.passivity = true;
        SafetyChain chain(profile, tick_s);
        DevicePose pose;
        int row = 0, longest = 0;
        for (int i = 0; i < 2000; ++i) {
          const double angle = swing_rad * std::sin(2 * 3.14159265358979 * i / period);
          const Vec3 along(std::cos(angle), std::sin(angle), 0);
          pose.velocity = 0.03 * along;
          pose.position += tick_s * pose.velocity;
          chain.admit(pose, true);
          const bool in_debt = chain.given_J() > 1e-9;
          const Wrench w = chain.release({Vec3(asked_N, 0, 0), Vec3::Zero()});
          row = in_debt && w.force.dot(along) > 0.05 * profile.max_force_N ? row + 1 : 0;
          longest = std::max(longest, row);
        }
        const double room = tick_s * (profile.max_slew_N_per_s - profile.max_force_N / profile.decay_s);
        EXPECT_LE(longest, std::ceil(3 * 2 * profile.max_force_N / room))
            << swing_rad << " rad, " << period << " ticks, " << asked_N << " N";
      }
}

TEST(SafetyChain, a_tick_allocates_nothing) {
  DeviceProfile profile;
  profile.passivity = true;
  SafetyChain chain(profile, tick_s);
  HostileDice dice(6);
  TickDevice record;
  const long before = palp::testing::allocations();
  for (int i = 0; i < 1000; ++i) {
    chain.admit({dice.hostile_vec()}, i % 7 != 0, tick_s);
    chain.release({dice.hostile_vec(), dice.hostile_vec()}, dice.hostile());
    chain.fill(record);
  }
  EXPECT_EQ(palp::testing::allocations(), before);
}

TEST(TickRecord, poses_survive_the_way_into_the_record_bit_for_bit) {
  HostileDice dice(5);
  DevicePose pose;
  pose.position = dice.vec(1);
  pose.orientation = rotation_from_vector(dice.vec(2));
  pose.velocity = dice.vec(1);
  pose.angular_velocity = Vec3(nan, inf, -0.0);
  TickDevice d;
  set_pose(d, pose);
  const DevicePose back = device_pose(d);
  EXPECT_TRUE(same_bits(back.position, pose.position) && same_bits(back.velocity, pose.velocity));
  EXPECT_TRUE(same_bits(back.angular_velocity, pose.angular_velocity));
  EXPECT_EQ(std::memcmp(back.orientation.coeffs().data(), pose.orientation.coeffs().data(), 32), 0);
}

TEST(TickRecord, the_hash_sees_one_flipped_bit_and_the_order) {
  std::array<double, 3> a{1, 2, 3}, b{1, 2, std::nextafter(3, 4)}, c{2, 1, 3};
  EXPECT_EQ(hash_bits(a), hash_bits(std::array<double, 3>{1, 2, 3}));
  EXPECT_NE(hash_bits(a), hash_bits(b));
  EXPECT_NE(hash_bits(a), hash_bits(c));
}

}  // namespace safety_test
}  // namespace palp
