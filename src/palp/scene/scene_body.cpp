#include "palp/scene/scene_body.hpp"

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/scene/limits.hpp"

namespace palp {
namespace {

const std::vector<std::string> models{"linear", "corotational", "globalCorotational", "rigid", "obstacle",
                                      "beam",   "point"};

struct Material {
  double young_modulus_Pa, poisson_ratio, density_kg_per_m3;
  double rayleigh_mass_per_s, rayleigh_stiffness_s;
};

Material read_material(YamlMap& m) {
  return {.young_modulus_Pa = m.need("youngModulus", "in pascal: rubber 1e6, liver 5e3, steel 2e11")
                                  .number(1e5, limits::modulus_Pa),
          .poisson_ratio = m.get("poissonRatio").number(0.3, limits::poisson),
          .density_kg_per_m3 = m.get("density").number(1000, limits::density_kg_per_m3),
          .rayleigh_mass_per_s = m.get("rayleighMass").number(0, limits::rayleigh_mass_per_s),
          .rayleigh_stiffness_s = m.get("rayleighStiffness").number(0, limits::rayleigh_stiffness_s)};
}

template <class Made>
std::shared_ptr<const Body> finish(const YamlValue& at, Result<Made> made) {
  if (made) return std::shared_ptr<const Body>(std::move(*made));
  at.fail(made.error().message, made.error().remedy);
  return nullptr;
}

/// What the nodes are selected from stays for the devices that hold them.
void keep_mesh(SceneMesh& mesh, SceneBody& out) {
  out.made_of = {mesh.cells, mesh.refined, {}, {}, mesh.lattice};
  out.nodes = std::move(mesh.nodes);
}

void keep_volume(const SceneMesh& mesh, const Material& material, SceneBody& out) {
  out.made_of.volume = std::make_shared<BodyVolume>(
      BodyVolume{mesh.volume, mesh.hex_fill, lame(material.young_modulus_Pa, material.poisson_ratio)});
}

/// What both kinds of deformable volumes are made of.
template <class Spec>
void set_elements(SceneMesh& mesh, Spec& spec) {
  spec.mesh = std::move(mesh.volume);
  spec.hex_modes = mesh.hex_modes;
  spec.hex_fill = std::move(mesh.hex_fill);
  spec.skin = std::move(mesh.skin);
}

void read_fem(YamlMap& m, FemModel model, const MeshContext& context, SceneBody& out) {
  const Material material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::volume, context);
  FemSpec spec;
  spec.model = model;
  spec.young_modulus_Pa = material.young_modulus_Pa;
  spec.poisson_ratio = material.poisson_ratio;
  spec.density_kg_per_m3 = material.density_kg_per_m3;
  spec.rayleigh_mass_per_s = material.rayleigh_mass_per_s;
  spec.rayleigh_stiffness_s = material.rayleigh_stiffness_s;
  spec.quasi_static = m.get("quasiStatic").boolean(false);
  const YamlValue fixed = m.get("fixed"), grasp = m.get("grasp");
  if (!mesh) return;
  keep_mesh(*mesh, out);
  keep_volume(*mesh, material, out);
  set_elements(*mesh, spec);
  spec.fixed_nodes = out.made_of.support_blocks = read_selection(fixed, out.nodes);
  spec.driven_nodes = read_selection(grasp, out.nodes);
  out.body = finish(m.value(), FemBody::make(spec));
}

void read_global_corotational(YamlMap& m, const MeshContext& context, SceneBody& out) {
  const Material material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::volume, context);
  GlobalCorotationalSpec spec;
  spec.young_modulus_Pa = material.young_modulus_Pa;
  spec.poisson_ratio = material.poisson_ratio;
  spec.density_kg_per_m3 = material.density_kg_per_m3;
  spec.rayleigh_mass_per_s = material.rayleigh_mass_per_s;
  spec.rayleigh_stiffness_s = material.rayleigh_stiffness_s;
  spec.quasi_static = m.get("quasiStatic").boolean(false);
  // Where the hand holds, the body does not deform (D06 §7.1).
  const YamlValue grasp = m.get("grasp");
  if (!mesh) return;
  keep_mesh(*mesh, out);
  keep_volume(*mesh, material, out);
  set_elements(*mesh, spec);
  spec.frame_nodes = read_selection(grasp, std::exchange(out.nodes, {}));  // the body has one frame to hold
  out.body = finish(m.value(), GlobalCorotationalBody::make(spec));
}

