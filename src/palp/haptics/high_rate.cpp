// What the high rate owns, with memory for the most contacts, and what it tells the low rate.
#include <algorithm>
#include <utility>

#include "palp/haptics/live_contacts.hpp"

namespace palp {

void tool_rows(const Body& body, int tool, const BodyState& state, const Snapshot& s, BodyContacts& rows) {
  rows.clear();
  for (int k = s.first_site[tool]; k < s.first_site[tool + 1]; ++k) {
    const SnapshotSite& site = s.sites[k];
    const size_t first = rows.H.block.size();
    if (site.contact < 0) {
      append_point(body, state, site.at, 1, rows.H);
    } else {
      const SnapshotContact& c = s.contacts[site.contact];
      if (c.tool1 == tool) append_point(body, state, c.P, 1, rows.H);
      if (c.tool2 == tool) append_point(body, state, c.Q, -1, rows.H);
      for (size_t e = first; e < rows.H.block.size(); ++e)
        rows.H.block[e] = (c.frame * rows.H.block[e]).eval();
    }
    rows.H.end_point();
    rows.contact.push_back(site.contact);
  }
}

void publish_tools(const HighRate& high, std::span<const DevicePose> poses, double h,
                   TripleBuffer<ToolState>& to_low) {
  ToolState& out = to_low.back();
  out.tick = high.tick;
  out.time_s = high.time_s + h;
  for (size_t t = 0; t < high.tools.size(); ++t) out.tools[t] = high.tools[t].state;
  std::copy(poses.begin(), poses.end(), out.poses.begin());
  out.sequence = high.sequence;
  out.age = high.age;
  out.tick_us = high.cost_us;
  out.lambda.head(high.pushed.size()) = high.pushed;
  for (size_t r = 0; r < high.row.size(); ++r) {
    const int contact = high.layout.contact_of(static_cast<int>(r));
    out.slip[r] = contact >= 0 ? high.slip[contact].total : Vec3(Vec3::Zero());
  }
  for (size_t b = 0; b < high.bodies.size(); ++b) out.bodies[b] = high.bodies[b];
  to_low.publish();
}

namespace {

/// With memory for the largest of all low-rate bodies.
std::vector<ReducedMotion> reduced_motions(const TwoRateModel& m) {
  std::vector<ReducedMotion> motions;
  for (size_t b = 0; b < m.model.bodies.size(); ++b) {
    if (m.tool_of[b] >= 0 || !m.model.bodies[b].body->movable()) continue;
    motions.emplace_back(Reduction::most_motions, m.most_rows());
  }
  return motions;
}

}  // namespace

ToolState empty_tool_state(const TwoRateModel& m) {
  ToolState s;
  for (size_t t = 0; t < m.tools.size(); ++t) s.tools.push_back(m.tool(static_cast<int>(t)).rest_state());
  s.poses.resize(m.devices);
  s.lambda.setZero(3 * m.most_rows());
  s.slip.resize(m.most_rows());
  s.bodies = reduced_motions(m);
  return s;
}

namespace {

/// A problem of the largest size, once through every stage: whatever grows has grown before the first tick.
void meet_largest_size(const TwoRateModel& m, HighRate& high) {
  const int n = high.limited ? std::max(m.settings.max_contacts, GlcPgs::most_carriers) : m.most_contacts();
  const int most = m.most_contacts(), sites = m.most_sites();
  high.slip.reserve(most);
  high.old_slip.reserve(most);
  high.row.reserve(m.most_rows());
  high.motion.x_old.reserve(sites);
  high.motion.x_free.reserve(sites);
  for (GrowingVector* v : {&high.offset, &high.delta, &high.settle, &high.motion.delta_free})
    v->reserve(3 * most);
  for (GrowingVector* v : {&high.moved, &high.moved_free, &high.pushed}) v->reserve(3 * m.most_rows());
  high.motion.tau_start.reserve(2 * most);
  high.lambda.reserve(3 * most);
  high.lambda.resize(3 * n);
  Problem p;
  p.W.dense = MatX::Identity(3 * n, 3 * n);
  p.delta_free = VecX::Constant(3 * n, -1);
  p.mu = VecX::Constant(n, 0.5);
  p.kind.assign(n, ContactKind::unilateral);
  if (high.solver->set_problem(p)) high.solver->solve({.max_sweeps = 1}, high.lambda);
  for (size_t t = 0; t < high.tools.size(); ++t) {
    auto& tool = high.tools[t];
    const Body& body = m.tool(static_cast<int>(t));
    tool.rows.G.resize(3 * n, 3 * n);
    tool.rows.lambda.setZero(3 * sites);
    Snapshot s;
    s.first_site.assign(t + 1, 0);
    s.first_site.push_back(sites);
    for (int i = 0; i < sites; ++i) {
      const int v = body.skin().vertices;
      s.sites.push_back(
          {.tool = static_cast<int>(t), .at = {{i % v, (i + 1) % v, (i + 2) % v}, Vec3::Constant(1.0 / 3)}});
    }
    tool_rows(body, static_cast<int>(t), tool.state, s, tool.rows);
    if (!body.free_motion(tool.state, tool.loads, m.settings.h_high_s, *tool.mechanics)) continue;
    MatX C = MatX::Zero(3 * sites, 3 * sites);
    body.project_compliance(tool.rows.H, *tool.mechanics, C);
    body.response(tool.rows.H, tool.rows.lambda, *tool.mechanics, tool.dx_c);
    tool.rows.clear();
  }
  high.lambda.resize(0);
}

}  // namespace

std::span<Vec3> HighRate::forces_of(long t) {
  const long kept = static_cast<long>(past.size() / most_rows);
  t = std::max({t, adopted, tick - 1 - kept});
  return std::span(past).subspan(static_cast<size_t>(t % kept) * most_rows, most_rows);
}

HighRate::HighRate(HighRate&&) noexcept = default;
HighRate::~HighRate() = default;

HighRate::HighRate(const TwoRateModel& m) {
  const State start = make_state(m.model);
  for (size_t t = 0; t < m.tools.size(); ++t) {
    const Body& body = m.tool(static_cast<int>(t));
    Tool tool;
    tool.state = tool.free = tool.next = start.bodies[m.tools[t]];
    tool.mechanics = body.make_workspace();
    tool.skin_start.resize(body.skin().vertices);
    tool.skin_free.resize(body.skin().vertices);
    tool.dx_c.setZero(body.dof());
    tool.loads.blocks.reserve(m.grips.size());
    tool.acting.loads.blocks.reserve(m.grips.size());
    with_actions(m.model.actions, m.tools[t], body, tool.state, tool.loads, 0, m.settings.h_high_s,
                 tool.acting);
    tools.push_back(std::move(tool));
  }
  bodies = reduced_motions(m);
  most_rows = static_cast<size_t>(m.most_rows());
  past.resize(most_rows * static_cast<size_t>(std::min(2 * m.settings.low_every, most_past)), Vec3::Zero());
  if (m.live()) live = std::make_unique<LiveContacts>(m);
  if (auto made = make_solver(m.model.solver.name)) solver = std::move(*made);
  if (!m.limited_tools.empty()) {
    limited = std::make_unique<GlcPgs>(GlcSizes{.glc = m.most_limited(),
                                                .nodes = m.most_nodes(),
                                                .other = m.settings.max_contacts,
                                                .proxies = m.most_sites()},
                                       m.settings.trust);
    limited->set_solver(solver.get());
  }
  if (solver) meet_largest_size(m, *this);
}

}  // namespace palp
