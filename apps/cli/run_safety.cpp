#include "run_safety.hpp"

#include <cstdio>

namespace palp::cli {

std::vector<InterventionCounts> counts_of(const Scene& scene, const SceneRun& run) {
  std::vector<InterventionCounts> counts;
  for (size_t d = 0; d < scene.devices.size(); ++d)
    counts.push_back(run.safety(static_cast<int>(d)).counts());
  return counts;
}

nlohmann::ordered_json interventions_json(const Scene& scene,
                                          const std::vector<InterventionCounts>& by_device) {
  auto out = nlohmann::ordered_json::object();
  for (size_t d = 0; d < scene.devices.size(); ++d) {
    auto counts = nlohmann::ordered_json::object();
    const InterventionCounts& c = by_device[d];
    for (size_t b = 0; b < c.count.size(); ++b)
      if (c.count[b] > 0) counts[intervention::names[b]] = c.count[b];
    out[scene.devices[d].name] = counts;
  }
  return out;
}

void print_interventions(const Scene& scene, const std::vector<InterventionCounts>& by_device) {
  for (size_t d = 0; d < scene.devices.size(); ++d) {
    const InterventionCounts& c = by_device[d];
    std::string text;
    for (size_t b = 0; b < c.count.size(); ++b)
      if (c.count[b] > 0)
        text.append(text.empty() ? "" : ", ")
            .append(intervention::names[b])
            .append(" ")
            .append(std::to_string(c.count[b]));
    std::printf("safety       %s: %s\n", scene.devices[d].name.c_str(),
                text.empty() ? "no intervention" : text.c_str());
  }
}

}  // namespace palp::cli
