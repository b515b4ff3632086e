#include "palp/sim/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "palp/base/clock.hpp"
#include "palp/mechanics/next_state.hpp"
#include "palp/sim/gently.hpp"
#include "palp/sim/passage.hpp"
#include "palp/sim/stages.hpp"

namespace palp::stages {

bool fits(const Workspace& ws, StepReport& report) {
  if (!ws.fits) report.status = StepStatus::bad_model;
  return ws.fits;
}

namespace {

/// Whether a contact pushed the body in the step before: the mid-point rule is for the others.
void mark_pushed(const State& state, Workspace& ws) {
  for (auto& w : ws.bodies) w.mechanics->pushed = false;
  for (const ContactMemory& m : state.memory) {
    if (is_attachment(m.id) || m.force_world.isZero(0)) continue;
    for (int body : {m.id.body1, m.id.body2})
      if (body >= 0) ws.bodies[body].mechanics->pushed = true;
  }
}

}  // namespace

/// A Δx_free = f_ext − f_int(x) + (M/h) v for every body.
bool free_motion(const Model& model, const State& state, Workspace& ws, StepReport& report) {
  if (model.scheme != Scheme::euler) mark_pushed(state, ws);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    auto& w = ws.bodies[b];
    const Body& body = *model.bodies[b].body;
    const double h = model.h_of(b), end_s = state.time_s + h;
    w.loads.scheme = w.mechanics->pushed ? Scheme::euler : model.scheme;
    w.loads.gravity = model.gravity_at(w.loads.scheme == Scheme::midpoint ? end_s - 0.5 * h : end_s);
    const Loads& loads =
        with_actions(model.actions, static_cast<int>(b), body, state.bodies[b], w.loads, end_s, h, w.acting);
    if (!body.free_motion(state.bodies[b], loads, h, *w.mechanics)) {
      report.status = StepStatus::free_motion_failed;
      report.body = static_cast<int>(b);
      return false;
    }
  }
  return true;
}

/// Bodies after the free motion, skins at the start and after it; boxes refitted over the way between.
void place_skins(const Model& model, const State& state, Workspace& ws) {
  const VecX none;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    auto& w = ws.bodies[b];
    if (!model.bodies[b].body->movable()) {
      // An obstacle at rest stays where it is: its boxes and normals are those of the step before.
      const bool rests = w.mechanics->dx_free.isZero(0);
      const VecX& x = state.bodies[b].x;
      if (w.still && rests && w.still_x.size() == x.size() && w.still_x == x) continue;
      w.still = rests;
      w.still_x = x;
    }
    model.bodies[b].body->skin_positions(state.bodies[b], none, w.skin_start);
    model.bodies[b].body->skin_positions(state.bodies[b], w.mechanics->dx_free, w.skin_free);
    // H: after the free motion; half-way for the mid-point rule, or forces that turn with the body would damp
    // it.
    const double part = w.mechanics->scheme == Scheme::midpoint ? 0.5 : 1;
    w.free = state.bodies[b];
    w.mechanics->dx_free *= part;
    model.bodies[b].body->commit(*w.mechanics, none, w.free);
    w.mechanics->dx_free /= part;
    if (!w.touch) continue;
    const auto touching = static_cast<size_t>(model.bodies[b].body->skin().touching_vertices());
    w.touch->update(std::span(w.skin_start).first(touching), std::span(w.skin_free).first(touching));
  }
}

bool free_is_finite(const Model& model, const Workspace& ws, StepReport& report) {
  for (size_t b = 0; b < ws.bodies.size(); ++b) {
    const Body& body = *model.bodies[b].body;
    if (!body.movable() || is_finite(body, ws.bodies[b].free)) continue;
    report.status = StepStatus::not_finite;
    report.body = static_cast<int>(b);
    return false;
  }
  return true;
}

void keep_closest(int most, std::vector<Contact>& contacts, std::vector<double>& urgency, int& left_out) {
  const auto size = contacts.size();
  if (static_cast<int>(size) <= most) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto gap = [](const Contact& c) {
    if (c.bilateral) return -infinity;
    const double least = std::min(c.gap_start, c.delta_free[0]);
    return least < infinity ? least : infinity;  // what is no number cannot be sorted
  };
  urgency.clear();
  for (const Contact& c : contacts) urgency.push_back(gap(c));
  const auto last = urgency.begin() + std::max(most, 1) - 1;
  std::nth_element(urgency.begin(), last, urgency.end());
  const double limit = *last;
  long level = std::count(urgency.begin(), last + 1, limit);  // of those as close as the limit the first stay
  std::erase_if(contacts, [&](const Contact& c) {
    return !c.bilateral && (gap(c) > limit || (gap(c) == limit && --level < 0));
  });
  left_out += static_cast<int>(size - contacts.size());
}

