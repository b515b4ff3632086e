#include "palp/proximity/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "palp/proximity/areas.hpp"
#include "palp/proximity/cones.hpp"
#include "palp/proximity/curved_edges.hpp"
#include "palp/proximity/distance.hpp"
#include "palp/proximity/exits.hpp"
#include "palp/proximity/leading.hpp"
#include "palp/proximity/self_touch.hpp"
#include "palp/proximity/smooth_faces.hpp"
#include "palp/proximity/turned_pairs.hpp"

namespace palp {
namespace {

constexpr double closed = 1e-9;  // barycentric, edge parameters: a point on the border of a region is in it
constexpr double exact = 1e-8;   // sine: the same for directions
constexpr double tilt =
    0.05;  // sine of the angle by which a contact that is almost a local minimum may miss it
constexpr double soft_give = 0.4;        // the same where a sharp edge presses a soft skin in
constexpr double inside = 1e-3;          // of an edge: further from its ends it may cross another by itself
constexpr double past_ends = 0.01;       // the same: so far beyond its ends a fold still counts
constexpr double parallel_sine2 = 1e-6;  // edges closer to parallel define no normal
constexpr double touching_fraction =
    1e-6;                              // of the smaller skin: closer points have no direction between them
constexpr double smooth_cosine = 0.9;  // faces at a smoother edge are one curved face
constexpr double same_side = 0.9;      // cosine between the normals of a contact in two steps
constexpr double inside_out = 0.3;     // cosine between a vertex's normal and that of its contact
constexpr double in_motion = 0.02;     // of the smaller skin, in a step: more than pressed skins spring back

/// The search for one pair of skins: features are compared primitive by primitive.
struct Search {
  const TouchSurface& s1;
  const TouchSurface& s2;
  const ProximitySettings& set;
  std::vector<PairCandidate>& out;
  std::vector<std::pair<int, int>>& sunk;  ///< skin and vertex
  /// No gap changes by more than this during the free motion: what is further away is not looked at closely.
  double motion = set.self ? largest_shear(s1) : s1.largest_motion() + s2.largest_motion();
  double near = std::max(set.range_m, set.max_depth_m), far = near + motion;
  double touching = touching_fraction * smaller_extent(s1, s2);
  bool behind = false;  ///< somebody may be inside

  static double smaller_extent(const TouchSurface& a, const TouchSurface& b) {
    const double ea = a.tree().empty() ? 0 : a.tree().bounds().extent();
    const double eb = b.tree().empty() ? 0 : b.tree().bounds().extent();
    // A lone point has no extent of its own.
    return a.topology().vertices < 2 ? eb : b.topology().vertices < 2 ? ea : std::min(ea, eb);
  }

  /// How far points of one skin move against each other at most.
  static double largest_shear(const TouchSurface& s) {
    Vec3 least = Vec3::Constant(1e300), most = -least;
    for (size_t v = 0; v < s.start().size(); ++v) {
      const Vec3 way = s.free()[v] - s.start()[v];
      least = least.cwiseMin(way);
      most = most.cwiseMax(way);
    }
    return s.start().empty() ? 0 : (most - least).norm();
  }

  /// A round surface lies before every vertex near it, not only before those that come nearest to its core.
  bool before_round(const TouchSurface& other) const {
    return set.leading != 0 && set.rounded[&other == &s2];
  }

  bool too_far(const Vec3& d) const { return d.squaredNorm() > far * far; }

  /// `faces`: the features look at each other; what does not still tells who is outside.
  void add(PairKind kind, int f1, int f2, const SkinPoint& P, const SkinPoint& Q, const Vec3& normal,
           double distance2, bool faces) {
    ProximityPair pair{kind, f1, f2, P, Q, normal};
    pair.gap = normal.dot(P.at(s1.start()) - Q.at(s2.start()));
    pair.gap_free = normal.dot(P.at(s1.free()) - Q.at(s2.free()));
    if (pair.gap < -set.max_depth_m) return;
    if (std::min(pair.gap, pair.gap_free) > set.range_m && pair.gap > set.max_depth_m) return;
    if (out.size() >= set.max_candidates) return;
    behind |= pair.gap < -touching;
    out.push_back({pair, distance2, faces});
  }

