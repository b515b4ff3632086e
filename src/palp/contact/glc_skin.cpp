#include "palp/contact/glc_skin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace palp {
namespace {

/// Where the ray from `origin` along the unit vector `direction` passes the triangle; infinite when it does
/// not.
double ray_hit(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double miss = std::numeric_limits<double>::infinity();
  const Vec3 ab = b - a, ac = c - a, h = direction.cross(ac);
  const double det = ab.dot(h);
  if (det == 0) return miss;
  const Vec3 s = origin - a, q = s.cross(ab);
  const double u = s.dot(h) / det, v = direction.dot(q) / det;
  if (u < 0 || v < 0 || u + v > 1) return miss;
  return ac.dot(q) / det;
}

Vec3 area_vector(const Triangle& t, std::span<const Vec3> x) {
  return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
}

}  // namespace

GlcSkin GlcSkin::make(const TouchTopology& topology, std::span<const Vec3> rest, double reach) {
  GlcSkin skin;
  const std::vector<Triangle>& triangles = topology.triangles;
  skin.edge.assign(triangles.size(), {-1, -1, -1});
  for (int e = 0; e < static_cast<int>(topology.edges.size()); ++e)
    for (int f : topology.edge_face[e]) {
      if (f < 0) continue;
      for (int k = 0; k < 3; ++k) {
        const int a = triangles[f][k], b = triangles[f][(k + 1) % 3];
        if (std::min(a, b) == std::min(topology.edges[e][0], topology.edges[e][1]) &&
            std::max(a, b) == std::max(topology.edges[e][0], topology.edges[e][1]))
          skin.edge[f][k] = e;
      }
    }

  const auto longest = [&](int f) {
    int best = 0;
    double length = 0;
    for (int k = 0; k < 3; ++k) {
      const double l = (rest[triangles[f][(k + 1) % 3]] - rest[triangles[f][k]]).norm();
      if (l > length * (1 + 1e-9)) {
        best = k;
        length = l;
      }
    }
    return skin.edge[f][best];
  };
  skin.partner.assign(triangles.size(), -1);
  for (int f = 0; f < static_cast<int>(triangles.size()); ++f) {
    const int e = longest(f);
    const int other = e < 0 ? -1 : topology.edge_face[e][0] + topology.edge_face[e][1] - f;
    if (other >= 0 && topology.edge_face[e][1] >= 0 && longest(other) == e) skin.partner[f] = other;
  }

  skin.ring_start.assign(topology.vertices + 1, 0);
  for (const Triangle& t : triangles)
    for (int v : t) ++skin.ring_start[v + 1];
  for (int v = 0; v < topology.vertices; ++v) skin.ring_start[v + 1] += skin.ring_start[v];
  skin.ring.resize(skin.ring_start.back());
  std::vector<int> next(skin.ring_start.begin(), skin.ring_start.end() - 1);
  for (int f = 0; f < static_cast<int>(triangles.size()); ++f)
    for (int v : triangles[f]) skin.ring[next[v]++] = f;

  // Rays straight down from the triangles' centres against a tree of the triangles.
  skin.thickness.assign(triangles.size(), std::numeric_limits<double>::infinity());
  std::vector<Box> box(triangles.size(), Box::empty());
  for (size_t f = 0; f < triangles.size(); ++f)
    for (int v : triangles[f]) box[f].grow(rest[v]);
  BoxTree tree, ray;
  tree.build(box);
  for (size_t f = 0; f < triangles.size(); ++f) {
    const Triangle& t = triangles[f];
    const Vec3 area = area_vector(t, rest);
    if (!(area.norm() > 0)) continue;
    const Vec3 down = -area.normalized(), centre = (rest[t[0]] + rest[t[1]] + rest[t[2]]) / 3;
    Box path = Box::empty();
    path.grow(centre);
    path.grow(centre + reach * down);
    ray.build({&path, 1});
    BoxTree::for_each_near_pair(ray, tree, 0.0f, [&](int, int other) {
      const Triangle& o = triangles[other];
      // Only where the ray leaves the body again.
      if (static_cast<size_t>(other) == f || !(area_vector(o, rest).dot(down) > 0)) return;
      const double at = ray_hit(centre, down, rest[o[0]], rest[o[1]], rest[o[2]]);
      if (at > 0 && at < reach) skin.thickness[f] = std::min(skin.thickness[f], at);
    });
  }
  return skin;
}

}  // namespace palp
