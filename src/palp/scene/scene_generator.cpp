#include "palp/scene/scene_generator.hpp"

#include <cmath>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/implicit_surface.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/scene/limits.hpp"

namespace palp {
namespace {

constexpr Range at_least(int lo) { return {static_cast<double>(lo), 2000, false, false}; }

/// One key of a generator and where its value goes.
template <class Shape>
struct Parameter {
  const char* key;
  std::variant<double Shape::*, int Shape::*, bool Shape::*, Vec3 Shape::*, std::array<int, 3> Shape::*>
      member;
  Range range = limits::length_m;
};

void read_value(const YamlValue& value, double& out, const Range& range) { out = value.number(out, range); }
void read_value(const YamlValue& value, bool& out, const Range&) { out = value.boolean(out); }
void read_value(const YamlValue& value, Vec3& out, const Range&) {
  out = value.vec3(out, limits::position_m);
}
void read_value(const YamlValue& value, int& out, const Range& range) {
  out = value.integer(out, static_cast<int>(range.lo), static_cast<int>(range.hi));
}
void read_value(const YamlValue& value, std::array<int, 3>& out, const Range& range) {
  if (!value.exists()) return;
  const auto list = value.list();
  if (list.size() != 3) {
    value.fail("'" + value.path() + "' must be three whole numbers", "e.g. [4, 4, 4]");
    return;
  }
  for (int k = 0; k < 3; ++k) read_value(list[k], out[k], range);
}

/// Whole numbers count cells along a length.
void refine(int& count, double refinement, const Range& range) {
  count = static_cast<int>(std::min<double>(std::lround(refinement * count), range.hi));
}
void refine(std::array<int, 3>& counts, double refinement, const Range& range) {
  for (int& count : counts) refine(count, refinement, range);
}
template <class T>
void refine(T&, double, const Range&) {}

struct Reading {
  YamlMap& m;
  double refinement;
};

template <class Shape>
Shape read_shape(Reading& from, std::initializer_list<Parameter<Shape>> parameters) {
  Shape shape;
  for (const auto& p : parameters)
    std::visit(
        [&](auto member) {
          read_value(from.m.get(p.key), shape.*member, p.range);
          refine(shape.*member, from.refinement, p.range);
        },
        p.member);
  return shape;
}

template <class Shape>
Generated solid(const Shape& shape, Result<HexMesh> (*hexes)(const Shape&)) {
  Generated g;
  g.hexes = [shape, hexes] { return hexes(shape); };
  g.surface = [shape, hexes]() -> Result<TriMesh> {
    auto mesh = hexes(shape);
    if (!mesh) return mesh.error();
    return extract_surface(*mesh).mesh;
  };
  return g;
}

template <class Shape>
Generated curve_of(const Shape& shape, Result<Curve> (*curve)(const Shape&)) {
  Generated g;
  g.curve = [shape, curve] { return curve(shape); };
  return g;
}

Generated read_box(Reading& from) {
  using S = BoxShape;
  const auto shape = read_shape<S>(
      from, {{"size", &S::size_m}, {"centre", &S::centre_m}, {"cells", &S::cells, at_least(1)}});
  return solid(shape, box_hexes);
}

Generated read_bar(Reading& from) {
  using S = BarShape;
  const auto shape = read_shape<S>(from, {{"length", &S::length_m},
                                          {"width", &S::width_m},
                                          {"height", &S::height_m},
                                          {"cellsAlong", &S::cells_along, at_least(1)},
                                          {"cellsWide", &S::cells_wide, at_least(1)},
                                          {"cellsHigh", &S::cells_high, at_least(1)}});
  return solid(shape, bar_hexes);
}

Generated read_sphere(Reading& from) {
  using S = SphereShape;
  const auto shape = read_shape<S>(
      from,
      {{"radius", &S::radius_m}, {"centre", &S::centre_m}, {"cellsAcross", &S::cells_across, at_least(3)}});
  return solid(shape, sphere_hexes);
}

Generated read_icosphere(Reading& from) {
  using S = IcosphereShape;
  auto shape = read_shape<S>(from, {{"radius", &S::radius_m}, {"centre", &S::centre_m}});
  shape.subdivisions = from.m.get("subdivisions").integer(shape.subdivisions, 0, 7);
  shape.subdivisions =
      std::min(7, shape.subdivisions + static_cast<int>(std::lround(std::log2(from.refinement))));
  Generated g;
  g.surface = [shape] { return icosphere(shape); };
  return g;
}

/// Exact in contact where the body is rigid; a surface like any other where it deforms.
Generated rounded(const std::function<Result<RoundedShape>()>& make) {
  Generated g;
  g.rounded = make;
  g.surface = [make]() -> Result<TriMesh> {
    auto shape = make();
    if (!shape) return shape.error();
    return drawn_surface(*shape);
  };
  return g;
}

Generated read_ball(Reading& from) {
  const double radius = from.m.get("radius").number(0.05, limits::length_m);
  const Vec3 centre = from.m.get("centre").vec3(Vec3::Zero(), limits::position_m);
  return rounded([=] { return round_ball(radius, centre); });
}

Generated read_capsule(Reading& from) {
  const double radius = from.m.get("radius").number(0.02, limits::length_m);
  const double length = from.m.get("length").number(0.1, limits::length_m);
  const Vec3 centre = from.m.get("centre").vec3(Vec3::Zero(), limits::position_m);
  return rounded([=] { return round_capsule(radius, length, centre); });
}

Generated read_rounded_box(Reading& from) {
  const Vec3 size = from.m.get("size").vec3(Vec3::Constant(0.1), limits::position_m);
  const double radius = from.m.get("radius").number(0.005, limits::length_m);
  const Vec3 centre = from.m.get("centre").vec3(Vec3::Zero(), limits::position_m);
  return rounded([=] { return round_box(size, radius, centre); });
}

Generated read_cylinder(Reading& from) {
  using S = CylinderShape;
  const auto shape = read_shape<S>(from, {{"radius", &S::radius_m},
                                          {"length", &S::length_m},
                                          {"cellsAcross", &S::cells_across, at_least(3)},
                                          {"cellsAlong", &S::cells_along, at_least(1)}});
  return solid(shape, cylinder_hexes);
}

Generated read_tube(Reading& from) {
  using S = TubeShape;
  const auto shape = read_shape<S>(from, {{"innerRadius", &S::inner_radius_m},
                                          {"outerRadius", &S::outer_radius_m},
                                          {"length", &S::length_m},
                                          {"cellsAround", &S::cells_around, at_least(3)},
                                          {"cellsThrough", &S::cells_through, at_least(1)},
                                          {"cellsAlong", &S::cells_along, at_least(1)}});
  Generated g = solid(shape, tube_hexes);
  g.surface = [shape] { return tube_surface(shape); };
  return g;
}

Generated read_clip(Reading& from) {
  using S = ClipShape;
  const auto shape = read_shape<S>(from, {{"innerRadius", &S::inner_radius_m},
                                          {"outerRadius", &S::outer_radius_m},
                                          {"width", &S::width_m},
                                          {"openingAngle", &S::opening_angle_rad, limits::turn_rad},
                                          {"lipAngle", &S::lip_angle_rad, limits::turn_rad},
                                          {"lipRadius", &S::lip_radius_m},
                                          {"handleLength", &S::handle_length_m},
                                          {"handleThickness", &S::handle_thickness_m},
                                          {"cellsAround", &S::cells_around, at_least(4)},
                                          {"cellsThrough", &S::cells_through, at_least(1)},
                                          {"cellsWide", &S::cells_wide, at_least(1)}});
  Generated g = solid(shape, clip_hexes);
  g.sets = [shape](std::span<const Vec3> nodes) {
    return NodeSets{{"handle", clip_grasp_nodes(shape, nodes)}};
  };
  return g;
}

Generated read_table(Reading& from) {
  using S = TableShape;
  auto shape = read_shape<S>(from, {{"length", &S::length_m},
                                    {"width", &S::width_m},
                                    {"topThickness", &S::top_thickness_m},
                                    {"legLength", &S::leg_length_m},
                                    {"legThickness", &S::leg_thickness_m},
                                    {"reinforcedAlongX", &S::reinforced_along_x},
                                    {"reinforcedAlongY", &S::reinforced_along_y},
                                    {"barHeight", &S::bar_height_m},
                                    {"barThickness", &S::bar_thickness_m},
                                    {"cell", &S::cell_m}});
  shape.cell_m /= from.refinement;
  return solid(shape, table_hexes);
}

Generated read_sine_plate(Reading& from) {
  using S = SinePlateShape;
  const auto shape = read_shape<S>(from, {{"amplitude", &S::amplitude_m},
                                          {"wavelength", &S::wavelength_m},
                                          {"length", &S::length_m},
                                          {"width", &S::width_m},
                                          {"depth", &S::depth_m},
                                          {"cellsAlong", &S::cells_along, at_least(1)},
                                          {"cellsWide", &S::cells_wide, at_least(1)},
                                          {"cellsDeep", &S::cells_deep, at_least(1)}});
  return solid(shape, sine_plate_hexes);
}

Generated read_statue(Reading& from) {
  StatueShape shape;
  shape.height_m = from.m.get("height").number(shape.height_m, limits::length_m);
  shape.cell_m = from.m.get("cell").number(shape.height_m / 50, limits::length_m) / from.refinement;
  Generated g;
  g.surface = [shape] { return statue_surface(shape); };
  return g;
}

Generated read_straight(Reading& from) {
  using S = StraightShape;
  const auto shape = read_shape<S>(
      from, {{"from", &S::from_m}, {"to", &S::to_m}, {"segments", &S::segments, {1, 10000, false, false}}});
  return curve_of(shape, straight_curve);
}

Generated read_arc(Reading& from) {
  using S = ArcShape;
  const auto shape = read_shape<S>(from, {{"radius", &S::radius_m},
                                          {"angle", &S::angle_rad, limits::turn_rad},
                                          {"segments", &S::segments, {1, 10000, false, false}}});
  return curve_of(shape, arc_curve);
}

Generated read_clip_curve(Reading& from) {
  using S = ClipCurveShape;
  const auto shape = read_shape<S>(from, {{"radius", &S::radius_m},
                                          {"openingAngle", &S::opening_angle_rad, limits::turn_rad},
                                          {"lipAngle", &S::lip_angle_rad, limits::turn_rad},
                                          {"lipRadius", &S::lip_radius_m},
                                          {"segments", &S::segments, {1, 10000, false, false}}});
  return curve_of(shape, clip_curve);
}

using Reader = Generated (*)(Reading&);

const std::vector<std::pair<std::string, Reader>>& generators() {
  static const std::vector<std::pair<std::string, Reader>> list{{"box", read_box},
                                                                {"bar", read_bar},
                                                                {"sphere", read_sphere},
                                                                {"icosphere", read_icosphere},
                                                                {"ball", read_ball},
                                                                {"capsule", read_capsule},
                                                                {"roundedBox", read_rounded_box},
                                                                {"cylinder", read_cylinder},
                                                                {"tube", read_tube},
                                                                {"clip", read_clip},
                                                                {"table", read_table},
                                                                {"sinePlate", read_sine_plate},
                                                                {"statue", read_statue},
                                                                {"straight", read_straight},
                                                                {"arc", read_arc},
                                                                {"clipCurve", read_clip_curve}};
  return list;
}

}  // namespace

const std::vector<std::string>& generator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, read] : generators()) list.push_back(name);
    return list;
  }();
  return names;
}

Generated read_generator(int which, YamlMap& mesh, double refinement) {
  Reading from{mesh, refinement};
  return generators()[which].second(from);
}

}  // namespace palp
