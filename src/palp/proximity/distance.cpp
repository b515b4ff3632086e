#include "palp/proximity/distance.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

Vec3 project_on_plane(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  // Areas of the three sub-triangles seen along the normal, over the whole area.
  const Vec3 normal = (b - a).cross(c - a);
  const double inverse = 1.0 / normal.squaredNorm();
  const double wb = (p - a).cross(c - a).dot(normal) * inverse;
  const double wc = (b - a).cross(p - a).dot(normal) * inverse;
  return {1.0 - wb - wc, wb, wc};
}

double closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = ab.squaredNorm();
  if (length2 == 0) return 0;
  return std::clamp((p - a).dot(ab) / length2, 0.0, 1.0);
}

Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 inside = project_on_plane(p, a, b, c);
  if (inside.minCoeff() >= 0) return inside;  // false for NaN too
  // Outside: the closest point lies on one of the edges.
  const Vec3* corner[3] = {&a, &b, &c};
  Vec3 best(1, 0, 0);
  double best_distance = (p - a).squaredNorm();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double t = closest_on_segment(p, *corner[i], *corner[j]);
    const double distance = (p - (1 - t) * *corner[i] - t * *corner[j]).squaredNorm();
    if (distance < best_distance) {
      best_distance = distance;
      best.setZero();
      best[i] = 1 - t;
      best[j] = t;
    }
  }
  return best;
}

std::array<double, 2> closest_between_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  if (uu == 0) return {0.0, closest_on_segment(a, c, d)};
  if (vv == 0) return {closest_on_segment(c, a, b), 0.0};
  const double det = uu * vv - uv * uv;
  double s;
  if (det > 1e-12 * uu * vv) {
    s = std::clamp((uv * v.dot(w) - vv * u.dot(w)) / det, 0.0, 1.0);
  } else {
    // Parallel: [s0, s1] is where cd projects on ab.
    const double s0 = (c - a).dot(u) / uu, s1 = (d - a).dot(u) / uu;
    s = std::clamp(0.5 * (std::max(0.0, std::min(s0, s1)) + std::min(1.0, std::max(s0, s1))), 0.0, 1.0);
  }
  const double t = closest_on_segment(a + s * u, c, d);
  // When t was clamped, s must follow.
  return {closest_on_segment(c + t * v, a, b), t};
}

}  // namespace palp
