// Small facts about triangles: nearest point, overlap with a box, winding number of a surface.
#pragma once
#include "palp/mesh/meshes.hpp"

namespace palp {

/// The point of triangle abc (a segment or a point if degenerate) nearest to p.
Vec3 nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Whether triangle abc and the axis-aligned box around `centre` have a point in common, borders included
/// (separating axes: three box normals, the triangle's normal, nine products of edges).
bool triangle_touches_box(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& centre,
                          const Vec3& half_size);

/// Solid angle of a closed surface seen from p over 4π: 1 inside, 0 outside, the sum where parts overlap
/// (van Oosterom and Strackee's formula for each triangle).
double winding_number(const TriMesh& surface, const Vec3& p);

}  // namespace palp
