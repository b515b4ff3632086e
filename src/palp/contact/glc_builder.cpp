#include "palp/contact/glc_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "palp/contact/glc_features.hpp"
#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

constexpr double kEndless_m = 1e3;    // extents of a plane that has none
constexpr double kSmallest_m = 1e-6;  // trust regions are never empty
constexpr double kTooClose_m = 1e-9;  // below this the direction to the closest point says nothing

constexpr double kBlunt = 0.05;  // of the depth: corners that stick out of the tool's triangles by less
constexpr int kMoreNodes = 2;    // than constraints: as triangles that hang together have at most

/// A box around points, or along the ways of some.
struct Way {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;

  void grow(const Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  template <class... Points>
  static Way around(const Points&... points) {
    Way way;
    (way.grow(points), ...);
    return way;
  }
  template <class... Points>
  static Way of(const Points&... points) {
    Way way;
    (way.grow(points.x), ...);
    (way.grow(points.x + 2 * points.ahead), ...);
    return way;
  }
  /// Chebyshev distance.
  double distance(const Way& other) const {
    return std::max(0.0, (low - other.high).cwiseMax(other.low - high).maxCoeff());
  }
  void put_into(BoxTree& query) const {
    Box box = Box::empty();
    box.grow(low);
    box.grow(high);
    query.build({&box, 1});
  }
};

/// How far some neighbour of the vertex lies further ahead in direction n, but for the slack; at least 0.
double behind(const GlcSurface& s, int vertex, const Vec3& n, double slack) {
  const TouchTopology& topology = s.touch->topology();
  const std::span<const Vec3> x = s.touch->start();
  double most = 0;
  for (int k = topology.neighbour_start[vertex]; k < topology.neighbour_start[vertex + 1]; ++k) {
    const Vec3 e = x[topology.neighbour[k]] - x[vertex];
    most = std::max(most, n.dot(e) - slack * e.norm());
  }
  return most;
}

/// Whether none does.
bool comes_first(const GlcSurface& s, int vertex, const Vec3& n, double slack) {
  return behind(s, vertex, n, slack) == 0;
}

/// The same for the faces at an edge.
bool comes_first(const GlcSurface& s, const Edge& edge, std::span<const int> apexes, const Vec3& n,
                 double slack) {
  const std::span<const Vec3> x = s.touch->start();
  for (int apex : apexes) {
    if (apex < 0) continue;
    const Vec3 e = x[apex] - 0.5 * (x[edge[0]] + x[edge[1]]);
    if (n.dot(e) > slack * e.norm()) return false;
  }
  return true;
}

/// Edges that stick out: sharp and convex, of one face or none.
bool sticks_out(const GlcRegionSettings& settings, const GlcSurface& s, int edge) {
  const auto [f, g] = s.touch->topology().edge_face[edge];
  if (f < 0 || g < 0) return true;
  const Fold fold = fold_at(s, edge);
  return !fold.concave && fold.angle > settings.ridge_angle_rad;
}

/// The outermost points along the axes.
void mark_outermost(std::span<const GlcPoint> points, std::vector<char>& mark) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(),
                            [axis](const GlcPoint& a, const GlcPoint& b) { return a.x[axis] < b.x[axis]; });
    mark[low - points.begin()] = mark[high - points.begin()] = 1;
  }
}

/// Normal of the face, sum of both at an edge, sum weighted by the angles at a corner: the ones whose sign
/// tells inside from outside for every point that has its nearest point there.
Vec3 pseudo_normal(const GlcSurface& s, int triangle, const Vec3& weight) {
  const TouchTopology& topology = s.touch->topology();
  const Vec3& face = s.touch->face_normal(triangle);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    if (weight[k] < 1) continue;
    const int v = topology.triangles[triangle][k];
    const std::span<const Vec3> x = s.touch->start();
    for (int i = s.skin->ring_start[v]; i < s.skin->ring_start[v + 1]; ++i) {
      const int f = s.skin->ring[i];
      Vec3 side[2];
      int sides = 0;
      for (int corner : topology.triangles[f])
        if (corner != v && sides < 2) side[sides++] = x[corner] - x[v];
      sum += std::atan2(side[0].cross(side[1]).norm(), side[0].dot(side[1])) * s.touch->face_normal(f);
    }
  }
  for (int k = 0; k < 3 && sum.isZero(); ++k)
    if (weight[k] <= 0) sum = s.touch->edge_normal(s.skin->edge[triangle][(k + 1) % 3]);
  return sum.norm() > 0 ? Vec3(sum.normalized()) : face;
}

