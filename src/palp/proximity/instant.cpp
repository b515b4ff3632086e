#include "palp/proximity/instant.hpp"

namespace palp {
namespace {

constexpr double same_side = 0.5;  // cosine: a normal that turns more within a step tells nothing
constexpr double same_way = 0.9;   // the same for the direction between two points, which is less certain

/// `direction` as a unit vector where it agrees with `before`, otherwise `before`.
Vec3 turned(const Vec3& before, const Vec3& direction, double cosine) {
  const double norm = direction.norm();
  return norm > 0 && direction.dot(before) > cosine * norm ? Vec3(direction / norm) : before;
}

Vec3 face(const TouchSurface& s, int f) {
  const Triangle& t = s.topology().triangles[f];
  const Vec3& a = s.free()[t[0]];
  return (s.free()[t[1]] - a).cross(s.free()[t[2]] - a);
}

Vec3 along(const TouchSurface& s, const SkinPoint& on_edge) {
  return s.free()[on_edge.vertex[1]] - s.free()[on_edge.vertex[0]];
}

/// Perpendicular to both edges, on the side of `before`; nothing where they are almost parallel.
Vec3 across(const Vec3& u, const Vec3& v, const Vec3& before) {
  const Vec3 cross = u.cross(v);
  if (cross.squaredNorm() < 1e-6 * u.squaredNorm() * v.squaredNorm()) return Vec3::Zero();
  return cross.dot(before) < 0 ? Vec3(-cross) : cross;
}

}  // namespace

void move_to_free(const TouchSurface& s1, const TouchSurface& s2, ProximityPair& p) {
  const Vec3 apart = p.P.at(s1.free()) - p.Q.at(s2.free());
  switch (p.kind) {
    case PairKind::vertex_face:
      p.normal = turned(p.normal, face(s2, p.feature2), same_side);
      break;
    case PairKind::face_vertex:
      p.normal = turned(p.normal, -face(s1, p.feature1), same_side);
      break;
    case PairKind::vertex_edge:
    case PairKind::edge_vertex:
      p.normal = turned(p.normal, apart, same_way);
      break;
    case PairKind::edge_edge:
      p.normal = turned(p.normal, across(along(s1, p.P), along(s2, p.Q), p.normal), same_side);
      break;
    case PairKind::vertex_vertex:
      break;
    case PairKind::area:
      return;  // of the search itself
  }
  p.gap_free = p.normal.dot(apart);
}

}  // namespace palp
