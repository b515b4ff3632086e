// Contacts of tools that every tick finds anew. What a tick needs to know of a low-rate body for that is not
// a contact but its surface: where the skin around the tools is, and how its vertices answer to forces. The
// low rate chooses these vertices as far as the tools can go until the next snapshot; they are its *points*,
// rows of the snapshot in world axes, without normal or gap. Each tick moves them with the reduced bodies,
// looks for pairs as a single-rate step does (sim/find_contacts.hpp), and combines the rows:
//     contact i:  N_i Σ_k w_k (row k),      W_ij = N_i (Σ_kl w_k w_l G_kl) N_jᵀ
// Normals, gaps, features and slips are then those of the tick. A rigid body has four points (fewer when it
// is flat), of which every other vertex is an affine combination.
//
// Not for limited contacts, contacts between two low-rate bodies and attachments: these are the snapshot's.
#pragma once
#include "palp/haptics/low_step.hpp"
#include "palp/haptics/tick.hpp"

namespace palp {

/// The low rate, after its proximity: points around the tools, and what else lies near them.
void find_points(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report,
                 Snapshot& out);
/// The low rate: the skins that the ticks look at.
void write_skins(const TwoRateModel& m, const LowRate& low, Snapshot& out);

/// The longest way of a vertex.
inline double longest_way(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  double longest = 0;
  for (size_t v = 0; v < from.size(); ++v) longest = std::max(longest, (to[v] - from[v]).squaredNorm());
  return std::sqrt(longest);
}

/// What the ticks keep for their search.
class LiveContacts {
 public:
  explicit LiveContacts(const TwoRateModel& m);

  /// A new snapshot, and how far its rows have moved since its synchronisation.
  void begin(const TwoRateModel& m, const Snapshot& s, ConstVecRef moved);
  /// The contacts of this tick after those of the snapshot; δ_free, μ and the first guess of their forces.
  /// `start`, `free`: displacements of the snapshot's rows at the start of the tick and after its free
  /// motion.
  void find(const TwoRateModel& m, HighRate& high, Snapshot& s, ConstVecRef start, ConstVecRef free,
            TickReport& report);
  /// W of the low-rate bodies for the contacts of this tick.
  void compliance(Snapshot& s) const;
  /// Forces on the snapshot's rows.
  void commit(const Snapshot& s, ConstVecRef lambda, VecRef row_force);
  /// Where the tick has brought the rows.
  void end(const Snapshot& s, ConstVecRef moved);

 private:
  struct Entry {
    int row;
    double weight;
  };
  struct Combination {
    int count = 0;
    std::array<Entry, 8> entry;
    void add(int row, double weight);
  };
  void move_skins(const TwoRateModel& m, const HighRate& high, const Snapshot& s, ConstVecRef start,
                  ConstVecRef free);
  void add_point(const TwoRateModel& m, int rule, int body, const SkinPoint& p, double sign,
                 Combination& out) const;

  Workspace ws_;                          ///< of the search: skins and surfaces
  State seen_;                            ///< the same: memory of the last tick's contacts, velocities
  std::vector<int> rules_;                ///< that tools take part in
  std::vector<std::vector<int>> row_;     ///< per rule, by vertex of the low-rate body; −1: not known
  std::vector<Combination> combination_;  ///< per contact of the tick
  std::vector<double> deepest_;           ///< per rule: overlap at the start of the last tick; ∞: not known
  std::vector<double> way_;               ///< per body: the longest of a vertex in the last tick
  std::vector<SnapshotRow> last_;         ///< points and where the last tick left them
  /// Per point: from there to where a new snapshot sees it. It counts as slip in the first tick, so that what
  /// sticks keeps its anchor.
  std::vector<Vec3> jump_;
  bool static_friction_ = false;
};

}  // namespace palp
