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

std::uint64_t feature_key(GlcKind kind, int feature) {
  return (std::uint64_t(kind) << 61) | std::uint64_t(std::uint32_t(feature));
}

void append(const Glc& glc, const SkinPoint& Q, const GlcSurface& s, GlcKind kind, int feature,
            GlcProblem& problem, GlcPlaces& places) {
  Contact c;
  c.id = {glc.proxy, s.body, feature_key(kind, feature)};
  c.Q = Q;
  c.frame << glc.n.transpose(), glc.t1.transpose(), glc.t2.transpose();
  c.mu = glc.mu;
  problem.glc.push_back(glc);
  places.contact.push_back(c);
  places.p_free.push_back(glc.p + Q.at(s.touch->free()) - Q.at(s.touch->start()));
}

}  // namespace

// Triangles and sharp concave edges whose boxes come within `margin` of x.
double GlcBuilder::find_candidates(const Vec3& x, double margin, std::span<const GlcSurface> surfaces) {
  candidates_.clear();
  double nearest = std::numeric_limits<double>::infinity();
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
      const Triangle& t = topology.triangles[p.triangle];
      const double distance = box_distance(x, std::array{v[t[0]], v[t[1]], v[t[2]]});
      nearest = std::min(nearest, distance);
      if (distance <= margin) candidates_.push_back({distance, k, GlcKind::face, p.triangle});
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
  return nearest;
}

GlcRegion GlcBuilder::build(int proxy, const Vec3& x, double radius, std::span<const GlcSurface> surfaces,
                            GlcProblem& problem, GlcPlaces& places) {
  // A point just inside the body has its nearest surface point at most one depth away: that much of the
  // surface outside the cube is needed as well.
  const double skirt = settings_.max_depth_m + radius;
  find_candidates(x, settings_.range_m + skirt, surfaces);
  GlcRegion region{.half_m = settings_.range_m, .found = static_cast<int>(candidates_.size())};

  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.distance, a.surface, a.kind, a.feature) <
           std::tie(b.distance, b.surface, b.kind, b.feature);
  });
  if (region.found > settings_.max_constraints) {
    region.half_m = std::max(kSmallest_m, candidates_[settings_.max_constraints].distance - skirt);
    candidates_.resize(settings_.max_constraints);
  }
  std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
    return std::tuple(surfaces[a.surface].body, a.kind, a.feature) <
           std::tuple(surfaces[b.surface].body, b.kind, b.feature);
  });
  for (const Candidate& c : candidates_) {
    const GlcSurface& s = surfaces[c.surface];
    Glc glc{.proxy = proxy, .mu = s.mu};
    SkinPoint Q;
    const bool made = c.kind == GlcKind::face ? face_glc(settings_, s, c.feature, radius, glc, Q)
                                              : edge_glc(settings_, s, c.feature, radius, glc, Q);
    if (!made) continue;
    append(glc, Q, s, c.kind, c.feature, problem, places);
    ++region.used;
  }
  problem.proxy[proxy].trust_centre = x;
  problem.proxy[proxy].trust_half = Vec3::Constant(region.half_m);
  return region;
}

GlcRegion GlcBuilder::build_closest(int proxy, const Vec3& x, double radius,
                                    std::span<const GlcSurface> surfaces, GlcProblem& problem,
                                    GlcPlaces& places) {
  problem.proxy[proxy].trust_centre = x;
  problem.proxy[proxy].trust_half = Vec3::Constant(std::numeric_limits<double>::infinity());
  find_candidates(x, settings_.range_m + radius, surfaces);
  GlcRegion region{.half_m = std::numeric_limits<double>::infinity(),
                   .found = static_cast<int>(candidates_.size())};
  const Candidate* best = nullptr;
  double best_distance = std::numeric_limits<double>::infinity();
  Vec3 weight = Vec3::Zero();
  for (const Candidate& c : candidates_) {
    if (c.kind != GlcKind::face || c.distance > best_distance) continue;
    const GlcSurface& s = surfaces[c.surface];
    const std::span<const Vec3> v = s.touch->start();
    const Triangle& t = s.touch->topology().triangles[c.feature];
    const Vec3 w = closest_on_triangle(x, v[t[0]], v[t[1]], v[t[2]]);
    const double distance = (w[0] * v[t[0]] + w[1] * v[t[1]] + w[2] * v[t[2]] - x).norm();
    if (distance < best_distance || (distance == best_distance && best && c.feature < best->feature)) {
      best = &c;
      best_distance = distance;
      weight = w;
    }
  }
  if (!best) return region;

  const GlcSurface& s = surfaces[best->surface];
  const Triangle& t = s.touch->topology().triangles[best->feature];
  const SkinPoint Q{{t[0], t[1], t[2]}, weight};
  const Vec3 foot = Q.at(s.touch->start());
  // Outwards: the face's normal inside a face; towards the proxy over an edge or a corner, as judged by the
  // mean of the normals there.
  Vec3 outwards = s.touch->face_normal(best->feature);
  if (weight.minCoeff() <= 0) {
    Vec3 mean = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      if (weight[k] >= 1) mean = s.touch->vertex_normal(t[k]);
      if (weight[k] <= 0 && mean.isZero())
        mean = s.touch->edge_normal(s.skin->edge[best->feature][(k + 1) % 3]);
    }
    outwards = mean.norm() > 0 ? Vec3(mean.normalized()) : outwards;
    if (best_distance > kTooClose_m) {
      const Vec3 towards = (x - foot) / best_distance;
      outwards = towards.dot(outwards) >= 0 ? towards : Vec3(-towards);
    }
  }
  const Mat3 frame = contact_frame(outwards);
  Glc glc{.proxy = proxy,
          .n = frame.row(0),
          .t1 = frame.row(1),
          .t2 = frame.row(2),
          .p = foot + radius * outwards};
  glc.s1 = glc.s2 = glc.d = kEndless_m;
  glc.mu = s.mu;
  append(glc, Q, s, GlcKind::closest, best->feature, problem, places);
  region.used = 1;
  return region;
}

}  // namespace palp