  /// What was in contact a step ago still is where bodies are in motion, whatever has become of its own skin:
  /// a hard blow turns a soft body inside out. Where they are slow, what of it clearly is inside out, or was
  /// pushed and is flat.
  bool was_in_contact(const TouchSurface& sv, int v, const Vec3& n) const {
    const bool slow = motion < in_motion * smaller_extent(s1, s2);
    const double along = sv.vertex_normal(v).dot(n);
    if (slow && (!is_soft(sv) || along < -tilt)) return false;
    const int skin = &sv == &s1 ? 0 : 1;
    const auto [first, last] =
        std::equal_range(set.came_from.begin(), set.came_from.end(), CameFrom{skin, v},
                         [](const CameFrom& a, const CameFrom& b) { return a.before(b); });
    return std::any_of(first, last, [&](const CameFrom& h) {
      const bool counts = !slow || h.touched || along > inside_out;
      return counts && (skin == 0 ? h.normal : Vec3(-h.normal)).dot(n) > same_side;
    });
  }

  bool flat(const TouchSurface& s, int edge) const { return s.edge_cosine(edge) > set.flat_cosine; }

  static SkinPoint vertex_point(int v) { return {{v, v, v}, {1, 0, 0}}; }
  static SkinPoint edge_point(const Edge& e, double t) { return {{e[0], e[1], e[0]}, {1 - t, t, 0}}; }

  void add_vertex_face(const TouchSurface& sv, int v, int f, const SkinPoint& on_face, const Vec3& n,
                       double distance2) {
    if (n.squaredNorm() == 0) return;
    const bool faces = faces_along(sv, v, n) || was_in_contact(sv, v, n);
    if (&sv == &s1)
      add(PairKind::vertex_face, v, f, vertex_point(v), on_face, n, distance2, faces);
    else
      add(PairKind::face_vertex, f, v, on_face, vertex_point(v), -n, distance2, faces);
  }

  /// Vertex v of `sv` against the face of a primitive of `sf`.
  void vertex_face(const TouchSurface& sv, int v, const TouchSurface& sf,
                   const TouchTopology::Primitive& primitive) {
    const int f = primitive.triangle;
    const Vec3& n = sf.face_normal(f);
    if (n.squaredNorm() == 0) return;
    const Triangle& t = sf.topology().triangles[f];
    const Vec3 &x = sv.start()[v], &a = sf.start()[t[0]], &b = sf.start()[t[1]], &c = sf.start()[t[2]];
    const double height = n.dot(x - a);
    if (height > far || height < -far) return;
    const Vec3 w = project_on_plane(x, a, b, c);
    if (w.minCoeff() >= -closed) return add_vertex_face(sv, v, f, {t, w}, n, height * height);
    // Above a flat edge, between its faces: the edge speaks after all, and only there.
    if (height < 0) return;
    for (int k = 0; k < 3; ++k) {
      const int edge = primitive.owned_edge[k];
      const double beyond = -w[(k + 2) % 3];
      if (edge < 0 || beyond <= 0 || !flat(sf, edge)) continue;
      const double altitude2 =
          (b - a).cross(c - a).squaredNorm() / (sf.start()[t[(k + 1) % 3]] - sf.start()[t[k]]).squaredNorm();
      if (beyond * beyond * altitude2 < 4e-4 * height * height) vertex_edge(sv, v, sf, edge);
    }
  }

  /// Vertex v of `sv` against edge e of `se`.
  void vertex_edge(const TouchSurface& sv, int v, const TouchSurface& se, int e) {
    const Edge& edge = se.topology().edges[e];
    const Vec3 &x = sv.start()[v], &a = se.start()[edge[0]], along = se.start()[edge[1]] - a;
    const double length2 = along.squaredNorm();
    if (length2 == 0) return;
    const double where = along.dot(x - a) / length2;
    if (where < -past_ends || where > 1 + past_ends) return;
    const double t = std::clamp(where, 0.0, 1.0);
    const Vec3 d = x - a - t * along;
    if (too_far(d)) return;
    const auto& faces = se.topology().edge_face[e];
    const bool fold = faces[0] >= 0 && is_concave(se, e);
    if (fold && d.squaredNorm() <= near * near &&
        (se.face_normal(faces[0]).dot(d) < 0 || se.face_normal(faces[1]).dot(d) < 0))
      sink(sv, v);
    if (where < -closed || where > 1 + closed) return;
    const SkinPoint on_edge = edge_point(edge, t);
    if (fold) return inside_fold(sv, v, se, e, d, on_edge);
    const double distance = d.norm();
    Vec3 n;
    if (distance <= touching && faces[0] >= 0) {
      n = normal_on_edge(sv, v, se, e);
    } else {
      if (distance == 0) return;
      n = d / distance;
      if (faces[0] >= 0 && (n.dot(se.edge_normal(e)) <= 0 || !in_edge_cone(se, e, n, exact))) return;
    }
    if (n.squaredNorm() == 0) return;
    const bool looks = se.edge_cosine(e) > smooth_cosine || before_round(se)
                           ? faces_along(sv, v, n)
                           : sv.vertex_normal(v).dot(n) <= 0 && in_vertex_cone(sv, v, -n, tilt);
    if (&sv == &s1)
      add(PairKind::vertex_edge, v, e, vertex_point(v), on_edge, n, d.squaredNorm(), looks);
    else
      add(PairKind::edge_vertex, e, v, on_edge, vertex_point(v), -n, d.squaredNorm(), looks);
  }

