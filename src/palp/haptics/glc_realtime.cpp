#include "palp/haptics/glc_realtime.hpp"

#include <algorithm>

#include "palp/base/triple_buffer.hpp"
#include "palp/haptics/glc_tick_report.hpp"

namespace palp {
namespace {

class GlcRates final : public RatePair {
 public:
  GlcRates(GlcLowStep low, const Model& model, int devices, double tick_budget_us, HandPort& port)
      : model_(model),
        devices_(devices),
        port_(port),
        low_(std::move(low)),
        state_(make_state(model)),
        high_(low_.hands(), low_.sizes(), low_.most_bodies(), within(low_.settings().options, tick_budget_us),
              low_.settings().trust),
        news_(high_.nothing_yet(devices)) {
    for (size_t k = 0; k < low_.hands().size(); ++k) {
      const BodyState& point = state_.bodies[low_.hands()[k].body];
      high_.place(static_cast<int>(k), {point.x, point.v});
    }
  }

  int devices() const override { return devices_; }
  double h_high_s() const override { return low_.settings().tick_s; }
  double h_low_s() const override { return model_.h_s; }

  TickReport tick(std::span<const DevicePose> poses, std::span<Wrench> wrenches) override {
    const double h = low_.settings().tick_s;
    high_.tell(poses, news_.back());
    news_.publish();
    // adopt cannot fail: the low rate keeps to the same sizes.
    if (snapshots_.update()) static_cast<void>(high_.adopt(snapshots_.front()));
    const GlcTickReport r = high_.tick(poses, model_.gravity, h, wrenches);
    const TickReport report = tick_report(high_, r, high_.ticks() - 1);
    port_.look(high_, static_cast<double>(high_.ticks()) * h);
    return report;
  }

  bool hear() override { return news_.update() && news_.front().sequence == heard_; }
  StepReport low_step() override {
    port_.low_step_begins();
    const GlcNews& news = news_.front();
    for (size_t k = 0; k < news.proxies.size(); ++k) {
      BodyState& point = state_.bodies[low_.hands()[k].body];
      point.x = news.proxies[k].x;
      point.v = news.proxies[k].v;
    }
    GlcSnapshot& out = snapshots_.back();
    const GlcLowReport report = low_.advance(news, state_, out);
    if (report.step.status != StepStatus::ok) return report.step;
    heard_ = out.sequence;
    port_.look(out, state_, static_cast<double>(news.tick + 1) * low_.settings().tick_s);
    snapshots_.publish();
    return report.step;
  }

 private:
  static SolveOptions within(SolveOptions options, double budget_us) {
    options.budget_us = budget_us;
    return options;
  }
  const Model& model_;
  int devices_;
  HandPort& port_;
  GlcLowStep low_;                       ///< low-rate thread; its settings, sizes and hands never change
  State state_;                          ///< low-rate thread
  GlcTick high_;                         ///< haptic thread
  long heard_ = 0;                       ///< low-rate thread: its newest snapshot
  TripleBuffer<GlcSnapshot> snapshots_;  ///< low → high
  TripleBuffer<GlcNews> news_;           ///< high → low
};

}  // namespace

Result<RealTimeReport> run_realtime(const Model& model, std::vector<GlcHand> hands,
                                    const GlcLoopSettings& settings, int devices, double tick_budget_us,
                                    HandPort& port, const RealTimeOptions& options) {
  GlcLoopSettings unhurried = settings;
  unhurried.options.budget_us = std::numeric_limits<double>::infinity();
  auto low = GlcLowStep::make(model, std::move(hands), unhurried);
  if (!low) return low.error();
  GlcRates rates(std::move(*low), model, devices, tick_budget_us, port);
  return run_threads(rates, port, options);
}

}  // namespace palp
