#include "palp/proximity/curved_faces.hpp"

#include <algorithm>
#include <array>

namespace palp {
namespace {

constexpr double clear = 5e-4;   // of the longest edge: how much nearer than its corners a patch must come
constexpr double looking = 0.2;  // cosine: the face looks at the tool
constexpr double closed = 1e-6;  // barycentric: a point on the border of a face is in it

/// The patch over a face, and the centre of a ball.
struct Patch {
  std::array<Vec3, 3> v, n;  // corners and their normals
  Vec3 centre;

  Vec3 at(const Vec3& w) const {
    const Vec3 p = w[0] * v[0] + w[1] * v[1] + w[2] * v[2];
    Vec3 lifted = p;
    for (int k = 0; k < 3; ++k) lifted += 0.5 * w[k] * (v[k] - p).dot(n[k]) * n[k];
    return lifted;
  }
  Vec3 apart(const Vec3& p) const { return p - centre; }

  static Vec3 weights(const Vec2& u) { return {1 - u.sum(), u[0], u[1]}; }

  /// Half the gradient of |apart|² over two of the weights.
  Vec2 slope(const Vec2& u) const {
    constexpr double h = 1e-4;
    const Vec3 d = apart(at(weights(u)));
    const auto along = [&](const Vec2& step) {
      return d.dot(at(weights(u + step)) - at(weights(u - step))) / (2 * h);
    };
    return {along({h, 0}), along({0, h})};
  }

  /// Weights of the point that is nearest to the core; false when it is not inside the face.
  bool nearest(Vec3& w) const {
    Vec2 u = Vec2::Constant(1.0 / 3);
    const double scale = (v[1] - v[0]).squaredNorm() + (v[2] - v[0]).squaredNorm();
    for (int i = 0; i < 12; ++i) {
      constexpr double h = 1e-4;
      const Vec2 g = slope(u), gx = slope(u + Vec2(h, 0)), gy = slope(u + Vec2(0, h));
      const double j00 = (gx[0] - g[0]) / h, j10 = (gx[1] - g[1]) / h, j01 = (gy[0] - g[0]) / h,
                   j11 = (gy[1] - g[1]) / h, det = j00 * j11 - j01 * j10;
      if (!(j00 > 0) || !(det > 1e-6 * scale * scale * 1e-3)) return false;  // not bowl-shaped
      Vec2 step(-(j11 * g[0] - j01 * g[1]) / det, -(j00 * g[1] - j10 * g[0]) / det);
      const double length = step.norm();
      if (length > 0.5) step *= 0.5 / length;
      u += step;
      if (u.cwiseAbs().maxCoeff() > 2) return false;
      if (length < 1e-10) break;
    }
    w = weights(u);
    return w.minCoeff() > -closed;
  }
};

struct CurvedFaces {
  const TouchSurface& soft;
  const TouchSurface& core;
  double range;

  bool patch_of(int f, int of_core, Patch& out) const {
    const TouchTopology& t = soft.topology();
    for (int k = 0; k < 3; ++k) {
      const int v = t.triangles[f][k];
      int place = t.ring_start[v];
      while (t.ring[place] != f) ++place;
      out.v[k] = soft.start()[v];
      out.n[k] = soft.smooth_normal(v, soft.at_rest.smooth_group[place]);
    }
    out.centre = core.start()[of_core];
    const Vec3 middle = (out.v[0] + out.v[1] + out.v[2]) / 3, d = out.apart(middle);
    return -soft.face_normal(f).dot(d) > looking * d.norm();
  }

  /// The pair of a face and a vertex of the core, the soft skin first.
  bool pair_of(int f, int of_core, ProximityPair& pair) const {
    Patch patch;
    if (!patch_of(f, of_core, patch)) return false;
    double longest = 0, corners = 1e300;
    for (int k = 0; k < 3; ++k) {
      longest = std::max(longest, (patch.v[(k + 1) % 3] - patch.v[k]).norm());
      corners = std::min(corners, patch.apart(patch.v[k]).norm());
    }
    const double motion = soft.largest_motion() + core.largest_motion();
    if (corners > range + motion + longest) return false;
    Vec3 w;
    if (!patch.nearest(w)) return false;
    const Vec3 c = patch.at(w);
    pair.kind = PairKind::face_vertex;
    pair.feature1 = f;
    pair.feature2 = of_core;
    pair.P = {soft.topology().triangles[f], w};
    pair.Q = {{of_core, of_core, of_core}, {1, 0, 0}};
    pair.bulge = c - pair.P.at(soft.start());
    pair.normal = patch.apart(c);
    pair.gap = pair.normal.norm();
    if (!(pair.gap > 0) || pair.gap > corners - clear * longest) return false;
    pair.normal /= pair.gap;
    pair.gap_free = pair.normal.dot(pair.P.at(soft.free()) + pair.bulge - pair.Q.at(core.free()));
    return std::min(pair.gap, pair.gap_free) <= range;
  }
};

}  // namespace

void add_curved_faces(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                      ProximityScratch& scratch, std::vector<ProximityPair>& pairs) {
  const bool soft_first = settings.leading == 1;
  const CurvedFaces faces{soft_first ? s1 : s2, soft_first ? s2 : s1, settings.range_m};
  const TouchTopology& t = faces.soft.topology();
  const auto& curved_edge = faces.soft.at_rest.curved_edge;
  if (curved_edge.empty()) return;
  auto& curved = scratch.doubled;
  curved.assign(t.triangles.size(), 0);
  for (size_t e = 0; e < curved_edge.size(); ++e)
    if (curved_edge[e])
      for (int f : t.edge_face[e])
        if (f >= 0) curved[static_cast<size_t>(f)] = 1;
  BoxTree::for_each_near_pair(
      s1.tree(), s2.tree(), static_cast<float>(settings.range_m) * 1.0001f, [&](int i, int j) {
        const int f = t.primitives[soft_first ? i : j].triangle;
        const auto& core = faces.core.topology().primitives[soft_first ? j : i];
        if (f < 0 || core.triangle >= 0 || core.edge >= 0 || !curved[static_cast<size_t>(f)]) return;
        ProximityPair pair;
        if (!faces.pair_of(f, core.vertex[0], pair)) return;
        if (!soft_first) {
          pair.kind = PairKind::vertex_face;
          std::swap(pair.feature1, pair.feature2);
          std::swap(pair.P, pair.Q);
          pair.normal = -pair.normal;
          pair.bulge = -pair.bulge;
        }
        const auto chord = std::find_if(pairs.begin(), pairs.end(),
                                        [&](const ProximityPair& p) { return p.key() == pair.key(); });
        if (chord == pairs.end())
          pairs.push_back(pair);
        else
          *chord = pair;
      });
}

}  // namespace palp
