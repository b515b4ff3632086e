// What the safety chains did, for the summary of palp run.
#pragma once
#include <nlohmann/json.hpp>

#include "palp/scene/run.hpp"

namespace palp::cli {

/// Of a run on the virtual clock, by device.
std::vector<InterventionCounts> counts_of(const Scene& scene, const SceneRun& run);
/// {"hand": {"clamp": 12, "ramp": 200, …}}: only what happened.
nlohmann::ordered_json interventions_json(const Scene& scene, const std::vector<InterventionCounts>& counts);
void print_interventions(const Scene& scene, const std::vector<InterventionCounts>& counts);

}  // namespace palp::cli
