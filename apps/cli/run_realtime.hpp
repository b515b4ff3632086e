// palp run --realtime
#pragma once
#include "palp/io/recorder.hpp"
#include "palp/scene/scene.hpp"

namespace palp::cli {

/// Runs the scene on the clock and prints rates, jitter and misses. False after an error message. `record`: a
/// file for the recording, or empty; `overrides`: how the scene was loaded.
bool run_on_the_clock(Scene& scene, double seconds, bool json, const std::string& record,
                      const RecorderOptions& recorder_options, const std::vector<SceneOverride>& overrides);

}  // namespace palp::cli
