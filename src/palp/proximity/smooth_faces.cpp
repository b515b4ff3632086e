#include "palp/proximity/smooth_faces.hpp"

#include <algorithm>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

constexpr double beside = 0.7;  // cosine between the normal of a patch and the way to it

/// Group of the faces that go on smoothly from face f around vertex v.
int group_of(const TouchSurface& s, int v, int f) {
  const TouchTopology& t = s.topology();
  int k = t.ring_start[v];
  while (t.ring[k] != f) ++k;
  return s.at_rest.smooth_group[k];
}

/// The face whose smooth surroundings the other side of the pair touches; −1: a crease, a point, a rim.
int smooth_face(const TouchSurface& s, const ProximityPair& pair, int side) {
  const TouchTopology& t = s.topology();
  const int feature = side == 0 ? pair.feature1 : pair.feature2;
  if (pair.vertex(side) >= 0) return is_smooth_vertex(s, feature) ? t.ring[t.ring_start[feature]] : -1;
  if (pair.kind == PairKind::vertex_face || pair.kind == PairKind::face_vertex) return feature;
  return is_smooth_edge(s, feature) ? t.edge_face[feature][0] : -1;
}

}  // namespace

bool is_smooth_vertex(const TouchSurface& s, int v) {
  const TouchTopology& t = s.topology();
  const int first = t.ring_start[v], last = t.ring_start[v + 1];
  const auto groups = std::span(s.at_rest.smooth_group).subspan(first, last - first);
  return first < last && std::all_of(groups.begin(), groups.end(), [&](int g) { return g == groups[0]; });
}

bool is_smooth_edge(const TouchSurface& s, int e) {
  const auto& [f, g] = s.topology().edge_face[e];
  if (f < 0 || g < 0) return false;
  for (int v : s.topology().edges[e])
    if (group_of(s, v, f) != group_of(s, v, g)) return false;
  return true;
}

Patch patch_over(const TouchSurface& mesh, const SkinPoint& on, int f) {
  const Vec3 p = on.at(mesh.start());
  Patch patch;
  for (int k = 0; k < 3; ++k) {
    if (on.weight[k] == 0) continue;
    const int v = on.vertex[k];
    const Vec3& of_corner = mesh.smooth_normal(v, group_of(mesh, v, f));
    patch.normal += on.weight[k] * of_corner;
    patch.lift += 0.5 * on.weight[k] * (mesh.start()[v] - p).dot(of_corner) * of_corner;
  }
  return patch;
}

SeenPatch seen_patch(const TouchSurface& mesh, const Vec3& x, const SkinPoint& foot, int f) {
  const auto [n, lift] = patch_over(mesh, foot, f);
  const Vec3 apart = x - foot.at(mesh.start());
  const double norm = n.norm();
  SeenPatch seen;
  if (norm < 0.5 || std::abs(n.dot(apart)) < beside * norm * apart.norm()) return seen;
  seen.normal = n / norm;
  seen.lift = lift;
  seen.gap = seen.normal.dot(apart - lift);
  return seen;
}

bool nearest_patch(const TouchSurface& mesh, const Vec3& x, double reach, SkinPoint& foot, SeenPatch& out) {
  int nearest = -1;
  mesh.tree().for_nearest(x, reach, [&](int i, double best) {
    const int f = mesh.topology().primitives[i].triangle;
    if (f < 0) return best;
    const Triangle& t = mesh.topology().triangles[f];
    const SkinPoint on{t, closest_on_triangle(x, mesh.start()[t[0]], mesh.start()[t[1]], mesh.start()[t[2]])};
    const double distance = (x - on.at(mesh.start())).norm();
    if (distance > best || (nearest >= 0 && distance == best)) return best;
    foot = on;
    nearest = f;
    return distance;
  });
  if (nearest >= 0) out = seen_patch(mesh, x, foot, nearest);
  return nearest >= 0;
}

bool is_smooth_mesh(const TouchSurface& rigid) { return !rigid.at_rest.smooth_group.empty(); }

void lift_to_patches(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                     std::vector<ProximityPair>& pairs) {
  const int soft = settings.leading - 1, rigid = 1 - soft;
  const TouchSurface& mesh = rigid == 0 ? s1 : s2;
  for (ProximityPair& pair : pairs) {
    if (pair.vertex(soft) < 0) continue;
    const int f = smooth_face(mesh, pair, rigid);
    if (f < 0) continue;
    const SkinPoint& on = rigid == 0 ? pair.P : pair.Q;
    const auto [n, lift] = patch_over(mesh, on, f);
    const double sign = rigid == 1 ? 1 : -1;  // the normal of a pair points into skin 1
    const double norm = n.norm();
    if (!(norm > 0.5) || sign * n.dot(pair.normal) < 0.5 * norm) continue;
    pair.normal = sign / norm * n;
    pair.bulge = -sign * lift;
    pair.gap = pair.normal.dot(pair.P.at(s1.start()) + pair.bulge - pair.Q.at(s2.start()));
    pair.gap_free = pair.normal.dot(pair.P.at(s1.free()) + pair.bulge - pair.Q.at(s2.free()));
  }
}

}  // namespace palp
