#include "palp/proximity/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

constexpr double inside_tolerance =
    1e-9;                          // barycentric: a vertex exactly above an edge belongs to both faces
constexpr double interior = 1e-6;  // an edge parameter closer to its end counts as the vertex
constexpr double cone_tolerance =
    0.05;  // sine of the angle by which a normal may leave a feature's normal cone
constexpr double parallel_sine2 = 1e-6;  // edges closer to parallel define no normal

/// The search for one pair of skins: features are compared primitive by primitive.
struct Search {
  const TouchSurface& s1;
  const TouchSurface& s2;
  const ProximitySettings& set;
  std::vector<ProximityPair>& out;
  /// No gap changes by more than this during the free motion: what is further away is not looked at closely.
  double motion = s1.largest_motion() + s2.largest_motion();
  double far = std::max(set.range_m, set.max_depth_m) + motion;

  bool too_far(const Vec3& d) const { return d.squaredNorm() > far * far; }

  void keep(PairKind kind, int f1, int f2, const SkinPoint& P, const SkinPoint& Q, const Vec3& normal) {
    ProximityPair pair{kind, f1, f2, P, Q, normal, 0, 0};
    pair.gap = normal.dot(P.at(s1.start()) - Q.at(s2.start()));
    pair.gap_free = normal.dot(P.at(s1.free()) - Q.at(s2.free()));
    if (std::min(pair.gap, pair.gap_free) > set.range_m || pair.gap < -set.max_depth_m) return;
    out.push_back(pair);
  }

  /// Does `n`, pointing away from the surface, lie in the normal cone of the edge? Going from the edge into
  /// either of its faces must not go along n.
  bool in_edge_cone(const TouchSurface& s, int edge, const Vec3& n) const {
    const auto& faces = s.topology().edge_face[edge];
    for (int f : faces) {
      if (f < 0) continue;
      const Triangle& t = s.topology().triangles[f];
      const Edge& e = s.topology().edges[edge];
      const Vec3 along = (s.start()[e[1]] - s.start()[e[0]]).normalized();
      int opposite = t[0];
      for (int v : t)
        if (v != e[0] && v != e[1]) opposite = v;
      Vec3 into = s.start()[opposite] - s.start()[e[0]];
      into -= along.dot(into) * along;
      if (n.dot(into) > cone_tolerance * into.norm()) return false;
    }
    return true;
  }

  /// The same at a vertex: no edge that leaves it may go along n.
  bool in_vertex_cone(const TouchSurface& s, int vertex, const Vec3& n) const {
    const auto& t = s.topology();
    for (int k = t.neighbour_start[vertex]; k < t.neighbour_start[vertex + 1]; ++k) {
      const Vec3 out_edge = s.start()[t.neighbour[k]] - s.start()[vertex];
      if (n.dot(out_edge) > cone_tolerance * out_edge.norm()) return false;
    }
    return true;
  }

  bool flat(const TouchSurface& s, int edge) const { return s.edge_cosine(edge) > set.flat_cosine; }

  static SkinPoint vertex_point(int v) { return {{v, v, v}, {1, 0, 0}}; }
  static SkinPoint edge_point(const Edge& e, double t) { return {{e[0], e[1], e[0]}, {1 - t, t, 0}}; }

  /// Vertex v of `sv` against face f of `sf`; `v_is_first`: sv is skin 1.
  void vertex_face(const TouchSurface& sv, int v, const TouchSurface& sf, int f, bool v_is_first) {
    const Vec3& n = sf.face_normal(f);
    if (n.squaredNorm() == 0) return;
    if (sv.vertex_normal(v).dot(n) > 0) return;  // they look the same way: the far side of a thin body
    const Triangle& t = sf.topology().triangles[f];
    const double height = n.dot(sv.start()[v] - sf.start()[t[0]]);
    if (height > set.range_m + motion || height < -far) return;
    const Vec3 w = project_on_plane(sv.start()[v], sf.start()[t[0]], sf.start()[t[1]], sf.start()[t[2]]);
    if (!(w.minCoeff() >= -inside_tolerance)) return;
    const SkinPoint on_face{t, w};
    if (v_is_first)
      keep(PairKind::vertex_face, v, f, vertex_point(v), on_face, n);
    else
      keep(PairKind::face_vertex, f, v, on_face, vertex_point(v), -n);
  }

