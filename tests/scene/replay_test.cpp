// A recorded run, replayed, gives the same bits; a change of a single bit anywhere is found and named.
#include "palp/scene/replay.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include "palp/scene/recorded_scene.hpp"
#include "palp/scene/run_recording.hpp"

namespace palp {
namespace replay_test {

namespace fs = std::filesystem;

const char* const scene_text = R"(dt: 0.002
seconds: 0.3
contact: {mu: 0.4, alarmDistance: 0.01}
bodies:
  ball:
    model: rigid
    mesh: {file: ../meshes/ball.stl}
    position: [0, 0, 0.05]
    density: 500
  floor:
    model: obstacle
    mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}
devices:
  hand:
    type: hand
    path: [{time: 0, position: [0, 0, 0.05]}, {time: 0.2, position: [0.02, 0, 0.02]}]
    holds: {body: ball, stiffness: 500, angularStiffness: 1}
    profile: {maxForce: 3, passivity: true}
)";

const char* const tetrahedron = R"(solid t
facet normal 0 0 -1
outer loop
vertex 0 0 -0.02
vertex 0 0.02 -0.02
vertex 0.02 0 -0.02
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 -0.02
vertex 0 0 0
vertex 0 0.02 -0.02
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 -0.02
vertex 0.02 0 -0.02
vertex 0 0 0
endloop
endfacet
facet normal 1 1 1
outer loop
vertex 0.02 0 -0.02
vertex 0 0.02 -0.02
vertex 0 0 0
endloop
endfacet
endsolid t
)";

class RecordedRun : public ::testing::Test {
 protected:
  fs::path folder_ = fs::temp_directory_path() / ("palp_replay_test_" + std::to_string(getpid()));
  std::string scene_file_ = (folder_ / "scenes/ball.yaml").string(),
              recording_ = (folder_ / "run.h5").string();

  void SetUp() override {
    fs::create_directories(folder_ / "scenes");
    fs::create_directories(folder_ / "meshes");
    std::ofstream(scene_file_) << scene_text;
    std::ofstream(folder_ / "meshes/ball.stl") << tetrahedron;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void record(int steps, const std::vector<SceneOverride>& overrides = {},
              std::unique_ptr<Device> device = {}) {
    SceneResult loaded = load_scene(scene_file_, overrides);
    ASSERT_TRUE(loaded.scene) << (loaded.errors.empty() ? "" : loaded.errors[0].text());
    if (device) loaded.scene->devices[0].device = std::move(device);
    SceneRun run(*loaded.scene);
    auto recording = RunRecording::start(recording_, *loaded.scene, "1.0");
    ASSERT_TRUE(recording) << recording.error().text();
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(run.advance());
      recording->add(run);
      most_contacts_ = std::max(most_contacts_, run.record().report.contacts);
    }
    ASSERT_TRUE(recording->close());
    EXPECT_EQ(recording->status().dropped_ticks, 0u);
  }
  Result<ReplayReport> replay_it(const std::string& version = "1.0") {
    auto r = Recording::open(recording_);
    if (!r) return r.error();
    return replay(*r, version);
  }
  int most_contacts_ = 0;
};

TEST_F(RecordedRun, a_recorded_run_gives_the_same_bits) {
  record(150);
  EXPECT_GT(most_contacts_, 0);
  auto report = replay_it();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->compared, 150u);
  EXPECT_FALSE(report->difference) << report->difference->quantity;
  EXPECT_TRUE(report->notes.empty());
}

TEST_F(RecordedRun, the_recording_needs_neither_the_scene_nor_its_files) {
  record(50, {{"bodies.ball.density", "800"}});
  fs::remove_all(folder_ / "scenes");
  fs::remove_all(folder_ / "meshes");
  auto report = replay_it();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_FALSE(report->difference);
  EXPECT_EQ(report->compared, 50u);
}

/// Breaks in every way in the middle of a motion.
class BrokenDevice final : public Device {
 public:
  DeviceReading read(double t) override {
    DeviceReading r;
    r.pose.position = Vec3(0.05 * t, 0, 0.05 - 0.1 * t);
    r.pose.velocity = Vec3(0.05, 0, -0.1);
    r.buttons = t > 0.1 ? 5 : 0;
    if (t > 0.05 && t < 0.06) r.pose.position.x() = std::numeric_limits<double>::quiet_NaN();
    if (t > 0.10 && t < 0.11) r.pose.position.y() += 1;
    if (t > 0.15 && t < 0.16) r.present = false;
    return r;
  }
  void write(const Wrench&, double) override {}
};

TEST_F(RecordedRun, faults_of_the_device_are_replayed_too) {
  record(120, {}, std::make_unique<BrokenDevice>());
  auto opened = Recording::open(recording_);
  ASSERT_TRUE(opened);
  std::uint32_t seen = 0;
  const auto ticks = opened->read_ticks(0, opened->ticks());
  ASSERT_TRUE(ticks);
  for (const TickRecord& t : *ticks) seen |= t.interventions;
  for (auto bit : {intervention::pose_not_finite, intervention::pose_jump, intervention::device_lost})
    EXPECT_TRUE(seen & bit);
  auto report = replay_it();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_FALSE(report->difference) << report->difference->quantity;
  EXPECT_EQ(report->compared, 120u);
}

