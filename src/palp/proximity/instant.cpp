#include "palp/proximity/instant.hpp"

#include <algorithm>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

constexpr double same_side = 0.5;  // cosine: a normal that turns more within a step tells nothing
constexpr double reach = 0.5;      // a point may slide off its feature by so much of its size within a step

/// The vertex x above triangle f: the face's normal, and the point below x.
bool on_face(const Vec3& x, const TouchSurface& s, int f, const Vec3& before, SkinPoint& point, Vec3& n) {
  const Triangle& t = s.topology().triangles[f];
  const Vec3 &a = s.free()[t[0]], &b = s.free()[t[1]], &c = s.free()[t[2]];
  const Vec3 area = (b - a).cross(c - a);
  const double norm = area.norm();
  if (!(norm > 0) || area.dot(before) < same_side * norm) return false;
  n = area / norm;
  if (point.vertex[2] == point.vertex[0]) return true;  // in a fold: it stays where it is
  const Vec3 w = project_on_plane(x, a, b, c);
  point = {t, w.minCoeff() >= -reach ? w : closest_on_triangle(x, a, b, c)};
  return true;
}

/// The vertex x beside the edge of `point`.
bool on_edge(const Vec3& x, const TouchSurface& s, const Vec3& before, SkinPoint& point, Vec3& n) {
  const Vec3 &a = s.free()[point.vertex[0]], &b = s.free()[point.vertex[1]];
  const double t = closest_on_segment(x, a, b);
  const Vec3 d = x - (1 - t) * a - t * b;
  const double norm = d.norm();
  // Closer than it can tell, or past the edge: along the normal it had.
  if (norm > 0 && d.dot(before) > 0.9 * norm) n = d / norm;
  point.weight = {1 - t, t, 0};
  return true;
}

bool across(const TouchSurface& s1, const TouchSurface& s2, ProximityPair& p, Vec3& n) {
  const Vec3 &a0 = s1.free()[p.P.vertex[0]], &b0 = s2.free()[p.Q.vertex[0]];
  const Vec3 u = s1.free()[p.P.vertex[1]] - a0, v = s2.free()[p.Q.vertex[1]] - b0, w = a0 - b0;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), det = uu * vv - uv * uv;
  Vec3 cross = u.cross(v);
  const double norm = cross.norm();
  if (det < 1e-6 * uu * vv) return false;
  if (cross.dot(p.normal) < 0) cross = -cross;
  if (cross.dot(p.normal) < same_side * norm) return false;
  const double s = (uv * v.dot(w) - vv * u.dot(w)) / det, t = (uu * v.dot(w) - uv * u.dot(w)) / det;
  if (std::min(s, t) < -reach || std::max(s, t) > 1 + reach) return false;
  n = cross / norm;
  p.P.weight = {1 - s, s, 0};
  p.Q.weight = {1 - t, t, 0};
  return true;
}

}  // namespace

void move_to_free(const TouchSurface& s1, const TouchSurface& s2, ProximityPair& p) {
  Vec3 n = p.normal;
  const Vec3 before = p.normal;
  const auto back = [&](bool moved) { return moved ? Vec3(-n) : before; };
  switch (p.kind) {
    case PairKind::vertex_face:
      on_face(s1.free()[p.feature1], s2, p.feature2, before, p.Q, n);
      break;
    case PairKind::face_vertex:
      n = back(on_face(s2.free()[p.feature2], s1, p.feature1, -before, p.P, n));
      break;
    case PairKind::vertex_edge:
      on_edge(s1.free()[p.feature1], s2, before, p.Q, n);
      break;
    case PairKind::edge_vertex:
      n = -before;
      n = back(on_edge(s2.free()[p.feature2], s1, -before, p.P, n));
      break;
    case PairKind::edge_edge:
      across(s1, s2, p, n);
      break;
    case PairKind::vertex_vertex:
      break;
  }
  p.normal = n;
  p.gap_free = n.dot(p.P.at(s1.free()) - p.Q.at(s2.free()));
}

}  // namespace palp
