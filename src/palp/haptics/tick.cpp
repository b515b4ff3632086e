#include "palp/haptics/tick.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "palp/base/clock.hpp"
#include "palp/contact/glc_features.hpp"
#include "palp/haptics/live_contacts.hpp"
#include "palp/mechanics/next_state.hpp"

namespace palp {
namespace {

/// H1: the couplings at the devices' poses.
void hold_tools(const TwoRateModel& m, std::span<const DevicePose> poses, HighRate& high) {
  BlockLoad load;
  for (auto& tool : high.tools) {
    tool.loads.gravity = m.model.gravity_at(high.time_s);
    tool.loads.blocks.clear();
  }
  for (const Grip& g : m.grips) {
    auto& tool = high.tools[m.tool_of[g.body]];
    if (grip_load(g, *m.model.bodies[g.body].body, tool.state, poses[g.device], m.settings.h_high_s, load))
      tool.loads.blocks.push_back(load);
  }
}

/// H2: the tools' motion without contact.
bool free_motion(const TwoRateModel& m, HighRate& high, TickReport& report) {
  for (size_t t = 0; t < high.tools.size(); ++t) {
    auto& tool = high.tools[t];
    const Body& body = m.tool(static_cast<int>(t));
    const Loads& loads = with_actions(m.model.actions, m.tools[t], body, tool.state, tool.loads, high.time_s,
                                      m.settings.h_high_s, tool.acting);
    if (!body.free_motion(tool.state, loads, m.settings.h_high_s, *tool.mechanics)) {
      report.status = TickStatus::free_motion_failed;
      report.body = m.tools[t];
      return false;
    }
    body.skin_positions(tool.state, VecX(), tool.skin_start);
    body.skin_positions(tool.state, tool.mechanics->dx_free, tool.skin_free);
    tool.free = tool.state;
    body.commit(*tool.mechanics, VecX(), tool.free);
  }
  return true;
}

/// A site's place in world axes; of a standard contact's, the tool's part of P − Q in its axes.
Vec3 site_position(const Snapshot& s, const SnapshotSite& site, const std::vector<Vec3>& skin) {
  if (site.contact < 0) return site.at.at(skin);
  const SnapshotContact& c = s.contacts[site.contact];
  Vec3 x = Vec3::Zero();
  if (c.tool1 == site.tool) x += c.P.at(skin);
  if (c.tool2 == site.tool) x -= c.Q.at(skin);
  return c.frame * x;
}

/// The triangle or edge of the tool that a patch lies on, and where its corners are.
SkinPoint on_tool(const TwoRateModel& m, const SnapshotContact& c, const std::vector<Vec3>& skin,
                  std::array<Vec3, 3>& own) {
  SkinPoint P = c.P;
  if (limited_kind(c.id) == GlcKind::corner) {
    const Triangle& t = m.tool(c.tool1).skin().triangles[static_cast<size_t>(limited_feature(c.id))];
    P.vertex = {t[0], t[1], t[2]};
  }
  for (int k = 0; k < 3; ++k) own[k] = skin[P.vertex[k]];
  return P;
}

/// Where the nodes of a patch are at the start of the tick; of an obstacle, which part of its way is over
/// `before`, the corner or edge that it touches. Returns how many nodes there are.
int touched_at(const HighRate& high, const Snapshot& s, int i, double before, std::array<Vec3, 3>& at) {
  const Glc& g = s.patches.glc[i];
  int nodes = 0;
  for (; nodes < 3 && g.node[nodes] >= 0; ++nodes)
    at[nodes] = s.rows[g.node[nodes]].at - high.moved.segment<3>(3 * g.node[nodes]);
  const Vec3 gone = before * (s.p_free[i] - s.p_start[i]);
  for (int k = 0; k < 2 && nodes == 0; ++k) at[k] = s.touched[i][k] + gone;
  return nodes;
}

/// Corners and edges of a surface bear on the tool where it is nearest to them now.
void follow_sites(const TwoRateModel& m, const HighRate& high, Snapshot& s, double before) {
  for (SnapshotSite& site : s.sites) {
    site.nearest = std::numeric_limits<double>::infinity();
    site.moved = -site_position(s, site, high.tools[site.tool].skin_start);
  }
  std::array<Vec3, 3> at{}, own{};
  for (int i = 0; i < s.limited; ++i) {
    const Glc& g = s.patches.glc[i];
    SnapshotSite& site = s.sites[g.proxy];
    const std::vector<Vec3>& skin = high.tools[site.tool].skin_start;
    const GlcKind kind = limited_kind(s.contacts[i].id);
    if (kind < GlcKind::corner || !((site.at.at(skin) - g.p).norm() < glc_extent(g) + 2 * g.d)) continue;
    touched_at(high, s, i, before, at);
    SkinPoint P = on_tool(m, s.contacts[i], skin, own);
    P.weight = bearing_place(kind, own, at, g);
    if (const double away = (P.at(skin) - at[0]).norm(); away < site.nearest)
      site.at = P, site.nearest = away;
  }
  for (SnapshotSite& site : s.sites) site.moved += site_position(s, site, high.tools[site.tool].skin_start);
}

/// H3 of the limited contacts: patches where their nodes are at the start of the tick, those that the point
/// may come to; ψ, and the slip of this tick.
void patch_violations(const TwoRateModel& m, HighRate& high, Snapshot& s, TickReport& report) {
  const double before = m.progress(high.tick - 1 - s.tick), after = m.progress(high.tick - s.tick);
  follow_sites(m, high, s, before);
  GlcMotion& motion = high.motion;
  motion.tau_start.resize(2L * s.limited);
  motion.x_old.clear();
  motion.x_free.clear();
  for (const SnapshotSite& site : s.sites) {
    motion.x_old.push_back(site_position(s, site, high.tools[site.tool].skin_start));
    motion.x_free.push_back(site_position(s, site, high.tools[site.tool].skin_free));
  }
  for (int i = 0; i < s.limited; ++i) {
    Glc& g = s.patches.glc[i];
    const Vec3 &x = motion.x_old[g.proxy], way = motion.x_free[g.proxy] - x;
    const GlcKind kind = limited_kind(s.contacts[i].id);
    if (kind >= GlcKind::corner)
      for (Vec3* p : {&s.p_start[i], &s.p_free[i], &g.p}) *p += s.sites[g.proxy].moved;
    const bool near = (x - g.p).norm() < glc_extent(g) + g.d + 2 * way.norm();
    Vec3 since = before * (s.p_free[i] - s.p_start[i]), gone = Vec3::Zero();  // gone: in this tick, backwards
    std::array<Vec3, 3> at{}, own{};
    if (const int nodes = touched_at(high, s, i, before, at); nodes == 0) {
      gone = (before - after) * (s.p_free[i] - s.p_start[i]);
      g.p = s.p_start[i] + since;
    } else {
      if (near) follow_nodes({at.data(), static_cast<size_t>(nodes)}, x, g);
      since.setZero();
      for (int k = 0; k < nodes; ++k) {
        const long r = 3L * g.node[k];
        since -= g.weight[k] * high.moved.segment<3>(r);
        gone += g.weight[k] * (high.moved_free.segment<3>(r) - high.moved.segment<3>(r));
      }
      if (kind > GlcKind::edge) g.p = s.p_start[i] + since;
    }
    if (near && kind >= GlcKind::corner) {
      on_tool(m, s.contacts[i], high.tools[s.contacts[i].tool1].skin_start, own);
      follow_tool(kind, own, at, x, g);
    }
    const Mat3 frame = s.contacts[i].frame = frame_of(g);
    const Vec3 left = high.slip[i].total;
    s.problem.delta_free.segment<3>(3 * i) = frame * (way + gone + left);
    s.problem.delta_free[3 * i] = g.n.dot(x - g.p + way + gone);
    if (!high.slip[i].force.isZero(0))
      report.penetration_m = std::max(report.penetration_m, g.n.dot(g.p - x));
    motion.tau_start.segment<2>(2 * i) = frame.bottomRows<2>() * (x - g.p - left);
  }
  motion.delta_free = s.problem.delta_free;
}

/// H3: δ_free = N p_tool + s_free + offset + τ bend.
void violations(const TwoRateModel& m, HighRate& high, Snapshot& s, TickReport& report) {
  const auto free_skin = [&](int tool) -> const std::vector<Vec3>& { return high.tools[tool].skin_free; };
  const double settling = 1 - m.progress(high.tick - high.adopted);
  high.moved_free = m.progress(high.tick - s.tick) * s.bend;
  for (int b = 0; b < s.body_count; ++b)
    high.bodies[b].free_tick(s.bodies[b], m.settings.h_high_s, high.moved_free);
  GrowingVector& delta_free = s.problem.delta_free;
  delta_free.resize(3 * s.frozen);
  for (int i = s.limited; i < s.frozen; ++i) {
    delta_free.segment<3>(3 * i) = high.moved_free.segment<3>(3 * s.row_of(i)) +
                                   high.offset.segment<3>(3 * i) +
                                   s.contacts[i].frame * tool_part(s.contacts[i], free_skin);
    delta_free[3 * i] += settling * high.settle[i];
  }
  if (s.boxed) patch_violations(m, high, s, report);
  if (high.live && s.sequence > 0) high.live->find(m, high, s, high.moved, high.moved_free, report);
}

/// H4: C = H A⁻¹ Hᵀ at the sites of each tool; W = W_low + C where every site is a contact's.
void compliance(const TwoRateModel& m, HighRate& high, Snapshot& s) {
  if (high.live)
    high.live->compliance(s);
  else if (!s.boxed)
    s.problem.W.dense = s.W_low;
  for (size_t t = 0; t < high.tools.size() && s.sequence > 0; ++t) {
    auto& tool = high.tools[t];
    const int number = static_cast<int>(t), first = 3 * s.first_site[t];
    tool_rows(m.tool(number), number, tool.free, s, tool.rows);
    const int rows = 3 * tool.rows.H.points();
    if (rows == 0) continue;
    if (!s.boxed) {
      project_rows(m.tool(number), *tool.mechanics, tool.rows.H, tool.rows, s.problem.W.dense);
      continue;
    }
    auto C = s.patches.C.block(first, first, rows, rows);
    C.setZero();
    m.tool(number).project_compliance(tool.rows.H, *tool.mechanics, C);
  }
}

double reading_us(const SolveOptions& options) { return options.clock_us ? options.clock_us() : 0; }

/// What is left of the budget, which counts from the start of the tick. Never nothing: the forces of the last
/// tick are a guess for another δ_free, a sweep must be had.
SolveOptions in_time(SolveOptions options, double start_us) {
  const double used_us = reading_us(options) - start_us;
  options.budget_us = std::max(options.budget_us - used_us, 0.1 * options.budget_us);
  return options;
}

/// H5: timed, from the last forces.
bool solve(const TwoRateModel& m, HighRate& high, Snapshot& s, double start_us, TickReport& report) {
  if (s.contacts.empty() && !s.boxed) return true;
  report.status = TickStatus::not_finite;
  if (!high.solver) return false;  // a model that was changed after TwoRateModel::make had checked it
  if (!s.problem.delta_free.allFinite()) return false;
  SolveOptions options = in_time(m.settings.solve, start_us);
  SolveReport solved;
  if (s.boxed) {
    options.warm_start = true;
    const GlcReport r = high.limited->solve(options, high.motion, high.lambda);
    report.held_back = r.outer_hits;
    for (size_t k = 0; k < s.sites.size() && r.outer_hits > 0; ++k)
      if (s.sites[k].tool < 32 && !high.limited->trust_force(static_cast<int>(k)).isZero(0))
        report.held_tools |= 1u << s.sites[k].tool;
    report.held = r.held;
    report.overstep = r.overstep;
    solved = r;
  } else {
    if (!s.problem.W.dense.allFinite() || !high.solver->set_problem(s.problem)) return false;
    solved = high.solver->solve(options, high.lambda);
  }
  report.sweeps = solved.sweeps;
  report.certificate = solved.certificate;
  report.solve = solved.status;
  report.converged = solved.converged();
  if (!high.lambda.allFinite()) {
    high.lambda.setZero();
    return false;
  }
  report.status = TickStatus::ok;
  return true;
}

/// H6: x = x_free + A⁻¹ Hᵀ λ of all tools; false: one would not be finite. Boxes may have held them back.
bool respond(const TwoRateModel& m, HighRate& high, const Snapshot& s, TickReport& report) {
  for (size_t t = 0; t < high.tools.size(); ++t) {
    auto& tool = high.tools[t];
    BodyContacts& rows = tool.rows;
    const int n = rows.H.points();
    tool.dx_c.setZero();
    if (n > 0) {
      for (int i = 0; i < n; ++i)
        rows.lambda.segment<3>(3 * i) = s.boxed ? high.limited->acting_force(s.first_site[t] + i)
                                                : Vec3(high.lambda.segment<3>(3 * rows.contact[i]));
      m.tool(static_cast<int>(t)).response(rows.H, rows.lambda.head(3 * n), *tool.mechanics, tool.dx_c);
      if (s.boxed)
        tool.dx_c -= (1 - high.limited->share_of_motion(s.first_site[t])) * tool.mechanics->dx_free;
    }
    if (next_state(m.tool(static_cast<int>(t)), *tool.mechanics, tool.dx_c, tool.state, tool.next)) continue;
    report.status = TickStatus::not_finite;
    report.body = m.tools[t];
    high.lambda.setZero();
    return false;
  }
  return true;
}

/// δ where the tools end: W λ + δ_free; few contacts bear forces.
void displacements(HighRate& high, const Snapshot& s) {
  if (s.boxed) {
    for (long i = 0; i < high.delta.size(); i += 3)
      high.delta.segment<3>(i) = high.limited->end_delta(static_cast<int>(i / 3));
    return;
  }
  high.delta = s.problem.delta_free;
  for (long i = 0; i < high.lambda.size(); i += 3) {
    const Vec3 f = high.lambda.segment<3>(i);
    if (!f.isZero(0)) high.delta.noalias() += s.problem.W.dense.middleCols<3>(i) * f;
  }
}

/// H6: tools and low-rate bodies go where they go; what slips moves the anchors.
void commit(const TwoRateModel& m, HighRate& high, const Snapshot& s, TickReport& report) {
  for (auto& tool : high.tools) std::swap(tool.state, tool.next);
  if (s.boxed)
    high.pushed = high.limited->row_force();
  else if (high.live)
    high.live->commit(s, high.lambda, high.pushed);
  else
    high.pushed = high.lambda;
  for (int b = 0; b < s.body_count; ++b)
    high.bodies[b].end_tick(s.bodies[b], m.settings.h_high_s, high.pushed);
  if (s.boxed) {
    high.moved = high.moved_free;
    high.moved += high.limited->response();
  } else if (high.live) {
    high.moved = m.progress(high.tick - s.tick) * s.bend;
    for (int b = 0; b < s.body_count; ++b) high.bodies[b].displace(s.bodies[b], high.moved);
    high.live->end(s, high.moved);
  }
  const std::span<Vec3> force = high.forces_of(high.tick - 1);
  for (size_t r = 0; r < high.row.size(); ++r) {
    force[r] =
        s.row_frame(static_cast<int>(r)).transpose() * high.pushed.segment<3>(3 * static_cast<long>(r));
    high.row[r].bore |= !force[r].isZero(0);
  }
  displacements(high, s);
  for (size_t i = 0; i < s.contacts.size(); ++i) {
    const long n = 3 * static_cast<long>(i);
    const SnapshotContact& c = s.contacts[i];
    const Vec3 f = high.lambda.segment<3>(n);
    report.active_contacts += !f.isZero(0);
    if (i < high.slip.size()) high.slip[i].force = c.frame.transpose() * f;
    if (c.bilateral) continue;
    if (!c.limited() || f[0] > 0) report.violation_m = std::max(report.violation_m, -high.delta[n]);
    if (i >= high.slip.size()) continue;  // the ticks' own count slip by themselves
    HighRate::Slip& slip = high.slip[i];
    // Strictly inside the cone it sticks: what is left of δ_t is the solver's error, for the next tick to
    // mend.
    const bool sticks = f.tail<2>().norm() < 0.999 * s.problem.mu[n / 3] * f[0];
    const Vec2 slipped = high.delta.segment<2>(n + 1);
    if (c.limited()) {
      slip.total = sticks ? Vec3(c.frame.bottomRows<2>().transpose() * slipped) : Vec3::Zero();
      continue;
    }
    if (sticks) continue;
    high.offset.segment<2>(n + 1) -= slipped;
    slip.total += c.frame.bottomRows<2>().transpose() * slipped;
  }
}

/// Sum of the contact forces on a tool, moments about `about`.
Wrench contact_wrench(const HighRate& high, const Snapshot& s, int tool, const Vec3& about) {
  const auto& t = high.tools[tool];
  Wrench w;
  const auto add = [&](const SkinPoint& point, const Vec3& force) {
    w.force += force;
    w.torque += (point.at(t.skin_free) - about).cross(force);
  };
  for (size_t i = 0; i < s.contacts.size(); ++i) {
    const SnapshotContact& c = s.contacts[i];
    const Vec3 on_first = c.frame.transpose() * high.lambda.segment<3>(3 * static_cast<long>(i));
    if (c.tool1 == tool) add(c.P, on_first);
    if (c.tool2 == tool) add(c.Q, -on_first);
  }
  return w;
}

/// H6: what the users feel.
void forces(const TwoRateModel& m, const HighRate& high, const Snapshot& s, std::span<const DevicePose> poses,
            std::span<Wrench> wrenches) {
  for (const Grip& g : m.grips) {
    const int t = m.tool_of[g.body];
    const BodyState& state = high.tools[t].state;
    Wrench felt;
    BodyFrame held;
    if (m.settings.force == ForceSource::coupling)
      felt = grip_wrench(g, m.tool(t), state, poses[g.device]);
    else if (m.tool(t).frame(state, g.frame, held))
      felt = contact_wrench(high, s, t, held.position + held.orientation * g.lever);
    wrenches[g.device].force += felt.force;
    wrenches[g.device].torque += felt.torque;
  }
}

}  // namespace

TickReport tick(const TwoRateModel& m, Snapshot& snapshot, std::span<const DevicePose> poses, HighRate& high,
                std::span<Wrench> wrenches) {
  std::fill(wrenches.begin(), wrenches.end(), Wrench{});
  TickReport report;
  Stopwatch watch;
  const double start_us = reading_us(m.settings.solve);
  report.tick = high.tick++;
  high.time_s += m.settings.h_high_s;
  report.sequence = snapshot.sequence;
  report.age_ticks = report.tick - snapshot.tick;
  report.limited = snapshot.limited;
  // Points know nothing of a surface that they are in: their tools wait for the first snapshot.
  if (snapshot.sequence == 0 && !m.limited_tools.empty()) return report;
  take_snapshot(m, snapshot, high);
  std::fill_n(high.forces_of(report.tick).begin(), high.row.size(), Vec3::Zero());  // should it fail
  hold_tools(m, poses, high);                                                       // H1
  if (!free_motion(m, high, report)) return report;                                 // H2
  report.times.free_motion_us = watch.lap_us();
  violations(m, high, snapshot, report);  // H3
  report.contacts = static_cast<int>(snapshot.contacts.size());
  report.times.violations_us = watch.lap_us();
  compliance(m, high, snapshot);  // H4
  report.times.compliance_us = watch.lap_us();
  if (!solve(m, high, snapshot, start_us, report)) return report;  // H5
  report.times.solve_us = watch.lap_us();
  if (!respond(m, high, snapshot, report)) return report;  // H6
  commit(m, high, snapshot, report);
  forces(m, high, snapshot, poses, wrenches);
  report.times.motion_us = watch.lap_us();
  if (m.on_clock()) follow_median(report.times.total_us(), high.cost_us);
  return report;
}

}  // namespace palp
