// palp devices, palp emulate and --device, as users call them: each against a double in another process.
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace palp::testing {
namespace devices_test {

/// The program in the background; its output goes to a file.
class Background {
 public:
  explicit Background(const std::string& arguments) {
    file_ = "/tmp/palp-background-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".txt";
    std::ofstream(file_).close();
    pid_ = fork();
    if (pid_ == 0) {
      execl("/bin/sh", "sh", "-c",
            ("exec " PALP_BINARY_DIR "/palp " + arguments + " >" + file_ + " 2>&1").c_str(), nullptr);
      _exit(127);
    }
  }
  ~Background() {
    end(SIGKILL);
    unlink(file_.c_str());
  }
  std::string text() const {
    std::stringstream out;
    out << std::ifstream(file_).rdbuf();
    return out.str();
  }
  bool says(const std::string& what, double seconds = 20) const {
    for (double t = 0; t < seconds; t += 0.02) {
      if (text().find(what) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
  /// Waits for it; −1 when a signal ended it.
  int end(int signal = 0) {
    if (pid_ <= 0) return code_;
    if (signal) kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static inline int count = 0;
  std::string file_;
  pid_t pid_ = -1;
  int code_ = -1;
};

/// "… is at 127.0.0.1:40123; …"
std::string address_of(const Background& emulator) {
  EXPECT_TRUE(emulator.says(" is at ")) << emulator.text();
  const std::string text = emulator.text();
  const size_t at = text.find(" is at ") + 7;
  return text.substr(at, text.find(';', at) - at);
}

const std::string two_hands = PALP_SOURCE_DIR "/scenes/two-hands.yaml";
const std::string snap_in = PALP_SOURCE_DIR "/scenes/snap-in.yaml";

TEST(DevicesCommand, lists_every_kind_and_says_what_is_missing) {
  const Outcome o = palp_program("devices --json");
  EXPECT_EQ(o.code, 0);
  const auto all = nlohmann::json::parse(o.text);
  EXPECT_EQ(all.size(), 8u);
  for (const auto& one : all)
    if (!one["found"]) {
      EXPECT_FALSE(one["why"].get<std::string>().empty());
    }
}

TEST(DevicesCommand, tests_a_device_and_asks_before_it_pushes) {
  Background emulator("emulate udp --port 0 --still");
  const std::string device = "udp,address=" + address_of(emulator);
  const Outcome asked = palp_program("devices test " + device + " --seconds 0.3 </dev/null");
  EXPECT_EQ(asked.code, 0) << asked.text;
  EXPECT_NE(asked.text.find("No force"), std::string::npos);
  const Outcome felt = palp_program("devices test " + device + " --seconds 0.3 --yes --json");
  ASSERT_EQ(felt.code, 0) << felt.text;
  const auto j = nlohmann::json::parse(felt.text);
  EXPECT_GT(j["rate_Hz"], 10);
  for (const char* part : {"pose_age", "wrench_age"}) EXPECT_GT(j["latency_us"][part]["p50"], 0) << part;
  EXPECT_LE(j["wall"]["most_N"], 2.0);
  EXPECT_EQ(emulator.end(SIGTERM), 0);
  EXPECT_TRUE(emulator.text().find("last 0.000 N") != std::string::npos) << emulator.text();
}

TEST(DeviceOption, runs_a_scene_of_two_rates_and_tells_how_the_device_was) {
  Background emulator("emulate haply --port 0");
  const Outcome o = palp_program(
      "run " + two_hands + " --seconds 1.5 --json --device haply,address=" + address_of(emulator),
      "2>/dev/null");
  ASSERT_EQ(o.code, 0) << o.text;
  const auto j = nlohmann::json::parse(o.text);
  ASSERT_EQ(j["devices"].size(), 1u);
  const auto& d = j["devices"].front();
  EXPECT_EQ(d["kind"], "haply");
  EXPECT_GT(d["frames"], 10);
  EXPECT_EQ(d["refused"], 0);
  EXPECT_EQ(emulator.end(SIGINT), 0);
  EXPECT_NE(emulator.text().find("last 0.000 N, 0 not finite, motors off"), std::string::npos)
      << emulator.text();
}

/// A body that hangs at the hand, so that the hand always feels something: 0.1 kg.
const char* const hanging = R"(dt: 0.004
seconds: 600
gravity: [0, 0, -9.81]
bodies:
  box:
    model: rigid
    mesh: {generator: box, size: [0.05, 0.05, 0.05], cells: [1, 1, 1]}
    density: 800
devices:
  hand:
    type: hand
    path: [{time: 0, position: [0, 0, 0]}]
    holds: {body: box, stiffness: 150, angularStiffness: 0.2}
)";

struct HangingScene {
  std::string file = "/tmp/palp-hanging-" + std::to_string(getpid()) + ".yaml", recording = file + ".h5";
  HangingScene() { std::ofstream(file) << hanging; }
  ~HangingScene() {
    unlink(file.c_str());
    unlink(recording.c_str());
  }
};

class Signals : public ::testing::TestWithParam<std::string> {};

/// "…, at most 0.981 N, last …"
double most_N(const std::string& text) {
  const size_t at = text.find("at most ");
  return at == std::string::npos ? -1 : std::atof(text.c_str() + at + 8);
}

TEST_P(Signals, slow_leave_zero_force) {
  const HangingScene scene;
  const std::string kind = GetParam();
  const bool service = kind == "haply" || kind == "udp";
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::unique_ptr<Background> emulator;
    std::string command = "run " + scene.file + " --device hand=" + kind;
    if (service) {
      emulator = std::make_unique<Background>("emulate " + kind + " --still --port 0");
      command += ",address=" + address_of(*emulator);
    } else {
      command = "emulate " + kind + " --still -- " PALP_BINARY_DIR "/palp " + command;
    }
    Background run(command);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    EXPECT_EQ(run.end(signal), 0) << run.text();
    EXPECT_NE(run.text().find("device       hand"), std::string::npos) << run.text();
    if (emulator) {
      EXPECT_EQ(emulator->end(SIGTERM), 0);
    }
    const std::string told = emulator ? emulator->text() : run.text();
    EXPECT_GT(most_N(told.substr(told.find("commands"))), 0.5) << told;  // it was felt
    EXPECT_NE(told.find("last 0.000 N"), std::string::npos) << told;
    EXPECT_NE(told.find("motors off"), std::string::npos) << told;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Signals,
                         ::testing::Values("haply", "udp", "forcedimension", "openhaptics", "virtuose"),
                         [](const auto& p) { return p.param; });

TEST(DeviceOption, check_and_replay_open_no_device_and_the_recording_tells_of_its_fault) {
  const HangingScene scene;
  Background emulator("emulate udp --still --port 0 --faults unplugged@0.5+0.4");
  const Outcome run = palp_program("run " + scene.file + " --seconds 2 --json --record " + scene.recording +
                                       " --device hand=udp,address=" + address_of(emulator),
                                   "2>/dev/null");
  ASSERT_EQ(run.code, 0) << run.text;
  EXPECT_GT(nlohmann::json::parse(run.text)["interventions"]["hand"]["device_lost"], 0) << run.text;
  EXPECT_EQ(palp_program("check " + scene.file).code, 0);
  const Outcome again = palp_program("replay " + scene.recording);
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_NE(again.text.find("same bits"), std::string::npos) << again.text;
  EXPECT_EQ(emulator.end(SIGTERM), 0);
  EXPECT_NE(emulator.text().find("opened 1 times"), std::string::npos) << emulator.text();
}

TEST(DeviceOption, two_devices_of_different_kinds_move_the_two_hands_of_a_scene) {
  Background haply("emulate haply --still --port 0"), udp("emulate udp --still --port 0");
  const Outcome o = palp_program("run " + two_hands + " --seconds 1.5 --json --device left=haply,address=" +
                                     address_of(haply) + " --device right=udp,address=" + address_of(udp),
                                 "2>/dev/null");
  ASSERT_EQ(o.code, 0) << o.text;
  const auto j = nlohmann::json::parse(o.text);
  ASSERT_EQ(j["devices"].size(), 2u);
  EXPECT_EQ(j["devices"]["left"]["kind"], "haply");
  EXPECT_EQ(j["devices"]["right"]["kind"], "udp");
  for (const auto& d : j["devices"]) EXPECT_GT(d["frames"], 10);
  for (Background* emulator : {&haply, &udp}) {
    EXPECT_EQ(emulator->end(SIGTERM), 0);
    EXPECT_NE(emulator->text().find("last 0.000 N, 0 not finite, motors off"), std::string::npos)
        << emulator->text();
  }
}

TEST(DeviceOption, the_page_is_a_device_of_palp_view_only) {
  const Outcome o = palp_program("run " + snap_in + " --device hand=page");
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.text.find("palp view"), std::string::npos) << o.text;
  EXPECT_EQ(palp_program("view " + snap_in + " --no-browser --device foot=page").code, 1);
}

TEST(DeviceOption, a_killed_program_leaves_zero_force_behind_a_device_that_keeps_to_the_protocol) {
  Background emulator("emulate udp --port 0");
  Background run("run " + snap_in + " --seconds 60 --device udp,address=" + address_of(emulator));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  run.end(SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(emulator.end(SIGTERM), 0);
  EXPECT_NE(emulator.text().find("last 0.000 N"), std::string::npos) << emulator.text();
}

TEST(DeviceOption, slow_libraries_are_lent_to_the_program_that_loads_them) {
  for (const char* kind : {"forcedimension", "openhaptics", "virtuose", "gamepad"}) {
    const Outcome o = palp_program(std::string("emulate ") + kind +
                                   " --faults nan@0.4+0.2 -- " PALP_BINARY_DIR "/palp run " + snap_in +
                                   " --seconds 1.5 --device hand=" + kind);
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_NE(o.text.find("last 0.000 N, motors off"), std::string::npos) << o.text;
    // A stick that is pushed wildly is a stick that is pushed.
    if (std::string(kind) != "gamepad") {
      EXPECT_NE(o.text.find("device_lost"), std::string::npos) << o.text;
    }
  }
}

TEST(DeviceOption, mistakes_are_told_before_anything_is_opened) {
  EXPECT_EQ(palp_program("run " + snap_in + " --device hand=joystick").code, 1);
  EXPECT_EQ(palp_program("run " + snap_in + " --device hand=udp,address=127.0.0.1:9").code, 1);
  EXPECT_EQ(palp_program("view " + snap_in + " --no-browser --device hand=udp,address=127.0.0.1:9").code, 1);
  Background emulator("emulate udp --port 0");
  const Outcome o = palp_program("run " + snap_in + " --device foot=udp,address=" + address_of(emulator));
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.text.find("hand"), std::string::npos);
}

}  // namespace devices_test
}  // namespace palp::testing
