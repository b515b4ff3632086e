// Closest points of the simplest shapes: the canonical tests between the features of two triangles (D06 fig.
// 3).
#pragma once
#include <array>

#include "palp/math/types.hpp"

namespace palp {

/// Barycentric coordinates, in triangle abc, of the point closest to p. They are ≥ 0 and sum to one;
/// a degenerate triangle gives the closest point of its longest extent.
Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Barycentric coordinates of the orthogonal projection of p on the plane of abc; some are negative when it
/// falls outside. A degenerate triangle gives NaN.
Vec3 project_on_plane(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Parameter t in [0, 1] of the point a + t (b − a) closest to p.
double closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b);

/// Parameters s, t in [0, 1] of the closest points a + s (b − a) and c + t (d − c).
/// Parallel segments: the middle of the range over which they face each other.
std::array<double, 2> closest_between_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace palp
