#include "palp/proximity/turned_pairs.hpp"

#include <array>
#include <numbers>

#include "palp/proximity/cones.hpp"
#include "palp/proximity/curved_edges.hpp"
#include "palp/proximity/distance.hpp"
#include "palp/proximity/turned_core.hpp"

namespace palp {
namespace {

constexpr double closed = 1e-9;   // barycentric, edge parameters: a point on the border of a region is in it
constexpr double tilt = 0.05;     // sine: how far a contact that is almost a local minimum may miss it
constexpr double flat = 0.995;    // cosine: an end that lies like this on a face touches with its whole rim
constexpr double nowhere = 1e-6;  // sine: a rim that is less inclined has no lowest point
constexpr double parallel_sine2 = 1e-6;
constexpr double turned_cosine =
    0.9;                           // between the place of contact and the vertices around it (leading.hpp)
constexpr double same_side = 0.5;  // cosine: a normal that turns more within a step tells nothing
constexpr int points_of_rim = 6;
constexpr double pi = std::numbers::pi;

// Numbers of features, which are identities between steps only: regions of vertices below 16, then rims.
constexpr int side_planes = 16, rims = 64;

int rim_number(TurnedRegion rim, int which) { return rims + 16 * rim.number() + which; }

/// What both searches share: keeping a pair, turned core second, if it is in reach.
struct Keeper {
  const ProximitySettings& set;
  bool turned_first;  ///< the core is skin 1: pairs are turned round
  double touching;
  std::vector<ProximityPair>& out;

  Vec3 place(const ProximityPair& p, std::span<const Vec3> x1) const { return p.P.at(x1) + p.arm[0]; }

  void keep(ProximityPair pair) {
    if (pair.gap < -set.max_depth_m || std::min(pair.gap, pair.gap_free) > set.range_m) return;
    if (out.size() >= set.max_candidates) return;
    if (turned_first) {
      std::swap(pair.P, pair.Q);
      std::swap(pair.arm[0], pair.arm[1]);
      std::swap(pair.feature1, pair.feature2);
      pair.normal = -pair.normal;
      pair.bulge = -pair.bulge;
      constexpr std::array<PairKind, 6> round{PairKind::face_vertex, PairKind::vertex_face,
                                              PairKind::edge_edge,   PairKind::edge_vertex,
                                              PairKind::vertex_edge, PairKind::vertex_vertex};
      pair.kind = round[static_cast<size_t>(pair.kind)];
    }
    out.push_back(pair);
  }
};

/// A skin of vertices, edges and faces against a core.
struct SkinOnCore {
  const TouchSurface& skin;
  const PlacedCore& core;
  Keeper& keeper;
  bool soft;  ///< the skin leads (leading.hpp)
  double motion = skin.largest_motion() + core.s.largest_motion();
  double far = std::max(keeper.set.range_m, keeper.set.max_depth_m) + motion;

  const Vec3& x(int v) const { return skin.start()[v]; }

  /// The direction at the end of the free motion, unless it has turned too far to tell sides; a soft skin
  /// springs back too far in a step for its direction then to mean anything.
  Vec3 moved(const Vec3& before, const Vec3& after) const {
    return !soft && after.dot(before) > same_side ? after : before;
  }

  /// A point of the skin and one of the core: `near` at the start, the arm and the normal after the free
  /// motion.
  void pair_up(PairKind kind, int feature, int of_core, const SkinPoint& on_skin, const NearTurned& near,
               const Vec3& arm, const Vec3& normal) {
    ProximityPair p{kind, feature, of_core, on_skin, core.on_axis(near.height), normal};
    p.arm[1] = arm;
    p.gap = near.distance;
    p.gap_free = normal.dot(on_skin.at(skin.free()) - p.Q.at(core.s.free()) - arm);
    keeper.keep(p);
  }

