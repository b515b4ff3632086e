// Scenes with `contact: glc`: recorded and replayed on the virtual clock, run and recorded on the real one.
#include <filesystem>

#include "scene/scene_text.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/scene/realtime_run.hpp"
#include "palp/scene/replay.hpp"
#include "palp/scene/run_recording.hpp"

namespace palp {
namespace recorded_glc_test {

const char* const two_points = R"(seconds: 0.3
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 50, delay: 7, contact: glc, handOver: end, range: 0.015, maxContacts: 40}
contact: {mu: 0.2}
bodies:
  bar:
    model: corotational
    mesh: {generator: box, size: [0.12, 0.03, 0.02], cells: [8, 3, 2], elements: hexes}
    youngModulus: 5e4
    rayleighStiffness: 0.02
    fixed: [{box: [[-0.061, -1, -1], [-0.059, 1, 1]]}, {box: [[0.059, -1, -1], [0.061, 1, 1]]}]
  above: {model: point, rate: high, mass: 0.001, position: [0, 0.001, 0.0102]}
  below: {model: point, rate: high, mass: 0.001, position: [0.004, 0.001, -0.0102]}
devices:
  one:
    type: hand
    path: [{time: 0, position: [0, 0.001, 0.0102]}, {time: 0.1, position: [0.002, 0.001, 0.007]}]
    holds: {body: above, stiffness: 800, damping: 0.8}
    profile: desktop
  two:
    type: script
    path: [{time: 0, position: [0.004, 0.001, -0.0102]}, {time: 0.2, position: [0.004, 0.002, -0.008]}]
    holds: {body: below, stiffness: 800, damping: 0.8}
)";

class RecordedGlc : public ::testing::Test {
 protected:
  testing::TextFile scene_file_{two_points};
  std::string recording_ = scene_file_.path + ".h5";
  void TearDown() override { std::filesystem::remove(recording_); }
  std::unique_ptr<Scene> load() const {
    SceneResult loaded = load_scene(scene_file_.path);
    for (const Error& e : loaded.errors) ADD_FAILURE() << e.text();
    return std::move(loaded.scene);
  }
};

TEST_F(RecordedGlc, a_replay_gives_the_same_bits_and_the_record_is_the_problem_that_was_solved) {
  constexpr int ticks = 300;
  auto scene = load();
  ASSERT_TRUE(scene);
  SceneRun run(*scene);
  auto recording = RunRecording::start(recording_, *scene, "1.0");
  ASSERT_TRUE(recording) << recording.error().text();
  std::vector<Vec3> proxies;  // of both hands, tick by tick
  std::vector<long> sequence;
  for (int i = 0; i < ticks; ++i) {
    ASSERT_TRUE(run.advance());
    recording->add(run);
    for (int k = 0; k < 2; ++k) proxies.push_back(run.loop()->high().tools[k].state.x);
    sequence.push_back(run.loop()->snapshot().sequence);
  }
  ASSERT_TRUE(recording->close());

  auto opened = Recording::open(recording_);
  ASSERT_TRUE(opened) << opened.error().text();
  const auto rows = opened->read_ticks(0, opened->ticks());
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), static_cast<size_t>(ticks));
  for (int i = 0; i < ticks; ++i) {
    const TickRecord& t = (*rows)[static_cast<size_t>(i)];
    ASSERT_EQ(t.snapshot_sequence, static_cast<std::uint64_t>(sequence[static_cast<size_t>(i)]));
    for (int k = 0; k < 2; ++k)
      ASSERT_EQ(vec3(t.device[static_cast<size_t>(k)].proxy_position),
                proxies[static_cast<size_t>(2 * i + k)]);
  }
  // Every snapshot that a tick used is there, once. Low-rate steps at ticks 0, 20, … 280: 15 of them.
  ASSERT_EQ(opened->glc_snapshots(), 15u);
  for (size_t s = 0; s < 15; ++s) {
    const auto glcs = opened->read_glcs(s);
    ASSERT_TRUE(glcs) << glcs.error().text();
    EXPECT_EQ(glcs->sequence, s + 1);
    EXPECT_EQ(glcs->tick, 20 * s);
    ASSERT_EQ(glcs->proxy.size(), 2u);
    EXPECT_FALSE(glcs->glc.empty());
    int patches = 0;
    for (const Glc& g : glcs->glc) {
      EXPECT_LT((g.n.cross(g.t1) - g.t2).norm(), 1e-9);
      EXPECT_TRUE(g.sides == 0 || g.sides == 3 || g.sides == 4) << g.sides;  // an edge, a triangle, a pair
      patches += g.sides > 0;
      for (int k = 0; k < g.sides; ++k) {
        EXPECT_NEAR(std::hypot(g.side[k].a1, g.side[k].a2), 1, 1e-9);
        EXPECT_GT(g.side[k].b, 0);
        EXPECT_LE(g.side[k].b, std::hypot(g.s1, g.s2) * (1 + 1e-9));
      }
    }
    EXPECT_GT(patches, 0);
    for (const int body : glcs->body) EXPECT_EQ(body, 0);
  }
  // The last tick, rebuilt from the recording alone: ψ of a GLC after the free motion is n·(x_free − p_free),
  // and the proxy ends at x_free + C Σ Nᵀ f (K16 eq. 9), so  ψ_free = n·(x − C Σ Nᵀ f − p_free). The patches
  // have since gone with their nodes, by less than a millimetre: the hands press by 3.2 and 2.2 mm.
  const TickRecord& last = rows->back();
  EXPECT_GT(last.active_contacts, 0);
  ASSERT_TRUE(last.converged);
  const auto contacts = opened->read_contacts(ticks - 1);
  ASSERT_TRUE(contacts);
  const auto glcs = opened->read_glcs(last.snapshot_sequence - 1);
  ASSERT_TRUE(glcs);
  ASSERT_EQ(contacts->lambda.size(), 3 * last.contacts);
  ASSERT_EQ(glcs->glc.size(), static_cast<size_t>(last.contacts));  // nothing else touches here
  std::vector<Vec3> force(2, Vec3::Zero());
  for (size_t i = 0; i < glcs->glc.size(); ++i) {
    const Glc& g = glcs->glc[i];
    const auto f = contacts->lambda.segment<3>(3 * static_cast<long>(i));
    force[static_cast<size_t>(g.proxy)] += f[0] * g.n + f[1] * g.t1 + f[2] * g.t2;
    EXPECT_GE(f[0], 0);
  }
  EXPECT_GT(force[0].z(), 0.1);
  EXPECT_LT(force[1].z(), -0.1);
  for (size_t i = 0; i < glcs->glc.size(); ++i) {
    const Glc& g = glcs->glc[i];
    const auto p = static_cast<size_t>(g.proxy);
    const Vec3 x_free = vec3(last.device[p].proxy_position) - glcs->proxy[p].compliance * force[p];
    EXPECT_NEAR(contacts->delta_free[3 * static_cast<long>(i)], g.n.dot(x_free - glcs->p_free[i]), 1e-3) << i;
  }

  const auto report = replay(*opened, "1.0");
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->compared, static_cast<size_t>(ticks));
  EXPECT_FALSE(report->difference) << report->difference->quantity;
}

