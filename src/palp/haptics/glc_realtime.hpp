// K16's two rates on the real clock: the threads of two_threads.hpp exchange proxies and GlcSnapshot through
// wait-free triple buffers and call what the deterministic loop calls (glc_loop.hpp): GlcLowStep::advance,
// GlcTick::adopt, GlcTick::tick.
#pragma once
#include "palp/haptics/glc_low_step.hpp"
#include "palp/haptics/two_threads.hpp"

namespace palp {

/// Runs both threads for options.seconds and waits for them. `tick_budget_us`: for the solve of a tick; the
/// low rate has none. An error when GlcLowStep::make has one.
Result<RealTimeReport> run_realtime(const Model& model, std::vector<GlcHand> hands,
                                    const GlcLoopSettings& settings, int devices, double tick_budget_us,
                                    HandPort& port, const RealTimeOptions& options);

}  // namespace palp