  /// Does the vertex touch what pushes it along n, where the core's surface is round like `region`?
  bool looks(int v, TurnedRegion region, const Vec3& n) const {
    const bool round = region.is_rim() || region.is_outer();
    if (soft || !round) return faces_along(skin, v, n);
    return skin.vertex_normal(v).dot(n) <= 0 && in_vertex_cone(skin, v, -n, tilt);
  }

  bool leads_back(int v, const Vec3& n) const {
    const int of = keeper.turned_first ? 1 : 0;
    const auto [first, last] =
        std::equal_range(keeper.set.came_from.begin(), keeper.set.came_from.end(), CameFrom{of, v},
                         [](const CameFrom& a, const CameFrom& b) { return a.before(b); });
    return std::any_of(first, last,
                       [&](const CameFrom& h) { return (of == 1 ? -1 : 1) * h.normal.dot(n) > 0.5; });
  }

  void vertex(int v) {
    const SkinPoint point{{v, v, v}, {1, 0, 0}};
    const NearTurned near = core.nearest(core.start, x(v), [&](const Vec3& n) { return leads_back(v, n); });
    if (near.distance > far) return;
    if (looks(v, near.region, near.normal)) {
      const NearTurned then = core.in_region(core.free, skin.free()[v], near.region);
      const bool follows = !soft && then.normal.dot(near.normal) > same_side;
      pair_up(PairKind::vertex_face, v, near.region.number(), point, near, follows ? then.arm : near.arm,
              follows ? then.normal : near.normal);
    }
    if (near.region.is_hole()) other_planes(v, point, near);
  }

  /// The hole's side a quarter, a half and three quarters of a turn further.
  void other_planes(int v, const SkinPoint& point, const NearTurned& near) {
    const Vec3 aside = core.start.along.cross(near.normal);
    for (int k = 1; k < 4; ++k) {
      const Vec3 n = k == 1 ? aside : k == 2 ? Vec3(-near.normal) : Vec3(-aside);
      NearTurned plane = near;
      plane.arm = -core.core.inner_m * n;
      plane.distance = core.core.inner_m + n.dot(x(v) - core.start.middle);
      if (plane.distance > far || !looks(v, near.region, n)) continue;
      pair_up(PairKind::vertex_face, v, side_planes + k, point, plane, plane.arm, n);
    }
  }

  /// A soft skin whose vertices around the point feel the same part of the core: they touch, not what is
  /// between.
  bool left_to_vertices(const SkinPoint& on_skin, const Vec3& n) const {
    if (!soft) return false;
    double size = 0;
    const Vec3 at = on_skin.at(skin.start());
    for (int k = 0; k < 3; ++k)
      if (on_skin.weight[k] > 0) size = std::max(size, (x(on_skin.vertex[k]) - at).norm());
    for (int k = 0; k < 3; ++k) {
      if (!(on_skin.weight[k] > 0)) continue;
      const NearTurned near = core.nearest(core.start, x(on_skin.vertex[k]));
      if (near.distance > keeper.set.range_m + size || near.normal.dot(n) < turned_cosine) return false;
    }
    return true;
  }

  /// Is there a part of the skin nearer to p than the face it is behind? Then that decides.
  bool nearer_elsewhere(const Vec3& p, double depth) const {
    Box box = Box::empty();
    box.grow(p);
    bool found = false;
    skin.tree().for_each_near(box, static_cast<float>(depth), [&](int i) {
      const int f = skin.topology().primitives[i].triangle;
      if (f < 0 || found) return;
      const Triangle& t = skin.topology().triangles[f];
      const Vec3 foot = SkinPoint{t, closest_on_triangle(p, x(t[0]), x(t[1]), x(t[2]))}.at(skin.start());
      found = (p - foot).norm() < 0.999 * depth;
    });
    return found;
  }

