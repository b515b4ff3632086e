#include "palp/contact/glc_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

constexpr double kWiden = 1.05;    // regions that meet overlap by this much
constexpr double kCrack = 1e-3;    // of the longest side: neighbours overlap, roundings leave no crack
constexpr double kFlat = 1e-3;     // rad: triangles in one plane
constexpr double kParallel = 0.1;  // sine: edges that do not cross
constexpr double kHalfOfIt = 0.5;  // of the thickness: opposite regions do not overlap

/// Corner of triangle f that is not on the edge.
int apex(const TouchTopology& topology, int f, int edge) {
  for (int v : topology.triangles[f])
    if (v != topology.edges[edge][0] && v != topology.edges[edge][1]) return v;
  return topology.triangles[f][0];
}

void set_frame(Glc& g, const Vec3& n, const Vec3& along) {
  g.n = n;
  g.t1 = (along - along.dot(n) * n).normalized();
  g.t2 = n.cross(g.t1);
}

/// A side of a patch: from a to b, counter-clockwise seen from outside, moved outwards by `strip`.
struct PatchSide {
  Vec3 a, b;
  double strip;
};

/// The patch within its sides.
void outline(Glc& glc, const Vec3& n, const Vec3& along, std::span<const PatchSide> side) {
  Vec3 centre = Vec3::Zero();
  double widest = 0;
  for (const PatchSide& e : side) {
    centre += e.a / static_cast<double>(side.size());
    widest = std::max(widest, e.strip);
  }
  set_frame(glc, n, along);
  glc.s1 = glc.s2 = widest;
  glc.sides = 0;
  for (const PatchSide& e : side) {
    glc.s1 = std::max(glc.s1, std::abs(glc.t1.dot(e.a - centre)) + widest);
    glc.s2 = std::max(glc.s2, std::abs(glc.t2.dot(e.a - centre)) + widest);
    const Vec3 outwards = (e.b - e.a).cross(n);
    const Vec2 a = Vec2(glc.t1.dot(outwards), glc.t2.dot(outwards));
    if (!(a.norm() > 0)) continue;
    const Vec2 unit = a.normalized();
    const double b = unit.dot(Vec2(glc.t1.dot(e.a - centre), glc.t2.dot(e.a - centre))) + e.strip;
    glc.side[glc.sides++] = Glc::Side{unit.x(), unit.y(), std::max(b, e.strip)};
  }
  glc.p = centre + glc.radius * n;
}

/// How far below the surface points may have the corners of a triangle as their nearest point: 0 unless they
/// are pits.
std::array<double, 3> pit_radius(const GlcSurface& s, const Triangle& t, double depth) {
  std::array<double, 3> radius{};
  for (int i = 0; i < 3; ++i) {
    if (!is_pit(s, t[i])) continue;
    const double angle = spread_at(s, t[i]);
    radius[i] = kWiden * depth * (angle < std::numbers::pi / 2 ? std::sin(angle) : 1.0);
  }
  return radius;
}

/// How far the patch of a triangle reaches beyond its edge number k. Below a shallow concave edge: until it
/// meets the neighbour's; above a convex one a ball needs the same; around corners that are pits.
double strip_at(const GlcRegionSettings& settings, const GlcSurface& s, int triangle, int k,
                const std::array<double, 3>& pits, const Vec3& n, double depth, double radius) {
  const std::span<const Vec3> x = s.touch->start();
  const Triangle& t = s.touch->topology().triangles[triangle];
  double longest = 0;
  for (int i = 0; i < 3; ++i) longest = std::max(longest, (x[t[(i + 1) % 3]] - x[t[i]]).norm());
  const Fold fold = fold_at(s, s.skin->edge[triangle][k]);
  double strip = kCrack * longest;
  if (fold.concave && fold.angle <= settings.sharp_angle_rad)
    strip += kWiden * depth * std::sin(0.5 * fold.angle);
  if (!fold.concave) strip += radius * std::tan(0.5 * std::min(fold.angle, 2 * std::numbers::pi / 3));
  const Vec3 &a = x[t[k]], outwards = (x[t[(k + 1) % 3]] - a).cross(n).normalized();
  for (int i = 0; i < 3; ++i)
    if (pits[i] > 0) strip = std::max(strip, pits[i] + outwards.dot(x[t[i]] - a));
  return strip;
}

}  // namespace

