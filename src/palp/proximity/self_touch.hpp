// A skin that may touch itself: who is whose neighbour, and which primitives may come near each other at all.
// The latter are looked for with some room to spare and stay valid until the skin has deformed by that room:
// most steps of a body that is not folded have nothing to look at then.
#pragma once
#include <utility>

#include "palp/proximity/rest_neighbours.hpp"

namespace palp {

class SelfTouch {
 public:
  /// `rest`: the skin updated with its rest positions; `reach_m`: see RestNeighbours.
  SelfTouch(const TouchSurface& rest, double reach_m) : neighbours(RestNeighbours::make(rest, reach_m)) {}

  const RestNeighbours neighbours;

  /// Primitives (i, j) with features that are no neighbours: all with such features whose gap is within
  /// `margin`, where the step starts or after the free motion, and some others; ascending. What is within the
  /// margin does not depend on the steps before.
  std::span<const std::pair<int, int>> near(const TouchSurface& skin, float margin);

 private:
  /// Is everything within `margin` still among near_? A motion that all share changes nothing.
  bool holds(const TouchSurface& skin, float margin) const;

  std::vector<Vec3> then_;  // the vertices when near_ was made
  std::vector<std::pair<int, int>> near_;
  float margin_ = -1;
  double room_ = 0;
};

}  // namespace palp
