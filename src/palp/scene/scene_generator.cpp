#include "palp/scene/scene_generator.hpp"

#include <cmath>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/implicit_surface.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/scene/limits.hpp"

namespace palp {
namespace generating {  // short names, which no other file of the room shall see
namespace {

/// One key of a generator and where its value goes.
template <class Shape>
struct Parameter {
  Key key;
  std::variant<double Shape::*, int Shape::*, bool Shape::*, Vec3 Shape::*, std::array<int, 3> Shape::*>
      member;
  bool counts_cells = true;  ///< a whole number: more of them in a finer mesh
};

constexpr int most = 2000;  ///< cells along one length
using limits::length_m;
using limits::position_m;

Key key_of(const char* name, double fallback, const Range& range, const char* help) {
  return keys::number(name, fallback, range, help);
}
Key key_of(const char* name, const Vec3& fallback, const Range& range, const char* help) {
  return keys::vector(name, fallback, range, help);
}
Key key_of(const char* name, int fallback, const Range& range, const char* help) {
  return keys::integer(name, fallback, static_cast<int>(range.lo), static_cast<int>(range.hi), help);
}
Key key_of(const char* name, const std::array<int, 3>& fallback, const Range& range, const char* help) {
  return keys::integers(name, fallback, static_cast<int>(range.lo), static_cast<int>(range.hi), help);
}
Key key_of(const char* name, bool fallback, const Range&, const char* help) {
  return keys::flag(name, fallback, help);
}

/// The default is that of the shape.
template <class Shape, class T>
Parameter<Shape> of(const char* name, T Shape::*member, const Range& range, const char* help) {
  return {key_of(name, Shape{}.*member, range, help), member, true};
}
/// A length, m, or three; a count of cells, at least `lo`.
template <class Shape, class T>
Parameter<Shape> of(const char* name, T Shape::*member, const char* help) {
  return of(name, member, length_m, help);
}
template <class Shape, class T>
Parameter<Shape> cells(const char* name, T Shape::*member, int lo, const char* help) {
  return of(name, member, {static_cast<double>(lo), most}, help);
}
template <class Shape>
Parameter<Shape> centre(Vec3 Shape::*member) {
  return of("centre", member, position_m, "m");
}

void read_value(const YamlValue& value, double& out) { out = value.number(); }
void read_value(const YamlValue& value, bool& out) { out = value.boolean(); }
void read_value(const YamlValue& value, Vec3& out) { out = value.vec3(); }
void read_value(const YamlValue& value, int& out) { out = value.integer(); }
void read_value(const YamlValue& value, std::array<int, 3>& out) {
  if (!value.exists()) return;
  const auto list = value.list();
  if (list.size() != 3) {
    value.fail("'" + value.path() + "' must be three whole numbers", "e.g. [4, 4, 4]");
    return;
  }
  for (size_t k = 0; k < 3; ++k) out[k] = list[k].integer(out[k]);
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

struct Generator {
  std::string name;
  Keys keys;
  std::function<Generated(YamlMap&, double refinement)> read;
};

/// `make(shape, refinement)`: the counts of cells are refined before.
template <class Shape, class Make>
Generator generator(const char* name, std::vector<Parameter<Shape>> parameters, Make make) {
  Generator out{name, {}, {}};
  for (const auto& p : parameters) out.keys.push_back(p.key);
  out.read = [parameters = std::move(parameters), make](YamlMap& m, double refinement) {
    Shape shape;
    for (const auto& p : parameters)
      std::visit(
          [&](auto member) {
            read_value(m.get(p.key.name), shape.*member);
            if (p.counts_cells) refine(shape.*member, refinement, p.key.range);
          },
          p.member);
    return make(shape, refinement);
  };
  return out;
}

template <class Shape>
Generated solid_of(const Shape& shape, Result<HexMesh> (*hexes)(const Shape&)) {
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
auto solid(Result<HexMesh> (*hexes)(const Shape&)) {
  return [hexes](const Shape& shape, double) { return solid_of(shape, hexes); };
}

template <class Shape>
auto curve_of(Result<Curve> (*curve)(const Shape&)) {
  return [curve](const Shape& shape, double) {
    Generated g;
    g.curve = [shape, curve] { return curve(shape); };
    return g;
  };
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

struct BallShape {
  double radius_m = 0.05;
  Vec3 centre_m = Vec3::Zero();
};
struct CapsuleShape {
  double radius_m = 0.02, length_m = 0.1;
  Vec3 centre_m = Vec3::Zero();
};
struct RoundedBoxShape {
  Vec3 size_m = Vec3::Constant(0.1);
  double radius_m = 0.005;
  Vec3 centre_m = Vec3::Zero();
};

struct RoundedCylinderShape {
  double radius_m = 0.02, length_m = 0.1, edge_m = 0.001;
  Vec3 centre_m = Vec3::Zero();
};
struct RoundedTubeShape {
  double inner_radius_m = 0.012, outer_radius_m = 0.016, length_m = 0.1, edge_m = 0.001;
  Vec3 centre_m = Vec3::Zero();
};

Generator box() {
  using S = BoxShape;
  return generator<S>(
      "box",
      {of("size", &S::size_m, "m"), centre(&S::centre_m), cells("cells", &S::cells, 1, "along x, y, z")},
      solid(box_hexes));
}

Generator bar() {
  using S = BarShape;
  return generator<S>("bar",
                      {of("length", &S::length_m, "m, from x = 0"), of("width", &S::width_m, "m, y"),
                       of("height", &S::height_m, "m, z"), cells("cellsAlong", &S::cells_along, 1, ""),
                       cells("cellsWide", &S::cells_wide, 1, ""), cells("cellsHigh", &S::cells_high, 1, "")},
                      solid(bar_hexes));
}

Generator sphere() {
  using S = SphereShape;
  return generator<S>("sphere",
                      {of("radius", &S::radius_m, "m"), centre(&S::centre_m),
                       cells("cellsAcross", &S::cells_across, 3, "on a diameter")},
                      solid(sphere_hexes));
}

Generator icosphere_surface() {
  using S = IcosphereShape;
  Parameter<S> subdivisions = of("subdivisions", &S::subdivisions, {0, 7}, "each cuts a triangle in four");
  subdivisions.counts_cells = false;
  return generator<S>("icosphere",
                      {of("radius", &S::radius_m, "m, a surface"), centre(&S::centre_m), subdivisions},
                      [](S shape, double refinement) {
                        const int more = static_cast<int>(std::lround(std::log2(refinement)));
                        shape.subdivisions = std::min(7, shape.subdivisions + more);
                        Generated g;
                        g.surface = [shape] { return icosphere(shape); };
                        return g;
                      });
}

Generator ball() {
  using S = BallShape;
  return generator<S>(
      "ball",
      {of("radius", &S::radius_m, "m; exact: contact knows the round surface, not facets"),
       centre(&S::centre_m)},
      [](const S& s, double) { return rounded([s] { return round_ball(s.radius_m, s.centre_m); }); });
}

Generator capsule() {
  using S = CapsuleShape;
  return generator<S>("capsule",
                      {of("radius", &S::radius_m, "m; exact, along z"),
                       of("length", &S::length_m, "m, from end to end"), centre(&S::centre_m)},
                      [](const S& s, double) {
                        return rounded([s] { return round_capsule(s.radius_m, s.length_m, s.centre_m); });
                      });
}

Generator rounded_box() {
  using S = RoundedBoxShape;
  return generator<S>("roundedBox",
                      {of("size", &S::size_m, "m; exact"), of("radius", &S::radius_m, "of its edges, m"),
                       centre(&S::centre_m)},
                      [](const S& s, double) {
                        return rounded([s] { return round_box(s.size_m, s.radius_m, s.centre_m); });
                      });
}

Generator rounded_cylinder() {
  using S = RoundedCylinderShape;
  return generator<S>(
      "roundedCylinder",
      {of("radius", &S::radius_m, "m; exact, around z, with flat ends"), of("length", &S::length_m, "m"),
       of("edgeRadius", &S::edge_m, "of its rims, m"), centre(&S::centre_m)},
      [](const S& s, double) {
        return rounded([s] { return round_cylinder(s.radius_m, s.length_m, s.edge_m, s.centre_m); });
      });
}

Generator rounded_tube() {
  using S = RoundedTubeShape;
  return generator<S>(
      "roundedTube",
      {of("innerRadius", &S::inner_radius_m, "m; exact, around z, inside as well"),
       of("outerRadius", &S::outer_radius_m, "m"), of("length", &S::length_m, "m"),
       of("edgeRadius", &S::edge_m, "of its rims, m"), centre(&S::centre_m)},
      [](const S& s, double) {
        return rounded(
            [s] { return round_tube(s.inner_radius_m, s.outer_radius_m, s.length_m, s.edge_m, s.centre_m); });
      });
}

Generator cylinder() {
  using S = CylinderShape;
  return generator<S>("cylinder",
                      {of("radius", &S::radius_m, "m, around z"), of("length", &S::length_m, "m"),
                       cells("cellsAcross", &S::cells_across, 3, "on a diameter"),
                       cells("cellsAlong", &S::cells_along, 1, "")},
                      solid(cylinder_hexes));
}

Generator graded() {
  using S = GradedShape;
  return generator<S>(
      "graded",
      {of("radius", &S::radius_m, "m; a round block under z = 0 with small cells around the origin"),
       of("height", &S::height_m, "m"), of("cell", &S::cell_m, "side of the smallest, m"),
       of("even", &S::even_m, "how far from the origin they do not grow, m"),
       of("growth", &S::growth, {1.01, 3}, "of a cell over the one before it"),
       cells("sectors", &S::sectors, 8, "a multiple of 8")},
      [](S shape, double refinement) {
        shape.cell_m /= refinement;
        shape.growth = std::pow(shape.growth, 1 / refinement);
        shape.sectors = std::max(8, shape.sectors / 8 * 8);
        return solid_of(shape, graded_hexes);
      });
}

Generator tube() {
  using S = TubeShape;
  return generator<S>(
      "tube",
      {of("innerRadius", &S::inner_radius_m, "m, around z"), of("outerRadius", &S::outer_radius_m, "m"),
       of("length", &S::length_m, "m"), cells("cellsAround", &S::cells_around, 3, ""),
       cells("cellsThrough", &S::cells_through, 1, "the wall"), cells("cellsAlong", &S::cells_along, 1, "")},
      [](const S& shape, double) {
        Generated g = solid_of(shape, tube_hexes);
        g.surface = [shape] { return tube_surface(shape); };
        return g;
      });
}

Generator clip() {
  using S = ClipShape;
  return generator<S>(
      "clip",
      {of("innerRadius", &S::inner_radius_m, "m; opens towards −y; node set `handle`"),
       of("outerRadius", &S::outer_radius_m, "m"), of("width", &S::width_m, "m, along z"),
       of("openingAngle", &S::opening_angle_rad, limits::turn_rad, "rad, of the gap, seen from the axis"),
       of("lipAngle", &S::lip_angle_rad, limits::turn_rad, "rad, by which a lip bends outwards"),
       of("lipRadius", &S::lip_radius_m, "m, of its middle line"),
       of("handleLength", &S::handle_length_m, "m"), of("handleThickness", &S::handle_thickness_m, "m"),
       cells("cellsAround", &S::cells_around, 4, ""), cells("cellsThrough", &S::cells_through, 1, "the wall"),
       cells("cellsWide", &S::cells_wide, 1, "")},
      [](const S& shape, double) {
        Generated g = solid_of(shape, clip_hexes);
        g.sets = [shape](std::span<const Vec3> nodes) {
          return NodeSets{{"handle", clip_grasp_nodes(shape, nodes)}};
        };
        return g;
      });
}

Generator table() {
  using S = TableShape;
  return generator<S>(
      "table",
      {of("length", &S::length_m, "of the top, x, m; it stands on z = 0"), of("width", &S::width_m, "y, m"),
       of("topThickness", &S::top_thickness_m, "m"), of("legLength", &S::leg_length_m, "m"),
       of("legThickness", &S::leg_thickness_m, "m"),
       of("reinforcedAlongX", &S::reinforced_along_x, "bars between the legs"),
       of("reinforcedAlongY", &S::reinforced_along_y, "bars between the legs"),
       of("barHeight", &S::bar_height_m, "of their lower side, m"),
       of("barThickness", &S::bar_thickness_m, "m"), of("cell", &S::cell_m, "edge of a cell, about, m")},
      [](S shape, double refinement) {
        shape.cell_m /= refinement;
        return solid_of(shape, table_hexes);
      });
}

Generator sine_plate() {
  using S = SinePlateShape;
  return generator<S>(
      "sinePlate",
      {of("amplitude", &S::amplitude_m, "m: z = amplitude · sin(2π x / wavelength) above a flat side"),
       of("wavelength", &S::wavelength_m, "m"), of("length", &S::length_m, "m, x"),
       of("width", &S::width_m, "m, y"), of("depth", &S::depth_m, "m, of the flat side"),
       cells("cellsAlong", &S::cells_along, 1, ""), cells("cellsWide", &S::cells_wide, 1, ""),
       cells("cellsDeep", &S::cells_deep, 1, "")},
      solid(sine_plate_hexes));
}

Generator statue() {
  using S = StatueShape;
  std::vector<Parameter<S>> parameters{
      of("height", &S::height_m, "m; a closed surface with rings, thin arms and a base with sharp edges"),
      of("cell", &S::cell_m, "edge of a triangle, about, m")};
  parameters[1].key.number = 0;  // decided when the height is known
  parameters[1].key = std::move(parameters[1].key).otherwise("a fiftieth of the height");
  return generator<S>("statue", parameters, [](S shape, double refinement) {
    shape.cell_m = (shape.cell_m > 0 ? shape.cell_m : shape.height_m / 50) / refinement;
    Generated g;
    g.surface = [shape] { return statue_surface(shape); };
    return g;
  });
}

constexpr Range segments{1, 10000};

Generator straight() {
  using S = StraightShape;
  return generator<S>("straight",
                      {of("from", &S::from_m, position_m, "m, a curve"), of("to", &S::to_m, position_m, "m"),
                       of("segments", &S::segments, segments, "")},
                      curve_of(straight_curve));
}

Generator arc() {
  using S = ArcShape;
  return generator<S>(
      "arc",
      {of("radius", &S::radius_m, "m, a curve from the origin along x, bending to y"),
       of("angle", &S::angle_rad, limits::turn_rad, "rad"), of("segments", &S::segments, segments, "")},
      curve_of(arc_curve));
}

Generator clip_middle() {
  using S = ClipCurveShape;
  return generator<S>("clipCurve",
                      {of("radius", &S::radius_m, "m, a curve: the middle line of a clip"),
                       of("openingAngle", &S::opening_angle_rad, limits::turn_rad, "rad"),
                       of("lipAngle", &S::lip_angle_rad, limits::turn_rad, "rad"),
                       of("lipRadius", &S::lip_radius_m, "m"), of("segments", &S::segments, segments, "")},
                      curve_of(clip_curve));
}

const std::vector<Generator>& generators() {
  static const std::vector<Generator> list{box(),          bar(),      sphere(),      icosphere_surface(),
                                           ball(),         capsule(),  rounded_box(), rounded_cylinder(),
                                           rounded_tube(), cylinder(), graded(),      tube(),
                                           clip(),         table(),    sine_plate(),  statue(),
                                           straight(),     arc(),      clip_middle()};
  return list;
}

}  // namespace
}  // namespace generating

const std::vector<std::string>& generator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const generating::Generator& g : generating::generators()) list.push_back(g.name);
    return list;
  }();
  return names;
}

const Keys& generator_keys(int which) { return generating::generators()[static_cast<size_t>(which)].keys; }

Generated read_generator(int which, YamlMap& mesh, double refinement) {
  return generating::generators()[static_cast<size_t>(which)].read(mesh, refinement);
}

}  // namespace palp
