// The checker of the safety chain's promises: silent about the chain, loud about every chain that lacks a
// part.
#include "palp/safety/promises.hpp"

#include <cmath>
#include <functional>

#include "safety/dice.hpp"
#include <gtest/gtest.h>

#include "palp/math/rotation.hpp"
#include "palp/safety/safety_chain.hpp"

namespace palp {
namespace promises_test {

using namespace chance;

/// A hand that moves, a coupling that pulls hard and sometimes wildly, and faults of every kind.
struct World : Dice {
  using Dice::Dice;
  int trouble = 0, until = 500;  // what is wrong, and until which tick it stays so
  TickFacts facts;
  Wrench coupling;
  double age_s = 0;

  void tick(int i) {
    if (i >= until) {
      trouble = trouble ? 0 : 1 + static_cast<int>(engine() % 6);
      until = i + static_cast<int>(trouble ? uniform(1, 300) : uniform(200, 800));
    }
    const double t = i * tick_s;
    DevicePose pose;
    pose.position = Vec3(0.05 * std::sin(4 * t), 0.03 * std::cos(3 * t), 0);
    pose.velocity = Vec3(0.2 * std::cos(4 * t), -0.09 * std::sin(3 * t), 0);
    pose.orientation = rotation_from_vector(Vec3(0, 0, 0.5 * std::sin(2 * t)));
    pose.angular_velocity = Vec3(0, 0, std::cos(2 * t));
    facts = {.read = pose, .present = true, .dt_s = tick_s, .silence_s = 0};
    age_s = 0.02;
    coupling = {Vec3(12 * std::sin(40 * t), 3, 0), Vec3(0.4 * std::sin(30 * t), 0, 0.1)};
    if (chance(0.02)) coupling = {vec(1e4), vec(1e3)};
    switch (trouble) {
      case 1:
        facts.read.position.y() = chance(0.5) ? nan : inf;
        break;
      case 2:
        facts.read.position.z() += 1 + i;  // ever further: no jump that can be accepted
        break;
      case 3:
        facts.present = false;
        break;
      case 4:
        age_s = facts.silence_s = 0.5;
        break;
      case 5:
        facts.dt_s = tick_s + uniform(0.006, 0.05);
        break;
      case 6:
        coupling.torque.x() = nan;
        break;
      default:
        break;
    }
  }
};

/// Ticks with a chain, and how often each promise was broken.
std::array<long, promise::kinds> broken_by(const DeviceProfile& profile, unsigned seed, int ticks,
                                           const std::function<Wrench(const World&)>& chain) {
  World world(seed);
  world.tick(0);
  PromiseCheck check(profile, tick_s, world.facts.read);
  std::array<long, promise::kinds> count{};
  for (int i = 0; i < ticks; ++i) {
    world.tick(i);
    const std::uint32_t broken = check.tick(world.facts, chain(world));
    for (int k = 0; k < promise::kinds; ++k) count[k] += broken >> k & 1;
  }
  return count;
}

TEST(Promises, the_chain_keeps_all_of_them_among_faults_of_every_kind) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    DeviceProfile profile;
    profile.passivity = seed % 2;
    World first(seed);
    first.tick(0);
    SafetyChain chain(profile, tick_s, first.facts.read);
    const auto count = broken_by(profile, seed, 20000, [&](const World& w) {
      chain.admit(w.facts.read, w.facts.present, w.facts.dt_s);
      return chain.release(w.coupling, w.age_s);
    });
    for (int k = 0; k < promise::kinds; ++k) EXPECT_EQ(count[k], 0) << promise::names[k] << ", seed " << seed;
    EXPECT_GT(chain.counts().faults(), 1000u);  // it had something to do
  }
}

TEST(Promises, a_hand_that_trembles_gets_no_energy_from_the_lag_of_the_slew_limit) {
  // A spring that only pulls the hand along leaves a debt at once; from then on the controller takes the part
  // along the motion, whose direction turns in every tick.
  DeviceProfile profile;
  profile.passivity = true;
  profile.max_slew_N_per_s = 1500;
  for (unsigned seed = 0; seed < 10; ++seed) {
    Dice dice(seed);
    SafetyChain chain(profile, tick_s, {});
    PromiseCheck check(profile, tick_s, {});
    DevicePose pose;
    std::uint32_t broken = 0;
    for (int i = 0; i < 20000; ++i) {
      pose.velocity = Vec3(0.01, 0, 0) + dice.vec(0.05);
      pose.position += pose.velocity * tick_s;
      chain.admit(pose, true, tick_s);
      const Wrench given = chain.release({Vec3(6, 5 * std::sin(0.01 * i), 4), Vec3::Zero()}, 0.02);
      broken |= check.tick({.read = pose, .dt_s = tick_s}, given);
    }
    EXPECT_EQ(broken, 0u) << "seed " << seed;
  }
}

/// A chain put together from the same parts, of which one may be missing.
struct Mutant {
  DeviceProfile p;
  bool no_clamp = false, no_slew = false, no_finite = false, no_decay = false, no_ramp = false,
       trusts_poses = false, no_watchdog = false, no_passivity = false;
  Wrench before, last, seen;
  double gain = 0;
  PoseGuard poses{p, {}};
  FiniteGuard finite;
  PassivityPort port{5}, rotation{0.01};
  DevicePose used;
  bool first = true;

