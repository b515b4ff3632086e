// Quantities of a run against statics: what pulls is carried by the supports, at every rate.
#include "palp/scene/quantities.hpp"

#include <algorithm>

#include "scene/scene_text.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace quantities_test {

using testing::TextFile;

std::unique_ptr<Scene> load(const std::string& text) {
  const TextFile file(text);
  SceneResult result = load_scene(file.path);
  for (const Error& e : result.errors) ADD_FAILURE() << e.text();
  return std::move(result.scene);
}

Quantity of(const std::vector<Quantity>& list, const std::string& name) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const Quantity& q) { return q.name == name; });
  if (at != list.end()) return *at;
  ADD_FAILURE() << "no " << name;
  return {};
}

std::vector<Quantity> measure(const std::string& text) {
  auto scene = load(text);
  if (!scene) return {};
  auto list = measure_run(*scene);
  if (list) return *list;
  ADD_FAILURE() << list.error().text();
  return {};
}

TEST(Quantities, a_bar_that_is_pulled_at_one_end_is_held_at_the_other) {
  // The pull grows evenly for 0.4 s to E A d/L and stays for 0.1 s: in 50 steps its mean is 30.5/50 of it.
  const auto list = measure(R"(dt: 0.01
seconds: 0.5
gravity: [0, 0, 0]
bodies:
  bar:
    model: linear
    mesh: {generator: box, size: [0.2, 0.04, 0.04], cells: [6, 2, 2]}
    youngModulus: 2e5
    poissonRatio: 0
    quasiStatic: true
    fixed: {box: [[-0.11, -1, -1], [-0.099, 1, 1]]}
    grasp: {box: [[0.099, -1, -1], [0.11, 1, 1]]}
devices:
  puller:
    type: script
    smooth: false
    path: [{time: 0, position: [0.1, 0.03, 0]}, {time: 0.4, position: [0.102, 0.03, 0]}]
    holds: {body: bar}
)");
  const double force = 2e5 * 0.04 * 0.04 * 0.002 / 0.2;
  for (const char* name : {"puller.peakForce", "bar.reaction", "bar.peakReaction"}) {
    EXPECT_NEAR(of(list, name).value, force, 1e-6 * force) << name;
    EXPECT_STREQ(of(list, name).unit, "N");
  }
  EXPECT_NEAR(of(list, "puller.meanForce").value, force * 30.5 / 50, 1e-6 * force);
  EXPECT_NEAR(of(list, "puller.peakTorque").value, force * 0.03, 1e-6 * force);  // held beside its axis
  EXPECT_STREQ(of(list, "puller.peakTorque").unit, "N·m");
  EXPECT_NEAR(of(list, "puller.meanTorque").value, force * 0.03 * 30.5 / 50, 1e-6 * force);
  ASSERT_TRUE(of(list, "bar.peakReaction").at_s);
  EXPECT_GT(*of(list, "bar.peakReaction").at_s, 0.39);
  EXPECT_FALSE(of(list, "bar.reaction").at_s);
}

TEST(Quantities, supports_carry_the_weight_of_solids_and_beams) {
  const std::string text = R"(dt: 0.01
seconds: 1
bodies:
  block:
    model: corotational
    mesh: {generator: box, size: [0.04, 0.04, 0.04], cells: [2, 2, 2]}
    youngModulus: 1e5
    quasiStatic: true
    fixed: {box: [[-1, -1, 0.019], [1, 1, 1]]}
  beam:
    model: beam
    mesh: {generator: straight, from: [0.2, 0, 0], to: [0.3, 0, 0], segments: 5}
    section: {radius: 0.002}
    youngModulus: 1e9
    quasiStatic: true
    fixed: {nodes: [0]}
)";
  const auto list = measure(text);
  EXPECT_NEAR(of(list, "block.reaction").value, 9.81 * 1000 * 0.04 * 0.04 * 0.04, 1e-6);
  EXPECT_NEAR(of(list, "beam.reaction").value, 9.81 * 1000 * 3.14159265 * 4e-6 * 0.1, 1e-6);
}

