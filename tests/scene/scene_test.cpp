#include "palp/scene/scene.hpp"

#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"
#include <gtest/gtest.h>
#include <unistd.h>

#include "palp/scene/run.hpp"
#include "palp/scene/scene_generator.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {
namespace scene_test {

using SceneText = testing::TextFile;

const char* const good = R"(dt: 0.005
contact: {mu: 0.4, alarmDistance: 0.01}
bodies:
  ball:
    model: corotational
    mesh: {generator: sphere, radius: 0.05, cellsAcross: 4}
    position: [0, 0, 0.06]
    youngModulus: 2e4
  floor:
    model: obstacle
    mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}
)";

TEST(Scene, a_small_scene_becomes_a_model_that_runs) {
  const SceneText text(good);
  SceneResult result = load_scene(text.path);
  ASSERT_TRUE(result.scene) << (result.errors.empty() ? "" : result.errors[0].text());
  const Model& model = result.scene->model;
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(model.bodies[0].name, "ball");
  EXPECT_TRUE(model.bodies[0].body->movable());
  EXPECT_FALSE(model.bodies[1].body->movable());
  ASSERT_EQ(model.rules.size(), 1u);
  EXPECT_EQ(model.rules[0].mu, 0.4);
  EXPECT_EQ(model.h_s, 0.005);
  SceneRun run(*result.scene);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(run.advance());
  EXPECT_GT(run.record().report.active_contacts, 0);
  EXPECT_NEAR(run.record().time_s, 0.3, 1e-12);
}

TEST(Scene, an_override_changes_one_value) {
  const SceneText text(good);
  SceneResult result = load_scene(text.path, {{"contact.mu", "0.7"}, {"bodies.ball.youngModulus", "1e5"}});
  ASSERT_TRUE(result.scene);
  EXPECT_EQ(result.scene->model.rules[0].mu, 0.7);
  EXPECT_FALSE(load_scene(text.path, {{"bodies.ball.youngsModulus", "1e5"}}).scene);
  EXPECT_FALSE(load_scene(text.path, {{"dt.x", "1"}}).scene);
}

TEST(Scene, an_override_reaches_entries_of_lists) {
  const SceneText text(std::string(good) + "pairs:\n  - {bodies: [ball, floor], mu: 0.1}\n");
  const auto mu = [&](const char* key, const char* value) {
    const SceneResult r = load_scene(text.path, {{key, value}});
    return r.scene ? r.scene->model.rules[0].mu : -1;
  };
  EXPECT_EQ(mu("gravity", "[0, 0, -1]"), 0.1);
  EXPECT_EQ(mu("pairs.0.mu", "0.8"), 0.8);
  EXPECT_EQ(mu("pairs.1.mu", "0.8"), -1);  // there is one entry
  EXPECT_EQ(mu("pairs.first.mu", "0.8"), -1);
  const SceneResult wrong = load_scene(text.path, {{"pairs.3.mu", "0.8"}});
  ASSERT_FALSE(wrong.errors.empty());
  EXPECT_NE(wrong.errors[0].message.find("--set pairs.3.mu"), std::string::npos);
}

/// One mistake: a line of the good scene replaced, where the error must be and what it must say.
struct Mistake {
  std::string what, from, to;
  long line;
  std::string says, advises;
};

