// Every backend end to end against its double: units and axes, limits, ten faults, the end.
#include "rig.hpp"

#include "palp/math/rotation.hpp"

namespace palp {
namespace backends_test {

const Wrench push{Vec3(1, -0.5, 0.75), Vec3(0.01, 0.02, -0.03)};

class Backends : public ::testing::TestWithParam<std::string> {};

TEST_P(Backends, tells_what_it_is_and_has_limits_without_asking) {
  Rig rig(GetParam());
  const int opened = rig.arm->log().opened;
  auto device = rig.device();
  ASSERT_TRUE(device);
  EXPECT_FALSE(device->health().open);  // making it touches nothing
  EXPECT_EQ(rig.arm->log().opened, opened);
  auto ok = device->open();
  ASSERT_TRUE(ok) << ok.error().text();
  const DeviceInfo info = device->info();
  EXPECT_EQ(info.kind, rig.kind);
  EXPECT_FALSE(info.name.empty());
  EXPECT_TRUE(check(info.limits));
  EXPECT_LE(info.limits.max_force_N, 8);
  EXPECT_LE(info.limits.max_torque_Nm, 0.3);
  EXPECT_GT(info.limits.ramp_s, 0);
  EXPECT_GT((info.workspace_high - info.workspace_low).minCoeff(), 0);
  EXPECT_TRUE(eventually([&] { return device->health().frames > 10; }));
  EXPECT_TRUE(device->health().present);
}

TEST_P(Backends, poses_come_in_metres_in_palps_axes) {
  Rig rig(GetParam());
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  DevicePose scene;
  scene.position = Vec3(1, 2, 3);
  device->place(scene);
  device->read(0);
  // Right, away and up by as much, turned about each axis.
  DevicePose moved;
  moved.position = Vec3(0.01, 0.02, 0.03);
  moved.orientation = rotation_from_vector(Vec3(0.1, 0.2, 0.3));
  moved.velocity = Vec3(0.04, 0.05, 0.06);
  rig.arm->hold_at(moved);
  EXPECT_TRUE(eventually([&] {
    const DevicePose p = device->read(0).pose;
    return (p.position - Vec3(1.01, 2.02, 3.03)).norm() < 1e-6 &&
           p.orientation.angularDistance(moved.orientation) < 1e-5 &&
           (p.velocity - moved.velocity).norm() < 1e-5;
  })) << device->read(0).pose.position.transpose();
  rig.arm->press(2);
  EXPECT_TRUE(eventually([&] { return device->read(0).buttons == 2u; }));
}

TEST_P(Backends, forces_arrive_in_newtons_in_palps_axes_and_ramp_up) {
  Rig rig(GetParam());
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  rig.arm->clear_log();
  Loop loop(*device, device->info().limits, push, rig.arm);
  const bool six = device->info().feels == 6;
  EXPECT_TRUE(eventually([&] {
    const Wrench w = rig.arm->log().last;
    return (w.force - push.force).norm() < 1e-5 && (!six || (w.torque - push.torque).norm() < 1e-5);
  })) << rig.arm->log().last.force.transpose();
  const ArmLog log = rig.arm->log();
  EXPECT_EQ(log.not_finite, 0);
  EXPECT_TRUE(log.enabled);
  // Not at once. (On a busy machine the device counts as lost now and then: the force falls then, and fast.)
  EXPECT_LT(log.largest_rise_N, 0.5 * push.force.norm());
}

TEST_P(Backends, a_force_beyond_the_limit_is_cut_on_the_devices_side_too) {
  Rig rig(GetParam());
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  // Without the safety chain: as a program would that knows nothing of it.
  const double most = device->info().limits.max_force_N;
  EXPECT_TRUE(eventually([&] {
    device->write({Vec3(0, 1000, 0), Vec3(0, 0, std::nan(""))}, 1e-3);
    device->write({Vec3(0, 1000, 0), Vec3::Zero()}, 1e-3);
    return rig.arm->log().largest_force_N > 0.99 * most;
  }));
  EXPECT_LE(rig.arm->log().largest_force_N, most + 1e-5);
  EXPECT_EQ(rig.arm->log().not_finite, 0);
}

TEST_P(Backends, closing_leaves_zero_force_and_motors_off) {
  Rig rig(GetParam());
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  {
    Loop loop(*device, device->info().limits, push);
    ASSERT_TRUE(eventually([&] { return rig.arm->log().last.force.norm() > 1; }));
    rig.arm->clear_log();
    device->close();  // in the middle of a force, while the loop goes on
  }
  EXPECT_TRUE(eventually([&] { return !rig.arm->log().enabled; }));
  const ArmLog log = rig.arm->log();
  EXPECT_EQ(log.last.force, Vec3(Vec3::Zero()));
  EXPECT_EQ(log.last.torque, Vec3(Vec3::Zero()));
  EXPECT_LT(log.largest_step_N, 0.9 * push.force.norm());  // let go, not dropped
  device->close();
  EXPECT_FALSE(device->read(0).present);
}

TEST_P(Backends, an_exception_leaves_zero_force) {
  Rig rig(GetParam());
  try {
    auto device = rig.device();
    ASSERT_TRUE(device->open());
    Loop loop(*device, device->info().limits, push);
    ASSERT_TRUE(eventually([&] { return rig.arm->log().last.force.norm() > 1; }));
    throw 1;
  } catch (int) {
  }
  EXPECT_TRUE(eventually([&] { return !rig.arm->log().enabled; }));
  EXPECT_EQ(rig.arm->log().last.force, Vec3(Vec3::Zero()));
}

TEST_P(Backends, a_silent_loop_leaves_zero_force_and_may_come_back) {
  Rig rig(GetParam());
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  Loop loop(*device, device->info().limits, push);
  ASSERT_TRUE(eventually([&] { return rig.arm->log().last.force.norm() > 1; }));
  loop.fall_silent(true);
  EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.isZero(0); }));
  EXPECT_GE(device->health().silences, 1u);
  loop.fall_silent(false);
  EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.norm() > 1; }));
}