namespace {

/// The contacts of one problem beyond model.max_contacts go, attachments never: what stays covers the patch
/// of every pair of bodies. Returns how many went.
int keep_cover(const Model& model, Workspace& ws, std::vector<Contact>& contacts) {
  const auto left_out = static_cast<int>(contacts.size()) - model.max_contacts;
  if (left_out <= 0) return 0;
  CoverScratch& cover = ws.proximity.cover;
  cover.place.clear();
  int attachments = 0;
  const auto number_of = [&](int b) { return b < 0 ? static_cast<int>(ws.bodies.size()) : b; };
  for (const Contact& c : contacts) {
    attachments += c.bilateral;
    if (c.bilateral) continue;
    const double depth = -std::min(c.gap_start, c.delta_free[0]);
    const int part = number_of(c.id.body1) * (static_cast<int>(ws.bodies.size()) + 1) + number_of(c.id.body2);
    cover.place.push_back({c.P.at(ws.bodies[c.id.body1].skin_start), part, depth, depth > 0, c.known});
  }
  choose_cover(cover.place, model.max_contacts - attachments, cover);
  size_t i = 0;
  std::erase_if(contacts, [&](const Contact& c) { return !c.bilateral && !cover.kept[i++]; });
  return left_out;
}

}  // namespace

/// Bodies that contacts connect form one group (D06 §3.4). A body that nothing can move does not pass forces
/// on.
void group_contacts(const Model& model, Workspace& ws, StepReport& report) {
  const auto movable = [&](int b) { return b >= 0 && model.bodies[b].body->movable(); };
  // Union-find over the bodies; `group` is the parent until the groups are numbered.
  for (size_t b = 0; b < ws.bodies.size(); ++b) ws.bodies[b].group = static_cast<int>(b);
  const auto root = [&](int b) {
    while (ws.bodies[b].group != b) b = ws.bodies[b].group = ws.bodies[ws.bodies[b].group].group;
    return b;
  };
  for (const Contact& c : ws.contacts)
    if (movable(c.id.body1) && movable(c.id.body2)) {
      const int r1 = root(c.id.body1), r2 = root(c.id.body2);
      ws.bodies[std::max(r1, r2)].group = std::min(r1, r2);
    }
  for (int i = 0; i < ws.group_count; ++i) {
    ws.groups[i].contacts.clear();
    ws.groups[i].bodies.clear();
  }
  ws.group_count = 0;
  std::vector<int>& number = ws.group_of_root;
  std::fill(number.begin(), number.end(), -1);
  for (const Contact& c : ws.contacts) {
    const int body = movable(c.id.body1) ? c.id.body1 : c.id.body2;
    if (!movable(body)) continue;  // two obstacles: nothing to solve
    int& group = number[root(body)];
    if (group < 0) {
      group = ws.group_count++;
      if (static_cast<int>(ws.groups.size()) < ws.group_count) ws.groups.emplace_back();
    }
    ws.groups[group].contacts.push_back(c);
  }
  report.left_out_contacts = report.active_contacts = 0;
  report.violation_m = 0;
  for (int g = 0; g < ws.group_count; ++g)
    report.left_out_contacts += keep_cover(model, ws, ws.groups[g].contacts);
  for (size_t b = 0; b < ws.bodies.size(); ++b) {
    const int group = number[root(static_cast<int>(b))];
    if (group >= 0 && movable(static_cast<int>(b))) ws.groups[group].bodies.push_back(static_cast<int>(b));
  }
  report.groups = ws.group_count;
  report.contacts = static_cast<int>(ws.contacts.size()) - report.left_out_contacts;
  report.left_out_contacts += ws.left_out_pairs;
}

