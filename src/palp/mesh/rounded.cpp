#include "palp/mesh/rounded.hpp"

#include <cmath>
#include <numbers>
#include <span>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

Result<RoundedShape> checked(const Vec3& half_core, double radius, const Vec3& centre) {
  if (!(radius > 0) || !std::isfinite(radius) || !half_core.allFinite() || !centre.allFinite())
    return Error{.message = "rounded shape: the radius must be positive, and all numbers finite"};
  return RoundedShape{half_core, radius, centre, Quat::Identity()};
}

constexpr int turned_sides = 48;  // of what stands for a turned shape where it is drawn, or searched by boxes
using std::numbers::pi;

/// The surface that a line of points (distance from the axis, height) sweeps as it is turned about z; the
/// solid is on its left. A closed line joins its last point to its first; an open one starts and ends on the
/// axis.
TriMesh swept(std::span<const Vec2> line, bool closed) {
  TriMesh mesh;
  const auto count = static_cast<int>(line.size());
  std::vector<int> first(line.size());
  for (int i = 0; i < count; ++i) {
    first[i] = static_cast<int>(mesh.nodes.size());
    const bool pole = line[i].x() == 0;
    for (int k = 0; k < (pole ? 1 : turned_sides); ++k) {
      const double angle = 2 * pi * k / turned_sides;
      mesh.nodes.emplace_back(line[i].x() * std::cos(angle), line[i].x() * std::sin(angle), line[i].y());
    }
  }
  for (int i = 0; i < (closed ? count : count - 1); ++i) {
    const int j = (i + 1) % count;
    for (int k = 0; k < turned_sides; ++k) {
      const auto at = [&](int ring, int turn) {
        return first[ring] + (line[ring].x() == 0 ? 0 : turn % turned_sides);
      };
      if (line[i].x() > 0) mesh.triangles.push_back({at(i, k), at(i, k + 1), at(j, k)});
      if (line[j].x() > 0) mesh.triangles.push_back({at(i, k + 1), at(j, k + 1), at(j, k)});
    }
  }
  return mesh;
}

/// The outline of a turned core in the plane of its axis, counter-clockwise; corners rounded with `radius` by
/// `steps` chords. Inner distances grow by `wider`, outer ones do not.
std::vector<Vec2> outline(const TurnedCore& core, double radius, int steps, double wider) {
  const double a = core.inner_m * wider, b = core.outer_m, h = core.half_length_m;
  std::vector<Vec2> line;
  const auto corner = [&](const Vec2& at, double from) {
    for (int i = 0; i <= steps; ++i) {
      const double angle = from + (steps > 0 ? 0.5 * pi * i / steps : 0);
      line.push_back(at + radius * Vec2(std::cos(angle), std::sin(angle)));
    }
  };
  if (!core.hollow()) line.emplace_back(0, -h - radius);
  corner({b, -h}, -0.5 * pi);
  corner({b, h}, 0);
  if (!core.hollow()) {
    line.emplace_back(0, h + radius);
  } else {
    corner({a, h}, 0.5 * pi);
    corner({a, -h}, pi);
  }
  return line;
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

Result<RoundedShape> round_cylinder(double radius_m, double length_m, double edge_m, const Vec3& centre_m) {
  if (!(radius_m > edge_m) || !(length_m > 2 * edge_m))
    return Error{
        .message = "cylinder: the rounding of its rims must be less than its radius and half its length",
        .remedy = "a smaller rounding; a cylinder with round ends is a capsule"};
  auto shape = checked(Vec3::Zero(), edge_m, centre_m);
  if (shape) shape->turned = {0, radius_m - edge_m, 0.5 * length_m - edge_m};
  return shape;
}

Result<RoundedShape> round_tube(double inner_radius_m, double outer_radius_m, double length_m, double edge_m,
                                const Vec3& centre_m) {
  if (!(inner_radius_m > 0))
    return Error{.message = "tube: the inner radius must be positive",
                 .remedy = "a tube without hole is a cylinder"};
  if (!(outer_radius_m - inner_radius_m > 2 * edge_m) || !(length_m > 2 * edge_m))
    return Error{.message = "tube: wall and length must be more than twice the rounding of its rims"};
  auto shape = checked(Vec3::Zero(), edge_m, centre_m);
  if (shape) shape->turned = {inner_radius_m + edge_m, outer_radius_m - edge_m, 0.5 * length_m - edge_m};
  return shape;
}

RoundedCore core_of(const RoundedShape& shape) {
  const Vec3& h = shape.half_core_m;
  RoundedCore core;
  if (shape.turned) {
    const double half = shape.turned->half_length_m;
    TriMesh prism =
        swept(outline(*shape.turned, 0, 0, 1 / std::cos(pi / turned_sides)), shape.turned->hollow());
    prism.nodes.insert(prism.nodes.end(),
                       {Vec3(0, 0, -half), Vec3(0, 0, half), Vec3(shape.turned->outer_m, 0, 0)});
    for (const Vec3& x : prism.nodes) core.nodes.push_back(shape.at(x));
    core.triangles = std::move(prism.triangles);
  } else if (h.isZero(0)) {
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
  if (shape.turned) {
    TriMesh turned = swept(outline(*shape.turned, shape.radius_m, 3, 1), shape.turned->hollow());
    for (Vec3& x : turned.nodes) x = shape.at(x);
    return turned;
  }
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
