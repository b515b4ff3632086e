// Which directions belong to a feature of a skin. The normal cone of a feature holds the directions in which
// a point can lie whose nearest point is on the feature: one direction for a face, a fan for an edge, a cone
// for a corner.
#pragma once
#include "palp/proximity/touch_surface.hpp"

namespace palp {

/// Are the two faces at the edge folded so that their solid is not convex there? False without two faces.
bool is_concave(const TouchSurface& s, int edge);

/// Does the unit vector n lie in the normal cone of the edge? Going from the edge into either of its faces
/// must not go along n by more than `sine`.
bool in_edge_cone(const TouchSurface& s, int edge, const Vec3& n, double sine);

/// The same at a vertex: no edge that leaves it may go along n.
bool in_vertex_cone(const TouchSurface& s, int vertex, const Vec3& n, double sine);

/// Can the vertex touch something that pushes it along n? Not when n points out of its own body, nor when the
/// body goes on from the vertex against n: then it is not the vertex that touches. True without triangles.
bool faces_along(const TouchSurface& s, int vertex, const Vec3& n);

/// Normals of vertex v of `sv` lying on an edge, or on a vertex, of `so`, where no direction between the two
/// exists: the one in the feature's cone that is most opposed to the vertex's own.
Vec3 normal_on_edge(const TouchSurface& sv, int v, const TouchSurface& so, int edge);
Vec3 normal_on_vertex(const TouchSurface& sv, int v, const TouchSurface& so, int w);

}  // namespace palp
