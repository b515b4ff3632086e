#include "palp/haptics/glc_realtime.hpp"

#include <algorithm>

#include "palp/base/triple_buffer.hpp"
#include "palp/haptics/glc_tick_report.hpp"

namespace palp {
namespace {

/// What a tick tells the low rate before it begins.
struct ProxyNews {
  long tick = 0;  ///< that is about to be made
  double time_s = 0;
  std::vector<ProxyState> proxies;
  std::vector<DevicePose> poses;  ///< at the end of the tick
  long sequence = 0;              ///< of the snapshot that `f` belongs to
  VecX f;                         ///< forces of the last tick, the first `rows` of them
  Eigen::Index rows = 0;
};

class GlcRates final : public RatePair {
 public:
  GlcRates(GlcLowStep low, const Model& model, int devices, double tick_budget_us, HandPort& port)
      : model_(model),
        devices_(devices),
        port_(port),
        low_(std::move(low)),
        state_(make_state(model)),
        high_(low_.hands(), low_.sizes(), within(low_.settings().options, tick_budget_us),
              low_.settings().trust),
        news_(nothing_yet(low_, devices)) {
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
    tell(poses, h);
    // adopt cannot fail: the low rate has rehearsed with the same sizes.
    if (snapshots_.update()) static_cast<void>(high_.adopt(snapshots_.front()));
    const GlcTickReport r = high_.tick(poses, model_.gravity, h, wrenches);
    const TickReport report = tick_report(high_, r, tick_++);
    port_.look(high_, static_cast<double>(tick_) * h);
    return report;
  }

  bool hear() override { return news_.update(); }
  StepReport low_step() override {
    port_.low_step_begins();
    const ProxyNews& news = news_.front();
    for (size_t k = 0; k < news.proxies.size(); ++k) {
      BodyState& point = state_.bodies[low_.hands()[k].body];
      point.x = news.proxies[k].x;
      point.v = news.proxies[k].v;
    }
    GlcSnapshot& out = snapshots_.back();
    const GlcLowReport report =
        low_.advance(news.proxies, news.poses, news.f.head(news.rows), news.sequence, state_, out);
    if (report.step.status != StepStatus::ok) return report.step;
    out.tick = news.tick;
    port_.look(out, state_, news.time_s);
    snapshots_.publish();
    return report.step;
  }

 private:
  static SolveOptions within(SolveOptions options, double budget_us) {
    options.budget_us = budget_us;
    return options;
  }
  /// With memory for whatever a tick may have to tell.
  static ProxyNews nothing_yet(const GlcLowStep& low, int devices) {
    ProxyNews news;
    news.proxies.resize(low.hands().size());
    news.poses.resize(static_cast<size_t>(devices));
    news.f.setZero(3L * (low.sizes().glc + low.sizes().other));
    return news;
  }
  void tell(std::span<const DevicePose> poses, double h) {
    ProxyNews& out = news_.back();
    out.tick = tick_;
    out.time_s = static_cast<double>(tick_ + 1) * h;
    std::copy(high_.proxies().begin(), high_.proxies().end(), out.proxies.begin());
    std::copy(poses.begin(), poses.end(), out.poses.begin());
    out.sequence = high_.sequence();
    out.rows = high_.f().size();
    out.f.head(out.rows) = high_.f();
    news_.publish();
  }

  const Model& model_;
  int devices_;
  HandPort& port_;
  GlcLowStep low_;                       ///< low-rate thread; its settings, sizes and hands never change
  State state_;                          ///< low-rate thread
  GlcTick high_;                         ///< haptic thread
  long tick_ = 0;                        ///< haptic thread
  TripleBuffer<GlcSnapshot> snapshots_;  ///< low → high
  TripleBuffer<ProxyNews> news_;         ///< high → low
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