TEST(Scene, every_mistake_is_reported_with_line_and_remedy) {
  const std::vector<Mistake> mistakes{
      {"misspelt key", "youngModulus: 2e4", "youngModulos: 2e4", 8, "youngModulos", "youngModulus"},
      {"misspelt top key", "dt: 0.005", "td: 0.005", 1, "unknown key 'td'", "dt"},
      {"misspelt model", "model: corotational", "model: corotationl", 5, "corotationl", "corotational"},
      {"misspelt generator", "generator: sphere", "generator: spheer", 6, "spheer", "sphere"},
      {"negative step", "dt: 0.005", "dt: -0.005", 1, "dt", "greater than 0"},
      {"step NaN", "dt: 0.005", "dt: .nan", 1, "finite number", ""},
      {"step infinite", "dt: 0.005", "dt: .inf", 1, "finite number", ""},
      {"number with unit", "youngModulus: 2e4", "youngModulus: 20 kPa", 8, "20 kPa", "without the unit"},
      {"negative friction", "mu: 0.4", "mu: -0.4", 2, "mu", "at least 0"},
      {"friction as a list", "mu: 0.4", "mu: [0.4]", 2, "a pair of a time and a value", ""},
      {"zero alarm distance", "alarmDistance: 0.01", "alarmDistance: 0", 2, "alarmDistance",
       "greater than 0"},
      {"zero modulus", "youngModulus: 2e4", "youngModulus: 0", 8, "youngModulus", "at least 0.001"},
      {"incompressible", "youngModulus: 2e4", "youngModulus: 2e4\n    poissonRatio: 0.5", 9, "poissonRatio",
       "0.5"},
      {"two numbers for a vector", "position: [0, 0, 0.06]", "position: [0, 0.06]", 7, "three numbers", ""},
      {"word in a vector", "position: [0, 0, 0.06]", "position: [0, 0, up]", 7, "up", ""},
      {"no model", "    model: corotational\n", "", 5, "'model' is missing", "corotational"},
      {"no mesh", "    mesh: {generator: sphere, radius: 0.05, cellsAcross: 4}\n", "", 5, "'mesh' is missing",
       "generator"},
      {"no modulus", "    youngModulus: 2e4\n", "", 5, "'youngModulus' is missing", "pascal"},
      {"mesh file missing", "generator: sphere, radius: 0.05, cellsAcross: 4", "file: nothing.msh", 6,
       "nothing.msh", ""},
      {"both file and generator", "generator: sphere", "file: a.msh, generator: sphere", 6,
       "either 'file' or 'generator'", ""},
      {"negative radius", "radius: 0.05", "radius: -0.05", 6, "radius", "greater than 0"},
      {"too few cells", "cellsAcross: 4", "cellsAcross: 1", 6, "cellsAcross", "3"},
      {"fractional cells", "cellsAcross: 4", "cellsAcross: 4.5", 6, "whole number", ""},
      {"key given twice", "youngModulus: 2e4", "youngModulus: 2e4\n    youngModulus: 3e4", 9, "given twice",
       "remove one"},
      {"selection of nothing", "youngModulus: 2e4",
       "youngModulus: 2e4\n    fixed: {box: [[9, 9, 9], [10, 10, 10]]}", 9, "selects no node",
       "lie in the box"},
      {"unknown node set", "youngModulus: 2e4", "youngModulus: 2e4\n    fixed: {set: handle}", 9, "handle",
       ""},
      {"node out of range", "youngModulus: 2e4", "youngModulus: 2e4\n    fixed: {nodes: [100000]}", 9,
       "100000", ""},
      {"pair with a stranger", "bodies:\n", "pairs: [{bodies: [ball, flor], mu: 1}]\nbodies:\n", 3, "flor",
       "floor"},
      {"pair with itself", "bodies:\n", "pairs: [{bodies: [ball, ball], mu: 1}]\nbodies:\n", 3,
       "two different", ""},
      {"pair of three", "bodies:\n", "pairs: [{bodies: [ball, floor, ball]}]\nbodies:\n", 3, "two bodies",
       ""},
      {"unknown solver", "bodies:\n", "solver: {name: colomb}\nbodies:\n", 3, "colomb", "coulomb"},
      {"zero iterations", "bodies:\n", "solver: {maxIterations: 0}\nbodies:\n", 3, "maxIterations",
       "at least 1"},
      {"attachment to itself", "bodies:\n", "attachments: [{bodies: [ball, ball], at: [0, 0, 0]}]\nbodies:\n",
       3, "itself", "two different"},
      {"attachments in a circle", "bodies:\n",
       "attachments: [{bodies: [ball, floor], at: [0, 0, 0]}, {bodies: [floor, ball], at: [0, 0, "
       "0]}]\nbodies:\n",
       3, "circle", "remove"},
      {"held in the world twice", "bodies:\n",
       "attachments: [{bodies: [ball], at: [0, 0, 0]}, {bodies: [ball], at: [0, 0, 0.001]}]\nbodies:\n", 3,
       "already held", "remove"},
      {"cells that are not three", "cells: [1, 1, 1]", "cells: [1, 1]", 11, "three whole numbers",
       "[4, 4, 4]"},
      {"half a cell", "cells: [1, 1, 1]", "cells: [1, 1, 1.5]", 11, "whole number", ""},
      {"not a number", "youngModulus: 2e4", "youngModulus: .nan", 8, "finite number", "SI"},
      {"infinite", "position: [0, 0, 0.06]", "position: [0, 0, .inf]", 7, "finite number", ""},
      {"attachment without place", "bodies:\n", "attachments: [{bodies: [ball]}]\nbodies:\n", 3,
       "'at' is missing", ""},
      {"device without path", "bodies:\n", "devices: {hand: {type: hand}}\nbodies:\n", 3, "'path' is missing",
       "way-points"},
      {"device of no type", "bodies:\n",
       "devices: {hand: {type: mouse, path: [{time: 0, position: [0,0,0]}]}}\nbodies:\n", 3, "mouse", "hand"},
      {"way-points out of order", "bodies:\n",
       "devices: {hand: {type: hand, path: [{time: 1, position: [0,0,0]}, {time: 0, position: "
       "[0,0,0]}]}}\nbodies:\n",
       3, "not later", "order"},
      {"grip on a body without frame", "bodies:\n",
       "devices: {hand: {type: hand, path: [{time: 0, position: [0,0,0]}], holds: {body: ball}}}\nbodies:\n",
       3, "no frame", "rigid"},
      {"bad indentation", "  floor:", " floor:", 9, "not valid YAML", "indentation"},
      {"unclosed bracket", "position: [0, 0, 0.06]", "position: [0, 0, 0.06", 7, "not valid YAML", ""},
      {"bodies as a list", "bodies:\n", "bodies: []\nboddies:\n", 3, "'bodies' must be a map", ""},
  };
  for (const Mistake& m : mistakes) {
    SCOPED_TRACE(m.what);
    std::string text = good;
    const size_t at = text.find(m.from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, m.from.size(), m.to);
    const SceneText file(text);
    const SceneResult result = load_scene(file.path);
    EXPECT_FALSE(result.scene);
    ASSERT_FALSE(result.errors.empty());
    const bool found = std::any_of(result.errors.begin(), result.errors.end(), [&](const Error& e) {
      return e.text().find(m.says) != std::string::npos && e.remedy.find(m.advises) != std::string::npos &&
             e.file == file.path && std::abs(e.line - m.line) <= 2 && e.line > 0;
    });
    std::string all;
    for (const auto& e : result.errors) all += "\n  " + e.text();
    EXPECT_TRUE(found) << all;
  }
}

