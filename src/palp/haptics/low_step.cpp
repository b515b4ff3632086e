#include "palp/haptics/low_step.hpp"

#include <algorithm>
#include <utility>

#include "palp/base/clock.hpp"
#include "palp/haptics/limited_contacts.hpp"
#include "palp/haptics/live_contacts.hpp"
#include "palp/mechanics/next_state.hpp"
#include "palp/sim/stages.hpp"

namespace palp {
namespace {

bool reaches_tool(const TwoRateModel& m, const ContactGroup& group) {
  return std::any_of(group.bodies.begin(), group.bodies.end(), [&](int b) { return m.tool_of[b] >= 0; }) ||
         std::any_of(group.contacts.begin(), group.contacts.end(),
                     [](const Contact& c) { return is_point(c.id); });
}

bool has_patches(const ContactGroup& group) {
  return std::any_of(group.contacts.begin(), group.contacts.end(),
                     [](const Contact& c) { return is_limited(c.id); });
}

/// Forces and slips of the ticks, by contact; false when they belong to another snapshot or are not finite.
bool hear_forces(const ToolState& tools, LowRate& low) {
  const int shared = static_cast<int>(low.place.size());
  if (tools.sequence != low.sequence || !tools.lambda.head(3 * shared).allFinite()) return false;
  for (int i = 0; i < shared; ++i) {
    LowRate::Place& p = low.place[i];
    ContactGroup& group = low.ws.groups[p.group];
    const Mat3& frame = group.contacts[p.contact].frame;
    p.force = tools.lambda.segment<3>(3 * i);
    if (!is_point(p.id)) p.force = (frame.transpose() * p.force).eval();
    group.f.segment<3>(3 * p.contact) = frame * p.force;
    p.slip = tools.slip[i];
  }
  return true;
}

/// The tools as they are at the synchronisation, with their couplings.
void take_tools(const TwoRateModel& m, const ToolState& tools, LowRate& low) {
  BlockLoad load;
  for (size_t t = 0; t < m.tools.size(); ++t) {
    low.state.bodies[m.tools[t]] = tools.tools[t];
    low.ws.bodies[m.tools[t]].loads.blocks.clear();
  }
  for (const Grip& g : m.grips)
    if (grip_load(g, *m.model.bodies[g.body].body, low.state.bodies[g.body], tools.poses[g.device],
                  m.model.h_of(g.body), load))
      low.ws.bodies[g.body].loads.blocks.push_back(load);
}

bool is_tool_contact(const TwoRateModel& m, const Contact& c) {
  return m.tool_of[c.id.body1] >= 0 || (c.id.body2 >= 0 && m.tool_of[c.id.body2] >= 0);
}

/// The closest of the standard contacts, attachments first; all points.
void keep_closest(const TwoRateModel& m, LowRate& low, LowReport& report) {
  const auto first = std::partition(low.place.begin(), low.place.end(),
                                    [](const auto& p) { return p.limited || is_point(p.id); });
  const long bound = m.settings.max_contacts, count = low.place.end() - first;
  if (count <= bound) return;
  report.left_out += static_cast<int>(count - bound);
  const auto urgency = [&](const LowRate::Place& p) {
    const Contact& c = low.ws.groups[p.group].contacts[p.contact];
    return c.bilateral ? -1e300 : std::min(c.gap_start, c.delta_free[0]);
  };
  std::nth_element(first, first + bound, low.place.end(), [&](const auto& a, const auto& b) {
    const double ua = urgency(a), ub = urgency(b);
    return ua != ub ? ua < ub : a.id < b.id;
  });
  low.place.erase(first + bound, low.place.end());
}

/// The contacts that the ticks will need: all of a group that holds a tool, because forces pass through its
/// low-rate bodies; but for those between points that no force moves.
void choose_contacts(const TwoRateModel& m, LowRate& low, LowReport& report) {
  std::swap(low.place, low.last_place);
  low.place.clear();
  for (int g = 0; g < low.ws.group_count; ++g) {
    const ContactGroup& group = low.ws.groups[g];
    if (!reaches_tool(m, group)) continue;
    for (int i = 0; i < static_cast<int>(group.contacts.size()); ++i) {
      const Contact& c = group.contacts[i];
      const bool node = is_limited(c.id);
      if (!is_point(c.id) && !is_tool_contact(m, c) && !gives_way(group.problem.W, i)) continue;
      low.place.push_back({.id = c.id,
                           .limited = node,
                           .group = g,
                           .contact = i,
                           .at = node ? c.Q.at(low.ws.bodies[c.id.body2].skin_start)
                                      : c.P.at(low.ws.bodies[c.id.body1].skin_start)});
    }
  }
  keep_closest(m, low, report);
  std::sort(low.place.begin(), low.place.end(), InSnapshot());
  // Totals follow the contacts by name, forces also to a neighbour.
  auto old = low.last_place.begin();
  for (LowRate::Place& p : low.place) {
    while (old != low.last_place.end() && InSnapshot()(*old, p)) ++old;
    if (old != low.last_place.end() && old->id == p.id)
      p.slip = old->slip;
    else if (const ContactMemory* alone = find(low.state.memory, p.id))
      p.force = alone->force_world;  // until now the low rate solved for it: no tool came near
  }
  follow_contacts(
      low.last_place, low.place, [&](size_t from) { return !low.last_place[from].force.isZero(0); },
      [&](size_t from, size_t to) { return (low.place[to].at - low.last_place[from].at).norm(); },
      [&](size_t from, size_t to) { low.place[to].force += low.last_place[from].force; });
  report.shared = static_cast<int>(low.place.size());
}

/// The forces on a group at the start of its step: of the newest tick; what the ticks do not know answers to
/// them.
bool predict_forces(const TwoRateModel& m, int g, LowRate& low, LowReport& report) {
  ContactGroup& group = low.ws.groups[g];
  const auto take_known = [&] {
    for (const LowRate::Place& p : low.place)
      if (p.group == g) group.f.segment<3>(3 * p.contact) = group.contacts[p.contact].frame * p.force;
  };
  group.f.setZero(3 * static_cast<long>(group.contacts.size()));
  take_known();
  // Patches are no problem that a plain solver knows: there, what the ticks do not know bears nothing.
  if (std::count(low.shared.begin(), low.shared.end(), -1) > 0 && !has_patches(group)) {
    constexpr double far_m = 1e3;
    Problem& p = group.problem;
    p.delta_free.noalias() += p.W.dense * group.f;
    for (size_t i = 0; i < group.contacts.size(); ++i)
      if (low.shared[i] >= 0)
        p.delta_free[3 * static_cast<long>(i)] = far_m, p.kind[i] = ContactKind::unilateral;
    if (!stages::solve(m.model, low.state, group, report)) return false;
    take_known();
  }
  group.delta = group.problem.delta_free;  // the gaps there are, for whoever looks
  return true;
}

/// The low-rate bodies of the groups that tools reach, for the ticks.
bool reduce_bodies(const TwoRateModel& m, LowRate& low, LowReport& report, Snapshot& out) {
  out.body_count = 0;
  out.W_low.setZero(3 * report.shared, 3 * report.shared);
  std::fill(low.reduced.begin(), low.reduced.end(), -1);
  for (int g = 0; g < low.ws.group_count; ++g) {
    ContactGroup& group = low.ws.groups[g];
    if (!reaches_tool(m, group)) continue;
    low.shared.assign(group.contacts.size(), -1);
    for (size_t s = 0; s < low.place.size(); ++s)
      if (low.place[s].group == g) low.shared[low.place[s].contact] = static_cast<int>(s);
    if (!predict_forces(m, g, low, report)) return false;
    for (size_t k = 0; k < group.bodies.size(); ++k) {
      const int b = group.bodies[k];
      BodyContacts& rows = group.rows[k];
      if (rows.H.points() == 0 || m.tool_of[b] >= 0) continue;
      take_forces(group.contacts, group.f, rows);
      if (static_cast<int>(out.bodies.size()) == out.body_count) out.bodies.emplace_back();
      ReducedBody& reduced = out.bodies[out.body_count];
      if (m.settings.hand_over == HandOver::reduced) {
        low.f0.resize(3 * rows.H.points());
        for (int i = 0; i < rows.H.points(); ++i)
          low.f0.segment<3>(3 * i) = group.f.segment<3>(3 * rows.contact[i]);
        low.reduction[b].make(*m.model.bodies[b].body, b, low.state.bodies[b], *low.ws.bodies[b].mechanics,
                              rows, group.contacts, low.shared, low.f0, m.settings.h_high_s, reduced);
      } else {
        low.reduction[b].make_end(b, rows, low.shared, reduced);
      }
      low.reduced[b] = out.body_count++;
      report.motions += reduced.motions();
      reduced.add_compliance(out.W_low);
    }
    for (size_t i = 0; i < group.contacts.size(); ++i)
      if (group.contacts[i].bilateral && low.shared[i] >= 0)
        out.W_low.diagonal().segment<3>(3 * low.shared[i]) +=
            stages::own_compliance(group.contacts[i], group.problem.W, static_cast<int>(i));
  }
  if (out.W_low.allFinite()) return true;
  report.status = StepStatus::bad_problem;
  return false;
}

/// P − Q, its tools left out, with the skins as `skin_of` tells.
template <class Skins>
Vec3 low_part(const TwoRateModel& m, const Contact& c, const Skins& skin_of) {
  Vec3 p = Vec3::Zero();
  if (m.tool_of[c.id.body1] < 0) p += c.P.at(skin_of(c.id.body1));
  if (c.id.body2 >= 0 && m.tool_of[c.id.body2] < 0) p -= c.Q.at(skin_of(c.id.body2));
  return p;
}

/// N H Δx_free of the reduced bodies, taken off `bend`: the ticks integrate it.
void without_linear_motion(const LowRate& low, GrowingVector& bend) {
  for (int g = 0; g < low.ws.group_count; ++g) {
    const ContactGroup& group = low.ws.groups[g];
    for (size_t k = 0; k < group.bodies.size(); ++k) {
      if (low.reduced[group.bodies[k]] < 0) continue;
      const PointJacobian& NH = group.rows[k].NH;
      const VecX& dx = low.ws.bodies[group.bodies[k]].mechanics->dx_free;
      const Reduction& reduction = low.reduction[group.bodies[k]];
      for (size_t i = 0; i < reduction.row_of.size(); ++i) {
        const int row = reduction.row_of[i];
        for (int e = NH.start[row]; e < NH.start[row + 1]; ++e)
          bend.segment<3>(3 * reduction.contact[i]).noalias() -=
              NH.block[e] * dx.segment<3>(3 * NH.column[e]);
      }
    }
  }
}

/// For whoever looks at the low rate's contacts: the force on a point is a contact along its direction.
void show_points(LowRate& low) {
  for (const LowRate::Place& p : low.place) {
    if (!is_point(p.id) || p.force.isZero(0)) continue;
    ContactGroup& group = low.ws.groups[p.group];
    group.contacts[p.contact].frame = contact_frame(p.force.normalized());
    group.f.segment<3>(3 * p.contact) = Vec3(p.force.norm(), 0, 0);
  }
}

/// For the contacts of the ticks.
void make_room(const TwoRateModel& m, Snapshot& out) {
  const int n = out.frozen, most = m.live() ? m.most_contacts() : n;
  out.contacts.reserve(most);
  out.sites.reserve(2 * static_cast<size_t>(most));
  out.problem.W.dense.reserve(9L * most * most);
  out.problem.W.dense.resize(3 * n, 3 * n);
  out.problem.delta_free.reserve(3 * most);
  out.problem.mu.reserve(most);
  out.problem.kind.reserve(most);
}

/// Sizes and places of rows and contacts.
void begin_snapshot(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report,
                    Snapshot& out) {
  const auto count = [&](auto&& of_kind) {
    return static_cast<int>(std::count_if(low.place.begin(), low.place.end(), of_kind));
  };
  const int points = count([](const LowRate::Place& p) { return is_point(p.id); });
  out.sequence = report.sequence = ++low.sequence;
  out.tick = low.tick = tools.tick;
  out.time_s = tools.time_s;
  out.boxed = !m.limited_tools.empty();
  out.nodes = count([](const LowRate::Place& p) { return p.limited; });
  out.limited = report.limited = static_cast<int>(low.places.contact.size());
  out.frozen = out.limited + report.shared - points - out.nodes;
  out.rows.resize(report.shared);
  out.contacts.resize(out.frozen);
  out.offset.setZero(3 * out.frozen);
  out.bend.resize(3 * report.shared);
  out.lambda.resize(3 * report.shared);
  out.problem.W.is_dense = true;
  out.problem.delta_free.resize(3 * out.frozen);
  out.problem.mu.resize(out.frozen);
  out.problem.kind.resize(out.frozen);
}

SnapshotContact& write_contact(const TwoRateModel& m, const Contact& c, int number, Snapshot& out) {
  SnapshotContact& s = out.contacts[number];
  s = {.id = c.id,
       .tool1 = m.tool_of[c.id.body1],
       .tool2 = c.id.body2 >= 0 ? m.tool_of[c.id.body2] : -1,
       .P = c.P,
       .Q = c.Q,
       .frame = c.frame,
       .bilateral = c.bilateral,
       .limited = number < out.limited};
  out.problem.mu[number] = c.mu;
  out.problem.kind[number] = c.bilateral ? ContactKind::bilateral : ContactKind::unilateral;
  return s;
}

/// A row, and its contact where it has one: where it is, and how its low-rate bodies move it without contact.
void write_row(const TwoRateModel& m, const LowRate& low, int row, Snapshot& out) {
  const auto free_skin = [&](int body) -> const std::vector<Vec3>& { return low.ws.bodies[body].skin_free; };
  const auto start_skin = [&](int body) -> const std::vector<Vec3>& {
    return low.ws.bodies[body].skin_start;
  };
  const bool at_end = m.settings.hand_over == HandOver::end;
  const LowRate::Place& place = low.place[row];
  const ContactGroup& group = low.ws.groups[place.group];
  const Contact& c = group.contacts[place.contact];
  out.rows[row] = {c.id, place.at};
  out.lambda.segment<3>(3 * row) = group.f.segment<3>(3 * place.contact);
  Vec3 moved;
  if (is_point(c.id)) {
    moved = c.P.at(free_skin(c.id.body1)) - place.at;
  } else {
    moved = c.frame * (low_part(m, c, free_skin) - low_part(m, c, start_skin));
    if (place.limited && at_end) out.rows[row].at -= moved;
  }
  if (const int number = out.contact_of(row); number >= 0) {
    SnapshotContact& s = write_contact(m, c, number, out);
    s.slip = place.slip;
    const auto tool_start = [&](int t) -> const std::vector<Vec3>& { return start_skin(m.tools[t]); };
    const auto tool_free = [&](int t) -> const std::vector<Vec3>& { return free_skin(m.tools[t]); };
    s.tool_start = tool_part(s, tool_start);
    const Vec3 end = c.delta_free - c.frame * tool_part(s, tool_free);
    if (!c.bilateral) moved.tail<2>() = end.tail<2>() + c.frame.bottomRows<2>() * s.tool_start;
    if (at_end) moved.setZero();
    out.offset.segment<3>(3 * number) = end - moved;
  }
  if (at_end) moved.setZero();
  out.bend.segment<3>(3 * row) = moved;
}

/// S6.
bool write_snapshot(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report,
                    Snapshot& out) {
  Stopwatch watch;
  choose_contacts(m, low, report);
  if (!reduce_bodies(m, low, report, out)) return false;
  report.reduce_us = watch.lap_us();
  begin_snapshot(m, tools, low, report, out);
  for (int i = 0; i < out.limited; ++i) write_contact(m, low.places.contact[i], i, out);
  for (int row = 0; row < report.shared; ++row) write_row(m, low, row, out);
  if (m.live()) write_skins(m, low, out);
  show_points(low);
  write_sites(m, low, out);
  if (out.boxed)
    out.patches.W.swap(out.W_low);
  else
    make_room(m, out);
  if (m.settings.hand_over == HandOver::reduced) without_linear_motion(low, out.bend);
  return true;
}

}  // namespace

LowRate make_low_rate(const TwoRateModel& m) {
  LowRate low;
  low.state = make_state(m.model);
  low.ws = make_workspace(m.model);
  low.ws.keep_G = true;
  low.ws.without.assign(m.model.bodies.size(), 0);
  low.reduction.resize(m.model.bodies.size());
  low.reduced.assign(m.model.bodies.size(), -1);
  low.velocity.resize(m.model.bodies.size());
  prepare_limited(m, low);
  return low;
}

bool finish_step(const TwoRateModel& m, const ToolState& tools, LowRate& low) {
  if (low.finished) return false;
  show_nodes(low);
  const bool heard = tools.tick > low.tick && hear_forces(tools, low);
  const double elapsed = static_cast<double>(tools.tick - low.tick) * m.settings.h_high_s;
  Workspace& ws = low.ws;
  low.finished = true;
  for (auto& w : ws.bodies) w.dx_c.setZero();
  for (VecX& v : low.velocity) v.resize(0);
  ws.memory.clear();
  for (int g = 0; g < ws.group_count; ++g) {
    ContactGroup& group = ws.groups[g];
    for (size_t k = 0; k < group.bodies.size(); ++k) {
      const int b = group.bodies[k], r = low.reduced[b];
      const Body& body = *m.model.bodies[b].body;
      auto& w = ws.bodies[b];
      if (m.tool_of[b] >= 0) continue;
      take_forces(group.contacts, group.f, group.rows[k]);
      if (heard && r >= 0)
        low.reduction[b].lift(body, *w.mechanics, group.rows[k], tools.bodies[r], elapsed, w.dx_c,
                              low.velocity[b]);
      else
        add_response(body, *w.mechanics, group.contacts, group.f, group.rows[k], w.dx_c);
    }
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      if (is_point(c.id)) continue;
      ws.memory.push_back({c.id, c.frame.row(1),
                           c.frame.transpose() * group.f.segment<3>(3 * static_cast<long>(i)),
                           c.frame.row(0)});
    }
  }
  for (size_t b = 0; b < ws.bodies.size(); ++b) {
    auto& w = ws.bodies[b];
    const Body& body = *m.model.bodies[b].body;
    if (m.tool_of[b] >= 0) continue;
    bool finite = next_state(body, *w.mechanics, w.dx_c, low.state.bodies[b], w.next);
    if (low.velocity[b].size() > 0) {
      w.next.v = low.velocity[b];
      finite = is_finite(body, w.next);
    }
    if (finite) continue;
    low.lost = static_cast<int>(b);
    return false;
  }
  if (m.model.continuous == Continuous::all) stages::cut_crossings(m.model, low.state, ws, m.tool_of);
  for (size_t b = 0; b < ws.bodies.size(); ++b)
    if (m.tool_of[b] < 0) std::swap(low.state.bodies[b], ws.bodies[b].next);
  stages::remember_sides(ws);
  std::swap(low.state.memory, ws.memory);
  low.state.time_s += m.model.h_s;
  ++low.state.step;
  show_touches(tools, low);
  return heard;
}

