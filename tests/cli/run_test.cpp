// palp run and palp check as a user meets them: the program is run, its output, files and exit code are read.
#include <filesystem>
#include <fstream>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using palp::testing::Outcome;

class RunCommand : public testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("palp_run_" + std::to_string(getpid()));
  void SetUp() override {
    fs::create_directories(folder);
    std::ofstream(folder / "ball.yaml") << R"(dt: 0.005
seconds: 0.3
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
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string file(const char* name) const { return (folder / name).string(); }
  /// `with_errors`: standard error too.
  static Outcome palp_command(const std::string& arguments, bool with_errors = true) {
    return palp::testing::palp_program(arguments, with_errors ? "2>&1" : "2>/dev/null");
  }
};

TEST_F(RunCommand, the_summary_for_machines_has_ordered_percentiles_of_every_stage) {
  const Outcome out = palp_command("run " + file("ball.yaml") + " --json", false);
  ASSERT_EQ(out.code, 0) << out.text;
  const json summary = json::parse(out.text);
  EXPECT_EQ(summary["steps"], 60);
  EXPECT_EQ(summary["unconverged_steps"], 0);
  EXPECT_GE(summary["late_steps"], 0);
  for (const char* stage : {"free motion", "proximity", "contacts", "delassus", "solve", "motion", "step"}) {
    const json& t = summary["stages_us"][stage];
    EXPECT_LE(t["p50"], t["p99"]) << stage;
    EXPECT_LE(t["p99"], t["p999"]) << stage;
    EXPECT_LE(t["p999"], t["max"]) << stage;
    EXPECT_GT(t["max"], 0) << stage;
  }
}

TEST_F(RunCommand, the_contact_problem_of_a_step_comes_out_and_can_be_solved) {
  const Outcome run = palp_command("run " + file("ball.yaml") + " --problem-at 0.25 " + file("p.hdf5"));
  ASSERT_EQ(run.code, 0) << run.text;
  const Outcome solve = palp_command("solve " + file("p.hdf5") + " --tol 1e-9 --json", false);
  ASSERT_EQ(solve.code, 0) << solve.text;
  const json answer = json::parse(solve.text);
  EXPECT_TRUE(answer["converged"]);
  EXPECT_GT(answer["contacts"], 0);
  // Nearly at rest: the normal forces carry about the weight of the ball.
  double up = 0;
  for (size_t i = 0; i < answer["r"].size(); i += 3) up += answer["r"][i].get<double>();
  const double weight = 9.81 * 1000 * 4.0 / 3.0 * 3.14159 * 0.05 * 0.05 * 0.05;
  EXPECT_GT(up, 0.3 * weight);
  EXPECT_LT(up, 4 * weight);
}

TEST_F(RunCommand, a_problem_that_is_not_there_is_an_error) {
  const Outcome early =
      palp_command("run " + file("ball.yaml") +
                   " --set 'bodies.ball.position=[0, 0, 0.2]' --problem-at 0.005 " + file("p.hdf5"));
  EXPECT_NE(early.code, 0);
  EXPECT_NE(early.text.find("nothing touches"), std::string::npos) << early.text;
  const Outcome late = palp_command("run " + file("ball.yaml") + " --problem-at 9 " + file("p.hdf5"));
  EXPECT_NE(late.code, 0);
  EXPECT_NE(late.text.find("--seconds"), std::string::npos) << late.text;
}

TEST_F(RunCommand, the_same_scene_writes_the_same_series_but_for_the_times) {
  const auto series = [&](const char* name) {
    EXPECT_EQ(palp_command("run " + file("ball.yaml") + " --csv " + file(name)).code, 0);
    std::ifstream in(file(name));
    std::string line, all;
    while (std::getline(in, line)) {
      size_t comma = 0;  // the first eleven columns; then come the stage times
      for (int k = 0; k < 11; ++k) comma = line.find(',', comma + 1);
      all += line.substr(0, comma) + "\n";
    }
    return all;
  };
  const std::string first = series("a.csv");
  EXPECT_GT(first.size(), 1000u);
  EXPECT_EQ(first, series("b.csv"));
}

TEST_F(RunCommand, check_names_line_column_and_remedy) {
  std::ofstream(folder / "bad.yaml")
      << "dt: 0.005\nbodies:\n  ball: {model: rigd, mesh: {generator: sphere}}\n";
  const Outcome out = palp_command("check " + file("bad.yaml"));
  EXPECT_EQ(out.code, 1);
  EXPECT_NE(out.text.find("bad.yaml:3:17"), std::string::npos) << out.text;
  EXPECT_NE(out.text.find("rigid"), std::string::npos) << out.text;
  EXPECT_EQ(palp_command("check " + file("ball.yaml")).code, 0);
  EXPECT_NE(palp_command("check " + file("nothing.yaml")).code, 0);
}

TEST_F(RunCommand, a_run_that_leaves_the_numbers_behind_does_not_end_as_if_nothing_had_happened) {
  const Outcome out = palp_command("run " + file("ball.yaml") + " --set 'gravity=[0, 0, -1e300]'");
  EXPECT_EQ(out.code, 1) << out.text;
  EXPECT_TRUE(out.text.find("'ball'") != std::string::npos || out.text.find("gravity") != std::string::npos)
      << out.text;
}

TEST_F(RunCommand, contacts_beyond_the_bound_are_left_out_and_told) {
  const std::string bounded = "run " + file("ball.yaml") + " --set solver.maxContacts=3";
  const Outcome text = palp_command(bounded, false);
  ASSERT_EQ(text.code, 0) << text.text;
  EXPECT_NE(text.text.find("solver.maxContacts"), std::string::npos) << text.text;
  const json summary = json::parse(palp_command(bounded + " --json", false).text);
  EXPECT_EQ(summary["contacts_max"], 3);
  EXPECT_GT(summary["steps_with_contacts_left_out"], 0);
  EXPECT_EQ(palp_command("check " + file("ball.yaml") + " --set solver.maxContacts=6000").code, 1);
}

}  // namespace