  /// The vertex lies inside, nearest to a concave edge: out through both of its faces.
  void inside_fold(const TouchSurface& sv, int v, const TouchSurface& se, int e, const Vec3& d,
                   const SkinPoint& on_edge) {
    const double distance = d.norm();
    if (distance > set.max_depth_m) return;
    if (distance > touching && !in_edge_cone(se, e, d / distance, exact)) return;
    for (int f : se.topology().edge_face[e])
      add_vertex_face(sv, v, f, on_edge, se.face_normal(f), d.squaredNorm());
  }

  /// Near a fold, and behind one of its sides.
  void sink(const TouchSurface& sv, int v) {
    const int skin = &sv == &s1 ? 0 : 1;
    const bool known = !sunk.empty() && sunk.back() == std::pair(skin, v);
    if (!known && sunk.size() < set.max_candidates) sunk.emplace_back(skin, v);
  }

  /// What has sunk into one side of a fold lies beyond the border of the other, and would go on behind it.
  /// Faces hold such a vertex that hold the place where it comes out.
  void hold_sunk() {
    std::sort(sunk.begin(), sunk.end());
    sunk.erase(std::unique(sunk.begin(), sunk.end()), sunk.end());
    const auto found = static_cast<std::ptrdiff_t>(out.size());
    for (const auto& [skin, v] : sunk) {
      const PairCandidate* nearest = nullptr;
      std::for_each(out.begin(), out.begin() + found, [&, skin = skin, v = v](const PairCandidate& c) {
        if (c.pair.vertex(skin) == v && c.pair.gap < 0 && (!nearest || c.distance2 < nearest->distance2))
          nearest = &c;
      });
      if (!nearest) continue;
      const TouchSurface &sv = skin == 0 ? s1 : s2, &sf = skin == 0 ? s2 : s1;
      hold_at(sv, v, sf, (skin == 0 ? nearest->pair.Q : nearest->pair.P).at(sf.start()));
    }
  }
  void hold_at(const TouchSurface& sv, int v, const TouchSurface& sf, const Vec3& comes_out) {
    const Vec3& x = sv.start()[v];
    Box box = Box::empty();
    box.grow(comes_out);
    sf.tree().for_each_near(box, static_cast<float>(far) * 1.0001f, [&](int j) {
      const int f = sf.topology().primitives[j].triangle;
      if (f < 0) return;
      const Triangle& t = sf.topology().triangles[f];
      if (set.self && !set.self->neighbours.apart({&v, 1}, t)) return;
      const Vec3 &n = sf.face_normal(f), &a = sf.start()[t[0]], &b = sf.start()[t[1]], &c = sf.start()[t[2]];
      const double height = n.dot(x - a);
      if (height < 0 || height > far || n.dot(comes_out - a) < -touching) return;
      if (project_on_plane(x, a, b, c).minCoeff() >= -closed) return;  // it holds already
      const SkinPoint foot{t, project_on_plane(comes_out, a, b, c)};
      if (foot.weight.minCoeff() >= -closed)
        add_vertex_face(sv, v, f, foot, n, (x - foot.at(sf.start())).squaredNorm());
    });
  }

