#include "palp/proximity/crossings.hpp"

#include <algorithm>
#include <cmath>

#include "palp/proximity/cones.hpp"
#include "palp/proximity/overlap.hpp"

namespace palp {

void Sweep::update(const TouchSurface& skin, std::span<const Vec3> end) {
  const TouchTopology& t = skin.topology();
  const bool fresh = box_.empty();
  if (fresh) closed_ = !t.triangles.empty() && is_closed(t);
  end_.assign(end.begin(), end.end());
  vertex_box_.resize(end.size());
  box_.resize(t.primitives.size());
  for (size_t v = 0; v < end_.size(); ++v) {
    vertex_box_[v] = Box::empty();
    vertex_box_[v].grow(skin.start()[v]);
    vertex_box_[v].grow(end_[v]);
  }
  for (size_t p = 0; p < box_.size(); ++p) {
    box_[p] = Box::empty();
    for (int v : t.primitives[p].vertex)
      if (v >= 0) box_[p].grow(vertex_box_[v]);
  }
  fresh ? tree_.build(box_) : tree_.refit(box_);
}

namespace {

constexpr double inner = 1e-9;           // weights: nearer to a border, the point is on it
constexpr double same_side = 0.5;        // cosine: a normal that turns more tells nothing about sides
constexpr double parallel_sine2 = 1e-6;  // edges closer to parallel define no normal
constexpr double tilt = 0.05;            // sine by which features may miss looking at each other

struct Search {
  const TouchSurface& s1;
  const Sweep& w1;
  const TouchSurface& s2;
  const Sweep& w2;
  const CrossingSettings& set;
  std::vector<Crossing>& out;
  std::vector<Crossing>& left;
  double within = std::max(0.0, set.thickness_m - set.tolerance_m);
  double exact = 0.1 * set.tolerance_m;
  /// Without thickness, what the step before left on either side of the skin touches it; its side is not that
  /// where it happens to lie.
  double touching = set.thickness_m == 0 ? 4 * set.tolerance_m : 0;

  float margin = static_cast<float>(set.thickness_m + std::max(touching, set.sunk_m)) * 1.0001f;

  /// A skin of the two, and what it meets.
  struct Side {
    const TouchSurface& s;
    const Sweep& w;
    int skin;
  };
  Side side(bool first) const { return first ? Side{s1, w1, 0} : Side{s2, w2, 1}; }

  static MovingFeature moving(const Side& a, std::span<const int> vertex) {
    MovingFeature f;
    f.corners = 0;
    for (int v : vertex) {
      if (v < 0) break;
      f.start[f.corners] = a.s.start()[v];
      f.way[f.corners++] = a.w.end()[v] - a.s.start()[v];
    }
    return f;
  }
  static Vec3 face(const MovingFeature& f, double time) {
    const Vec3 a = f.start[0] + time * f.way[0];
    const Vec3 n = (f.start[1] + time * f.way[1] - a).cross(f.start[2] + time * f.way[2] - a);
    const double norm = n.norm();
    return norm > 0 ? Vec3(n / norm) : Vec3(Vec3::Zero());
  }
  /// `direction`, or its opposite, where it agrees with `before`; otherwise `before`.
  static Vec3 turned(const Vec3& before, const Vec3& direction) {
    const double norm = direction.norm(), along = direction.dot(before);
    return norm > 0 && std::abs(along) > same_side * norm ? Vec3(direction * (along < 0 ? -1 : 1) / norm)
                                                          : before;
  }
  /// Was the point inside the skin by more than touching? Then it is on its way out.
  bool was_inside(const Side& of, const Vec3& start) const {
    return of.w.closed() && signed_distance(of.s, start, 0) < -touching;
  }

