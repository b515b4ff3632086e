#include <sstream>

#include "scene/scene_text.hpp"
#include <gtest/gtest.h>

#include "palp/scene/run_series.hpp"

namespace palp {
namespace hold_test {

using testing::TextFile;

/// A bar of 20 × 4 × 4 cm, clamped at its left end, whose right end a device carries.
const char* const bar = R"(dt: 0.01
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
    path: [{time: 0, position: [0.1, 0, 0]}, {time: 0.4, position: [0.102, 0, 0]}]
    holds: {body: bar}
)";

std::unique_ptr<Scene> load(const std::string& path, std::vector<SceneOverride> set = {}) {
  SceneResult result = load_scene(path, set);
  for (const Error& e : result.errors) ADD_FAILURE() << e.text();
  return std::move(result.scene);
}

std::string errors_of(const std::string& text) {
  const TextFile file(text);
  std::string all;
  for (const Error& e : load_scene(file.path).errors) all += e.text() + "\n";
  return all;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Holds, a_script_pulls_a_grasp_and_the_device_is_told_the_force) {
  const TextFile file(bar);
  auto scene = load(file.path);
  ASSERT_TRUE(scene);
  ASSERT_EQ(scene->grasps.size(), 1u);
  EXPECT_EQ(scene->grasps[0].frames.size(), 9u);  // 3 × 3 nodes of the end
  SceneRun run(*scene);
  while (run.state().time_s < 0.49) ASSERT_TRUE(run.advance());
  const double force = 2e5 * 0.04 * 0.04 * 0.002 / 0.2;
  EXPECT_LT((run.record().hands[0].wrench.force - Vec3(-force, 0, 0)).norm(), 1e-6 * force);
  EXPECT_NEAR(run.record().given_J, -0.5 * force * 0.002, 0.05 * force * 0.002);  // the work of a spring
}

TEST(Holds, two_devices_carry_two_parts_of_one_body) {
  std::string text = with(bar, "fixed: {box: [[-0.11, -1, -1], [-0.099, 1, 1]]}", "");
  text = with(text, "grasp: {box: [[0.099, -1, -1], [0.11, 1, 1]]}",
              "grasp: [{box: [[0.099, -1, -1], [0.11, 1, 1]]}, {box: [[-0.11, -1, -1], [-0.099, 1, 1]]}]");
  text = with(text, "holds: {body: bar}", R"(holds: {body: bar, nodes: {box: [[0.099, -1, -1], [0.11, 1, 1]]}}
  holder:
    type: script
    path: [{time: 0, position: [-0.1, 0, 0]}]
    holds: {body: bar, rigid: true, nodes: {box: [[-0.11, -1, -1], [-0.099, 1, 1]]}})");
  const TextFile file(text);
  auto scene = load(file.path);
  ASSERT_TRUE(scene);
  SceneRun run(*scene);
  while (run.state().time_s < 0.49) ASSERT_TRUE(run.advance());
  const auto& hands = run.record().hands;
  EXPECT_LT(hands[0].wrench.force.x(), -0.1);
  EXPECT_LT((hands[0].wrench.force + hands[1].wrench.force).norm(), 1e-9);  // nothing else holds the bar
}

TEST(Holds, a_moving_obstacle_pushes_a_body_along) {
  const TextFile file(R"(dt: 0.005
contact: {mu: 0.3, alarmDistance: 0.005}
bodies:
  brick:
    model: rigid
    mesh: {generator: box, size: [0.04, 0.04, 0.04], cells: [1, 1, 1], centre: [0, 0, 0.0201]}
  floor:
    model: obstacle
    mesh: {generator: box, size: [1, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}
  pusher:
    model: obstacle
    mesh: {generator: box, size: [0.02, 0.1, 0.03], cells: [1, 1, 1], centre: [-0.0301, 0, 0.02]}
pairs: [{bodies: [brick, pusher], mu: 0}]
devices:
  rail: {type: script, smooth: false, path: [{time: 0, position: [0, 0, 0]}, {time: 1, position: [0.1, 0, 0]}], holds: {body: pusher}}
)");
  auto scene = load(file.path);
  ASSERT_TRUE(scene);
  SceneRun run(*scene);
  while (run.state().time_s < 0.9) ASSERT_TRUE(run.advance());
  EXPECT_NEAR(run.state().bodies[0].x[0], 0.09, 1e-3);
  const double weight = 9.81 * scene->model.bodies[0].body->mass();
  EXPECT_NEAR(run.record().hands[0].wrench.force.x(), -0.3 * weight,
              1e-3 * weight);  // pushes against friction
}

TEST(Holds, springs_on_nodes_hold_a_soft_ball) {
  const TextFile file(R"(dt: 0.005
bodies:
  ball:
    model: corotational
    mesh: {generator: sphere, radius: 0.03, cellsAcross: 4}
    youngModulus: 1e5
    rayleighMass: 5
devices:
  hand:
    type: script
    path: [{time: 0, position: [0, 0, 0]}]
    holds: {body: ball, nodes: all, stiffness: 200}
)");
  auto scene = load(file.path);
  ASSERT_TRUE(scene);
  SceneRun run(*scene);
  while (run.state().time_s < 6) ASSERT_TRUE(run.advance());
  const double weight = 9.81 * scene->model.bodies[0].body->mass();
  EXPECT_NEAR(run.record().hands[0].wrench.force.z(), -weight, 1e-3 * weight);
}

TEST(Holds, what_cannot_be_held_is_refused_with_line_and_remedy) {
  EXPECT_NE(errors_of(with(bar, "holds: {body: bar}", "holds: {body: bar, rigid: true, stiffness: 100}"))
                .find("17:48: a rigid hold has no 'stiffness'"),
            std::string::npos);
  EXPECT_NE(errors_of(with(bar, "holds: {body: bar}",
                           "holds: {body: bar, nodes: {box: [[-1, -1, -1], [0, 1, 1]]}}"))
                .find("carries no node"),
            std::string::npos);
  EXPECT_NE(
      errors_of(with(bar, "holds: {body: bar}", "holds: [{body: bar}, {body: bar}]")).find("the same part"),
      std::string::npos);
  EXPECT_NE(errors_of(with(bar, "holds: {body: bar}", "holds: {body: baar}")).find("bar"), std::string::npos);
  const std::string no_grasp = with(bar, "    grasp: {box: [[0.099, -1, -1], [0.11, 1, 1]]}\n", "");
  EXPECT_NE(errors_of(no_grasp).find("no frame of its own"), std::string::npos);
  EXPECT_NE(errors_of(with(bar, "type: script", "type: scrip")).find("script"), std::string::npos);
}

TEST(Replay, a_recorded_run_replayed_gives_the_same_bits) {
  std::string text = R"(dt: 0.002
seconds: 0.6
contact: {mu: 0.3, alarmDistance: 0.004}
bodies:
  brick:
    model: rigid
    mesh: {generator: box, size: [0.05, 0.04, 0.03], cells: [1, 1, 1]}
    position: [0, 0, 0.02]
  floor:
    model: obstacle
    mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}
devices:
  hand:
    type: hand
    path: [{time: 0, position: [0, 0, 0.02]}, {time: 0.6, position: [0.02, 0.01, -0.01], rotation: [0, 10, 40]}]
    holds: {body: brick, stiffness: 2000, angularStiffness: 3}
)";
  const TextFile original(text);
  auto scene = load(original.path);
  ASSERT_TRUE(scene);
  SceneRun run(*scene);
  std::ostringstream csv;
  RunSeries table(*scene);
  table.write_header(csv);
  table.write_row(csv, run);  // the start: a replay's grip is made with this pose
  bool touched = false;
  while (run.state().time_s < 0.599) {
    ASSERT_TRUE(run.advance());
    touched |= run.record().report.active_contacts > 0;
    table.write_row(csv, run);
  }
  EXPECT_TRUE(touched);

