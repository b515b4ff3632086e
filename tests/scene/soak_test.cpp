// A scene among faults: the promises hold, the run repeats bit for bit, and a chain without limits is found
// out.
#include "palp/scene/soak.hpp"

#include <gtest/gtest.h>

namespace palp {
namespace soak_test {

std::unique_ptr<Scene> scene(const char* name, const std::vector<SceneOverride>& changes = {}) {
  auto loaded = load_scene(std::string(PALP_SOURCE_DIR).append("/scenes/").append(name), changes);
  for (const Error& e : loaded.errors) ADD_FAILURE() << e.text();
  return std::move(loaded.scene);
}

/// One rate, two rates, two rates with points: each kind of loop.
class EveryLoop : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryLoop, keeps_every_promise_among_faults) {
  auto s = scene(GetParam());
  ASSERT_TRUE(s);
  const bool two_rates = s->two_rate.has_value();
  const long ticks = two_rates ? 4000 : 1500;
  const auto report = soak(*s, {.ticks = ticks, .seed = 5, .start_afresh_every = 1 + ticks / 3});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->ticks, ticks);
  EXPECT_EQ(report->starts, 3);
  for (int k = 0; k < promise::kinds; ++k) EXPECT_EQ(report->broken[k], 0) << promise::names[k];
  EXPECT_EQ(report->broken_promises(), 0);
  EXPECT_GT(report->ticks_with_force, ticks / 10);
  for (int k = 0; k < soak_fault::kinds; ++k)
    if (two_rates || k != soak_fault::low_rate_stalled) {
      EXPECT_GT(report->faults[k], 0) << soak_fault::names[k];
    }
  EXPECT_LE(report->worst_force_N, DeviceProfile{}.max_force_N * (1 + 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Soak, EveryLoop,
                         ::testing::Values("snap-in.yaml", "two-hands.yaml", "k16-two-hands.yaml"),
                         [](const auto& one) {
                           std::string name = one.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST(Soak, a_seed_gives_the_same_bits_and_another_seed_others) {
  std::uint64_t digest[3];
  for (int i = 0; i < 3; ++i) {
    auto s = scene("k16-sine.yaml");
    digest[i] = soak(*s, {.ticks = 3000, .seed = i < 2 ? 11u : 12u})->digest;
  }
  EXPECT_EQ(digest[0], digest[1]);
  EXPECT_NE(digest[0], digest[2]);
}

TEST(Soak, devices_without_limits_do_not_pass_for_such_with_limits) {
  auto s = scene("k16-sine.yaml");
  DeviceProfile promised;
  promised.max_force_N = 1;
  const auto report = soak(*s, {.ticks = 5000, .seed = 2, .promised = promised});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->cautious_devices, 0);
  for (const promise::Kind kind : {promise::force_bound, promise::ramp, promise::decay})
    EXPECT_GT(report->broken[kind], 0) << promise::names[kind];
  EXPECT_GE(report->first_broken.tick, 0);
}

TEST(Soak, a_scene_without_a_device_is_refused) {
  auto s = scene("falling-ball.yaml");
  ASSERT_TRUE(s);
  s->devices.clear();
  EXPECT_FALSE(soak(*s, {.ticks = 10}));
}

}  // namespace soak_test
}  // namespace palp