  /// Three vectors that go straight from x0 to x1: do they never lie in one plane? Their volume is a cubic in
  /// time; it has no root where its four Bernstein coefficients have one sign. (That of both ends is not
  /// enough: it may change twice.)
  static bool never_flat(const Mat3& x0, const Mat3& x1) {
    const auto volume = [&](int a, int b, int c) {
      return (a ? x1 : x0).col(0).dot((b ? x1 : x0).col(1).cross((c ? x1 : x0).col(2)));
    };
    const double k0 = volume(0, 0, 0), k1 = volume(1, 0, 0) + volume(0, 1, 0) + volume(0, 0, 1),
                 k2 = volume(1, 1, 0) + volume(1, 0, 1) + volume(0, 1, 1), k3 = volume(1, 1, 1);
    return k0 > 0 ? k1 > 0 && k2 > 0 && k3 > 0 : k1 < 0 && k2 < 0 && k3 < 0;
  }
  /// Vertex and triangle, or two edges: clearly on one side of each other all the way, there is nothing to be
  /// found. `x`: from one to the other, then two directions that span the plane; at the start and the end.
  bool stays_on_side(const Mat3& x0, const Mat3& x1) const {
    const Vec3 across = x0.col(1).cross(x0.col(2));
    return std::abs(across.dot(x0.col(0))) > touching * across.norm() && never_flat(x0, x1);
  }
  bool stays_on_side(const MovingFeature& v, const MovingFeature& t) const {
    const auto at = [&](double time) {
      const Vec3 a = t.start[0] + time * t.way[0];
      Mat3 x;
      x << v.start[0] + time * v.way[0] - a, t.start[1] + time * t.way[1] - a,
          t.start[2] + time * t.way[2] - a;
      return x;
    };
    return stays_on_side(at(0), at(1));
  }

  /// On which side of an open skin's face does a vertex lie that touches it? On that where the step before
  /// knew it.
  double side_of_sheet(const Side& of_vertex, int v, const Vec3& n, double height) const {
    const double sign = of_vertex.skin == 0 ? 1 : -1;  // remembered normals lead into skin 1
    for (const CameFrom& h : set.came_from)
      if (h.skin == of_vertex.skin && h.vertex == v && std::abs(h.normal.dot(n)) > same_side)
        return sign * h.normal.dot(n) > 0 ? 1 : -1;
    const double looks =
        of_vertex.s.vertex_normal(v).dot(n);  // without a past: on the side from which it looks here
    return looks != 0 ? (looks > 0 ? -1 : 1) : height < 0 ? -1 : 1;
  }

  /// What the step before knew of a vertex.
  std::span<const CameFrom> known(const Side& of_vertex, int v) const {
    const auto [first, last] =
        std::equal_range(set.came_from.begin(), set.came_from.end(), CameFrom{of_vertex.skin, v},
                         [](const CameFrom& a, const CameFrom& b) { return a.before(b); });
    return {first, last};
  }
  /// A vertex inside the skin, at a face with the outward normal n: did it come in on that side (direction
  /// 1), on the other (−1)?
  bool came_in(const Side& of_vertex, int v, const Vec3& n, double direction) const {
    const double sign = of_vertex.skin == 0 ? direction : -direction;
    return std::ranges::any_of(known(of_vertex, v),
                               [&](const CameFrom& h) { return sign * h.normal.dot(n) > same_side; });
  }

  /// How deep the vertex lies behind the face where it came in a little, in an earlier step; without a past,
  /// at the nearest face. Otherwise 0.
  double sunk(const Side& of, int v, const Side& on, const MovingFeature& a, const MovingFeature& b) const {
    if (set.thickness_m > 0 || !on.w.closed()) return 0;
    const Vec3 n = face(b, 0);
    const double depth = n.dot(b.start[0] - a.start[0]);
    if (!(depth > touching && depth < set.sunk_m)) return 0;
    const bool here =
        known(of, v).empty() ? depth < -1.001 * signed_distance(on.s, a.start[0], 0) : came_in(of, v, n, 1);
    return here ? depth : 0;
  }

  /// `normal`: at the meeting; `normal_at(time)`: later. Fast bodies may be through each other, and beyond,
  /// when the step ends: what counts is the largest depth on the way there.
  void add(PairKind kind, int f1, int f2, const SkinPoint& P, const SkinPoint& Q, const Vec3& normal,
           auto&& normal_at, const Meeting& m, double gap, bool faces) {
    Crossing c;
    const Vec3 apart = P.at(s1.start()) - Q.at(s2.start()), way = P.at(w1.end()) - Q.at(w2.end()) - apart;
    const double start = normal.dot(apart) - set.thickness_m;
    c.depth = -1e300;
    for (double later : {0.125, 0.25, 0.5, 1.0}) {
      const double time = m.time + later * (1 - m.time);
      c.depth = std::max(c.depth, set.thickness_m - normal_at(time).dot(apart + time * way));
    }
    // Written so that what is no number is no crossing. What was deep at the start may stay so.
    const bool enters = c.depth > set.tolerance_m - std::min(0.0, m.time > 0 ? 0.0 : start);
    if (!enters && !(c.depth > 0 && kind != PairKind::edge_edge)) return;
    c.pair = {kind, f1, f2, P, Q, normal, start + set.thickness_m, set.thickness_m - c.depth};
    c.time = m.time;
    c.gap = gap;
    c.faces = faces;
    (enters ? out : left).push_back(c);
  }