TEST_F(RecordedGlc, the_port_to_the_devices_allocates_nothing_while_it_records) {
  if (!testing::watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  auto scene = load();
  ASSERT_TRUE(scene);
  auto recorder = make_recorder(recording_, *scene, "1.0", {});
  ASSERT_TRUE(recorder);
  ScenePort port(*scene, recorder->get());
  HapticLoop loop(*scene->two_rate);
  std::vector<DevicePose> poses(2);
  std::vector<Wrench> wrenches(2);
  long allocations = 0;
  for (int i = 0; i < 100; ++i) {
    const long a = testing::allocations();
    port.read(0.001 * (i + 1), poses);
    const long b = testing::allocations();
    const TickReport report = loop.advance(poses, wrenches);
    const long c = testing::allocations();
    port.look(loop.snapshot(), loop.high());
    port.write(report, wrenches, 0.001);
    if (loop.made_low_step()) port.look(loop.low(), &loop.snapshot(), i, loop.time_s());
    allocations += testing::allocations() - c + b - a;
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_TRUE((*recorder)->close());
  EXPECT_EQ((*recorder)->status().ticks, 100u);
}

TEST_F(RecordedGlc, on_the_clock_a_dead_low_rate_lets_the_force_decay_and_the_recording_tells) {
  auto scene = load();
  ASSERT_TRUE(scene);
  auto recorder = make_recorder(recording_, *scene, "1.0", {});
  ASSERT_TRUE(recorder);
  std::vector<InterventionCounts> counts;
  const auto report =
      run_scene_realtime(*scene, {.seconds = 0.7, .low_steps_at_most = 8}, recorder->get(), &counts);
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_TRUE((*recorder)->close());
  EXPECT_EQ(report->ticks + report->missed_periods, 700);
  EXPECT_EQ(report->low_steps, 8);
  EXPECT_EQ(report->failed_ticks + report->failed_low_steps, 0);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_GT(counts[0].of(intervention::stale_snapshot), 0u);

  auto opened = Recording::open(recording_);
  ASSERT_TRUE(opened) << opened.error().text();
  const RecorderStatus status = opened->status();
  EXPECT_EQ(status.ticks + status.dropped_ticks, static_cast<std::uint64_t>(report->ticks));
  const auto ticks = opened->read_ticks(0, opened->ticks());
  ASSERT_TRUE(ticks);
  ASSERT_EQ(ticks->size(), status.ticks);
  const DeviceProfile profile;
  std::uint64_t sequence = 0;
  for (const TickRecord& t : *ticks) {
    ASSERT_TRUE(vec3(t.device[0].force).allFinite());
    ASSERT_LE(vec3(t.device[0].force).norm(), profile.max_force_N * (1 + 1e-12));
    ASSERT_GE(t.snapshot_sequence, sequence);
    sequence = t.snapshot_sequence;
  }
  EXPECT_EQ(sequence, 8u);
  EXPECT_TRUE(ticks->back().interventions & intervention::stale_snapshot);
  EXPECT_EQ(vec3(ticks->back().device[0].force).norm(), 0);
  EXPECT_EQ(opened->glc_snapshots() + opened->frames().size() + status.dropped_frames, 16u);
}

}  // namespace recorded_glc_test
}  // namespace palp
