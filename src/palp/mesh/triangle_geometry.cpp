#include "palp/mesh/triangle_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace palp {
namespace {

Vec3 nearest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double length2 = d.squaredNorm();
  if (!(length2 > 0)) return a;
  return a + std::clamp((p - a).dot(d) / length2, 0.0, 1.0) * d;
}

}  // namespace

Vec3 nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  // Inside the prism over the triangle: the projection. Otherwise the nearest of the three sides.
  const Vec3 normal = (b - a).cross(c - a);
  const double n2 = normal.squaredNorm();
  if (n2 > 0) {
    const double u = (c - b).cross(p - b).dot(normal), v = (a - c).cross(p - c).dot(normal),
                 w = (b - a).cross(p - a).dot(normal);
    if (u >= 0 && v >= 0 && w >= 0) return (u * a + v * b + w * c) / (u + v + w);
  }
  const Vec3 sides[3] = {nearest_on_segment(p, a, b), nearest_on_segment(p, b, c),
                         nearest_on_segment(p, c, a)};
  const Vec3* best = sides;
  for (const Vec3& q : sides)
    if ((q - p).squaredNorm() < (*best - p).squaredNorm()) best = &q;
  return *best;
}

bool triangle_touches_box(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& centre,
                          const Vec3& half_size) {
  const Vec3 p[3] = {a - centre, b - centre, c - centre};
  const auto apart = [&](const Vec3& axis) {
    const double d[3] = {p[0].dot(axis), p[1].dot(axis), p[2].dot(axis)};
    const double reach = half_size.dot(axis.cwiseAbs());
    return std::min({d[0], d[1], d[2]}) > reach || std::max({d[0], d[1], d[2]}) < -reach;
  };
  for (int k = 0; k < 3; ++k)
    if (apart(Vec3::Unit(k))) return false;
  const Vec3 edges[3] = {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
  if (apart(edges[0].cross(edges[1]))) return false;
  for (const Vec3& e : edges)
    for (int k = 0; k < 3; ++k)
      if (apart(Vec3::Unit(k).cross(e))) return false;
  return true;
}

double winding_number(const TriMesh& surface, const Vec3& p) {
  double sum = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3 a = surface.nodes[t[0]] - p, b = surface.nodes[t[1]] - p, c = surface.nodes[t[2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

}  // namespace palp