  /// The face beyond the edge from a to b of face f; −1 at a rim.
  static int beyond(const TouchTopology& t, int f, int a, int b) {
    for (int k = t.ring_start[a]; k < t.ring_start[a + 1]; ++k) {
      const Triangle& g = t.triangles[t.ring[k]];
      if (t.ring[k] != f && (g[0] == b || g[1] == b || g[2] == b)) return t.ring[k];
    }
    return -1;
  }

  /// A vertex meets face f at its border. Does it stay in front of the face beyond a ridge there? Then it
  /// goes past: what slides over a seam of two boxes meets no side of them, whatever the rounding.
  bool goes_past_border(const Side& on, int f, const MovingFeature& vertex, const MovingFeature& face_of_f,
                        const Meeting& m) const {
    const Triangle& t = on.s.topology().triangles[f];
    const auto at = [&](int k) { return Vec3(face_of_f.start[k] + m.time * face_of_f.way[k]); };
    const double twice_area = (at(1) - at(0)).cross(at(2) - at(0)).norm();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      if (m.weight2[k] * twice_area > touching * (at(j) - at(i)).norm()) continue;
      const int g = beyond(on.s.topology(), f, t[i], t[j]);
      if (g < 0) continue;
      const MovingFeature neighbour = moving(on, on.s.topology().triangles[g]);
      const Vec3 middle = (neighbour.start[0] + neighbour.start[1] + neighbour.start[2]) / 3;
      if (on.s.face_normal(f).dot(middle - face_of_f.start[i]) > -touching) continue;  // a fold, or flat
      const double before = face(neighbour, 0).dot(vertex.start[0] - neighbour.start[0]),
                   after = face(neighbour, 1)
                               .dot(vertex.start[0] + vertex.way[0] - neighbour.start[0] - neighbour.way[0]);
      if (before >= -touching && after >= -set.tolerance_m) return true;
    }
    return false;
  }

  /// Normal, away from the face, for a vertex that meets a triangle without thickness; zero when it does not
  /// enter there.
  Vec3 entered_face(const Side& of, int v, const Side& on, int f, const MovingFeature& a,
                    const MovingFeature& b, const Meeting& m) const {
    const Vec3 n = face(b, m.time), n0 = face(b, 0);
    const double height = n0.dot(a.start[0] - b.start[0]);
    if (!on.w.closed()) {
      const double known = std::abs(height) <= touching ? side_of_sheet(of, v, n0, height) : height;
      return known < 0 ? Vec3(-n) : n;
    }
    if (height < -touching) {
      // From behind: on its way out; or it was outside, and the face is turned inside out.
      if (m.weight2.minCoeff() <= inner || (was_inside(on, a.start[0]) && !came_in(of, v, n0, -1)))
        return Vec3::Zero();
      return -n;
    }
    return goes_past_border(on, f, a, b, m) ? Vec3(Vec3::Zero()) : n;
  }

  /// The same with a thickness: a vertex that comes within it of anything.
  Vec3 approached(const Side& on, const MovingFeature& a, const MovingFeature& b, const Meeting& m) const {
    if (m.apart.norm() == 0) return Vec3::Zero();
    if (b.corners < 3 || m.weight2.minCoeff() <= inner) return m.apart.normalized();
    const Vec3 n = face(b, m.time);
    if (n.dot(m.apart) >= 0) return n;
    return was_inside(on, a.start[0]) ? Vec3(Vec3::Zero()) : Vec3(-n);
  }