void append(int tool, const Glc& glc, const SkinPoint& Q, const GlcSurface& s, GlcKind kind, int feature,
            GlcProblem& problem, GlcPlaces& places) {
  const GlcPoint& proxy = places.proxy[glc.proxy];
  Contact c;
  c.id = {tool, s.body, limited_features(kind, proxy.name, feature)};
  c.P = proxy.P;
  c.Q = Q;
  c.frame << glc.n.transpose(), glc.t1.transpose(), glc.t2.transpose();
  c.mu = glc.mu;
  problem.glc.push_back(glc);
  places.contact.push_back(c);
  places.p_free.push_back(glc.p + Q.at(s.touch->free()) - Q.at(s.touch->start()));
}

}  // namespace

// Triangles and sharp concave edges whose boxes come within `margin` of the way of a vertex of the tool.
void GlcBuilder::find_faces(int vertex, double margin, std::span<const GlcSurface> surfaces,
                            const GlcSurface* shape) {
  const Way way = Way::of(points_[vertex]);
  way.put_into(query_);
  const auto add = [&](double distance, int surface, GlcKind kind, int feature, bool late = false) {
    candidates_.push_back({distance, {vertex, -1, -1, -1}, surface, kind, feature, late});
  };
  for (int k = 0; k < static_cast<int>(surfaces.size()); ++k) {
    const GlcSurface& s = surfaces[k];
    const TouchTopology& topology = s.touch->topology();
    const std::span<const Vec3> v = s.touch->start();
    BoxTree::for_each_near_pair(query_, s.touch->tree(), static_cast<float>(margin), [&](int, int primitive) {
      const TouchTopology::Primitive& p = topology.primitives[primitive];
      if (p.triangle < 0) return;
      const auto distance_to = [&](int triangle) {
        const Triangle& t = topology.triangles[triangle];
        return way.distance(Way::around(v[t[0]], v[t[1]], v[t[2]]));
      };
      // A skin that deforms may bring forward who is behind its neighbours: as if it were so far away.
      const double late = shape ? behind(*shape, vertex, -s.touch->face_normal(p.triangle), shape->turn) : 0;
      const double own = distance_to(p.triangle);
      if (own + late <= margin && (late == 0 || shape->gives_way)) {
        const int partner = flat_partner(s, p.triangle);
        // Two that share a GLC: the first speaks, or the nearer one when the first is out of reach.
        const double other = partner >= 0 ? distance_to(partner) : std::numeric_limits<double>::infinity();
        if (partner < 0 || p.triangle < partner || other > margin)
          add(std::min(own, other) + late, k, GlcKind::face, p.triangle, late > 0);
      }
      for (int e : p.owned_edge) {
        if (e < 0) continue;
        const double to_edge = way.distance(Way::around(v[topology.edges[e][0]], v[topology.edges[e][1]]));
        if (to_edge > margin) continue;
        const Fold fold = fold_at(s, e);
        if (fold.concave && fold.angle > settings_.sharp_angle_rad) add(to_edge, k, GlcKind::edge, e);
      }
    });
  }
}

