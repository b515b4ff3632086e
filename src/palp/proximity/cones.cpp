#include "palp/proximity/cones.hpp"

namespace palp {
namespace {

constexpr double exact = 1e-8;  // sine: a direction on the border of a cone is in it

/// Of the normals of some faces, the one most opposed to `against`.
struct MostOpposed {
  const TouchSurface& s;
  const Vec3& against;
  Vec3 best = Vec3::Zero();
  double dot = 1e300;

  void consider(const Vec3& n) {
    const double d = n.dot(against);
    if (n.squaredNorm() > 0 && d < dot) dot = d, best = n;
  }
};

}  // namespace

bool is_concave(const TouchSurface& s, int edge) {
  const auto& [f, g] = s.topology().edge_face[edge];
  if (f < 0 || g < 0) return false;
  return s.face_normal(f).dot(s.start()[s.topology().edge_apex[edge][1]] -
                              s.start()[s.topology().edges[edge][0]]) > 0;
}

bool in_edge_cone(const TouchSurface& s, int edge, const Vec3& n, double sine) {
  const Edge& e = s.topology().edges[edge];
  const Vec3 &a = s.start()[e[0]], along = s.start()[e[1]] - a;
  const double length2 = along.squaredNorm();
  for (int apex : s.topology().edge_apex[edge]) {
    if (apex < 0) continue;
    Vec3 into = s.start()[apex] - a;
    if (length2 > 0) into -= along.dot(into) / length2 * along;
    const double rise = n.dot(into);
    if (rise > 0 && rise * rise > sine * sine * into.squaredNorm()) return false;
  }
  return true;
}

bool in_vertex_cone(const TouchSurface& s, int vertex, const Vec3& n, double sine) {
  const auto& t = s.topology();
  for (int k = t.neighbour_start[vertex]; k < t.neighbour_start[vertex + 1]; ++k) {
    const Vec3 out_edge = s.start()[t.neighbour[k]] - s.start()[vertex];
    const double rise = n.dot(out_edge);
    if (rise > 0 && rise * rise > sine * sine * out_edge.squaredNorm()) return false;
  }
  return true;
}

bool faces_along(const TouchSurface& s, int vertex, const Vec3& n) {
  constexpr double steep = 0.8;     // sine of the steepest edge along which a touching body may go on
  constexpr double grazing = 0.05;  // cosine: a surface that lies along n does not face it
  if (s.vertex_normal(vertex).squaredNorm() == 0) return true;
  const double towards = s.vertex_normal(vertex).dot(n);
  if (towards < -steep) return true;  // its surface lies across n and has no such edge
  if (towards > 0) return false;
  if (towards > -0.3) {
    // Areas mislead at the rim of a thin disc, angles do not.
    const Vec3 pseudo = s.pseudo_normal(vertex);
    if (pseudo.dot(n) > -grazing * pseudo.norm()) return false;
  }
  return in_vertex_cone(s, vertex, -n, steep);
}

Vec3 normal_on_edge(const TouchSurface& sv, int v, const TouchSurface& so, int edge) {
  const Vec3& own = sv.vertex_normal(v);
  const Vec3 outward = so.edge_normal(edge);
  if (own.squaredNorm() == 0) return outward.normalized();
  const Edge& e = so.topology().edges[edge];
  const Vec3 along = (so.start()[e[1]] - so.start()[e[0]]).normalized();
  const Vec3 across = (along.dot(own) * along - own).normalized();
  if (across.dot(outward) > 0 && in_edge_cone(so, edge, across, exact)) return across;
  MostOpposed best{so, own};
  for (int f : so.topology().edge_face[edge])
    if (f >= 0) best.consider(so.face_normal(f));
  return best.best;
}

Vec3 normal_on_vertex(const TouchSurface& sv, int v, const TouchSurface& so, int w) {
  const Vec3& own = sv.vertex_normal(v);
  const Vec3& outward = so.vertex_normal(w);
  if (own.squaredNorm() == 0) return outward;
  if (own.dot(outward) < 0 && in_vertex_cone(so, w, -own, exact)) return -own;
  MostOpposed best{so, own};
  const auto& t = so.topology();
  for (int k = t.ring_start[w]; k < t.ring_start[w + 1]; ++k) best.consider(so.face_normal(t.ring[k]));
  return best.best;
}

}  // namespace palp
