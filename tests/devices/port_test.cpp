// The parts of a real device that need no device: gate, hand-over, map, spec. All on a virtual clock.
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/udp_protocol.hpp"
#include "palp/math/rotation.hpp"

namespace palp {
namespace port_test {

DeviceProfile profile() {
  DeviceProfile p;
  p.max_force_N = 4;
  p.max_slew_N_per_s = 1000;
  return p;
}

DeviceFrame frame_at(double x) {
  DeviceFrame f;
  f.pose.position = Vec3(x, 0, 0);
  return f;
}

TEST(ForceGate, whatever_is_asked_the_force_is_finite_bounded_and_slewed) {
  const DeviceProfile p = profile();
  ForceGate gate(p);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1), log_size(-3, 12), dice(0, 1);
  Vec3 before = Vec3::Zero(), torque_before = Vec3::Zero();
  for (int i = 0; i < 20000; ++i) {
    Wrench w;
    const double size = std::pow(10, log_size(random));
    w.force = size * Vec3(any(random), any(random), any(random));
    w.torque = size * Vec3(any(random), any(random), any(random));
    if (dice(random) < 0.02) w.force.x() = std::nan("");
    if (dice(random) < 0.02) w.torque.y() = INFINITY;
    double dt = std::pow(10, -4 + 3 * dice(random));
    if (dice(random) < 0.01) dt = std::nan("");
    const Wrench out = gate.pass(w, dice(random) < 0.8, dt);
    const double time = std::isfinite(dt) ? dt : 0;
    ASSERT_TRUE(out.force.allFinite() && out.torque.allFinite());
    ASSERT_LE(out.force.norm(), p.max_force_N * (1 + 1e-12));
    ASSERT_LE(out.torque.norm(), p.max_torque_Nm * (1 + 1e-12));
    ASSERT_LE((out.force - before).norm(), p.max_slew_N_per_s * time + 1e-12);
    ASSERT_LE((out.torque - torque_before).norm(), p.max_torque_slew_Nm_per_s * time + 1e-12);
    before = out.force;
    torque_before = out.torque;
  }
}

TEST(ForceGate, the_force_comes_within_the_ramp_and_goes_within_the_decay) {
  const DeviceProfile p = profile();
  ForceGate gate(p);
  const Wrench w{Vec3(3, 0, 0), Vec3::Zero()};
  const double h = 1e-3;
  double t = 0;
  for (; t < p.ramp_s - 1.5 * h; t += h)
    EXPECT_LT(gate.pass(w, true, h).force.norm(), 3 * (t + 1.5 * h) / p.ramp_s + 1e-9);
  for (int i = 0; i < 5; ++i) gate.pass(w, true, h);
  EXPECT_NEAR(gate.given().force.x(), 3, 1e-12);
  for (double left = p.decay_s + 5 * h; left > 0; left -= h) gate.pass(w, false, h);
  EXPECT_TRUE(gate.resting());
}

TEST(DevicePort, a_silent_loop_ends_the_force_and_is_counted) {
  DevicePort port;
  port.opened({.limits = profile()}, 0.03);
  double now = 1e6;
  const auto tick = [&](bool loop_speaks) {
    now += 1e3;
    port.got(frame_at(0.01), now);
    if (loop_speaks) port.write({Vec3(2, 0, 0), Vec3::Zero()}, 1e-3, now);
    return port.wanted(now).force.norm();
  };
  for (int i = 0; i < 400; ++i) tick(true);
  EXPECT_NEAR(tick(true), 2, 1e-9);
  const double silence_begins = now;
  while (now - silence_begins < 1e6 * (DevicePort::silence_s + profile().decay_s) + 1e4) tick(false);
  EXPECT_EQ(tick(false), 0);
  EXPECT_EQ(port.health().silences, 1u);
  // It comes back as from the start: not at once.
  EXPECT_LT(tick(true), 0.1);
  for (int i = 0; i < 400; ++i) tick(true);
  EXPECT_NEAR(tick(true), 2, 1e-9);
}

TEST(DevicePort, a_slow_loop_is_not_a_silent_one) {
  DevicePort port;
  port.opened({.limits = profile()}, 0.5);
  double now = 1e6;
  for (int step = 0; step < 20; ++step) {
    port.got(frame_at(0), now);
    port.write({Vec3(1, 0, 0), Vec3::Zero()}, 0.1, now);
    for (int i = 0; i < 100; ++i) port.wanted(now += 1e3);
  }
  EXPECT_EQ(port.health().silences, 0u);
  EXPECT_NEAR(port.wanted(now).force.x(), 1, 1e-9);
}

TEST(DevicePort, a_silent_device_is_not_present_and_feels_nothing) {
  DevicePort port;
  port.opened({.limits = profile()}, 0.03);
  double now = 1e6;
  for (int i = 0; i < 400; ++i) {
    port.got(frame_at(0.02), now += 1e3);
    port.write({Vec3(2, 0, 0), Vec3::Zero()}, 1e-3, now);
    port.wanted(now);
  }
  EXPECT_TRUE(port.read(now + 2e4).present);
  EXPECT_FALSE(port.read(now + 4e4).present);
  for (int i = 0; i < 120; ++i) {
    now += 1e3;
    port.write({Vec3(2, 0, 0), Vec3::Zero()}, 1e-3, now);
    port.wanted(now);
  }
  EXPECT_TRUE(port.resting());
  EXPECT_EQ(port.read(now).frame.pose.position, Vec3(0.02, 0, 0));  // the last one known
}

TEST(DevicePort, poses_that_no_hand_can_have_are_refused_and_counted) {
  DevicePort port;
  port.opened({.workspace_low = Vec3::Constant(-0.1), .workspace_high = Vec3::Constant(0.1)}, 0.03);
  EXPECT_TRUE(port.got(frame_at(0.09), 1));
  EXPECT_TRUE(port.read(1).present);
  DeviceFrame f = frame_at(std::nan(""));
  EXPECT_FALSE(port.got(f, 2));
  EXPECT_FALSE(port.read(2).present);
  f = frame_at(90);  // millimetres
  EXPECT_FALSE(port.got(f, 3));
  f = frame_at(0);
  f.pose.orientation.coeffs() *= 2;
  EXPECT_FALSE(port.got(f, 4));
  f = frame_at(0);
  f.pose.velocity.z() = INFINITY;
  EXPECT_FALSE(port.got(f, 5));
  EXPECT_EQ(port.health().refused, 4u);
  EXPECT_EQ(port.health().frames, 1u);
  EXPECT_TRUE(port.got(frame_at(0.05), 6));
  EXPECT_TRUE(port.read(6).present);
}

TEST(DevicePort, every_pose_and_every_wrench_is_taken_or_counted) {
  DevicePort port;
  port.opened({.limits = profile()}, 1);
  std::mt19937 random(11);
  std::uniform_int_distribution<int> side(0, 3);
  double now = 1e6, x = 0, seen_x = 0;
  std::uint64_t given = 0, seen = 0, written = 0;
  for (int i = 0; i < 100'000; ++i) {
    now += 10;
    switch (side(random)) {
      case 0:  // each pose another one, so that the loop can tell
        port.got(frame_at(x += 1e-6), now);
        ++given;
        break;
      case 1:
        if (const auto r = port.read(now); r.present && r.frame.pose.position.x() != seen_x) {
          seen_x = r.frame.pose.position.x();
          ++seen;
        }
        break;
      case 2:
        port.write({Vec3(1, 0, 0), Vec3::Zero()}, 1e-3, now);
        ++written;
        break;
      default:
        port.wanted(now);
    }
  }
  port.read(now);
  if (x != seen_x) ++seen;
  const DeviceHealth h = port.health();
  EXPECT_EQ(h.frames, given);
  EXPECT_EQ(h.refused, 0u);
  EXPECT_EQ(h.unread, given - seen);
  // On the other side: nothing is left out when the device asks after every wrench.
  const std::uint64_t unsent = h.unsent;
  EXPECT_GT(unsent, 0u);
  EXPECT_LT(unsent, written);
  for (int i = 0; i < 100; ++i) {
    port.write({Vec3(1, 0, 0), Vec3::Zero()}, 1e-3, now += 10);
    port.wanted(now += 10);
  }
  EXPECT_LE(port.health().unsent, unsent + 1);  // what was waiting when that began
  for (int i = 0; i < 100; ++i) port.write({Vec3(1, 0, 0), Vec3::Zero()}, 1e-3, now += 10);
  const std::uint64_t before = port.health().unsent;
  port.wanted(now);
  EXPECT_EQ(port.health().unsent, before + 99);
}

TEST(DevicePort, letting_go_ends_the_force_whatever_the_loop_wants) {
  DevicePort port;
  port.opened({.limits = profile()}, 0.03);
  double now = 1e6;
  const auto tick = [&] {
    port.got(frame_at(0), now += 1e3);
    port.write({Vec3(2, 0, 0), Vec3::Zero()}, 1e-3, now);
    port.wanted(now);
  };
  for (int i = 0; i < 400; ++i) tick();
  EXPECT_FALSE(port.resting());
  port.let_go();
  for (int i = 0; i < 70; ++i) tick();
  EXPECT_TRUE(port.resting());
}

TEST(WorkspaceMap, the_power_at_the_hand_is_that_of_the_scene_over_the_scale) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vec = [&] { return Vec3(any(random), any(random), any(random)); };
  for (int i = 0; i < 100; ++i) {
    const double scale = std::exp(2 * any(random));
    WorkspaceMap map(scale, rotation_from_vector(2 * vec()));
    DevicePose a, b, at;
    a.position = vec();
    a.orientation = rotation_from_vector(vec());
    at.position = vec();
    at.orientation = rotation_from_vector(vec());
    map.index(a, at);
    EXPECT_LT((map.to_scene(a).position - at.position).norm(), 1e-12);
    EXPECT_LT(map.to_scene(a).orientation.angularDistance(at.orientation), 1e-7);
    b.velocity = vec();
    b.angular_velocity = vec();
    const DevicePose s = map.to_scene(b);
    const Wrench w{vec(), vec()}, d = map.to_device(w);
    EXPECT_NEAR(d.force.dot(b.velocity), w.force.dot(s.velocity) / scale, 1e-12);
    EXPECT_NEAR(d.torque.dot(b.angular_velocity), w.torque.dot(s.angular_velocity), 1e-12);
  }
}

