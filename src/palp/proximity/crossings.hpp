// Where two skins would pass through each other on their way through a step. Vertices go straight from the
// start to the end; when no vertex meets a face and no edge an edge on the way, the end can be reached
// without passing through, whatever happened in between. What does meet, and is on the other side after that,
// is a crossing: features, place, time, and the side it came from.
#pragma once
#include "palp/proximity/cover.hpp"
#include "palp/proximity/meeting.hpp"
#include "palp/proximity/pairs.hpp"

namespace palp {

/// One skin on its way: where it ends, and boxes over the way.
class Sweep {
 public:
  /// From skin.start() to `end`.
  void update(const TouchSurface& skin, std::span<const Vec3> end);

  std::span<const Vec3> end() const { return end_; }
  const Box& vertex_box(int v) const { return vertex_box_[v]; }
  const Box& box(int primitive) const { return box_[primitive]; }
  const BoxTree& tree() const { return tree_; }
  bool closed() const { return closed_; }  ///< the skin has an inside

 private:
  std::vector<Vec3> end_;
  std::vector<Box> vertex_box_, box_;
  BoxTree tree_;
  bool closed_ = false;
};

struct Crossing {
  ProximityPair pair;  ///< points and normal where they meet; the normal leads back to the side it came from
  double time = 0;     ///< part of the way
  double gap = 0;      ///< of the two points then, thickness subtracted: about 0
  double depth = 0;    ///< on the other side, after that: the largest
  bool faces = false;  ///< the features look at each other
};

struct CrossingSettings {
  double thickness_m = 0;
  double tolerance_m = 0;  ///< what comes less deep on the other side is left to the next step
  double sunk_m = 0;       ///< what was left inside, less deep than this, must not go deeper where it came in
  int most = 1 << 20;      ///< crossings; chosen to cover the place
  std::array<bool, 2> led{
      false, false};  ///< the skin's vertices speak for it: what meets it elsewhere is left to them
  std::span<const CameFrom> came_from = {};  ///< sorted by skin and vertex
};

/// Scratch of a search; grows to the largest it has served.
struct CrossingScratch {
  std::vector<Crossing> left;  ///< vertices that come to the other side, less deep than the tolerance
  std::vector<char> seen_vertex[2], seen_edge[2];
  CoverScratch cover;
};

/// Fills `out` (cleared first), earliest first: each vertex once, where it meets the other skin first,
/// likewise edges. Deterministic. Also fills scratch.left.
void find_crossings(const TouchSurface& s1, const Sweep& way1, const TouchSurface& s2, const Sweep& way2,
                    const CrossingSettings& settings, CrossingScratch& scratch, std::vector<Crossing>& out);

}  // namespace palp