TEST(Scene, missing_files_and_folders_are_errors_not_crashes) {
  EXPECT_FALSE(load_scene("/nonexistent/scene.yaml").scene);
  EXPECT_FALSE(load_scene(std::filesystem::temp_directory_path().string()).scene);
  const SceneText empty(""), scalar("42"), list("[1, 2]"), binary(std::string("\0\1\2\xff", 4));
  for (const auto* text : {&empty, &scalar, &list, &binary}) {
    const SceneResult result = load_scene(text->path);
    EXPECT_FALSE(result.scene);
    EXPECT_FALSE(result.errors.empty());
  }
}

TEST(Scene, a_ten_kilometre_ball_raises_suspicion) {
  std::string text = good;
  text.replace(text.find("radius: 0.05"), 12, "radius: 10000");
  const SceneText file(text);
  const SceneResult result = load_scene(file.path);
  bool suspicious = false;
  for (const auto& w : result.warnings)  // with its place and what to do
    suspicious |= w.find(":6:11: 'bodies.ball.mesh': the size is unlikely in metres") != std::string::npos &&
                  w.find("scale the mesh") != std::string::npos;
  EXPECT_TRUE(suspicious);
}

TEST(Scene, the_example_of_the_documentation_runs_and_every_generator_is_in_it) {
  std::ifstream page(std::string(PALP_SOURCE_DIR) + "/docs/scene.md");
  const std::string text((std::istreambuf_iterator<char>(page)), {});
  const size_t begin = text.find("```yaml\n") + 8, end = text.find("```", begin);
  const SceneText example(text.substr(begin, end - begin));
  SceneResult result = load_scene(example.path);
  ASSERT_TRUE(result.scene) << (result.errors.empty() ? "" : result.errors[0].text());
  SceneRun run(*result.scene);
  bool touched = false;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(run.advance());
    touched |= run.record().report.active_contacts > 0;
  }
  EXPECT_TRUE(touched);
  for (const std::string& name : generator_names())
    EXPECT_NE(text.find("` | " + name + " |"), std::string::npos) << name;
}

