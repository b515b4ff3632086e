// The clip (D06 §7.2), and the chains of beams.
//
// A clip is a strip of constant thickness around a middle line: an arc over the top of the ring and, at each
// end, a lip that bends the other way. The line is described by its arc length s from the top, positive
// towards +x.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

using std::numbers::pi;

/// The middle line: half of it spans ring_half + lip of arc length; the other half is its mirror image in x.
struct ClipLine {
  double radius, ring_end_angle, lip_radius, lip_angle;
  double ring_half() const { return radius * ring_end_angle; }
  double half() const { return ring_half() + lip_radius * lip_angle; }

  /// The point at arc length s, `offset` off the line along its outward normal.
  Vec2 at(double s, double offset) const {
    const auto normal = [](double angle) { return Vec2(std::sin(angle), std::cos(angle)); };
    const double distance = std::abs(s);
    Vec2 p;
    if (distance <= ring_half()) {
      p = (radius + offset) * normal(distance / radius);
    } else {
      const double bend = (distance - ring_half()) / lip_radius;
      const Vec2 lip_centre = (radius + lip_radius) * normal(ring_end_angle);
      p = lip_centre + (offset - lip_radius) * normal(ring_end_angle - bend);
    }
    return {s < 0 ? -p.x() : p.x(), p.y()};
  }
};

void check_line(ParameterCheck& check, double opening_angle, double lip_angle, double lip_radius) {
  check.within("opening_angle_rad", opening_angle, 0.05, 2 * pi - 0.1)
      .within("lip_angle_rad", lip_angle, 0, pi);
  if (lip_angle > 0) check.positive("lip_radius_m", lip_radius);
}

/// Adds `cells` equal steps from the last entry to `end`.
void subdivide(std::vector<double>& values, double end, double step) {
  const double begin = values.back();
  const int cells = std::max(1, static_cast<int>(std::lround((end - begin) / step)));
  for (int c = 1; c <= cells; ++c) values.push_back(begin + (end - begin) * c / cells);
}

}  // namespace

Result<HexMesh> clip_hexes(const ClipShape& shape) {
  ParameterCheck check("clip");
  check.positive("inner_radius_m", shape.inner_radius_m).positive("outer_radius_m", shape.outer_radius_m);
  check.positive("width_m", shape.width_m).positive("handle_length_m", shape.handle_length_m);
  check.positive("handle_thickness_m", shape.handle_thickness_m);
  check_line(check, shape.opening_angle_rad, shape.lip_angle_rad, shape.lip_radius_m);
  check.between("cells_around", shape.cells_around, 4, 10000)
      .between("cells_through", shape.cells_through, 1, 100);
  check.between("cells_wide", shape.cells_wide, 1, 1000);
  check.total_cells(4.0 * shape.cells_around * shape.cells_through * shape.cells_wide);
  if (check.failed()) return check.error();
  const double thickness = shape.outer_radius_m - shape.inner_radius_m;
  const double outer = shape.outer_radius_m, half_handle = shape.handle_thickness_m / 2;
  check.require(thickness > 0, "inner_radius_m must be below outer_radius_m");
  check.require(shape.lip_angle_rad == 0 || shape.lip_radius_m > thickness / 2,
                "lip_radius_m must exceed half the ring's thickness");
  const double ring_end = pi - shape.opening_angle_rad / 2;
  check.require(half_handle < 0.9 * outer && std::asin(std::min(1.0, half_handle / outer)) < 0.9 * ring_end,
                "handle_thickness_m must be smaller than the ring");
  if (check.failed()) return check.error();

  const ClipLine line{(shape.inner_radius_m + outer) / 2, ring_end, shape.lip_radius_m, shape.lip_angle_rad};
  const double step = 2 * line.ring_half() / shape.cells_around;
  check.total_cells(2 * (line.half() + shape.handle_length_m) / step * shape.cells_through *
                    shape.cells_wide);
  if (check.failed()) return check.error();
  const double handle_s = line.radius * std::asin(half_handle / outer);
  std::vector<double> s{-line.half()};
  if (shape.lip_angle_rad > 0) subdivide(s, -line.ring_half(), step);
  subdivide(s, -handle_s, step);
  const int handle_begin = static_cast<int>(s.size()) - 1;
  subdivide(s, handle_s, step);
  const int handle_end = static_cast<int>(s.size()) - 1;
  subdivide(s, line.ring_half(), step);
  if (shape.lip_angle_rad > 0) subdivide(s, line.half(), step);

  // The strip, row by row outwards; seen at the top, s runs along +x and the rows along +y:
  // counter-clockwise.
  QuadMesh section;
  const int row = static_cast<int>(s.size()), through = shape.cells_through;
  for (int r = 0; r <= through; ++r)
    for (double at : s) section.nodes.push_back(line.at(at, thickness * (1.0 * r / through - 0.5)));
  for (int r = 0; r < through; ++r)
    for (int k = 0; k + 1 < row; ++k) {
      const int a = r * row + k;
      section.quads.push_back({a, a + 1, a + row + 1, a + row});
    }
  // The handle grows from the outer row, straight up to a flat end.
  const double top = outer + shape.handle_length_m;
  const int high = std::max(2, static_cast<int>(std::lround(shape.handle_length_m / step)));
  const int wide = handle_end - handle_begin + 1;
  std::vector<int> below(wide);
  for (int k = 0; k < wide; ++k) below[k] = through * row + handle_begin + k;
  const std::vector<int> base = below;
  for (int l = 1; l <= high; ++l) {
    std::vector<int> above(wide);
    for (int k = 0; k < wide; ++k) {
      above[k] = static_cast<int>(section.nodes.size());
      const Vec2 foot = section.nodes[base[k]];
      section.nodes.emplace_back(foot.x(), foot.y() + (top - foot.y()) * l / high);
    }
    for (int k = 0; k + 1 < wide; ++k)
      section.quads.push_back({below[k], below[k + 1], above[k + 1], above[k]});
    below = std::move(above);
  }
  return sweep(section, -shape.width_m / 2, shape.width_m / 2, shape.cells_wide);
}

