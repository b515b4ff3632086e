#include "palp/sim/gently.hpp"

#include <algorithm>
#include <utility>

#include "palp/sim/passage.hpp"

namespace palp::stages {
namespace {

constexpr double least_part = 0.01;  // of an overlap that a step undoes, whatever it costs
constexpr double moving = 0.02;      // kinetic energy over that work: less, and whoever presses it pays
constexpr double forgets = 0.1;      // of it a step: what turns round is at rest for a moment only
constexpr double shallow = 1e-8;     // of the body's size: what solver and rounding leave over

/// What implicit Euler takes away of a soft body's energy in this step.
double dissipation(const Body& body, const BodyState& start, double h, const Workspace::PerBody& w,
                   Passage::Motion& m) {
  m.dx = w.mechanics->dx_free;
  m.dx += w.dx_c;
  m.change = m.dx - h * start.v;
  m.M_dx.resize(m.dx.size());
  m.D_dx.resize(m.dx.size());
  m.A_dx.resize(m.dx.size());
  body.apply_system(start, *w.mechanics, m.dx, m.M_dx, m.D_dx, m.A_dx);
  const double damped = m.dx.dot(m.D_dx) / h,
               stretched = m.dx.dot(m.A_dx) - damped - m.dx.dot(m.M_dx) / (h * h);
  body.apply_system(start, *w.mechanics, m.change, m.M_dx, m.D_dx, m.A_dx);
  return 0.5 * m.change.dot(m.M_dx) / (h * h) + damped + 0.5 * std::max(0.0, stretched);
}

void remember_motion(const Model& model, const State& state, Workspace& ws) {
  for (int g = 0; g < ws.group_count; ++g)
    for (int b : ws.groups[g].bodies)
      if (const Body& body = *model.bodies[b].body; is_soft(body) && state.bodies[b].v.size() == body.dof()) {
        Passage::PerBody& p = ws.passage->bodies[b];
        p.lately_J = std::max(body.kinetic_energy(state.bodies[b]), p.loose ? (1 - forgets) * p.lately_J : 0);
      }
}

/// What obstacles and rigid bodies that come towards soft ones do to them.
double work_of_others(const Model& model, const Workspace& ws, const ContactGroup& group) {
  double work = 0;
  for (size_t i = 0; i < group.contacts.size(); ++i) {
    const Contact& c = group.contacts[i];
    if (c.bilateral) continue;
    const auto way = [&](int b, const SkinPoint& p) {
      if (is_soft(*model.bodies[b].body)) return 0.0;
      const auto& w = ws.bodies[b];
      return c.frame.row(0).dot(p.at(w.skin_free) - p.at(w.skin_start));
    };
    work += group.f[3 * static_cast<long>(i)] * (way(c.id.body2, c.Q) - way(c.id.body1, c.P));
  }
  return work;
}

/// `part`: of the overlaps that the group undoes; made smaller when that is too much.
bool ease(const Model& model, const State& state, Workspace& ws, ContactGroup& group, double& part) {
  const auto pushed = [&](const Contact& c) {
    if (c.bilateral || c.instant >= 0) return false;
    double size = 0;
    for (int b : {c.id.body1, c.id.body2})
      if (is_soft(*model.bodies[b].body)) size = std::max(size, ws.passage->bodies[b].size);
    return size > 0 && c.gap_start < -shallow * size;
  };
  double work = 0;
  for (size_t i = 0; i < group.contacts.size(); ++i)
    if (pushed(group.contacts[i]))
      work -= part * group.f[3 * static_cast<long>(i)] * group.contacts[i].gap_start;
  if (!(work > 0) || part <= least_part) return false;
  const auto sum = [&](auto&& of_body) {
    double total = 0;
    for (int b : group.bodies)
      if (const Body& body = *model.bodies[b].body; is_soft(body) && state.bodies[b].v.size() == body.dof())
        total += of_body(b, body);
    return total;
  };
  const double kinetic = sum([&](int b, const Body&) { return ws.passage->bodies[b].lately_J; });
  // What crosses is in motion, however little of it the forces have left. Where a crumpled body is held from
  // both sides, a deep overlap and a crossing may ask for opposite motions, and forces have no bound.
  if (!Passage::crosses(group) && kinetic <= moving * work) return false;
  const double paid = std::max(0.0, work_of_others(model, ws, group)) + sum([&](int b, const Body& body) {
                        return dissipation(body, state.bodies[b], model.h_of(static_cast<size_t>(b)),
                                           ws.bodies[b], ws.passage->bodies[b].motion);
                      });
  if (!(work > paid)) return false;
  const double before = std::exchange(part, std::max(least_part, 0.8 * part * paid / work));
  for (size_t i = 0; i < group.contacts.size(); ++i)
    if (Contact& c = group.contacts[i]; pushed(c)) {
      c.delta_free[0] -= (before - part) * c.gap_start;
      group.problem.delta_free[3 * static_cast<long>(i)] = c.delta_free[0];
    }
  return true;
}

}  // namespace

bool ease_overlaps(const Model& model, const State& state, Workspace& ws, int round) {
  constexpr int most_rounds = 5;  // with smaller parts the bodies move less, and the step takes less away
  std::vector<double>& part = ws.passage->undone;
  if (round == 0) {
    part.assign(static_cast<size_t>(ws.group_count), 1);
    remember_motion(model, state, ws);
  }
  bool eased = false;
  for (int g = 0; g < ws.group_count && round < most_rounds; ++g)
    eased |= ease(model, state, ws, ws.groups[g], part[g]);
  return eased;
}

}  // namespace palp::stages