Vec3 own_compliance(const Contact& c, const Delassus& W, int i) {
  // A free direction has no row: any compliance gives it zero force, the block's own keeps the problem even.
  const double largest = W.dense.diagonal().segment<3>(3 * i).maxCoeff();
  const double any = largest + c.compliance > 0 ? largest + c.compliance : 1;
  Vec3 out = Vec3::Constant(c.compliance);
  for (int k = 0; k < 3; ++k)
    if (c.frame.row(k).isZero(0)) out[k] = any;
  return out;
}

/// W = Σ_b N H_b A_b⁻¹ H_bᵀ Nᵀ, δ_free and μ of one group; H of the bodies after their free motion, or where
/// they would cross.
void assemble_delassus(const Model& model, Workspace& ws, ContactGroup& group) {
  const int m = static_cast<int>(group.contacts.size());
  Problem& p = group.problem;
  p.W.is_dense = true;
  p.W.dense.setZero(3 * m, 3 * m);
  p.delta_free.resize(3 * m);
  p.mu.resize(m);
  p.kind.resize(m);
  for (int i = 0; i < m; ++i) {
    const Contact& c = group.contacts[i];
    p.delta_free.segment<3>(3 * i) = c.delta_free;
    p.mu[i] = c.mu;
    p.kind[i] = c.bilateral ? ContactKind::bilateral : ContactKind::unilateral;
  }
  if (group.rows.size() < group.bodies.size()) group.rows.resize(group.bodies.size());
  for (size_t k = 0; k < group.bodies.size(); ++k) {
    const int b = group.bodies[k];
    BodyContacts& rows = group.rows[k];
    rows.clear();
    for (int i = 0; i < m; ++i) {
      const Contact& c = group.contacts[i];
      if (c.id.body1 == b || c.id.body2 == b)
        append_contact(*model.bodies[b].body, ws.passage->instant_of(c, b, ws.bodies[b].free), c, i,
                       c.id.body1 == b, c.id.body2 == b, rows);
    }
    if (ws.without.empty() || !ws.without[b])
      add_compliance(*model.bodies[b].body, *ws.bodies[b].mechanics, group.contacts, rows, p.W.dense,
                     ws.keep_G);
  }
  // Points that no force moves (fixed nodes on an obstacle) are as little to be solved as two obstacles.
  for (int i = 0; i < m; ++i)
    if (!gives_way(p.W, i)) p.delta_free.segment<3>(3 * i).setZero();
  for (int i = 0; i < m; ++i)
    if (group.contacts[i].bilateral)
      p.W.dense.diagonal().segment<3>(3 * i) += own_compliance(group.contacts[i], p.W, i);
}

namespace {

/// How far a solution misses the law, in metres: the deepest overlap, or the widest gap across which a force
/// acts, weighed by the force's share of the largest.
double misfit(const ContactGroup& group) {
  double overlap = 0, across = 0, largest = 0;
  for (size_t i = 0; i < group.contacts.size(); ++i) {
    if (group.contacts[i].bilateral || !gives_way(group.problem.W, static_cast<int>(i))) continue;
    const double f = group.f[3 * i], gap = group.delta[3 * i];
    overlap = std::max(overlap, -gap);
    across = std::max(across, f * gap);
    largest = std::max(largest, f);
  }
  return std::max(overlap, largest > 0 ? across / largest : 0);
}

/// Solves to the tolerance on the certificate, and further where that is not enough. The certificate weighs
/// gaps with each contact's own compliance: of a body that hardly anything holds, nearly all of it is the
/// motion as a whole, and forces that its elasticity should distribute could be anywhere.
void solve_well(const SolveOptions& options, double misfit_m, ContactGroup& group) {
  const auto update = [&] {
    group.delta = group.problem.delta_free;
    group.delta.noalias() += group.problem.W.dense * group.f;
  };
  group.report = group.solver->solve(options, group.f);
  update();
  constexpr double strictest = 1e-13;
  SolveOptions further = options;
  further.warm_start = true;
  while (group.report.converged() && !options.has_budget() && further.tolerance > strictest &&
         misfit(group) > misfit_m) {
    further.tolerance = std::max(strictest, 0.01 * further.tolerance);
    const SolveReport more = group.solver->solve(further, group.f);
    update();
    group.report.certificate = more.certificate;
    group.report.sweeps += more.sweeps;
    group.report.time_us += more.time_us;
    if (!more.converged()) break;
  }
}

/// Bodies that meet far from where they started may ask friction for what no force can do, and the solver
/// does not converge. Forces that would bring energy along are none: ½ fᵀ(δ + δ_free) ≤ 0 of every solution,
/// since standing still is possible at every crossing. Then the bodies meet without friction, which is
/// convex; should that fail too, their motion is cut short (add_crossings).
void take_no_energy(const SolveOptions& options, double misfit_m, ContactGroup& group) {
  const auto gives = [&] { return !(group.f.dot(group.delta + group.problem.delta_free) <= 0); };
  if (!Passage::crosses(group) || !gives()) return;
  for (size_t i = 0; i < group.contacts.size(); ++i)
    if (!group.contacts[i].bilateral) group.problem.mu[static_cast<Eigen::Index>(i)] = 0;
  group.f.setZero();
  if (group.solver->set_problem(group.problem)) solve_well(options, misfit_m, group);
  if (!gives()) return;
  group.f.setZero();
  group.delta = group.problem.delta_free;
}

}  // namespace

