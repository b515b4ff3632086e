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
  double ratio = 0;  ///< of the end that is drawn, over the load of the other, once the whole belt slides
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

/// T2 / T1 over exp(mu theta) of belts of ever more segments, mu = 0.3 around a quarter. The chords of a belt
/// of few segments cut into the drum unless it is wider: each begins 0.05 mm outside, and theta is the angle
/// between the forces at the end, which then draw a little askew.
Result<Refined> laid_around(Context& context, std::span<const int> segments, double dt_s = 1e-4) {
  Refined r;
  for (int n : segments) {
    context.progress(0.6 + 0.005 * n, std::to_string(n) + " segments around a quarter");
    const double radius = 0.05025 / std::cos(std::numbers::pi / (4 * n));
    const auto t = tension(context, 0.3, false, n, 0.0015,
                           {set("bodies.belt.mesh.radius", radius), set("bodies.drum.position.1", radius),
                            set("dt", dt_s), set("solver.tolerance", 1e-6)});
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
  double worst = 0, as_in_scene = 0;  // the latter at mu = 0.3 around half a turn
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
      if (half_turn && mu == 0.3) as_in_scene = belt->ratio / exact - 1;
    }
    plot.add_line(half_turn ? "exp(mu pi)" : "exp(mu pi/2)", x, theory);
    plot.add_line(half_turn ? "180 degrees" : "90 degrees", x, y);
  }
  o.require("largest error of T2 / T1 over five mu and two angles", 100 * worst, "%", "",
            "within 2 %, as the experiment asks", worst < 0.02);
  std::vector<double> inside_x, inside_error;
  for (int segments : {6, 12}) {
    const auto coarse = tension(context, 0.3, true, segments);
    if (!coarse) return coarse.error();
    inside_x.push_back(segments);
    inside_error.push_back(100 * std::abs(coarse->ratio / std::exp(0.3 * std::numbers::pi) - 1));
    o.report("error at mu = 0.3, 180 degrees, with " + std::to_string(2 * segments) + " segments",
             inside_error.back(), "%");
  }
  inside_x.push_back(24);
  inside_error.push_back(100 * std::abs(as_in_scene));
  o.report("error at mu = 0.3, 180 degrees, with the scene's 48 segments", inside_error.back(), "%");
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
  // Beyond 16 segments the error is that of the time step.
  Refined falling;
  for (size_t i = 0; i < 4; ++i) falling.add(outside->h[i], outside->value[i]);
  const GridConvergence limit =
      report_limit(o, "laid outside the drum, 6 to 16 segments: T2 / T1 over exp(mu theta)", falling, "");
  const auto half_step = laid_around(context, std::array{12}, 5e-5);
  if (!half_step) return half_step.error();
  const double by_step = 100 * (half_step->value[0] / outside->value[2] - 1);
  o.report("laid outside the drum, 12 segments, half the step: change", by_step, "%");
  Plot order;
  order.title = "Error of T2 / T1 by segments, mu = 0.3";
  order.x_label = "segments of a quarter turn";
  order.y_label = "error (%)";
  order.log_x = order.log_y = true;
  order.add_line("as in the scene", inside_x, inside_error, {.markers = true});
  order.add_line("outside the drum", x, error, {.markers = true});
  order.add_line("bent thread", x, polygon_error, {.dashed = true});
  o.remarks =
      "What is wrong with few segments is the start, not the law: the chords of the scene's belt cut into "
      "the "
      "drum, 0.38 mm deep with 12 segments around half a turn and 0.06 mm with 24, and it is pushed out on "
      "the "
      "way. Belts that begin outside the drum (0.05 mm, whatever their segments; a quarter turn, mu = 0.3, "
      "drawn "
      "by 1.5 mm in steps of 0.1 ms; theta is the angle between the forces at their ends) are within " +
      digits(error[0]) +
      " % from 6 segments a quarter on, where a thread bent at as many points would be off by " +
      digits(polygon_error[0]) + " %. From there to 16 segments the error falls with order " +
      (limit.order ? digits(*limit.order) : std::string("none")) +
      ", more than the 2 of the bent thread: presumably errors of both signs. From 16 on it stays below " +
      digits(std::max({error[3], error[4], error[5]})) +
      " %, of the size of what the time step is worth: with 12 segments half of it changes the ratio by " +
      digits(by_step) +
      " %. So the order holds from 6 to 16 segments a quarter, and finer belts buy nothing.";
  o.summary = "T2 / T1 is within " + digits(100 * worst) +
              " % of exp(mu theta); of belts laid outside the drum the limit is " +
              bar_text(limit.value, limit.error) + " times that.";
  context.write(csv, "tension", o);
  context.write(by_segments, "segments", o);
  context.write(std::move(plot), "tension", "Ratio of the tensions by mu, for 90 and 180 degrees", o);
  context.write(std::move(order), "order",
                "Error by the number of segments, beside that of a thread bent at as many points", o);
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
  // Between the nodes of the lower edge on either side, where a mesh has none at the point.
  std::vector<double> out;
  for (const Reference& point : kPlate) {
    size_t left = 0, right = 0;
    double to_left = HUGE_VAL, to_right = HUGE_VAL;
    for (size_t v = 0; v < before.size(); ++v) {
      const double ahead = before[v].x() - point.x_m;
      if (std::abs(before[v].z()) > 1e-9) continue;
      if (ahead <= 1e-9 && -ahead < to_left) left = v, to_left = -ahead;
      if (ahead >= -1e-9 && ahead < to_right) right = v, to_right = ahead;
    }
    const auto slip = [&](size_t v) { return 1e6 * (after[v] - before[v]).x(); };
    const double width = std::max(0.0, to_left) + std::max(0.0, to_right);
    const double share = width > 1e-9 ? to_left / width : 0;
    out.push_back((1 - share) * slip(left) + share * slip(right));
  }
  return out;
}

