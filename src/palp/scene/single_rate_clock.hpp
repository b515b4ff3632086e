// One rate on the real clock: a thread of its own that makes a step of the scene (run.hpp) every dt. A step
// that takes longer than it simulates leaves its successors' periods out, and simulated time falls behind.
#pragma once
#include "palp/scene/realtime_run.hpp"

namespace palp {

/// What run_scene_realtime does for a scene without `haptics:`. A contact problem that takes longer than a
/// step lasts is cut off, unless the scene has its own limit; the certificate tells.
Result<RealTimeReport> run_single_rate(Scene& scene, const RealTimeOptions& options, Recorder* recorder,
                                       std::vector<InterventionCounts>* counts, LowRateGuest* guest);

}  // namespace palp
