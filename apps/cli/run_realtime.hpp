// palp run --realtime
#pragma once
#include "palp/scene/scene.hpp"

namespace palp::cli {

/// Runs the scene on the clock and prints rates, jitter and misses. False after an error message.
bool run_on_the_clock(Scene& scene, double seconds, bool json);

}  // namespace palp::cli