  const TextFile series(csv.str(), ".csv");
  const size_t begin = text.find("    type: hand"), end = text.find("    holds:");
  text.replace(begin, end - begin, "    type: replay\n    file: " + series.path + "\n    name: hand\n");
  const TextFile replayed(text);
  auto again = load(replayed.path);
  ASSERT_TRUE(again);
  SceneRun second(*again);
  while (second.state().time_s < 0.599) ASSERT_TRUE(second.advance());
  EXPECT_TRUE((second.state().bodies[0].x.array() == run.state().bodies[0].x.array()).all());
  EXPECT_EQ(second.record().hands[0].wrench.force, run.record().hands[0].wrench.force);
}

TEST(Replay, damaged_series_are_refused_with_their_line) {
  const auto error = [](const std::string& csv) {
    const TextFile series(csv, ".csv");
    return errors_of(with(
        bar,
        "type: script\n    path: [{time: 0, position: [0.1, 0, 0]}, {time: 0.4, position: [0.102, 0, 0]}]",
        "type: replay\n    file: " + series.path));
  };
  EXPECT_EQ(error("time_s,x_m,y_m,z_m\n0,0.1,0,0\n0.1,0.11,0,0\n"), "");
  EXPECT_NE(error("time_s,x_m,y_m,z_m\n0,0.1,0\n").find(".csv:2"), std::string::npos);
  EXPECT_NE(error("time_s,x_m,y_m,z_m\n0,0.1,nan,0\n").find(".csv:2:7"), std::string::npos);
  EXPECT_NE(error("time_s,x_m,y_m,z_m\n").find("no numbers"), std::string::npos);
  EXPECT_NE(error("time_s,hand_x_m\n0,1\n").find("no columns"), std::string::npos);
  EXPECT_NE(error("time_s,x_m,y_m,z_m\n1,0,0,0\n0,0,0,0\n").find("back in time"), std::string::npos);
  EXPECT_NE(error("time_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,0,0,0,0,0,0\n").find("unit quaternion"),
            std::string::npos);
}

TEST(Replay, a_coarse_series_is_followed_along_straight_lines) {
  const TextFile series("time_s,x_m,y_m,z_m\n0,0.1,0,0\n0.4,0.102,0,0\n", ".csv");
  const TextFile file(with(
      bar, "type: script\n    path: [{time: 0, position: [0.1, 0, 0]}, {time: 0.4, position: [0.102, 0, 0]}]",
      "type: replay\n    file: " + series.path));
  auto scene = load(file.path);
  ASSERT_TRUE(scene);
  const DevicePose pose = scene->devices[0].device->read(0.1).pose;
  EXPECT_NEAR(pose.position.x(), 0.1005, 1e-12);
  EXPECT_NEAR(pose.velocity.x(), 0.005, 1e-12);
}

}  // namespace hold_test
}  // namespace palp
