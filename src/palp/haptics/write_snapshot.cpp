// S6: what the ticks need to know, from the problem of the low-rate step.
#include "palp/haptics/write_snapshot.hpp"

#include <algorithm>
#include <utility>

#include "palp/base/clock.hpp"
#include "palp/haptics/limited_contacts.hpp"
#include "palp/haptics/live_contacts.hpp"
#include "palp/sim/stages.hpp"

namespace palp {

bool reaches_tool(const TwoRateModel& m, const ContactGroup& group) {
  return std::any_of(group.bodies.begin(), group.bodies.end(), [&](int b) { return m.tool_of[b] >= 0; }) ||
         std::any_of(group.contacts.begin(), group.contacts.end(),
                     [](const Contact& c) { return is_point(c.id); });
}

bool has_patches(const ContactGroup& group) {
  return std::any_of(group.contacts.begin(), group.contacts.end(),
                     [](const Contact& c) { return is_limited(c.id); });
}

namespace {

using Layout = SnapshotLayout;

bool is_tool_contact(const TwoRateModel& m, const Contact& c) {
  return m.tool_of[c.id.body1] >= 0 || (c.id.body2 >= 0 && m.tool_of[c.id.body2] >= 0);
}

/// The closest of the standard contacts, attachments first; all points.
void keep_closest(const TwoRateModel& m, LowRate& low, LowReport& report) {
  const auto first = std::partition(low.place.begin(), low.place.end(), [](const auto& p) {
    return Layout::kind(p.id) != Layout::Kind::contact;
  });
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
      if (!is_point(c.id) && !is_tool_contact(m, c) && !gives_way(group.problem.W, i)) continue;
      low.place.push_back({.id = c.id,
                           .group = g,
                           .contact = i,
                           .at = is_limited(c.id) ? c.Q.at(low.ws.bodies[c.id.body2].skin_start)
                                                  : c.P.at(low.ws.bodies[c.id.body1].skin_start)});
    }
  }
  keep_closest(m, low, report);
  const auto before = [](const auto& a, const auto& b) { return Layout::before(a.id, b.id); };
  std::sort(low.place.begin(), low.place.end(), before);
  // Totals follow the contacts by name, forces also to a neighbour.
  auto old = low.last_place.begin();
  for (LowRate::Place& p : low.place) {
    while (old != low.last_place.end() && before(*old, p)) ++old;
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

/// Pushes on a body from every other that touches it, whose answers the ticks should be able to show: what it
/// presses with, and along the axes, mostly at the closest contacts. `f0`: the forces on its rows.
std::vector<VecX> pushes_on(int body, const ContactGroup& group, const BodyContacts& rows, const VecX& f0) {
  const int all = rows.H.points();
  const auto contact = [&](int row) -> const Contact& { return group.contacts[rows.contact[row]]; };
  const auto gap = [&](int row) {
    const Contact& c = contact(row);
    return c.bilateral ? 0 : std::max(0.0, std::min(c.gap_start, c.delta_free[0]));
  };
  std::vector<int> touching, others;
  for (int i = 0; i < all; ++i) {
    const ContactId& id = contact(i).id;
    touching.push_back(id.body1 == body ? id.body2 : id.body1);
  }
  others = touching;
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::vector<VecX> pushes;
  for (int other : others) {
    double least = 1e300, most = 0;
    for (int i = 0; i < all; ++i)
      if (touching[i] == other) least = std::min(least, gap(i)), most = std::max(most, gap(i));
    VecX& bears = pushes.emplace_back(VecX::Zero(3 * all));
    for (int i = 0; i < all && others.size() > 1; ++i)
      if (touching[i] == other) bears.segment<3>(3 * i) = f0.segment<3>(3 * i);
    for (int axis = 0; axis < 3; ++axis) {
      VecX& push = pushes.emplace_back(VecX::Zero(3 * all));
      for (int i = 0; i < all; ++i) {
        if (touching[i] != other) continue;
        const double closeness = most > least ? 1 - (gap(i) - least) / (most - least) : 1;
        push.segment<3>(3 * i) = (contact(i).id.body1 == body ? 1 : -1) * (0.01 + closeness * closeness) *
                                 contact(i).frame.col(axis);
      }
    }
  }
  return pushes;
}

/// The low-rate bodies of the groups that tools reach, for the ticks.
bool reduce_bodies(const TwoRateModel& m, LowRate& low, LowReport& report, Snapshot& out) {
  const bool in_motion = m.settings.hand_over == HandOver::reduced;
  out.body_count = 0;
  out.W_low.setZero(3 * report.shared, 3 * report.shared);
  std::fill(low.reduced.begin(), low.reduced.end(), -1);
  std::vector<int> known;
  std::vector<VecX> pushes;
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
      const int n = rows.H.points();
      if (n == 0 || m.tool_of[b] >= 0) continue;
      take_forces(group.contacts, group.f, rows);
      if (static_cast<int>(out.bodies.size()) == out.body_count) out.bodies.emplace_back();
      ReducedBody& reduced = out.bodies[out.body_count];
      known.clear();
      VecX f0(3 * n);
      for (int i = 0; i < n; ++i) {
        known.push_back(low.shared[rows.contact[i]]);
        f0.segment<3>(3 * i) = group.f.segment<3>(3 * rows.contact[i]);
      }
      if (in_motion) pushes = pushes_on(b, group, rows, f0);
      low.reduction[b].make(*m.model.bodies[b].body, b, low.state.bodies[b], *low.ws.bodies[b].mechanics,
                            {.rows = rows.NH, .G = rows.G, .known = known, .f0 = f0, .pushes = pushes},
                            in_motion, m.settings.h_high_s, reduced);
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
          bend.segment<3>(3 * reduction.row[i]).noalias() -= NH.block[e] * dx.segment<3>(3 * NH.column[e]);
      }
    }
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
  const auto count = [&](Layout::Kind kind) {
    return static_cast<int>(std::count_if(low.place.begin(), low.place.end(), [&](const LowRate::Place& p) {
      return Layout::kind(p.id) == kind;
    }));
  };
  out.sequence = report.sequence = ++low.sequence;
  out.tick = low.tick = tools.tick;
  out.time_s = tools.time_s;
  out.boxed = !m.limited_tools.empty();
  out.nodes = count(Layout::Kind::node);
  out.limited = report.limited = static_cast<int>(low.places.contact.size());
  out.frozen = out.limited + count(Layout::Kind::contact);
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
  s = {c, m.tool_of[c.id.body1], c.id.body2 >= 0 ? m.tool_of[c.id.body2] : -1};
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
    if (is_limited(c.id) && at_end) out.rows[row].at -= moved;
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

}  // namespace

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
  write_sites(m, low, out);
  if (out.boxed)
    out.patches.W.swap(out.W_low);
  else
    make_room(m, out);
  if (m.settings.hand_over == HandOver::reduced) without_linear_motion(low, out.bend);
  return true;
}

}  // namespace palp