  /// Vertex v of one skin against a primitive of the other.
  void vertex(bool first, int v, int j) {
    const Side of = side(first), on = side(!first);
    const TouchTopology::Primitive& p = on.s.topology().primitives[j];
    const bool thick = set.thickness_m > 0;
    if (p.triangle < 0 && !thick) return;  // points and lines without thickness do not meet
    const MovingFeature a = moving(of, {&v, 1}), b = moving(on, p.vertex);
    const double depth = sunk(of, v, on, a, b);
    if (!thick && depth == 0 && stays_on_side(a, b)) return;
    Meeting m;
    if (!meet(a, b, within, thick ? exact : touching, std::max(touching, 1.001 * depth), m)) return;
    const Vec3 n = depth > 0 ? face(b, m.time)
                   : thick   ? approached(on, a, b, m)
                             : entered_face(of, v, on, p.triangle, a, b, m);
    if (n.squaredNorm() == 0) return;
    const bool flat = b.corners == 3 && (!thick || m.weight2.minCoeff() > inner);
    const double sign = first ? 1 : -1;
    const auto n_at = [&](double time) { return Vec3(sign * (flat ? turned(n, face(b, time)) : n)); };
    const bool looks = of.s.vertex_normal(v).dot(n) < tilt &&
                       (p.triangle < 0 || !on.w.closed() || on.s.face_normal(p.triangle).dot(n) > 0);
    const SkinPoint point{{v, v, v}, Vec3::UnitX()};
    SkinPoint foot{{p.vertex[0], p.vertex[0], p.vertex[0]}, m.weight2};
    for (int k = 1; k < b.corners; ++k) foot.vertex[k] = p.vertex[k];
    const double gap = n.dot(m.apart) - set.thickness_m;
    const int feature = p.triangle >= 0 ? p.triangle : p.edge >= 0 ? p.edge : p.vertex[0];
    const PairKind kind = p.triangle >= 0 ? (first ? PairKind::vertex_face : PairKind::face_vertex)
                          : p.edge >= 0   ? (first ? PairKind::vertex_edge : PairKind::edge_vertex)
                                          : PairKind::vertex_vertex;
    if (first)
      add(kind, v, feature, point, foot, n, n_at, m, gap, looks);
    else
      add(kind, feature, v, foot, point, -n, n_at, m, gap, looks);
  }

  void edges(int e1, int e2) {
    const Edge &p = s1.topology().edges[e1], &q = s2.topology().edges[e2];
    const MovingFeature a = moving(side(true), p), b = moving(side(false), q);
    const auto along = [](const MovingFeature& f, double t) {
      return Vec3(f.start[1] - f.start[0] + t * (f.way[1] - f.way[0]));
    };
    const auto apart = [&](double t) { return Vec3(a.start[0] + t * a.way[0] - b.start[0] - t * b.way[0]); };
    const auto spanned = [&](double t) {
      Mat3 x;
      x << apart(t), along(a, t), along(b, t);
      return x;
    };
    if (set.thickness_m == 0 && stays_on_side(spanned(0), spanned(1))) return;
    Meeting m;
    if (!meet(a, b, within, exact, touching, m)) return;
    const Vec3 u = along(a, m.time), v = along(b, m.time), cross = u.cross(v);
    const auto at_end = [&](const Vec3& weight, const Vec3& edge) {
      const double nearer = weight.head<2>().minCoeff();
      return nearer <= inner || nearer * edge.norm() <= touching;
    };
    if (at_end(m.weight1, u) || at_end(m.weight2, v)) return;  // its vertex meets the other skin
    const bool parallel = cross.squaredNorm() < parallel_sine2 * u.squaredNorm() * v.squaredNorm();
    const Vec3 outward = s2.edge_normal(e2) - s1.edge_normal(e1);
    const bool touched = m.time == 0 && set.thickness_m == 0, solid = w1.closed() && w2.closed();
    Vec3 n = m.apart.norm() > 0 ? Vec3(m.apart.normalized()) : Vec3(Vec3::Zero());
    if (!parallel) n = cross.normalized() * (cross.dot(touched && solid ? outward : m.apart) < 0 ? -1 : 1);
    if (n.squaredNorm() == 0) return;
    const bool looks = n.dot(s2.edge_normal(e2)) > -tilt && n.dot(s1.edge_normal(e1)) < tilt;
    // Edges that touch from the start have no side that they came from: n must lead out of both, which the
    // cone of a flat edge does not tell.
    if (touched &&
        (parallel || (solid && !looks) || !in_edge_cone(s2, e2, n, tilt) || !in_edge_cone(s1, e1, -n, tilt)))
      return;
    const SkinPoint P{{p[0], p[1], p[0]}, m.weight1}, Q{{q[0], q[1], q[0]}, m.weight2};
    if (solid && n.dot(outward) < 0 &&
        (was_inside(side(false), P.at(s1.start())) || was_inside(side(true), Q.at(s2.start()))))
      return;
    const auto n_at = [&](double time) {
      const Vec3 u_then = along(a, time), v_then = along(b, time), cross_then = u_then.cross(v_then);
      const bool none =
          cross_then.squaredNorm() < parallel_sine2 * u_then.squaredNorm() * v_then.squaredNorm();
      return parallel || none ? n : turned(n, cross_then);
    };
    add(PairKind::edge_edge, e1, e2, P, Q, n, n_at, m, n.dot(m.apart) - set.thickness_m, looks);
  }

