// D06 §6: the global corotational body in the limit of great stiffness. Unique contact forces where a rigid
// body has many (figure 13), and stability at any step with the true mass.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "d06.hpp"
#include "measure.hpp"

namespace palp::reproduce {
namespace {

struct Shuffled {
  double spread = 0;       ///< largest |f − f₀| / |f₀| over the orders, f₀ of the first
  double resultant = 0;    ///< the same for the displacement W f at the contacts
  double drift_m = 0;      ///< of the body over the second half of the run
  double certificate = 0;  ///< worst
  int contacts = 0;
  std::vector<double> normal_first, normal_last;  ///< per contact, two of the orders
};

Result<Shuffled> shuffle(Context& context, const std::vector<SceneOverride>& changes, const std::string& name,
                         const std::string& caption, double progress, Outcome& o) {
  auto lying = Simulation::start(context, "d06-block.yaml", changes);
  if (!lying) return lying.error();
  const int body = lying->body("block");
  if (auto ok = lying->advance_to(lying->scene->seconds / 2); !ok) return ok.error();
  const TriMesh half = lying->run->skin(body);
  if (auto ok = lying->advance_to(lying->scene->seconds); !ok) return ok.error();
  const TriMesh end = lying->run->skin(body);
  Shuffled s;
  for (size_t v = 0; v < end.nodes.size(); ++v)
    s.drift_m = std::max(s.drift_m, (end.nodes[v] - half.nodes[v]).norm());

  const ContactGroup* group = lying->largest_group();
  if (!group) return Error{.message = "the block does not touch the floor", .file = lying->scene->spec.file};
  const Problem& problem = group->problem;
  const int m = s.contacts = problem.contacts();
  auto gs = std::move(*make_solver("coulomb_gs"));
  Random random(13);
  std::vector<int> order(m);
  std::iota(order.begin(), order.end(), 0);
  VecX first;
  const int orders = 20;
  for (int k = 0; k < orders; ++k) {
    const Problem shuffled = rearranged(problem, order);
    VecX f = VecX::Zero(3 * m), back(3 * m);
    if (auto ok = gs->set_problem(shuffled); !ok) return ok.error();
    const SolveReport report = gs->solve({.tolerance = 1e-10, .max_sweeps = 200000}, f);
    s.certificate = std::max(s.certificate, report.certificate);
    for (int i = 0; i < m; ++i) back.segment<3>(3 * order[i]) = f.segment<3>(3 * i);
    if (k == 0) first = back;
    s.spread = std::max(s.spread, (back - first).norm() / first.norm());
    const VecX moved = problem.W.dense * first;
    s.resultant = std::max(s.resultant, (problem.W.dense * (back - first)).norm() / moved.norm());
    std::vector<double>& normal = k == 0 ? s.normal_first : s.normal_last;
    normal.assign(m, 0);
    for (int i = 0; i < m; ++i) normal[i] = back[3 * i];
    for (int i = m - 1; i > 0; --i) std::swap(order[i], order[random.index(i + 1)]);
    context.progress(progress + 0.5 * k / orders, name);
  }
  context.write(draw(*lying, true, body), name, caption, o, {.from = {0.6, -1.7, 0.9}});
  return s;
}

}  // namespace

Result<Outcome> shuffled_contacts(Context& context) {
  Outcome o;
  auto deformable = shuffle(
      context, {}, "corotational",
      "Contact forces of the global corotational block (left out of the picture): smooth and unique", 0, o);
  if (!deformable) return deformable.error();
  auto rigid =
      shuffle(context,
              {set("bodies.block",
                   "{model: rigid, density: 1000, mesh: {generator: box, size: [0.1, 0.1, 0.05], cells: "
                   "[4, 4, 2], centre: [0, 0, 0.025]}}")},
              "rigid", "Contact forces of the rigid block (left out): one of many answers", 0.5, o);
  if (!rigid) return rigid.error();

  o.require("rigid: change of the forces with the order of the contacts", 100 * rigid->spread, "%",
            "depends on the order", "above 1 %: far above the solver's tolerance", rigid->spread > 0.01);
  o.require("corotational: change of the forces with the order", 100 * deformable->spread, "%",
            "only one solution", "below 1e-3 %: the solver's tolerance times the condition of W",
            deformable->spread < 1e-5);
  o.require("rigid: change of the motion with the order", 100 * rigid->resultant, "%", "same behaviour",
            "below 1e-3 %: different forces, one motion", rigid->resultant < 1e-5);
  // 1e-9 m in half a second: nothing a device or an eye resolves.
  o.require("rigid: drift in the last half second", 1e9 * rigid->drift_m, "nm", "does not move", "below 1 nm",
            rigid->drift_m < 1e-9);
  o.require("corotational: drift in the last half second", 1e9 * deformable->drift_m, "nm", "does not move",
            "below 1 nm", deformable->drift_m < 1e-9);
  o.report("contacts", deformable->contacts, "");
  o.report("worst certificate", std::max(rigid->certificate, deformable->certificate), "");
  o.summary = "in 20 orders of the contacts the rigid forces change by up to " + digits(100 * rigid->spread) +
              " %, the corotational ones by " + digits(100 * deformable->spread) + " %; neither block moves.";
  Table csv{{"contact", "rigid_first_N", "rigid_last_N", "corotational_first_N", "corotational_last_N"}, {}};
  for (size_t i = 0; i < deformable->normal_first.size() && i < rigid->normal_first.size(); ++i)
    csv.add({double(i), rigid->normal_first[i], rigid->normal_last[i], deformable->normal_first[i],
             deformable->normal_last[i]});
  context.write(csv, "normal-forces", o);
  return o;
}

Result<Outcome> stiff_and_light(Context& context) {
  struct Material {
    const char* name;
    double young_Pa;
  };
  const std::vector<Material> materials{
      {"rubber", 1e7}, {"polyethylene", 7e8}, {"aluminium", 7e10}, {"steel", 2.1e11}};
  const std::vector<double> steps{0.001, 0.002, 0.003, 0.005, 0.01};
  Outcome o;
  Table csv{{"youngModulus_Pa", "dt_s", "hold_force_N", "ripple", "largest_force_N", "given_J", "mass_kg"},
            {}};
  Plot plot;
  plot.title = "Force on the hand, steel";
  plot.x_label = "time (s)";
  plot.y_label = "force (N)";
  // The hand's spring and the coupling's in series, 5 mm beyond the floor.
  const double expected_N = 0.005 * (500 * 2000.0) / (500 + 2000);
  double ripple = 0, error = 0, given = -1e300, most = 0, mass = 0, certificate = 0;
  for (size_t i = 0; i < materials.size(); ++i)
    for (size_t k = 0; k < steps.size(); ++k) {
      auto s =
          Simulation::start(context, "d06-stiff.yaml",
                            {set("bodies.block.youngModulus", materials[i].young_Pa), set("dt", steps[k])});
      if (!s) return s.error();
      std::vector<double> time, force, hold;
      for (long n = s->steps(); n > 0; --n) {
        if (auto ok = s->advance(); !ok) return ok.error();
        const StepRecord& r = s->run->record();
        time.push_back(r.time_s);
        force.push_back(r.hands[0].wrench.force.z());
        if (r.time_s > 0.8 && r.time_s < 1) hold.push_back(force.back());
        certificate = std::max(certificate, r.report.certificate);
      }
      mass = s->scene->model.bodies[s->body("block")].body->mass();
      const double this_ripple = deviation(hold) / mean(hold), top = largest(force);
      ripple = std::max(ripple, this_ripple);
      error = std::max(error, std::abs(mean(hold) / expected_N - 1));
      most = std::max(most, top);
      given = std::max(given, s->run->record().given_J);
      csv.add(
          {materials[i].young_Pa, steps[k], mean(hold), this_ripple, top, s->run->record().given_J, mass});
      if (i + 1 == materials.size() && k % 2 == 0)
        plot.add_line("h = " + digits(1e3 * steps[k]) + " ms", time, force);
      if (i + 1 == materials.size() && k + 1 == steps.size())
        context.write(draw(*s), "block", "The block at the end of its way, h = 10 ms", o);
      context.progress(double(i * steps.size() + k + 1) / double(materials.size() * steps.size()),
                       materials[i].name);
    }
  o.require("ripple of the held force, worst of all", ripple, "", "stable",
            "below 1e-3 of the force: an unstable coupling would oscillate", ripple < 1e-3);
  o.require("held force against the two springs in series, worst of all", error, "", "",
            "within 1 %: statics does not depend on step or stiffness", error < 0.01);
  o.require("largest force of all", most, "N", "", "below twice the held force: no kick on impact",
            most < 2 * expected_N);
  o.require("energy given to the hand, most of all", given, "J", "",
            "not above zero: drawing over a floor with friction takes energy from the hand", given <= 0);
  o.report("mass of the block in all of them", 1e3 * mass, "g", "15 g of the clip, unchanged");
  o.report("Young's modulus, highest", materials.back().young_Pa / 1e9, "GPa", "0.7 GPa");
  o.report("worst certificate", certificate, "");
  o.summary =
      "20 combinations of E = 10 MPa to 210 GPa and h = 1 to 10 ms with 15 g: the held force is within " +
      digits(100 * error) + " % of the analytic one, its ripple at most " + digits(ripple) + ".";
  context.write(csv, "grid", o);
  context.write(plot, "force",
                "Force on the hand for a steel block of 15 g: contact, hold, and drawing along", o);
  return o;
}

}  // namespace palp::reproduce
