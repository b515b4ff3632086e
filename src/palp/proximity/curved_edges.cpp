#include "palp/proximity/curved_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "palp/proximity/distance.hpp"
#include "palp/proximity/smooth_faces.hpp"

namespace palp {
namespace {

constexpr double smooth_cosine = 0.75;  // faces that turn less at rest (41°) are one curved face
constexpr double clear = 5e-4;   // of the edge's length: how much nearer than its ends a curve must come
constexpr double looking = 0.2;  // cosine: the face looks at the tool

/// An edge of the skin as a curve.
struct Curve {
  Vec3 a, b, from_a, to_b;  // ends and tangents there

  Vec3 at(double t) const {
    const double u = 1 - t;
    return u * u * (1 + 2 * t) * a + t * t * (3 - 2 * t) * b + t * u * (u * from_a - t * to_b);
  }
  Vec3 slope(double t) const {
    const double u = 1 - t;
    return 6 * t * u * (b - a) + u * (u - 2 * t) * from_a + t * (t - 2 * u) * to_b;
  }
};

/// Where face f is in the ring of vertex v.
int corner(const TouchTopology& t, int v, int f) {
  int k = t.ring_start[v];
  while (t.ring[k] != f) ++k;
  return k;
}

struct CurvedEdges {
  const TouchSurface& soft;
  const TouchSurface& core;
  double range;
  const TouchSurface::RestShape& shape = soft.at_rest;

  const Vec3& x(int vertex) const { return soft.start()[vertex]; }

  SkinPoint nearest_on_core(const TouchTopology::Primitive& p, const Vec3& c) const {
    if (p.edge < 0) return {{p.vertex[0], p.vertex[0], p.vertex[0]}, {1, 0, 0}};
    const double t = closest_on_segment(c, core.start()[p.vertex[0]], core.start()[p.vertex[1]]);
    return {{p.vertex[0], p.vertex[1], p.vertex[0]}, {1 - t, t, 0}};
  }

  /// From the core's nearest point to c.
  Vec3 apart(const TouchTopology::Primitive& p, const Vec3& c) const {
    return c - nearest_on_core(p, c).at(core.start());
  }

  double length(int e) const {
    const Edge& edge = soft.topology().edges[e];
    return (x(edge[1]) - x(edge[0])).norm();
  }

  Vec3 middle(int e) const {
    const Edge& edge = soft.topology().edges[e];
    return 0.5 * (x(edge[0]) + x(edge[1]));
  }

  /// The longest edge of both its triangles: a diagonal, for which the edges around it speak.
  bool is_diagonal(int e) const {
    const auto& t = soft.topology();
    const double length2 = (x(t.edges[e][1]) - x(t.edges[e][0])).squaredNorm();
    for (int k = 0; k < 2; ++k) {
      const int apex = t.edge_apex[e][k];
      if (apex < 0) return false;
      for (int end : t.edges[e])
        if ((x(apex) - x(end)).squaredNorm() >= 0.999 * length2) return false;
    }
    return true;
  }

  /// The face at the edge that looks at a primitive of the core; −1: none.
  int looking_face(int e, const TouchTopology::Primitive& p) const {
    const Edge& edge = soft.topology().edges[e];
    const Vec3 to_core = -apart(p, x(edge[0])) - apart(p, x(edge[1]));
    int best = -1;
    double most = looking * to_core.norm();
    for (int f : soft.topology().edge_face[e])
      if (f >= 0 && soft.face_normal(f).dot(to_core) > most)
        most = soft.face_normal(f).dot(to_core), best = f;
    return best;
  }

  /// Normal at the end `v` of an edge that comes along `e`: the mean, by angles, over the faces that go on
  /// smoothly from face f. Zero when the surface does not go on beyond v.
  Vec3 normal_at(int v, const Vec3& e, int f) const {
    const auto& t = soft.topology();
    const int group = shape.smooth_group[corner(t, v, f)];
    bool goes_on = false;
    for (int k = t.ring_start[v]; k < t.ring_start[v + 1] && !goes_on; ++k) {
      if (shape.smooth_group[k] != group) continue;
      const Triangle& f_k = t.triangles[t.ring[k]];
      const int i = f_k[0] == v ? 0 : f_k[1] == v ? 1 : 2;
      const Vec3 p = x(f_k[(i + 1) % 3]) - x(v), q = x(f_k[(i + 2) % 3]) - x(v);
      goes_on = (p + q).dot(e) > 0;
    }
    if (!goes_on) return Vec3::Zero();
    return &shape == &soft.at_rest ? soft.smooth_normal(v, group)
                                   : soft.pseudo_normal(v, shape.smooth_group, group).normalized();
  }

