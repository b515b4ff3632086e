// V.2, V.4: friction against a formula and against a published benchmark.
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "experiments_v.hpp"
#include "measure.hpp"

namespace palp::reproduce {
namespace {

struct Tension {
  double ratio = 0;       ///< of the end that is drawn, over the load of the other, once the whole belt slides
  double turning_rad = 0;  ///< between the two forces: the angle around which the belt lies by now
};

Result<Tension> tension(Context& context, double mu, bool half_turn, int segments_per_quarter,
                        double way_m = 0.003, std::vector<SceneOverride> changes = {}) {
  const int segments = (half_turn ? 2 : 1) * segments_per_quarter;
  const std::string last = std::to_string(segments), metres = std::to_string(way_m),
                    way = half_turn ? "[-" + metres + ", 0, 0]" : "[0, " + metres + ", 0]";
  for (const SceneOverride& change :
       {set("contact.mu", mu), set("bodies.belt.mesh.segments", segments),
        set("bodies.belt.mesh.angle", (half_turn ? 1 : 0.5) * std::numbers::pi),
        set("bodies.belt.moves.0", "{on: {nodes: [" + last +
                                       "]}, displacement: [[0, [0, 0, 0]], [0.1, [0, 0, 0]], [0.3, " + way +
                                       "]]}")})
    changes.push_back(change);
  auto s = Simulation::start(context, "v2-belt.yaml", changes);
  if (!s) return s.error();
  if (auto ok = s->finish(); !ok) return ok.error();
  const Vec3 drawn = s->run->moving_force(s->body("belt"));
  // The load of 1 N draws along −x: there the belt runs along +x.
  const double angle = std::atan2(drawn.y(), drawn.x());
  return Tension{drawn.norm(), angle < 0 ? angle + 2 * std::numbers::pi : angle};
}

/// T2 / T1 over exp(mu theta) of belts of ever more segments, mu = 0.3 around a quarter. The chords of a belt of
/// few segments cut into the drum unless it is wider: each begins 0.05 mm outside, and theta is the angle between
/// the forces at the end, which then draw a little askew.
Result<Refined> laid_around(Context& context, std::span<const int> segments) {
  Refined r;
  for (int n : segments) {
    context.progress(0.6 + 0.005 * n, std::to_string(n) + " segments around a quarter");
    const double radius = 0.05025 / std::cos(std::numbers::pi / (4 * n));
    const auto t = tension(context, 0.3, false, n, 0.0015,
                           {set("bodies.belt.mesh.radius", radius), set("bodies.drum.position.1", radius),
                            set("dt", 1e-4), set("solver.tolerance", 1e-6)});
    if (!t) return t.error();
    r.add(1.0 / n, t->ratio / std::exp(0.3 * t->turning_rad));
  }
  return r;
}

Result<Outcome> belt(Context& context) {
  Outcome o;
  Table csv{{"mu", "angle_rad", "ratio", "exact"}, {}};
  Plot plot;
  plot.title = "Belt around a drum";
  plot.x_label = "mu";
  plot.y_label = "T2 / T1";
  double worst = 0;
  for (bool half_turn : {false, true}) {
    std::vector<double> x, y, theory;
    for (double mu : {0.1, 0.2, 0.3, 0.4, 0.5}) {
      context.progress((x.size() + (half_turn ? 5 : 0)) / 11.0, "mu = " + digits(mu));
      const double angle = (half_turn ? 1 : 0.5) * std::numbers::pi, exact = std::exp(mu * angle);
      const auto belt = tension(context, mu, half_turn, 24);
      if (!belt) return belt.error();
      csv.add({mu, angle, belt->ratio, exact});
      x.push_back(mu);
      y.push_back(belt->ratio);
      theory.push_back(exact);
      worst = std::max(worst, std::abs(belt->ratio / exact - 1));
    }
    plot.add_line(half_turn ? "exp(mu pi)" : "exp(mu pi/2)", x, theory);
    plot.add_line(half_turn ? "180 degrees" : "90 degrees", x, y);
  }
  o.require("largest error of T2 / T1 over five mu and two angles", 100 * worst, "%", "",
            "within 2 %, as the experiment asks", worst < 0.02);
  std::vector<double> inside_x, inside_error;
  for (int segments : {6, 12, 24}) {
    const auto coarse = tension(context, 0.3, true, segments);
    if (!coarse) return coarse.error();
    inside_x.push_back(segments);
    inside_error.push_back(100 * std::abs(coarse->ratio / std::exp(0.3 * std::numbers::pi) - 1));
    if (segments < 24)
      o.report("error at mu = 0.3, 180 degrees, with " + std::to_string(2 * segments) + " segments",
               inside_error.back(), "%");
  }
  const std::vector<int> segments{6, 8, 12, 16, 24, 32};
  const auto outside = laid_around(context, segments);
  if (!outside) return outside.error();
  Table by_segments{{"segments_of_a_quarter", "ratio_over_exact", "polygon_over_exact"}, {}};
  std::vector<double> x, error, polygon_error;
  for (size_t i = 0; i < segments.size(); ++i) {
    const double n = segments[i], quarter = std::numbers::pi / 2;
    // A thread that is bent at n points by the same angle, sliding over each.
    const double polygon = std::exp(2 * n * std::atanh(0.3 * std::tan(quarter / (2 * n))) - 0.3 * quarter);
    x.push_back(n);
    error.push_back(100 * std::abs(outside->value[i] - 1));
    polygon_error.push_back(100 * (polygon - 1));
    by_segments.add({n, outside->value[i], polygon});
    o.report("laid outside the drum, " + digits(n) + " segments around a quarter: error",
             100 * (outside->value[i] - 1), "%");
  }
  report_limit(o, "laid outside the drum: T2 / T1 over exp(mu theta)", *outside, "");
  Plot order;
  order.title = "Error of T2 / T1 by segments, mu = 0.3";
  order.x_label = "segments of a quarter turn";
  order.y_label = "error (%)";
  order.log_x = order.log_y = true;
  order.add_line("as in the scene, half a turn", inside_x, inside_error, {.markers = true});
  order.add_line("laid outside the drum", x, error, {.markers = true});
  order.add_line("thread bent at as many points", x, polygon_error, {.dashed = true});
  o.summary = "T2 / T1 is within " + digits(100 * worst) + " % of exp(mu theta).";
  context.write(csv, "tension", o);
  context.write(by_segments, "segments", o);
  context.write(std::move(plot), "tension", "Ratio of the tensions by mu, for 90 and 180 degrees", o);
  context.write(std::move(order), "order", "Error by the number of segments", o);
  return o;
}

/// Places below the plate and how far they slide, from the manual of validation.
struct Reference {
  double x_m, slip_um;
};
constexpr std::array<Reference, 5> kPlate{
    {{0, 28.6}, {1.25e-3, 27.2}, {5e-3, 22.8}, {7.5e-3, 19.8}, {11.25e-3, 15.0}}};

Result<std::vector<double>> slips(Context& context, int cells) {
  auto s = Simulation::start(
      context, "v4-plate.yaml",
      {set("bodies.plate.mesh.cells", "[" + std::to_string(cells) + ", 1, " + std::to_string(cells) + "]")});
  if (!s) return s.error();
  const std::vector<Vec3> before = s->run->skin(0).nodes;
  if (auto ok = s->finish(); !ok) return ok.error();
  const std::vector<Vec3> after = s->run->skin(0).nodes;
  std::vector<double> out;
  for (const Reference& point : kPlate) {
    size_t nearest = 0;
    const auto away = [&](size_t v) { return (before[v] - Vec3(point.x_m, before[v].y(), 0)).norm(); };
    for (size_t v = 0; v < before.size(); ++v)
      if (away(v) < away(nearest)) nearest = v;
    out.push_back(1e6 * (after[nearest] - before[nearest]).x());
  }
  return out;
}

Result<Outcome> plate(Context& context) {
  Outcome o;
  // All of these meshes have nodes at the five points; the scene's is the first.
  const std::vector<int> across{32, 64, 96, 128};
  std::array<Refined, kPlate.size()> slip;
  for (int cells : across) {
    context.progress(double(cells) / 300, std::to_string(cells) + " cells across");
    const auto r = slips(context, cells);
    if (!r) return r.error();
    for (size_t i = 0; i < kPlate.size(); ++i) slip[i].add(1.0 / cells, (*r)[i]);
  }
  Table csv{{"x_mm", "published_um", "cells_across", "here_um"}, {}};
  Plot plot;
  plot.title = "Distance from the limit by mesh";
  plot.x_label = "cells across";
  plot.y_label = "displacement / limit − 1 (%)";
  plot.log_x = plot.log_y = true;
  double worst = 0, worst_limit = 0;
  for (size_t i = 0; i < kPlate.size(); ++i) {
    const double error = slip[i].value[0] / kPlate[i].slip_um - 1;
    worst = std::max(worst, std::abs(error));
    o.require("tangential displacement at x = " + digits(1e3 * kPlate[i].x_m) + " mm", slip[i].value[0], "µm",
              digits(kPlate[i].slip_um) + " µm", "within 3 %, as the experiment asks",
              std::abs(error) < 0.03);
  }
  for (size_t i = 0; i < kPlate.size(); ++i) {
    const std::string at = "x = " + digits(1e3 * kPlate[i].x_m) + " mm";
    for (size_t k = 0; k < across.size(); ++k) {
      csv.add({1e3 * kPlate[i].x_m, kPlate[i].slip_um, double(across[k]), slip[i].value[k]});
      o.rows.push_back({.what = at + ", " + std::to_string(across[k]) + " cells across",
                        .value = slip[i].value[k],
                        .unit = "µm",
                        .digits = 5});
    }
    const GridConvergence limit = report_limit(o, at, slip[i], "µm");
    worst_limit = std::max(worst_limit, std::abs(limit.value / kPlate[i].slip_um - 1));
    std::vector<double> x, away;
    for (size_t k = 0; k < across.size(); ++k) {
      x.push_back(across[k]);
      away.push_back(100 * std::abs(slip[i].value[k] / limit.value - 1));
    }
    plot.add_line(at, x, away, {.markers = true});
  }
  o.report("largest distance of a limit from the published value", 100 * worst_limit, "%");
  o.summary = "the five published displacements are met within " + digits(100 * worst) +
              " %; in the limit of fine meshes within " + digits(100 * worst_limit) + " %.";
  context.write(csv, "displacements", o);
  context.write(std::move(plot), "convergence", "Distance of the displacements from their limits", o);
  return o;
}

}  // namespace

std::vector<Experiment> v_experiments() {
  return {v1_experiment(),
          {"V.2", "beyond the papers", "A belt around a drum", "v2-belt.yaml",
           "The ratio of the tensions of a sliding belt is exp(mu theta), within 2 %, for 90 and 180 degrees "
           "and mu "
           "from 0.1 to 0.5.",
           "Nothing: Euler's formula.", belt},
          v3_experiment(),
          {"V.4", "beyond the papers", "A plate on a rigid plane with Coulomb friction", "v4-plate.yaml",
           "The tangential displacements at the five points of Code_Aster's ssnv128 are met within 3 %.",
           "28.6, 27.2, 22.8, 19.8, 15.0 µm (manual of validation V6.04.128, after GRECO).", plate},
          v5_experiment(),
          v6_experiment()};
}

}  // namespace palp::reproduce
