// D06 §5.3 and figure 6: how the legs of a table hang together, and how friction keeps them from spreading.
#include <algorithm>
#include <cmath>

#include "d06.hpp"
#include "measure.hpp"

namespace palp::reproduce {
namespace {

/// W of the feet in world axes, contacts sorted by leg.
struct FootCompliance {
  MatX W;  ///< 3m × 3m, (x, y, z) per contact
  std::vector<int> leg;
  int contacts() const { return static_cast<int>(leg.size()); }

  /// Mean of |W| along an axis over pairs of contacts on legs that `related` accepts.
  template <class Related>
  double mean_coupling(int axis, Related&& related) const {
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i < contacts(); ++i)
      for (int j = 0; j < contacts(); ++j)
        if (related(leg[i], leg[j])) {
          sum += std::abs(W(3 * i + axis, 3 * j + axis));
          ++pairs;
        }
    return sum / pairs;
  }
  double same_leg(int axis) const {
    return mean_coupling(axis, [](int a, int b) { return a == b; });
  }
  /// Legs side by side along x: their numbers differ in the lowest bit only.
  double neighbours_along_x(int axis) const {
    return mean_coupling(axis, [](int a, int b) { return (a ^ b) == 1; });
  }
  double other_legs(int axis) const {
    return mean_coupling(axis, [](int a, int b) { return a != b; });
  }
};

Result<FootCompliance> stand(Context& context, bool bars, const std::string& name, Outcome& o) {
  auto table = Simulation::start(context, "d06-table.yaml",
                                 {set("bodies.table.mesh.reinforcedAlongX", bars ? "true" : "false")});
  if (!table) return table.error();
  if (auto ok = table->advance_to(table->scene->seconds); !ok) return ok.error();
  const ContactGroup* group = table->largest_group();
  if (!group) return Error{.message = "the table does not touch the floor", .file = table->scene->spec.file};
  const int body = table->body("table"), m = static_cast<int>(group->contacts.size());
  const TriMesh skin = table->run->skin(body);
  std::vector<int> order, leg(m);
  for (int i = 0; i < m; ++i) {
    const Contact& c = group->contacts[i];
    leg[i] = leg_of((c.id.body1 == body ? c.P : c.Q).at(skin.nodes));
    order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return leg[a] < leg[b]; });
  FootCompliance feet;
  feet.W.resize(3 * m, 3 * m);
  for (int i = 0; i < m; ++i) {
    feet.leg.push_back(leg[order[i]]);
    for (int j = 0; j < m; ++j)
      feet.W.block<3, 3>(3 * i, 3 * j) = group->contacts[order[i]].frame.transpose() *
                                         group->problem.W.dense.block<3, 3>(3 * order[i], 3 * order[j]) *
                                         group->contacts[order[j]].frame;
  }
  context.write(draw(*table), name, bars ? "The table with bars between its legs along x" : "The table", o);
  return feet;
}

/// |W| with all x rows first, then y, then z: in each part the four legs are four blocks.
Plot picture_of(const FootCompliance& feet, const std::string& title) {
  const int m = feet.contacts();
  MatX shown(3 * m, 3 * m);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
          shown(a * m + i, b * m + j) = std::log10(std::max(1e-7, std::abs(feet.W(3 * i + a, 3 * j + b))));
  Plot plot;
  plot.title = title;
  plot.set_heat_map(shown, "log10 |W| (m/N)");
  return plot;
}

double spread(const Simulation& table) {
  const int body = table.body("table");
  const Body& b = *table.scene->model.bodies[body].body;
  std::vector<Vec3> rest(b.skin().vertices);
  b.skin_positions(b.rest_state(), VecX(), rest);
  const TriMesh now = table.run->skin(body);
  Vec3 moved = Vec3::Zero();
  std::vector<int> feet;
  for (size_t v = 0; v < rest.size(); ++v)
    if (rest[v].z() < 1e-6) {
      feet.push_back(static_cast<int>(v));
      moved += now.nodes[v] - rest[v];
    }
  moved /= double(feet.size());
  double sum = 0;
  for (int v : feet) sum += (now.nodes[v] - moved).head<2>().norm() - rest[v].head<2>().norm();
  return sum / double(feet.size());
}

}  // namespace

