// The real-time runner of the two-rate scheme: the threads of two_threads.hpp exchange ToolState and Snapshot
// through wait-free triple buffers and call the functions of the deterministic runner (haptic_loop.hpp):
// publish_tools, low_step, tick.
#pragma once
#include "palp/haptics/haptic_loop.hpp"
#include "palp/haptics/two_threads.hpp"

namespace palp {

/// Runs both threads for options.seconds and waits for them.
RealTimeReport run_realtime(const TwoRateModel& model, HandPort& hands, const RealTimeOptions& options);

}  // namespace palp