// Corners of the surfaces that come within `margin` of the way of a triangle of the tool, from the side that
// it faces. The proxy of a corner is the point of the tool that is nearest to it.
void GlcBuilder::find_corners(const GlcSurface& shape, double margin, std::span<const GlcSurface> surfaces) {
  const TouchTopology& own = shape.touch->topology();
  const std::span<const Vec3> x = shape.touch->start();
  for (int k = 0; k < static_cast<int>(surfaces.size()); ++k) {
    const GlcSurface& s = surfaces[k];
    const TouchTopology& topology = s.touch->topology();
    const std::span<const Vec3> v = s.touch->start();
    std::vector<int>& point = corner_point_;
    std::vector<double>& nearest = corner_distance_;
    point.assign(topology.vertices, -1);
    nearest.assign(topology.vertices, std::numeric_limits<double>::infinity());
    for (int f = 0; f < static_cast<int>(own.triangles.size()); ++f) {
      const int partner = flat_partner(shape, f);
      if (partner >= 0 && partner < f) continue;
      const Vec3& n = shape.touch->face_normal(f);
      const Triangle &t = own.triangles[f], &u = own.triangles[partner >= 0 ? partner : f];
      const double size =
          std::max({(x[t[1]] - x[t[0]]).norm(), (x[t[2]] - x[t[1]]).norm(), (x[t[0]] - x[t[2]]).norm()});
      const Way way =
          Way::of(points_[t[0]], points_[t[1]], points_[t[2]], points_[u[0]], points_[u[1]], points_[u[2]]);
      way.put_into(query_);
      BoxTree::for_each_near_pair(
          query_, s.touch->tree(), static_cast<float>(margin), [&](int, int primitive) {
            for (int w : topology.primitives[primitive].owned_vertex) {
              if (w < 0) continue;
              const double distance = way.distance(Way::around(v[w]));
              if (distance > margin || !comes_first(s, w, -n, shape.turn) ||
                  0.25 * size * spread_at(s, w) < kBlunt * settings_.max_depth_m)
                continue;
              if (point[w] < 0) {
                point[w] = static_cast<int>(points_.size());
                points_.push_back({.name = w});
              }
              for (const Triangle* face : {&t, &u}) {
                const auto [i, j, l] = *face;
                const SkinPoint P{{i, j, l}, closest_on_triangle(v[w], x[i], x[j], x[l])};
                const double away = (P.at(x) - v[w]).norm();
                if (!(away < nearest[w])) continue;
                nearest[w] = away;
                points_[point[w]].P = P;
                points_[point[w]].x = P.at(x);
              }
              candidates_.push_back({distance, {point[w], t[0], t[1], t[2]}, k, GlcKind::corner, f});
            }
          });
    }
  }
}

// Edges of the tool and of the surfaces that stick out and may come to cross.
void GlcBuilder::find_crossings(const GlcSurface& shape, double margin,
                                std::span<const GlcSurface> surfaces) {
  const TouchTopology& own = shape.touch->topology();
  const std::span<const Vec3> x = shape.touch->start();
  for (int e = 0; e < static_cast<int>(own.edges.size()); ++e) {
    if (!sticks_out(settings_, shape, e)) continue;
    const int a = own.edges[e][0], b = own.edges[e][1];  // by name: clang 14 captures no structured bindings
    const Way way = Way::of(points_[a], points_[b]);
    way.put_into(query_);
    for (int k = 0; k < static_cast<int>(surfaces.size()); ++k) {
      const GlcSurface& s = surfaces[k];
      const TouchTopology& topology = s.touch->topology();
      const std::span<const Vec3> v = s.touch->start();
      BoxTree::for_each_near_pair(
          query_, s.touch->tree(), static_cast<float>(margin), [&](int, int primitive) {
            for (int g : topology.primitives[primitive].owned_edge) {
              if (g < 0) continue;
              const auto [c, d] = topology.edges[g];
              const double distance = way.distance(Way::around(v[c], v[d]));
              Vec3 n;
              if (distance > margin || !sticks_out(settings_, s, g) || !crossing_normal(shape, e, s, g, n) ||
                  !comes_first(s, topology.edges[g], topology.edge_apex[g], n, shape.turn) ||
                  !comes_first(shape, own.edges[e], own.edge_apex[e], -n, shape.turn))
                continue;
              const double at = closest_between_segments(x[a], x[b], v[c], v[d])[0];
              const SkinPoint P{{a, b, a}, {1 - at, at, 0}};
              candidates_.push_back(
                  {distance, {static_cast<int>(points_.size()), a, b, -1}, k, GlcKind::crossing, g});
              points_.push_back({.P = P, .x = P.at(x), .name = e});
            }
          });
    }
  }
}