  Wrench operator()(const World& w) {
    std::uint32_t done = 0;
    const DevicePose was = used;
    used = poses.admit(w.facts.read, w.facts.present, w.facts.dt_s, done);
    if (trusts_poses) done = 0;
    if (!first) port.observe(last.force, used.position - was.position);
    if (!first)
      rotation.observe(last.torque, vector_from_rotation(used.orientation * was.orientation.conjugate()));
    first = false;
    Wrench f = no_finite ? w.coupling : finite.pass(w.coupling, done);
    if (p.passivity && !no_passivity) {
      f.force = port.limit(f.force, used.velocity, tick_s, done);
      f.torque = rotation.limit(f.torque, used.angular_velocity, tick_s, done);
    }
    const double room = tick_s * (p.max_slew_N_per_s - p.max_force_N / p.decay_s),
                 torque_room = tick_s * (p.max_torque_slew_Nm_per_s - p.max_torque_Nm / p.decay_s);
    std::uint32_t ignored = 0;
    const auto limit = [&](const Vec3& wanted, Vec3& from, double slew, double most) {
      Vec3 out = wanted;
      if (!no_clamp) out = Clamp(most).limit(out, ignored);
      if (!no_slew) out = SlewLimit(slew).limit(out, from, Vec3::Zero(), ignored);
      return from = out;
    };
    f.force = limit(f.force, before.force, room, p.max_force_N);
    f.torque = limit(f.torque, before.torque, torque_room, p.max_torque_Nm);
    const bool watched = w.age_s <= p.stale_s && w.facts.dt_s <= tick_s + p.late_s;
    const bool sound = done == 0 || done == intervention::passivity;
    if (!(sound && (watched || no_watchdog)))
      gain = no_decay ? gain : std::max(0.0, gain - w.facts.dt_s / p.decay_s);
    else
      gain = no_ramp ? 1 : std::min(1.0, gain + tick_s / p.ramp_s);
    last = {gain * f.force, gain * f.torque};
    return last;
  }
};

void expect_caught(const char* missing, const std::function<void(Mutant&)>& break_it, promise::Kind kind,
                   bool passivity = false) {
  SCOPED_TRACE(missing);
  Mutant mutant;
  mutant.p.passivity = passivity;
  break_it(mutant);
  const auto count = broken_by(mutant.p, 3, 20000, std::ref(mutant));
  EXPECT_GT(count[kind], 0) << promise::names[kind];
}

TEST(Promises, a_chain_of_the_same_parts_keeps_them) {
  for (const bool passivity : {false, true}) {
    Mutant whole;
    whole.p.passivity = passivity;
    const auto count = broken_by(whole.p, 3, 20000, std::ref(whole));
    for (int k = 0; k < promise::kinds; ++k) EXPECT_EQ(count[k], 0) << promise::names[k];
  }
}

TEST(Promises, every_missing_part_is_noticed) {
  expect_caught(
      "clamp", [](Mutant& m) { m.no_clamp = true; }, promise::force_bound);
  expect_caught(
      "clamp of the torque", [](Mutant& m) { m.no_clamp = true; }, promise::torque_bound);
  expect_caught(
      "slew limit", [](Mutant& m) { m.no_slew = true; }, promise::force_slew);
  expect_caught(
      "slew limit of the torque", [](Mutant& m) { m.no_slew = true; }, promise::torque_slew);
  expect_caught(
      "finite check", [](Mutant& m) { m.no_finite = true; }, promise::finite);
  expect_caught(
      "decay", [](Mutant& m) { m.no_decay = true; }, promise::decay);
  expect_caught(
      "watchdog", [](Mutant& m) { m.no_watchdog = true; }, promise::decay);
  expect_caught(
      "pose guard", [](Mutant& m) { m.trusts_poses = true; }, promise::decay);
  expect_caught(
      "ramp", [](Mutant& m) { m.no_ramp = true; }, promise::ramp);
  expect_caught(
      "passivity controller", [](Mutant& m) { m.no_passivity = true; }, promise::passivity, true);
}

TEST(Promises, a_force_that_is_only_small_where_it_should_be_none_is_noticed) {
  DeviceProfile profile;
  PromiseCheck check(profile, tick_s, {});
  TickFacts gone{.read = {}, .present = false, .dt_s = tick_s};
  std::uint32_t broken = 0;
  for (int i = 0; i < 10; ++i) broken |= check.tick(gone, {Vec3(1e-6, 0, 0), Vec3::Zero()});
  EXPECT_EQ(broken, 1u << promise::decay);
}

TEST(Promises, what_was_worst_is_remembered) {
  DeviceProfile profile = DeviceProfile::unlimited();
  PromiseCheck check(profile, tick_s, {});
  for (const double f : {0.0, 3.0, -4.0, 1.0})
    EXPECT_EQ(check.tick({.read = {}, .dt_s = tick_s}, {Vec3(f, 0, 0), Vec3(0, 0.5 * f, 0)}), 0u);
  EXPECT_DOUBLE_EQ(check.worst_force_N(), 4);
  EXPECT_DOUBLE_EQ(check.worst_torque_Nm(), 2);
  EXPECT_NEAR(check.worst_slew_N_per_s(), 7000, 1e-9);
  EXPECT_NEAR(check.worst_torque_slew_Nm_per_s(), 3500, 1e-9);
}

}  // namespace promises_test
}  // namespace palp
