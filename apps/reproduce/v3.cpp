// V.3: a ball pressed into a block and drawn aside (Hertz; Cattaneo 1938, Mindlin 1949).
#include <cmath>
#include <numbers>

#include "experiments_v.hpp"
#include "measure.hpp"

namespace palp::reproduce {
namespace ball_drawn_aside {  // files are compiled several at a time
namespace {

constexpr double kMu = 0.3, kE = 1e6, kNu = 0.49, kR = 0.03, kDepth = 3.3333333e-5;

struct Drawn {
  double P = 0, Q = 0;   ///< on the ball, normal and tangential
  double contact_m = 0;  ///< radius a
  double stick_m = 0;    ///< radius c
  double aside_m = 0;    ///< way of the ball
};

/// Radii from the second moments of the forces: p = p0 √(1 − r²/a²) has ∫ r² p = 2/5 a² ∫ p, and so has what
/// the friction leaves unused, μp − q, with the radius c of what sticks: it is zero where the skin slides.
Drawn measure(const Simulation& s, double aside) {
  Drawn d;
  d.aside_m = aside;
  const int block = s.body("block");
  double normal_r2 = 0, unused = 0, unused_r2 = 0;
  const auto& skin = s.run->workspace().bodies[static_cast<size_t>(block)].skin_start;
  Vec3 total = Vec3::Zero();
  for (const ContactGroup& g : s.groups())
    for (size_t i = 0; i < g.contacts.size(); ++i) {
      const Contact& c = g.contacts[i];
      const Vec3 local = g.f.segment<3>(3 * static_cast<int>(i)), f = c.frame.transpose() * local;
      const double r2 = (c.id.body1 == block ? c.P : c.Q).at(skin).head<2>().squaredNorm();
      total += f;
      normal_r2 += local[0] * r2;
      const double left = kMu * local[0] - local.tail<2>().norm();
      unused += left;
      unused_r2 += left * r2;
    }
  d.P = std::abs(total.z());
  d.Q = std::abs(total.x());
  d.contact_m = std::sqrt(2.5 * normal_r2 / d.P);
  d.stick_m = unused > 1e-6 * d.P ? std::sqrt(std::max(0.0, 2.5 * unused_r2 / unused)) : 0;
  return d;
}

Result<std::vector<Drawn>> draw_aside(Context& context, double finer) {
  auto s = Simulation::start(context, "v3-ball.yaml",
                             {set("bodies.block.mesh.cell", 1.25e-4 / finer),
                              set("bodies.block.mesh.sectors", 8 * std::round(4 * finer)),
                              set("bodies.block.mesh.growth", std::pow(1.4, 1 / std::sqrt(finer)))});
  if (!s) return s.error();
  std::vector<Drawn> out;
  for (int n = 1; n <= 9; ++n) {
    context.progress(0.5, "mesh x " + digits(finer) + ", step " + std::to_string(n));
    if (auto ok = s->advance(); !ok) return ok.error();
    if (n >= 2) out.push_back(measure(*s, 1.2e-5 / 7 * (n - 2)));
  }
  return out;
}

Result<Outcome> cattaneo(Context& context) {
  Outcome o;
  const double G = kE / (2 * (1 + kNu)), a = std::sqrt(kR * kDepth);
  const double hertz = 4.0 / 3 * kE / (1 - kNu * kNu) * std::sqrt(kR) * std::pow(kDepth, 1.5);
  Table csv{{"finer", "aside_m", "P_N", "Q_N", "contact_m", "stick_m", "stick_exact_m", "aside_exact_m"}, {}};
  Plot plot;
  plot.title = "Radius of what sticks";
  plot.x_label = "Q / (mu P)";
  plot.y_label = "c / a";
  std::vector<double> h, force, stick_error, compliance_error, theory_x, theory_y;
  for (double q = 0; q <= 1.0001; q += 0.02) {
    theory_x.push_back(q);
    theory_y.push_back(std::cbrt(std::max(0.0, 1 - q)));
  }
  plot.add_line("(1 - Q / (mu P))^(1/3)", theory_x, theory_y);
  for (double finer : {0.5, 1.0, 1.5}) {
    const auto series = draw_aside(context, finer);
    if (!series) return series.error();
    double worst_stick = 0, worst_way = 0;
    std::vector<double> x, y;
    for (const Drawn& d : *series) {
      const double share = d.Q / (kMu * d.P), stick = std::cbrt(std::max(0.0, 1 - share));
      const double way = 3 * kMu * d.P * (2 - kNu) / (16 * G * a) * (1 - stick * stick);
      csv.add({finer, d.aside_m, d.P, d.Q, d.contact_m, d.stick_m, stick * d.contact_m, way});
      if (share > 0.999 || d.aside_m == 0) continue;
      x.push_back(share);
      y.push_back(d.stick_m / d.contact_m);
      // Of the contact's radius, and of the way at which all slides.
      worst_stick = std::max(worst_stick, std::abs(d.stick_m / d.contact_m - stick));
      worst_way = std::max(worst_way, std::abs(d.aside_m - way) / way);
    }
    plot.add_line("cells of a / " + digits(8 * finer), x, y);
    h.push_back(1 / finer);
    force.push_back((*series)[0].P / hertz);
    stick_error.push_back(worst_stick);
    compliance_error.push_back(worst_way);
    const std::string mesh = ", cells of a / " + digits(8 * finer);
    o.report("normal force over Hertz" + mesh, force.back(), "");
    o.report("radius of the contact over √(R d)" + mesh, (*series)[0].contact_m / a, "");
    o.report("largest error of the stick radius, of a" + mesh, 100 * worst_stick, "%");
    o.report("largest error of the way aside" + mesh, 100 * worst_way, "%");
  }
  o.require("stick radius on the finest mesh: largest error, of a", 100 * stick_error.back(), "%", "",
            "within 3 %, as the experiment asks", stick_error.back() < 0.03);
  o.require("way aside on the finest mesh: largest error", 100 * compliance_error.back(), "%", "",
            "within 3 %, as the experiment asks", compliance_error.back() < 0.03);
  o.require("normal force on the finest mesh over Hertz: error", 100 * (force.back() - 1), "%", "",
            "within 3 %", std::abs(force.back() - 1) < 0.03);
  // Errors fall as a power of the cell's size: the slope of the line through their logarithms.
  const auto order = [&](const std::vector<double>& error) {
    std::vector<double> x, y;
    for (size_t i = 0; i < h.size(); ++i) x.push_back(std::log(h[i])), y.push_back(std::log(error[i]));
    return slope(x, y);
  };
  o.report("order of convergence of the stick radius", order(stick_error), "");
  o.report("order of convergence of the way aside", order(compliance_error), "");
  o.summary = "on the finest mesh the stick radius is within " + digits(100 * stick_error.back()) +
              " % of the contact's, the way aside within " + digits(100 * compliance_error.back()) + " %.";
  context.write(csv, "drawn", o);
  context.write(std::move(plot), "stick", "Radius of what sticks by tangential load, three meshes", o);
  return o;
}

}  // namespace
}  // namespace ball_drawn_aside

Experiment v3_experiment() {
  return {
      "V.3",
      "beyond the papers",
      "A ball pressed into a block and drawn aside",
      "v3-ball.yaml",
      "What sticks has the radius a (1 − Q/(μP))^(1/3), and the ball has moved by 3μP(2−ν)/(16Ga) (1 − (1 − "
      "Q/(μP))^(2/3)), within 3 % on the finest mesh.",
      "Nothing: Hertz 1882, Cattaneo 1938, Mindlin 1949.",
      ball_drawn_aside::cattaneo};
}

}  // namespace palp::reproduce