// How many of the sorted candidates fit under the bounds on constraints, points and nodes.
GlcBuilder::Kept GlcBuilder::keep_nearest(int bound, std::span<const GlcSurface> surfaces) {
  used_.assign(points_.size(), 0);
  is_node_.resize(std::max(is_node_.size(), surfaces.size()));
  for (size_t k = 0; k < surfaces.size(); ++k)
    is_node_[k].assign(surfaces[k].gives_way ? surfaces[k].touch->topology().vertices : 0, 0);
  Kept kept{0, 0, 0, std::numeric_limits<double>::infinity()};
  for (const Candidate& c : candidates_) {
    const TouchTopology& topology = surfaces[c.surface].touch->topology();
    std::array<int, 3> corner{-1, -1, -1};
    if (c.kind == GlcKind::face)
      corner = topology.triangles[c.feature];
    else if (c.kind == GlcKind::corner)
      corner[0] = points_[c.point[0]].name;
    else
      std::copy(topology.edges[c.feature].begin(), topology.edges[c.feature].end(), corner.begin());
    const bool gives_way = surfaces[c.surface].gives_way;
    int more = 0, nodes = 0;
    for (int p : c.point) more += p >= 0 && !used_[p];
    for (int v : corner) nodes += gives_way && v >= 0 && !is_node_[c.surface][v];
    if (kept.candidates == bound || kept.points + more > settings_.most_proxies ||
        kept.nodes + nodes > bound + kMoreNodes) {
      kept.margin = c.distance;
      break;
    }
    for (int p : c.point)
      if (p >= 0) used_[p] = 1;
    for (int v : corner)
      if (gives_way && v >= 0) is_node_[c.surface][v] = 1;
    kept.points += more;
    kept.nodes += nodes;
    ++kept.candidates;
  }
  return kept;
}

// The corners that the new GLCs bear on, as nodes: those of their points Q.
void GlcBuilder::name_nodes(int tool, size_t first_glc, std::span<const GlcSurface> surfaces,
                            GlcProblem& problem, GlcPlaces& places) {
  const size_t first = places.node.size();
  const auto surface_of = [&](size_t i) {
    return *std::find_if(surfaces.begin(), surfaces.end(),
                         [&](const GlcSurface& s) { return s.body == places.contact[i].id.body2; });
  };
  for (size_t i = first_glc; i < problem.glc.size(); ++i)
    for (int v : places.contact[i].Q.vertex)
      if (const GlcSurface s = surface_of(i); s.gives_way) places.node.push_back({tool, s.body, v});
  std::sort(places.node.begin() + first, places.node.end());
  places.node.erase(std::unique(places.node.begin() + first, places.node.end()), places.node.end());
  problem.nodes = static_cast<int>(places.node.size());
  for (size_t i = first_glc; i < problem.glc.size(); ++i) {
    const GlcSurface s = surface_of(i);
    if (!s.gives_way) continue;
    Glc& g = problem.glc[i];
    const SkinPoint& Q = places.contact[i].Q;
    for (int k = 0, count = 0; k < 3; ++k) {
      const auto node = std::lower_bound(places.node.begin() + first, places.node.end(),
                                         GlcNode{tool, s.body, Q.vertex[k]});
      const int number = static_cast<int>(node - places.node.begin());
      int at = static_cast<int>(std::find(g.node.begin(), g.node.begin() + count, number) - g.node.begin());
      if (at == count) g.node[count++] = number;
      g.weight[at] += Q.weight[k];
    }
  }
}