  void edge_edge(int e1, int e2) {
    const Edge& a = s1.topology().edges[e1];
    const Edge& b = s2.topology().edges[e2];
    const bool faces1 = s1.topology().edge_face[e1][0] >= 0, faces2 = s2.topology().edge_face[e2][0] >= 0;
    const Vec3 &a0 = s1.start()[a[0]], &a1 = s1.start()[a[1]], &b0 = s2.start()[b[0]], &b1 = s2.start()[b[1]];
    const auto [s, t] = closest_between_segments(a0, a1, b0, b1);
    if (s < interior || s > 1 - interior || t < interior || t > 1 - interior) return;
    const Vec3 d = (1 - s) * a0 + s * a1 - (1 - t) * b0 - t * b1;
    if (too_far(d)) return;
    const Vec3 u = a1 - a0, v = b1 - b0;
    Vec3 n = u.cross(v);
    const bool parallel = n.squaredNorm() < parallel_sine2 * u.squaredNorm() * v.squaredNorm();
    if (parallel) {
      if (faces1 || faces2) return;  // vertex-edge pairs at the ends hold parallel edges
      n = d;                         // beams side by side
    }
    // Outwards from body 2, into body 1. Without faces there is no inside: away from each other.
    Vec3 outward = s2.edge_normal(e2) - s1.edge_normal(e1);
    if (!faces1 && !faces2) outward = d;
    if (n.dot(outward) < 0) n = -n;
    const double norm = n.norm();
    if (!(norm > 0)) return;
    n /= norm;
    if (!in_edge_cone(s2, e2, n) || !in_edge_cone(s1, e1, -n)) return;
    keep(PairKind::edge_edge, e1, e2, edge_point(a, s), edge_point(b, t), n);
  }

  /// Vertex v of `sv` against edge e of `se`, where v is outside and no face lies below it.
  void vertex_edge(const TouchSurface& sv, int v, const TouchSurface& se, int e, bool v_is_first) {
    if (flat(se, e)) return;
    const Edge& edge = se.topology().edges[e];
    const double t = closest_on_segment(sv.start()[v], se.start()[edge[0]], se.start()[edge[1]]);
    if (t < interior || t > 1 - interior) return;
    const Vec3 d = sv.start()[v] - (1 - t) * se.start()[edge[0]] - t * se.start()[edge[1]];
    if (too_far(d)) return;
    const Vec3 n = d.normalized();  // Eigen leaves zero as it is
    if (n.squaredNorm() == 0 || sv.vertex_normal(v).dot(n) > 0) return;
    if (se.topology().edge_face[e][0] >= 0 && n.dot(se.edge_normal(e)) <= 0) return;
    if (!in_edge_cone(se, e, n) || !in_vertex_cone(sv, v, -n)) return;
    if (v_is_first)
      keep(PairKind::vertex_edge, v, e, vertex_point(v), edge_point(edge, t), n);
    else
      keep(PairKind::edge_vertex, e, v, edge_point(edge, t), vertex_point(v), -n);
  }

  void vertex_vertex(int v1, int v2) {
    const Vec3 d = s1.start()[v1] - s2.start()[v2];
    if (too_far(d)) return;
    const Vec3 n = d.normalized();
    if (n.squaredNorm() == 0) return;
    if (s1.vertex_normal(v1).dot(n) > 0 || s2.vertex_normal(v2).dot(n) < 0) return;
    if (!in_vertex_cone(s2, v2, n) || !in_vertex_cone(s1, v1, -n)) return;
    keep(PairKind::vertex_vertex, v1, v2, vertex_point(v1), vertex_point(v2), n);
  }

  static Box edge_box(const TouchSurface& s, int edge) {
    Box box = s.vertex_box(s.topology().edges[edge][0]);
    box.grow(s.vertex_box(s.topology().edges[edge][1]));
    return box;
  }

