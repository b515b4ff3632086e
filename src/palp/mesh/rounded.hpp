// Shapes whose contact is exact: all points within a radius of a core, which is a point (a ball), a segment
// (a capsule), a box (a box with rounded edges) or a rectangle turned about an axis (cylinders and tubes with
// rounded rims). Contact is sought with the core and kept at the radius from it: distance, nearest point and
// normal of the round surface without a facet.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

/// A rectangle turned about the z axis: what lies between two distances from the axis and two heights.
struct TurnedCore {
  double inner_m = 0, outer_m = 0, half_length_m = 0;
  bool hollow() const { return inner_m > 0; }
};

struct RoundedShape {
  Vec3 half_core_m = Vec3::Zero();  ///< half the core's extents: three, one or none of them positive
  double radius_m = 0.05;
  Vec3 centre_m = Vec3::Zero();
  Quat rotation = Quat::Identity();
  std::optional<TurnedCore> turned = {};  ///< the core, instead of the box that half_core_m gives

  Vec3 at(const Vec3& local) const { return centre_m + rotation * local; }
};

Result<RoundedShape> round_ball(double radius_m, const Vec3& centre_m);
/// Along z; `length_m` from end to end.
Result<RoundedShape> round_capsule(double radius_m, double length_m, const Vec3& centre_m);
Result<RoundedShape> round_box(const Vec3& size_m, double radius_m, const Vec3& centre_m);
/// Around z, with flat ends; `edge_m`: radius of the rounding of the rims, without which a rim had no normal.
Result<RoundedShape> round_cylinder(double radius_m, double length_m, double edge_m, const Vec3& centre_m);
Result<RoundedShape> round_tube(double inner_radius_m, double outer_radius_m, double length_m, double edge_m,
                                const Vec3& centre_m);

/// What the search for contacts sees. Of a turned core: a prism of many sides that lies inside it, and at the
/// end of the nodes the two ends of its axis and a point beside the middle, which turn with the body.
struct RoundedCore {
  std::vector<Vec3> nodes;
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
};
RoundedCore core_of(const RoundedShape& shape);

/// What is drawn: a closed surface with its vertices on the round one.
TriMesh drawn_surface(const RoundedShape& shape);

}  // namespace palp
