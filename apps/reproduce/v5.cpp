// V.5: rigid bodies whose motion is known: rolling, tipping, standing, turning freely.
#include <cmath>
#include <numbers>

#include "experiments_v.hpp"
#include "measure.hpp"

namespace palp::reproduce {
namespace known_motions {  // files are compiled several at a time
namespace {

constexpr double kDegree = std::numbers::pi / 180, kGravity = 9.81;

Result<void> run_to_end(Simulation& s) {
  for (long n = s.steps(); n > 0; --n)
    if (auto ok = s.advance(); !ok) return ok;
  return {};
}

std::string about_y(double degrees) { return "[0, " + std::to_string(degrees) + ", 0]"; }

/// Speed after a second over what 5/7 g sin α gives.
Result<void> rolling(Context& context, Outcome& o) {
  for (double dt : {0.001, 0.005, 0.01}) {
    auto s = Simulation::start(context, "v5-ball.yaml", {set("dt", dt)});
    if (!s) return s.error();
    if (auto ok = run_to_end(*s); !ok) return ok.error();
    const double speed = s->run->state().bodies[static_cast<size_t>(s->body("ball"))].v.head<3>().norm();
    const double error = speed / (5.0 / 7 * kGravity * std::sin(15 * kDegree) * s->time_s()) - 1;
    o.require("rolling ball, dt = " + digits(1e3 * dt) + " ms: speed after a second", 100 * error, "%", "",
              "within 1 % of 5/7 g sin 15° t", std::abs(error) < 0.01);
  }
  return {};
}

/// By how much the box has turned against the slope after a second.
Result<double> tipped(Context& context, double slope_deg, double turn_deg) {
  const Quat tilt(Eigen::AngleAxisd(slope_deg * kDegree, Vec3::UnitY()));
  const Eigen::AngleAxisd box(tilt * Quat(Eigen::AngleAxisd(turn_deg * kDegree, Vec3::UnitZ())));
  const Vec3 v = box.angle() / kDegree * box.axis();
  char rotation[120];
  std::snprintf(rotation, sizeof rotation, "[%.17g, %.17g, %.17g]", v.x(), v.y(), v.z());
  auto s = Simulation::start(
      context, "v5-tipping.yaml",
      {set("bodies.box.rotation", rotation), set("bodies.slope.rotation", about_y(slope_deg))});
  if (!s) return s.error();
  if (auto ok = run_to_end(*s); !ok) return ok.error();
  const VecX& x = s->run->state().bodies[static_cast<size_t>(s->body("box"))].x;
  return 2 * std::acos(std::min(1.0, std::abs(x[6]))) / kDegree;
}

Result<void> tipping(Context& context, Outcome& o) {
  // Over the long edge, over the short one: the slope's direction meets the box along x, then along y.
  for (const auto& [turn, half_width] : {std::pair{0.0, 0.02}, {90.0, 0.03}}) {
    const double limit = std::atan(half_width / 0.06) / kDegree;
    for (double off : {-0.1, 0.1}) {
      const auto by = tipped(context, limit + off, turn);
      if (!by) return by.error();
      o.require("box " + digits(100 * half_width * 2) + " cm wide and 12 cm high, slope " + digits(limit) +
                    (off < 0 ? "° − 0.1°" : "° + 0.1°") + ": turned by",
                *by, "degrees", "", off < 0 ? "below 0.01: it stands" : "above 1: it tips",
                off < 0 ? *by < 0.01 : *by > 1);
    }
  }
  return {};
}

Result<void> stack(Context& context, Outcome& o) {
  for (double dt : {0.001, 0.002, 0.005, 0.01}) {
    context.progress(0.5, "stack, dt = " + digits(1e3 * dt) + " ms");
    auto s = Simulation::start(context, "v5-stack.yaml", {set("dt", dt)});
    if (!s) return s.error();
    const std::vector<BodyState> before = s->run->state().bodies;
    if (auto ok = run_to_end(*s); !ok) return ok.error();
    double most = 0;
    for (size_t b = 0; b < before.size(); ++b)
      most = std::max(most, (s->run->state().bodies[b].x - before[b].x).head<3>().norm());
    o.require("stack of ten, dt = " + digits(1e3 * dt) + " ms: largest way of a box in 10 s", 1e6 * most,
              "µm", "", "below 1 µm", most < 1e-6);
  }
  return {};
}

/// Angle between where the short axis of the free top is after ten seconds and where it should be.
Result<void> spinning(Context& context, Outcome& o) {
  double error[2];
  for (int i : {0, 1}) {
    const double dt = i == 0 ? 0.002 : 0.001;
    auto s = Simulation::start(context, "v5-top.yaml", {set("dt", dt)});
    if (!s) return s.error();
    const Body& body = *s->scene->model.bodies[0].body;
    const double energy = body.kinetic_energy(s->run->state().bodies[0]);
    if (auto ok = run_to_end(*s); !ok) return ok.error();
    // J1 = m (a² + c²)/12 across, J3 = m a²/6 along the short axis, per mass: L = (3 J1, 0, 4 J3) turns the
    // axis.
    const double a2 = 0.0036, c2 = 0.0004, J1 = (a2 + c2) / 12, J3 = a2 / 6;
    const Vec3 L(3 * J1, 0, 4 * J3);
    const Vec3 exact = Eigen::AngleAxisd(L.norm() / J1 * s->time_s(), L.normalized()) * Vec3::UnitZ();
    const VecX& x = s->run->state().bodies[0].x;
    const Vec3 axis = Quat(x[6], x[3], x[4], x[5]) * Vec3::UnitZ();
    error[i] = std::atan2(axis.cross(exact).norm(), axis.dot(exact)) / kDegree;
    if (i == 0) continue;
    o.require("free top, dt = 1 ms: its axis after 10 s (12 turns) is off by", error[1], "degrees", "",
              "below 0.5 of 4469", error[1] < 0.5);
    const double change = body.kinetic_energy(s->run->state().bodies[0]) / energy - 1;
    o.require("free top: its energy after 10 s has changed by", 100 * change, "%", "", "below 1e-6 %",
              std::abs(change) < 1e-8);
  }
  o.require("free top: the error with steps twice as long over that", error[0] / error[1], "", "",
            "above 3.5: second order", error[0] / error[1] > 3.5);
  return {};
}

Result<Outcome> rigid_motions(Context& context) {
  Outcome o;
  for (auto part : {rolling, tipping, spinning, stack})
    if (auto ok = part(context, o); !ok) return ok.error();
  o.summary = "a ball rolls, a box tips, a stack stands and a top turns as the formulas say.";
  if (o.verdict() != Verdict::holds)
    o.summary = "not all of rolling, tipping, standing and turning are as the formulas say.";
  return o;
}

}  // namespace
}  // namespace known_motions

Experiment v5_experiment() {
  return {"V.5",
          "beyond the papers",
          "Rigid bodies whose motion is known",
          "v5-stack.yaml",
          "A ball rolls with 5/7 g sin α, a tall box tips at the angle of its base, a stack of ten stays "
          "where it is for "
          "10 s within 1 µm with steps of 1 to 10 ms, the axis of a free top goes round L with L / J1.",
          "Nothing: mechanics.",
          known_motions::rigid_motions};
}

}  // namespace palp::reproduce
