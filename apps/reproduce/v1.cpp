// V.1: a block on a slope, rigid and soft: when it slides and how fast.
#include <cmath>
#include <numbers>

#include "experiments_v.hpp"
#include "measure.hpp"

namespace palp::reproduce {
namespace block_on_slope {  // files are compiled several at a time
namespace {

constexpr double kSlope = 10 * std::numbers::pi / 180, kGravity = 9.81;

std::string degrees(const Quat& q) {
  const Eigen::AngleAxisd turn(q);
  const Vec3 v = 180 / std::numbers::pi * turn.angle() * turn.axis();
  char text[120];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v.x(), v.y(), v.z());
  return text;
}

struct Case {
  const char* name;
  const char* body;  ///< the block's map, without its rotation
  double tilt_axis_deg, turn_deg;
};

const char* const kBox = "mesh: {generator: box, size: [0.1, 0.07, 0.04], centre: [0, 0, 0.02], ";
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    for (const auto& [axis, turn] : {std::pair{90.0, 0.0}, {17.0, 31.0}, {71.3, -48.0}, {203.0, 12.5}}) {
      out.push_back({"rigid", "model: rigid, ", axis, turn});
      out.push_back({"global corotational",
                     "model: globalCorotational, youngModulus: 1e7, rayleighStiffness: 0.002, ", axis, turn});
      out.push_back(
          {"corotational", "model: corotational, youngModulus: 1e6, rayleighStiffness: 0.002, ", axis, turn});
    }
    return out;
  }();
  return all;
}

struct Slid {
  double way_m;                  ///< down the slope, over the second half
  double acceleration_m_per_s2;  ///< over the second half
};

Result<Slid> slide(Context& context, const Case& c, double mu) {
  const double angle = c.tilt_axis_deg * std::numbers::pi / 180, turn = c.turn_deg * std::numbers::pi / 180;
  const Quat tilt(Eigen::AngleAxisd(kSlope, Vec3(std::cos(angle), std::sin(angle), 0)));
  const Quat block = tilt * Quat(Eigen::AngleAxisd(turn, Vec3::UnitZ()));
  const std::string cells = std::string(c.name) == "rigid" ? "cells: [1, 1, 1]}" : "cells: [5, 4, 2]}";
  auto s = Simulation::start(context, "v1-incline.yaml",
                             {set("contact.mu", mu), set("bodies.slope.rotation", degrees(tilt)),
                              set("bodies.block", std::string("{") + c.body + kBox + cells +
                                                      ", rotation: " + degrees(block) + "}")});
  if (!s) return s.error();
  const Vec3 normal = tilt * Vec3::UnitZ(), down = (Vec3(0, 0, -1) + normal.z() * normal).normalized();
  const auto place = [&] {
    const std::vector<Vec3> nodes = s->run->skin(s->body("block")).nodes;
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : nodes) sum += x;
    return down.dot(sum) / static_cast<double>(nodes.size());
  };
  std::vector<double> way{place()};
  for (long n = s->steps(); n > 0; --n) {
    if (auto ok = s->advance(); !ok) return ok.error();
    way.push_back(place());
  }
  // Speeds over a twentieth of a second each, so that what swings in a soft block averages out.
  const size_t last = way.size() - 1, half = last / 2, span = last / 20;
  const double h = s->scene->model.h_s, over = static_cast<double>(span) * h;
  const double v0 = (way[half + span] - way[half]) / over, v1 = (way[last] - way[last - span]) / over;
  return Slid{way[last] - way[half], (v1 - v0) / (static_cast<double>(last - half - span) * h)};
}

Result<Outcome> incline(Context& context) {
  Outcome o;
  Table csv{{"case", "mu", "way_m", "acceleration_m_per_s2", "exact_m_per_s2"}, {}};
  const double limit = std::tan(kSlope);
  double most_below = 0, least_above = 1e300, close_below = 0, close_above = 1e300, worst = 0;
  for (size_t i = 0; i < cases().size(); ++i) {
    const Case& c = cases()[i];
    for (double mu : {limit + 1e-3, limit + 1e-4, limit - 1e-4, limit - 1e-3, 0.5 * limit, 0.0}) {
      context.progress((static_cast<double>(i) + 0.5) / static_cast<double>(cases().size()),
                       std::string(c.name) + ", mu = " + digits(mu));
      const auto r = slide(context, c, mu);
      if (!r) return r.error();
      const double exact = std::max(0.0, kGravity * (std::sin(kSlope) - mu * std::cos(kSlope)));
      csv.add({static_cast<double>(i), mu, r->way_m, r->acceleration_m_per_s2, exact});
      if (mu > limit + 5e-4)
        most_below = std::max(most_below, std::abs(r->way_m));
      else if (mu > limit)
        close_below = std::max(close_below, std::abs(r->way_m));
      else if (mu > limit - 5e-4)
        close_above = std::min(close_above, r->way_m);
      else if (mu > limit - 2e-3)
        least_above = std::min(least_above, r->way_m);
      if (mu < 0.9 * limit) worst = std::max(worst, std::abs(r->acceleration_m_per_s2 / exact - 1));
    }
  }
  o.require("largest way in half a second with mu 0.001 above tan 10°, of twelve blocks", 1e6 * most_below,
            "µm", "", "below 1 µm: it sticks", most_below < 1e-6);
  o.require("smallest way in half a second with mu 0.001 below tan 10°", 1e3 * least_above, "mm", "",
            "above 1 mm (3.6 mm in theory): it slides", least_above > 1e-3);
  o.report("largest way with mu 0.0001 above", 1e6 * close_below, "µm");
  o.report("smallest way with mu 0.0001 below (0.36 mm in theory)", 1e3 * close_above, "mm");
  o.require("largest error of the acceleration with mu 0 and half of tan 10°", 100 * worst, "%", "",
            "within 1 %", worst < 0.01);
  o.summary =
      "twelve blocks (rigid, global corotational, corotational; four tilt axes) stick with mu 0.001 above "
      "the "
      "limit and slide 0.001 below it; their acceleration is right within " +
      digits(100 * worst) + " %.";
  context.write(csv, "ways", o);
  return o;
}

}  // namespace
}  // namespace block_on_slope

Experiment v1_experiment() {
  return {
      "V.1",
      "beyond the papers",
      "A block on a slope",
      "v1-incline.yaml",
      "A block on a slope of 10 degrees slides when mu is less than tan 10° = 0.1763, within 0.001, and with "
      "g (sin 10° − mu cos 10°) then: rigid and soft, whatever the axes.",
      "Nothing: Coulomb's law.",
      block_on_slope::incline};
}

}  // namespace palp::reproduce