double spread_at(const GlcSurface& s, int vertex) {
  double cosine = 1;
  for (int i = s.skin->ring_start[vertex]; i < s.skin->ring_start[vertex + 1]; ++i)
    for (int j = s.skin->ring_start[vertex]; j < i; ++j)
      cosine =
          std::min(cosine, s.touch->face_normal(s.skin->ring[i]).dot(s.touch->face_normal(s.skin->ring[j])));
  return std::acos(std::clamp(cosine, -1.0, 1.0));
}

Fold fold_at(const GlcSurface& s, int edge) {
  const TouchTopology& topology = s.touch->topology();
  const auto [f, g] = topology.edge_face[edge];
  if (f < 0 || g < 0) return {};
  const Vec3 &n = s.touch->face_normal(f), &m = s.touch->face_normal(g);
  Fold fold;
  fold.angle = std::atan2(n.cross(m).norm(), n.dot(m));
  const std::span<const Vec3> x = s.touch->start();
  fold.concave = n.dot(x[apex(topology, g, edge)] - x[topology.edges[edge][0]]) > 0;
  return fold;
}

// A direction w with w·e ≥ 0 for all edges e at the vertex: found by tilting the vertex normal away from the
// edge that falls furthest below it.
bool is_pit(const GlcSurface& s, int vertex) {
  const TouchTopology& topology = s.touch->topology();
  const std::span<const Vec3> x = s.touch->start();
  Vec3 w = s.touch->vertex_normal(vertex);
  for (int tilt = 0; tilt < 8; ++tilt) {
    double lowest = 0;
    Vec3 worst = Vec3::Zero();
    for (int k = topology.neighbour_start[vertex]; k < topology.neighbour_start[vertex + 1]; ++k) {
      const Vec3 e = (x[topology.neighbour[k]] - x[vertex]).normalized();
      if (w.dot(e) < lowest) {
        lowest = w.dot(e);
        worst = e;
      }
    }
    if (lowest > -1e-9) return true;
    w = (w - 1.1 * lowest * worst).normalized();
    if (!(w.dot(s.touch->vertex_normal(vertex)) > 0)) return false;
  }
  return false;
}

double glc_depth(const GlcRegionSettings& settings, const GlcSurface& s, int triangle) {
  return std::min(settings.max_depth_m, kHalfOfIt * s.skin->thickness[triangle]);
}

int flat_partner(const GlcSurface& s, int triangle) {
  const int other = s.skin->partner[triangle];
  if (other < 0 || s.gives_way) return -1;
  const Vec3 &n = s.touch->face_normal(triangle), &m = s.touch->face_normal(other);
  return n.dot(m) > 0 && n.cross(m).norm() < kFlat ? other : -1;
}

bool face_glc(const GlcRegionSettings& settings, const GlcSurface& s, int triangle, double radius, Glc& glc,
              SkinPoint& Q) {
  const TouchTopology& topology = s.touch->topology();
  const std::span<const Vec3> x = s.touch->start();
  const int partner = flat_partner(s, triangle);
  Vec3 n = s.touch->face_normal(triangle);
  if (partner >= 0) n += s.touch->face_normal(partner);
  if (!(n.squaredNorm() > 0.5)) return false;
  n.normalize();
  glc.d = glc_depth(settings, s, triangle);
  if (partner >= 0) glc.d = std::min(glc.d, glc_depth(settings, s, partner));

  // The corners in turn: those of the triangle, or of the quadrilateral that it makes with its partner.
  std::array<PatchSide, Glc::most_sides> edge;
  int edges = 0;
  const auto add_edges = [&](int f, int other) {
    const Triangle& t = topology.triangles[f];
    const std::array<double, 3> pits = pit_radius(s, t, glc.d);
    int first = 0;  // begin after the edge that both share
    for (int k = 0; k < 3; ++k) {
      const auto [left, right] = topology.edge_face[s.skin->edge[f][k]];
      if (other >= 0 && (left == other || right == other)) first = k + 1;
    }
    for (int k = first; k < first + (other >= 0 ? 2 : 3); ++k)
      edge[edges++] = {x[t[k % 3]], x[t[(k + 1) % 3]],
                       strip_at(settings, s, f, k % 3, pits, n, glc.d, radius)};
  };
  add_edges(triangle, partner);
  if (partner >= 0) add_edges(partner, triangle);

  Vec3 along = Vec3::Zero();
  for (int k = 0; k < edges; ++k)
    if ((edge[k].b - edge[k].a).norm() > along.norm() * (1 + 1e-9)) along = edge[k].b - edge[k].a;
  if (!(along.norm() > 0)) return false;
  glc.radius = radius;
  for (int k = 0; k < 3; ++k) glc.strip[k] = edge[k].strip;
  outline(glc, n, along, {edge.data(), static_cast<size_t>(edges)});
  const Vec3 centre = glc.p - radius * n;
  double nearest = std::numeric_limits<double>::infinity();
  for (int f : {triangle, partner}) {
    if (f < 0) continue;
    const Triangle& t = topology.triangles[f];
    const SkinPoint point{{t[0], t[1], t[2]}, closest_on_triangle(centre, x[t[0]], x[t[1]], x[t[2]])};
    const double distance = (point.at(x) - centre).norm();
    if (distance < nearest) Q = point;
    nearest = std::min(nearest, distance);
  }
  return true;
}

