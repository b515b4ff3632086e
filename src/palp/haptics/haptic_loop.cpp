#include "palp/haptics/haptic_loop.hpp"

#include "palp/sim/contact_wrench.hpp"

namespace palp {

ContactView tick_contacts(const Snapshot& snapshot, const HighRate& high) {
  const auto size = 3 * snapshot.contacts.size();
  const auto& W = snapshot.problem.W.dense;
  ContactView view;
  if (size == 0 || static_cast<std::size_t>(high.lambda.size()) < size ||
      static_cast<std::size_t>(snapshot.problem.delta_free.size()) < size)
    return view;
  view.contacts = static_cast<int>(snapshot.contacts.size());
  view.delta_free = {snapshot.problem.delta_free.data(), size};
  view.lambda = {high.lambda.data(), size};
  if (!snapshot.boxed && static_cast<std::size_t>(W.cols()) >= size) {  // few blocks are known otherwise
    view.W = {W.data(), static_cast<std::size_t>(W.size())};
    view.W_stride = static_cast<int>(W.outerStride());
  }
  return view;
}

Problem tick_problem(const Snapshot& s, const HighRate& high) {
  std::vector<int> chosen;
  if (s.limited > 0) chosen.assign(high.limited->carriers().begin(), high.limited->carriers().end());
  for (int i = s.limited; i < static_cast<int>(s.contacts.size()); ++i) chosen.push_back(i);
  const int n = static_cast<int>(chosen.size());
  Problem p;
  p.W.dense.resize(3 * n, 3 * n);
  p.delta_free.resize(3 * n);
  p.mu.resize(n);
  for (int a = 0; a < n; ++a) {
    const int i = chosen[a];
    p.delta_free.segment<3>(3 * a) = s.problem.delta_free.segment<3>(3 * i);
    p.mu[a] = s.problem.mu[i];
    p.kind.push_back(s.problem.kind[i]);
    for (int b = 0; b < n; ++b)
      p.W.dense.block<3, 3>(3 * a, 3 * b) = s.boxed
                                                ? high.limited->block(i, chosen[b])
                                                : Mat3(s.problem.W.dense.block<3, 3>(3 * i, 3 * chosen[b]));
  }
  return p;
}

std::uint32_t tick_notes(const TwoRateModel& m, const TickReport& r, int device) {
  std::uint32_t notes = 0;
  for (const Grip& g : m.grips) {
    const int tool = m.tool_of[g.body];
    if (g.device == device && tool < 32 && (r.held_tools >> tool & 1u)) notes |= intervention::region;
  }
  if (!r.converged)
    notes |=
        r.solve == SolveStatus::budget_spent ? intervention::solve_budget : intervention::solve_iterations;
  return notes;
}

void fill(const TickReport& r, double h_s, TickRecord& t) {
  t.sequence = static_cast<std::uint64_t>(r.tick);
  t.snapshot_sequence = static_cast<std::uint64_t>(r.sequence);
  t.snapshot_age_s = h_s * static_cast<double>(r.age_ticks);
  t.contacts = r.contacts;
  t.active_contacts = r.active_contacts;
  t.sweeps = r.sweeps;
  t.converged = r.converged ? 1 : 0;
  t.certificate = r.certificate;
  t.penetration_m = r.violation_m;
  t.stage_us = {r.times.free_motion_us, r.times.violations_us, r.times.compliance_us, r.times.solve_us,
                r.times.motion_us};
}

Snapshot empty_snapshot(const TwoRateModel& m) {
  Snapshot s;
  s.contacts.reserve(m.settings.max_contacts);
  return s;
}

HapticLoop::HapticLoop(TwoRateModel model)
    : model_(std::move(model)),
      low_(make_low_rate(model_)),
      high_(model_),
      snapshots_(empty_snapshot(model_)),
      tools_(empty_tool_state(model_)) {
  model_.settings.solve.budget_us = model_.settings.virtual_budget_us;
}

TickReport HapticLoop::advance(std::span<const DevicePose> poses, std::span<Wrench> wrenches) {
  const TwoRateSettings& s = model_.settings;
  publish_tools(high_, poses, s.h_high_s, tools_);
  tools_.update();
  const bool waits = hand_over_at_ >= 0 && model_.still;  // the last one is not there yet
  made_low_step_ =
      !stalled_ && !waits && (high_.tick % s.low_every == 0 || wants_step(model_, tools_.front(), low_));
  if (made_low_step_) {
    low_report_ = low_step(model_, tools_.front(), low_, snapshots_.back());
    // Limited contacts wait for the first snapshot: it is there at once.
    const bool waiting = high_.sequence == 0 && !model_.limited_tools.empty();
    if (low_report_.status == StepStatus::ok) hand_over_at_ = high_.tick + (waiting ? 0 : s.delay_ticks);
  }
  if (hand_over_at_ >= 0 && high_.tick >= hand_over_at_ && !stalled_) {
    snapshots_.publish();
    hand_over_at_ = -1;
  }
  snapshots_.update();
  report_ = tick(model_, snapshots_.front(), poses, high_, wrenches);
  // The last tick of a step: the bodies are where it has brought them.
  moved_ = high_.tick % s.low_every == 0 && !stalled_ && hand_over_at_ < 0 && !low_.finished;
  if (moved_) {
    publish_tools(high_, poses, s.h_high_s, tools_);
    tools_.update();
    finish_step(model_, tools_.front(), low_);
  }
  return report_;
}

Loads& HapticLoop::loads(int body) {
  const int tool = model_.tool_of[body];
  return tool >= 0 ? high_.tools[tool].loads : low_.ws.bodies[body].loads;
}

void HapticLoop::constraint_force(int body, VecX& out) const {
  const int tool = model_.tool_of[body];
  if (tool < 0) return palp::constraint_force(model_.model, low_.ws, body, out);
  const HighRate::Tool& t = high_.tools[tool];
  out.resize(model_.tool(tool).dof());
  model_.tool(tool).constraint_force(*t.mechanics, t.rows.H, t.rows.lambda.head(3 * t.rows.H.points()),
                                     t.dx_c, out);
}

const BodyState& HapticLoop::state(int body) const {
  const int tool = model_.tool_of[body];
  return tool >= 0 ? high_.tools[tool].state : low_.state.bodies[body];
}

}  // namespace palp
