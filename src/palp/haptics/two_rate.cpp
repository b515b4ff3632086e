#include "palp/haptics/two_rate.hpp"

namespace palp {

Snapshot empty_snapshot(const TwoRateModel& m) {
  Snapshot s;
  s.contacts.reserve(m.settings.max_contacts);
  return s;
}

TwoRateLoop::TwoRateLoop(TwoRateModel model)
    : model_(std::move(model)),
      low_(make_low_rate(model_)),
      high_(model_),
      snapshots_(empty_snapshot(model_)),
      tools_(empty_tool_state(model_)) {
  // A budget on the real clock would make runs differ: here only the number of sweeps is bounded.
  model_.settings.solve.budget_us = std::numeric_limits<double>::infinity();
}

TickReport TwoRateLoop::advance(std::span<const DevicePose> poses, std::span<Wrench> wrenches) {
  const TwoRateSettings& s = model_.settings;
  publish_tools(high_, poses, s.h_high_s, tools_);
  made_low_step_ = high_.tick % s.low_every == 0 && !stalled_;
  if (made_low_step_) {
    tools_.update();
    low_report_ = low_step(model_, tools_.front(), low_, snapshots_.back());
    if (low_report_.status == StepStatus::ok) hand_over_at_ = high_.tick + s.delay_ticks;
  }
  if (hand_over_at_ >= 0 && high_.tick >= hand_over_at_ && !stalled_) {
    snapshots_.publish();
    hand_over_at_ = -1;
  }
  snapshots_.update();
  const TickReport report = tick(model_, snapshots_.front(), poses, high_, wrenches);
  // The last tick of a step: the bodies are where it has brought them.
  moved_ = high_.tick % s.low_every == 0 && !stalled_ && hand_over_at_ < 0 && !low_.finished;
  if (moved_) {
    publish_tools(high_, poses, s.h_high_s, tools_);
    tools_.update();
    finish_step(model_, tools_.front(), low_);
  }
  return report;
}

const BodyState& TwoRateLoop::state(int body) const {
  const int tool = model_.tool_of[body];
  return tool >= 0 ? high_.tools[tool].state : low_.state.bodies[body];
}

}  // namespace palp
