// One haptic tick (P11 §IV.A, H1-H6; K16 H1-H5): the tools move with their couplings, against the low-rate
// bodies as the newest snapshot describes them. One problem holds the contacts of all tools, so that two
// hands feel each other through a body within the tick (K16 §5). Where some contacts are limited to patches,
// the solver also chooses which of them carry (solvers/glc_pgs.hpp).
//
// A tick never allocates, locks, throws or prints. One that fails moves nothing.
#pragma once
#include <memory>

#include "palp/base/triple_buffer.hpp"
#include "palp/haptics/snapshot.hpp"
#include "palp/haptics/two_rate_model.hpp"
#include "palp/math/growing.hpp"

namespace palp {

class LiveContacts;

/// Everything that the high rate owns, with memory for the most contacts.
struct HighRate {
  explicit HighRate(const TwoRateModel& m);
  HighRate(HighRate&&) noexcept;
  ~HighRate();

  struct Tool {
    BodyState state;       ///< commit
    Loads loads;           ///< hold_tools
    ActionScratch acting;  ///< free_motion
    std::unique_ptr<BodyWorkspace> mechanics;
    BodyState free;                           ///< free_motion: the tool after its free motion
    std::vector<Vec3> skin_start, skin_free;  ///< free_motion
    BodyContacts rows;                        ///< compliance: of the tool's sites
    VecX dx_c;                                ///< respond
    BodyState next;                           ///< respond: the state after the tick
  };
  struct Slip {
    ContactId id;
    Vec3 total = Vec3::Zero();  ///< world; of a limited one, what has not slipped yet
    Vec3 force = Vec3::Zero();  ///< on body 1, of the last tick; world
    SkinPoint P;                ///< as in SnapshotContact
  };
  struct Row {
    ContactId id;
    Vec3 at = Vec3::Zero();  ///< as in SnapshotRow
    bool bore = false;       ///< a force, in some tick with this snapshot
    int next = -1;           ///< take_snapshot: the row of the new snapshot that its forces go to
  };
  std::vector<Tool> tools;
  long tick = 0;
  double time_s = 0;
  double cost_us = 0;                    ///< of a tick, running median; stands still on the virtual clock
  long sequence = 0;                     ///< take_snapshot: of the snapshot in use
  std::vector<Slip> slip, old_slip;      ///< take_snapshot, commit: per contact of the snapshot
  std::vector<Row> row;                  ///< the same per row
  SnapshotLayout layout;                 ///< take_snapshot: of both
  GrowingVector offset;                  ///< 3m: the snapshot's, less what has slipped since
  std::vector<ReducedMotion> bodies;     ///< take_snapshot, violations, commit: one per body of the snapshot
  GrowingVector moved;                   ///< 3r: take_snapshot, commit: displacements of the low-rate bodies
  GrowingVector moved_free;              ///< 3r: violations: without contact forces in this tick
  GrowingVector pushed;                  ///< 3r: forces on the rows, in their axes
  std::unique_ptr<LiveContacts> live;    ///< contacts that the ticks find; null: all are the snapshot's
  GrowingVector settle;                  ///< m: take_snapshot: gaps that a new snapshot must not open at once
  long adopted = 0;                      ///< take_snapshot: the first tick with this snapshot
  long age = 0;                          ///< take_snapshot: ticks from its synchronisation until then
  std::vector<Vec3> past;                ///< commit: forces_of, tick by tick in a ring
  size_t most_rows = 0;                  ///< room for so many in each of them
  static constexpr int most_past = 512;  ///< ticks; as a rule two low-rate steps
  GrowingVector lambda;  ///< 3m, newtons, in the contacts' frames: kept between ticks as first guess
  GrowingVector delta;   ///< 3m: W λ + δ_free
  std::unique_ptr<Solver> solver;
  std::unique_ptr<GlcPgs> limited;  ///< for snapshots with limited contacts
  GlcMotion motion;                 ///< what it is given

  /// Forces on body 1 at the rows of the snapshot in use (world), of a tick that had it: of the oldest one
  /// that is still known when that is too long ago, of the first one when it is older than the snapshot.
  std::span<Vec3> forces_of(long t);
};

enum class TickStatus {
  ok,
  free_motion_failed,  ///< a tool's system is not positive definite, or its state is not finite
  not_finite,          ///< the contact forces, the motion or its energy are not finite; the tools stand still
};

/// The same in the words of a step.
inline StepStatus step_status(TickStatus status) {
  switch (status) {
    case TickStatus::ok:
      return StepStatus::ok;
    case TickStatus::free_motion_failed:
      return StepStatus::free_motion_failed;
    default:
      return StepStatus::not_finite;
  }
}

/// What every tick measures.
struct TickReport {
  TickStatus status = TickStatus::ok;
  int body = -1;  ///< the tool that failed, as a body of the model; −1: all of them together
  long tick = 0;
  long sequence = 0;                                  ///< of the snapshot; 0 = none yet
  long age_ticks = 0;                                 ///< of the snapshot: ticks since its synchronisation
  int contacts = 0, active_contacts = 0, sweeps = 0;  ///< active: with a force
  int limited = 0;                                    ///< of the contacts
  double certificate = 0;
  SolveStatus solve = SolveStatus::converged;  ///< why it ended
  bool converged = true;
  double penetration_m = 0;      ///< deepest overlap of the contacts that it has found, at its start
  double violation_m = 0;        ///< deepest overlap left in the linearised problem
  int left_out = 0;              ///< contacts that it has found beyond the bounds
  int held_back = 0;             ///< tools at the border of the region that the snapshot knows
  std::uint32_t held_tools = 0;  ///< the tools that these are: a bit each
  int held = 0;                  ///< GlcReport::held and overstep
  double overstep = 0;
  struct Times {
    double free_motion_us = 0, violations_us = 0, compliance_us = 0, solve_us = 0, motion_us = 0;
    double total_us() const { return free_motion_us + violations_us + compliance_us + solve_us + motion_us; }
  } times;
};

/// A new snapshot: the low-rate bodies and the first guess of the forces brought to the present; offsets less
/// the slip of the ticks since it was synchronised.
void take_snapshot(const TwoRateModel& m, const Snapshot& s, HighRate& high);
/// H of the tool's sites, those of standard contacts in the contacts' axes.
void tool_rows(const Body& body, int tool, const BodyState& state, const Snapshot& s, BodyContacts& rows);

/// Before the tick: hands the tools, the devices' poses and the last tick's forces to the low rate.
void publish_tools(const HighRate& high, std::span<const DevicePose> poses, double h,
                   TripleBuffer<ToolState>& to_low);
/// A buffer with memory for the most contacts.
ToolState empty_tool_state(const TwoRateModel& m);

/// One tick. `snapshot`: the newest, owned by this side; sequence 0 = none yet. `poses`: of the devices at
/// the end of the tick. `wrenches`: what each user is to feel, zero when the status is not ok.
TickReport tick(const TwoRateModel& m, Snapshot& snapshot, std::span<const DevicePose> poses, HighRate& high,
                std::span<Wrench> wrenches);

}  // namespace palp