  void vertex_vertex(int v1, int v2) {
    const Vec3 d = s1.start()[v1] - s2.start()[v2];
    if (too_far(d)) return;
    const double distance = d.norm();
    Vec3 n;
    if (distance <= touching) {
      n = normal_on_vertex(s1, v1, s2, v2);
      if (!in_vertex_cone(s2, v2, n, tilt) || !in_vertex_cone(s1, v1, -n, tilt))
        n = -normal_on_vertex(s2, v2, s1, v1);
    } else {
      n = d / distance;
      const bool of2 = in_vertex_cone(s2, v2, n, exact), of1 = in_vertex_cone(s1, v1, -n, exact);
      if (of2 && s2.pseudo_normal(v2).dot(n) < 0) inside_pit(s1, v1, s2, v2, d);
      if (of1 && s1.pseudo_normal(v1).dot(n) > 0) inside_pit(s2, v2, s1, v1, -d);
      if (!of2 && !of1) return;
    }
    if (n.squaredNorm() == 0) return;
    const bool looks = before_round(s2) ? faces_along(s1, v1, n)
                       : before_round(s1)
                           ? faces_along(s2, v2, -n)
                           : s1.vertex_normal(v1).dot(n) <= 0 && s2.vertex_normal(v2).dot(n) >= 0 &&
                                 in_vertex_cone(s2, v2, n, tilt) && in_vertex_cone(s1, v1, -n, tilt);
    add(PairKind::vertex_vertex, v1, v2, vertex_point(v1), vertex_point(v2), n, d.squaredNorm(), looks);
  }

  /// The vertex lies inside, nearest to the bottom of a pit: out through every face there that it is behind.
  void inside_pit(const TouchSurface& sv, int v, const TouchSurface& so, int w, const Vec3& d) {
    const auto& t = so.topology();
    for (int k = t.ring_start[w]; k < t.ring_start[w + 1]; ++k) {
      const Vec3& n = so.face_normal(t.ring[k]);
      if (n.dot(d) < 0) add_vertex_face(sv, v, t.ring[k], vertex_point(w), n, d.squaredNorm());
    }
  }

  void edge_edge(int e1, int e2) {
    const Edge& a = s1.topology().edges[e1];
    const Edge& b = s2.topology().edges[e2];
    const bool faces1 = s1.topology().edge_face[e1][0] >= 0, faces2 = s2.topology().edge_face[e2][0] >= 0;
    const Vec3 &a0 = s1.start()[a[0]], &a1 = s1.start()[a[1]], &b0 = s2.start()[b[0]], &b1 = s2.start()[b[1]];
    const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), det = uu * vv - uv * uv;
    double s, t;
    if (det < parallel_sine2 * uu * vv) {
      if (faces1 || faces2) return;  // vertex-edge pairs at the ends hold parallel edges
      const auto middle = closest_between_segments(a0, a1, b0, b1);  // beams side by side
      s = middle[0], t = middle[1];
      if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return;  // end to end: their vertices hold them
    } else {
      s = (uv * v.dot(w) - vv * u.dot(w)) / det, t = (uu * v.dot(w) - uv * u.dot(w)) / det;
      if (s < -closed || s > 1 + closed || t < -closed || t > 1 + closed) return;
      s = std::clamp(s, 0.0, 1.0), t = std::clamp(t, 0.0, 1.0);
    }
    // At the ends of an edge that is no ridge the vertex speaks.
    if (!is_ridge(s1, e1) && (s < inside || s > 1 - inside)) return;
    if (!is_ridge(s2, e2) && (t < inside || t > 1 - inside)) return;
    const Vec3 d = w + s * u - t * v;
    if (too_far(d)) return;
    Vec3 n = det < parallel_sine2 * uu * vv ? d : Vec3(u.cross(v));
    // Outwards from body 2, into body 1. Without faces there is no inside: away from each other.
    const Vec3 outward = faces1 || faces2 ? Vec3(s2.edge_normal(e2) - s1.edge_normal(e1)) : d;
    if (n.dot(outward) < 0) n = -n;
    const double norm = n.norm();
    if (!(norm > 0)) return;
    n /= norm;
    if (!in_edge_cone(s2, e2, n, is_pressed(s2, s1, e1) ? soft_give : tilt) ||
        !in_edge_cone(s1, e1, -n, is_pressed(s1, s2, e2) ? soft_give : tilt))
      return;
    if (n.dot(d) < 0 && !overlap(e1, a0 + s * u, e2, b0 + t * v, n)) return;
    add(PairKind::edge_edge, e1, e2, edge_point(a, s), edge_point(b, t), n, d.squaredNorm(), true);
  }

