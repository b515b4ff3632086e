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

/// Chebyshev distance from x to the box of some points.
template <class Points>
double box_distance(const Vec3& x, const Points& points) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return std::max(0.0, (low - x).cwiseMax(x - high).maxCoeff());
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

void append(const Glc& glc, const SkinPoint& Q, const GlcSurface& s, GlcKind kind, int feature,
            GlcProblem& problem, GlcPlaces& places) {
  Contact c;
  c.id = {glc.proxy, s.body, limited_features(kind, feature)};
  c.Q = Q;
  c.frame << glc.n.transpose(), glc.t1.transpose(), glc.t2.transpose();
  c.mu = glc.mu;
  problem.glc.push_back(glc);
  places.contact.push_back(c);
  places.p_free.push_back(glc.p + Q.at(s.touch->free()) - Q.at(s.touch->start()));
}

}  // namespace

// Triangles and sharp concave edges whose boxes come within `margin` of x.
void GlcBuilder::find_candidates(const Vec3& x, double margin, std::span<const GlcSurface> surfaces) {
  candidates_.clear();
  Box at = Box::empty();
  at.grow(x);
  query_.build({&at, 1});
  for (int k = 0; k < static_cast<int>(surfaces.size()); ++k) {
    const GlcSurface& s = surfaces[k];
    const TouchTopology& topology = s.touch->topology();
    const std::span<const Vec3> v = s.touch->start();
    BoxTree::for_each_near_pair(query_, s.touch->tree(), static_cast<float>(margin), [&](int, int primitive) {
      const TouchTopology::Primitive& p = topology.primitives[primitive];
      if (p.triangle < 0) return;
      const auto distance_to = [&](int triangle) {
        const Triangle& t = topology.triangles[triangle];
        return box_distance(x, std::array{v[t[0]], v[t[1]], v[t[2]]});
      };
      const double own = distance_to(p.triangle);
      if (own <= margin) {
        const int partner = flat_partner(s, p.triangle);
        // Two that share a GLC: the first speaks, or the nearer one when the first is out of reach.
        const double other = partner >= 0 ? distance_to(partner) : std::numeric_limits<double>::infinity();
        if (partner < 0 || p.triangle < partner || other > margin)
          candidates_.push_back({std::min(own, other), k, GlcKind::face, p.triangle});
      }
      for (int e : p.owned_edge) {
        if (e < 0) continue;
        const double to_edge = box_distance(x, std::array{v[topology.edges[e][0]], v[topology.edges[e][1]]});
        if (to_edge > margin) continue;
        const Fold fold = fold_at(s, e);
        if (fold.concave && fold.angle > settings_.sharp_angle_rad)
          candidates_.push_back({to_edge, k, GlcKind::edge, e});
      }
    });
  }
}

// The candidates around `centre` that fit under the bound; returns the distance of the first that does not.
double GlcBuilder::nearest_candidates(const Vec3& centre, double radius, std::span<const GlcSurface> surfaces,
                                      int bound, int& found) {
  find_candidates(centre, settings_.range_m + settings_.max_depth_m + radius, surfaces);
  found = static_cast<int>(candidates_.size());
  if (found <= bound) return std::numeric_limits<double>::infinity();
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.distance, a.surface, a.kind, a.feature) <
           std::tie(b.distance, b.surface, b.kind, b.feature);
  });
  const double left_out = candidates_[bound].distance;
  candidates_.resize(bound);
  return left_out;
}

GlcRegion GlcBuilder::build(int proxy, const Vec3& x, const Vec3& ahead, double radius,
                            std::span<const GlcSurface> surfaces, GlcProblem& problem, GlcPlaces& places) {
  GlcRegion region{.centre = x + ahead, .half_m = settings_.range_m};
  double left_out = std::numeric_limits<double>::infinity();
  // As many constraints as reach to where the hand may go (twice `ahead` from x), and a half beyond.
  const int most = std::max(settings_.max_constraints, settings_.most_constraints);
  int bound = settings_.max_constraints;
  for (; bound < most && !ahead.isZero(0); bound = std::min(2 * bound, most)) {
    left_out = nearest_candidates(region.centre, radius, surfaces, bound, region.found);
    if (left_out - settings_.max_depth_m - radius >= 1.5 * ahead.cwiseAbs().maxCoeff()) break;
  }
  // The proxy has to be well inside its region: where that is small, the region goes ahead less far.
  for (double share = 1; share >= 0; share -= 0.5) {
    region.centre = x + share * ahead;
    left_out = nearest_candidates(region.centre, radius, surfaces, bound, region.found);
    const double half = std::min(settings_.range_m, left_out - settings_.max_depth_m - radius);
    if (share * ahead.cwiseAbs().maxCoeff() <= 0.5 * half) break;
  }
  std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
    return std::tuple(surfaces[a.surface].body, a.kind, a.feature) <
           std::tuple(surfaces[b.surface].body, b.kind, b.feature);
  });
  double skirt = settings_.max_depth_m;
  for (const Candidate& c : candidates_) {
    const GlcSurface& s = surfaces[c.surface];
    Glc glc{.proxy = proxy, .mu = s.mu};
    SkinPoint Q;
    const bool made = c.kind == GlcKind::face ? face_glc(settings_, s, c.feature, radius, glc, Q)
                                              : edge_glc(settings_, s, c.feature, radius, glc, Q);
    if (!made) continue;
    append(glc, Q, s, c.kind, c.feature, problem, places);
    skirt = std::min({skirt, glc.d, glc_extent(glc)});
    ++region.used;
  }
  // While the solver is at work a proxy may be as deep in the body as its steps are long (GlcPgs: less than
  // the smallest extent); its nearest surface point is then that much further out, and has to have its GLC
  // too.
  region.half_m = std::max(kSmallest_m, std::min(region.half_m, left_out - skirt - radius));
  problem.proxy[proxy].trust_centre = region.centre;
  problem.proxy[proxy].trust_half = Vec3::Constant(region.half_m);
  return region;
}

GlcRegion GlcBuilder::build_closest(int proxy, const Vec3& x, double radius,
                                    std::span<const GlcSurface> surfaces, GlcProblem& problem,
                                    GlcPlaces& places) {
  problem.proxy[proxy].trust_centre = x;
  problem.proxy[proxy].trust_half = Vec3::Constant(std::numeric_limits<double>::infinity());
  find_candidates(x, settings_.range_m + radius, surfaces);
  GlcRegion region{.centre = x,
                   .half_m = std::numeric_limits<double>::infinity(),
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
  append(glc, Q, s, GlcKind::closest, triangle, problem, places);
  region.used = 1;
  return region;
}

}  // namespace palp