bool solve(const Model& model, const State& state, ContactGroup& group, StepReport& report) {
  const int m = static_cast<int>(group.contacts.size());
  report.body = group.bodies.front();  // named when it fails
  if (!group.problem.W.dense.allFinite() || !group.problem.delta_free.allFinite()) {
    report.status = StepStatus::bad_problem;
    return false;
  }
  group.f.resize(3 * m);
  for (int i = 0; i < m; ++i) {
    const ContactMemory* before = find(state.memory, group.contacts[i].id);
    group.f.segment<3>(3 * i) =
        before ? Vec3(group.contacts[i].frame * before->force_world) : Vec3(Vec3::Zero());
  }
  if (!group.solver) {
    auto made = make_solver(model.solver.name);
    if (!made) {
      report.status = StepStatus::bad_model;
      return false;
    }
    group.solver = std::move(*made);
  }
  if (!group.solver->set_problem(group.problem)) {
    report.status = StepStatus::bad_problem;
    return false;
  }
  solve_well(model.solver.options, model.misfit_m(), group);
  take_no_energy(model.solver.options, model.misfit_m(), group);
  report.misfit_m = std::max(report.misfit_m, misfit(group));
  for (int i = 0; i < m; ++i) {
    if (group.f.segment<3>(3 * i).squaredNorm() > 0) ++report.active_contacts;
    if (group.contacts[i].bilateral) continue;
    const double gap = gives_way(group.problem.W, i) ? group.delta[3 * i] : group.contacts[i].delta_free[0];
    report.violation_m = std::max(report.violation_m, -gap);
  }
  report.sweeps += group.report.sweeps;
  report.certificate = std::max(report.certificate, group.report.certificate);
  report.converged = report.converged && group.report.converged();
  report.body = -1;
  return true;
}

namespace {

/// Attachments that carried more than they can bear are gone, and with them the others of the same joint.
void break_attachments(const Model& model, Workspace& ws) {
  for (size_t i = 0; i < model.attachments.size(); ++i) {
    const Attachment& a = model.attachments[i];
    if (std::isinf(a.when.break_N) || (a.joint >= 0 && a.joint != static_cast<int>(i))) continue;
    const auto belongs = [&](size_t k) {
      return k == i || model.attachments[k].joint == static_cast<int>(i);
    };
    Vec3 force = Vec3::Zero();
    for (const ContactMemory& m : ws.memory)
      if (is_attachment(m.id) && belongs(attachment_index(m.id))) force += m.force_world;
    if (!(force.norm() > a.when.break_N)) continue;
    for (size_t k = 0; k < model.attachments.size(); ++k)
      if (belongs(k)) ws.attachments[k].broken = true;
  }
}

}  // namespace

void remember_sides(Workspace& ws) {
  const auto by_id = [](const ContactMemory& a, const ContactMemory& b) { return a.id < b.id; };
  std::sort(ws.memory.begin(), ws.memory.end(), by_id);
  if (ws.passage->left.empty()) return;
  const auto contacts = ws.memory.size();
  for (const ContactMemory& m : ws.passage->left)
    if (!std::binary_search(ws.memory.begin(), ws.memory.begin() + static_cast<std::ptrdiff_t>(contacts), m,
                            by_id))
      ws.memory.push_back(m);
  std::sort(ws.memory.begin(), ws.memory.end(), by_id);
  ws.memory.erase(std::unique(ws.memory.begin(), ws.memory.end(),
                              [](const ContactMemory& a, const ContactMemory& b) { return a.id == b.id; }),
                  ws.memory.end());
}