Result<Outcome> delassus_of_the_table(Context& context) {
  Outcome o;
  auto plain = stand(context, false, "table", o);
  if (!plain) return plain.error();
  context.progress(0.5);
  auto barred = stand(context, true, "table-with-bars", o);
  if (!barred) return barred.error();

  Table csv{{"axis", "plain_same_leg", "plain_along_x", "plain_others", "bars_same_leg", "bars_along_x",
             "bars_others"},
            {}};
  for (int axis = 0; axis < 3; ++axis)
    csv.add({double(axis), plain->same_leg(axis), plain->neighbours_along_x(axis), plain->other_legs(axis),
             barred->same_leg(axis), barred->neighbours_along_x(axis), barred->other_legs(axis)});

  double weakest_block = 1e300;
  for (int axis = 0; axis < 3; ++axis)
    weakest_block = std::min(weakest_block, plain->same_leg(axis) / plain->other_legs(axis));
  o.require("coupling within a leg against that between legs, the smallest of the three axes", weakest_block,
            "times", "four blocks", "above 5: blocks that the eye sees", weakest_block > 5);
  const double before = plain->neighbours_along_x(0) / plain->same_leg(0);
  const double after = barred->neighbours_along_x(0) / barred->same_leg(0);
  o.report("coupling along x between legs side by side along x, relative to that within a leg, no bars",
           before, "", "very small");
  o.require("the same with bars along x", after, "", "increases",
            "at least twice that without bars: an increase beyond doubt", after > 2 * before);
  const double tangential = barred->same_leg(0) / plain->same_leg(0);
  o.require("tangential compliance along the bars, with against without", tangential, "", "lower",
            "below 1: bars stiffen the structure", tangential < 1);
  o.report("tangential compliance across the bars, with against without",
           barred->same_leg(1) / plain->same_leg(1), "", "lower");
  o.report("contacts", plain->contacts(), "");
  o.summary = "contacts on one leg are coupled " + digits(weakest_block) +
              " times as much as contacts on different legs; bars raise the coupling along them from " +
              digits(before) + " to " + digits(after) + " and lower the tangential compliance to " +
              digits(100 * tangential) + " %.";
  context.write(csv, "coupling", o);
  context.write(picture_of(*plain, "Delassus operator of the table"), "W",
                "Delassus operator of the table : all x rows, then y, then z, each leg by leg (D06 figure 9)",
                o);
  context.write(picture_of(*barred, "Delassus operator with bars along x"), "W-with-bars",
                "Delassus operator of the table with bars along x in the same order (D06 figure 11)", o);
  return o;
}

Result<Outcome> leg_spread(Context& context) {
  const std::vector<double> mus{0, 0.05, 0.1, 0.2, 0.4, 0.8};
  Outcome o;
  std::vector<double> spread_mm;
  Table csv{{"mu", "spread_mm", "kinetic_J"}, {}};
  double motion = 0;
  for (size_t i = 0; i < mus.size(); ++i) {
    auto table = Simulation::start(context, "d06-table.yaml",
                                   {set("contact.mu", mus[i]), set("bodies.table.youngModulus", 1.8e6)});
    if (!table) return table.error();
    const long steps = table->steps();
    for (long s = 0; s < steps; ++s) {
      if (auto ok = table->advance(); !ok) return ok.error();
      context.progress((double(i) + double(s) / double(steps)) / double(mus.size()), "μ = " + digits(mus[i]));
    }
    spread_mm.push_back(1e3 * spread(*table));
    motion = std::max(motion, table->run->record().kinetic_J);
    csv.add({mus[i], spread_mm[i], table->run->record().kinetic_J});
    o.report("spread of the feet, μ = " + digits(mus[i]), spread_mm[i], "mm");
    if (i == 0 || i + 1 == mus.size())
      context.write(draw(*table), i ? "high-friction" : "no-friction",
                    "The table under its own weight, μ = " + digits(mus[i]) + " (D06 figure 6)", o);
  }
  // Where the feet stick, the spread is zero but for the settling of the first steps.
  bool falls = true;
  for (size_t i = 1; i < mus.size(); ++i)
    falls = falls && spread_mm[i] <= spread_mm[i - 1] + 1e-3 * spread_mm[0];
  o.require("spread at the highest μ relative to none", spread_mm.back() / spread_mm.front(), "",
            "much smaller",
            "below 1/2, and never growing with μ by more than a thousandth: a difference seen at a glance",
            falls && spread_mm.back() < 0.5 * spread_mm.front());
  o.require("kinetic energy at the end, largest", motion, "J", "", "below 1e-9 J: the table has come to rest",
            motion < 1e-9);
  o.summary = "the feet spread by " + digits(spread_mm.front()) + " mm without friction, " +
              digits(spread_mm[2]) + " mm with μ = 0.1 and " + digits(spread_mm.back()) + " mm with μ = 0.8.";
  context.write(csv, "spread", o);
  Plot plot;
  plot.title = "Spread of the feet under the same load";
  plot.x_label = "friction coefficient μ";
  plot.y_label = "outward motion of the feet (mm)";
  plot.add_line("feet", mus, spread_mm, {.markers = true});
  context.write(plot, "spread", "Spread of the feet against μ", o);
  return o;
}

}  // namespace palp::reproduce
