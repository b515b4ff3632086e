// The clock of the real-time runners, with rates that only pass numbers to each other. Small enough to be
// built once more under the thread sanitizer with every run of the tests (extra.cmake).
#include "palp/haptics/two_threads.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "palp/base/record_ring.hpp"
#include "palp/base/triple_buffer.hpp"

namespace palp {
namespace two_threads_test {

/// A message that shows when it was torn.
struct Message {
  std::array<long, 200> copies{};
  bool whole() const {
    for (const long c : copies)
      if (c != copies[0]) return false;
    return true;
  }
};

/// What each side tells the other is its own count; each checks what it hears.
struct CountingRates final : RatePair {
  TripleBuffer<Message> up, down;
  long ticks = 0, heard_from_low = 0, torn_up = 0, backwards_up = 0;       // haptic thread
  long steps = 0, heard_from_high = 0, torn_down = 0, backwards_down = 0;  // low-rate thread
  long fails_from = 1L << 60;                                              ///< low-rate steps that fail

  int devices() const override { return 2; }
  double h_high_s() const override { return 5e-4; }
  double h_low_s() const override { return 2e-3; }
  TickReport tick(std::span<const DevicePose> poses, std::span<Wrench> wrenches) override {
    down.back().copies.fill(++ticks);
    down.publish();
    if (up.update()) {
      torn_up += !up.front().whole();
      backwards_up += up.front().copies[0] <= heard_from_low;
      heard_from_low = up.front().copies[0];
    }
    wrenches[1].force = poses[1].position;
    TickReport report;
    report.tick = ticks - 1;
    report.sequence = heard_from_low;
    return report;
  }
  bool hear() override { return down.update(); }
  StepReport low_step() override {
    const Message& m = down.front();
    torn_down += !m.whole();
    backwards_down += m.copies[0] < heard_from_high;
    heard_from_high = m.copies[0];
    up.back().copies.fill(++steps);
    StepReport report;
    if (steps >= fails_from) {
      report.status = StepStatus::not_finite;
      report.body = 7;
      return report;
    }
    up.publish();
    return report;
  }
};

/// Hands every tick over to a writer's thread, as the recorder does.
struct RingPort final : HandPort {
  RecordRing ring{1 << 16};
  long dropped = 0, wrong = 0;
  double last_s = 0;
  void read(double time_s, std::span<DevicePose> poses) override {
    wrong += time_s <= last_s;
    last_s = time_s;
    poses[1].position.setConstant(time_s);
  }
  void write(const TickReport& report, std::span<const Wrench> wrenches, double) override {
    wrong += wrenches[1].force.z() != last_s;
    const auto room = ring.reserve(sizeof(report.tick));
    if (room.empty()) {
      ++dropped;
      return;
    }
    std::memcpy(room.data(), &report.tick, sizeof(report.tick));
    ring.commit();
  }
};

TEST(TwoThreads, messages_between_the_rates_are_whole_and_never_go_back) {
  CountingRates rates;
  RingPort port;
  std::atomic<bool> over = false;
  long read = 0, out_of_order = 0, last = -1;
  std::thread writer([&] {
    for (;;) {
      const bool was_over = over.load(std::memory_order_acquire);
      for (auto record = port.ring.front(); record.data(); record = port.ring.front()) {
        long tick;
        std::memcpy(&tick, record.data(), sizeof(tick));
        out_of_order += tick != last + 1;
        last = tick;
        ++read;
        port.ring.pop();
      }
      if (was_over) return;
      std::this_thread::yield();
    }
  });
  const RealTimeReport r = run_threads(rates, port, {.seconds = 0.3});
  over.store(true, std::memory_order_release);
  writer.join();
  EXPECT_EQ(r.ticks + r.missed_periods, 600);
  EXPECT_EQ(r.ticks, rates.ticks);
  EXPECT_EQ(r.low_steps, rates.steps);
  EXPECT_GT(r.low_steps, 0);
  EXPECT_EQ(rates.torn_up + rates.torn_down + rates.backwards_up + rates.backwards_down, 0);
  EXPECT_GT(rates.heard_from_low, 0);
  EXPECT_GT(rates.heard_from_high, 0);
  EXPECT_EQ(port.wrong, 0);
  EXPECT_EQ(port.dropped, 0);
  EXPECT_EQ(read, r.ticks);
  EXPECT_EQ(out_of_order, 0);
}

TEST(TwoThreads, steps_that_fail_are_counted_and_nothing_of_them_is_heard) {
  CountingRates rates;
  rates.fails_from = 4;
  RingPort port;
  const RealTimeReport r = run_threads(rates, port, {.seconds = 0.2});
  EXPECT_EQ(r.low_steps, rates.steps);
  EXPECT_EQ(r.failed_low_steps, std::max(0L, rates.steps - 3));
  EXPECT_LE(rates.heard_from_low, 3);
  EXPECT_EQ(rates.torn_up, 0);
}

TEST(TwoThreads, another_thread_can_end_the_run) {
  CountingRates rates;
  RingPort port;
  std::atomic<bool> stop = false;
  std::thread impatient([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    stop = true;
  });
  const RealTimeReport r = run_threads(rates, port, {.seconds = 1000, .stop = &stop});
  impatient.join();
  EXPECT_EQ(r.ticks, rates.ticks);
  EXPECT_LT(r.ticks, 1000000);
}

}  // namespace two_threads_test
}  // namespace palp