void read_rigid(YamlMap& m, bool obstacle, const MeshContext& context, SceneBody& out) {
  auto mesh = read_scene_mesh(m, MeshUse::surface, context);
  if (mesh) out.made_of = {mesh->cells, mesh->refined, {}};
  if (obstacle) {
    if (mesh)
      out.body =
          finish(m.value(), Obstacle::make({.surface = std::move(mesh->surface), .rounded = mesh->rounded}));
    return;
  }
  RigidSpec spec;
  spec.density_kg_per_m3 = m.get("density").number(1000, limits::density_kg_per_m3);
  spec.rayleigh_mass_per_s = m.get("rayleighMass").number(0, limits::rayleigh_mass_per_s);
  if (!mesh) return;
  spec.surface = std::move(mesh->surface);
  spec.rounded = mesh->rounded;
  out.body = finish(m.value(), RigidBody::make(std::move(spec)));
}

BeamSection read_section(const YamlValue& value) {
  YamlMap m(value);
  const double radius = m.get("radius").number(0.001, limits::length_m);
  const double inner = m.get("innerRadius").number(0, limits::length_or_none_m);
  const YamlValue width = m.get("width"), height = m.get("height");
  if (width.exists() != height.exists())
    value.fail("a rectangular section needs both width and height", "or give radius");
  if (width.exists())
    return BeamSection::rectangle(width.number(0.002, limits::length_m),
                                  height.number(0.002, limits::length_m));
  return BeamSection::circle(radius, inner);
}

void read_beam(YamlMap& m, const MeshContext& context, SceneBody& out) {
  const Material material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::curve, context);
  BeamSpec spec;
  spec.section = read_section(m.need("section", "e.g. section: {radius: 0.001}"));
  spec.section_y = m.get("sectionY").vec3(Vec3::Zero(), limits::direction);
  spec.young_modulus_Pa = material.young_modulus_Pa;
  spec.poisson_ratio = material.poisson_ratio;
  spec.density_kg_per_m3 = material.density_kg_per_m3;
  spec.rayleigh_mass_per_s = material.rayleigh_mass_per_s;
  spec.rayleigh_stiffness_s = material.rayleigh_stiffness_s;
  spec.quasi_static = m.get("quasiStatic").boolean(false);
  spec.skin_subdivisions = m.get("skinSubdivisions").integer(1, 1, 100);
  const YamlValue fixed = m.get("fixed"), pinned = m.get("pinned"), grasp = m.get("grasp");
  if (!mesh) return;
  keep_mesh(*mesh, out);
  spec.fixed_nodes = read_selection(fixed, out.nodes);
  spec.pinned_nodes = read_selection(pinned, out.nodes);
  spec.driven_nodes = read_selection(grasp, out.nodes);
  for (const auto* held : {&spec.fixed_nodes, &spec.pinned_nodes})
    for (int node : *held) out.made_of.support_blocks.push_back(2 * node);  // then comes its rotation
  spec.curve = std::move(mesh->curve);
  out.body = finish(m.value(), BeamBody::make(std::move(spec)));
}

std::shared_ptr<const Body> read_point(YamlMap& m) {
  PointProxySpec spec;
  spec.position_m = m.get("position").vec3(Vec3::Zero(), limits::position_m);
  spec.mass_kg = m.get("mass").number(spec.mass_kg, limits::mass_kg);
  spec.damping_N_s_per_m = m.get("damping").number(0, limits::coupling);
  spec.radius_m = m.get("radius").number(0, limits::length_or_none_m);
  return finish(m.value(), PointProxy::make(spec));
}

}  // namespace

SceneBody read_scene_body(const YamlValue& value, const MeshContext& context) {
  YamlMap m(value);
  const size_t errors_before = value.context().errors.size();
  const int model =
      m.need("model", "one of linear, corotational, globalCorotational, rigid, obstacle, beam, point")
          .choice(-1, models);
  m.get("rate");  // read_scene_haptics
  SceneBody out;
  switch (model) {
    case 0:
      read_fem(m, FemModel::linear, context, out);
      break;
    case 1:
      read_fem(m, FemModel::corotational, context, out);
      break;
    case 2:
      read_global_corotational(m, context, out);
      break;
    case 3:
      read_rigid(m, false, context, out);
      break;
    case 4:
      read_rigid(m, true, context, out);
      break;
    case 5:
      read_beam(m, context, out);
      break;
    case 6:
      out.body = read_point(m);
      break;
    default:
      // Unknown model: its other keys cannot be judged.
      for (const auto& [key, ignored] : value.entries()) m.get(key);
  }
  if (value.context().errors.size() > errors_before) out.body = nullptr;
  return out;
}

}  // namespace palp