  void face(int f) {
    const Vec3& n = skin.face_normal(f);
    if (n.squaredNorm() == 0) return;
    const double height = n.dot(core.start.middle - x(skin.topology().triangles[f][0]));
    if (std::abs(height) > far + core.core.outer_m + core.core.half_length_m) return;
    const Vec3 across = n - core.start.along.dot(n) * core.start.along;
    for (int end : {0, 2}) {
      const TurnedRegion rim{2, end};
      if ((end == 0 ? -1 : 1) * core.start.along.dot(n) > tilt) continue;  // the other end is lower
      const double inclined = across.norm();
      if (inclined > nowhere)
        rim_over_face(f, rim, points_of_rim, -core.core.outer_m / inclined * across, true);
      if (std::abs(core.start.along.dot(n)) < flat) continue;
      for (int k = 0; k < points_of_rim; ++k)
        rim_over_face(f, rim, k, core.core.outer_m * core.start.radial(2 * pi * k / points_of_rim), false);
    }
  }

  /// `lowest`: the point of the rim is the lowest over the face, whichever that is; otherwise it turns with
  /// the body.
  void rim_over_face(int f, TurnedRegion rim, int which, const Vec3& arm, bool lowest) {
    const Triangle& t = skin.topology().triangles[f];
    const Vec3 p = core.rim_point(core.start, rim.end, arm);
    const Vec3 w = project_on_plane(p, x(t[0]), x(t[1]), x(t[2]));
    if (!(w.minCoeff() >= -closed)) return;
    const Vec3& n = skin.face_normal(f);
    NearTurned near{rim, core.end_height(rim.end), arm, -n, n.dot(p - x(t[0]))};
    if (near.distance > far || near.distance < -far || left_to_vertices({t, w}, -n)) return;
    if (near.distance < -keeper.touching && nearer_elsewhere(p, -near.distance)) return;
    const Vec3 &a = skin.free()[t[0]], then = (skin.free()[t[1]] - a).cross(skin.free()[t[2]] - a);
    const Vec3 normal = moved(near.normal, -then.normalized());
    Vec3 after =
        core.free.beside * arm.dot(core.start.beside) + core.free.third() * arm.dot(core.start.third());
    if (lowest) {
      const Vec3 across = normal - core.free.along.dot(normal) * core.free.along;
      if (across.norm() > nowhere) after = core.core.outer_m * across.normalized();
    }
    if (is_known(p, near.normal)) return;
    pair_up(PairKind::face_vertex, f, rim_number(rim, which), {t, w}, near, after, normal);
  }

  /// Faces that meet where a rim touches report it twice.
  std::vector<Vec3>& known;  ///< place, normal, place, normal, ...
  bool is_known(const Vec3& p, const Vec3& n) {
    for (size_t i = 0; i < known.size(); i += 2)
      if ((known[i] - p).norm() < keeper.touching && known[i + 1].dot(n) > 1 - 1e-6) return true;
    known.push_back(p);
    known.push_back(n);
    return false;
  }

  void edge(int e) {
    const bool ridge = skin.edge_cosine(e) <= keeper.set.flat_cosine && !is_concave(skin, e);
    const bool curved = soft && !skin.at_rest.curved_edge.empty() && skin.at_rest.curved_edge[e];
    if (ridge || curved) edge_on_side(e, ridge, curved);
    if (!ridge) return;
    for (int end : {0, 2})
      for (int ring : {0, 2})
        if (ring == 2 || core.core.hollow()) edge_on_rim(e, {ring, end});
  }