LowReport low_step(const TwoRateModel& m, const ToolState& tools, LowRate& low, Snapshot& out) {
  using namespace stages;
  LowReport report;
  Stopwatch watch;
  if (!fits(low.ws, report)) return report;
  report.took_forces = finish_step(m, tools, low);  // S0
  report.shortened = shortened_ways(low.ws);
  show_nodes(low);
  if (const int lost = std::exchange(low.lost, -1); lost >= 0) {
    report.status = StepStatus::not_finite;
    report.body = lost;
    return report;
  }
  take_tools(m, tools, low);
  if (!free_motion(m.model, low.state, low.ws, report)) return report;  // S1
  report.times.free_motion_us = watch.lap_us();
  place_skins(m.model, low.state, low.ws);  // S2
  if (!free_is_finite(m.model, low.ws, report)) return report;
  find_contacts(m.model, low.state, low.ws, report);
  if (m.model.continuous == Continuous::all) {
    std::vector<int> rules;
    for (size_t r = 0; r < m.model.rules.size(); ++r)
      if (m.tool_of[m.model.rules[r].body1] < 0 && m.tool_of[m.model.rules[r].body2] < 0)
        rules.push_back(static_cast<int>(r));
    leave_near_misses(m.model, rules, low.ws);
  }
  find_limited(m, tools, low, report);
  if (m.live()) find_points(m, tools, low, report, out);
  report.times.proximity_us = watch.lap_us();
  group_contacts(m.model, low.ws, report);
  report.times.contacts_us = watch.lap_us();
  for (int g = 0; g < low.ws.group_count; ++g) {  // S3; the ticks know the tools, nobody solves with patches
    for (int body : m.tools) low.ws.without[body] = m.live() || has_patches(low.ws.groups[g]);
    assemble_delassus(m.model, low.ws, low.ws.groups[g]);
  }
  report.times.delassus_us = watch.lap_us();
  for (int g = 0; g < low.ws.group_count; ++g)  // S4
    if (!reaches_tool(m, low.ws.groups[g]) && !solve(m.model, low.state, low.ws.groups[g], report))
      return report;
  report.times.solve_us = watch.lap_us();
  if (!write_snapshot(m, tools, low, report, out)) return report;  // S6; S5 is S0 of the next step
  low.finished = false;
  show_touches(tools, low);
  report.times.motion_us = watch.lap_us();
  if (m.on_clock()) follow_median(report.times.total_us() - report.times.free_motion_us, low.cost_us);
  return report;
}

}  // namespace palp
