// The instant of contact geometry. Pairs are found where the step starts, because there the bodies are apart
// and sides are certain. What the contact problem needs (normals, lever arms, gaps, H) belongs to one
// configuration: the bodies after their free motion, from which the contact forces move them on. Lever arms
// of the start beside gaps of the end would brake a rolling ball by the angle it turns in a step.
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Points, normal and gap_free of the pair between the same two features after the free motion; `gap` stays
/// that of the start. Where the features have left each other, or turned too far to tell sides, the geometry
/// of the start is kept.
void move_to_free(const TouchSurface& s1, const TouchSurface& s2, ProximityPair& pair);

}  // namespace palp