  /// Against the outer side: the nearest points of the edge and the axis.
  void edge_on_side(int e, bool ridge, bool curved) {
    const Edge& edge = skin.topology().edges[e];
    const Vec3 &a = x(edge[0]), v = x(edge[1]) - a, w = a - core.start.middle, &u = core.start.along;
    const double vv = v.squaredNorm(), uv = u.dot(v), det = vv - uv * uv;
    bool chord = false;
    if (ridge && det >= parallel_sine2 * vv) {
      const double t = (uv * u.dot(w) - v.dot(w)) / det, z = u.dot(w) + t * uv;
      const Vec3 d = w + t * v - z * u;
      const double distance = d.norm();
      const bool inside_both = t >= -closed && t <= 1 + closed && std::abs(z) <= core.core.half_length_m;
      // Through the hole of a tube, or deep inside: not from the outer side.
      if (inside_both && distance > 0.5 * (core.core.inner_m + core.core.outer_m) &&
          distance - core.core.outer_m < far) {
        const Vec3 n = d / distance;
        const SkinPoint on_skin{{edge[0], edge[1], edge[0]}, {1 - t, t, 0}};
        chord = in_edge_cone(skin, e, -n, tilt) && !left_to_vertices(on_skin, n);
        if (chord && !curved) {
          NearTurned near{{2, 1}, z, core.core.outer_m * n, n, distance - core.core.outer_m};
          Vec3 then = core.free.along.cross(skin.free()[edge[1]] - skin.free()[edge[0]]).normalized();
          if (then.dot(n) < 0) then = -then;
          const Vec3 normal = moved(n, then);
          pair_up(PairKind::edge_edge, e, near.region.number(), on_skin, near, core.core.outer_m * normal,
                  normal);
        }
      }
    }
    if (!curved) return;
    ProximityPair p;
    if (!curved_edge_on_axis(skin, e, core.s, {core.axis, core.axis + 1},
                             keeper.set.range_m + core.core.outer_m, chord, p))
      return;
    p.feature2 = TurnedRegion{2, 1}.number();
    p.arm[1] = core.core.outer_m * p.normal;
    p.gap -= core.core.outer_m;
    p.gap_free -= core.core.outer_m;
    keeper.keep(p);
  }

  /// Against a rim: where the edge comes near the circle and leaves it again.
  void edge_on_rim(int e, TurnedRegion rim) {
    const Edge& edge = skin.topology().edges[e];
    const Vec3 centre = core.rim_point(core.start, rim.end, Vec3::Zero());
    const Vec3 &a = x(edge[0]), v = x(edge[1]) - a, w = a - centre;
    const double radius = core.ring_radius(rim.ring), reach = radius + far, vv = v.squaredNorm();
    if (vv == 0) return;
    // The part of the edge in a ball around the circle.
    const double middle = -v.dot(w) / vv, root = middle * middle - (w.squaredNorm() - reach * reach) / vv;
    if (root <= 0) return;
    const double from = std::max(0.0, middle - std::sqrt(root)), to = std::min(1.0, middle + std::sqrt(root));
    if (from >= to) return;
    const auto near_at = [&](double s) { return core.in_region(core.start, a + s * v, rim); };
    const auto approach = [&](double s) {  // half the slope of the squared distance
      const NearTurned n = near_at(s);
      return n.distance * n.normal.dot(v);
    };
    constexpr int pieces = 12;
    double f_high = approach(from);
    for (int k = 0, found = 0; k < pieces; ++k) {
      double low = from + (to - from) * k / pieces, high = from + (to - from) * (k + 1) / pieces;
      const double f_low = f_high;
      f_high = approach(high);
      if (!(f_low < 0 && f_high >= 0)) continue;
      for (int i = 0; i < 60 && high - low > 1e-14; ++i) {
        const double half = 0.5 * (low + high);
        (approach(half) < 0 ? low : high) = half;
      }
      const double s = 0.5 * (low + high);
      const NearTurned near = near_at(s);
      if (near.distance > far || near.distance <= keeper.touching) continue;
      const SkinPoint on_skin{{edge[0], edge[1], edge[0]}, {1 - s, s, 0}};
      if (!PlacedCore::in_rim_cone(core.start, rim, near.arm, near.normal, tilt)) continue;
      if (!in_edge_cone(skin, e, -near.normal, tilt) || left_to_vertices(on_skin, near.normal)) continue;
      const Vec3 arm = core.free.beside * near.arm.dot(core.start.beside) +
                       core.free.third() * near.arm.dot(core.start.third());
      pair_up(PairKind::edge_edge, e, rim_number(rim, found++), on_skin, near, arm, near.normal);
    }
  }

