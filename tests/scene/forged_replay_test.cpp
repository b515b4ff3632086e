// A recording whose grips name other bodies or frames than its scene: refused before a body is asked for a
// frame that it does not have.
#include <filesystem>

#include "../fuzz/hdf5_edit.hpp"
#include "scene/scene_text.hpp"
#include <gtest/gtest.h>

#include "palp/scene/recorded_scene.hpp"
#include "palp/scene/replay.hpp"
#include "palp/scene/run_recording.hpp"

namespace palp {
namespace forged_replay_test {

const char* const two_rates = R"(haptics: {rate: 1000, lowRate: 50}
bodies:
  block: {model: linear, mesh: {generator: box, cells: [1, 1, 1]}, youngModulus: 1e4, fixed: {nodes: [0, 1, 2, 3]}}
  tool: {model: rigid, mesh: {generator: icosphere, radius: 0.01, subdivisions: 1}, position: [0, 0, 0.2], rate: high}
devices:
  hand: {type: script, path: [{time: 0, position: [0, 0, 0.2]}], holds: {body: tool}}
)";

const char* const one_rate = R"(dt: 0.01
bodies:
  thread: {model: beam, mesh: {generator: straight, segments: 4}, youngModulus: 1e6, section: {radius: 0.001}}
  floor: {model: obstacle, mesh: {generator: box, cells: [1, 1, 1], centre: [0, 0, -1]}}
devices:
  hand: {type: script, path: [{time: 0, position: [0, 0, 0]}], holds: {body: thread, frame: 1, stiffness: 10}}
)";

std::string replayed(const char* text, hsize_t column, double value) {
  const testing::TextFile scene(text), file("", ".h5");
  SceneResult loaded = load_scene(scene.path);
  if (!loaded.scene) return loaded.errors[0].text();
  {
    SceneRun run(*loaded.scene);
    auto recording = RunRecording::start(file.path, *loaded.scene, "1.0");
    if (!recording) return recording.error().text();
    for (int i = 0; i < 30; ++i) {
      if (!run.advance()) return "the step failed";
      recording->add(run);
    }
    if (!recording->close()) return "not closed";
  }
  {
    const fuzz::Hdf5Edit edit(file.path);
    if (column < recording::grip_numbers && !edit.set_number("grips", column, value)) return "not forged";
  }
  auto opened = Recording::open(file.path);
  if (!opened) return "refused: " + opened.error().message;
  auto report = replay(*opened, "1.0");
  if (!report) return "refused: " + report.error().message;
  return report->difference ? "different" : "same";
}

TEST(ForgedReplay, an_honest_recording_is_the_same_again) {
  EXPECT_EQ(replayed(two_rates, 99, 0), "same");
  EXPECT_EQ(replayed(one_rate, 99, 0), "same");
}

TEST(ForgedReplay, a_grip_on_a_body_that_is_no_tool_is_refused) {
  EXPECT_EQ(replayed(two_rates, 1, 0).substr(0, 8), "refused:");
}

TEST(ForgedReplay, a_grip_on_a_frame_that_is_not_there_is_refused) {
  EXPECT_EQ(replayed(one_rate, 2, 1e8).substr(0, 8), "refused:");
  EXPECT_EQ(replayed(one_rate, 1, 1).substr(0, 8), "refused:");  // the floor
}

}  // namespace forged_replay_test
}  // namespace palp