Result<TetMesh> clip_tets(const ClipShape& shape) { return split_hexes(clip_hexes(shape)); }

std::vector<int> clip_grasp_nodes(const ClipShape& shape, std::span<const Vec3> nodes) {
  const double far = 1e3 * (shape.outer_radius_m + shape.width_m + shape.handle_length_m);
  // Half-way up, with a little slack for nodes that lie on the border.
  const double from = shape.outer_radius_m + 0.499 * shape.handle_length_m;
  return nodes_in_box(nodes, {-far, from, -far}, {far, far, far});
}

Result<Curve> straight_curve(const StraightShape& shape) {
  ParameterCheck check("straight chain");
  check.finite("from_m", shape.from_m)
      .finite("to_m", shape.to_m)
      .between("segments", shape.segments, 1, 1000000);
  check.require(shape.from_m != shape.to_m, "from_m and to_m must differ");
  if (check.failed()) return check.error();
  Curve curve;
  for (int n = 0; n <= shape.segments; ++n)
    curve.nodes.push_back(shape.from_m + (shape.to_m - shape.from_m) * n / shape.segments);
  return curve;
}

Result<Curve> arc_curve(const ArcShape& shape) {
  ParameterCheck check("arc chain");
  check.positive("radius_m", shape.radius_m).between("segments", shape.segments, 1, 1000000);
  check.require(shape.angle_rad > 0 && shape.angle_rad <= 2 * pi + 1e-12,
                "angle_rad must be above 0, at most a full turn");
  Curve curve;
  curve.closed = shape.angle_rad >= 2 * pi - 1e-12;
  check.require(!curve.closed || shape.segments >= 3, "a closed chain needs three segments");
  if (check.failed()) return check.error();
  for (int n = 0; n <= shape.segments - (curve.closed ? 1 : 0); ++n) {
    const double angle = shape.angle_rad * n / shape.segments;
    curve.nodes.emplace_back(shape.radius_m * std::sin(angle), shape.radius_m * (1 - std::cos(angle)), 0);
  }
  return curve;
}

Result<Curve> clip_curve(const ClipCurveShape& shape) {
  ParameterCheck check("clip-shaped chain");
  check.positive("radius_m", shape.radius_m).between("segments", shape.segments, 2, 1000000);
  check.require(shape.segments % 2 == 0, "segments must be even, so that a node lies on top");
  check_line(check, shape.opening_angle_rad, shape.lip_angle_rad, shape.lip_radius_m);
  if (check.failed()) return check.error();
  const ClipLine line{shape.radius_m, pi - shape.opening_angle_rad / 2, shape.lip_radius_m,
                      shape.lip_angle_rad};
  Curve curve;
  for (int n = 0; n <= shape.segments; ++n) {
    const Vec2 p = line.at(line.half() * (2.0 * n / shape.segments - 1), 0);
    curve.nodes.emplace_back(p.x(), p.y(), 0);
  }
  return curve;
}

}  // namespace palp