  /// The curve of an edge of face f; straight where the surface ends at both vertices. Where it ends at one
  /// the curve is an arc: the other's normal in a mirror.
  Curve curve_of(const Edge& edge, int f) const {
    const Vec3 &a = x(edge[0]), &b = x(edge[1]), e = b - a;
    Vec3 na = normal_at(edge[0], -e, f), nb = normal_at(edge[1], e, f);
    const auto mirrored = [&](const Vec3& n) -> Vec3 { return n - 2 * e.dot(n) / e.squaredNorm() * e; };
    if (na.isZero(0)) na = mirrored(nb);
    if (nb.isZero(0)) nb = mirrored(na);
    return {a, b, e - e.dot(na) * na, e - e.dot(nb) * nb};
  }

  /// Where inside the edge the curve is nearest to the tool, of all places where it comes near and leaves
  /// again; −1: there is none. `away(t)`: how fast it goes away at t; `distance(t)`: from the tool there.
  static double nearest(auto&& away, auto&& distance) {
    constexpr int pieces = 4;
    double best = -1, best_distance = 0, at_low = away(0);
    for (int k = 0; k < pieces; ++k) {
      double low = static_cast<double>(k) / pieces, high = static_cast<double>(k + 1) / pieces;
      double f_low = at_low, f_high = at_low = away(high);
      if (!(f_low < 0 && f_high >= 0)) continue;
      double t = high;
      for (int i = 0; i < 30 && high - low > 1e-10 && f_high > 0; ++i) {  // Illinois
        t = (low * f_high - high * f_low) / (f_high - f_low);
        const double now = away(t);
        if (std::abs(now) <= 1e-14 * (f_high - f_low)) break;
        if (now < 0) {
          low = t, f_low = now, f_high *= 0.5;
        } else {
          high = t, f_high = now, f_low *= 0.5;
        }
      }
      const double here = distance(t);
      if (best < 0 || here < best_distance) best = t, best_distance = here;
    }
    return best;
  }
  double nearest(const Curve& curve, const TouchTopology::Primitive& p) const {
    return nearest([&](double t) { return curve.slope(t).dot(apart(p, curve.at(t))); },  // |apart|² / 2
                   [&](double t) { return apart(p, curve.at(t)).squaredNorm(); });
  }

  /// What touches inside edge e: the pair with a primitive of the core, the soft skin first. It comes nearer
  /// than the ends of the edge by `clear_m` at least; false when there is none.
  bool pair_of(int e, const TouchTopology::Primitive& p, double clear_m, ProximityPair& pair) const {
    const Edge& edge = soft.topology().edges[e];
    const double ends = std::min(apart(p, x(edge[0])).norm(), apart(p, x(edge[1])).norm());
    const int f = looking_face(e, p);
    if (f < 0) return false;
    const Curve curve = curve_of(edge, f);
    const double t = nearest(curve, p);
    if (t < 0) return false;
    const Vec3 c = curve.at(t);
    pair.kind = p.edge >= 0 ? PairKind::edge_edge : PairKind::edge_vertex;
    pair.feature1 = e;
    pair.feature2 = p.edge >= 0 ? p.edge : p.vertex[0];
    pair.P = {{edge[0], edge[1], edge[0]}, {1 - t, t, 0}};
    pair.Q = nearest_on_core(p, c);
    pair.bulge = c - pair.P.at(soft.start());
    pair.normal = apart(p, c);
    pair.gap = pair.normal.norm();
    if (!(pair.gap > 0) || pair.gap > ends - clear_m) return false;
    pair.normal /= pair.gap;
    pair.gap_free = pair.normal.dot(pair.P.at(soft.free()) + pair.bulge - pair.Q.at(core.free()));
    return std::min(pair.gap, pair.gap_free) <= range;
  }

