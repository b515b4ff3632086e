// What a scene says about bodies that overlap where it starts, and scenes of exact shapes.
#include "scene/scene_text.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/mass_properties.hpp"
#include "palp/scene/run.hpp"

namespace palp {
namespace start_overlap_test {

using palp::testing::TextFile;

std::string boxes_at(const std::string& height) {
  return R"(dt: 0.005
contact: {mu: 0.3, alarmDistance: 0.002}
bodies:
  upper:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}
    position: [0, 0, )" +
         height + R"(]
  lower:
    model: obstacle
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}
)";
}

TEST(StartOverlap, boxes_that_touch_are_no_overlap) {
  const TextFile file(boxes_at("0.1"));
  const SceneResult result = load_scene(file.path);
  ASSERT_TRUE(result.scene);
  EXPECT_TRUE(result.warnings.empty()) << result.warnings[0];
}

TEST(StartOverlap, a_shallow_one_is_a_warning_with_its_depth) {
  const TextFile file(boxes_at("0.0985"));
  const SceneResult result = load_scene(file.path);
  ASSERT_TRUE(result.scene);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_NE(result.warnings[0].find("'upper' and 'lower' overlap by 1.5 mm"), std::string::npos)
      << result.warnings[0];
}

TEST(StartOverlap, one_deeper_than_contact_finds_is_refused_with_the_true_depth_and_a_remedy) {
  const TextFile file(boxes_at("0.085"));
  const SceneResult result = load_scene(file.path);
  EXPECT_FALSE(result.scene);
  ASSERT_EQ(result.errors.size(), 1u);
  const std::string text = result.errors[0].text();
  EXPECT_NE(text.find("overlap by 15 mm"), std::string::npos) << text;
  EXPECT_NE(text.find("ignore: true"), std::string::npos) << text;
}

TEST(StartOverlap, pairs_that_are_ignored_may_overlap) {
  const TextFile file(boxes_at("0.05") + "pairs: [{bodies: [upper, lower], ignore: true}]\n");
  EXPECT_TRUE(load_scene(file.path).scene);
}

TEST(ExactShapes, a_ball_of_a_scene_rolls_and_a_capsule_and_a_rounded_box_rest) {
  const TextFile file(R"(dt: 0.005
seconds: 1
contact: {mu: 0.6}
bodies:
  ball: {model: rigid, mesh: {generator: ball, radius: 0.03}, position: [0, 0, 0.03]}
  capsule: {model: rigid, mesh: {generator: capsule, radius: 0.01, length: 0.06}, rotation: [90, 0, 0], position: [0.3, 0, 0.01]}
  box: {model: rigid, mesh: {generator: roundedBox, size: [0.06, 0.04, 0.02], radius: 0.004}, position: [-0.3, 0, 0.01]}
  floor: {model: obstacle, mesh: {generator: box, size: [4, 1, 0.1], centre: [0, 0, -0.05], cells: [1, 1, 1]}}
gravity: [1, 0, -9.81]
)");
  SceneResult result = load_scene(file.path);
  ASSERT_TRUE(result.scene) << result.errors[0].text();
  EXPECT_TRUE(result.warnings.empty()) << result.warnings[0];
  SceneRun run(*result.scene);
  while (run.state().time_s < 1 - 1e-9) ASSERT_TRUE(run.advance());
  const auto& bodies = run.state().bodies;
  const double t = run.state().time_s;
  EXPECT_NEAR(bodies[0].v[0], 5.0 / 7 * t, 2e-3);
  EXPECT_NEAR(bodies[0].v[4] * 0.03, 5.0 / 7 * t, 2e-3);
  EXPECT_NEAR(bodies[2].x[0], -0.3, 1e-6);
  EXPECT_NEAR(bodies[2].x[2], 0.01, 1e-6);
  // The capsule lies along y and rolls along x: a = g / (1 + I/(m r²)).
  const MassProperties m = *mass_properties(*round_capsule(0.01, 0.06, Vec3::Zero()), 1000);
  EXPECT_NEAR(bodies[1].v[0], t / (1 + m.inertia_kg_m2(2, 2) / (m.mass_kg * 1e-4)), 2e-3);
}

TEST(ExactShapes, impossible_ones_are_refused_with_the_reason) {
  for (const auto& [mesh, reason] : std::vector<std::pair<std::string, std::string>>{
           {"{generator: capsule, radius: 0.05, length: 0.1}", "more than twice the radius"},
           {"{generator: roundedBox, size: [0.1, 0.1, 0.01], radius: 0.005}", "more than twice the radius"},
           {"{generator: ball, radius: -1}", "radius"}}) {
    const TextFile file("bodies: {a: {model: rigid, mesh: " + mesh + "}}\n");
    const SceneResult result = load_scene(file.path);
    EXPECT_FALSE(result.scene);
    ASSERT_FALSE(result.errors.empty());
    EXPECT_NE(result.errors[0].text().find(reason), std::string::npos) << result.errors[0].text();
    EXPECT_EQ(result.errors[0].line, 1);
  }
}

}  // namespace start_overlap_test
}  // namespace palp
