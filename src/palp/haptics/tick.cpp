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

/// Where the forces of the last snapshot's rows go in `s`.
void follow_rows(const Snapshot& s, HighRate& high) {
  for (HighRate::Row& row : high.row) row.next = -1;
  follow_contacts(
      high.row, s.rows, [&](size_t old) { return high.row[old].bore; },
      [&](size_t old, size_t now) { return (s.rows[now].at - high.row[old].at).norm(); },
      [&](size_t old, size_t now) { high.row[old].next = static_cast<int>(now); });
}

/// The ticks between the synchronisation and now, for the bodies of a new snapshot: each bears again the
/// forces that its tools felt. Leaves those of the last one in `pushed`.
void catch_up(const TwoRateModel& m, const Snapshot& s, long ticks, HighRate& high) {
  high.moved.setZero(3 * static_cast<long>(s.rows.size()));
  for (int b = 0; b < s.body_count; ++b) high.bodies[b].begin(s.bodies[b]);
  high.pushed = s.lambda;
  if (ticks > 0) follow_rows(s, high);
  for (long t = high.tick - 1 - ticks; t < high.tick - 1; ++t) {
    high.pushed.setZero();
    const std::span<const Vec3> force = high.forces_of(t);
    for (size_t r = 0; r < high.row.size(); ++r)
      if (const int next = high.row[r].next; next >= 0)
        high.pushed.segment<3>(3L * next) += s.row_frame(next) * force[r];
    for (int b = 0; b < s.body_count; ++b) {
      high.bodies[b].free_tick(s.bodies[b], m.settings.h_high_s, high.moved);
      high.bodies[b].end_tick(s.bodies[b], m.settings.h_high_s, high.pushed);
    }
  }
}

/// What bears a force touches. The gap that the new snapshot sees there (a surface that has bent since the
/// last one, another triangle) is let in over a low-rate step. Nodes are where they were.
void settle(const TwoRateModel& m, const Snapshot& s, HighRate& high) {
  const auto skin = [&](int tool) -> const std::vector<Vec3>& { return high.tools[tool].skin_start; };
  high.settle.setZero(s.frozen);
  if (m.settings.hand_over == HandOver::end) return;
  for (int i = s.limited; i < s.frozen; ++i) {
    const SnapshotContact& c = s.contacts[i];
    const long n = 3 * static_cast<long>(i), r = 3 * s.row_of(i);
    if (c.bilateral || !(high.lambda[n] > 0)) continue;
    high.settle[n / 3] = -(c.frame.row(0).dot(tool_part(c, skin)) + high.offset[n] + high.moved[r]);
  }
}

/// The forces of the patches, by name or to the patch where their point is now.
void follow_patches(const Snapshot& s, HighRate& high) {
  follow_contacts(
      high.slip, std::span(s.contacts).first(static_cast<size_t>(s.limited)),
      [&](size_t old) { return high.slip[old].limited && !high.slip[old].force.isZero(0); },
      [&](size_t old, size_t now) {
        const SnapshotContact& c = s.contacts[now];
        const std::vector<Vec3>& skin = high.tools[c.tool1].skin_start;
        const Vec3 x = c.P.at(skin);
        return patch_distance(s.patches.glc[now], x) + (x - high.slip[old].P.at(skin)).norm();
      },
      [&](size_t old, size_t now) {
        high.lambda.segment<3>(3 * static_cast<long>(now)) += s.contacts[now].frame * high.slip[old].force;
      });
}