namespace {

/// The patch of a triangle that has moved to `corner`; false: it has no extent there, or shares its patch.
bool outline_triangle(const std::array<Vec3, 3>& corner, const Vec3& along, Glc& glc) {
  const Vec3 n = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  if (glc.sides != 3 || !(n.norm() > 0)) return false;
  const std::array<PatchSide, 3> side{PatchSide{corner[0], corner[1], glc.strip[0]},
                                      PatchSide{corner[1], corner[2], glc.strip[1]},
                                      PatchSide{corner[2], corner[0], glc.strip[2]}};
  outline(glc, n.normalized(), along, side);
  return true;
}

/// The patch of a concave edge from a to b, which lies in its plane as it does in those of both triangles:
/// they are never at odds.
void place_edge(const Vec3& a, const Vec3& b, const Vec3& n, Glc& glc) {
  set_frame(glc, n.normalized(), b - a);
  glc.s1 = 0.5 * (b - a).norm() * (1 + kCrack);
  glc.p = 0.5 * (a + b) + glc.radius * glc.n;
}

}  // namespace

void follow_nodes(std::span<const Vec3> corner, const Vec3& x, Glc& glc) {
  if (corner.size() == 3) {
    glc.weight = closest_on_triangle(x - glc.radius * glc.n, corner[0], corner[1], corner[2]);
    outline_triangle({corner[0], corner[1], corner[2]}, glc.t1, glc);
  } else if (corner.size() == 2) {
    const Vec3 e = corner[1] - corner[0];
    const double at = std::clamp(e.dot(x - corner[0]) / e.squaredNorm(), 0.0, 1.0);
    glc.weight = Vec3(1 - at, at, 0);
    if (glc.sides == 0 && e.norm() > 0)
      place_edge(corner[0], corner[1], glc.n - glc.n.dot(e) / e.squaredNorm() * e, glc);
  }
}

bool edge_glc(const GlcRegionSettings& settings, const GlcSurface& s, int edge, double radius, Glc& glc,
              SkinPoint& Q) {
  const TouchTopology& topology = s.touch->topology();
  const std::span<const Vec3> x = s.touch->start();
  const auto [f, g] = topology.edge_face[edge];
  const Vec3 sum = s.touch->face_normal(f) + s.touch->face_normal(g);
  const Vec3 &a = x[topology.edges[edge][0]], &b = x[topology.edges[edge][1]];
  if (!(sum.norm() > 1e-3) || !((b - a).norm() > 0)) return false;  // a slit without width
  const double half = 0.5 * fold_at(s, edge).angle;
  glc.d = std::min(glc_depth(settings, s, f), glc_depth(settings, s, g));
  glc.radius = radius / std::max(std::cos(half), 0.1);
  place_edge(a, b, sum, glc);
  glc.s2 = kWiden * glc.d * std::sin(half);
  Q = {{topology.edges[edge][0], topology.edges[edge][1], topology.edges[edge][0]}, {0.5, 0.5, 0}};
  return true;
}

// With w the corner, P0 the proxy's place and p, n, t the tool's patch, which moves with the proxy:
//     n·(w − p(t)) = −n·(P(t) − (P0 + w − p)).
// Turning n and t1 round keeps the frame right-handed and τ₁; τ₂ changes its sign.
void mirror(const Vec3& w, const Vec3& P0, Glc& glc) {
  glc.p = P0 + w - glc.p;
  glc.n = -glc.n;
  glc.t1 = -glc.t1;
  for (int k = 0; k < glc.sides; ++k) glc.side[k].a2 = -glc.side[k].a2;
}

bool corner_glc(const GlcRegionSettings& settings, const GlcSurface& tool, int triangle,
                const GlcSurface& surface, const GlcPoint& proxy, Glc& glc, SkinPoint& Q) {
  if (!face_glc(settings, tool, triangle, 0, glc, Q)) return false;
  const int w = proxy.name;
  mirror(surface.touch->start()[w], proxy.x, glc);
  Q = {{w, w, w}, {1, 0, 0}};
  return true;
}

