// C.1: how much force the shipped snap-in takes, by mesh, elements, pipe and step.
#include <algorithm>
#include <cmath>

#include "experiments_c.hpp"
#include "measure.hpp"

#include "palp/scene/grid_convergence.hpp"

namespace palp::reproduce {
namespace {

const std::string kTube =
    "{generator: tube, outerRadius: 0.015, innerRadius: 0.012, length: 0.06, cellsAlong: 1, cellsAround: ";

struct SnapIn {
  std::vector<double> time, force;  ///< on the hand, along its way; positive resists the push
  double push = 0, pull = 0;        ///< the largest each way
  double tooth = 0;                 ///< largest drop in a step before the peak of the push
};

Result<SnapIn> snap_in(Context& context, const std::vector<SceneOverride>& changes) {
  auto s = Simulation::start(context, "snap-in.yaml", changes);
  if (!s) return s.error();
  SnapIn r;
  for (long n = s->steps(); n > 0; --n) {
    if (auto ok = s->advance(); !ok) return ok.error();
    r.time.push_back(s->time_s());
    r.force.push_back(s->run->record().hands[0].wrench.force.y());
  }
  const auto peak = std::max_element(r.force.begin(), r.force.end());
  r.push = *peak;
  r.pull = -*std::min_element(r.force.begin(), r.force.end());
  for (auto f = r.force.begin(); f < peak; ++f) r.tooth = std::max(r.tooth, *f - *(f + 1));
  return r;
}

std::vector<SceneOverride> finer(double times) {
  const auto cells = [&](const char* key, int as_shipped) {
    return set(std::string("bodies.clip.mesh.") + key, std::round(as_shipped * times));
  };
  return {cells("cellsAround", 24), cells("cellsThrough", 2), cells("cellsWide", 5)};
}

Result<Outcome> snap_in_outcome(Context& context) {
  Outcome o;
  Table csv{{"finer", "push_N", "pull_N"}, {}};
  Plot plot;
  plot.title = "Force on the hand by mesh";
  plot.x_label = "time (s)";
  plot.y_label = "force (N)";
  std::vector<double> h, push, pull;
  double tooth = 0;
  for (double times : {1.0, 1.5, 2.0, 3.0}) {
    context.progress((times - 1) / 10, "mesh x " + digits(times));
    const auto r = snap_in(context, finer(times));
    if (!r) return r.error();
    h.push_back(1 / times);
    push.push_back(r->push);
    pull.push_back(r->pull);
    csv.add({times, r->push, r->pull});
    plot.add_line("exact pipe, clip x " + digits(times), r->time, r->force);
    o.report("peak push, clip " + digits(times) + " times as fine", r->push, "N");
    o.report("peak pull, clip " + digits(times) + " times as fine", r->pull, "N");
    if (times == 1) tooth = r->tooth;
  }
  const GridConvergence limit = grid_convergence(h, push), pull_limit = grid_convergence(h, pull);
  o.require("peak push, limit", limit.value, "N", "", "error bar within 5 %: a converged value",
            limit.error < 0.05 * limit.value);
  o.report("its error bar", limit.error, "N");
  o.require("peak pull, limit", pull_limit.value, "N", "", "error bar within 5 %",
            pull_limit.error < 0.05 * pull_limit.value);
  o.report("its error bar", pull_limit.error, "N");
  const double off = push[0] / limit.value - 1, pull_off = pull[0] / pull_limit.value - 1;
  o.require("the shipped scene over the limit, push", 100 * off, "%", "",
            "within 10 %, as the experiment asks", std::abs(off) < 0.1);
  o.require("the shipped scene over the limit, pull", 100 * pull_off, "%", "",
            "within 10 %, as the experiment asks", std::abs(pull_off) < 0.1);

  for (double dt : {0.0015, 0.00075}) {
    context.progress(0.5, "dt = " + digits(dt));
    const auto r = snap_in(context, {set("dt", dt)});
    if (!r) return r.error();
    o.report("peak push with dt = " + digits(1e3 * dt) + " ms", r->push, "N");
  }
  for (const std::string elements : {"quadraticTets", "trilinearHexes", "tets"}) {
    context.progress(0.6, elements);
    const auto r = snap_in(context, {set("bodies.clip.mesh.elements", elements)});
    if (!r) return r.error();
    o.report("peak push with " + elements + ", mesh of the scene", r->push, "N");
  }
  for (int facets : {48, 144, 288}) {
    context.progress(0.8, "pipe of " + std::to_string(facets) + " facets");
    const auto r = snap_in(context, {set("bodies.pipe.mesh", kTube + std::to_string(facets) + "}")});
    if (!r) return r.error();
    o.report("peak push with a pipe of " + std::to_string(facets) + " facets", r->push, "N");
    if (facets != 48) continue;
    plot.add_line("pipe of 48 facets", r->time, r->force);
    o.report("largest tooth of the push (drop in a step before the peak) with that pipe", r->tooth, "N");
    o.require("the same with the exact pipe", tooth, "N", "", "at least 5 times smaller",
              r->tooth > 5 * tooth);
  }
  o.summary = "the push takes " + digits(limit.value) + " ± " + digits(limit.error) + " N, the pull " +
              digits(pull_limit.value) + " ± " + digits(pull_limit.error) +
              " N; the scene as shipped is off by " + digits(100 * std::abs(off)) + " and " +
              digits(100 * std::abs(pull_off)) + " %.";
  context.write(csv, "mesh", o);
  context.write(std::move(plot), "force", "Force on the hand: four meshes of the clip, and a pipe of facets",
                o);
  return o;
}

}  // namespace

Experiment snap_in_force() {
  return {
      "C.1",
      "beyond the papers",
      "How much force the snap-in takes",
      "snap-in.yaml",
      "The peak forces of push and pull have a limit with an error bar under refinement, and the scene as "
      "shipped is within 10 % of it.",
      "D06 shows a curve of the force without measures of the clip. The first version of Palp answered 54 N.",
      snap_in_outcome};
}

}  // namespace palp::reproduce