TEST(WorkspaceMap, velocities_are_the_derivatives_of_poses) {
  WorkspaceMap map(3, rotation_from_vector(Vec3(0.3, -1, 0.5)));
  DevicePose start, at;
  start.orientation = rotation_from_vector(Vec3(0, 0.4, 0));
  at.orientation = rotation_from_vector(Vec3(1, 0, 0));
  map.index(start, at);
  DevicePose p = start;
  p.velocity = Vec3(0.1, 0.2, -0.3);
  p.angular_velocity = Vec3(0.5, -0.2, 0.7);
  const double dt = 1e-6;
  DevicePose later = p;
  later.position += dt * p.velocity;
  later.orientation = rotation_from_vector(dt * p.angular_velocity) * p.orientation;
  const DevicePose a = map.to_scene(p), b = map.to_scene(later);
  EXPECT_LT(((b.position - a.position) / dt - a.velocity).norm(), 1e-6);
  EXPECT_LT(
      (vector_from_rotation(b.orientation * a.orientation.conjugate()) / dt - a.angular_velocity).norm(),
      1e-5);
}

TEST(DeviceSpec, says_which_device_and_how) {
  auto s =
      DeviceSpec::parse("hand=haply,scale=2.5,rotate=90/0/0,clutch=2,maxForce=3,address=10.0.0.2:9,insist");
  ASSERT_TRUE(s) << s.error().text();
  EXPECT_EQ(s->name, "hand");
  EXPECT_EQ(s->kind, "haply");
  EXPECT_EQ(s->address, "10.0.0.2:9");
  EXPECT_EQ(s->workspace.scale, 2.5);
  EXPECT_EQ(s->workspace.clutch_button, 2);
  EXPECT_EQ(s->max_force_N, 3);
  EXPECT_TRUE(s->insist);
  EXPECT_LT((s->workspace.rotation * Vec3::UnitY() - Vec3::UnitZ()).norm(), 1e-12);
  auto bare = DeviceSpec::parse("udp");
  ASSERT_TRUE(bare);
  EXPECT_TRUE(bare->name.empty());
}

