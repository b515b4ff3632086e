// When two moving features meet: each corner goes straight and evenly from its place at the start of the step
// to that at its end. Conservative advancement: features that are d apart and approach no faster than l do
// not meet before d / l (Zhang et al. 2006; additive form of Li et al. 2021); nor before d over the speed at
// which their corners approach along the direction between them, which is exact where a vertex grazes a
// plane. No polynomial is solved, a thickness costs nothing, and what has been passed over is certain.
#pragma once
#include <array>

#include "palp/math/types.hpp"

namespace palp {

/// A vertex, an edge or a triangle on its way.
struct MovingFeature {
  int corners = 1;
  std::array<Vec3, 3> start, way;

  Vec3 at(const Vec3& weight, double time) const {
    Vec3 p = weight[0] * (start[0] + time * way[0]);
    for (int k = 1; k < corners; ++k) p += weight[k] * (start[k] + time * way[k]);
    return p;
  }
};

struct Meeting {
  double time = 0;                                        ///< part of the step, 0 to 1
  double start_distance = 0;                              ///< between the features where the step starts
  Vec3 weight1 = Vec3::UnitX(), weight2 = Vec3::UnitX();  ///< of the nearest points, then
  Vec3 apart = Vec3::Zero();                              ///< from the second to the first, then
};

/// Do the features come within `within` of each other during the step? A vertex against anything, or two
/// edges. Nearer than `within` + `exact` counts as met; what is `within` + `touching` apart where the step
/// starts has met at time 0.
bool meet(const MovingFeature& first, const MovingFeature& second, double within, double exact,
          double touching, Meeting& out);

}  // namespace palp
