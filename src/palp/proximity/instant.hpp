// The instant of contact geometry. Pairs are found where the step starts, because there the bodies are apart
// and sides are certain. What the contact problem needs (normals, lever arms, gaps, H) belongs to one
// configuration: the bodies after their free motion, from which the contact forces move them on. Lever arms
// of the start beside gaps of the end would brake a rolling ball by the angle it turns in a step.
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Normal and gap_free of the pair between the same two features after the free motion; `gap` stays that of
/// the start. The points stay too: a contact holds two material points over a step, and moving them along
/// with the free motion would let a sticking one creep. Where the features have turned too far to tell sides,
/// the normal of the start is kept.
void move_to_free(const TouchSurface& s1, const TouchSurface& s2, ProximityPair& pair);

}  // namespace palp