bool GlcBuilder::make_glc(const Candidate& c, double radius, std::span<const GlcSurface> surfaces,
                          const GlcSurface* shape, Glc& glc, SkinPoint& Q) const {
  const GlcSurface& s = surfaces[c.surface];
  const GlcPoint& point = points_[c.point[0]];
  switch (c.kind) {
    case GlcKind::face:
      return face_glc(settings_, s, c.feature, radius, glc, Q);
    case GlcKind::edge:
      return edge_glc(settings_, s, c.feature, radius, glc, Q);
    case GlcKind::corner:
      return corner_glc(settings_, *shape, c.feature, s, point, glc, Q);
    default:
      return crossing_glc(settings_, *shape, s, c.feature, point, radius, glc, Q);
  }
}

GlcRegion GlcBuilder::build(int tool, std::span<const GlcPoint> vertices, double radius,
                            std::span<const GlcSurface> surfaces, GlcProblem& problem, GlcPlaces& places,
                            const GlcSurface* shape) {
  GlcRegion region;
  Kept kept{};
  double margin = 0, longest = 0;
  int bound = settings_.max_constraints;
  const int most = most_constraints(
      settings_, std::any_of(surfaces.begin(), surfaces.end(), [](const auto& s) { return s.gives_way; }));
  // Where the margin is small against the way, the boxes go ahead less far.
  for (double share = 1; share >= 0; share -= 0.5) {
    points_.assign(vertices.begin(), vertices.end());
    longest = 0;
    for (GlcPoint& p : points_) {
      p.ahead *= share;
      longest = std::max(longest, p.ahead.cwiseAbs().maxCoeff());
    }
    margin = settings_.range_m - longest;
    if (vertices.size() > 1) margin = std::min(margin, 2 * (longest + settings_.max_depth_m));
    const double beyond = settings_.max_depth_m + radius;
    candidates_.clear();
    for (size_t p = 0; p < vertices.size(); ++p)
      find_faces(static_cast<int>(p), margin + beyond, surfaces, shape);
    if (shape && radius == 0) find_corners(*shape, margin + beyond, surfaces);
    if (shape) find_crossings(*shape, margin + beyond, surfaces);
    region.found = static_cast<int>(candidates_.size());
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.distance, a.point, a.surface, a.kind, a.feature) <
             std::tie(b.distance, b.point, b.surface, b.kind, b.feature);
    });
    // As many constraints as reach as far as the hand may go in any direction: it may turn round.
    const double wanted = longest > 0 ? std::min(2 * longest, margin) + beyond : 0;
    for (;; bound = std::min(2 * bound, most)) {
      kept = keep_nearest(bound, surfaces);
      if (bound >= most || kept.margin >= wanted) break;
    }
    // Where there are not enough, those that only a deformed skin would need are left out first.
    const auto needed = std::count_if(candidates_.begin(), candidates_.end(),
                                      [&](const Candidate& c) { return !c.late && c.distance < wanted; });
    for (const long room : {bound - needed, 0L}) {
      long late = 0;
      if (kept.margin < wanted &&
          std::erase_if(candidates_, [&](const auto& c) { return c.late && ++late > room; }))
        kept = keep_nearest(bound, surfaces);
    }
    if (kept.margin >= 0.2 * longest + beyond) break;
  }
  candidates_.resize(kept.candidates);
  mark_outermost({points_.data(), vertices.size()}, used_);
  const size_t first = problem.proxy.size(), first_glc = problem.glc.size();
  std::vector<int> proxy(points_.size(), -1);
  for (size_t p = 0; p < points_.size(); ++p) {
    if (!used_[p]) continue;
    proxy[p] = static_cast<int>(problem.proxy.size());
    problem.proxy.push_back({.tool = tool});
    places.proxy.push_back(points_[p]);
  }
  std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
    return std::tuple(surfaces[a.surface].body, a.kind, points_[a.point[0]].name, a.feature) <
           std::tuple(surfaces[b.surface].body, b.kind, points_[b.point[0]].name, b.feature);
  });
  double skirt = settings_.max_depth_m;
  for (const Candidate& c : candidates_) {
    const GlcSurface& s = surfaces[c.surface];
    Glc glc{.proxy = proxy[c.point[0]], .mu = s.mu};
    SkinPoint Q;
    if (!make_glc(c, radius, surfaces, shape, glc, Q)) continue;
    append(tool, glc, Q, s, c.kind, c.feature, problem, places);
    skirt = std::min({skirt, glc.d, glc_extent(glc)});
    ++region.used;
  }
  name_nodes(tool, first_glc, surfaces, problem, places);
  // While the solver is at work a proxy may be as deep in the body as its steps are long (GlcPgs: less than
  // the smallest extent); its nearest surface point is then that much further out, and has to have its GLC
  // too.
  margin = std::max(kSmallest_m, std::min(margin, kept.margin - skirt - radius));
  region.half_m = longest + margin;
  for (size_t p = 0, k = first; p < vertices.size(); ++p) {
    if (!used_[p]) continue;
    problem.proxy[k].trust_centre = points_[p].x + points_[p].ahead;
    problem.proxy[k++].trust_half = points_[p].ahead.cwiseAbs() + Vec3::Constant(margin);
  }
  return region;
}