  /// The same with the patches of a mesh, the core.
  bool pair_on_patch(int e, double clear_m, ProximityPair& pair) const {
    const Edge& edge = soft.topology().edges[e];
    const double reach = range + soft.largest_motion() + core.largest_motion() + length(e);
    const auto seen_from = [&](const Vec3& c) {
      SeenPatch seen;
      return nearest_patch(core, c, reach, pair.Q, seen) ? seen : SeenPatch{};
    };
    const SeenPatch over_a = seen_from(x(edge[0])), over_b = seen_from(x(edge[1]));
    int f = -1;
    double most = looking * (over_a.normal + over_b.normal).norm();
    for (int side : soft.topology().edge_face[e])
      if (const double to = side < 0 ? 0 : -soft.face_normal(side).dot(over_a.normal + over_b.normal);
          to > most)
        most = to, f = side;
    if (f < 0 || over_a.normal.isZero(0) || over_b.normal.isZero(0)) return false;
    const Curve curve = curve_of(edge, f);
    const double t = nearest([&](double s) { return curve.slope(s).dot(seen_from(curve.at(s)).normal); },
                             [&](double s) { return seen_from(curve.at(s)).gap; });
    if (t < 0) return false;
    const Vec3 c = curve.at(t);
    const SeenPatch there = seen_from(c);
    if (there.normal.isZero(0) || there.gap > std::min(over_a.gap, over_b.gap) - clear_m) return false;
    pair.kind = PairKind::edge_edge;
    pair.feature1 = e;
    pair.feature2 = ProximityPair::patches;
    pair.P = {{edge[0], edge[1], edge[0]}, {1 - t, t, 0}};
    pair.bulge = c - pair.P.at(soft.start()) - there.lift;
    pair.normal = there.normal;
    pair.gap = there.gap;
    pair.gap_free = pair.normal.dot(pair.P.at(soft.free()) + pair.bulge - pair.Q.at(core.free()));
    return std::min(pair.gap, pair.gap_free) <= range;
  }

  bool is_far(int e, const TouchTopology::Primitive& p, double motion) const {
    return apart(p, middle(e)).norm() > range + motion + length(e);
  }

  bool is_curved(int e) const { return !shape.curved_edge.empty() && shape.curved_edge[e] != 0; }

