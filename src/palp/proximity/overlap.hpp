// How far two skins overlap, whatever made them: for bodies that are placed inside each other, where a step
// would find only what is near the surface. Vertices, middles of edges and of faces of each skin against the
// closed surface of the other; slow and thorough, once when a scene is loaded.
#pragma once
#include "palp/proximity/touch_surface.hpp"

namespace palp {

/// Every edge has two faces: there is an inside.
bool is_closed(const TouchTopology& topology);

/// Distance of a point from the closed surface where the step starts, negative inside; `limit` when it is
/// further away.
double signed_distance(const TouchSurface& surface, const Vec3& point, double limit_m);

/// Distance of a point from a skin of faces, curves and lone vertices where the step starts; `reach` when it is
/// further away. Quick where the reach is short.
double distance(const TouchSurface& skin, const Vec3& point, double reach_m);

/// Depth of the deepest point of either skin in the other, its thickness counted in; negative or 0: apart.
double deepest_overlap(const TouchSurface& skin1, const TouchSurface& skin2, double thickness_m);

}  // namespace palp
