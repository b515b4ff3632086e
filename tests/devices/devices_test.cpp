// What single backends owe beyond what all of them do: SpaceMouse, gamepad, clutch, several at once, missing
// libraries; and the doubles themselves against the vendors' documents.
#include "rig.hpp"

#include "palp/devices/backends/udp_protocol.hpp"

namespace palp {
namespace devices_test {

TEST(Devices, what_is_missing_is_one_clear_sentence) {
  for (const DeviceKind& kind : device_kinds()) {
    DeviceSpec spec;
    spec.kind = kind.name;
    spec.library = "/nowhere/libnothing.so";
    spec.address = spec.kind == "spacenav" ? "/nowhere/spnav.sock" : "127.0.0.1:1";
    auto device = make_device(spec);
    if (!kind.make) {  // the page, which is told where it is
      ASSERT_FALSE(device);
      EXPECT_NE(device.error().text().find("palp view"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(device);
    auto ok = (*device)->open();
    ASSERT_FALSE(ok) << kind.name;
    EXPECT_FALSE(ok.error().message.empty());
    EXPECT_FALSE(ok.error().remedy.empty()) << kind.name;
    EXPECT_EQ(ok.error().text().find('\n'), std::string::npos);
    EXPECT_FALSE((*device)->read(0).present);
    (*device)->write({Vec3(1, 0, 0), Vec3::Zero()}, 1e-3);
    (*device)->close();
    EXPECT_FALSE((*device)->open());  // and may be tried again
  }
}

TEST(Devices, the_clutch_moves_the_hand_and_not_the_tool) {
  Rig rig("udp");
  rig.spec.workspace.clutch_button = 2;
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  device->place({});
  device->read(0);
  const auto x = [&] { return device->read(0).pose.position.x(); };
  DevicePose p;
  p.position = Vec3(0.03, 0, 0);
  rig.arm->hold_at(p);
  ASSERT_TRUE(eventually([&] { return std::abs(x() - 0.03) < 1e-12; }));
  rig.arm->press(2);
  ASSERT_TRUE(eventually([&] { return device->read(0).buttons == 2; }));
  p.position = Vec3(-0.05, 0, 0);
  rig.arm->hold_at(p);
  wait_s(0.1);
  EXPECT_NEAR(x(), 0.03, 1e-12);
  // While clutched nothing is felt.
  EXPECT_TRUE(eventually([&] {
    device->write({Vec3(1, 0, 0), Vec3::Zero()}, 1e-3);
    device->read(0);
    return rig.arm->log().last.force.isZero(0);
  }));
  rig.arm->press(0);
  ASSERT_TRUE(eventually([&] { return device->read(0).buttons == 0; }));
  EXPECT_NEAR(x(), 0.03, 1e-12);
  p.position = Vec3(-0.04, 0, 0);
  rig.arm->hold_at(p);
  EXPECT_TRUE(eventually([&] { return std::abs(x() - 0.04) < 1e-12; }));
}

TEST(Devices, a_hand_that_comes_back_elsewhere_goes_on_from_where_it_was) {
  Rig rig("forcedimension");
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  DevicePose scene;
  scene.position = Vec3(5, 0, 0);
  device->place(scene);
  EXPECT_NEAR(device->read(0).pose.position.x(), 5, 1e-12);
  rig.arm->set(Fault::unplugged);
  ASSERT_TRUE(eventually([&] { return !device->read(0).present; }));
  DevicePose p;
  p.position = Vec3(0.08, 0, 0);
  rig.arm->hold_at(p);
  rig.arm->set(Fault::none);
  ASSERT_TRUE(eventually([&] { return device->read(0).present; }));
  EXPECT_NEAR(device->read(0).pose.position.x(), 5, 1e-12);
  EXPECT_EQ(device->health().opened, 2u);
}

TEST(Devices, two_of_different_kinds_do_not_know_of_each_other) {
  Rig one("haply"), two("virtuose");
  auto a = one.device(), b = two.device();
  ASSERT_TRUE(a->open());
  ASSERT_TRUE(b->open());
  Loop loop_a(*a, a->info().limits, {Vec3(1, 0, 0), Vec3::Zero()});
  Loop loop_b(*b, b->info().limits, {Vec3(0, 2, 0), Vec3::Zero()});
  const auto feels = [](const Rig& rig, const Vec3& f) {
    return (rig.arm->log().last.force - f).norm() < 1e-5;
  };
  EXPECT_TRUE(eventually([&] { return feels(one, Vec3(1, 0, 0)) && feels(two, Vec3(0, 2, 0)); }));
  one.arm->set(Fault::unplugged);
  EXPECT_TRUE(eventually([&] { return loop_a.force == 0.0; }));
  const long ticks = loop_b.ticks;
  EXPECT_TRUE(eventually([&] { return loop_b.ticks > ticks + 100 && feels(two, Vec3(0, 2, 0)); }));
  EXPECT_EQ(b->health().losses, 0u);
  one.arm->set(Fault::none);
  EXPECT_TRUE(eventually([&] { return feels(one, Vec3(1, 0, 0)); }));
}

TEST(Devices, a_spacemouse_moves_the_hand_as_a_velocity) {
  Rig rig("spacenav");
  auto device = rig.device();
  ASSERT_TRUE(device->open());
  EXPECT_EQ(device->info().feels, 0);
  device->place({});
  DevicePose push;
  push.velocity = Vec3(0, 0.05, 0.025);  // away and up
  rig.arm->hold_at(push);
  ASSERT_TRUE(eventually([&] { return device->read(0).pose.position.y() > 0.02; }));
  const DevicePose p = device->read(0).pose;
  EXPECT_NEAR(p.velocity.y(), 0.05, 1e-3);
  EXPECT_NEAR(p.position.z(), 0.5 * p.position.y(), 0.1 * p.position.y());
  EXPECT_NEAR(p.position.x(), 0, 1e-9);
  rig.arm->press(1);
  EXPECT_TRUE(eventually([&] { return device->read(0).buttons == 1; }));
  // However long it is pushed, it stays within reach.
  push.velocity = Vec3(10, 0, 0);
  rig.arm->hold_at(push);
  wait_s(2);
  EXPECT_LE(device->read(0).pose.position.x(), 0.2);
}

/// What has no force to feel and is pushed, not moved: each fault.
class PushedFaults : public testing::TestWithParam<std::tuple<std::string, Fault>> {};

TEST_P(PushedFaults, are_survived) {
  const auto& [kind, fault] = GetParam();
  Rig rig(kind);
  auto device = rig.device();
  auto ok = device->open();
  ASSERT_TRUE(ok) << ok.error().text();
  Loop loop(*device, device->info().limits, {Vec3(1, 0, 0), Vec3::Zero()});
  ASSERT_TRUE(eventually([&] { return loop.present.load(); }));
  const DeviceHealth before = device->health();
  rig.arm->set(fault);
  const bool away = fault == Fault::closed || fault == Fault::unplugged;
  // A pad's vendor waits; packets of a SpaceMouse may be malformed. All else is a stick that is pushed.
  const bool lost = away || (kind == "gamepad" ? fault == Fault::silence || fault == Fault::late
                                               : fault == Fault::malformed || fault == Fault::nan);
  if (lost)
    EXPECT_TRUE(eventually([&] { return !loop.present.load() && loop.force == 0.0; }));
  else
    wait_s(0.1);
  rig.arm->set(Fault::none);
  EXPECT_TRUE(eventually([&] { return loop.present.load() && loop.force > 0.99; }));
  EXPECT_EQ(loop.not_finite, 0);
  EXPECT_LT(loop.largest_pose_step_m, 0.02);
  EXPECT_EQ(rig.arm->log().not_finite, 0);
  EXPECT_LE(rig.arm->log().largest_force_N, 1);  // a pad's rumble is a share
  if (away) {
    EXPECT_GT(device->health().losses, before.losses);
    EXPECT_GT(device->health().opened, before.opened);
  }
  loop.stop();
  device->close();
  EXPECT_TRUE(rig.arm->log().last.force.isZero(0));
  EXPECT_FALSE(rig.arm->log().enabled);
}

INSTANTIATE_TEST_SUITE_P(All, PushedFaults,
                         testing::Combine(testing::Values("spacenav", "gamepad"),
                                          testing::ValuesIn(all_faults())),
                         [](const auto& p) {
                           return std::get<0>(p.param) + "_" + name_of(std::get<1>(p.param));
                         });

TEST(Devices, a_gamepad_rumbles_with_the_rate_of_the_force_and_stops) {
  Rig rig("gamepad");
  auto device = rig.device();
  auto ok = device->open();
  ASSERT_TRUE(ok) << ok.error().text();
  double force = 0;
  const auto push_by = [&](double more_N) {
    force += more_N;
    device->write({Vec3(force, 0, 0), Vec3::Zero()}, 1e-3);
    wait_s(1e-3);
  };
  // A force that rises and falls without end is felt; one that stays is not.
  double way = 0.05;
  EXPECT_TRUE(eventually([&] {
    if (force > 4 || force < 0) way = -way;
    push_by(way);
    return rig.arm->log().last.force.norm() > 0.05;
  }));
  EXPECT_TRUE(eventually([&] {
    push_by(0);
    return rig.arm->log().last.force.isZero(0);
  }));
  EXPECT_LE(rig.arm->log().largest_force_N, 1);
  EXPECT_TRUE(eventually([&] {
    if (force > 4 || force < 0) way = -way;
    push_by(way);
    return rig.arm->log().last.force.norm() > 0.05;
  }));
  device->close();  // in the middle of it
  EXPECT_TRUE(rig.arm->log().last.force.isZero(0));
}

/// SDL's own virtual joystick is the double of a gamepad.
struct VirtualPad {
  void* handle = nullptr;
  int index = -1;
  int (*attach)(int, int, int, int) = nullptr;
  int (*detach)(int) = nullptr;
  void* (*open)(int) = nullptr;
  int (*set_axis)(void*, int, std::int16_t) = nullptr;
  int (*set_button)(void*, int, std::uint8_t) = nullptr;
  int (*init)(std::uint32_t) = nullptr;
  void (*lock)() = nullptr;
  void (*unlock)() = nullptr;

  VirtualPad() {
    handle = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    const auto find = [&](const char* name, auto*& f) {
      f = reinterpret_cast<std::remove_reference_t<decltype(f)>>(dlsym(handle, name));
      if (!f) handle = nullptr;
    };
    find("SDL_JoystickAttachVirtual", attach);
    if (handle) find("SDL_JoystickDetachVirtual", detach);
    if (handle) find("SDL_JoystickOpen", open);
    if (handle) find("SDL_JoystickSetVirtualAxis", set_axis);
    if (handle) find("SDL_JoystickSetVirtualButton", set_button);
    if (handle) find("SDL_InitSubSystem", init);
    if (handle) find("SDL_LockJoysticks", lock);
    if (handle) find("SDL_UnlockJoysticks", unlock);
    if (handle && init(0x2000) != 0) handle = nullptr;
  }
  int plug_in() const { return attach(1, 6, 15, 0); }  // a gamepad with 6 axes and 15 buttons
};

TEST(Devices, a_gamepad_moves_the_hand_and_may_be_unplugged) {
  VirtualPad pad;
  if (!pad.handle) GTEST_SKIP() << "SDL2 is not on this machine (apt install libsdl2-2.0-0)";
  DeviceSpec spec;
  spec.kind = "gamepad";
  auto made = make_device(spec);
  ASSERT_TRUE(made);
  Device& device = **made;
  int index = pad.plug_in();
  ASSERT_GE(index, 0);
  auto ok = device.open();
  ASSERT_TRUE(ok) << ok.error().text();
  device.place({});
  pad.lock();
  void* stick = pad.open(index);
  pad.set_axis(stick, 1, -32767);  // forwards
  pad.set_button(stick, 0, 1);
  pad.unlock();
  EXPECT_TRUE(eventually([&] { return device.read(0).pose.position.y() > 0.02; }));
  EXPECT_NEAR(device.read(0).pose.velocity.y(), 0.15, 0.01);
  EXPECT_NEAR(device.read(0).pose.position.x(), 0, 1e-9);
  EXPECT_EQ(device.read(0).buttons, 1u);
  for (int i = 0; i < 50; ++i) {  // rumble: nothing to see, nothing may break
    device.write({Vec3(i % 2, 0, 0), Vec3::Zero()}, 1e-3);
    wait_s(1e-3);
  }
  pad.lock();
  pad.detach(index);
  pad.unlock();
  EXPECT_TRUE(eventually([&] { return !device.read(0).present; }));
  const double y = device.read(0).pose.position.y();
  ASSERT_GE(pad.plug_in(), 0);
  EXPECT_TRUE(eventually([&] { return device.read(0).present; }));
  EXPECT_NEAR(device.read(0).pose.position.y(), y, 1e-3);
}

/// The doubles share their axes with the backends: that they are the vendors' is checked by hand here.
TEST(Doubles, speak_the_vendors_axes_and_units) {
  const auto lib = [](const char* file) {
    return dlopen((std::string(PALP_DOUBLES) + file).c_str(), RTLD_NOW);
  };
  const auto at = [](double x, double y, double z) {
    DevicePose p;
    p.position = Vec3(x, y, z);
    return p;
  };
  {
    Rig rig("forcedimension");
    void* h = lib("/libdrd.so");
    auto* open = reinterpret_cast<int (*)(char)>(dlsym(h, "dhdOpenID"));
    auto* close = reinterpret_cast<int (*)(char)>(dlsym(h, "dhdClose"));
    auto* get = reinterpret_cast<int (*)(double*, double*, double*, char)>(dlsym(h, "dhdGetPosition"));
    rig.arm->hold_at(at(0.01, 0.02, 0.03));  // right, away, up
    double x = 0, y = 0, z = 0;
    open(0);
    EXPECT_EQ(get(&x, &y, &z, 0), 0);
    EXPECT_NEAR(x, -0.02, 1e-12);  // towards the user
    EXPECT_NEAR(y, 0.01, 1e-12);   // right
    EXPECT_NEAR(z, 0.03, 1e-12);   // up
    close(0);
  }
  {
    Rig rig("openhaptics");
    void* h = lib("/libHD.so");
    auto* begin = reinterpret_cast<void (*)(unsigned)>(dlsym(h, "hdBeginFrame"));
    auto* get = reinterpret_cast<void (*)(unsigned, double*)>(dlsym(h, "hdGetDoublev"));
    rig.arm->hold_at(at(0.01, 0.02, 0.03));
    double m[16];
    begin(1);
    get(0x2052, m);
    EXPECT_NEAR(m[12], 10, 1e-9);   // right, mm
    EXPECT_NEAR(m[13], 30, 1e-9);   // up
    EXPECT_NEAR(m[14], -20, 1e-9);  // towards the user
  }
}

TEST(Doubles, faults_come_by_the_clock) {
  auto plan = ArmSettings::parse_plan("nan@0.5+1,stuck@3+0.25");
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 2u);
  EXPECT_EQ((*plan)[1].fault, Fault::stuck);
  EXPECT_EQ((*plan)[1].at_s, 3);
  for (const char* text : {"nan", "nan@1", "nothing@1+1", "nan@-1+1", "nan@1+0"})
    EXPECT_FALSE(ArmSettings::parse_plan(text)) << text;
  ArmSettings s;
  s.plan = {{Fault::nan, 0, 1e9}};
  DoubleArm arm(s);
  EXPECT_TRUE(std::isnan(arm.read().pose.position.x()));
}

}  // namespace devices_test
}  // namespace palp
