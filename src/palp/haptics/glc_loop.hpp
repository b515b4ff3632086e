// K16's two rates on a virtual clock, in one thread: a low-rate step every `ticks per step` ticks, whose
// snapshot reaches the ticks `delay` ticks later. The same scene and input give the same bits.
#pragma once
#include "palp/haptics/glc_low_step.hpp"

namespace palp {

class GlcLoop {
 public:
  static Result<GlcLoop> make(const Model& model, std::vector<GlcHand> hands, const GlcLoopSettings& settings,
                              int delay_ticks = 0);

  /// One tick; poses at its end. False when the low-rate step failed: ticks go on with the last snapshot.
  bool tick(std::span<const DevicePose> poses, std::span<Wrench> wrenches);
  /// A fault to study: while stalled no low-rate step starts and none hands over its snapshot.
  void stall_low_rate(bool stalled) { stalled_ = stalled; }
  /// What pushes a low-rate body in every step from now on.
  Loads& loads(int body) { return low_.loads(body); }
  const GlcLowStep& low() const { return low_; }

  double time_s() const { return static_cast<double>(ticks_) * low_.settings().tick_s; }
  const State& state() const { return state_; }
  const GlcTick& high() const { return high_; }
  const GlcTickReport& tick_report() const { return tick_report_; }
  const GlcLowReport& low_report() const { return low_report_; }
  const GlcSnapshot& snapshot() const { return snapshots_[front_]; }
  /// Whether the last tick began with a low-rate step.
  bool stepped() const { return stepped_; }
  /// Whether the last tick ended a step of the low rate: its bodies have moved.
  bool moved() const { return moved_; }

 private:
  GlcLoop(GlcLowStep low, const Model& model);
  GlcLowStep low_;
  GlcTick high_;
  State state_;
  Vec3 gravity_;
  std::vector<GlcSnapshot> snapshots_;  ///< two: in use, and under way
  int front_ = 0;
  int ticks_per_step_ = 1, delay_ = 0;
  long ticks_ = 0, due_ = -1;  ///< due: the tick that takes the other snapshot; −1: none is waiting
  bool stepped_ = false, moved_ = false, stalled_ = false;
  GlcNews news_;
  GlcTickReport tick_report_;
  GlcLowReport low_report_;
};

}  // namespace palp
