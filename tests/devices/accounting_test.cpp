// Every backend for very many ticks as fast as its protocol allows: nothing is lost that is not counted.
//     PALP_DEVICE_TICKS=1000000 test_devices --gtest_filter='*slow_nothing_is_lost*'
#include <algorithm>
#include <cstdlib>

#include "rig.hpp"

#include "palp/devices/visitor.hpp"

namespace palp {
namespace accounting_test {

long ticks_wanted() {
  const char* text = std::getenv("PALP_DEVICE_TICKS");
  return text ? std::max(1L, std::atol(text)) : 20'000;
}

/// How its exchanges ended.
struct Ends {
  std::atomic<long> done{0}, nothing{0}, gone{0};
};

/// A backend that is asked again almost at once. Not at once: its thread has a priority, and this machine
/// others.
class Hurried final : public Backend {
 public:
  Hurried(std::unique_ptr<Backend> inner, Ends& ends) : inner_(std::move(inner)), ends_(ends) {}
  Result<DeviceInfo> open() override { return inner_->open(); }
  Exchange exchange(DevicePort& port) override {
    const Exchange end = inner_->exchange(port);
    ++(end == Exchange::done ? ends_.done : end == Exchange::nothing ? ends_.nothing : ends_.gone);
    return end;
  }
  void close() override { inner_->close(); }
  double period_s() const override { return inner_->period_s() > 0 ? 2e-5 : 0; }
  double stale_s() const override { return inner_->stale_s(); }

 private:
  std::unique_ptr<Backend> inner_;
  Ends& ends_;
};

class Accounts : public ::testing::TestWithParam<std::string> {};

TEST_P(Accounts, slow_nothing_is_lost_that_is_not_counted) {
  const std::string kind = GetParam();
  const long wanted = ticks_wanted();
  Rig rig(kind, 50'000);
  Ends ends;
  ThreadedDevice device(std::make_unique<Hurried>(find_device_kind(kind)->make(rig.spec), ends));
  auto ok = device.open();
  ASSERT_TRUE(ok) << ok.error().text();
  const ArmLog first = rig.arm->log();
  const DeviceHealth begin = device.health();
  const ArmLog then = rig.arm->log();
  // What passed between the two looks may be counted on one side only.
  const double meanwhile =
      static_cast<double>(std::max(then.commands - first.commands, then.readings - first.readings));
  long ticks = 0, absent = 0;
  for (; ticks < wanted || static_cast<long>(device.health().frames) < wanted; ++ticks) {
    const DeviceReading r = device.read(0);
    absent += !r.present;
    device.write({Vec3(0.5 + r.pose.position.x(), 0, 0), Vec3::Zero()}, 1e-3);
    std::this_thread::sleep_for(std::chrono::microseconds(1));
  }
  device.close();
  EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.isZero(0); }));
  const DeviceHealth h = device.health();
  const ArmLog log = rig.arm->log();
  const auto n = [](std::uint64_t v) { return static_cast<long>(v); };
  std::printf(
      "%s: %ld ticks, %ld poses, %ld refused, %ld missed, %ld skipped, %ld unread, %ld unsent, %ld commands, "
      "%ld ticks without a device\n",
      kind.c_str(), ticks, n(h.frames), n(h.refused), n(h.missed), n(h.skipped), n(h.unread), n(h.unsent),
      log.commands - first.commands, absent);

  EXPECT_EQ(log.not_finite, 0);
  EXPECT_EQ(h.refused, 0u);
  EXPECT_EQ(ends.gone, 0);
  EXPECT_EQ(h.opened, 1u);
  // Every pose that arrived was read, or replaced before the loop asked; every wrench told, or replaced.
  EXPECT_LE(h.unread, h.frames);
  EXPECT_LE(n(h.unsent), ticks);
  const long told = log.readings - first.readings,
             heard = n(h.frames + h.skipped - begin.frames - begin.skipped);
  if (kind == "haply") {
    // One answer to every command, but for what is on its way at the beginning and at the end, and for
    // answers that came too late, which are counted.
    EXPECT_NEAR(static_cast<double>(told), static_cast<double>(heard),
                8 + meanwhile + static_cast<double>(h.missed - begin.missed));
  } else if (kind == "udp") {
    // What is lost last has no successor by whose number it would be missed: at most a socket's buffer.
    EXPECT_NEAR(static_cast<double>(told), static_cast<double>(heard), 2000);
  } else if (kind == "openhaptics") {
    EXPECT_NEAR(static_cast<double>(log.commands - first.commands), static_cast<double>(heard),
                4 + meanwhile);
  } else {
    EXPECT_EQ(n(h.frames + h.refused), ends.done.load());
    if (kind == "forcedimension" || kind == "virtuose") {
      EXPECT_NEAR(static_cast<double>(log.commands - first.commands), static_cast<double>(heard),
                  4 + meanwhile);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Accounts,
                         ::testing::Values("haply", "udp", "forcedimension", "openhaptics", "virtuose",
                                           "spacenav", "gamepad"),
                         [](const auto& p) { return p.param; });

TEST(Accounts, slow_nothing_that_a_visitor_says_is_lost_that_is_not_counted) {
  auto channel = std::make_shared<VisitorChannel>();
  VisitorDevice device(channel, std::make_unique<ScriptDevice>(*Path::make({{0, Vec3::Zero()}})), {});
  std::atomic<bool> stop{false};
  std::atomic<long> said{0};
  std::thread visitor([&] {
    for (; !stop; ++said) {
      channel->hold(Vec3::Constant(1e-5 * static_cast<double>(said % 1000)), Quat::Identity());
      std::this_thread::sleep_for(std::chrono::microseconds(1));
    }
  });
  long bad = 0;
  const long wanted = 10 * ticks_wanted();  // of the virtual clock
  for (long i = 0; i < wanted || said < 100; ++i) {
    bad += !device.read(1e-3 * static_cast<double>(i)).pose.finite();
    device.write({Vec3(0, 0, 1), Vec3::Zero()}, 1e-3);
  }
  stop = true;
  visitor.join();
  device.read(0);
  EXPECT_EQ(bad, 0);
  EXPECT_EQ(static_cast<long>(device.health().frames + device.health().skipped), said.load());
}

}  // namespace accounting_test
}  // namespace palp
