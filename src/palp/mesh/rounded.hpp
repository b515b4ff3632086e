// Shapes whose contact is exact: all points within a radius of a core, which is a point (a ball), a segment (a
// capsule) or a box (a box with rounded edges). Contact is sought with the core, whose few features are flat, and
// kept at the radius from it: distance, nearest point and normal of the round surface without a facet.
#pragma once
#include <array>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

struct RoundedShape {
  Vec3 half_core_m = Vec3::Zero();  ///< half the core's extents: three, one or none of them positive
  double radius_m = 0.05;
  Vec3 centre_m = Vec3::Zero();
  Quat rotation = Quat::Identity();

  Vec3 at(const Vec3& local) const { return centre_m + rotation * local; }
};

Result<RoundedShape> round_ball(double radius_m, const Vec3& centre_m);
/// Along z; `length_m` from end to end.
Result<RoundedShape> round_capsule(double radius_m, double length_m, const Vec3& centre_m);
Result<RoundedShape> round_box(const Vec3& size_m, double radius_m, const Vec3& centre_m);

/// What the search for contacts sees.
struct RoundedCore {
  std::vector<Vec3> nodes;
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
};
RoundedCore core_of(const RoundedShape& shape);

/// What is drawn: a closed surface with its vertices on the round one.
TriMesh drawn_surface(const RoundedShape& shape);

}  // namespace palp
