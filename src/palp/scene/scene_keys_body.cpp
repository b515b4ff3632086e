// The keys of bodies and of what is done to their parts (scene_keys.hpp).
#include <algorithm>

#include "palp/mechanics/point_proxy.hpp"
#include "palp/scene/limits.hpp"
#include "palp/scene/scene_elements.hpp"
#include "palp/scene/scene_generator.hpp"
#include "palp/scene/scene_keys.hpp"

namespace palp::scene_keys {
namespace {

using namespace keys;

enum : unsigned {
  linear = 1,
  corotational = 2,
  global = 4,
  rigid = 8,
  obstacle = 16,
  beam = 32,
  point = 64,
  elastic = linear | corotational,
  soft = elastic | global | beam,
  meshed = soft | rigid | obstacle,
  moving = soft | rigid | point
};

struct BodyKey {
  unsigned models;
  Key key;
};

Key young_modulus(std::string help) {
  return number("youngModulus", 1e5, limits::modulus_Pa, std::move(help));
}
Key poisson_ratio() {
  return number("poissonRatio", 0.3, limits::poisson, "sideways contraction over stretch");
}
Key density() { return number("density", 1000, limits::density_kg_per_m3, "kg/m³"); }

const std::vector<BodyKey>& body_table() {
  static const PointProxySpec p;
  static const std::vector<BodyKey> table{
      {meshed, map("mesh", "shape: `{file: …}` or `{generator: …}`, below")
                   .needed("e.g. mesh: {generator: box, size: [0.1, 0.1, 0.1]} or {file: part.msh}")},
      {elastic | global, map("surface", "a finer skin than the mesh's own, in the same form")},
      {meshed, number("scale", 1, limits::scale, "of the mesh; a file in millimetres: 0.001")},
      {meshed,
       vector("rotation", Vec3::Zero(), limits::angle_deg, "then this, axis times degrees: `[0, 0, 90]`")},
      {meshed, vector("position", Vec3::Zero(), limits::position_m, "and then moved by this, m")},
      {point, vector("position", p.position_m, limits::position_m, "m")},
      {rigid | obstacle, flag("smooth", false,
                              "the mesh stands for a round surface: soft skins touch it without facets; what "
                              "turns by more than 41° "
                              "stays sharp")},
      {elastic | global,
       flag("smooth", false,
            "the skin stands for a round surface: at one rate its contacts with exact shapes and `smooth` "
            "meshes "
            "stand for areas, so that a tool slides over it without a ripple; what turns by more than 41° "
            "stays sharp")},
      {soft, young_modulus("Pa").needed("in pascal: rubber 1e6, liver 5e3, steel 2e11")},
      {soft, poisson_ratio()},
      {soft | rigid, density()},
      {rigid, number("mass", 0, limits::mass_kg, "kg, instead of `density`: scales the inertia, too")
                  .otherwise("of the shape")},
      {rigid, vector("centre", Vec3::Zero(), limits::position_m,
                     "centre of gravity in the part's own axes, after `scale` and before `rotation`, m")
                  .otherwise("of the shape")},
      {rigid, list("inertia", "about it, same axes: `[xx, yy, zz]` or `[xx, yy, zz, xy, xz, yz]`, kg·m²")
                  .otherwise("of the shape")},
      {point, number("mass", p.mass_kg, limits::mass_kg, "kg")},
      {point, number("damping", p.damping_N_s_per_m, limits::coupling, "N·s/m, against the world")},
      {point, number("radius", p.radius_m, limits::length_or_none_m, "m")},
      {soft | rigid,
       number("rayleighMass", 0, limits::rayleigh_mass_per_s, "damping by mass, 1/s: like drag")},
      {soft, number("rayleighStiffness", 0, limits::rayleigh_stiffness_s,
                    "damping by stiffness, s: like inner friction")},
      {soft, flag("quasiStatic", false, "no inertia; it must be fixed, grasped or damped by `rayleighMass`")},
      {soft, flag("selfContact", false,
                  "its skin touches itself, by the rules of `contact` or of `pairs: [{bodies: [it, it]}]` "
                  "([contact.md](contact.md)); not with `rate: high`")},
      {beam, map("section", "its cross-section").needed("e.g. section: {radius: 0.001}")},
      {beam, vector("sectionY", Vec3::Zero(), limits::direction,
                    "where the height of a section points at the start")
                 .otherwise("any")},
      {beam, integer("skinSubdivisions", 1, 1, 100, "pieces of the skin per segment")},
      {elastic | beam, nodes("fixed", "nodes that never move")},
      {beam, nodes("pinned", "nodes that may turn, and not move")},
      {elastic | beam, nodes("grasp", "nodes that a device carries")},
      {global,
       nodes("grasp", "nodes that follow the frame undeformed, where it is held; without it mean axes")},
      {elastic | beam, list("supports", "nodes held along some axes, below")},
      {elastic | beam | obstacle, list("moves", "nodes that are moved, below; of an obstacle one motion")},
      {moving, list("loads", "forces and pressures, below")},
      {elastic | global, list("materials", "parts made of something else, below")},
      {moving, vector("velocity", Vec3::Zero(), limits::velocity, "of the centre of mass at the start, m/s")},
      {moving, vector("spin", Vec3::Zero(), limits::velocity,
                      "about it at the start, rad/s, axes of the world; a point has none")}};
  return table;
}

const std::vector<BodyKey>& support_table() {
  static const std::vector<BodyKey> table{
      {elastic | beam, nodes("on", "which nodes").needed("which nodes: on: {box: [[x, y, z], [x, y, z]]}")},
      {elastic, list("axes", "held along these: `[x, z]`").otherwise("[x, y, z]")},
      {elastic,
       vector("normal", Vec3::UnitZ(), limits::direction, "instead: of the plane in which they slide")
           .otherwise("")},
      {beam, list("axes", "held along these; `rx`, `ry`, `rz` are rotations").otherwise("[x, y, z]")}};
  return table;
}

const std::vector<BodyKey>& move_table() {
  static const std::vector<BodyKey> table{
      {elastic | beam, nodes("on", "which nodes").needed("which nodes: on: {box: [[x, y, z], [x, y, z]]}")},
      {elastic | beam | obstacle,
       vector_course("displacement", limits::position_m, "from rest, m")
           .needed("from rest, over time: displacement: [[0, [0, 0, 0]], [1, [0, 0, 0.01]]]")},
      {beam | obstacle,
       vector_course("rotation", limits::angle_deg, "axis times degrees").otherwise("[0, 0, 0]")},
      {elastic, list("axes", "moved along these, and free along the others").otherwise("[x, y, z]")},
      {elastic,
       vector("normal", Vec3::UnitZ(), limits::direction, "instead: moved along this alone").otherwise("")}};
  return table;
}

std::vector<Keys> of_models(const std::vector<BodyKey>& table) {
  std::vector<Keys> all(model_count);
  for (size_t m = 0; m < all.size(); ++m)
    for (const BodyKey& k : table)
      if (k.models & 1u << m) all[m].push_back(k.key);
  return all;
}

}  // namespace

const Keys& any_body() {
  static const Keys table{
      choice("model", "",
             {"linear", "corotational", "globalCorotational", "rigid", "obstacle", "beam", "point"}, "above")
          .needed("one of linear, corotational, globalCorotational, rigid, obstacle, beam, point"),
      choice("rate", "low", {"low", "high"}, "with `haptics`: stepped at every tick, or at the low rate")};
  return table;
}

const Keys& body(BodyModel model) {
  static const std::vector<Keys> tables = of_models(body_table());
  return tables[static_cast<size_t>(model)];
}

const Keys& section() {
  static const Keys table{
      number("radius", 0.001, limits::length_m, "of a round one, m"),
      number("innerRadius", 0, limits::length_or_none_m, "of a tube, m"),
      number("width", 0.002, limits::length_m, "of a rectangle, instead of `radius`, m").otherwise(""),
      number("height", 0.002, limits::length_m, "with `width`, m").otherwise("")};
  return table;
}

const Keys& mesh() {
  static const Keys table{
      word("file", "Gmsh, VTK, OBJ, STL or PLY, relative to the scene"),
      choice("generator", "", generator_names(), "instead of `file`: below, with its own keys"),
      choice("elements", "", element_names(), "of the volume of a soft body")
          .otherwise("`hexes`; of a file of tets `tets`"),
      integer("cells", 0, 1, limits::most_elements / 6, "about how many, of a lattice in a surface")
          .otherwise("by its walls")};
  return table;
}

const Keys& selection() {
  static const Keys table{
      list("box", "nodes between two corners `[[x, y, z], [x, y, z]]`, in the world, after placement, m",
           limits::position_m),
      list("nodes", "nodes by their numbers, from 0"),
      word("set", "a node set of the file or the generator")};
  return table;
}

const Keys& support(BodyModel model) {
  static const std::vector<Keys> tables = of_models(support_table());
  return tables[static_cast<size_t>(model)];
}

const Keys& move(BodyModel model) {
  static const std::vector<Keys> tables = of_models(move_table());
  return tables[static_cast<size_t>(model)];
}

const Keys& load() {
  static const Keys table{
      nodes("on", "what is loaded; a face when all its nodes are selected").otherwise("all around"),
      vector("at", Vec3::Zero(), limits::position_m,
             "where a `force` acts on a `rigid`, `globalCorotational` or `point` body; it moves with the "
             "body, m")
          .otherwise("its centre"),
      course("pressure", limits::stress_Pa,
             "Pa, pushes inwards, follows the surface as it moves (`linear`: at rest)"),
      vector_course("traction", limits::stress_Pa, "Pa in the axes of the world over the area at rest"),
      vector_course("force", limits::load_N, "N, all of it, shared equally by the nodes, or at a point"),
      vector_course("torque", limits::load_N, "N·m, of a body with one frame, or nodes of a beam"),
      vector_course("perLength", limits::line_load_N_per_m, "N/m along a beam")};
  return table;
}

const Keys& material() {
  static const Keys table{
      nodes("on", "the cells whose middle is in the box, or whose nodes are all in the set")
          .needed("which part: on: {box: [[x, y, z], [x, y, z]]}"),
      young_modulus("Pa").otherwise("the body's"), poisson_ratio().otherwise("the body's"),
      density().otherwise("the body's")};
  return table;
}

namespace {

/// Every key once, with the models that have it; those that all of them have first.
KeySection by_model(std::string name, const std::vector<BodyKey>& table, const Keys& all = {}) {
  KeySection out{std::move(name), all, std::vector<std::string>(all.size(), "all")};
  const auto& names = any_body()[0].choices;
  for (const BodyKey& k : table) {
    std::string of;
    for (size_t m = 0; m < names.size(); ++m)
      if (k.models & 1u << m) of += (of.empty() ? "" : ", ") + names[m];
    out.keys.push_back(k.key);
    out.of.push_back(k.models == meshed ? "all but point" : k.models == moving ? "all but obstacle" : of);
  }
  return out;
}

/// The same of devices and their types.
KeySection device_section() {
  KeySection out{"devices", any_device(), std::vector<std::string>(any_device().size(), "all")};
  const auto& names = any_device()[0].choices;
  for (size_t t = 0; t < names.size(); ++t)
    for (const Key& key : device(static_cast<DeviceType>(t))) {
      const auto same = [&](const Key& k) { return k.name == key.name && k.help == key.help; };
      const auto at = std::find_if(out.keys.begin(), out.keys.end(), same);
      if (at == out.keys.end()) {
        out.keys.push_back(key);
        out.of.push_back(names[t]);
      } else {
        out.of[static_cast<size_t>(at - out.keys.begin())] += ", " + names[t];
      }
    }
  return out;
}

KeySection generator_section() {
  KeySection out{"generators", {}};
  for (size_t g = 0; g < generator_names().size(); ++g)
    for (const Key& key : generator_keys(static_cast<int>(g))) {
      out.keys.push_back(key);
      out.of.push_back(generator_names()[g]);
    }
  return out;
}

}  // namespace

std::vector<KeySection> sections() {
  return {{"scene", scene()},
          {"contact", contact()},
          {"pairs", {pair().begin(), pair().begin() + 3}},  // then those of contact
          {"solver", solver()},
          by_model("bodies", body_table(), any_body()),
          {"section", section()},
          {"mesh", mesh()},
          generator_section(),
          {"selection", selection()},
          by_model("supports", support_table()),
          by_model("moves", move_table()),
          {"loads", load()},
          {"materials", material()},
          {"attachments", attachment()},
          {"springs", spring()},
          {"joints", joint()},
          {"button", button()},
          device_section(),
          {"path", way_point()},
          {"sines", sine()},
          {"holds", hold()},
          {"profile", profile()},
          {"haptics", haptics()}};
}

}  // namespace palp::scene_keys
