// palp converge, and the quantities of palp run, as a user meets them.
#include <filesystem>
#include <fstream>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace converge_test {

namespace fs = std::filesystem;
using nlohmann::json;
using palp::testing::Outcome;
using palp::testing::palp_program;

class ConvergeCommand : public ::testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("palp_converge_" + std::to_string(getpid()));
  std::string scene = (folder / "bar.yaml").string();
  void SetUp() override {
    fs::create_directories(folder);
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
  void TearDown() override { fs::remove_all(folder); }
};

const double kForce = 1e6 * 4e-4 * 1e-4 / 0.1;  // E A d/L: every mesh and step has it exactly

TEST_F(ConvergeCommand, a_bar_that_is_pulled_has_its_limit_on_every_mesh) {
  const std::string picture = (folder / "bar.svg").string();
  const Outcome out = palp_program("converge " + scene + " --levels 3 --json --plot " + picture);
  ASSERT_EQ(out.code, 0) << out.text;
  const json study = json::parse(out.text);
  EXPECT_EQ(study["quantity"], "arm.peakForce");
  EXPECT_NEAR(study["limit"], kForce, 1e-6 * kForce);
  EXPECT_TRUE(study["converged"]);
  EXPECT_EQ(study["mesh"]["levels"].size(), 3u);
  EXPECT_TRUE(fs::exists(picture));
  const Outcome text = palp_program("converge " + scene + " --levels 3 --of bar.reaction");
  ASSERT_EQ(text.code, 0) << text.text;
  EXPECT_NE(text.text.find("bar.reaction (N)"), std::string::npos) << text.text;
  EXPECT_NE(text.text.find("As written: 0.4 N"), std::string::npos) << text.text;
}

TEST_F(ConvergeCommand, an_unknown_quantity_ends_with_the_list_of_known_ones) {
  const Outcome out = palp_program("converge " + scene + " --of arm.push");
  EXPECT_EQ(out.code, 1);
  EXPECT_NE(out.text.find("arm.peakForce, arm.meanForce"), std::string::npos) << out.text;
}

TEST_F(ConvergeCommand, the_summary_of_a_run_names_the_same_quantities) {
  const Outcome out = palp_program("run " + scene + " --json", "2>/dev/null");
  ASSERT_EQ(out.code, 0) << out.text;
  const json quantities = json::parse(out.text)["quantities"];
  EXPECT_NEAR(quantities["arm.peakForce"]["value"], kForce, 1e-6 * kForce);
  EXPECT_EQ(quantities["arm.peakForce"]["unit"], "N");
  EXPECT_GT(quantities["arm.peakForce"]["at_s"], 0);
  EXPECT_NEAR(quantities["bar.reaction"]["value"], kForce, 1e-6 * kForce);
  const Outcome text = palp_program("run " + scene);
  EXPECT_NE(text.text.find("arm.peakForce            0.4 N at"), std::string::npos) << text.text;
}

}  // namespace converge_test
