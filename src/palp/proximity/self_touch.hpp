// A skin that may touch itself: who is whose neighbour, and which primitives may come near each other at all.
// The latter are looked for with some room to spare and stay valid until the skin has deformed by that room:
// most steps of a body that is not folded have then nothing to look at.
#pragma once
#include <utility>

#include "palp/proximity/rest_neighbours.hpp"

namespace palp {

class SelfTouch {
 public:
  /// `rest`: the skin updated with its rest positions; `reach_m`: see RestNeighbours.
  SelfTouch(const TouchSurface& rest, double reach_m) : neighbours(RestNeighbours::make(rest, reach_m)) {}

  const RestNeighbours neighbours;

  /// Primitives (i, j) with features that are no neighbours: all whose boxes are within `margin`, and some
  /// others; ascending. What is within the margin does not depend on the steps before.
  std::span<const std::pair<int, int>> near(const TouchSurface& skin, float margin);

 private:
  /// Is everything within `margin` still among near_? Boxes are compared axis by axis, and a motion that all
  /// share changes nothing.
  bool holds(const TouchSurface& skin, float margin) const;

  std::vector<Vec3> then_;  // the vertices when near_ was made
  std::vector<std::pair<int, int>> near_;
  float margin_ = -1, room_ = 0;
};

}  // namespace palp
