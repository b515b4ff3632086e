// The faces of a round soft skin under an exact ball: where it is nearest inside a face, the patch over the
// face touches (smooth_faces.hpp has its formula), as the curves of the edges do (curved_edges.hpp). Between
// its edges a skin of facets would let a ball sink in, and the force of a ball that is drawn over it would
// ripple. Capsules touch edges alone: with patches a soft ball thrown on one gained 8 % of its energy in a
// step.
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Adds the pairs of such faces of skin `settings.leading` with the other skin, the core of an exact shape.
void add_curved_faces(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                      ProximityScratch& scratch, std::vector<ProximityPair>& pairs);

}  // namespace palp