  void search() {
    const Box& bounds = core.s.tree().bounds();
    // The prism of the tree lies inside the core, by less than a two-hundredth of its radius.
    const auto margin =
        static_cast<float>(std::max(keeper.set.range_m, keeper.set.max_depth_m) + 0.005 * core.core.outer_m);
    skin.tree().for_each_near(bounds, margin * 1.0001f, [&](int i) {
      const auto& p = skin.topology().primitives[i];
      for (int v : p.owned_vertex)
        if (v >= 0) vertex(v);
      if (p.triangle >= 0) face(p.triangle);
      for (int e : p.owned_edge)
        if (e >= 0) edge(e);
    });
  }
};

/// Two turned cores: `a` is skin 1, `b` skin 2.
struct CoreOnCore {
  Keeper& keeper;
  double far;

  /// The rims of `a` against `b`; `first`: a is skin 1.
  void rims_of(const PlacedCore& a, const PlacedCore& b, bool first) {
    for (int end : {0, 2})
      for (int ring : {0, 2})
        if (ring == 2 || a.core.hollow()) rim(a, {ring, end}, b, first);
  }

  void rim(const PlacedCore& a, TurnedRegion rim, const PlacedCore& b, bool first) {
    constexpr int samples = 32;
    constexpr double piece = 2 * pi / samples;
    const double radius = a.ring_radius(rim.ring), even = 1e-9 * radius;
    if (b.nearest(b.start, a.rim_point(a.start, rim.end, Vec3::Zero())).distance > far + radius) return;
    const auto distance = [&](double angle) {
      return b.nearest(b.start, a.rim_point(a.start, rim.end, radius * a.start.radial(angle))).distance;
    };
    std::array<double, samples> at;
    for (int i = 0; i < samples; ++i) at[i] = distance(i * piece);
    for (int i = 0; i < samples; ++i) {
      const double before = at[(i + samples - 1) % samples], after = at[(i + 1) % samples];
      if (at[i] > far || at[i] > before + even || at[i] > after + even) continue;
      const bool flat_before = before <= at[i] + even, flat_after = after <= at[i] + even;
      if (flat_before && flat_after) continue;
      if (flat_before || flat_after) {  // the end of an arc at even distance
        double inside = i * piece, outside = (i + (flat_before ? 1 : -1)) * piece;
        for (int k = 0; k < 40; ++k) {
          const double half = 0.5 * (inside + outside);
          (distance(half) <= at[i] + even ? inside : outside) = half;
        }
        touch(a, rim, points_of_rim + i, inside, false, b, first);
        continue;
      }
      double low = (i - 1) * piece, high = (i + 1) * piece;
      const double golden = 0.5 * (std::sqrt(5.0) - 1);
      double l = high - golden * (high - low), r = low + golden * (high - low), fl = distance(l),
             fr = distance(r);
      for (int k = 0; k < 40; ++k) {
        if (fl < fr) {
          high = r, r = l, fr = fl, l = high - golden * (high - low), fl = distance(l);
        } else {
          low = l, l = r, fl = fr, r = low + golden * (high - low), fr = distance(r);
        }
      }
      touch(a, rim, points_of_rim + i, 0.5 * (low + high), true, b, first);
    }
    for (int k = 0; k < points_of_rim; ++k) touch(a, rim, k, 2 * pi * k / points_of_rim, false, b, first);
  }

