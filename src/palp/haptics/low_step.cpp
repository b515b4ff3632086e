#include "palp/haptics/low_step.hpp"

#include <utility>

#include "palp/base/clock.hpp"
#include "palp/haptics/limited_contacts.hpp"
#include "palp/haptics/live_contacts.hpp"
#include "palp/haptics/write_snapshot.hpp"
#include "palp/mechanics/next_state.hpp"
#include "palp/sim/stages.hpp"

namespace palp {
namespace {

/// Forces and slips of the ticks, by contact; false when they belong to another snapshot or are not finite.
bool hear_forces(const ToolState& tools, LowRate& low) {
  const int shared = static_cast<int>(low.place.size());
  if (tools.sequence != low.sequence || !tools.lambda.head(3 * shared).allFinite()) return false;
  for (int i = 0; i < shared; ++i) {
    LowRate::Place& p = low.place[i];
    ContactGroup& group = low.ws.groups[p.group];
    const Mat3& frame = group.contacts[p.contact].frame;
    p.force = frame.transpose() * tools.lambda.segment<3>(3 * i);
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
        low.reduction[b].lift(body, *w.mechanics, group.rows[k].NH, tools.bodies[r], elapsed, w.dx_c,
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
  if (m.model.continuous != Continuous::off) stages::cut_crossings(m.model, low.state, ws, m.tool_of);
  for (size_t b = 0; b < ws.bodies.size(); ++b)
    if (m.tool_of[b] < 0) std::swap(low.state.bodies[b], ws.bodies[b].next);
  stages::remember_sides(ws);
  std::swap(low.state.memory, ws.memory);
  low.state.time_s += elapsed;
  ++low.state.step;
  return heard;
}

LowReport low_step(const TwoRateModel& m, const ToolState& tools, LowRate& low, Snapshot& out) {
  using namespace stages;
  LowReport report;
  Stopwatch watch;
  if (!fits(low.ws, report)) return report;
  report.took_forces = finish_step(m, tools, low);  // S0
  report.shortened = shortened_ways(low.ws);
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
  find_contacts(m.model, low.state, low.ws, report, m.found_elsewhere);
  if (m.model.continuous != Continuous::off) leave_near_misses(m.model, m.low_rules, low.ws);
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
  report.times.motion_us = watch.lap_us();
  if (m.on_clock()) follow_median(report.times.total_us() - report.times.free_motion_us, low.cost_us);
  return report;
}

}  // namespace palp
