// palp converge: a scene's distance from its own limit, by finer meshes and finer steps.
#include <cmath>
#include <cstdio>

#include "commands.hpp"
#include "load_scene.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/draw/plot.hpp"
#include "palp/scene/converge.hpp"

namespace palp::cli {
namespace converge_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string scene, plot;
  std::vector<std::string> set;
  ConvergeOptions converge;
  bool json = false;
};

Json json(const ConvergeSequence& s) {
  Json levels = Json::array();
  for (const ConvergeLevel& l : s.levels)
    levels.push_back({{"mesh", l.refinement.mesh},
                      {"time", l.refinement.time},
                      {"cells", l.cells},
                      {"unknowns", l.unknowns},
                      {"dt_s", l.dt_s},
                      {"size", l.size},
                      {"value", l.value}});
  return {{"levels", levels},
          {"ended_by", s.ended_by.empty() ? Json() : Json(s.ended_by)},
          {"converged", s.limit.converged},
          {"order", s.limit.order ? Json(*s.limit.order) : Json()},
          {"limit", s.limit.value},
          {"error", s.limit.error}};
}

void print_json(const ConvergeStudy& s) {
  std::printf("%s\n", Json{{"quantity", s.quantity},
                           {"unit", s.unit},
                           {"as_written", s.as_written},
                           {"limit", s.limit},
                           {"error", s.error},
                           {"distance_percent", s.distance_percent()},
                           {"converged", s.converged},
                           {"not_refined", s.not_refined},
                           {"mesh", json(s.mesh)},
                           {"time", json(s.time)}}
                          .dump(2)
                          .c_str());
}

void print(const char* name, const ConvergeSequence& s, double SceneRefinement::*factor, const char* unit) {
  std::printf("\n%-10s %9s %9s %11s %12s\n", name, "cells", "unknowns", "dt (s)", "value");
  for (const ConvergeLevel& l : s.levels)
    std::printf("x %-8g %9ld %9ld %11.4g %12.6g\n", l.refinement.*factor, l.cells, l.unknowns, l.dt_s,
                l.value);
  if (!s.ended_by.empty()) std::printf("ended: %s\n", s.ended_by.c_str());
  if (!s.limit.converged)
    std::printf("%s: %.5g ± %.2g %s, the finest and the spread of the last values\n",
                s.settled() ? "no order, but little change" : "not converged", s.limit.value, s.limit.error,
                unit);
  else if (s.limit.order)
    std::printf("order %.2f, limit %.5g ± %.2g %s\n", *s.limit.order, s.limit.value, s.limit.error, unit);
  else
    std::printf("no change: %.5g %s\n", s.limit.value, unit);
}

void print_text(const ConvergeStudy& s) {
  std::printf("%s (%s)\n", s.quantity.c_str(), s.unit);
  print("mesh", s.mesh, &SceneRefinement::mesh, s.unit);
  print("time step", s.time, &SceneRefinement::time, s.unit);
  for (const std::string& body : s.not_refined)
    std::printf("\nThe mesh of '%s' comes from a file and was not refined.", body.c_str());
  std::printf("\n%s: %.5g ± %.2g %s. As written: %.5g %s, %+.1f %% from it.\n",
              s.converged ? "limit" : "not converged, best guess", s.limit, s.error, s.unit, s.as_written,
              s.unit, s.distance_percent());
}

Result<void> draw(const ConvergeStudy& s, const std::string& path) {
  Plot plot;
  plot.title = s.quantity + (s.converged ? "" : " (not converged)");
  plot.x_label = "size of mesh or step over that of the scene";
  plot.y_label = s.quantity + " (" + s.unit + ")";
  const auto add = [&](const char* name, const ConvergeSequence& sequence) {
    std::vector<double> x, y;
    for (const ConvergeLevel& l : sequence.levels) {
      x.push_back(l.size);
      y.push_back(l.value);
    }
    if (sequence.limit.converged) {
      x.push_back(0);
      y.push_back(sequence.limit.value);
    }
    plot.add_line(name, x, y, {.markers = true});
  };
  add("finer mesh", s.mesh);
  add("finer step", s.time);
  plot.add_line("limit and error bar", std::vector<double>{0, 0},
                std::vector<double>{s.limit - s.error, s.limit + s.error}, {.width = 4, .markers = true});
  plot.x_range = {-0.05, 1.05};
  return plot.write(path);
}

void fail(const std::string& text) {
  std::fprintf(stderr, "palp converge: %s\n", text.c_str());
  exit_code = 1;
}

void run(const Options& o) {
  const auto scene = load_or_explain(o.scene, o.set);
  if (!scene) return;
  const auto study = converge(scene->spec, o.converge, [](const ConvergeLevel& l) {
    if (isatty(2))
      std::fprintf(stderr, "mesh x %g, steps x %g: %.5g\n", l.refinement.mesh, l.refinement.time, l.value);
  });
  if (!study) return fail(study.error().text());
  o.json ? print_json(*study) : print_text(*study);
  if (!o.plot.empty())
    if (auto ok = draw(*study, o.plot); !ok) return fail(ok.error().text());
}

}  // namespace converge_command

void add_converge(CLI::App& app) {
  using namespace converge_command;
  auto o = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("converge", "Runs a scene in finer meshes and steps: how far is it from its limit?");
  command->footer("Example:  palp converge scenes/snap-in.yaml --of hand.peakForce --plot snap-in.svg");
  command->add_option("scene", o->scene, "Scene file (YAML)")->required();
  command->add_option("--of", o->converge.quantity,
                      "What to follow, by its name in palp run; default: the first");
  command
      ->add_option("--levels", o->converge.levels,
                   "Meshes and steps 1, 1.5, 2, 3, 4, 6 and 8 times as fine: how many")
      ->capture_default_str()
      ->check(CLI::Range(3, 7));
  command->add_option("--seconds", o->converge.seconds, "Simulated time; default: the scene's own")
      ->check(CLI::PositiveNumber);
  command->add_option("--set", o->set, "Overrides a value of the scene: key=value")->take_all();
  command->add_option("--plot", o->plot, "Draws both sequences and the limit (PNG or SVG)");
  command->add_flag("--json", o->json, "Answer for machines");
  command->callback([o] { run(*o); });
}

}  // namespace palp::cli