TEST(DeviceSpec, mistakes_are_told_with_what_there_is) {
  for (const char* text :
       {"hand=joystick", "", "hand=", "hand=udp,scale=0", "hand=udp,scale=x", "hand=udp,clutch=1.5",
        "hand=udp,colour=red", "hand=udp,rotate=1/2", "hand=udp,maxForce=-1", "hand=udp,insist=no",
        "hand=udp,scale=nan", "hand=udp,rotate=1/2/3/4"}) {
    auto s = DeviceSpec::parse(text);
    ASSERT_FALSE(s) << text;
    EXPECT_FALSE(s.error().remedy.empty()) << text;
  }
}

TEST(UdpProtocol, lies_in_memory_as_it_is_documented) {
  udp::PoseDatagram d;
  d.header.type = udp::pose;
  d.header.flags = udp::has_velocity;
  d.header.sequence = 0x01020304;
  d.header.extra = 5;
  d.position[1] = 1;
  d.gripper_m = 2;
  unsigned char bytes[136];
  std::memcpy(bytes, &d, sizeof(bytes));
  const unsigned char head[16] = {'P', 'A', 'L', 'P', 1, 1, 1, 0, 4, 3, 2, 1, 5, 0, 0, 0};
  EXPECT_EQ(std::memcmp(bytes, head, 16), 0);
  const double one = 1, two = 2;
  EXPECT_EQ(std::memcmp(bytes + 32, &one, 8), 0);
  EXPECT_EQ(std::memcmp(bytes + 128, &two, 8), 0);
  udp::PoseDatagram back;
  EXPECT_TRUE(udp::decode(bytes, 136, udp::pose, back));
  EXPECT_FALSE(udp::decode(bytes, 135, udp::pose, back));
  bytes[4] = 2;
  EXPECT_FALSE(udp::decode(bytes, 136, udp::pose, back));
}

}  // namespace port_test
}  // namespace palp