TEST_F(RecordedRun, another_scene_is_found_in_the_first_tick_that_it_changes) {
  record(100, {{"gravity", "[0, 0, -9.81]"}});
  // The same hands in a scene with other gravity: the override is part of the recording, so change it there.
  auto opened = Recording::open(recording_);
  ASSERT_TRUE(opened);
  RecordingSetup setup = opened->setup();
  setup.overrides = {{"gravity", "[0, 0, -9.8]"}};
  auto ticks = opened->read_ticks(0, 100);
  const std::string changed = recording_ + ".changed";
  {
    auto recorder = Recorder::create(changed, setup, {.patient = true});
    ASSERT_TRUE(recorder);
    for (const TickRecord& t : *ticks) (*recorder)->tick(t);
    ASSERT_TRUE((*recorder)->close());
  }
  recording_ = changed;
  auto report = replay_it();
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_TRUE(report->difference);
  EXPECT_EQ(report->difference->tick, 0u);
  EXPECT_NE(report->difference->recorded, report->difference->replayed);
}

TEST_F(RecordedRun, a_gap_ends_the_comparison_and_is_said) {
  record(30);
  auto opened = Recording::open(recording_);
  auto ticks = opened->read_ticks(0, 30);
  const std::string changed = recording_ + ".gap";
  {
    auto recorder = Recorder::create(changed, opened->setup(), {.patient = true});
    for (const TickRecord& t : *ticks)
      if (t.sequence != 17) (*recorder)->tick(t);
    ASSERT_TRUE((*recorder)->close());
  }
  recording_ = changed;
  auto report = replay_it("2.0");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->compared, 17u);
  EXPECT_FALSE(report->difference);
  EXPECT_EQ(report->notes.size(), 2u);  // the gap, the version
}

TEST(FirstDifference, every_compared_field_is_seen_by_itself) {
  const std::vector<std::string> devices{"a", "b"};
  TickRecord t;
  t.devices = 2;
  t.state_hash = 2;
  EXPECT_FALSE(first_difference(t, t, devices));
  const auto differs = [&](auto change, const std::string& word) {
    TickRecord u = t;
    change(u);
    const auto d = first_difference(t, u, devices);
    ASSERT_TRUE(d) << word;
    EXPECT_NE(d->quantity.find(word), std::string::npos) << d->quantity;
  };
  differs([](TickRecord& u) { u.time_s = 1; }, "time");
  differs([](TickRecord& u) { u.contacts = 1; }, "contacts");
  differs([](TickRecord& u) { u.certificate = -0.0; }, "certificate");  // a bit is a bit
  differs([](TickRecord& u) { u.state_hash = 1; }, "state");
  differs([](TickRecord& u) { u.device[1].force[2] = 1e-300; }, "force of device 'b', z");
  differs([](TickRecord& u) { u.device[0].raw_torque[0] = std::nan(""); }, "torque of the coupling");
  differs([](TickRecord& u) { u.device[0].proxy_orientation[3] = 0; }, "proxy orientation");
  differs([](TickRecord& u) { u.device[0].interventions = 2; }, "interventions");
  // Times of computation and devices that are not there are not compared.
  TickRecord u = t;
  u.stage_us[0] = 5;
  u.clock_us = 7;
  u.device[2].force[0] = 1;
  u.state_hash = 0;  // not taken
  EXPECT_FALSE(first_difference(t, u, devices));
}

TEST_F(RecordedRun, the_safety_chain_of_the_profile_limits_what_the_hand_feels) {
  SceneResult loaded = load_scene(scene_file_, {{"devices.hand.profile.maxForce", "0.5"}});
  ASSERT_TRUE(loaded.scene);
  SceneRun run(*loaded.scene);
  double largest = 0;
  for (int i = 0; i < 150; ++i) {
    ASSERT_TRUE(run.advance());
    largest = std::max(largest, run.record().hands[0].wrench.force.norm());
  }
  EXPECT_LE(largest, 0.5 * (1 + 1e-12));
  EXPECT_GT(run.safety(0).counts().of(intervention::clamp), 0u);
  EXPECT_GT(run.safety(0).counts().of(intervention::ramp), 0u);
}

TEST_F(RecordedRun, profiles_are_read_strictly) {
  const auto error = [&](const char* value) {
    const SceneResult r = load_scene(scene_file_, {{"devices.hand.profile", value}});
    return r.errors.empty() ? std::string() : r.errors[0].text();
  };
  EXPECT_EQ(error("desktop"), "");
  EXPECT_EQ(error("none"), "");
  EXPECT_NE(error("desktp").find("desktop"), std::string::npos);
  EXPECT_NE(error("{maxForc: 3}").find("maxForce"), std::string::npos);
  EXPECT_NE(error("{maxForce: -3}"), "");
  EXPECT_NE(error("{decay: 0.0001}").find("slew"), std::string::npos);
}

TEST_F(RecordedRun, a_coupling_too_stiff_for_the_device_is_a_warning_with_the_stable_range) {
  const SceneResult r =
      load_scene(scene_file_, {{"devices.hand.profile", "{damping: 2, sampleTime: 0.001}"},
                               {"devices.hand.holds", "{body: ball, stiffness: 5000, damping: 0.5}"}});
  ASSERT_TRUE(r.scene);
  // K T/2 + B = 3 > 2; 2 (b − B)/T = 3000; and 5000 is above the device's 3000.
  ASSERT_EQ(r.warnings.size(), 2u);
  EXPECT_NE(r.warnings[0].find("3000"), std::string::npos) << r.warnings[0];
}

}  // namespace replay_test
}  // namespace palp
