#include "palp/haptics/tick.hpp"

#include <algorithm>
#include <cmath>

#include "palp/base/clock.hpp"
#include "palp/mechanics/next_state.hpp"

namespace palp {
namespace {

/// The part of the low-rate step that is over `ticks` after the synchronisation. A late step has ended in
/// time.
double progress(const TwoRateModel& m, long ticks) {
  return std::min(1.0, static_cast<double>(ticks) / m.settings.low_every);
}

/// The ticks between the synchronisation and now, for the bodies of a new snapshot: they bore the forces of
/// the old one. Their mean is taken, so that the impulse is theirs.
void catch_up(const TwoRateModel& m, const Snapshot& s, long ticks, HighRate& high) {
  high.lambda.setZero(3 * static_cast<long>(s.contacts.size()));
  if (ticks > 0 && s.told_sequence == high.sequence)
    follow_contacts(high.slip, s.contacts, [&](size_t old, size_t now) {
      const Vec3 impulse = high.slip[old].sum - s.told_sum[old];
      high.lambda.segment<3>(3 * static_cast<long>(now)) +=
          s.contacts[now].frame * impulse / static_cast<double>(ticks);
    });
  high.moved.setZero(high.lambda.size());
  for (int b = 0; b < s.body_count; ++b) {
    high.bodies[b].begin(s.bodies[b]);
    for (long t = 0; t < ticks; ++t) {
      high.bodies[b].free_tick(s.bodies[b], m.settings.h_high_s, high.moved);
      high.bodies[b].end_tick(s.bodies[b], m.settings.h_high_s, high.lambda);
    }
  }
}

/// A new snapshot: the low-rate bodies and the first guess of the forces brought to the present; offsets less
/// the slip of the ticks since it was synchronised.
void take_snapshot(const TwoRateModel& m, const Snapshot& s, HighRate& high) {
  if (s.sequence == high.sequence) return;
  const int n = static_cast<int>(s.contacts.size());
  // Before the first snapshot nothing holds the low-rate bodies: they begin when the ticks know them.
  const long ticks = high.sequence == 0 ? 0 : high.tick - 1 - s.tick;
  catch_up(m, s, ticks, high);
  high.lambda = s.lambda;
  if (ticks > 0) {
    high.lambda.setZero();
    follow_contacts(high.slip, s.contacts, [&](size_t old, size_t now) {
      high.lambda.segment<3>(3 * static_cast<long>(now)) += s.contacts[now].frame * high.slip[old].force;
    });
  }
  high.sequence = s.sequence;
  high.offset.resize(3 * n);
  high.delta.resize(3 * n);
  high.offset = s.offset;
  high.moved = progress(m, ticks) * s.bend;
  for (int b = 0; b < s.body_count; ++b) high.bodies[b].displace(s.bodies[b], high.moved);
  std::swap(high.slip, high.old_slip);
  high.slip.clear();
  for (size_t t = 0; t < high.tools.size(); ++t)
    m.tool(static_cast<int>(t)).skin_positions(high.tools[t].state, VecX(), high.tools[t].skin_free);
  const auto skin = [&](int tool) -> const std::vector<Vec3>& { return high.tools[tool].skin_free; };
  auto old = high.old_slip.begin();
  for (int i = 0; i < n; ++i) {
    const SnapshotContact& c = s.contacts[i];
    high.slip.push_back({c.id, c.slip});
    high.slip.back().at = c.at;
    while (old != high.old_slip.end() && old->id < c.id) ++old;
    if (c.bilateral) continue;
    const bool known = old != high.old_slip.end() && old->id == c.id;
    const Vec3 since =
        known ? Vec3(old->total - c.slip)
              : Vec3(tool_part(c, skin) - c.tool_start + c.frame.transpose() * high.moved.segment<3>(3 * i));
    high.slip.back().total += since;
    high.offset.segment<2>(3 * i + 1) -= c.frame.bottomRows<2>() * since;
  }
  // What bears a force touches. The gap that the new snapshot sees there (a surface that has bent since the
  // last one, another triangle) is let in over a low-rate step.
  high.adopted = high.tick - 1;
  high.settle.setZero(n);
  for (int i = 0; i < n; ++i) {
    const SnapshotContact& c = s.contacts[i];
    if (c.bilateral || !(high.lambda[3 * i] > 0)) continue;
    high.settle[i] = -(c.frame.row(0).dot(tool_part(c, skin)) + high.offset[3 * i] + high.moved[3 * i]);
  }
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
    body.skin_positions(tool.state, tool.mechanics->dx_free, tool.skin_free);
    tool.free = tool.state;
    body.commit(*tool.mechanics, VecX(), tool.free);
  }
  return true;
}

/// H3: δ_free = N p_tool + s_free + offset + τ bend.
void violations(const TwoRateModel& m, HighRate& high, Snapshot& s) {
  const auto free_skin = [&](int tool) -> const std::vector<Vec3>& { return high.tools[tool].skin_free; };
  s.problem.delta_free = progress(m, high.tick - s.tick) * s.bend;
  s.problem.delta_free += high.offset;
  for (size_t i = 0; i < s.contacts.size(); ++i)
    s.problem.delta_free.segment<3>(3 * i) += s.contacts[i].frame * tool_part(s.contacts[i], free_skin);
  const double settling =
      m.settings.hand_over == HandOver::end ? 0 : 1 - progress(m, high.tick - high.adopted);
  for (size_t i = 0; i < s.contacts.size(); ++i)
    s.problem.delta_free[3 * static_cast<long>(i)] += settling * high.settle[static_cast<long>(i)];
  for (int b = 0; b < s.body_count; ++b)
    high.bodies[b].free_tick(s.bodies[b], m.settings.h_high_s, s.problem.delta_free);
}

/// The rows of N H of one tool, after its free motion: in the contacts' axes, so that what the body makes of
/// them needs no turning.
void tool_rows(const Body& body, int tool, const BodyState& state, const Snapshot& s, BodyContacts& rows) {
  rows.clear();
  for (size_t i = 0; i < s.contacts.size(); ++i) {
    const SnapshotContact& c = s.contacts[i];
    if (c.tool1 != tool && c.tool2 != tool) continue;
    const size_t first = rows.H.block.size();
    if (c.tool1 == tool) append_point(body, state, c.P, 1, rows.H);
    if (c.tool2 == tool) append_point(body, state, c.Q, -1, rows.H);
    for (size_t k = first; k < rows.H.block.size(); ++k) rows.H.block[k] = (c.frame * rows.H.block[k]).eval();
    rows.H.end_point();
    rows.contact.push_back(static_cast<int>(i));
  }
}

/// H4: W = W_low + Σ N H A⁻¹ Hᵀ Nᵀ over the tools.
void compliance(const TwoRateModel& m, HighRate& high, Snapshot& s) {
  auto& W = s.problem.W.dense;
  W = s.W_low;
  for (size_t t = 0; t < high.tools.size(); ++t) {
    auto& tool = high.tools[t];
    const Body& body = m.tool(static_cast<int>(t));
    BodyContacts& rows = tool.rows;
    tool_rows(body, static_cast<int>(t), tool.free, s, rows);
    if (rows.H.points() > 0) project_rows(body, *tool.mechanics, rows.H, rows, W);
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

/// H5: timed, from the last forces; what slips moves the anchors.
bool solve(const TwoRateModel& m, HighRate& high, Snapshot& s, double start_us, TickReport& report) {
  const int n = static_cast<int>(s.contacts.size());
  if (n == 0) return true;
  report.status = TickStatus::not_finite;
  if (!high.solver) return false;  // a model that was changed after TwoRateModel::make had checked it
  if (!s.problem.delta_free.allFinite() || !s.problem.W.dense.allFinite()) return false;
  if (!high.solver->set_problem(s.problem)) return false;
  const SolveReport solved = high.solver->solve(in_time(m.settings.solve, start_us), high.lambda);
  report.sweeps = solved.sweeps;
  report.certificate = solved.certificate;
  report.converged = solved.converged();
  if (!high.lambda.allFinite()) {
    high.lambda.setZero();
    return false;
  }
  report.status = TickStatus::ok;
  for (int b = 0; b < s.body_count; ++b)
    high.bodies[b].end_tick(s.bodies[b], m.settings.h_high_s, high.lambda);
  high.delta.noalias() = s.problem.W.dense * high.lambda;
  high.delta += s.problem.delta_free;
  for (int i = 0; i < n; ++i) {
    if (high.lambda.segment<3>(3 * i).squaredNorm() > 0) ++report.active_contacts;
    high.slip[i].force = s.contacts[i].frame.transpose() * high.lambda.segment<3>(3 * i);
    high.slip[i].sum += high.slip[i].force;
    if (s.contacts[i].bilateral) continue;
    report.violation_m = std::max(report.violation_m, -high.delta[3 * i]);
    // Strictly inside the cone it sticks: what is left of δ_t is the solver's error, for the next tick to
    // mend.
    const Vec3 f = high.lambda.segment<3>(3 * i);
    if (f.tail<2>().norm() < 0.999 * s.problem.mu[i] * f[0]) continue;
    const Vec2 slipped = high.delta.segment<2>(3 * i + 1);
    high.offset.segment<2>(3 * i + 1) -= slipped;
    high.slip[i].total += s.contacts[i].frame.bottomRows<2>().transpose() * slipped;
  }
  return true;
}

/// H6: x = x_free + A⁻¹ Hᵀ λ; all tools or none.
bool move_tools(const TwoRateModel& m, HighRate& high, TickReport& report) {
  for (size_t t = 0; t < high.tools.size(); ++t) {
    auto& tool = high.tools[t];
    BodyContacts& rows = tool.rows;
    const int n = rows.H.points();
    for (int i = 0; i < n; ++i) rows.lambda.segment<3>(3 * i) = high.lambda.segment<3>(3 * rows.contact[i]);
    tool.dx_c.setZero();
    if (n > 0)
      m.tool(static_cast<int>(t)).response(rows.H, rows.lambda.head(3 * n), *tool.mechanics, tool.dx_c);
    if (!next_state(m.tool(static_cast<int>(t)), *tool.mechanics, tool.dx_c, tool.state, tool.next)) {
      report.status = TickStatus::not_finite;
      report.body = m.tools[t];
      return false;
    }
  }
  for (auto& tool : high.tools) std::swap(tool.state, tool.next);
  return true;
}

/// Sum of the contact forces on a tool, moments about `about`.
Wrench contact_wrench(const HighRate& high, const Snapshot& s, int tool, const Vec3& about) {
  const auto& t = high.tools[tool];
  Wrench w;
  const auto add = [&](const SkinPoint& point, const Vec3& force) {
    w.force += force;
    w.torque += (point.at(t.skin_free) - about).cross(force);
  };
  for (int i : t.rows.contact) {
    const SnapshotContact& c = s.contacts[i];
    const Vec3 on_first = c.frame.transpose() * high.lambda.segment<3>(3 * i);
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
  report.contacts = static_cast<int>(snapshot.contacts.size());
  take_snapshot(m, snapshot, high);
  hold_tools(m, poses, high);                        // H1
  if (!free_motion(m, high, report)) return report;  // H2
  report.times.free_motion_us = watch.lap_us();
  violations(m, high, snapshot);  // H3
  report.times.violations_us = watch.lap_us();
  compliance(m, high, snapshot);  // H4
  report.times.compliance_us = watch.lap_us();
  if (!solve(m, high, snapshot, start_us, report)) return report;  // H5
  report.times.solve_us = watch.lap_us();
  if (!move_tools(m, high, report)) return report;  // H6
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
  out.lambda.head(high.lambda.size()) = high.lambda;
  for (size_t i = 0; i < high.slip.size(); ++i) {
    out.slip[i] = high.slip[i].total;
    out.sum[i] = high.slip[i].sum;
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
    motions.emplace_back(Reduction::most_motions, m.settings.max_contacts);
  }
  return motions;
}

}  // namespace

ToolState empty_tool_state(const TwoRateModel& m) {
  ToolState s;
  for (size_t t = 0; t < m.tools.size(); ++t) s.tools.push_back(m.tool(static_cast<int>(t)).rest_state());
  s.poses.resize(m.devices);
  s.lambda.setZero(3 * m.settings.max_contacts);
  s.slip.resize(m.settings.max_contacts);
  s.sum.resize(m.settings.max_contacts);
  s.bodies = reduced_motions(m);
  return s;
}

namespace {

/// A problem of the largest size, once through every stage: whatever grows has grown before the first tick.
void meet_largest_size(const TwoRateModel& m, HighRate& high) {
  const int n = m.settings.max_contacts;
  high.slip.reserve(n);
  high.old_slip.reserve(n);
  high.offset.resize(3 * n);
  high.lambda.resize(3 * n);
  high.delta.resize(3 * n);
  high.moved.resize(3 * n);
  high.settle.resize(n);
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
    tool.rows.lambda.setZero(3 * n);
    Snapshot s;
    s.contacts.resize(n);
    for (int i = 0; i < n; ++i) {
      const int v = body.skin().vertices;
      s.contacts[i].tool1 = static_cast<int>(t);
      s.contacts[i].P = {{i % v, (i + 1) % v, (i + 2) % v}, Vec3::Constant(1.0 / 3)};
    }
    tool_rows(body, static_cast<int>(t), tool.state, s, tool.rows);
    if (!body.free_motion(tool.state, tool.loads, m.settings.h_high_s, *tool.mechanics)) continue;
    tool.rows.G.setZero();
    body.project_compliance(tool.rows.H, *tool.mechanics, tool.rows.G);
    body.response(tool.rows.H, tool.rows.lambda, *tool.mechanics, tool.dx_c);
    tool.rows.clear();
  }
  high.offset.resize(0);
  high.lambda.resize(0);
  high.delta.resize(0);
  high.moved.resize(0);
  high.settle.resize(0);
}

}  // namespace

HighRate::HighRate(const TwoRateModel& m) {
  const State start = make_state(m.model);
  for (size_t t = 0; t < m.tools.size(); ++t) {
    const Body& body = m.tool(static_cast<int>(t));
    Tool tool;
    tool.state = tool.free = tool.next = start.bodies[m.tools[t]];
    tool.mechanics = body.make_workspace();
    tool.skin_free.resize(body.skin().vertices);
    tool.dx_c.setZero(body.dof());
    tool.loads.blocks.reserve(m.grips.size());
    tool.acting.loads.blocks.reserve(m.grips.size());
    with_actions(m.model.actions, m.tools[t], body, tool.state, tool.loads, 0, m.settings.h_high_s,
                 tool.acting);
    tools.push_back(std::move(tool));
  }
  bodies = reduced_motions(m);
  if (auto made = make_solver(m.model.solver.name)) solver = std::move(*made);
  if (solver) meet_largest_size(m, *this);
}

}  // namespace palp
