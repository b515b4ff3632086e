// One step of the low rate (P11 §IV.A, S1-S6; K16 L1-L5): free motion and factors, proximity at the tools'
// synchronised position, compliances, full solve, correction, snapshot.
//
// Beyond P11: the bodies that tools can reach are moved by the ticks (reduced_body.hpp). The low rate gives
// them the equation of motion within few motions; when the next step begins, S0 lifts what the ticks made of
// it back into the bodies. So a body is always where the ticks have pushed it, and the impulse that it has
// received is the sum of the forces that the tools felt. S4 and S5 are for the bodies that no tool can reach
// until then. Around tools that touch by limited constraints S2 describes the whole surface (K16 L2, L3).
#pragma once
#include "palp/haptics/snapshot.hpp"
#include "palp/haptics/two_rate_model.hpp"

namespace palp {

/// Everything that the low rate owns.
struct LowRate {
  State state;  ///< at the last synchronisation, or at the end of the last step once it is finished
  Workspace ws;
  long sequence = 0;     ///< of the last snapshot
  long tick = 0;         ///< of its synchronisation
  bool finished = true;  ///< false: the bodies have still to be moved by the last step
  struct Place {
    ContactId id;
    int group = 0, contact = 0;
    Vec3 slip = Vec3::Zero();   ///< total, as the ticks told
    Vec3 force = Vec3::Zero();  ///< on body 1, of the newest tick; world
    Vec3 at = Vec3::Zero();     ///< the node, or P (world), at the synchronisation
  };
  std::vector<Place> place, last_place;  ///< of each row of the snapshot, in its order
  // Limited contacts of this step (limited_contacts.hpp).
  std::vector<GlcSkin> skins;  ///< per body that has any
  struct Touched {
    int body, rule;
  };
  std::vector<std::vector<Touched>> surfaces;  ///< per tool: what it may touch, and by which rule
  GlcProblem patches;
  GlcPlaces places;
  std::vector<std::vector<Vec3>> tool_skin;  ///< wants_step, per tool: now
  std::vector<std::vector<Vec3>> last_skin;  ///< find_points, per body: at the last step
  std::vector<double> travel;                ///< the same: expected until the next snapshot
  std::vector<int> shared;           ///< write_snapshot: per contact of a group its number in the snapshot
  std::vector<Reduction> reduction;  ///< per body of the model
  std::vector<int> reduced;          ///< per body: its number in the snapshot, −1 when it moves by itself
  std::vector<VecX> velocity;        ///< finish_step: per body, as the ticks left it; empty: v = Δx/h
  int lost = -1;                     ///< finish_step: the body whose state would not be finite
  double cost_us = 0;  ///< of what contacts take of a step, running median; stands still on the virtual clock

  /// From a synchronisation until the next snapshot is there, if that takes as long as the last time.
  long ticks_ahead(const TwoRateModel& m, const ToolState& tools) const {
    return std::max<long>(m.settings.low_every, tools.tick - tick) +
           std::max<long>(m.settings.delay_ticks, tools.age);
  }
};

struct LowReport : StepReport {
  long sequence = 0;
  int shared = 0;    ///< rows of the snapshot
  int limited = 0;   ///< patches in the snapshot
  int left_out = 0;  ///< contacts near a tool beyond the bound; features beyond the regions
  double smallest_region_m =
      0;                     ///< half size of the tightest region around a tool's points; 0: there is none
  bool took_forces = false;  ///< S0 used the ticks' forces
  int motions = 0;           ///< of all reduced bodies
  double reduce_us = 0;      ///< of times.motion_us: making them
};

LowRate make_low_rate(const TwoRateModel& m);

/// A step before its time: where no force moves anything at the low rate, a step costs little more than the
/// regions around the tools, and is made as soon as a tool has used half of one. Then none is held back,
/// however few constraints it may have.
bool wants_step(const TwoRateModel& m, const ToolState& tools, LowRate& low);

/// S0: brings the bodies to the tick that `tools` stands at. low_step does it first; a runner may do it
/// earlier, when the last tick of a step is made. True when the ticks' forces were used; without them the
/// bodies move under the forces that they had. A body whose state would not be finite is left in `lost`, and
/// all stand still.
bool finish_step(const TwoRateModel& m, const ToolState& tools, LowRate& low);

/// Finishes the last step, begins the next one and fills `out`. When the status is not ok, `out` must not be
/// published: the bodies stand still and the ticks go on with the snapshot they have.
LowReport low_step(const TwoRateModel& m, const ToolState& tools, LowRate& low, Snapshot& out);

}  // namespace palp
