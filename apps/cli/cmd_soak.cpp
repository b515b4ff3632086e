// palp soak: a scene left alone with faults, and what the safety chain promises checked at every tick.
#include <cstdio>

#include "commands.hpp"
#include "load_scene.hpp"
#include "progress_bar.hpp"
#include <nlohmann/json.hpp>

#include "palp/scene/soak.hpp"

namespace palp::cli {
namespace soak_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string scene;
  std::vector<std::string> set;
  SoakOptions soak;
  bool json = false;
};

template <class Names, class Counts>
Json by_name(const Names& names, const Counts& counts) {
  Json out = Json::object();
  for (size_t k = 0; k < names.size(); ++k) out[names[k]] = counts[k];
  return out;
}

template <class Names, class Counts>
std::string in_words(const Names& names, const Counts& counts) {
  std::string text;
  for (size_t k = 0; k < names.size(); ++k)
    if (counts[k] > 0)
      text.append(text.empty() ? "" : ", ").append(names[k]).append(" ").append(std::to_string(counts[k]));
  return text.empty() ? "none" : text;
}

std::string hex(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(number));
  return text;
}

Json to_json(const Scene& scene, const Options& o, const SoakReport& r) {
  Json out{{"scene", scene.spec.file},
           {"seed", o.soak.seed},
           {"ticks", r.ticks},
           {"starts", r.starts},
           {"wall_s", r.wall_s},
           {"devices_with_default_profile", r.cautious_devices},
           {"faults", by_name(soak_fault::names, r.faults)},
           {"fault_ticks", by_name(soak_fault::names, r.fault_ticks)},
           {"interventions", by_name(intervention::names, r.interventions.count)},
           {"failed_steps", r.failed_steps},
           {"ticks_with_force", r.ticks_with_force},
           {"worst_force_N", r.worst_force_N},
           {"worst_torque_Nm", r.worst_torque_Nm},
           {"worst_slew_N_per_s", r.worst_slew_N_per_s},
           {"worst_torque_slew_Nm_per_s", r.worst_torque_slew_Nm_per_s},
           {"broken_promises", r.broken_promises()},
           {"broken", by_name(promise::names, r.broken)},
           {"not_finite_states", r.not_finite_states},
           {"digest", hex(r.digest)}};
  if (r.first_broken.tick >= 0)
    out["first_broken"] = {{"tick", r.first_broken.tick},
                           {"device", scene.devices[static_cast<size_t>(r.first_broken.device)].name},
                           {"promise", promise::names[r.first_broken.kind]}};
  return out;
}

void print(const Scene& scene, const Options& o, const SoakReport& r) {
  std::printf("%s: %ld ticks, %ld starts, seed %llu, in %.3g s (%.3g ticks a second)\n",
              scene.spec.file.c_str(), r.ticks, r.starts, static_cast<unsigned long long>(o.soak.seed),
              r.wall_s, static_cast<double>(r.ticks) / r.wall_s);
  if (r.cautious_devices > 0)
    std::printf("profile      %d of %zu devices have none: taken as desktop (docs/safety.md)\n",
                r.cautious_devices, scene.devices.size());
  std::printf("faults       %s\n", in_words(soak_fault::names, r.faults).c_str());
  std::printf("  in ticks   %s\n", in_words(soak_fault::names, r.fault_ticks).c_str());
  std::printf("safety       %s\n", in_words(intervention::names, r.interventions.count).c_str());
  std::printf("steps        %ld failed and changed nothing\n", r.failed_steps);
  std::printf(
      "force        given in %ld ticks; at most %.4g N, %.4g N m; changed by at most %.4g N/s, %.4g N m/s\n",
      r.ticks_with_force, r.worst_force_N, r.worst_torque_Nm, r.worst_slew_N_per_s,
      r.worst_torque_slew_Nm_per_s);
  std::printf("digest       %s\n", hex(r.digest).c_str());
  std::printf("promises     %ld broken\n", r.broken_promises());
  if (r.not_finite_states > 0)
    std::printf("             states that are no numbers %ld\n", r.not_finite_states);
  if (r.first_broken.tick >= 0)
    std::printf("             %s; first %s at tick %ld, device %s\n",
                in_words(promise::names, r.broken).c_str(), promise::names[r.first_broken.kind],
                r.first_broken.tick, scene.devices[static_cast<size_t>(r.first_broken.device)].name.c_str());
}

void run_soak(Options& o) {
  auto scene = load_or_explain(o.scene, o.set);
  if (!scene) return;
  const auto report = [&] {
    ProgressBar bar;
    o.soak.progress = [&](double share) { bar.show(share); };
    return soak(*scene, o.soak);
  }();
  if (!report) {
    std::fprintf(stderr, "palp soak: %s\n", report.error().text().c_str());
    exit_code = 1;
    return;
  }
  if (report->broken_promises() > 0) exit_code = 1;
  o.json ? void(std::printf("%s\n", to_json(*scene, o, *report).dump(2).c_str())) : print(*scene, o, *report);
}

}  // namespace soak_command

void add_soak(CLI::App& app) {
  using namespace soak_command;
  auto o = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("soak", "Runs a scene among random faults, checks what the safety chain promises");
  command->footer("Example:  palp soak scenes/two-hands.yaml --ticks 1000000 --seed 7");
  command->add_option("scene", o->scene, "Scene file (YAML) with a device")->required();
  command->add_option("--ticks", o->soak.ticks, "Haptic ticks (steps with one rate)")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", o->soak.seed, "Another seed, other faults")->capture_default_str();
  command->add_option("--set", o->set, "Overrides a value of the scene: key=value")->take_all();
  command->add_flag("--json", o->json, "Summary for machines");
  command->callback([o] { run_soak(*o); });
}

}  // namespace palp::cli
