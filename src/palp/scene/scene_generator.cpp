#include "palp/scene/scene_generator.hpp"

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

template <class Shape>
Shape read_shape(YamlMap& m, std::initializer_list<Parameter<Shape>> parameters) {
  Shape shape;
  for (const auto& p : parameters)
    std::visit([&](auto member) { read_value(m.get(p.key), shape.*member, p.range); }, p.member);
  return shape;
}

template <class Shape>
Generated solid(const Shape& shape, Result<TetMesh> (*tets)(const Shape&),
                Result<HexMesh> (*hexes)(const Shape&)) {
  Generated g;
  g.tets = [shape, tets] { return tets(shape); };
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

Generated read_box(YamlMap& m) {
  using S = BoxShape;
  const auto shape =
      read_shape<S>(m, {{"size", &S::size_m}, {"centre", &S::centre_m}, {"cells", &S::cells, at_least(1)}});
  return solid(shape, box_tets, box_hexes);
}

Generated read_bar(YamlMap& m) {
  using S = BarShape;
  const auto shape = read_shape<S>(m, {{"length", &S::length_m},
                                       {"width", &S::width_m},
                                       {"height", &S::height_m},
                                       {"cellsAlong", &S::cells_along, at_least(1)},
                                       {"cellsWide", &S::cells_wide, at_least(1)},
                                       {"cellsHigh", &S::cells_high, at_least(1)}});
  return solid(shape, bar_tets, bar_hexes);
}

Generated read_sphere(YamlMap& m) {
  using S = SphereShape;
  const auto shape = read_shape<S>(
      m,
      {{"radius", &S::radius_m}, {"centre", &S::centre_m}, {"cellsAcross", &S::cells_across, at_least(3)}});
  return solid(shape, sphere_tets, sphere_hexes);
}

Generated read_icosphere(YamlMap& m) {
  using S = IcosphereShape;
  const auto shape = read_shape<S>(m, {{"radius", &S::radius_m},
                                       {"centre", &S::centre_m},
                                       {"subdivisions", &S::subdivisions, {0, 7, false, false}}});
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

Generated read_ball(YamlMap& m) {
  const double radius = m.get("radius").number(0.05, limits::length_m);
  const Vec3 centre = m.get("centre").vec3(Vec3::Zero(), limits::position_m);
  return rounded([=] { return round_ball(radius, centre); });
}

Generated read_capsule(YamlMap& m) {
  const double radius = m.get("radius").number(0.02, limits::length_m);
  const double length = m.get("length").number(0.1, limits::length_m);
  const Vec3 centre = m.get("centre").vec3(Vec3::Zero(), limits::position_m);
  return rounded([=] { return round_capsule(radius, length, centre); });
}

Generated read_rounded_box(YamlMap& m) {
  const Vec3 size = m.get("size").vec3(Vec3::Constant(0.1), limits::position_m);
  const double radius = m.get("radius").number(0.005, limits::length_m);
  const Vec3 centre = m.get("centre").vec3(Vec3::Zero(), limits::position_m);
  return rounded([=] { return round_box(size, radius, centre); });
}

Generated read_cylinder(YamlMap& m) {
  using S = CylinderShape;
  const auto shape = read_shape<S>(m, {{"radius", &S::radius_m},
                                       {"length", &S::length_m},
                                       {"cellsAcross", &S::cells_across, at_least(3)},
                                       {"cellsAlong", &S::cells_along, at_least(1)}});
  return solid(shape, cylinder_tets, cylinder_hexes);
}

Generated read_tube(YamlMap& m) {
  using S = TubeShape;
  const auto shape = read_shape<S>(m, {{"innerRadius", &S::inner_radius_m},
                                       {"outerRadius", &S::outer_radius_m},
                                       {"length", &S::length_m},
                                       {"cellsAround", &S::cells_around, at_least(3)},
                                       {"cellsThrough", &S::cells_through, at_least(1)},
                                       {"cellsAlong", &S::cells_along, at_least(1)}});
  Generated g = solid(shape, tube_tets, tube_hexes);
  g.surface = [shape] { return tube_surface(shape); };
  return g;
}

Generated read_clip(YamlMap& m) {
  using S = ClipShape;
  const auto shape = read_shape<S>(m, {{"innerRadius", &S::inner_radius_m},
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
  Generated g = solid(shape, clip_tets, clip_hexes);
  g.sets = [shape](std::span<const Vec3> nodes) {
    return NodeSets{{"handle", clip_grasp_nodes(shape, nodes)}};
  };
  return g;
}

Generated read_table(YamlMap& m) {
  using S = TableShape;
  const auto shape = read_shape<S>(m, {{"length", &S::length_m},
                                       {"width", &S::width_m},
                                       {"topThickness", &S::top_thickness_m},
                                       {"legLength", &S::leg_length_m},
                                       {"legThickness", &S::leg_thickness_m},
                                       {"reinforcedAlongX", &S::reinforced_along_x},
                                       {"reinforcedAlongY", &S::reinforced_along_y},
                                       {"barHeight", &S::bar_height_m},
                                       {"barThickness", &S::bar_thickness_m},
                                       {"cell", &S::cell_m}});
  return solid(shape, table_tets, table_hexes);
}

Generated read_sine_plate(YamlMap& m) {
  using S = SinePlateShape;
  const auto shape = read_shape<S>(m, {{"amplitude", &S::amplitude_m},
                                       {"wavelength", &S::wavelength_m},
                                       {"length", &S::length_m},
                                       {"width", &S::width_m},
                                       {"depth", &S::depth_m},
                                       {"cellsAlong", &S::cells_along, at_least(1)},
                                       {"cellsWide", &S::cells_wide, at_least(1)},
                                       {"cellsDeep", &S::cells_deep, at_least(1)}});
  return solid(shape, sine_plate_tets, sine_plate_hexes);
}

Generated read_statue(YamlMap& m) {
  StatueShape shape;
  shape.height_m = m.get("height").number(shape.height_m, limits::length_m);
  shape.cell_m = m.get("cell").number(shape.height_m / 50, limits::length_m);
  Generated g;
  g.surface = [shape] { return statue_surface(shape); };
  return g;
}

Generated read_straight(YamlMap& m) {
  using S = StraightShape;
  const auto shape = read_shape<S>(
      m, {{"from", &S::from_m}, {"to", &S::to_m}, {"segments", &S::segments, {1, 10000, false, false}}});
  return curve_of(shape, straight_curve);
}

Generated read_arc(YamlMap& m) {
  using S = ArcShape;
  const auto shape = read_shape<S>(m, {{"radius", &S::radius_m},
                                       {"angle", &S::angle_rad, limits::turn_rad},
                                       {"segments", &S::segments, {1, 10000, false, false}}});
  return curve_of(shape, arc_curve);
}

Generated read_clip_curve(YamlMap& m) {
  using S = ClipCurveShape;
  const auto shape = read_shape<S>(m, {{"radius", &S::radius_m},
                                       {"openingAngle", &S::opening_angle_rad, limits::turn_rad},
                                       {"lipAngle", &S::lip_angle_rad, limits::turn_rad},
                                       {"lipRadius", &S::lip_radius_m},
                                       {"segments", &S::segments, {1, 10000, false, false}}});
  return curve_of(shape, clip_curve);
}

using Reader = Generated (*)(YamlMap&);

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

Generated read_generator(int which, YamlMap& mesh) { return generators()[which].second(mesh); }

}  // namespace palp
