#include "palp/haptics/realtime.hpp"

namespace palp {
namespace {

class TwoRates final : public RatePair {
 public:
  TwoRates(const TwoRateModel& m, HandPort& hands)
      : m_(m),
        hands_(hands),
        high_(m),
        low_(make_low_rate(m)),
        snapshots_(empty_snapshot(m)),
        tools_(empty_tool_state(m)) {}

  int devices() const override { return m_.devices; }
  double h_high_s() const override { return m_.settings.h_high_s; }
  double h_low_s() const override { return m_.settings.h_low_s(); }

  TickReport tick(std::span<const DevicePose> poses, std::span<Wrench> wrenches) override {
    publish_tools(high_, poses, m_.settings.h_high_s, tools_);
    snapshots_.update();
    const TickReport report = palp::tick(m_, snapshots_.front(), poses, high_, wrenches);
    hands_.look(snapshots_.front(), high_);
    return report;
  }

  bool hear() override {
    return tools_.update() &&
           tools_.front().sequence == low_.sequence;  // what the ticks made of the last snapshot
  }
  bool wants_step() override { return hear() && palp::wants_step(m_, tools_.front(), low_); }
  double ask_again_s() const override { return m_.still ? m_.settings.h_high_s : m_.settings.h_low_s(); }
  StepReport low_step() override {
    hands_.low_step_begins();
    const LowReport report = palp::low_step(m_, tools_.front(), low_, snapshots_.back());
    const bool ok = report.status == StepStatus::ok;
    hands_.look(low_, ok ? &snapshots_.back() : nullptr, tools_.front().tick, tools_.front().time_s);
    if (ok) snapshots_.publish();
    return report;
  }

 private:
  const TwoRateModel& m_;
  HandPort& hands_;
  HighRate high_;                     ///< haptic thread
  LowRate low_;                       ///< low-rate thread
  TripleBuffer<Snapshot> snapshots_;  ///< low → high
  TripleBuffer<ToolState> tools_;     ///< high → low
};

}  // namespace

RealTimeReport run_realtime(const TwoRateModel& m, HandPort& hands, const RealTimeOptions& options) {
  TwoRates rates(m, hands);
  return run_threads(rates, hands, options);
}

}  // namespace palp
