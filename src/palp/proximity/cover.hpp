// Few places that stand for many: where a bound keeps only some of the contacts, those that cover the patch.
#pragma once
#include <span>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

/// One of many, to be kept or not.
struct CoverPlace {
  Vec3 at = Vec3::Zero();
  int part = 0;         ///< places of different parts (pairs of bodies) do not stand for each other
  double depth = 0;     ///< how deep the bodies would overlap there
  bool needed = false;  ///< may bear a force
  bool known = false;   ///< was kept a step ago
};

struct CoverScratch {
  std::vector<CoverPlace> place;  ///< the caller's, if it likes
  std::vector<double> distance2;  ///< to the nearest place of the same part that is kept
  std::vector<char> kept;
};

/// Marks in scratch.kept `most` of the places. First among those that are needed, and only when all of these
/// are kept among the others: the deepest, then one by one the place furthest from all that are kept. What
/// was kept a step ago counts as a little deeper and further away, so that the choice does not flicker; of
/// equals the first.
void choose_cover(std::span<const CoverPlace> place, int most, CoverScratch& scratch);

}  // namespace palp