GlcRegion GlcBuilder::build_closest(int tool, const Vec3& x, double radius,
                                    std::span<const GlcSurface> surfaces, GlcProblem& problem,
                                    GlcPlaces& places) {
  const int proxy = static_cast<int>(problem.proxy.size());
  problem.proxy.push_back({.tool = tool, .trust_centre = x});
  places.proxy.push_back({.x = x});
  candidates_.clear();
  points_ = {places.proxy.back()};
  find_faces(0, settings_.range_m + radius, surfaces, nullptr);
  GlcRegion region{.half_m = std::numeric_limits<double>::infinity(),
                   .found = static_cast<int>(candidates_.size())};
  const GlcSurface* best = nullptr;
  int triangle = -1;
  double best_distance = std::numeric_limits<double>::infinity();
  Vec3 weight = Vec3::Zero();
  for (const Candidate& c : candidates_) {
    if (c.kind != GlcKind::face || c.distance > best_distance) continue;
    const GlcSurface& s = surfaces[c.surface];
    const std::span<const Vec3> v = s.touch->start();
    for (int f : {c.feature, flat_partner(s, c.feature)}) {
      if (f < 0) continue;
      const Triangle& t = s.touch->topology().triangles[f];
      const Vec3 w = closest_on_triangle(x, v[t[0]], v[t[1]], v[t[2]]);
      const double distance = (w[0] * v[t[0]] + w[1] * v[t[1]] + w[2] * v[t[2]] - x).norm();
      if (distance > best_distance || (distance == best_distance && (&s != best || f > triangle))) continue;
      best = &s;
      triangle = f;
      best_distance = distance;
      weight = w;
    }
  }
  if (!best) return region;

  const GlcSurface& s = *best;
  const Triangle& t = s.touch->topology().triangles[triangle];
  const SkinPoint Q{{t[0], t[1], t[2]}, weight};
  const Vec3 foot = Q.at(s.touch->start());
  // Over an edge or a corner the normal points from the foot to the proxy, outside or inside as the normals
  // there say.
  Vec3 outwards = pseudo_normal(s, triangle, weight);
  if (weight.minCoeff() <= 0 && best_distance > kTooClose_m) {
    const Vec3 towards = (x - foot) / best_distance;
    outwards = towards.dot(outwards) >= 0 ? towards : Vec3(-towards);
  }
  const Mat3 frame = contact_frame(outwards);
  Glc glc{.proxy = proxy,
          .n = frame.row(0),
          .t1 = frame.row(1),
          .t2 = frame.row(2),
          .p = foot + radius * outwards};
  glc.s1 = glc.s2 = glc.d = kEndless_m;
  glc.mu = s.mu;
  append(tool, glc, Q, s, GlcKind::closest, triangle, problem, places);
  name_nodes(tool, problem.glc.size() - 1, surfaces, problem, places);
  region.used = 1;
  return region;
}

}  // namespace palp
