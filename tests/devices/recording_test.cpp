// A scene with a device of each kind, ten faults one after the other, recorded: the recording tells of each
// of them, and its replay gives the same bits without a device.
#include <filesystem>
#include <fstream>

#include "rig.hpp"

#include "palp/scene/attach_device.hpp"
#include "palp/scene/realtime_run.hpp"
#include "palp/scene/replay.hpp"
#include "palp/scene/run_recording.hpp"

namespace palp {
namespace recording_test {

/// A hand carries a body, so that it always feels something: 0.1 kg, about a newton.
constexpr const char* carried = R"(dt: 0.004
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

struct Window {
  Fault fault = Fault::none;
  std::uint64_t begin = 0, healed = 0, end = 0;  ///< ticks of the recording
};

class RecordedDevices : public ::testing::TestWithParam<std::string> {
 protected:
  RecordedDevices() {
    folder_ = std::filesystem::temp_directory_path() / ("palp-devices-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "carried.yaml") << carried;
  }
  ~RecordedDevices() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_P(RecordedDevices, tell_of_every_fault_and_are_replayed_without_hardware) {
  Rig rig(GetParam());
  std::shared_ptr<Device> device = rig.device();
  auto opened = device->open();
  ASSERT_TRUE(opened) << opened.error().text();
  SceneResult loaded = load_scene((folder_ / "carried.yaml").string());
  ASSERT_TRUE(loaded.scene) << loaded.errors[0].text();
  auto attached = attach_device(*loaded.scene, "hand", device);
  ASSERT_TRUE(attached) << attached.error().text();
  const std::string file = (folder_ / "run.h5").string();
  auto recorder = make_recorder(file, *loaded.scene, "1.0", {});
  ASSERT_TRUE(recorder) << recorder.error().text();

  std::atomic<bool> stop{false};
  std::thread run([&] {
    auto report = run_scene_realtime(*loaded.scene, {.seconds = 600, .stop = &stop}, recorder->get());
    EXPECT_TRUE(report) << report.error().text();
  });
  const auto ticks = [&] { return (*recorder)->status().ticks; };
  const auto pass = [&](std::uint64_t more) {
    const std::uint64_t until = ticks() + more;
    return eventually([&] { return ticks() > until; });
  };
  EXPECT_TRUE(pass(100));
  std::vector<Window> windows;
  for (const Fault fault : all_faults()) {
    Window w{.fault = fault, .begin = ticks()};
    rig.arm->set(fault);
    EXPECT_TRUE(pass(60)) << name_of(fault);
    rig.arm->set(Fault::none);
    EXPECT_TRUE(eventually([&] { return device->health().present; })) << name_of(fault);
    w.healed = ticks();
    EXPECT_TRUE(pass(100)) << name_of(fault);
    w.end = ticks();
    windows.push_back(w);
  }
  stop = true;
  run.join();
  ASSERT_TRUE((*recorder)->close());
  EXPECT_EQ((*recorder)->status().dropped_ticks, 0u);
  device->close();
  EXPECT_TRUE(eventually([&] { return rig.arm->log().last.force.isZero(0); }));
  const int openings = rig.arm->log().opened;

  auto recording = Recording::open(file);
  ASSERT_TRUE(recording) << recording.error().text();
  auto rows = recording->read_ticks(0, recording->ticks());
  ASSERT_TRUE(rows);
  const DeviceProfile& limits = loaded.scene->devices[0].profile;
  for (const Window& w : windows) {
    long absent = 0, lost = 0;
    double most = 0, again = 0;
    for (std::uint64_t i = w.begin; i < std::min<std::uint64_t>(w.end, rows->size()); ++i) {
      const TickDevice& d = (*rows)[i].device[0];
      const Vec3 force = vec3(d.force);
      ASSERT_TRUE(force.allFinite());
      absent += d.present == 0;
      lost += (d.interventions & intervention::device_lost) != 0;
      most = std::max(most, force.norm());
      if (i >= w.healed) again = std::max(again, force.norm());
    }
    EXPECT_EQ(absent, lost) << name_of(w.fault);
    EXPECT_LE(most, limits.max_force_N * (1 + 1e-12)) << name_of(w.fault);
    // At some tick: a busy machine may lose the device again for a moment.
    EXPECT_GT(again, 0) << name_of(w.fault) << ": the force had not come back";
    // A pose that is stuck or motors that are weak cannot be told from a hand that rests; a stick that is
    // pushed wildly is a stick that is pushed.
    const bool pushed = GetParam() == "spacenav" || GetParam() == "gamepad";
    const bool gone = w.fault == Fault::closed || w.fault == Fault::unplugged;
    if (gone || (!pushed && w.fault != Fault::stuck && w.fault != Fault::saturated)) {
      EXPECT_GT(lost, 0) << name_of(w.fault);
    }
  }
  auto report = replay(*recording, "1.0");
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->compared, rows->size());
  EXPECT_FALSE(report->difference) << report->difference->tick << ": " << report->difference->quantity << " "
                                   << report->difference->recorded << " " << report->difference->replayed;
  EXPECT_EQ(rig.arm->log().opened, openings);  // nobody was asked
}

INSTANTIATE_TEST_SUITE_P(All, RecordedDevices,
                         ::testing::Values("haply", "udp", "forcedimension", "openhaptics", "virtuose",
                                           "spacenav", "gamepad"),
                         [](const auto& p) { return p.param; });

}  // namespace recording_test
}  // namespace palp
