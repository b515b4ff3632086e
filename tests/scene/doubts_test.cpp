// Scenes that are possible but hardly meant are warned about; a run that blows up is never a success.
#include "scene/analytic.hpp"
#include "scene/scene_text.hpp"

namespace palp {
namespace doubts_test {

using testing::TextFile;

std::vector<std::string> warnings_of(const std::string& text) {
  const SceneResult result = build_scene({"scene.yaml", text});
  for (const Error& e : result.errors) ADD_FAILURE() << e.text();
  return result.warnings;
}

bool told(const std::vector<std::string>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

/// A closed box of triangles, outwards or inwards, `size` large.
std::string obj_box(double size, bool inwards) {
  std::string text;
  for (int v = 0; v < 8; ++v)
    text += "v " + std::to_string(size * (v & 1)) + " " + std::to_string(size * (v >> 1 & 1)) + " " +
            std::to_string(size * (v >> 2 & 1)) + "\n";
  const int faces[12][3] = {{1, 3, 4}, {1, 4, 2}, {5, 6, 8}, {5, 8, 7}, {1, 2, 6}, {1, 6, 5},
                            {3, 7, 8}, {3, 8, 4}, {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}};
  for (const auto& f : faces)
    text += "f " + std::to_string(f[0]) + " " + std::to_string(f[inwards ? 2 : 1]) + " " +
            std::to_string(f[inwards ? 1 : 2]) + "\n";
  return text;
}

TEST(Doubts, a_part_in_millimetres_is_out_of_proportion) {
  const TextFile part(obj_box(50, false), ".obj");
  const auto scene = [&](const std::string& scale) {
    return "bodies:\n  part: {model: rigid, position: [0, 0, 0.1], " + scale + "mesh: {file: " + part.path +
           "}}\n  floor: {model: obstacle, mesh: {generator: box, size: [0.4, 0.4, 0.02], centre: [0, 0, "
           "-0.01]}}\n";
  };
  const auto doubted = warnings_of(scene(""));
  EXPECT_TRUE(told(doubted, "scale: 0.001"));
  EXPECT_TRUE(told(doubted, "scene.yaml:2:"));
  EXPECT_TRUE(warnings_of(scene("scale: 0.001, ")).empty());
}

TEST(Doubts, honest_sizes_are_not_doubted) {
  EXPECT_TRUE(warnings_of(R"(bodies:
  ball: {model: rigid, position: [0, 0, 0.3], mesh: {generator: ball, radius: 0.05}}
  floor: {model: obstacle, mesh: {generator: box, size: [10, 10, 0.1], centre: [0, 0, -0.05]}}
)")
                  .empty());
}

TEST(Doubts, surfaces_that_are_inside_out_are_named) {
  const TextFile part(obj_box(0.05, true), ".obj");
  testing::expect_refused("bodies: {part: {model: obstacle, mesh: {file: " + part.path + "}}}\n",
                          "inside out");
  EXPECT_TRUE(told(warnings_of("bodies: {part: {model: corotational, youngModulus: 1e5, mesh: {file: " +
                               part.path + "}}}\n"),
                   "inside out"));
}

TEST(Doubts, a_hand_without_a_spring_is_warned_about) {
  const auto scene = [](const std::string& type) {
    return R"(bodies:
  block:
    model: linear
    youngModulus: 1e7
    mesh: {generator: box, cells: [2, 2, 2]}
    grasp: {box: [[-1, -1, 0.049], [1, 1, 1]]}
devices:
  hand: {type: )" +
           type + R"(, path: [{time: 0, position: [0, 0, 0]}], holds: {body: block}}
)";
  };
  EXPECT_TRUE(told(warnings_of(scene("hand")), "without a spring"));
  EXPECT_FALSE(told(warnings_of(scene("script")), "without a spring"));
}

TEST(Doubts, walls_of_one_cell_of_elements_that_lock_are_named) {
  const auto scene = [](const std::string& elements, int high) {
    return "bodies: {bar: {model: linear, youngModulus: 1e6, fixed: {box: [[-1, -1, -1], [1e-6, 1, 1]]}, "
           "mesh: "
           "{generator: bar, cellsWide: 1, cellsHigh: " +
           std::to_string(high) + ", elements: " + elements + "}}}\n";
  };
  EXPECT_TRUE(told(warnings_of(scene("trilinearHexes", 1)), "from one side to the other"));
  EXPECT_FALSE(told(warnings_of(scene("hexes", 1)), "from one side to the other"));
}

TEST(Doubts, a_run_that_blows_up_fails) {
  // A force of 1e9 N on a gram: finite all the way, and nonsense after the first steps.
  auto scene = testing::scene_of(R"(dt: 0.01
seconds: 1
gravity: [0, 0, 0]
bodies:
  bead: {model: point, mass: 0.001, loads: [{force: [1e9, 0, 0]}]}
)");
  ASSERT_TRUE(scene);
  const auto run = measure_run(*scene);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("more energy than any explosive"), std::string::npos);
}

}  // namespace doubts_test
}  // namespace palp