  /// `lowest`: the point of the rim is the one nearest to b, whichever that is; otherwise it turns with the
  /// body.
  void touch(const PlacedCore& a, TurnedRegion rim, int which, double angle, bool lowest, const PlacedCore& b,
             bool first) {
    const double radius = a.ring_radius(rim.ring);
    const Vec3 arm = radius * a.start.radial(angle);
    const NearTurned near = b.nearest(b.start, a.rim_point(a.start, rim.end, arm));
    if (near.distance > far || (near.distance <= keeper.touching && near.region.is_rim())) return;
    if (!PlacedCore::in_rim_cone(a.start, rim, arm, -near.normal, tilt)) return;
    Vec3 then_arm = radius * a.free.radial(angle);
    if (lowest) {
      const Vec3 across = near.normal - a.free.along.dot(near.normal) * a.free.along;
      if (across.norm() > 2 * tilt) then_arm = (rim.ring == 0 ? 1 : -1) * radius * across.normalized();
    }
    NearTurned then = b.in_region(b.free, a.rim_point(a.free, rim.end, then_arm), near.region);
    if (then.normal.dot(near.normal) < same_side) then.normal = near.normal, then.arm = near.arm;
    ProximityPair p{PairKind::vertex_face,  rim_number(rim, which),
                    near.region.number(),   a.on_axis(a.end_height(rim.end)),
                    b.on_axis(near.height), then.normal};
    p.arm = {then_arm, then.arm};
    p.gap = near.distance;
    p.gap_free = p.normal.dot(p.P.at(a.s.free()) + then_arm - p.Q.at(b.s.free()) - then.arm);
    keeper.turned_first = !first;
    keeper.keep(p);
  }

  /// The outer sides, where the axes cross.
  void sides(const PlacedCore& a, const PlacedCore& b) {
    const Vec3 &u = a.start.along, &v = b.start.along, w = a.start.middle - b.start.middle;
    const double uv = u.dot(v), det = 1 - uv * uv;
    if (det < parallel_sine2) return;
    const double s = (uv * v.dot(w) - u.dot(w)) / det, t = (v.dot(w) - uv * u.dot(w)) / det;
    if (std::abs(s) > a.core.half_length_m || std::abs(t) > b.core.half_length_m) return;
    const Vec3 d = w + s * u - t * v;
    const double distance = d.norm(), radii = a.core.outer_m + b.core.outer_m;
    if (distance - radii > far || !(distance > 0.5 * radii)) return;
    Vec3 n = d / distance, then = a.free.along.cross(b.free.along).normalized();
    if (then.dot(n) < 0) then = -then;
    if (then.dot(n) > same_side) n = then;
    ProximityPair p{PairKind::edge_edge, 0, 0, a.on_axis(s), b.on_axis(t), n};
    p.arm = {-a.core.outer_m * n, b.core.outer_m * n};
    p.gap = distance - radii;
    p.gap_free = n.dot(p.P.at(a.s.free()) - p.Q.at(b.s.free())) - radii;
    keeper.turned_first = false;
    keeper.keep(p);
  }
};

}  // namespace

void find_turned_pairs(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                       double touching, ProximityScratch& scratch, std::vector<ProximityPair>& pairs) {
  if (s1.tree().empty() || s2.tree().empty()) return;
  Keeper keeper{settings, false, touching, pairs};
  if (s1.turned && s2.turned) {
    const PlacedCore a{s1}, b{s2};
    CoreOnCore both{
        keeper, std::max(settings.range_m, settings.max_depth_m) + s1.largest_motion() + s2.largest_motion()};
    both.rims_of(a, b, true);
    both.rims_of(b, a, false);
    both.sides(a, b);
    return;
  }
  keeper.turned_first = s1.turned.has_value();
  const PlacedCore core{s1.turned ? s1 : s2};
  scratch.place.clear();
  SkinOnCore search{.skin = s1.turned ? s2 : s1,
                    .core = core,
                    .keeper = keeper,
                    .soft = settings.leading == (s1.turned ? 2 : 1),
                    .known = scratch.place};
  search.search();
}

}  // namespace palp