Vec3 bearing_place(GlcKind kind, const std::array<Vec3, 3>& own, const std::array<Vec3, 3>& at,
                   const Glc& glc) {
  if (kind == GlcKind::crossing) {
    const double k = closest_between_segments(own[0], own[1], at[0], at[1])[0];
    return {1 - k, k, 0};
  }
  if (glc.sides == 3) return closest_on_triangle(at[0], own[0], own[1], own[2]);
  // A flat quadrilateral is one patch, of a rigid tool, whose points any three vertices tell.
  const Vec3 u = own[1] - own[0], v = own[2] - own[0], w = at[0] - own[0],
             n = u.cross(v) / u.cross(v).squaredNorm();
  return {1 - n.dot(w.cross(v)) - n.dot(u.cross(w)), n.dot(w.cross(v)), n.dot(u.cross(w))};
}

bool crossing_normal(const GlcSurface& tool, int tool_edge, const GlcSurface& surface, int edge, Vec3& n) {
  const auto along = [](const GlcSurface& s, int e) {
    const auto [a, b] = s.touch->topology().edges[e];
    return Vec3((s.touch->start()[b] - s.touch->start()[a]).normalized());
  };
  n = along(tool, tool_edge).cross(along(surface, edge));
  if (!(n.norm() > kParallel)) return false;
  n.normalize();
  if (n.dot(surface.touch->edge_normal(edge)) < 0) n = -n;
  return true;
}

// The patch is the parallelogram of both edges: where it ends, one of them does.
void outline_crossing(const std::array<Vec3, 2>& own_edge, const std::array<Vec3, 2>& edge, const Vec3& x,
                      const Vec3& n, Glc& glc) {
  const Vec3 own = 0.5 * (own_edge[1] - own_edge[0]), other = 0.5 * (edge[1] - edge[0]);
  set_frame(glc, n, other);
  glc.p = x + 0.5 * (edge[0] + edge[1]) - 0.5 * (own_edge[0] + own_edge[1]) + glc.radius * n;
  glc.s1 = (std::abs(glc.t1.dot(own)) + std::abs(glc.t1.dot(other))) * (1 + kCrack);
  glc.s2 = std::abs(glc.t2.dot(own)) * (1 + kCrack);
  glc.sides = 0;
  for (const auto& [along, across] : {std::pair{own, other}, std::pair{other, own}}) {
    const Vec2 side = Vec2(-glc.t2.dot(along), glc.t1.dot(along)).normalized();
    const double reach = std::abs(side.dot(Vec2(glc.t1.dot(across), glc.t2.dot(across)))) * (1 + kCrack);
    glc.side[glc.sides++] = {side.x(), side.y(), reach};
    glc.side[glc.sides++] = {-side.x(), -side.y(), reach};
  }
}

void follow_tool(GlcKind kind, const std::array<Vec3, 3>& own, const std::array<Vec3, 3>& at, const Vec3& x,
                 Glc& glc) {
  if (kind == GlcKind::corner) {
    const Vec3 along = -glc.t1;
    if (outline_triangle(own, along, glc)) mirror(at[0], x, glc);
    return;
  }
  const Vec3 n = (own[1] - own[0]).normalized().cross((at[1] - at[0]).normalized());
  if (!(n.norm() > 0.5 * kParallel)) return;
  outline_crossing({own[0], own[1]}, {at[0], at[1]}, x, (n.dot(glc.n) < 0 ? Vec3(-n) : n).normalized(), glc);
}

bool crossing_glc(const GlcRegionSettings& settings, const GlcSurface& tool, const GlcSurface& surface,
                  int edge, const GlcPoint& proxy, double radius, Glc& glc, SkinPoint& Q) {
  Vec3 n;
  if (!crossing_normal(tool, proxy.name, surface, edge, n)) return false;
  const std::span<const Vec3> x = tool.touch->start(), v = surface.touch->start();
  const auto [a, b] = tool.touch->topology().edges[proxy.name];
  const auto [c, d] = surface.touch->topology().edges[edge];
  glc.radius = radius;
  outline_crossing({x[a], x[b]}, {v[c], v[d]}, proxy.x, n, glc);
  glc.d = settings.max_depth_m;
  for (const GlcSurface* s : {&tool, &surface})
    for (int f : s->touch->topology().edge_face[s == &tool ? proxy.name : edge])
      if (f >= 0) glc.d = std::min(glc.d, glc_depth(settings, *s, f));
  const double at = closest_between_segments(x[a], x[b], v[c], v[d])[1];
  Q = {{c, d, c}, {1 - at, at, 0}};
  return true;
}

}  // namespace palp
