#include "palp/proximity/overlap.hpp"

#include <algorithm>
#include <cmath>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

/// Deepest of the points that stand for one skin, in the other.
double deepest_in(const TouchSurface& of, const TouchSurface& in, double thickness) {
  if (in.topology().triangles.empty() || !is_closed(in.topology()) || of.tree().empty()) return 0;
  const auto x = of.start();
  double depth = 0;
  const auto look = [&](const Vec3& p) {
    Box box = Box::empty();
    box.grow(p);
    if (box.near(in.tree().bounds(), static_cast<float>(thickness)))
      depth = std::max(depth, thickness - signed_distance(in, p, 2 * thickness));
  };
  for (const Vec3& p : x) look(p);
  for (const Edge& e : of.topology().edges) look(0.5 * (x[e[0]] + x[e[1]]));
  for (const Triangle& t : of.topology().triangles) look((x[t[0]] + x[t[1]] + x[t[2]]) / 3);
  return depth;
}

}  // namespace

bool is_closed(const TouchTopology& topology) {
  return std::all_of(topology.edge_face.begin(), topology.edge_face.end(),
                     [](const auto& faces) { return faces[0] >= 0 && faces[1] >= 0; });
}

double signed_distance(const TouchSurface& surface, const Vec3& point, double limit_m) {
  const auto x = surface.start();
  Box box = Box::empty();
  box.grow(point);
  const double everything = 2.0 * surface.tree().bounds().extent() + limit_m;
  NearestFace nearest{everything};
  // Wider and wider around the point, until something is found that nothing outside can beat.
  for (double reach = everything / 256; nearest.distance > reach && reach < 4 * everything; reach *= 4)
    surface.tree().for_each_near(box, static_cast<float>(reach), [&](int i) {
      const int f = surface.topology().primitives[i].triangle;
      if (f < 0) return;
      const Triangle& t = surface.topology().triangles[f];
      const Vec3 w = closest_on_triangle(point, x[t[0]], x[t[1]], x[t[2]]);
      const Vec3 d = point - (w[0] * x[t[0]] + w[1] * x[t[1]] + w[2] * x[t[2]]);
      nearest.offer(d.norm(), surface.face_normal(f).dot(d));
    });
  return nearest.height < 0 ? -nearest.distance : std::min(nearest.distance, std::max(limit_m, 0.0));
}

double distance(const TouchSurface& skin, const Vec3& point, double reach_m) {
  Box box = Box::empty();
  box.grow(point);
  double best = reach_m;
  skin.tree().for_each_near(box, static_cast<float>(reach_m), [&](int i) {
    const TouchTopology::Primitive& p = skin.topology().primitives[i];
    Vec3 nearest = skin.start()[p.vertex[0]];
    if (p.triangle >= 0) {
      const Vec3 &a = nearest, &b = skin.start()[p.vertex[1]], &c = skin.start()[p.vertex[2]];
      const Vec3 w = closest_on_triangle(point, a, b, c);
      nearest = (w[0] * a + w[1] * b + w[2] * c).eval();
    } else if (p.edge >= 0) {
      const Vec3& end = skin.start()[p.vertex[1]];
      nearest += closest_on_segment(point, nearest, end) * (end - nearest);
    }
    best = std::min(best, (point - nearest).norm());
  });
  return best;
}

double deepest_overlap(const TouchSurface& skin1, const TouchSurface& skin2, double thickness_m) {
  if (skin1.tree().empty() || skin2.tree().empty() ||
      !skin1.tree().bounds().near(skin2.tree().bounds(), static_cast<float>(thickness_m)))
    return 0;
  return std::max(deepest_in(skin1, skin2, thickness_m), deepest_in(skin2, skin1, thickness_m));
}

}  // namespace palp
