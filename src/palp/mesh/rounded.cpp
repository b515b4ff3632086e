#include "palp/mesh/rounded.hpp"

#include <cmath>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

Result<RoundedShape> checked(const Vec3& half_core, double radius, const Vec3& centre) {
  if (!(radius > 0) || !std::isfinite(radius) || !half_core.allFinite() || !centre.allFinite())
    return Error{.message = "rounded shape: the radius must be positive, and all numbers finite"};
  return RoundedShape{half_core, radius, centre, Quat::Identity()};
}

}  // namespace

Result<RoundedShape> round_ball(double radius_m, const Vec3& centre_m) {
  return checked(Vec3::Zero(), radius_m, centre_m);
}

Result<RoundedShape> round_capsule(double radius_m, double length_m, const Vec3& centre_m) {
  if (!(length_m > 2 * radius_m))
    return Error{.message = "capsule: the length, from end to end, must be more than twice the radius",
                 .remedy = "a capsule as long as it is wide is a ball"};
  return checked(Vec3(0, 0, 0.5 * length_m - radius_m), radius_m, centre_m);
}

Result<RoundedShape> round_box(const Vec3& size_m, double radius_m, const Vec3& centre_m) {
  const Vec3 half = 0.5 * size_m - Vec3::Constant(radius_m);
  if (!(half.minCoeff() > 0))
    return Error{.message = "rounded box: every side must be more than twice the radius of the edges"};
  return checked(half, radius_m, centre_m);
}

RoundedCore core_of(const RoundedShape& shape) {
  const Vec3& h = shape.half_core_m;
  RoundedCore core;
  if (h.isZero(0)) {
    core.nodes = {shape.centre_m};
  } else if (h.minCoeff() == 0) {
    core.nodes = {shape.at(-h), shape.at(h)};
    core.segments = {{0, 1}};
  } else {
    TriMesh box =
        extract_surface(*box_hexes({.size_m = 2 * h, .centre_m = Vec3::Zero(), .cells = {1, 1, 1}})).mesh;
    for (const Vec3& x : box.nodes) core.nodes.push_back(shape.at(x));
    core.triangles = std::move(box.triangles);
  }
  return core;
}

TriMesh drawn_surface(const RoundedShape& shape) {
  TriMesh mesh = *icosphere({.radius_m = 1, .centre_m = Vec3::Zero(), .subdivisions = 3});
  // Directions off the planes of symmetry: each belongs to one corner of the core.
  const Quat generic = Quat(1, 0.011, 0.017, 0.023).normalized();
  for (Vec3& x : mesh.nodes) {
    const Vec3 n = generic * x;
    const Vec3 corner = n.cwiseSign().cwiseProduct(shape.half_core_m);
    x = shape.at(corner + shape.radius_m * n);
  }
  return mesh;
}

}  // namespace palp
