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
    EXPECT_TRUE(loaded.scene->glc) << name;
  }
}

TEST(GlcScene, a_swipe_is_felt_and_repeats_bit_for_bit) {
  std::vector<Vec3> first;
  for (int round = 0; round < 2; ++round) {
    SceneResult loaded = load_scene(scene_file("k16-sine.yaml"));
    ASSERT_TRUE(loaded.scene);
    SceneRun run(*loaded.scene);
    ASSERT_TRUE(run.glc());
    EXPECT_EQ(run.step_s(), 1e-3);
    int low_steps = 0;
    for (int tick = 0; tick < 200; ++tick) {
      ASSERT_TRUE(run.advance());
      low_steps += run.record().low_step;
      const Vec3 force = run.record().hands[0].wrench.force;
      if (round == 0)
        first.push_back(force);
      else
        ASSERT_EQ(force, first[tick]) << tick;
    }
    EXPECT_EQ(low_steps, 7);  // at ticks 0, 33, …, 198
    EXPECT_GT(first[99].z(), 0.5);
  }
}

TEST(GlcScene, mistakes_are_told_with_a_remedy) {
  const auto errors = [](std::vector<SceneOverride> changes) {
    return load_scene(scene_file("k16-sine.yaml"), changes).errors;
  };
  const std::vector<std::vector<SceneOverride>> mistakes{
      {{"haptics.contact", "sticky"}},
      {{"haptics.range", "-0.01"}},
      {{"haptics.contact", "standard"}},  // has no range
      {{"bodies.proxy", "{model: rigid, rate: high, mesh: {generator: icosphere, radius: 0.002}}"}},
  };
  for (const auto& mistake : mistakes) {
    const auto told = errors(mistake);
    ASSERT_FALSE(told.empty()) << mistake[0].key;
    EXPECT_FALSE(told[0].remedy.empty()) << told[0].text();
  }
}

}  // namespace glc_scene_test
}  // namespace palp