  /// The features of primitive i of skin 1 against those of primitive j of skin 2. What is far apart by its
  /// box is not looked at closely.
  void compare(int i, int j) {
    const TouchTopology::Primitive &p1 = s1.topology().primitives[i], &p2 = s2.topology().primitives[j];
    const Box &whole1 = s1.box(i), &whole2 = s2.box(j);
    const float margin = static_cast<float>(far) * 1.0001f;
    for (int v : p1.owned_vertex) {
      if (v < 0 || !s1.vertex_box(v).near(whole2, margin)) continue;
      if (p2.triangle >= 0) vertex_face(s1, v, s2, p2.triangle, true);
      for (int e : p2.owned_edge)
        if (e >= 0) vertex_edge(s1, v, s2, e, true);
      for (int w : p2.owned_vertex)
        if (w >= 0) vertex_vertex(v, w);
    }
    for (int v : p2.owned_vertex) {
      if (v < 0 || !s2.vertex_box(v).near(whole1, margin)) continue;
      if (p1.triangle >= 0) vertex_face(s2, v, s1, p1.triangle, false);
      for (int e : p1.owned_edge)
        if (e >= 0) vertex_edge(s2, v, s1, e, false);
    }
    for (int e1 : p1.owned_edge) {
      if (e1 < 0 || flat(s1, e1)) continue;
      const Box edge1 = edge_box(s1, e1);
      if (!edge1.near(whole2, margin)) continue;
      for (int e2 : p2.owned_edge)
        if (e2 >= 0 && !flat(s2, e2) && edge1.near(edge_box(s2, e2), margin)) edge_edge(e1, e2);
    }
  }
};

/// A vertex without normal (a point, a beam's axis) that is behind several faces is pushed out of the nearest
/// only.
void keep_shallowest_face(const TouchSurface& s1, const TouchSurface& s2, std::vector<ProximityPair>& pairs) {
  const auto has_no_normal = [&](const ProximityPair& p) {
    if (p.kind == PairKind::vertex_face) return s1.vertex_normal(p.feature1).squaredNorm() == 0;
    if (p.kind == PairKind::face_vertex) return s2.vertex_normal(p.feature2).squaredNorm() == 0;
    return false;
  };
  const auto vertex = [](const ProximityPair& p) {
    return p.kind == PairKind::vertex_face ? p.feature1 : p.feature2;
  };
  std::erase_if(pairs, [&](const ProximityPair& p) {
    if (p.gap >= 0 || !has_no_normal(p)) return false;
    return std::any_of(pairs.begin(), pairs.end(), [&](const ProximityPair& q) {
      return q.kind == p.kind && vertex(q) == vertex(p) && q.gap < 0 &&
             (q.gap > p.gap || (q.gap == p.gap && q.key() < p.key()));
    });
  });
}

}  // namespace

void find_pairs(const TouchSurface& skin1, const TouchSurface& skin2, const ProximitySettings& settings,
                std::vector<ProximityPair>& pairs) {
  pairs.clear();
  Search search{.s1 = skin1, .s2 = skin2, .set = settings, .out = pairs};
  BoxTree::for_each_near_pair(skin1.tree(), skin2.tree(), static_cast<float>(settings.range_m) * 1.0001f,
                              [&](int i, int j) { search.compare(i, j); });
  keep_shallowest_face(skin1, skin2, pairs);
  const auto closer = [](const ProximityPair& a, const ProximityPair& b) {
    const double ga = std::min(a.gap, a.gap_free), gb = std::min(b.gap, b.gap_free);
    return ga != gb ? ga < gb : a.key() < b.key();
  };
  if (static_cast<int>(pairs.size()) > settings.max_pairs) {
    std::nth_element(pairs.begin(), pairs.begin() + settings.max_pairs, pairs.end(), closer);
    pairs.resize(settings.max_pairs);
  }
  std::sort(pairs.begin(), pairs.end(), closer);
}

}  // namespace palp
