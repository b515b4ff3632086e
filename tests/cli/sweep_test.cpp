// palp sweep as a user meets it: killed in the middle, called again, shared among tasks.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace sweep_test {

namespace fs = std::filesystem;
using nlohmann::json;
using palp::testing::Outcome;
using palp::testing::palp_program;

class SweepCommand : public ::testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("palp_sweep_" + std::to_string(getpid()));
  std::string study = (folder / "study.yaml").string();
  void SetUp() override {
    fs::create_directories(folder);
    std::ofstream(folder / "ball.yaml") << R"(dt: 0.005
seconds: 0.3
contact: {mu: 0.4, alarmDistance: 0.01}
bodies:
  ball: {model: rigid, mesh: {generator: icosphere, radius: 0.03, subdivisions: 2}, position: [0, 0, 0.08]}
  floor: {model: obstacle, mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}}
)";
    std::ofstream(study) << R"(scene: ball.yaml
plan: latinHypercube
designs: 40
parameters:
  height: {key: bodies.ball.position.2, from: 0.04, to: 0.1}
  mu: {key: contact.mu, from: 0, to: 1}
keep: [kinetic_J.max, certificate.max]
)";
  }
  void TearDown() override { fs::remove_all(folder); }
  long rows() const {
    long n = 0;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "study.results" / "rows", error))
      n += entry.path().extension() == ".json";
    return n;
  }
};

TEST_F(SweepCommand, killed_in_the_middle_the_second_call_makes_what_is_missing) {
  const pid_t child = fork();
  if (child == 0) {
    execl(PALP_BINARY_DIR "/palp", "palp", "sweep", study.c_str(), "--jobs", "1", nullptr);
    _exit(127);
  }
  while (rows() < 3 && kill(child, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const long there = rows();
  const Outcome status = palp_program("sweep " + study + " --status --json", "2>/dev/null");
  EXPECT_EQ(json::parse(status.text)["ok"], there);
  EXPECT_EQ(status.code, there < 40 ? 3 : 0);
  const Outcome second = palp_program("sweep " + study + " --json", "2>/dev/null");
  ASSERT_EQ(second.code, 0) << second.text;
  const json told = json::parse(second.text);
  EXPECT_EQ(told["present"], there);
  EXPECT_EQ(told["ran"], 40 - there);
  EXPECT_EQ(told["missing"], 0);
  for (const char* name : {"results.csv", "results.h5", "report.html"})
    EXPECT_TRUE(fs::exists(folder / "study.results" / name)) << name;
}

TEST_F(SweepCommand, tasks_of_any_scheduler_are_merged_into_one_table) {
  for (const char* task : {"1", "2", "3"})
    EXPECT_EQ(palp_program("sweep " + study + " --of 3 --task " + task).code, 0);
  ASSERT_EQ(palp_program("sweep " + study + " --merge").code, 0);
  std::ifstream table(folder / "study.results" / "results.csv");
  int lines = 0, done = 0;
  for (std::string line; std::getline(table, line); ++lines) done += line.find(",ok,") != std::string::npos;
  EXPECT_EQ(lines, 41);
  EXPECT_EQ(done, 40);
  EXPECT_EQ(palp_program("sweep " + study + " --of 3 --task 4").code, 1);
}

TEST_F(SweepCommand, a_bad_study_is_told_with_its_line) {
  std::ofstream(study) << "scene: ball.yaml\nplan: gird\nparameters: {mu: {key: contact.mu, values: [1]}}\n";
  const Outcome out = palp_program("sweep " + study);
  EXPECT_EQ(out.code, 1);
  EXPECT_NE(out.text.find("study.yaml:2"), std::string::npos) << out.text;
  EXPECT_FALSE(fs::exists(folder / "study.results"));
}

}  // namespace sweep_test
