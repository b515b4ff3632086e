// One step of the low rate (P11 §IV.A, S1-S6; K16 L1-L5): free motion and factors, proximity at the tools'
// synchronised position, compliances, full solve, correction, snapshot.
//
// Beyond P11: the bodies are moved twice by the same step. S5 moves them by the low rate's own λ, which knows
// the tools only at the synchronisation. When the next step begins, the ticks have gone on with the same
// problem, and S0 repeats the correction with the forces they ended with: the bodies start where the tick has
// pushed them, proximity starts from bodies and tools that touch without overlap, and the force that moves
// the low-rate bodies is the one that the tools felt. Without an answer from the ticks λ of S4 stays.
#pragma once
#include "palp/haptics/snapshot.hpp"
#include "palp/haptics/two_rate_model.hpp"

namespace palp {

/// Everything that the low rate owns.
struct LowRate {
  State start;  ///< of the last step: where its bodies were before S5
  State state;  ///< after S5; the tools as they were at the synchronisation, corrected
  Workspace ws;
  long sequence = 0;     ///< of the last snapshot
  bool finished = true;  ///< false: the last step may still be repeated with the ticks' forces
  struct Place {
    ContactId id;
    int group = 0, contact = 0;
    Vec3 slip = Vec3::Zero();  ///< total, as the ticks told
  };
  std::vector<Place> place, last_place;  ///< of each contact in the snapshot, sorted by id
  std::vector<int> index;  ///< write_snapshot: per contact of a group its number in the snapshot
};

struct LowReport : StepReport {
  long sequence = 0;
  int shared = 0;            ///< contacts in the snapshot
  int left_out = 0;          ///< contacts near a tool beyond the bound
  bool took_forces = false;  ///< S0 used the ticks' forces
};

LowRate make_low_rate(const TwoRateModel& m);

/// Advances the low-rate bodies by h_low and fills `out`. When the status is not ok, `out` must not be
/// published: the bodies stand still and the ticks go on with the snapshot they have.
LowReport low_step(const TwoRateModel& m, const ToolState& tools, LowRate& low, Snapshot& out);

}  // namespace palp
