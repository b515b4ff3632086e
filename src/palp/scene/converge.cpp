#include "palp/scene/converge.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

struct Runner {
  const SceneSource& source;
  const ConvergeOptions& options;
  const std::function<void(const ConvergeLevel&)>& done;
  ConvergeStudy study = {};

  Result<std::unique_ptr<Scene>> load(const SceneRefinement& refinement) const {
    SceneResult loaded = source(refinement);
    if (!loaded.scene) return loaded.errors[0];
    return std::move(loaded.scene);
  }

  /// The quantity that is asked for, or the first.
  Result<void> choose(const Scene& scene) {
    const std::vector<std::string> names = quantity_names(scene);
    if (names.empty())
      return Error{.message = "the scene has nothing to follow: no device, and no body with fixed nodes",
                   .file = scene.spec.file,
                   .remedy = "add a device, or fix some nodes"};
    study.quantity = options.quantity.empty() ? names[0] : options.quantity;
    if (std::find(names.begin(), names.end(), study.quantity) != names.end()) return {};
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    return Error{.message = "the scene has no quantity '" + study.quantity + "'",
                 .file = scene.spec.file,
                 .remedy = "it has " + known};
  }

  Result<ConvergeLevel> run(const SceneRefinement& refinement) {
    auto scene = load(refinement);
    if (!scene) return scene.error();
    ConvergeLevel level{.refinement = refinement};
    for (size_t b = 0; b < (*scene)->meshes.size(); ++b) {
      const Body& body = *(*scene)->model.bodies[b].body;
      if (!body.movable()) continue;
      level.cells += (*scene)->meshes[b].cells;
      level.unknowns += body.dof();
    }
    level.dt_s = (*scene)->two_rate ? (*scene)->two_rate->settings.h_high_s : (*scene)->model.h_s;
    const auto measured = measure_run(**scene, options.seconds);
    if (!measured) return measured.error();
    for (const Quantity& q : *measured)
      if (q.name == study.quantity) {
        level.value = q.value;
        study.unit = q.unit;
      }
    if (done) done(level);
    return level;
  }

  /// Goes on from the scene as written.
  void refine(const ConvergeLevel& first, double SceneRefinement::*what, std::span<const double> factors,
              ConvergeSequence& sequence) {
    sequence.levels = {first};
    for (double factor : factors.subspan(1)) {
      SceneRefinement finer;
      finer.*what = factor;
      const auto level = run(finer);
      if (!level) {
        sequence.ended_by = level.error().text();
        break;
      }
      sequence.levels.push_back(*level);
    }
    const auto more = [&](const ConvergeLevel& l) {
      return std::log(static_cast<double>(l.cells) / static_cast<double>(first.cells));
    };
    const ConvergeLevel& last = sequence.levels.back();
    std::vector<double> h, f;
    for (ConvergeLevel& l : sequence.levels) {
      // Steps, and meshes of which only obstacles grow finer, are as fine as they say.
      l.size =
          more(last) > 0 ? std::pow(last.refinement.*what, -more(l) / more(last)) : 1 / (l.refinement.*what);
      h.push_back(l.size);
      f.push_back(l.value);
    }
    sequence.limit = grid_convergence(h, f);
  }
};

}  // namespace

std::span<const double> refinement_factors() {
  static constexpr double factors[] = {1, 1.5, 2, 3, 4, 6, 8};
  return factors;
}

std::vector<double> mesh_factors(int levels, long cells) {
  constexpr double kMostCells = 30000, kLeastSpan = 1.5;
  const auto factors = refinement_factors().first(static_cast<size_t>(levels));
  const double span = std::max(kLeastSpan, std::cbrt(kMostCells / static_cast<double>(std::max(cells, 1L))));
  std::vector<double> out(factors.begin(), factors.end());
  if (span < factors.back())
    for (double& f : out) f = std::round(100 * std::pow(f, std::log(span) / std::log(factors.back()))) / 100;
  return out;
}

Result<ConvergeStudy> converge(const SceneSpec& spec, const ConvergeOptions& options,
                               const std::function<void(const ConvergeLevel&)>& done) {
  return converge([&](const SceneRefinement& r) { return build_scene(spec, r); }, options, done);
}

Result<ConvergeStudy> converge(const SceneSource& source, const ConvergeOptions& options,
                               const std::function<void(const ConvergeLevel&)>& done) {
  if (options.levels < 3 || options.levels > static_cast<int>(refinement_factors().size()))
    return Error{.message = "an order needs at least three levels, and there are seven",
                 .remedy = "levels from 3 to 7"};
  Runner runner{source, options, done};
  ConvergeStudy& study = runner.study;
  auto scene = runner.load({});
  if (!scene) return scene.error();
  if (auto ok = runner.choose(**scene); !ok) return ok.error();
  bool refinable = false;
  for (size_t b = 0; b < (*scene)->meshes.size(); ++b) {
    const BodyMesh& mesh = (*scene)->meshes[b];
    refinable = refinable || mesh.refined;
    if (mesh.cells > 0 && !mesh.refined) study.not_refined.push_back((*scene)->model.bodies[b].name);
  }
  scene->reset();

  const auto first = runner.run({});
  if (!first) return first.error();
  study.as_written = study.limit = first->value;
  if (refinable) {
    runner.refine(*first, &SceneRefinement::mesh, mesh_factors(options.levels, first->cells), study.mesh);
  } else {
    study.mesh = {{*first}, "no mesh of the scene can be refined", {}};
    study.mesh.limit.value = first->value;
  }
  runner.refine(*first, &SceneRefinement::time,
                refinement_factors().first(static_cast<size_t>(options.levels)), study.time);
  study.converged = true;
  for (const ConvergeSequence* s : {&study.mesh, &study.time}) {
    study.limit += s->limit.value - study.as_written;
    study.error += s->limit.error;
    study.converged = study.converged && s->settled();
  }
  return study;
}

}  // namespace palp
