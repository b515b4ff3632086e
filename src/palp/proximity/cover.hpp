// Few places that stand for many: where a bound keeps only some of the contacts, those that cover the patch.
#pragma once
#include <span>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

struct CoverScratch {
  std::vector<Vec3> place;        ///< the caller's, if it likes
  std::vector<double> distance2;  ///< to the nearest place that is kept
  std::vector<char> kept;
};

/// Marks in scratch.kept `most` of the places: those for which `must` is set (0 or 1 per place, may be
/// empty), then one by one the place furthest from all that are kept; of equals the first. Begins with the
/// first place when none must be kept. When more than `most` must be kept, the same is done among these
/// alone.
void choose_cover(std::span<const Vec3> place, std::span<const char> must, int most, CoverScratch& scratch);

}  // namespace palp
