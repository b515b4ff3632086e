// What crosses between the two rates, each way in a wait-free triple buffer (base/triple_buffer.hpp):
//     low → high   Snapshot    the contact problem as the low-rate bodies shape it   (P11 S6)
//     high → low   ToolState   where the tools are and what the contacts did         (P11 H2, H6)
//
// The tick completes the low rate's problem with the tools as they are now. In contact coordinates (frame N),
// with the tools' part of P − Q at their free positions called p_tool,
//     δ_free(t) = N p_tool(t) + offset,        offset = δ_free − N p_tool as the low rate saw them   (P11 H3)
//     W(t)      = W_low + W_tool(t)                                                                  (P11 H4)
// Friction counts slip. The low rate's δ_t is the slip since the synchronisation; every tick takes the slip
// it found out of the offset, so that a sticking contact keeps its anchor and a sliding one never pulls back.
// `slip` totals follow a contact by name from one snapshot to the next: what the ticks did while the low rate
// was computing is not counted twice. A contact without a past starts where its tool is when it arrives.
#pragma once
#include <vector>

#include "palp/contact/contact.hpp"
#include "palp/haptics/coupling.hpp"
#include "palp/mechanics/body.hpp"
#include "palp/solvers/problem.hpp"

namespace palp {

struct SnapshotContact {
  ContactId id;
  int tool1 = -1, tool2 = -1;  ///< number of the tool on either side; −1 = the low rate's, or the world
  SkinPoint P, Q;
  Mat3 frame = Mat3::Identity();
  bool bilateral = false;
  Vec3 slip = Vec3::Zero();        ///< the contact's total slip (world) at the synchronisation
  Vec3 tool_start = Vec3::Zero();  ///< the tools' part of P − Q at the synchronisation
};

struct Snapshot {
  long sequence = 0;                      ///< 0: none yet
  long tick = 0;                          ///< of the tool state it was made from: the synchronisation
  double time_s = 0;                      ///< of that tick
  std::vector<SnapshotContact> contacts;  ///< m, sorted by id
  GrowingMatrix W_low;                    ///< 3m × 3m: Σ N H A⁻¹ Hᵀ Nᵀ of the low-rate bodies
  GrowingVector offset;                   ///< 3m
  GrowingVector lambda;                   ///< 3m: the low rate's own solution, where the ticks start
  /// The tick's problem: sizes, μ and kinds from the low rate, W and δ_free from every tick.
  Problem problem;
};

struct ToolState {
  long tick = 0;                  ///< that is about to be made
  double time_s = 0;              ///< at its end
  std::vector<BodyState> tools;   ///< at its start
  std::vector<DevicePose> poses;  ///< of the devices, at its end
  long sequence = 0;              ///< of the snapshot that `lambda` and `slip` belong to
  VecX lambda;                    ///< 3m used: forces of the last tick; as long as the bound on the contacts
  std::vector<Vec3> slip;         ///< m: total slips (world)
};

/// The tools' part of P − Q; skins by tool.
template <class Skins>
Vec3 tool_part(const SnapshotContact& c, const Skins& skin_of) {
  Vec3 p = Vec3::Zero();
  if (c.tool1 >= 0) p += c.P.at(skin_of(c.tool1));
  if (c.tool2 >= 0) p -= c.Q.at(skin_of(c.tool2));
  return p;
}

}  // namespace palp
