// Which side speaks where a rigid skin presses a soft one. A constraint between a smooth part of the rigid
// skin and the inside of a soft facet presses the facet flat, though the surface that the facet stands for
// would curve: on a mesh with one cell per contact radius the contact is then a third too stiff. Nodal
// contact, the soft skin's own vertices against the rigid surface, is right there
// (tests/validation/ball_on_block_test.cpp). So the soft skin leads: what touches its facets and edges
// between the vertices is left to the vertices, provided that
//   the rigid feature is smooth: creases, rims, points and needles always speak for themselves;
//   the rigid surface reaches over each of those vertices and has turned little on the way there.
// Neither depends on how deep the contact is, so that none changes sides while it is pressed.
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Clears `faces` of the candidates that are left to the vertices of skin `settings.leading`.
void leave_to_vertices(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                       ProximityScratch& scratch);

}  // namespace palp
