// A bar that is pulled: the force E A d / L is exact on every mesh, so that every row of a study has a known
// answer.
#pragma once
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "palp/study/study.hpp"

namespace palp::testing {

class BarStudy : public ::testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                 ("palp_study_" + std::to_string(getpid()) +
                                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string scene = (folder / "bar.yaml").string(), file = (folder / "study.yaml").string();

  void SetUp() override {
    std::filesystem::create_directories(folder);
    std::ofstream(scene) << R"(dt: 0.1
seconds: 0.2
gravity: [0, 0, 0]
bodies:
  bar:
    model: linear
    mesh: {generator: bar, length: 0.1, width: 0.02, height: 0.02, cellsAlong: 4, cellsWide: 2, cellsHigh: 2}
    youngModulus: 1e6
    poissonRatio: 0
    quasiStatic: true
    fixed: {box: [[-1, -1, -1], [1e-6, 1, 1]]}
    grasp: {box: [[0.0999, -1, -1], [1, 1, 1]]}
devices:
  arm: {type: script, holds: {body: bar}, path: [{time: 0, position: [0.1, 0, 0]}, {time: 0.1, position: [0.1001, 0, 0]}]}
)";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  static double force(double E, double way) { return E * 4e-4 * way / 0.1; }

  /// Young's modulus and the way, 5 × 4; a file of the words that a test adds.
  std::string grid(const std::string& more = "") const {
    return R"(scene: bar.yaml
plan: grid
parameters:
  E: {key: bodies.bar.youngModulus, from: 1e6, to: 5e6, steps: 5}
  end: {key: devices.arm.path.1.position.0, values: [0.1001, 0.1002, 0.1003, 0.1004]}
keep: [arm.peakForce, bar.reaction, certificate.max, {name: pull, of: arm_fx_N, statistic: last}]
)" + more;
  }
  Study study(const std::string& text) const {
    StudyResult read = parse_study(text, file);
    for (const Error& e : read.errors) ADD_FAILURE() << e.text();
    return read.study ? *read.study : Study{};
  }
};

}  // namespace palp::testing