  /// Does the curve of edge e, as part of face f, leave its chord?
  bool bends(int e, int f) const {
    return (curve_of(soft.topology().edges[e], f).at(0.5) - middle(e)).norm() > clear * length(e);
  }
};

/// The same pair, seen from the other skin.
ProximityPair turned_round(ProximityPair pair) {
  std::swap(pair.feature1, pair.feature2);
  std::swap(pair.P, pair.Q);
  if (pair.kind == PairKind::edge_vertex)
    pair.kind = PairKind::vertex_edge;
  else if (pair.kind == PairKind::vertex_edge)
    pair.kind = PairKind::edge_vertex;
  pair.normal = -pair.normal;
  pair.bulge = -pair.bulge;
  return pair;
}

}  // namespace

TouchSurface::RestShape rest_shape(const TouchSurface& at_rest) {
  const TouchTopology& t = at_rest.topology();
  TouchSurface::RestShape shape;
  // Faces on both sides of a smooth edge are of one group at both its ends.
  shape.smooth_group.resize(t.ring.size());
  std::iota(shape.smooth_group.begin(), shape.smooth_group.end(), 0);
  for (size_t e = 0; e < t.edges.size(); ++e) {
    if (at_rest.edge_cosine(static_cast<int>(e)) < smooth_cosine) continue;
    for (int v : t.edges[e]) {
      const int a = shape.smooth_group[corner(t, v, t.edge_face[e][0])],
                b = shape.smooth_group[corner(t, v, t.edge_face[e][1])];
      for (int k = t.ring_start[v]; k < t.ring_start[v + 1]; ++k)
        if (shape.smooth_group[k] == a) shape.smooth_group[k] = b;
    }
  }
  for (const Triangle& f : t.triangles) {
    const Vec3 &a = at_rest.start()[f[0]], &b = at_rest.start()[f[1]], &c = at_rest.start()[f[2]];
    const double longest =
        std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
    // A vertex has two faces' area to itself; the longest side of half a square is √2 times its own.
    shape.cell_m.push_back(std::max(std::sqrt((b - a).cross(c - a).norm()), longest / std::sqrt(2.0)));
  }
  const CurvedEdges edges{at_rest, at_rest, 0, shape};
  shape.curved_edge.assign(t.edges.size(), 0);
  for (size_t e = 0; e < t.edges.size(); ++e) {
    if (edges.is_diagonal(static_cast<int>(e))) continue;
    for (int f : t.edge_face[e])
      if (f >= 0 && edges.bends(static_cast<int>(e), f)) shape.curved_edge[e] = 1;
  }
  return shape;
}

bool curved_edge_on_axis(const TouchSurface& soft, int edge, const TouchSurface& core, const Edge& axis,
                         double range_m, bool touches, ProximityPair& pair) {
  const CurvedEdges curved{soft, core, range_m};
  TouchTopology::Primitive between;
  between.edge = 0;
  between.vertex = {axis[0], axis[1], -1};
  if (curved.is_far(edge, between, soft.largest_motion() + core.largest_motion())) return false;
  if (!curved.pair_of(edge, between, touches ? 0 : clear * curved.length(edge), pair)) return false;
  return pair.Q.weight[0] > 0 && pair.Q.weight[1] > 0;
}

void add_curved_edges(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                      std::vector<ProximityPair>& pairs) {
  const bool soft_first = settings.leading == 1;
  const CurvedEdges curved{soft_first ? s1 : s2, soft_first ? s2 : s1, settings.range_m};
  const auto seen = [&](const ProximityPair& pair) { return soft_first ? pair : turned_round(pair); };
  // A chord that is a contact already becomes its curve; where that is nearest at an end, the vertex speaks.
  std::erase_if(pairs, [&](ProximityPair& chord) {
    const ProximityPair own = seen(chord);
    if (own.kind != PairKind::edge_edge && own.kind != PairKind::edge_vertex) return false;
    if (!curved.is_curved(own.feature1)) return false;
    TouchTopology::Primitive core;
    core.vertex = {own.Q.vertex[0], own.Q.vertex[1], -1};
    if (own.kind == PairKind::edge_edge) core.edge = own.feature2;
    if (curved.looking_face(own.feature1, core) < 0) return false;
    ProximityPair curve;
    if (!curved.pair_of(own.feature1, core, 0, curve)) return true;
    chord = seen(curve);
    return false;
  });
  const auto chords = static_cast<std::ptrdiff_t>(pairs.size());
  const double motion = s1.largest_motion() + s2.largest_motion();
  BoxTree::for_each_near_pair(
      s1.tree(), s2.tree(), static_cast<float>(settings.range_m) * 1.0001f, [&](int i, int j) {
        const auto &skin = curved.soft.topology().primitives[soft_first ? i : j],
                   &core = curved.core.topology().primitives[soft_first ? j : i];
        if (core.triangle >= 0) return;  // the flat sides of a rounded box
        for (int e : skin.owned_edge) {
          ProximityPair pair;
          if (e < 0 || !curved.is_curved(e) || curved.is_far(e, core, motion)) continue;
          if (!curved.pair_of(e, core, clear * curved.length(e), pair)) continue;
          pair = seen(pair);
          const auto known = std::find_if(pairs.begin(), pairs.begin() + chords,
                                          [&](const ProximityPair& p) { return p.key() == pair.key(); });
          if (known == pairs.begin() + chords && pairs.size() < settings.max_candidates)
            pairs.push_back(pair);
        }
      });
}

void add_curved_edges_on_patches(const TouchSurface& s1, const TouchSurface& s2,
                                 const ProximitySettings& settings, std::vector<int>& edges,
                                 std::vector<ProximityPair>& pairs) {
  const bool soft_first = settings.leading == 1;
  const CurvedEdges curved{soft_first ? s1 : s2, soft_first ? s2 : s1, settings.range_m};
  edges.clear();
  constexpr int twice = 2;  // edges whose chords were contacts are even, and come first
  std::erase_if(pairs, [&](const ProximityPair& pair) {
    const ProximityPair own = soft_first ? pair : turned_round(pair);
    const bool on_edge = own.kind == PairKind::edge_edge, on_vertex = own.kind == PairKind::edge_vertex;
    if ((!on_edge && !on_vertex) || !curved.is_curved(own.feature1)) return false;
    if (on_edge ? !is_smooth_edge(curved.core, own.feature2) : !is_smooth_vertex(curved.core, own.feature2))
      return false;
    if (edges.size() < settings.max_candidates) edges.push_back(twice * own.feature1);
    return true;
  });
  BoxTree::for_each_near_pair(s1.tree(), s2.tree(), static_cast<float>(settings.range_m) * 1.0001f,
                              [&](int i, int j) {
                                for (int e : curved.soft.topology().primitives[soft_first ? i : j].owned_edge)
                                  if (e >= 0 && curved.is_curved(e) && edges.size() < settings.max_candidates)
                                    edges.push_back(twice * e + 1);
                              });
  std::sort(edges.begin(), edges.end());
  int last = -1;
  for (int number : edges) {
    const int e = number / twice;
    if (e == std::exchange(last, e)) continue;
    const double clear_m = number % twice ? clear * curved.length(e) : 0;
    ProximityPair pair;
    if (curved.pair_on_patch(e, clear_m, pair) && pairs.size() < settings.max_candidates)
      pairs.push_back(soft_first ? pair : turned_round(pair));
  }
}

}  // namespace palp
