// A turned core (mesh/rounded.hpp) where it is: nearest points in closed form.
#pragma once
#include <algorithm>
#include <cmath>

#include "palp/proximity/pairs.hpp"

namespace palp {

/// Where the core stands.
struct AxisPose {
  Vec3 middle, along, beside;  ///< unit vectors along the axis and across it; they turn with the body

  Vec3 third() const { return along.cross(beside); }
  /// Across the axis, at an angle from `beside`.
  Vec3 radial(double angle) const { return std::cos(angle) * beside + std::sin(angle) * third(); }
};

/// Which part of the core is nearest: by its distance from the axis (0 the hole's side, 1 between, 2 the
/// outer side) and its height (0 lower end, 1 between, 2 upper end). One of them between: a side or an end;
/// none: a rim.
struct TurnedRegion {
  int ring = 1, end = 1;
  bool is_rim() const { return ring != 1 && end != 1; }
  bool is_hole() const { return ring == 0 && end == 1; }
  bool is_outer() const { return ring == 2 && end == 1; }
  int number() const { return 3 * ring + end; }
};

struct NearTurned {
  TurnedRegion region;
  double height = 0;            ///< of the core's point along the axis
  Vec3 arm = Vec3::Zero();      ///< from the axis to the core's point
  Vec3 normal = Vec3::UnitZ();  ///< outwards
  double distance = 0;          ///< along it; negative inside
};

struct PlacedCore {
  const TouchSurface& s;
  const TurnedCore& core = *s.turned;
  int axis = s.topology().vertices - 3;  ///< first of the three vertices that place it
  AxisPose start = pose(s.start()), free = pose(s.free());

  AxisPose pose(std::span<const Vec3> x) const {
    const Vec3 middle = 0.5 * (x[axis] + x[axis + 1]);
    return {middle, (x[axis + 1] - x[axis]).normalized(), (x[axis + 2] - middle).normalized()};
  }

  SkinPoint on_axis(double height) const {
    const double t = 0.5 + 0.5 * height / core.half_length_m;
    return {{axis, axis + 1, axis}, {1 - t, t, 0}};
  }

  double end_height(int end) const { return end == 0 ? -core.half_length_m : core.half_length_m; }
  double ring_radius(int ring) const { return ring == 0 ? core.inner_m : core.outer_m; }

  /// The point of a given region that is nearest to x.
  NearTurned in_region(const AxisPose& p, const Vec3& x, TurnedRegion region) const {
    const Vec3 d = x - p.middle;
    const double z = p.along.dot(d);
    const Vec3 across = d - z * p.along;
    const double rho = across.norm();
    const Vec3 radial = rho > 1e-12 * core.outer_m ? Vec3(across / rho) : p.beside;
    NearTurned n;
    n.region = region;
    n.height =
        region.end == 1 ? std::clamp(z, -core.half_length_m, core.half_length_m) : end_height(region.end);
    n.arm =
        (region.ring == 1 ? std::clamp(rho, core.inner_m, core.outer_m) : ring_radius(region.ring)) * radial;
    if (region.end == 1) {
      n.normal = region.ring == 0 ? Vec3(-radial) : radial;
      n.distance = region.ring == 0 ? core.inner_m - rho : rho - core.outer_m;
    } else if (region.ring == 1) {
      n.normal = region.end == 0 ? Vec3(-p.along) : p.along;
      n.distance = (region.end == 0 ? -z : z) - core.half_length_m;
    } else {
      const Vec3 apart = x - p.middle - n.height * p.along - n.arm;
      n.distance = apart.norm();
      if (n.distance > 0) n.normal = apart / n.distance;
    }
    return n;
  }

  /// The nearest point of the core to x; for x inside, the way out for which `prefer` is true, or the
  /// shortest.
  template <class Prefer>
  NearTurned nearest(const AxisPose& p, const Vec3& x, Prefer&& prefer) const {
    const Vec3 d = x - p.middle;
    const double z = p.along.dot(d), rho = (d - z * p.along).norm(), h = core.half_length_m;
    TurnedRegion region{rho > core.outer_m                    ? 2
                        : core.hollow() && rho < core.inner_m ? 0
                                                              : 1,
                        z > h    ? 2
                        : z < -h ? 0
                                 : 1};
    if (region.ring != 1 || region.end != 1) return in_region(p, x, region);
    NearTurned best;
    bool best_preferred = false, any = false;
    for (const TurnedRegion out : {TurnedRegion{2, 1}, {0, 1}, {1, 0}, {1, 2}}) {
      if (out.is_hole() && !core.hollow()) continue;
      const NearTurned way = in_region(p, x, out);
      const bool preferred = prefer(way.normal);
      if (!any || (preferred != best_preferred ? preferred : way.distance > best.distance))
        best = way, best_preferred = preferred, any = true;
    }
    return best;
  }
  NearTurned nearest(const AxisPose& p, const Vec3& x) const {
    return nearest(p, x, [](const Vec3&) { return false; });
  }

  Vec3 rim_point(const AxisPose& p, int end, const Vec3& arm) const {
    return p.middle + end_height(end) * p.along + arm;
  }

  /// Does a rim touch what lies along n from it? Not what lies beside the fan between end and side.
  static bool in_rim_cone(const AxisPose& p, TurnedRegion rim, const Vec3& arm, const Vec3& n, double sine) {
    const Vec3 out = rim.end == 0 ? Vec3(-p.along) : p.along;
    const double radial = arm.dot(n) / arm.norm();
    return out.dot(n) > -sine && (rim.ring == 0 ? -radial : radial) > -sine;
  }
};

}  // namespace palp
