#include "palp/proximity/leading.hpp"

#include <cmath>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

constexpr double smooth_cosine = 0.9;  // faces at a smoother edge are one curved face
constexpr double turned_cosine = 0.9;  // between the place of contact and the vertices around it

struct Leading {
  const TouchSurface& soft;
  const TouchSurface& rigid;
  bool rounded;  ///< the rigid skin is the core of a rounded shape
  double range;  ///< of the search
  std::vector<OverVertex>& over;

  bool is_smooth_vertex(int v) const {
    const auto& t = rigid.topology();
    const int faces = t.ring_start[v + 1] - t.ring_start[v];
    if (faces == 0 || faces != t.neighbour_start[v + 1] - t.neighbour_start[v])
      return false;  // a point, a rim
    for (int k = t.ring_start[v]; k < t.ring_start[v + 1]; ++k)
      if (rigid.face_normal(t.ring[k]).dot(rigid.vertex_normal(v)) < smooth_cosine) return false;
    return true;
  }

  /// Outward normal of the rigid skin where it is nearest to vertex v of the soft one; zero when it is
  /// further away than `reach`.
  Vec3 nearest_normal(int v, double reach) const {
    const Vec3& x = soft.start()[v];
    Vec3 normal = Vec3::Zero();
    rigid.tree().for_nearest(x, reach, [&](int i, double best) {
      const auto& p = rigid.topology().primitives[i];
      Vec3 nearest = rigid.start()[p.vertex[0]];
      if (p.triangle >= 0) {
        const Triangle& t = rigid.topology().triangles[p.triangle];
        nearest = SkinPoint{t, closest_on_triangle(x, rigid.start()[t[0]], rigid.start()[t[1]],
                                                   rigid.start()[t[2]])}
                      .at(rigid.start());
      } else if (p.edge >= 0) {
        const Vec3& end = rigid.start()[p.vertex[1]];
        nearest += closest_on_segment(x, nearest, end) * (end - nearest);
      }
      const Vec3 d = x - nearest;
      const double distance = d.norm();
      if (distance > best) return best;
      normal = rounded && distance > 0 ? Vec3(d / distance)
               : p.triangle >= 0       ? rigid.face_normal(p.triangle)
                                       : Vec3(Vec3::Zero());
      return distance;
    });
    return normal;
  }

  /// Does the rigid surface, whose outward normal is n at the place of contact, go on over vertex v?
  bool reaches(int v, const Vec3& n, double reach) {
    OverVertex& known = over[v];
    if (known.reach < reach && known.normal.isZero(0)) known = {nearest_normal(v, reach), reach};
    return known.normal.dot(n) > turned_cosine;
  }

  bool left_to_vertices(const SkinPoint& on_soft, const Vec3& n) {
    double size = 0;
    const Vec3 x = on_soft.at(soft.start());
    for (int k = 0; k < 3; ++k)
      if (on_soft.weight[k] > 0) size = std::max(size, (soft.start()[on_soft.vertex[k]] - x).norm());
    for (int k = 0; k < 3; ++k)
      if (on_soft.weight[k] > 0 && !reaches(on_soft.vertex[k], n, range + size)) return false;
    return true;
  }
};

}  // namespace

void leave_to_vertices(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                       ProximityScratch& scratch) {
  const int lead = settings.leading - 1;
  const TouchSurface &soft = lead == 0 ? s1 : s2, &rigid = lead == 0 ? s2 : s1;
  Leading leading{soft, rigid, settings.rounded[1 - lead], settings.range_m, scratch.over};
  scratch.over.assign(soft.start().size(), {});
  for (PairCandidate& c : scratch.candidates) {
    const ProximityPair& p = c.pair;
    if (!c.faces || p.vertex(lead) >= 0) continue;
    if (std::min(p.gap, p.gap_free) > settings.range_m) continue;
    const int w = p.vertex(1 - lead), e = lead == 0 ? p.feature2 : p.feature1;
    const bool smooth =
        leading.rounded || (w >= 0 ? leading.is_smooth_vertex(w) : rigid.edge_cosine(e) > smooth_cosine);
    const Vec3 outward = lead == 0 ? p.normal : Vec3(-p.normal);
    if (smooth && leading.left_to_vertices(lead == 0 ? p.P : p.Q, outward)) c.faces = false;
  }
}

}  // namespace palp