  /// Do two crossing edges lie inside each other's body, and is there no nearer way out?
  bool overlap(int e1, const Vec3& P, int e2, const Vec3& Q, const Vec3& n) const {
    for (int f : s2.topology().edge_face[e2])
      if (f >= 0 && s2.face_normal(f).dot(n) < -tilt) return false;
    for (int f : s1.topology().edge_face[e1])
      if (f >= 0 && s1.face_normal(f).dot(n) > tilt) return false;
    const double depth = (P - Q).norm();
    return depth <= touching || depth > set.max_depth_m ||
           (is_way_out(s2, e2, P, depth, beside(s1, e1)) && is_way_out(s1, e1, Q, depth, beside(s2, e2)));
  }

  /// Of a skin with itself, what lies around a point of one of its edges.
  BesideEdge beside(const TouchSurface& s, int edge) const {
    return {set.self ? &set.self->neighbours : nullptr, s.topology().edges[edge]};
  }

  static Box edge_box(const TouchSurface& s, int edge) {
    Box box = s.vertex_box(s.topology().edges[edge][0]);
    box.grow(s.vertex_box(s.topology().edges[edge][1]));
    return box;
  }

  /// Edges that can be a local minimum by themselves.
  bool is_ridge(const TouchSurface& s, int edge) const {
    return edge >= 0 && !flat(s, edge) && !is_concave(s, edge);
  }

  bool is_soft(const TouchSurface& s) const { return set.leading == (&s == &s1 ? 1 : 2); }
  /// Is s a soft skin, and the edge of the other one sharp?
  bool is_pressed(const TouchSurface& s, const TouchSurface& other, int edge) const {
    return is_soft(s) && !set.rounded[&other == &s2] && other.edge_cosine(edge) < smooth_cosine;
  }

  /// A sharp edge pressed across a soft skin lies on the skin's edges, be they ridges or not: were it held by
  /// those alone that are, each would give way, become none, and let the edge sink in until it is one again.
  bool may_cross(const TouchSurface& s, int edge, const TouchSurface& other, int other_edge) const {
    if (is_ridge(s, edge)) return true;
    return is_pressed(s, other, other_edge) && (!is_concave(s, edge) || s.edge_cosine(edge) > smooth_cosine);
  }

  /// The features of primitive i of skin 1 against those of primitive j of skin 2. What is far apart by its
  /// box is not looked at closely.
  void compare(int i, int j) {
    const TouchTopology::Primitive &p1 = s1.topology().primitives[i], &p2 = s2.topology().primitives[j];
    const Box &whole1 = s1.box(i), &whole2 = s2.box(j);
    const float margin = static_cast<float>(far) * 1.0001f;
    for (int v : p1.owned_vertex) {
      if (v < 0 || !s1.vertex_box(v).near(whole2, margin)) continue;
      if (set.self && !set.self->neighbours.apart({&v, 1}, p2.vertex)) continue;
      if (p2.triangle >= 0) vertex_face(s1, v, s2, p2);
      for (int e : p2.owned_edge)
        if (e >= 0 && !flat(s2, e)) vertex_edge(s1, v, s2, e);
      for (int w : p2.owned_vertex)
        if (w >= 0) vertex_vertex(v, w);
    }
    for (int v : p2.owned_vertex) {
      if (v < 0 || set.self || !s2.vertex_box(v).near(whole1, margin)) continue;
      if (p1.triangle >= 0) vertex_face(s2, v, s1, p1);
      for (int e : p1.owned_edge)
        if (e >= 0 && !flat(s1, e)) vertex_edge(s2, v, s1, e);
    }
    for (int e1 : p1.owned_edge) {
      if (e1 < 0 || (!is_soft(s1) && !is_ridge(s1, e1))) continue;
      const Box edge1 = edge_box(s1, e1);
      if (!edge1.near(whole2, margin)) continue;
      for (int e2 : p2.owned_edge) {
        if (e2 < 0 || !may_cross(s1, e1, s2, e2) || !may_cross(s2, e2, s1, e1)) continue;
        if (!edge1.near(edge_box(s2, e2), margin)) continue;
        const bool skip = set.self && (e1 >= e2 || !set.self->neighbours.apart(s1.topology().edges[e1],
                                                                               s2.topology().edges[e2]));
        if (!skip) edge_edge(e1, e2);
      }
    }
  }
};

/// Of a skin with itself, vertex against vertex was found from both sides: one of the two stays.
void merge_mirrored(std::vector<ProximityPair>& pairs) {
  for (ProximityPair& p : pairs) {
    if (p.kind != PairKind::vertex_vertex || p.feature1 < p.feature2) continue;
    std::swap(p.feature1, p.feature2);
    std::swap(p.P, p.Q);
    p.normal = -p.normal;
  }
  std::sort(pairs.begin(), pairs.end(), [](const ProximityPair& a, const ProximityPair& b) {
    return a.key() != b.key() ? a.key() < b.key() : a.gap < b.gap;
  });
  pairs.erase(std::unique(pairs.begin(), pairs.end(),
                          [](const ProximityPair& a, const ProximityPair& b) { return a.key() == b.key(); }),
              pairs.end());
}

/// At most max_pairs stay, spread over the patch; first those that would overlap. Returns how many of these
/// went.
int keep_cover(const TouchSurface& s1, const ProximitySettings& set, CoverScratch& scratch,
               std::vector<ProximityPair>& pairs) {
  if (static_cast<int>(pairs.size()) <= set.max_pairs) return 0;
  const auto known = [&](const ProximityPair& p, int skin) {
    return p.vertex(skin) >= 0 &&
           std::binary_search(set.came_from.begin(), set.came_from.end(), CameFrom{skin, p.vertex(skin)},
                              [](const CameFrom& a, const CameFrom& b) { return a.before(b); });
  };
  scratch.place.clear();
  for (const ProximityPair& p : pairs) {
    const double depth = set.thickness_m - std::min(p.gap, p.gap_free);
    scratch.place.push_back({p.P.at(s1.start()), 0, depth, depth > 0, known(p, 0) || known(p, 1)});
  }
  choose_cover(scratch.place, set.max_pairs, scratch);
  size_t i = 0;
  int left_out = 0;
  std::erase_if(pairs, [&](const ProximityPair&) {
    left_out += scratch.place[i].needed && !scratch.kept[i];
    return !scratch.kept[i++];
  });
  return left_out;
}

}  // namespace