TEST(Scene, a_hand_that_presses_a_ball_on_a_table_is_a_scene_of_less_than_25_lines) {
  const std::string path = std::string(PALP_SOURCE_DIR) + "/scenes/soft-ball-on-table.yaml";
  std::ifstream in(path);
  int lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  EXPECT_LT(lines, 25);
  SceneResult result = load_scene(path);
  ASSERT_TRUE(result.scene);
  SceneRun run(*result.scene);
  while (run.state().time_s < 1) {
    ASSERT_TRUE(run.advance());
    EXPECT_TRUE(run.record().report.converged) << run.record().time_s;
  }
  // The ball is pressed: the hand is pushed up.
  EXPECT_GT(run.record().hands[0].wrench.force.z(), 0.5);
}

TEST(Scene, the_scenes_of_the_project_are_sound) {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PALP_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    const SceneResult result = load_scene(entry.path().string());
    EXPECT_TRUE(result.scene) << entry.path() << (result.errors.empty() ? "" : result.errors[0].text());
    ++scenes;
  }
  EXPECT_GE(scenes, 2);
}

TEST(Scene, slow_snap_in_shows_push_snap_and_pull) {
  // D06 §7.2: the force rises while the clip opens, falls (even pulls) when it snaps, and holds back the
  // pull. The hand moves at 16 mm/s: the clip needs half a second for the 8 mm from its widest place to its
  // seat.
  SceneResult result = load_scene(std::string(PALP_SOURCE_DIR) + "/scenes/snap-in.yaml");
  ASSERT_TRUE(result.scene);
  SceneRun run(*result.scene);
  double push = 0, pull = 0, lowest_after_push = 1e9, time_of_push = 0;
  while (run.state().time_s < 6) {
    ASSERT_TRUE(run.advance());
    const double f = run.record().hands[0].wrench.force.y();
    const double t = run.record().time_s;
    if (t < 2 && f > push) {
      push = f;
      time_of_push = t;
      lowest_after_push = 1e9;
    }
    if (t > time_of_push && t < time_of_push + 0.6) lowest_after_push = std::min(lowest_after_push, f);
    pull = std::min(pull, f);
  }
  EXPECT_GT(push, 10);
  EXPECT_LT(lowest_after_push, -0.2 * push);
  EXPECT_LT(pull, -10);
  EXPECT_NEAR(run.record().hands[0].wrench.force.norm(), 0, 0.1);  // free again
  EXPECT_LE(run.record().given_J, 0);                              // the user paid for it
}

TEST(StrictYaml, the_nearest_name_is_found_only_when_it_is_near) {
  EXPECT_EQ(nearest_name("youngmodulus", {"youngModulus", "density"}), "youngModulus");
  EXPECT_EQ(nearest_name("densty", {"youngModulus", "density"}), "density");
  EXPECT_FALSE(nearest_name("zzzzzz", {"youngModulus", "density"}));
}

}  // namespace scene_test
}  // namespace palp
