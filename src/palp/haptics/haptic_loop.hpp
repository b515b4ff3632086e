// The haptic loop on a virtual clock, in one thread: what scenes, recorder, replay, viewer and Python know of
// the two rates. Every N ticks, or when it is wanted before (wants_step), a low-rate step starts from the
// tools as they are; its snapshot is there D ticks later. The same scene and the same poses give the same
// bits. The real-time runner (realtime.hpp) calls the same three functions: publish_tools, low_step, tick.
#pragma once
#include "palp/haptics/low_step.hpp"
#include "palp/haptics/tick.hpp"
#include "palp/safety/tick_record.hpp"

namespace palp {

/// A snapshot without contacts, with sequence 0.
Snapshot empty_snapshot(const TwoRateModel& m);
/// The contact problem that a tick has just solved, where the rates keep it. Empty before the first snapshot.
/// Valid until the next tick.
ContactView tick_contacts(const Snapshot& snapshot, const HighRate& high);
/// The same as a problem of its own: all contacts, of limited ones those that may carry.
Problem tick_problem(const Snapshot& snapshot, const HighRate& high);
/// What the safety chain of a device is to note of the tick: intervention bits.
std::uint32_t tick_notes(const TwoRateModel& m, const TickReport& report, int device);
/// What the report says, without devices: the caller adds those.
void fill(const TickReport& report, double h_s, TickRecord& out);

class HapticLoop {
 public:
  explicit HapticLoop(TwoRateModel model);

  /// One tick. `poses`: of the devices at its end. `wrenches`: what each user is to feel.
  TickReport advance(std::span<const DevicePose> poses, std::span<Wrench> wrenches);

  /// A fault to study: while stalled no low-rate step starts and none hands over its snapshot.
  void stall_low_rate(bool stalled) { stalled_ = stalled; }
  /// What pushes a body in every step of its own from now on.
  Loads& loads(int body);
  /// Body::constraint_force of its own last step, dof() entries.
  void constraint_force(int body, VecX& out) const;

  const TwoRateModel& model() const { return model_; }
  const LowRate& low() const { return low_; }
  const HighRate& high() const { return high_; }
  LowRate& low() { return low_; }
  HighRate& high() { return high_; }
  /// The one that the last tick used: contacts, patches and boxes.
  const Snapshot& snapshot() const { return snapshots_.front(); }
  ContactView contacts() const { return tick_contacts(snapshot(), high_); }
  Problem problem() const { return tick_problem(snapshot(), high_); }
  const TickReport& report() const { return report_; }
  /// Of the last low-rate step, and whether the last call of advance made one.
  const LowReport& low_report() const { return low_report_; }
  bool made_low_step() const { return made_low_step_; }
  /// Whether the last call of advance ended a step of the low rate: its bodies have moved.
  bool moved() const { return moved_; }
  double time_s() const { return high_.time_s; }
  /// The newest state of every body: tools from the high rate, the others from the low rate.
  const BodyState& state(int body) const;

 private:
  TwoRateModel model_;
  LowRate low_;
  HighRate high_;
  TripleBuffer<Snapshot> snapshots_;
  TripleBuffer<ToolState> tools_;
  TickReport report_;
  LowReport low_report_;
  long hand_over_at_ = -1;  ///< tick at which the finished snapshot is published; −1: none is waiting
  bool made_low_step_ = false, moved_ = false, stalled_ = false;
};

}  // namespace palp
