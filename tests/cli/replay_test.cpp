// palp run --record, palp replay and palp doctor as a user meets them.
#include <filesystem>
#include <fstream>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace replay_test {

namespace fs = std::filesystem;
using nlohmann::json;
using palp::testing::Outcome;
using palp::testing::palp_program;

class ReplayCommand : public ::testing::Test {
 protected:
  fs::path folder_ = fs::temp_directory_path() / ("palp_replay_cli_" + std::to_string(getpid()));
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "ball.yaml") << R"(dt: 0.002
seconds: 0.1
contact: {mu: 0.4, alarmDistance: 0.01}
bodies:
  ball:
    model: rigid
    mesh: {generator: icosphere, radius: 0.02, subdivisions: 1}
    position: [0, 0, 0.03]
  floor:
    model: obstacle
    mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}
devices:
  hand:
    type: hand
    path: [{time: 0, position: [0, 0, 0.03]}, {time: 0.1, position: [0, 0, 0.015]}]
    holds: {body: ball, stiffness: 500}
    profile: {maxForce: 1}
)";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const char* name) const { return (folder_ / name).string(); }
};

TEST_F(ReplayCommand, a_recorded_run_replays_to_the_same_bits) {
  const Outcome run =
      palp_program("run " + file("ball.yaml") + " --set bodies.ball.density=700 --record " + file("a.h5"));
  ASSERT_EQ(run.code, 0) << run.text;
  EXPECT_NE(run.text.find("safety"), std::string::npos);
  EXPECT_NE(run.text.find("ramp"), std::string::npos) << run.text;
  fs::remove(file("ball.yaml"));
  const Outcome replay = palp_program("replay " + file("a.h5"));
  EXPECT_EQ(replay.code, 0) << replay.text;
  EXPECT_NE(replay.text.find("same bits in 50 of 50 ticks"), std::string::npos) << replay.text;
  const Outcome machine = palp_program("replay --json " + file("a.h5"), "2>/dev/null");
  const json j = json::parse(machine.text);
  EXPECT_TRUE(j["same_bits"].get<bool>());
  EXPECT_EQ(j["compared"], 50);
}

TEST_F(ReplayCommand, files_that_are_no_recordings_fail_with_a_remedy) {
  EXPECT_EQ(palp_program("replay " + file("nothing.h5")).code, 1);
  const Outcome yaml = palp_program("replay " + file("ball.yaml"));
  EXPECT_EQ(yaml.code, 1);
  EXPECT_NE(yaml.text.find("palp run --record"), std::string::npos) << yaml.text;
  ASSERT_EQ(palp_program("run " + file("ball.yaml") + " --record " + file("a.h5")).code, 0);
  fs::resize_file(file("a.h5"), fs::file_size(file("a.h5")) / 2);
  const Outcome cut = palp_program("replay " + file("a.h5"));
  EXPECT_EQ(cut.code, 1) << cut.text;
}

TEST_F(ReplayCommand, the_doctor_counts_every_tick_once_and_gives_a_verdict) {
  const Outcome out = palp_program("doctor --seconds 0.2 --json", "2>/dev/null");
  ASSERT_EQ(out.code, 0);
  const json j = json::parse(out.text);
  EXPECT_TRUE(j["verdict"] == "fit" || j["verdict"] == "usable" || j["verdict"] == "unfit");
  const json& t = j["timer"];
  long sum = 0;
  for (const auto& bin : t["histogram"]) sum += bin["ticks"].get<long>();
  EXPECT_EQ(sum, t["ticks"].get<long>());
  // Every millisecond was either met or missed.
  EXPECT_GE(t["ticks"].get<long>() + t["missed"].get<long>(), 200);
  EXPECT_LE(t["late_us"]["p50"].get<double>(), t["late_us"]["p99"].get<double>());
  EXPECT_LE(t["late_us"]["p999"].get<double>(), t["late_us"]["max"].get<double>());
  EXPECT_GE(j["cores"]["allowed"].get<int>(), 1);
  EXPECT_EQ(palp_program("doctor --seconds 0").code != 0, true);
  EXPECT_NE(palp_program("doctor --seconds 0.05").text.find("verdict"), std::string::npos);
}

}  // namespace replay_test
