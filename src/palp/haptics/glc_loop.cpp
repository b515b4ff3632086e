#include "palp/haptics/glc_loop.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

GlcLoop::GlcLoop(GlcLowStep low, const Model& model)
    : low_(std::move(low)),
      high_(low_.hands(), low_.sizes(), low_.most_bodies(), low_.settings().options, low_.settings().trust),
      state_(make_state(model)),
      gravity_(model.gravity),
      snapshots_(2) {
  for (size_t k = 0; k < low_.hands().size(); ++k) {
    const BodyState& point = state_.bodies[low_.hands()[k].body];
    high_.place(static_cast<int>(k), {point.x, point.v});
  }
  int devices = 0;
  for (const GlcHand& hand : low_.hands()) devices = std::max(devices, hand.device + 1);
  news_ = high_.nothing_yet(devices);
}

Result<GlcLoop> GlcLoop::make(const Model& model, std::vector<GlcHand> hands, const GlcLoopSettings& settings,
                              int delay_ticks) {
  auto low = GlcLowStep::make(model, std::move(hands), settings);
  if (!low) return low.error();
  GlcLoop loop(std::move(*low), model);
  loop.ticks_per_step_ = std::max(1, static_cast<int>(std::lround(model.h_s / settings.tick_s)));
  if (delay_ticks < 0 || delay_ticks >= loop.ticks_per_step_)
    return Error{.message = "the delay of a snapshot must be shorter than the low-rate step"};
  loop.delay_ = delay_ticks;
  return loop;
}

bool GlcLoop::tick(std::span<const DevicePose> poses, std::span<Wrench> wrenches) {
  stepped_ = ticks_ % ticks_per_step_ == 0 && !stalled_;
  bool ok = true;
  if (stepped_) {
    high_.tell(poses, news_);
    low_report_ = low_.advance(news_, state_, snapshots_[1 - front_]);
    ok = low_report_.step.status == StepStatus::ok;
    if (ok) due_ = ticks_ == 0 ? 0 : ticks_ + delay_;
  }
  if (due_ >= 0 && ticks_ >= due_ && !stalled_) {
    due_ = -1;
    front_ = 1 - front_;
    if (!high_.adopt(snapshots_[front_])) ok = false;
  }
  tick_report_ = high_.tick(poses, gravity_, low_.settings().tick_s, wrenches);
  ++ticks_;
  moved_ = ticks_ % ticks_per_step_ == 0 && !stalled_ && due_ < 0;
  if (moved_) {  // the last tick of a step: the bodies are where it has brought them
    high_.tell(poses, news_);
    low_.finish(news_, state_);
  }
  for (size_t k = 0; k < high_.hands().size(); ++k) {
    BodyState& point = state_.bodies[high_.hands()[k].body];
    point.x = high_.proxy(static_cast<int>(k)).x;
    point.v = high_.proxy(static_cast<int>(k)).v;
  }
  return ok;
}

}  // namespace palp