TEST_P(Backends, can_be_closed_and_opened_again) {
  Rig rig(GetParam());
  auto device = rig.device();
  for (int i = 0; i < 3; ++i) {
    auto ok = device->open();
    ASSERT_TRUE(ok) << ok.error().text();
    Loop loop(*device, device->info().limits, push);
    EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.norm() > 1; }));
    loop.stop();
    device->close();
    EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.isZero(0); }));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Backends,
                         ::testing::Values("haply", "haply 3.1", "udp", "forcedimension", "openhaptics",
                                           "virtuose"),
                         [](const auto& p) {
                           std::string name = p.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

/// Each fault with each device.
class Faults : public ::testing::TestWithParam<std::tuple<std::string, Fault>> {};

TEST_P(Faults, are_survived) {
  const auto& [kind, fault] = GetParam();
  Rig rig(kind);
  // The user's own limits: small enough for every step to be seen.
  rig.spec.max_force_N = 2;
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  const DeviceProfile limits = device->info().limits;
  Loop loop(*device, limits, push);
  ASSERT_TRUE(eventually([&] { return rig.arm->log().last.force.norm() > 1; }));
  rig.arm->clear_log();
  const DeviceHealth before = device->health();

  const long absent = loop.absent;
  rig.arm->set(fault);
  const bool harmless = fault == Fault::stuck || fault == Fault::saturated;
  if (harmless) {
    wait_s(0.3);  // nothing that could be told from a hand that rests
  } else {
    EXPECT_TRUE(eventually([&] { return loop.absent > absent && loop.force < 0.5 * push.force.norm(); }))
        << "the loop was not told";
  }
  if (!harmless && fault != Fault::late && fault != Fault::jump) {
    EXPECT_TRUE(eventually([&] { return loop.force == 0.0; })) << "the force did not go";
  }

  rig.arm->set(Fault::none);
  EXPECT_TRUE(eventually([&] {
    return loop.present && loop.force > 0.99 * push.force.norm() && rig.arm->log().last.force.norm() > 1;
  })) << "it did not come back";

  const ArmLog log = rig.arm->log();
  EXPECT_EQ(log.not_finite, 0);
  EXPECT_EQ(loop.not_finite, 0);
  EXPECT_LE(log.largest_force_N, limits.max_force_N + 1e-5);
  // The gate makes steps of at most 5 ms of slew, however late it is asked.
  EXPECT_LE(log.largest_step_N, 5e-3 * limits.max_slew_N_per_s + 1e-5);
  EXPECT_LT(loop.largest_pose_step_m, 1e-3);  // the hand stood still: nobody saw it jump
  const DeviceHealth after = device->health();
  if (fault == Fault::nan || fault == Fault::units || fault == Fault::malformed || fault == Fault::jump) {
    EXPECT_GT(after.refused, before.refused);
  }
  if ((fault == Fault::closed || fault == Fault::unplugged) && kind != "udp") {
    EXPECT_GT(after.losses, before.losses);
    EXPECT_GT(after.opened, before.opened);
  }
  const double begin = now_us();
  loop.stop();
  device->close();
  EXPECT_LT(now_us() - begin, 10e6);
  EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.isZero(0) && !rig.arm->log().enabled; }));
}

INSTANTIATE_TEST_SUITE_P(
    All, Faults,
    ::testing::Combine(::testing::Values("haply", "udp", "forcedimension", "openhaptics", "virtuose"),
                       ::testing::ValuesIn(all_faults())),
    [](const auto& p) { return std::get<0>(p.param) + "_" + name_of(std::get<1>(p.param)); });

/// Closing while the fault lasts: nothing hangs, and who can still hear is told to stop.
class FaultyEnds : public ::testing::TestWithParam<std::tuple<std::string, Fault>> {};

TEST_P(FaultyEnds, do_not_hang) {
  const auto& [kind, fault] = GetParam();
  Rig rig(kind);
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  Loop loop(*device, device->info().limits, push);
  ASSERT_TRUE(eventually([&] { return rig.arm->log().last.force.norm() > 1; }));
  rig.arm->set(fault);
  wait_s(0.05);
  const double begin = now_us();
  loop.stop();
  device->close();
  EXPECT_LT(now_us() - begin, 10e6);
  rig.arm->set(Fault::none);
  if (fault != Fault::closed && fault != Fault::unplugged) {
    EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.isZero(0); }));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultyEnds,
    ::testing::Combine(::testing::Values("haply", "udp", "forcedimension", "openhaptics", "virtuose"),
                       ::testing::Values(Fault::silence, Fault::closed, Fault::unplugged, Fault::malformed)),
    [](const auto& p) { return std::get<0>(p.param) + "_" + name_of(std::get<1>(p.param)); });

}  // namespace backends_test
}  // namespace palp