/// A new snapshot: the low-rate bodies and the first guess of the forces brought to the present; offsets less
/// the slip of the ticks since it was synchronised.
void take_snapshot(const TwoRateModel& m, const Snapshot& s, HighRate& high) {
  if (s.sequence == high.sequence) return;
  const int n = s.frozen;
  for (size_t t = 0; t < high.tools.size(); ++t)
    m.tool(static_cast<int>(t)).skin_positions(high.tools[t].state, VecX(), high.tools[t].skin_start);
  // Before the first snapshot nothing holds the low-rate bodies: they begin when the ticks know them.
  const long ticks = high.sequence == 0 ? 0 : high.tick - 1 - s.tick;
  catch_up(m, s, ticks, high);
  high.lambda.setZero(3 * n);
  high.lambda.tail(3 * (n - s.limited)) = high.pushed.segment(3 * s.nodes, 3 * (n - s.limited));
  follow_patches(s, high);
  high.sequence = s.sequence;
  high.adopted = high.tick - 1;
  high.age = high.adopted - s.tick;
  high.offset.resize(3 * n);
  high.delta.resize(3 * n);
  high.offset = s.offset;
  high.moved = m.progress(ticks) * s.bend;
  for (int b = 0; b < s.body_count; ++b) high.bodies[b].displace(s.bodies[b], high.moved);
  high.nodes = s.nodes;
  high.row.clear();
  for (const SnapshotRow& r : s.rows) high.row.push_back({.id = r.id, .at = r.at});
  if (high.live) high.live->begin(m, high, s, high.moved);
  std::swap(high.slip, high.old_slip);
  high.slip.clear();
  const auto skin = [&](int tool) -> const std::vector<Vec3>& { return high.tools[tool].skin_start; };
  auto old =
      std::find_if(high.old_slip.begin(), high.old_slip.end(), [](const auto& o) { return !o.limited; });
  for (int i = 0; i < n; ++i) {
    const SnapshotContact& c = s.contacts[i];
    high.slip.push_back({.id = c.id, .limited = c.limited, .total = c.slip, .P = c.P});
    if (c.limited || c.bilateral) continue;
    while (old != high.old_slip.end() && old->id < c.id) ++old;
    const bool known = old != high.old_slip.end() && old->id == c.id;
    const Vec3 since = known ? Vec3(old->total - c.slip)
                             : Vec3(tool_part(c, skin) - c.tool_start +
                                    c.frame.transpose() * high.moved.segment<3>(3 * s.row_of(i)));
    high.slip.back().total += since;
    high.offset.segment<2>(3 * i + 1) -= c.frame.bottomRows<2>() * since;
  }
  settle(m, s, high);
  if (s.boxed) static_cast<void>(high.limited->set_problem(s.patches));  // its size is within the bounds
}

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

/// A patch on the tool's own triangle or edge, which moves with the tool; `at`: what is touched there.
void follow_tool(const TwoRateModel& m, const HighRate& high, Snapshot& s, int i,
                 const std::array<Vec3, 3>& at, const Vec3& x) {
  const SnapshotContact& c = s.contacts[i];
  const std::vector<Vec3>& skin = high.tools[c.tool1].skin_start;
  if (limited_kind(c.id) == GlcKind::crossing) {
    follow_crossing({skin[c.P.vertex[0]], skin[c.P.vertex[1]]}, {at[0], at[1]}, x, s.patches.glc[i]);
  } else {
    const Triangle& t = m.tool(c.tool1).skin().triangles[static_cast<size_t>(limited_feature(c.id))];
    follow_triangle({skin[t[0]], skin[t[1]], skin[t[2]]}, at[0], x, s.patches.glc[i]);
  }
}

/// H3 of the limited contacts: patches where their nodes are at the start of the tick, those that the point
/// may come to; ψ, and the slip of this tick.
void patch_violations(const TwoRateModel& m, HighRate& high, Snapshot& s) {
  const double before = m.progress(high.tick - 1 - s.tick), after = m.progress(high.tick - s.tick);
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
    const bool near = (x - g.p).norm() < glc_extent(g) + g.d + 2 * way.norm();
    Vec3 gone = Vec3::Zero();  // of the patch in this tick, backwards
    std::array<Vec3, 3> corner{s.touched[i][0], s.touched[i][1]};
    if (g.node[0] < 0) {
      const Vec3 drift = s.p_free[i] - s.p_start[i];
      g.p = s.p_start[i] + before * drift;
      gone = (before - after) * drift;
      for (Vec3& at : corner) at += before * drift;
    } else {
      int nodes = 0;
      for (; nodes < 3 && g.node[nodes] >= 0; ++nodes)
        corner[nodes] = s.rows[g.node[nodes]].at - high.moved.segment<3>(3 * g.node[nodes]);
      if (near) follow_nodes({corner.data(), static_cast<size_t>(nodes)}, x, g);
      Vec3 since = Vec3::Zero();
      for (int k = 0; k < nodes; ++k) {
        const long r = 3L * g.node[k];
        since -= g.weight[k] * high.moved.segment<3>(r);
        gone += g.weight[k] * (high.moved_free.segment<3>(r) - high.moved.segment<3>(r));
      }
      if (kind != GlcKind::face) g.p = s.p_start[i] + since;
    }
    if (near && kind >= GlcKind::corner) follow_tool(m, high, s, i, corner, x);
    const Mat3 frame = s.contacts[i].frame = frame_of(g);
    const Vec3 left = high.slip[i].total;
    s.problem.delta_free.segment<3>(3 * i) = frame * (way + gone + left);
    s.problem.delta_free[3 * i] = g.n.dot(x - g.p + way + gone);
    motion.tau_start.segment<2>(2 * i) = frame.bottomRows<2>() * (x - g.p - left);
  }
  motion.delta_free = s.problem.delta_free;
}

