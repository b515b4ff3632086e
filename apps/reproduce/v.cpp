// V.2, V.4: friction against a formula and against a published benchmark.
#include <array>
#include <cmath>
#include <numbers>

#include "experiments_v.hpp"
#include "measure.hpp"

namespace palp::reproduce {
namespace {

/// Tension of the end that is drawn, over the load of the other, once the whole belt slides.
Result<double> tension_ratio(Context& context, double mu, bool half_turn, int segments_per_quarter) {
  const int segments = (half_turn ? 2 : 1) * segments_per_quarter;
  const std::string last = std::to_string(segments), way = half_turn ? "[-0.003, 0, 0]" : "[0, 0.003, 0]";
  auto s = Simulation::start(
      context, "v2-belt.yaml",
      {set("contact.mu", mu), set("bodies.belt.mesh.segments", segments),
       set("bodies.belt.mesh.angle", (half_turn ? 1 : 0.5) * std::numbers::pi),
       set("bodies.belt.moves.0", "{on: {nodes: [" + last +
                                      "]}, displacement: [[0, [0, 0, 0]], [0.1, [0, 0, 0]], [0.3, " + way +
                                      "]]}")});
  if (!s) return s.error();
  for (long n = s->steps(); n > 0; --n)
    if (auto ok = s->advance(); !ok) return ok.error();
  return s->run->moving_force(s->body("belt")).norm();
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
      const auto ratio = tension_ratio(context, mu, half_turn, 24);
      if (!ratio) return ratio.error();
      csv.add({mu, angle, *ratio, exact});
      x.push_back(mu);
      y.push_back(*ratio);
      theory.push_back(exact);
      worst = std::max(worst, std::abs(*ratio / exact - 1));
    }
    plot.add_line(half_turn ? "exp(mu pi)" : "exp(mu pi/2)", x, theory);
    plot.add_line(half_turn ? "180 degrees" : "90 degrees", x, y);
  }
  o.require("largest error of T2 / T1 over five mu and two angles", 100 * worst, "%", "",
            "within 2 %, as the experiment asks", worst < 0.02);
  for (int segments : {6, 12}) {
    const auto coarse = tension_ratio(context, 0.3, true, segments);
    if (!coarse) return coarse.error();
    o.report("error at mu = 0.3, 180 degrees, with " + std::to_string(2 * segments) + " segments",
             100 * (*coarse / std::exp(0.3 * std::numbers::pi) - 1), "%");
  }
  o.summary = "T2 / T1 is within " + digits(100 * worst) + " % of exp(mu theta).";
  context.write(csv, "tension", o);
  context.write(std::move(plot), "tension", "Ratio of the tensions by mu, for 90 and 180 degrees", o);
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
  for (long n = s->steps(); n > 0; --n)
    if (auto ok = s->advance(); !ok) return ok.error();
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
  const auto fine = slips(context, 32);
  if (!fine) return fine.error();
  Table csv{{"x_mm", "published_um", "here_um"}, {}};
  double worst = 0;
  for (size_t i = 0; i < kPlate.size(); ++i) {
    const double error = (*fine)[i] / kPlate[i].slip_um - 1;
    worst = std::max(worst, std::abs(error));
    csv.add({1e3 * kPlate[i].x_m, kPlate[i].slip_um, (*fine)[i]});
    o.require("tangential displacement at x = " + digits(1e3 * kPlate[i].x_m) + " mm", (*fine)[i], "µm",
              digits(kPlate[i].slip_um) + " µm", "within 3 %, as the experiment asks",
              std::abs(error) < 0.03);
  }
  for (int cells : {16, 64}) {
    const auto other = slips(context, cells);
    if (!other) return other.error();
    o.report("at x = 0 with " + std::to_string(cells) + " cells across", (*other)[0], "µm");
  }
  o.summary = "the five published displacements are met within " + digits(100 * worst) + " %.";
  context.write(csv, "displacements", o);
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
