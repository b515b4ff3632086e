// Which features of one skin are neighbours, for contact of a body with itself. Neighbours are always near
// each other and never touch. Two vertices are neighbours when, at rest,
//   the way between them along the skin is no longer than `reach`, or they are joined by an edge; or
//   the straight way is no longer than that and leads through the body, as through a thin wall.
// What faces each other across a slit of the body at rest may touch, however narrow the slit.
#pragma once
#include <span>
#include <vector>

#include "palp/math/types.hpp"
#include "palp/proximity/touch_surface.hpp"

namespace palp {

class RestNeighbours {
 public:
  /// `rest`: the skin updated with its rest positions.
  static RestNeighbours make(const TouchSurface& rest, double reach_m);

  /// May the features with these vertices touch? Not when any two of them are neighbours; −1: no vertex.
  bool apart(std::span<const int> a, std::span<const int> b) const {
    for (int v : a)
      for (int w : b)
        if (v >= 0 && w >= 0 && near(v, w)) return false;
    return true;
  }
  bool near(int v, int w) const;

 private:
  std::vector<int> start_;      // vertices + 1
  std::vector<int> neighbour_;  // of each vertex, ascending; itself included
};

}  // namespace palp