/// H3: δ_free = N p_tool + s_free + offset + τ bend.
void violations(const TwoRateModel& m, HighRate& high, Snapshot& s) {
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
  if (s.boxed) patch_violations(m, high, s);
  if (high.live && s.sequence > 0) high.live->find(m, high, s, high.moved, high.moved_free);
}

/// H of the tool's sites, those of standard contacts in the contacts' axes.
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

/// A limited contact that bears a force, for whoever looks: where it bears now.
void tell_touch(const Snapshot& s, size_t i, const Vec3& f, HighRate& high) {
  const SnapshotContact& c = s.contacts[i];
  const Glc& g = s.patches.glc[i];
  Contact touch;
  touch.id = c.id;
  touch.P = c.P;
  touch.Q = c.Q;
  touch.frame = c.frame;
  touch.mu = g.mu;
  touch.gap_start = touch.delta_free[0] = s.problem.delta_free[3 * static_cast<long>(i)];
  if (g.node[2] >= 0) touch.Q.weight = g.weight;
  high.touches.push_back({touch, f});
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
    force[r] = s.row_frame(static_cast<int>(r)).transpose() * high.pushed.segment<3>(3 * static_cast<long>(r));
    high.row[r].bore |= !force[r].isZero(0);
  }
  displacements(high, s);
  high.touches.clear();
  for (size_t i = 0; i < s.contacts.size(); ++i) {
    const long n = 3 * static_cast<long>(i);
    const SnapshotContact& c = s.contacts[i];
    const Vec3 f = high.lambda.segment<3>(n);
    report.active_contacts += !f.isZero(0);
    if (i < high.slip.size()) high.slip[i].force = c.frame.transpose() * f;
    if (c.bilateral) continue;
    if (!c.limited || f[0] > 0) report.violation_m = std::max(report.violation_m, -high.delta[n]);
    if (i >= high.slip.size()) continue;  // the ticks' own count slip by themselves
    HighRate::Slip& slip = high.slip[i];
    // Strictly inside the cone it sticks: what is left of δ_t is the solver's error, for the next tick to
    // mend.
    const bool sticks = f.tail<2>().norm() < 0.999 * s.problem.mu[n / 3] * f[0];
    const Vec2 slipped = high.delta.segment<2>(n + 1);
    if (c.limited) {
      if (f[0] > 0) tell_touch(s, i, f, high);
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
  hold_tools(m, poses, high);                        // H1
  if (!free_motion(m, high, report)) return report;  // H2
  report.times.free_motion_us = watch.lap_us();
  violations(m, high, snapshot);  // H3
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
  return report;
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
  out.lambda.head(high.pushed.size()) = high.pushed;
  // Nodes, the contacts that are not limited, points; only the second have totals.
  const auto limited = static_cast<size_t>(
      std::count_if(high.slip.begin(), high.slip.end(), [](const auto& c) { return c.limited; }));
  const size_t contacts = high.slip.size() - limited;
  for (size_t r = 0; r < high.row.size(); ++r) {
    const size_t k = r - static_cast<size_t>(high.nodes);
    out.slip[r] = r >= static_cast<size_t>(high.nodes) && k < contacts ? high.slip[limited + k].total
                                                                       : Vec3(Vec3::Zero());
  }
  out.touch_count = static_cast<int>(high.touches.size());
  std::copy(high.touches.begin(), high.touches.end(), out.touches.begin());
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
  s.touches.resize(m.most_limited());
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
  high.touches.reserve(m.most_limited());
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