  static Box edge_box(const Side& a, int edge) {
    Box box = a.w.vertex_box(a.s.topology().edges[edge][0]);
    box.grow(a.w.vertex_box(a.s.topology().edges[edge][1]));
    return box;
  }

  void compare(int i, int j) {
    const TouchTopology::Primitive &p1 = s1.topology().primitives[i], &p2 = s2.topology().primitives[j];
    for (int v : p1.owned_vertex)
      if (v >= 0 && w1.vertex_box(v).near(w2.box(j), margin)) vertex(true, v, j);
    const bool points = p1.triangle < 0 && p1.edge < 0 && p2.triangle < 0 && p2.edge < 0;
    for (int v : p2.owned_vertex)
      if (v >= 0 && !points && w2.vertex_box(v).near(w1.box(i), margin)) vertex(false, v, i);
    for (int e1 : p1.owned_edge) {
      if (e1 < 0) continue;
      const Box box = edge_box(side(true), e1);
      if (!box.near(w2.box(j), margin)) continue;
      for (int e2 : p2.owned_edge)
        if (e2 >= 0 && box.near(edge_box(side(false), e2), margin)) edges(e1, e2);
    }
  }
};

/// Each vertex and each edge keeps its first crossing: what it would meet behind that, it may never come to.
void keep_first(const TouchSurface& s1, const TouchSurface& s2, CrossingScratch& scratch,
                std::vector<Crossing>& found) {
  for (int skin = 0; skin < 2; ++skin) {
    const TouchTopology& t = (skin == 0 ? s1 : s2).topology();
    scratch.seen_vertex[skin].assign(static_cast<size_t>(t.vertices), 0);
    scratch.seen_edge[skin].assign(t.edges.size(), 0);
  }
  std::erase_if(found, [&](const Crossing& c) {
    if (c.pair.kind == PairKind::edge_edge) {
      char &one = scratch.seen_edge[0][c.pair.feature1], &other = scratch.seen_edge[1][c.pair.feature2];
      const bool again = one && other;
      one = other = 1;
      return again;
    }
    bool again = true;
    for (int skin = 0; skin < 2; ++skin)
      if (const int v = c.pair.vertex(skin); v >= 0) {
        again = again && scratch.seen_vertex[skin][v];
        scratch.seen_vertex[skin][v] = 1;
      }
    return again;
  });
}

void keep_cover(const TouchSurface& s1, int most, CoverScratch& scratch, std::vector<Crossing>& found) {
  if (static_cast<int>(found.size()) <= most) return;
  scratch.place.clear();
  for (const Crossing& c : found) scratch.place.push_back({c.pair.P.at(s1.start())});
  choose_cover(scratch.place, most, scratch);
  size_t i = 0;
  std::erase_if(found, [&](const Crossing&) { return !scratch.kept[i++]; });
}

}  // namespace

void find_crossings(const TouchSurface& s1, const Sweep& way1, const TouchSurface& s2, const Sweep& way2,
                    const CrossingSettings& settings, CrossingScratch& scratch, std::vector<Crossing>& out) {
  out.clear();
  scratch.left.clear();
  Search search{
      .s1 = s1, .w1 = way1, .s2 = s2, .w2 = way2, .set = settings, .out = out, .left = scratch.left};
  BoxTree::for_each_near_pair(way1.tree(), way2.tree(), search.margin,
                              [&](int i, int j) { search.compare(i, j); });
  // Before anything else is chosen: what is left to vertices stands for nothing.
  if (settings.led[0] || settings.led[1])
    std::erase_if(out, [&](const Crossing& c) {
      return !(settings.led[0] && c.pair.vertex(0) >= 0) && !(settings.led[1] && c.pair.vertex(1) >= 0);
    });
  if (out.empty()) return;
  std::sort(out.begin(), out.end(), [](const Crossing& a, const Crossing& b) {
    return a.time != b.time ? a.time < b.time : a.pair.key() < b.pair.key();
  });
  // What looks at each other meets first; the back of a body crosses only after its front. Where normals tell
  // nothing (a crumpled skin), all count.
  if (std::any_of(out.begin(), out.end(), [](const Crossing& c) { return c.faces; }))
    std::erase_if(out, [](const Crossing& c) { return !c.faces; });
  keep_first(s1, s2, scratch, out);
  keep_cover(s1, settings.most, scratch.cover, out);
}

}  // namespace palp