/// x = x_free + A⁻¹ Hᵀ f, not yet written to the state.
bool respond(const Model& model, const State& state, Workspace& ws, StepReport& report) {
  for (auto& w : ws.bodies) {
    w.dx_c.setZero();
    w.mechanics->pushed = false;
  }
  for (int g = 0; g < ws.group_count; ++g) {
    ContactGroup& group = ws.groups[g];
    for (size_t k = 0; k < group.bodies.size(); ++k) {
      const int b = group.bodies[k];
      add_response(*model.bodies[b].body, *ws.bodies[b].mechanics, group.contacts, group.f, group.rows[k],
                   ws.bodies[b].dx_c);
    }
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      if (c.bilateral || group.f.segment<3>(3 * i).isZero(0)) continue;
      for (int b : {c.id.body1, c.id.body2}) ws.bodies[b].mechanics->pushed = true;
    }
  }
  for (size_t b = 0; b < ws.bodies.size(); ++b) {
    auto& w = ws.bodies[b];
    if (next_state(*model.bodies[b].body, *w.mechanics, w.dx_c, state.bodies[b], w.next)) continue;
    report.status = StepStatus::not_finite;
    report.body = static_cast<int>(b);
    return false;
  }
  return true;
}

/// The only stage that writes the state, after everything was found finite.
void constrained_motion(const Model& model, State& state, Workspace& ws) {
  ws.memory.clear();
  for (int g = 0; g < ws.group_count; ++g) {
    const ContactGroup& group = ws.groups[g];
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      ws.memory.push_back(
          {c.id, c.frame.row(1), c.frame.transpose() * group.f.segment<3>(3 * i), c.frame.row(0)});
    }
  }
  break_attachments(model, ws);
  remember_sides(ws);
  // Copied, not swapped: the state stays where it is in memory, for whoever looks at it between steps.
  for (size_t b = 0; b < ws.bodies.size(); ++b) state.bodies[b] = ws.bodies[b].next;
  std::swap(state.memory, ws.memory);
  state.attachments = ws.attachments;
  state.time_s += model.h_s;
  ++state.step;
}

}  // namespace palp::stages

namespace palp {
namespace {

/// The forces of all groups, and where they let the bodies go.
bool solve_and_respond(const Model& model, const State& state, Workspace& ws, StepReport& report,
                       Stopwatch& watch) {
  report.active_contacts = 0;
  report.violation_m = report.misfit_m = 0;
  for (int g = 0; g < ws.group_count; ++g)
    if (!stages::solve(model, state, ws.groups[g], report)) return false;
  report.times.solve_us += watch.lap_us();
  if (!stages::respond(model, state, ws, report)) return false;
  report.times.motion_us += watch.lap_us();
  return true;
}

}  // namespace

StepReport step(const Model& model, State& state, Workspace& ws) {
  using namespace stages;
  StepReport report;
  Stopwatch watch;
  if (!fits(ws, report)) return report;
  if (!free_motion(model, state, ws, report)) return report;
  report.times.free_motion_us = watch.lap_us();
  place_skins(model, state, ws);
  ws.areas.resize(model.rules.size());
  find_contacts(model, state, ws, report);
  if (model.continuous != Continuous::off) leave_to_crossings(model, ws);
  report.times.proximity_us = watch.lap_us();
  for (int pass = 0;; ++pass) {
    group_contacts(model, ws, report);
    report.times.contacts_us += watch.lap_us();
    for (int g = 0; g < ws.group_count; ++g) assemble_delassus(model, ws, ws.groups[g]);
    report.times.delassus_us += watch.lap_us();
    if (!solve_and_respond(model, state, ws, report, watch)) return report;
    for (int round = 0; ease_overlaps(model, state, ws, round); ++round)
      if (!solve_and_respond(model, state, ws, report, watch)) return report;
    const bool again = model.continuous != Continuous::off && add_crossings(model, state, ws, pass, report);
    report.times.proximity_us += watch.lap_us();
    if (!again) break;
  }
  constrained_motion(model, state, ws);
  report.times.motion_us += watch.lap_us();
  return report;
}

}  // namespace palp
