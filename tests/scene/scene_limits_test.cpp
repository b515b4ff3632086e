// Scenes with numbers that nobody means: each is refused with its line, its column and what is permitted,
// before anything is built from it.
#include <gtest/gtest.h>

#include "palp/scene/limits.hpp"
#include "palp/scene/scene.hpp"

namespace palp {
namespace scene_limits_test {

const std::string good = R"(gravity: [0, 0, -9.81]
seconds: 1
contact: {mu: 0.4, alarmDistance: 0.01, contactDistance: 0.001}
solver: {tolerance: 1e-6, maxIterations: 100, budget: 0.01}
bodies:
  ball:
    model: linear
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}
    position: [0, 0, 0.2]
    rotation: [0, 0, 10]
    scale: 1.5
    youngModulus: 2e4
    poissonRatio: 0.3
    density: 1000
    rayleighMass: 0.1
    rayleighStiffness: 0.01
  tip:
    model: point
    position: [0, 0, 1]
    mass: 0.1
    damping: 1
    radius: 0.01
  thread:
    model: beam
    mesh: {generator: arc, radius: 0.05, angle: 1, segments: 4}
    youngModulus: 1e7
    section: {radius: 0.001, innerRadius: 0.0005}
    sectionY: [0, 0, 1]
    position: [1, 0, 0]
devices:
  hand:
    type: hand
    path: [{time: 0, position: [0, 0, 1], rotation: [0, 0, 0]}]
    sines: [{amplitude: [0, 0, 0], frequency: 1, phase: 1, start: 0}]
    mass: 0.5
    stiffness: 500
    damping: 10
    inertia: 5e-4
    angularStiffness: 2
    angularDamping: 0.04
    holds: {body: tip, stiffness: 100, damping: 1}
    profile: {maxForce: 3, maxTorque: 1, slew: 100, torqueSlew: 20, maxStiffness: 1000, sampleTime: 0.001, maxSpeed: 2, maxAngularSpeed: 20, ramp: 0.1, decay: 0.1, staleAfter: 0.1, lateAfter: 0.1}
)";

std::string told(const SceneResult& result) {
  std::string all;
  for (const auto& e : result.errors) all += e.text() + "\n";
  return all;
}

TEST(SceneLimits, the_honest_scene_loads) {
  const SceneResult result = build_scene({"good.yaml", good});
  EXPECT_TRUE(result.scene) << told(result);
}

TEST(SceneLimits, every_number_of_a_scene_is_bounded_and_the_refusal_names_place_and_range) {
  // Every number in the text, one after the other, becomes absurd in both directions.
  int numbers = 0;
  long line = 1, column = 1;
  for (size_t at = 0; at < good.size(); ++at) {
    const char c = good[at], before = at > 0 ? good[at - 1] : ' ';
    const bool begins = (std::isdigit(c) || c == '-') && (before == ' ' || before == '[');
    if (begins) {
      const size_t end = good.find_first_of(" ,]}\n", at);
      for (const char* absurd : {"1e300", "-1e300"}) {
        SCOPED_TRACE(std::to_string(line) + ":" + std::to_string(column) + " " + absurd);
        const SceneResult result =
            build_scene({"absurd.yaml", good.substr(0, at) + absurd + good.substr(end)});
        EXPECT_FALSE(result.scene);
        const bool found = std::any_of(result.errors.begin(), result.errors.end(), [&](const Error& e) {
          return e.line == line && e.column == column && e.file == "absurd.yaml" &&
                 e.message.find(absurd) != std::string::npos &&
                 e.remedy.find("it must be ") != std::string::npos;
        });
        EXPECT_TRUE(found) << told(result);
      }
      ++numbers;
    }
    ++column;
    if (c == '\n') ++line, column = 1;
  }
  EXPECT_GT(numbers, 60);
}

TEST(SceneLimits, the_smallest_and_largest_permitted_numbers_are_read) {
  for (const auto& [key, range] :
       {std::pair("mu: 0.4", limits::friction), {"density: 1000", limits::density_kg_per_m3}})
    for (const double value : {range.lo, range.hi}) {
      std::string text = good;
      const std::string name = std::string(key).substr(0, std::string(key).find(':'));
      char number[64];
      std::snprintf(number, sizeof number, ": %.17g", value);
      text.replace(text.find(key), std::string(key).size(), name + number);
      const SceneResult result = build_scene({"a.yaml", text});
      EXPECT_TRUE(result.scene) << told(result);
    }
}

TEST(SceneLimits, meshes_of_absurd_size_are_refused) {
  const std::string cells = "cells: [1, 1, 1]";
  for (const char* many : {"cells: [2000, 2000, 2000]", "cells: [1000000000, 1, 1]", "cells: [60, 60, 60]"}) {
    std::string text = good;
    text.replace(text.find(cells), cells.size(), many);
    const SceneResult result = build_scene({"a.yaml", text});
    EXPECT_FALSE(result.scene);
    ASSERT_FALSE(result.errors.empty());
    EXPECT_GT(result.errors[0].line, 0);
  }
}

TEST(SceneLimits, aliases_that_multiply_or_never_end_are_refused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), now = "a" + std::to_string(i);
    bomb += now + ": &" + now + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  std::string deep(40, '['), ring = "bodies: &b\n  a: {fixed: *b}\n";
  for (const std::string& text :
       {bomb, ring, "bodies: " + deep + std::string(40, ']') + "\n",
        "bodies: " + std::string(200'000, '[') + "\n", std::string(5u << 20, ' ')}) {
    const SceneResult result = build_scene({"bomb.yaml", text});
    EXPECT_FALSE(result.scene);
    ASSERT_EQ(result.errors.size(), 1u);
    EXPECT_FALSE(result.errors[0].remedy.empty());
    EXPECT_EQ(result.errors[0].file, "bomb.yaml");
  }
  // An override comes from outside too.
  EXPECT_FALSE(build_scene({"a.yaml", good, {{"bodies.ball.fixed", "&a [*a]"}}}).scene);
  // Honest use: one value for several bodies.
  std::string shared = good;
  shared.replace(shared.find("youngModulus: 2e4"), 17, "youngModulus: &E 2e4");
  shared.replace(shared.find("youngModulus: 1e7"), 17, "youngModulus: *E");
  EXPECT_TRUE(build_scene({"a.yaml", shared}).scene);
}

TEST(SceneLimits, a_hundred_thousand_wrong_keys_are_told_about_once_and_quickly) {
  std::string text = "bodies:\n  b:\n    model: rigid\n";
  for (int i = 0; i < 60'000; ++i) text += "    k" + std::to_string(i) + ": 1\n";
  const SceneResult result = build_scene({"a.yaml", text});
  EXPECT_FALSE(result.scene);
  EXPECT_LE(result.errors.size(), 100u);
}

}  // namespace scene_limits_test
}  // namespace palp