/// At rest and without weight, the supports carry what the hand feels.
void expect_balance(const std::string& text, const std::string& body, const std::string& hand) {
  auto scene = load(text);
  ASSERT_TRUE(scene);
  SceneRun run(*scene);
  RunQuantities quantities(*scene);
  while (run.state().time_s < scene->seconds) {
    ASSERT_TRUE(run.advance());
    quantities.add(run);
  }
  const double felt = run.record().hands[0].wrench.force.norm();
  ASSERT_GT(felt, 0.1);
  EXPECT_NEAR(of(quantities.list(), body + ".reaction").value, felt, 0.01 * felt);
  EXPECT_GE(of(quantities.list(), hand + ".peakForce").value, felt);
}

TEST(Quantities, at_two_rates_the_supports_carry_what_the_hand_feels) {
  expect_balance(R"(seconds: 1
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 50}
contact: {mu: 0.3, alarmDistance: 0.0008}
bodies:
  block:
    model: corotational
    mesh: {generator: box, size: [0.06, 0.06, 0.03], centre: [0, 0, -0.015], cells: [4, 4, 2]}
    youngModulus: 3e4
    rayleighStiffness: 0.005
    fixed: {box: [[-1, -1, -1], [1, 1, -0.029]]}
  tool:
    model: rigid
    rate: high
    mesh: {generator: icosphere, radius: 0.006, subdivisions: 1}
    position: [0.003, 0.002, 0.0065]
devices:
  hand:
    type: script
    path: [{time: 0, position: [0.003, 0.002, 0.0065]}, {time: 0.3, position: [0.003, 0.002, 0.002]}]
    holds: {body: tool, stiffness: 800, damping: 1}
)",
                 "block", "hand");
}

TEST(Quantities, a_tool_at_the_high_rate_has_supports_too) {
  expect_balance(R"(seconds: 1
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 50}
bodies:
  thread:
    model: beam
    rate: high
    mesh: {generator: straight, from: [0, 0, 0], to: [0.1, 0, 0], segments: 5}
    section: {radius: 0.002}
    youngModulus: 1e7
    rayleighStiffness: 0.01
    rayleighMass: 20
    fixed: {nodes: [0]}
devices:
  hand:
    type: script
    path: [{time: 0, position: [0.1, 0, 0]}, {time: 0.3, position: [0.105, 0, 0]}]
    holds: {body: thread, frame: 5, stiffness: 800}
)",
                 "thread", "hand");
}

TEST(Quantities, points_that_touch_by_glcs_press_on_the_supports) {
  expect_balance(R"(seconds: 1.5
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 50, contact: glc, range: 0.015}
contact: {mu: 0.2}
bodies:
  bar:
    model: corotational
    mesh: {generator: box, size: [0.12, 0.03, 0.02], cells: [8, 3, 2]}
    youngModulus: 5e4
    rayleighStiffness: 0.02
    fixed: [{box: [[-0.061, -1, -1], [-0.059, 1, 1]]}, {box: [[0.059, -1, -1], [0.061, 1, 1]]}]
  above: {model: point, rate: high, mass: 0.001, position: [0, 0.001, 0.0102]}
devices:
  hand:
    type: script
    path: [{time: 0, position: [0, 0.001, 0.0102]}, {time: 0.1, position: [0, 0.001, 0.007]}]
    holds: {body: above, stiffness: 800, damping: 0.8}
)",
                 "bar", "hand");
}

TEST(Quantities, only_bodies_with_supports_have_a_reaction) {
  auto scene = load(R"(bodies:
  ball: {model: corotational, youngModulus: 1e5, mesh: {generator: sphere, cellsAcross: 3}}
devices:
  hand: {type: script, path: [{time: 0, position: [0, 0, 0]}], holds: {body: ball, nodes: all, stiffness: 10}}
)");
  ASSERT_TRUE(scene);
  EXPECT_EQ(quantity_names(*scene), (std::vector<std::string>{"hand.peakForce", "hand.meanForce",
                                                              "hand.peakTorque", "hand.meanTorque"}));
}

}  // namespace quantities_test
}  // namespace palp
