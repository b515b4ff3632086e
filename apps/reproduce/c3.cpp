// C.3: how even the force is while a ball is drawn over soft bodies, and while the clip rides over the pipe.
#include <algorithm>
#include <cmath>

#include "experiments_c.hpp"
#include "measure.hpp"

#include "palp/math/dense.hpp"

namespace palp::reproduce {
namespace even_force {  // files are compiled several at a time
namespace {

/// Peak to peak over mean, without what changes slowly: a parabola through the series.
double ripple(const std::vector<double>& f) {
  const auto n = static_cast<Eigen::Index>(f.size());
  MatX A(n, 3);
  VecX y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double t = 2.0 * static_cast<double>(i) / static_cast<double>(n - 1) - 1;
    A.row(i) << 1, t, t * t;
    y[i] = f[static_cast<size_t>(i)];
  }
  const VecX rest = y - A * least_squares(A, y);
  return (rest.maxCoeff() - rest.minCoeff()) / y.mean();
}

std::string vector_text(const Vec3& v) {
  char text[120];
  std::snprintf(text, sizeof text, "[%.12g, %.12g, %.12g]", v.x(), v.y(), v.z());
  return text;
}

std::string facets(double radius, const Vec3& centre) {
  return "{generator: icosphere, subdivisions: 3, radius: " + std::to_string(radius) +
         ", centre: " + vector_text(centre) + "}";
}

enum class Ball { exact, facets, smooth };
const char* name(Ball ball) {
  return ball == Ball::exact    ? "exact ball"
         : ball == Ball::facets ? "ball of facets"
                                : "ball of facets, smooth";
}

/// Force of the ball along its own way in, from the fifth step.
Result<std::vector<double>> drawn(Context& context, bool round, double finer, Ball ball) {
  std::vector<SceneOverride> changes;
  const Vec3 centre = round ? Vec3(0, 0.0011, 0.05) : Vec3(-0.0075, 0.0011, 0.025);
  const double radius = round ? 0.02 : 0.025;
  const auto angle_of = [](int n) { return -0.25 + 0.5 * n / 60; };
  if (ball != Ball::exact) changes.push_back(set("bodies.ball.mesh", facets(radius, centre)));
  if (ball == Ball::smooth) changes.push_back(set("bodies.ball.smooth", "true"));
  if (ball != Ball::facets)
    changes.push_back(set(round ? "bodies.rod.smooth" : "bodies.block.smooth", "true"));
  if (round) {
    changes.push_back(set("bodies.rod.mesh.cellsAcross", std::round(12 * finer)));
    changes.push_back(set("bodies.rod.mesh.cellsAlong", std::round(12 * finer)));
    const auto at = [&](double angle, double reach) {
      return vector_text(reach * Vec3(std::sin(angle), 0, std::cos(angle)) - Vec3(0, 0, 0.05));
    };
    std::string course = "[{displacement: [[0, " + at(-0.25, 0.05) + "], [4, " + at(-0.25, 0.049) + "]";
    for (int n = 1; n <= 60; ++n)
      course += ", [" + std::to_string(n + 4) + ", " + at(angle_of(n), 0.049) + "]";
    changes.push_back(set("bodies.ball.moves", course + "]}]"));
    changes.push_back(set("bodies.ball.position", vector_text(Vec3::Zero())));
  } else {
    const auto cells = [&](int n) { return std::to_string(std::lround(n * finer)); };
    changes.push_back(
        set("bodies.block.mesh.cells", "[" + cells(18) + ", " + cells(14) + ", " + cells(7) + "]"));
  }
  auto s = Simulation::start(context, round ? "c3-round.yaml" : "c3-flat.yaml", changes);
  if (!s) return s.error();
  std::vector<double> out;
  for (int n = 1; n <= 64; ++n) {
    if (auto ok = s->advance(); !ok) return ok.error();
    if (n < 5) continue;
    const double angle = round ? angle_of(n - 4) : 0;
    out.push_back(s->contact_force_on(s->body("ball")).dot(Vec3(std::sin(angle), 0, std::cos(angle))));
  }
  return out;
}

/// Largest distance of the force from its own mean over ±0.06 s, over its mean, while the clip is pushed on.
Result<double> clip_ripple(Context& context, const std::vector<SceneOverride>& changes) {
  auto s = Simulation::start(context, "snap-in.yaml", changes);
  if (!s) return s.error();
  std::vector<double> f;
  while (s->time_s() < 2.2) {
    if (auto ok = s->advance(); !ok) return ok.error();
    f.push_back(s->run->record().hands[0].wrench.force.y());
  }
  const auto peak = static_cast<int>(std::max_element(f.begin(), f.end()) - f.begin());
  int first = peak;
  while (first > 0 && f[static_cast<size_t>(first)] > 0.1 * f[static_cast<size_t>(peak)]) --first;
  constexpr int window = 20;
  double low = 0, high = 0, sum = 0;
  int count = 0;
  for (int i = first + window; i + window < peak; ++i, ++count) {
    double mean = 0;
    for (int k = -window; k <= window; ++k) mean += f[static_cast<size_t>(i + k)] / (2 * window + 1);
    low = std::min(low, f[static_cast<size_t>(i)] - mean);
    high = std::max(high, f[static_cast<size_t>(i)] - mean);
    sum += f[static_cast<size_t>(i)];
  }
  return (high - low) / (sum / std::max(1, count));
}

Result<Outcome> ripples(Context& context) {
  Outcome o;
  Table csv{{"round", "finer", "ball", "ripple"}, {}};
  Plot plot;
  plot.title = "Force of a ball drawn over a soft rod";
  plot.x_label = "step";
  plot.y_label = "force (N)";
  for (bool round : {false, true})
    for (double finer : {1.0, 1.5, 2.0}) {
      double of[3] = {};
      for (Ball ball : {Ball::facets, Ball::smooth, Ball::exact}) {
        context.progress(round ? 0.5 : 0.1, std::string(round ? "rod" : "block") + " x " + digits(finer));
        const auto series = drawn(context, round, finer, ball);
        if (!series) return series.error();
        const double r = ripple(*series);
        of[static_cast<int>(ball)] = r;
        csv.add({round ? 1.0 : 0.0, finer, static_cast<double>(ball), r});
        o.report(std::string(round ? "rod" : "block") + ", mesh x " + digits(finer) + ", " + name(ball) +
                     ": ripple",
                 100 * r, "%");
        if (round && finer == 1) {
          std::vector<double> x(series->size());
          for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
          plot.add_line(name(ball), x, *series);
        }
      }
      for (Ball ball : {Ball::smooth, Ball::exact})
        o.require(std::string(round ? "rod" : "block") + ", mesh x " + digits(finer) +
                      ": ball of facets over " + (ball == Ball::smooth ? "the same, smooth" : "exact ball"),
                  of[static_cast<int>(Ball::facets)] / of[static_cast<int>(ball)], "", "", "at least 5",
                  of[static_cast<int>(Ball::facets)] > 5 * of[static_cast<int>(ball)]);
    }
  double faceted = 0;
  for (int kind : {0, 1, 2}) {
    context.progress(0.9, "clip");
    const std::string tube =
        "{generator: tube, outerRadius: 0.015, innerRadius: 0.012, length: 0.06, cellsAlong: 1, cellsAround: "
        "48}";
    std::vector<SceneOverride> changes;
    if (kind < 2) changes.push_back(set("bodies.pipe.mesh", tube));
    if (kind == 1) changes.push_back(set("bodies.pipe.smooth", "true"));
    if (kind == 1) changes.push_back(set("bodies.clip.smooth", "true"));
    const auto r = clip_ripple(context, changes);
    if (!r) return r.error();
    const char* pipe = kind == 0 ? "pipe of 48 facets" : kind == 1 ? "the same, smooth" : "exact pipe";
    o.report(std::string("clip, ") + pipe + ": ripple of the push", 100 * *r, "%");
    if (kind == 0)
      faceted = *r;
    else
      o.require(std::string("clip: pipe of 48 facets over ") + pipe, faceted / *r, "", "", "at least 5",
                faceted > 5 * *r);
  }
  o.summary = "without facets of tool and skin the force is more even, but not five times in every case.";
  if (o.verdict() == Verdict::holds)
    o.summary = "without facets of tool and skin the force is at least five times as even.";
  else
    o.remarks =
        "Soft bodies are `smooth` wherever the ball or the pipe is no longer made of facets: contacts stand "
        "for "
        "areas 3.2 cells wide. On the coarsest rod (cells of 8 mm, a contact of 3.5 mm) and on the clip (one "
        "cell "
        "wide) the tool turns by more than 26° within half of that, so that vertices and curved edges touch "
        "as "
        "without `smooth`.";
  context.write(csv, "ripple", o);
  context.write(std::move(plot), "rod", "A ball drawn over a soft rod: facets, smooth, exact", o);
  return o;
}

}  // namespace
}  // namespace even_force

Experiment contact_ripple() {
  return {
      "C.3",
      "beyond the papers",
      "How even the force is while skins slide",
      "c3-round.yaml",
      "The ripple of the force (peak to peak over mean) while a ball is drawn over flat and curved soft "
      "bodies, and "
      "while the clip rides over the pipe, is at least 5 times smaller with smooth contact than with facets.",
      "Nothing.",
      even_force::ripples};
}

}  // namespace palp::reproduce
