// Two rates, recorded: on the virtual clock a replay gives the same bits; on the real one the safety chain
// sees a low-rate thread that dies, and the recording tells.
#include <filesystem>

#include "scene/scene_text.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>
#include <unistd.h>

#include "palp/scene/realtime_run.hpp"
#include "palp/scene/replay.hpp"
#include "palp/scene/run_recording.hpp"

namespace palp {
namespace recorded_two_rates_test {

const char* const press = R"(seconds: 0.3
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 50, delay: 7}
contact: {mu: 0.3, alarmDistance: 0.0008}
bodies:
  block:
    model: corotational
    mesh: {generator: box, size: [0.06, 0.06, 0.03], centre: [0, 0, -0.015], cells: [4, 4, 2], elements: tets}
    youngModulus: 3e4
    rayleighStiffness: 0.005
    fixed: {box: [[-1, -1, -1], [1, 1, -0.029]]}
  tool:
    model: rigid
    rate: high
    mesh: {generator: icosphere, radius: 0.006, subdivisions: 1}
    position: [0.003, 0.002, 0.0065]
devices:
  hand:
    type: hand
    path: [{time: 0, position: [0.003, 0.002, 0.0065]}, {time: 0.15, position: [0.006, 0.002, -0.002]}]
    holds: {body: tool, stiffness: 800, damping: 1}
    profile: desktop
)";

class RecordedTwoRates : public ::testing::Test {
 protected:
  testing::TextFile scene_file_{press};
  std::string recording_ = scene_file_.path + ".h5";
  void TearDown() override { std::filesystem::remove(recording_); }
};

TEST_F(RecordedTwoRates, a_replay_on_the_virtual_clock_gives_the_same_bits) {
  SceneResult loaded = load_scene(scene_file_.path);
  ASSERT_TRUE(loaded.scene) << loaded.errors[0].text();
  SceneRun run(*loaded.scene);
  auto recording = RunRecording::start(recording_, *loaded.scene, "1.0");
  ASSERT_TRUE(recording) << recording.error().text();
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(run.advance());
    recording->add(run);
  }
  ASSERT_TRUE(recording->close());
  EXPECT_EQ(run.safety(0).counts().faults(), 0u);

  auto opened = Recording::open(recording_);
  ASSERT_TRUE(opened) << opened.error().text();
  auto ticks = opened->read_ticks(0, opened->ticks());
  ASSERT_TRUE(ticks);
  ASSERT_EQ(ticks->size(), 300u);
  EXPECT_GT(ticks->back().contacts, 0);
  EXPECT_GT(ticks->back().snapshot_sequence, 10u);
  // δ = W λ + δ_free: the recorded problem and forces belong together. Nothing overlaps but by the tolerance.
  auto contacts = opened->read_contacts(299);
  ASSERT_TRUE(contacts);
  ASSERT_EQ(contacts->lambda.size(), 3 * ticks->back().contacts);
  ASSERT_EQ(contacts->W.rows(), contacts->lambda.size());
  const VecX delta = contacts->W * contacts->lambda + contacts->delta_free;
  for (long i = 0; i < delta.size(); i += 3) {
    EXPECT_GE(delta[i], -1e-7);
    EXPECT_GE(contacts->lambda[i], 0);
  }
  EXPECT_GT(contacts->lambda.norm(), 0.05);
  EXPECT_EQ(opened->frames().size(), 16u);  // the first tick, then every 20 ms

  auto report = replay(*opened, "1.0");
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->compared, 300u);
  EXPECT_FALSE(report->difference) << report->difference->quantity;
}

TEST_F(RecordedTwoRates, the_port_to_the_devices_allocates_nothing_while_it_records) {
  SceneResult loaded = load_scene(scene_file_.path);
  ASSERT_TRUE(loaded.scene);
  Scene& scene = *loaded.scene;
  auto recorder = make_recorder(recording_, scene, "1.0", {});
  ASSERT_TRUE(recorder);
  ScenePort port(scene, recorder->get());
  HapticLoop loop(*scene.two_rate);
  DevicePose pose;
  Wrench wrench;
  long allocations = 0;
  int contacts = 0;
  for (int i = 0; i < 200; ++i) {
    const long a = testing::allocations();
    port.read(0.001 * (i + 1), std::span(&pose, 1));
    const long b = testing::allocations();
    const TickReport report = loop.advance(std::span(&pose, 1), std::span(&wrench, 1));
    const long c = testing::allocations();
    port.look(loop.snapshot(), loop.high());
    port.write(report, std::span(&wrench, 1), 0.001);
    if (loop.made_low_step()) port.look(loop.low(), &loop.snapshot(), i, 0.001 * i);
    allocations += testing::allocations() - c + b - a;
    contacts = std::max(contacts, report.contacts);
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_GT(contacts, 0);
  EXPECT_TRUE((*recorder)->close());
  EXPECT_EQ((*recorder)->status().ticks, 200u);
}

TEST_F(RecordedTwoRates, on_the_clock_a_dead_low_rate_thread_ends_the_force_and_the_recording_shows_it) {
  SceneResult loaded = load_scene(scene_file_.path, {{"devices.hand.profile", "{staleAfter: 0.1}"}});
  ASSERT_TRUE(loaded.scene) << loaded.errors[0].text();
  auto recorder = make_recorder(recording_, *loaded.scene, "1.0", {});
  ASSERT_TRUE(recorder) << recorder.error().text();
  std::vector<InterventionCounts> counts;
  auto report =
      run_scene_realtime(*loaded.scene, {.seconds = 0.8, .lock_memory = false, .low_steps_at_most = 12},
                         recorder->get(), &counts);
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_TRUE((*recorder)->close());
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_GT(counts[0].of(intervention::stale_snapshot), 0u);

  auto opened = Recording::open(recording_);
  ASSERT_TRUE(opened) << opened.error().text();
  const RecorderStatus status = opened->status();
  EXPECT_EQ(status.ticks + status.dropped_ticks, static_cast<std::uint64_t>(report->ticks));
  auto ticks = opened->read_ticks(0, opened->ticks());
  ASSERT_TRUE(ticks);
  ASSERT_EQ(ticks->size(), status.ticks);
  ASSERT_FALSE(ticks->empty());
  const DeviceProfile profile;
  for (size_t i = 0; i < ticks->size(); ++i) {
    const TickDevice& d = (*ticks)[i].device[0];
    ASSERT_TRUE(vec3(d.force).allFinite());
    ASSERT_LE(vec3(d.force).norm(), profile.max_force_N * (1 + 1e-12));
  }
  EXPECT_TRUE(ticks->back().interventions & intervention::stale_snapshot);
  EXPECT_EQ(vec3(ticks->back().device[0].force).norm(), 0);
  EXPECT_GT(ticks->back().snapshot_age_s, 0.1);
  EXPECT_GT(opened->frames().size(), 0u);
}

}  // namespace recorded_two_rates_test
}  // namespace palp