/// From mesh number `from` to the finest, of any point, in per cent.
double largest_change(std::span<const Refined> slip, size_t from) {
  double most = 0;
  for (const Refined& s : slip) most = std::max(most, 100 * std::abs(s.value[from] / s.value.back() - 1));
  return most;
}

Result<Outcome> plate(Context& context) {
  Outcome o;
  const std::vector<int> across{4, 8, 16, 32, 64, 128};
  constexpr size_t kAsWritten = 3;  // the mesh of the scene
  std::array<Refined, kPlate.size()> slip;
  for (int cells : across) {
    context.progress(double(cells) / 300, std::to_string(cells) + " cells across");
    const auto r = slips(context, cells);
    if (!r) return r.error();
    for (size_t i = 0; i < kPlate.size(); ++i) slip[i].add(1.0 / cells, (*r)[i]);
  }
  double worst = 0, worst_limit = 0;
  for (size_t i = 0; i < kPlate.size(); ++i) {
    const double here = slip[i].value[kAsWritten], error = here / kPlate[i].slip_um - 1;
    worst = std::max(worst, std::abs(error));
    o.require("tangential displacement at x = " + digits(1e3 * kPlate[i].x_m) + " mm", here, "µm",
              digits(kPlate[i].slip_um) + " µm", "within 3 %, as the experiment asks",
              std::abs(error) < 0.03);
  }
  Table csv{{"x_mm", "published_um", "cells_across", "here_um"}, {}};
  for (size_t i = 0; i < kPlate.size(); ++i) {
    for (size_t k = 0; k < across.size(); ++k)
      csv.add({1e3 * kPlate[i].x_m, kPlate[i].slip_um, double(across[k]), slip[i].value[k]});
    const GridConvergence limit =
        report_limit(o, "displacement at x = " + digits(1e3 * kPlate[i].x_m) + " mm", slip[i], "µm");
    worst_limit = std::max(worst_limit, std::abs(limit.value / kPlate[i].slip_um - 1));
  }
  // Each point alone swings with where its mesh begins to slide; together they show the order.
  Plot plot;
  plot.title = "Distance from the finest mesh";
  plot.x_label = "cells across";
  plot.y_label = "displacements, rms (%)";
  plot.log_x = plot.log_y = true;
  std::vector<double> x, away, log_h, log_away;
  for (size_t k = 0; k + 1 < across.size(); ++k) {
    double sum = 0;
    for (const Refined& s : slip) sum += std::pow(s.value[k] / s.value.back() - 1, 2);
    x.push_back(across[k]);
    away.push_back(100 * std::sqrt(sum / double(slip.size())));
    log_h.push_back(-std::log(x.back()));
    log_away.push_back(std::log(away.back()));
    o.report("rms distance of the five from the finest mesh, " + std::to_string(across[k]) + " cells across",
             away.back(), "%");
  }
  const double order = slope(log_h, log_away);
  std::vector<double> fit;
  for (double cells : x) fit.push_back(away[0] * std::pow(x[0] / cells, order));
  o.report("order of convergence of the five displacements, 4 to 64 cells", order, "");
  o.report("largest distance of a limit from the published value", 100 * worst_limit, "%");
  plot.add_line("five displacements", x, away, {.markers = true});
  plot.add_line("order " + digits(order), x, fit, {.dashed = true});
  o.summary = "the five published displacements are met within " + digits(100 * worst) +
              " %; by mesh they converge with order " + digits(order) + ", to limits within " +
              digits(100 * worst_limit) + " % of the published.";
  o.remarks =
      "By itself each displacement swings by so little that it has no order: given are the finest mesh and "
      "the "
      "spread of three. The order is that of the five together, against the finest mesh. The published "
      "values "
      "have three digits. What is left at the last point is not the mesh: refining from "
      "the scene's 32 cells to 128 changes no displacement by more than " +
      digits(largest_change(slip, kAsWritten)) + " %.";
  context.write(csv, "displacements", o);
  context.write(std::move(plot), "convergence",
                "Distance of the displacements from those of 128 cells across, by mesh", o);
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
