// Bodies that overlap where a simulation starts. Contact undoes an overlap up to a depth; deeper ones it does
// not see.
#pragma once
#include "palp/sim/model.hpp"

namespace palp {

struct StartOverlap {
  int rule = 0;           ///< of Model::rules
  double depth_m = 0;     ///< the deepest point
  double found_to_m = 0;  ///< as deep as contact finds points, and pushes them out
  bool attached = false;  ///< an attachment ties the two bodies together
};

/// Of all rules whose bodies overlap by more than a thousandth of the smaller one. For a model that has
/// passed check().
std::vector<StartOverlap> overlaps_at_start(const Model& model);

/// How deep a point may sink and still be found: the alarm distance, or a hundredth of the smaller skin.
/// Facets overlap by more than a step's motion where an edge of one body cuts the other's, however short the
/// alarm distance.
double kept_depth(const TouchRule& rule, const TouchSurface& a, const TouchSurface& b);

}  // namespace palp