int find_pairs(const TouchSurface& skin1, const TouchSurface& skin2, const ProximitySettings& settings,
               ProximityScratch& scratch, std::vector<ProximityPair>& pairs) {
  pairs.clear();
  scratch.candidates.clear();
  scratch.sunk.clear();
  const float margin = static_cast<float>(std::max(settings.range_m, settings.max_depth_m)) * 1.0001f;
  std::span<const std::pair<int, int>> near_itself;
  if (settings.self && (near_itself = settings.self->near(skin1, margin)).empty()) return 0;
  Search search{.s1 = skin1, .s2 = skin2, .set = settings, .out = scratch.candidates, .sunk = scratch.sunk};
  const bool turned = skin1.turned || skin2.turned;
  if (turned)
    find_turned_pairs(skin1, skin2, settings, search.touching, scratch, pairs);
  else if (settings.self)
    for (const auto& [i, j] : near_itself) {
      if (skin1.box(i).near(skin1.box(j), margin)) search.compare(i, j);
    }
  else
    BoxTree::for_each_near_pair(skin1.tree(), skin2.tree(), margin,
                                [&](int i, int j) { search.compare(i, j); });
  search.hold_sunk();
  if (search.behind) choose_exits(skin1, skin2, settings.came_from, search.touching, scratch);
  if (settings.leading != 0) leave_to_vertices(skin1, skin2, settings, scratch);
  for (const PairCandidate& c : scratch.candidates)
    if (c.faces && std::min(c.pair.gap, c.pair.gap_free) <= settings.range_m) pairs.push_back(c.pair);
  if (!turned && settings.leading != 0 && settings.rounded[settings.leading == 1 ? 1 : 0])
    add_curved_edges(skin1, skin2, settings, pairs);
  if (!turned && settings.leading != 0 && is_smooth_mesh(settings.leading == 1 ? skin2 : skin1)) {
    lift_to_patches(skin1, skin2, settings, pairs);
    add_curved_edges_on_patches(skin1, skin2, settings, scratch.edges, pairs);
  }
  if (settings.areas) make_areas(skin1, skin2, settings, scratch.area, pairs);
  if (!turned) merge_doubles(skin1, skin2, search.touching, scratch, pairs);
  const auto closer = [](const ProximityPair& a, const ProximityPair& b) {
    const double ga = std::min(a.gap, a.gap_free), gb = std::min(b.gap, b.gap_free);
    return ga != gb ? ga < gb : a.key() < b.key();
  };
  if (settings.self) merge_mirrored(pairs);
  std::sort(pairs.begin(), pairs.end(), closer);
  return keep_cover(skin1, settings, scratch.cover, pairs);
}

}  // namespace palp
