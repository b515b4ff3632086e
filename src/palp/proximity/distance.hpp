// Closest points of the simplest shapes: the canonical tests between the features of two triangles (D06 fig.
// 3).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

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

/// The face nearest to a point among those it is offered. Of faces that meet at the nearest point, the one
/// that the point is most squarely above or below decides: its `height` tells inside from outside.
struct NearestFace {
  double distance;    ///< what is further away does not count
  double height = 0;  ///< of the point over the face, along the outward normal

  void offer(double other_distance, double other_height) {
    const bool nearer = other_distance < (1 - 1e-9) * distance, tie = other_distance <= (1 + 1e-9) * distance;
    if (!nearer && !(tie && std::abs(other_height) > std::abs(height))) return;
    distance = std::min(distance, other_distance);
    height = other_height;
  }
};

}  // namespace palp
