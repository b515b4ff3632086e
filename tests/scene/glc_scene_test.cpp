// haptics: {contact: glc} in scene files.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "palp/scene/run.hpp"

namespace palp {
namespace glc_scene_test {

std::string scene_file(const char* name) {
  return std::string(PALP_SOURCE_DIR).append("/scenes/").append(name);
}

TEST(GlcScene, every_scene_of_k16_loads) {
  for (const char* name : {"k16-sine.yaml", "k16-soft-sine.yaml", "k16-statue.yaml", "k16-soft-statue.yaml",
                           "k16-two-hands.yaml", "k16-graded.yaml"}) {
    const SceneResult loaded = load_scene(scene_file(name));
    for (const Error& e : loaded.errors) ADD_FAILURE() << e.text();
    ASSERT_TRUE(loaded.scene) << name;
    EXPECT_FALSE(loaded.scene->two_rate->limited_tools.empty()) << name;
  }
}

TEST(GlcScene, a_swipe_is_felt_and_repeats_bit_for_bit) {
  std::vector<Vec3> first;
  for (int round = 0; round < 2; ++round) {
    SceneResult loaded = load_scene(scene_file("k16-sine.yaml"));
    ASSERT_TRUE(loaded.scene);
    SceneRun run(*loaded.scene);
    ASSERT_TRUE(run.loop());
    EXPECT_EQ(run.step_s(), 1e-3);
    int last = -33;  // a low-rate step every 33 ticks, on rigid ground every sixth part of it if need be
    for (int tick = 0; tick < 200; ++tick) {
      ASSERT_TRUE(run.advance());
      if (tick % 33 == 0) {
        EXPECT_TRUE(run.record().low_step) << tick;
      } else if (run.record().low_step) {
        EXPECT_GE(tick - last, 6) << tick;
      }
      if (run.record().low_step) last = tick;
      const Vec3 force = run.record().hands[0].wrench.force;
      if (round == 0)
        first.push_back(force);
      else
        ASSERT_EQ(force, first[tick]) << tick;
    }
    EXPECT_GT(first[99].z(), 0.5);
  }
}

/// The largest force of a swipe, after changes of the scene.
double largest_force(const std::vector<SceneOverride>& changes, int* limited) {
  SceneResult loaded = load_scene(scene_file("k16-sine.yaml"), changes);
  for (const Error& e : loaded.errors) ADD_FAILURE() << e.text();
  if (!loaded.scene) return 0;
  SceneRun run(*loaded.scene);
  double largest = 0;
  for (int tick = 0; tick < 150; ++tick) {
    EXPECT_TRUE(run.advance());
    largest = std::max(largest, run.record().hands[0].wrench.force.norm());
    *limited = std::max(*limited, run.loop()->report().limited);
  }
  return largest;
}

TEST(GlcScene, a_pair_says_how_it_touches) {
  int of_scene = 0, of_pair = 0, none = 0;
  const double shipped = largest_force({}, &of_scene);
  const SceneOverride standard{"haptics", "{rate: 1000, lowRate: 30.3030303, maxContacts: 100}"};
  const double said =
      largest_force({standard, {"pairs", "[{bodies: [surface, proxy], mu: 0.1, contact: glc}]"}}, &of_pair);
  largest_force({standard}, &none);
  EXPECT_GT(of_scene, 10);
  EXPECT_EQ(of_pair, of_scene);
  EXPECT_EQ(none, 0);
  EXPECT_EQ(said, shipped);  // the same bits
}

// A hand that tears the point through the air faster than its region reaches: every such tick is noted.
TEST(GlcScene, a_point_that_its_region_holds_back_is_counted_for_its_device) {
  SceneResult loaded =
      load_scene(scene_file("k16-sine.yaml"), {{"haptics.range", "0.003"},
                                               {"devices.hand.path",
                                                "[{time: 0, position: [0.0125, 0.0003, 0.001]}, "
                                                "{time: 0.1, position: [0.0125, 0.3, 0.2]}]"}});
  ASSERT_TRUE(loaded.scene) << loaded.errors[0].text();
  SceneRun run(*loaded.scene);
  std::uint64_t held = 0;
  for (int tick = 0; tick < 100; ++tick) {
    ASSERT_TRUE(run.advance());
    held += run.record().held_back > 0;
    const bool noted = (run.tick_record().interventions & intervention::region) != 0;
    EXPECT_EQ(noted, run.record().held_back > 0) << tick;
  }
  EXPECT_GT(held, 10u);
  EXPECT_EQ(run.safety(0).counts().of(intervention::region), held);
}

TEST(GlcScene, shares_of_the_time_are_read) {
  const SceneResult loaded = load_scene(scene_file("k16-sine.yaml"),
                                        {{"haptics.tickShare", "0.35"}, {"haptics.lowShare", "0.25"}});
  ASSERT_TRUE(loaded.scene);
  EXPECT_EQ(loaded.scene->two_rate->settings.tick_share, 0.35);
  EXPECT_EQ(loaded.scene->two_rate->settings.low_share, 0.25);
}

TEST(GlcScene, mistakes_are_told_with_a_remedy) {
  const auto errors = [](std::vector<SceneOverride> changes) {
    return load_scene(scene_file("k16-sine.yaml"), changes).errors;
  };
  const std::vector<std::vector<SceneOverride>> mistakes{
      {{"haptics.contact", "sticky"}},
      {{"haptics.range", "-0.01"}},
      {{"haptics.tickShare", "1.5"}},
      {{"haptics.contact", "standard"}},  // has no range
      {{"pairs", "[{bodies: [surface, proxy], contact: sticky}]"}},
      {{"bodies.proxy", "{model: rigid, rate: high, density: 1000, mesh: {generator: ball, radius: 0.002}}"}},
  };
  for (const auto& mistake : mistakes) {
    const auto told = errors(mistake);
    ASSERT_FALSE(told.empty()) << mistake[0].key;
    EXPECT_FALSE(told[0].remedy.empty()) << told[0].text();
  }
}

}  // namespace glc_scene_test
}  // namespace palp
