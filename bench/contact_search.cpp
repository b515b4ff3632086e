// What contact search costs beyond pairs near the start of a step: following bodies along their way (those
// that are fast, as by default, or all with `continuous`), and bodies that touch themselves (`selfContact`).
// Each scene is stepped with and without, in turn, so that both see the same machine; printed are ratios of
// processor time, of the proximity stage and of the whole step. Scenes without crossings: with them there is
// more to be solved, too.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "timing.hpp"

#include "palp/scene/run.hpp"

namespace {
using namespace palp;

struct Case {
  const char* scene;
  double seconds;
  const char* soft;  ///< the body that touches itself, nullptr = none
};

std::unique_ptr<Scene> load(const char* name, const std::vector<SceneOverride>& set) {
  SceneResult result = load_scene(std::string(PALP_SCENES "/") + name, set);
  for (const Error& e : result.errors) std::fprintf(stderr, "%s\n", e.text().c_str());
  if (!result.scene) std::exit(1);
  return std::move(result.scene);
}

struct Cost {
  Times step, proximity;
  long crossings = 0, contacts = 0;
};

/// Both ways in turn, step by step; medians.
void compare(const Case& c, const char* what, const std::vector<SceneOverride>& without,
             const std::vector<SceneOverride>& with) {
  const std::unique_ptr<Scene> scene[2] = {load(c.scene, without), load(c.scene, with)};
  SceneRun run[2] = {SceneRun(*scene[0]), SceneRun(*scene[1])};
  Cost cost[2];
  while (run[0].state().time_s < c.seconds - 1e-9)
    for (int k : {0, 1}) {
      const double start = cpu_us();
      if (!run[k].advance()) {
        std::fprintf(stderr, "%s: %s\n", c.scene, explain(*scene[k], run[k].record().report).c_str());
        std::exit(1);
      }
      const StepReport& r = run[k].record().report;
      cost[k].step.us.push_back(cpu_us() - start);
      cost[k].proximity.us.push_back(r.times.proximity_us);
      cost[k].crossings += r.crossings;
      cost[k].contacts += r.contacts;
    }
  const auto steps = static_cast<double>(cost[0].step.us.size());
  std::printf("%-24s %-12s %8.1f %9ld %10.0f %10.2f %10.0f %10.2f\n", c.scene, what,
              static_cast<double>(cost[1].contacts) / steps, cost[1].crossings, cost[0].proximity.at(0.5),
              cost[1].proximity.at(0.5) / cost[0].proximity.at(0.5), cost[0].step.at(0.5),
              cost[1].step.at(0.5) / cost[0].step.at(0.5));
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && !std::strcmp(argv[1], "--quick");
  const Case cases[] = {{"snap-in.yaml", 1.2, "clip"},
                        {"d04-spheres.yaml", 0.3, "upper"},
                        {"d06-table.yaml", 0.5, "table"},
                        {"soft-ball-on-table.yaml", 0.5, "ball"},
                        {"falling-ball.yaml", 0.5, nullptr},
                        {"v2-belt.yaml", 0.3, "belt"},
                        {"d04-ball-on-cylinder.yaml", 0.3, "ball"}};
  std::printf("%-24s %-12s %8s %9s %10s %10s %10s %10s\n", "scene", "with", "contacts", "crossings",
              "prox us", "ratio", "step us", "ratio");
  for (Case c : cases) {
    if (quick) c.seconds *= 0.3;
    compare(c, "default", {{"continuous", "false"}}, {});
    compare(c, "continuous", {{"continuous", "false"}}, {{"continuous", "true"}});
    if (c.soft) compare(c, "selfContact", {}, {{"bodies." + std::string(c.soft) + ".selfContact", "true"}});
  }
  return 0;
}
