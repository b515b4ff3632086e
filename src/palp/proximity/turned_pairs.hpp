// Contact with cylinders and tubes (mesh/rounded.hpp): their core is a rectangle turned about an axis, whose
// features are round: two sides (one without a hole), two flat ends, and the circles between them, the rims.
//
//     vertex of the other skin    against the nearest point of the core, in closed form: distance from the
//     axis and
//                                 height against a rectangle
//     face                        against the point of a rim that is lowest over it; where an end lies flat,
//     against
//                                 six points of the rim that turn with the body
//     edge                        against the rims, and against the outer side (the axis)
//     another turned core         its rims against the core, and the two axes
//
// A side of the hole is hollow: every plane along it that is in reach counts, not the nearest alone.
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Appends the pairs of two skins of which one at least is a turned core. Points, normals and gap_free are
/// those after the free motion (instant.hpp). Points closer than `touching` are one.
void find_turned_pairs(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                       double touching, ProximityScratch& scratch, std::vector<ProximityPair>& pairs);

}  // namespace palp
