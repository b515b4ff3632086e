#include "palp/haptics/low_step.hpp"

#include <algorithm>
#include <utility>

#include "palp/base/clock.hpp"
#include "palp/sim/stages.hpp"

namespace palp {
namespace {

/// S0: the last step once more, with the forces that the ticks ended with.
void finish_last_step(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report) {
  const int shared = static_cast<int>(low.place.size());
  if (std::exchange(low.finished, true) || tools.sequence != low.sequence ||
      !tools.lambda.head(3 * shared).allFinite())
    return;
  for (int i = 0; i < shared; ++i) {
    LowRate::Place& p = low.place[i];
    low.ws.groups[p.group].f.segment<3>(3 * p.contact) = tools.lambda.segment<3>(3 * i);
    p.slip = tools.slip[i];
  }
  std::swap(low.state, low.start);
  StepReport repeated;
  report.took_forces = stages::constrained_motion(m.model, low.state, low.ws, repeated);
  if (!report.took_forces) std::swap(low.state, low.start);
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

/// The contacts that the ticks will need: all of a group that holds a tool, because forces pass through its
/// low-rate bodies; but for those between points that no force moves. Too many: attachments first, then the
/// closest.
void choose_contacts(const TwoRateModel& m, LowRate& low, LowReport& report) {
  std::swap(low.place, low.last_place);
  low.place.clear();
  for (int g = 0; g < low.ws.group_count; ++g) {
    const ContactGroup& group = low.ws.groups[g];
    const auto is_tool = [&](int b) { return m.tool_of[b] >= 0; };
    if (std::none_of(group.bodies.begin(), group.bodies.end(), is_tool)) continue;
    for (int i = 0; i < static_cast<int>(group.contacts.size()); ++i)
      if (is_tool_contact(m, group.contacts[i]) || gives_way(group.problem.W, i))
        low.place.push_back({group.contacts[i].id, g, i});
  }
  const size_t bound = static_cast<size_t>(m.settings.max_contacts);
  if (low.place.size() > bound) {
    report.left_out = static_cast<int>(low.place.size() - bound);
    const auto urgency = [&](const LowRate::Place& p) {
      const Contact& c = low.ws.groups[p.group].contacts[p.contact];
      return c.bilateral ? -1e300 : std::min(c.gap_start, c.delta_free[0]);
    };
    std::nth_element(low.place.begin(), low.place.begin() + static_cast<long>(bound), low.place.end(),
                     [&](const auto& a, const auto& b) {
                       const double ua = urgency(a), ub = urgency(b);
                       return ua != ub ? ua < ub : a.id < b.id;
                     });
    low.place.resize(bound);
  }
  std::sort(low.place.begin(), low.place.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  // Totals follow the contacts by name.
  auto old = low.last_place.begin();
  for (LowRate::Place& p : low.place) {
    while (old != low.last_place.end() && old->id < p.id) ++old;
    if (old != low.last_place.end() && old->id == p.id) p.slip = old->slip;
  }
  report.shared = static_cast<int>(low.place.size());
}

/// W_low = Σ N H A⁻¹ Hᵀ Nᵀ over the low-rate bodies, from what assemble_delassus left in rows.G.
void low_rate_compliance(const TwoRateModel& m, LowRate& low, GrowingMatrix& W) {
  W.setZero(3 * static_cast<long>(low.place.size()), 3 * static_cast<long>(low.place.size()));
  for (int g = 0; g < low.ws.group_count; ++g) {
    const ContactGroup& group = low.ws.groups[g];
    low.index.assign(group.contacts.size(), -1);
    bool shared = false;
    for (size_t s = 0; s < low.place.size(); ++s)
      if (low.place[s].group == g) low.index[low.place[s].contact] = static_cast<int>(s), shared = true;
    if (!shared) continue;
    for (size_t k = 0; k < group.bodies.size(); ++k) {
      if (m.tool_of[group.bodies[k]] >= 0) continue;
      const BodyContacts& rows = group.rows[k];
      for (int j = 0; j < rows.H.points(); ++j) {
        const int column = low.index[rows.contact[j]];
        if (column < 0) continue;
        for (int i = 0; i < rows.H.points(); ++i) {
          const int row = low.index[rows.contact[i]];
          if (row >= 0) W.block<3, 3>(3 * row, 3 * column) += rows.G.block<3, 3>(3 * i, 3 * j);
        }
      }
    }
    for (size_t i = 0; i < group.contacts.size(); ++i)
      if (group.contacts[i].bilateral && low.index[i] >= 0)
        W.diagonal().segment<3>(3 * low.index[i]) +=
            stages::own_compliance(group.contacts[i], group.problem.W, static_cast<int>(i));
  }
}

/// S6.
void write_snapshot(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report,
                    Snapshot& out) {
  choose_contacts(m, low, report);
  const int n = report.shared;
  out.sequence = report.sequence = ++low.sequence;
  out.tick = tools.tick;
  out.time_s = tools.time_s;
  out.contacts.resize(n);
  out.offset.resize(3 * n);
  out.lambda.resize(3 * n);
  Problem& p = out.problem;
  p.W.is_dense = true;
  p.W.dense.resize(3 * n, 3 * n);
  p.delta_free.resize(3 * n);
  p.mu.resize(n);
  p.kind.resize(n);
  const auto free_skin = [&](int tool) -> const std::vector<Vec3>& {
    return low.ws.bodies[m.tools[tool]].skin_free;
  };
  const auto start_skin = [&](int tool) -> const std::vector<Vec3>& {
    return low.ws.bodies[m.tools[tool]].skin_start;
  };
  for (int i = 0; i < n; ++i) {
    const ContactGroup& group = low.ws.groups[low.place[i].group];
    const Contact& c = group.contacts[low.place[i].contact];
    SnapshotContact& s = out.contacts[i];
    s.id = c.id;
    s.tool1 = m.tool_of[c.id.body1];
    s.tool2 = c.id.body2 >= 0 ? m.tool_of[c.id.body2] : -1;
    s.P = c.P;
    s.Q = c.Q;
    s.frame = c.frame;
    s.bilateral = c.bilateral;
    s.slip = low.place[i].slip;
    s.tool_start = tool_part(s, start_skin);
    out.offset.segment<3>(3 * i) = c.delta_free - c.frame * tool_part(s, free_skin);
    out.lambda.segment<3>(3 * i) = group.f.segment<3>(3 * low.place[i].contact);
    p.mu[i] = c.mu;
    p.kind[i] = c.bilateral ? ContactKind::bilateral : ContactKind::unilateral;
  }
  low_rate_compliance(m, low, out.W_low);
}

}  // namespace

LowRate make_low_rate(const TwoRateModel& m) {
  LowRate low;
  low.state = make_state(m.model);
  low.start = low.state;
  low.ws = make_workspace(m.model);
  low.ws.keep_G = true;
  return low;
}

LowReport low_step(const TwoRateModel& m, const ToolState& tools, LowRate& low, Snapshot& out) {
  using namespace stages;
  LowReport report;
  Stopwatch watch;
  if (!fits(low.ws, report)) return report;
  finish_last_step(m, tools, low, report);
  take_tools(m, tools, low);
  if (!free_motion(m.model, low.state, low.ws, report)) return report;  // S1
  report.times.free_motion_us = watch.lap_us();
  place_skins(m.model, low.state, low.ws);  // S2
  find_contacts(m.model, low.state, low.ws, report);
  report.times.proximity_us = watch.lap_us();
  group_contacts(m.model, low.ws, report);
  report.times.contacts_us = watch.lap_us();
  for (int g = 0; g < low.ws.group_count; ++g) assemble_delassus(m.model, low.ws, low.ws.groups[g]);  // S3
  report.times.delassus_us = watch.lap_us();
  for (int g = 0; g < low.ws.group_count; ++g)  // S4
    if (!solve(m.model, low.state, low.ws.groups[g], report)) return report;
  report.times.solve_us = watch.lap_us();
  low.start = low.state;
  low.finished = !constrained_motion(m.model, low.state, low.ws, report);  // S5
  if (low.finished) return report;
  write_snapshot(m, tools, low, report, out);  // S6
  report.times.motion_us = watch.lap_us();
  return report;
}

}  // namespace palp
