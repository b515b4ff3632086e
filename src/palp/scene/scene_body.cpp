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

VolumeMesh volume_of(SceneMesh& mesh) {
  if (auto* tets = std::get_if<TetMesh>(&mesh.volume)) return std::move(*tets);
  return std::move(std::get<HexMesh>(mesh.volume));
}

/// What a selection of nodes is read from, kept for the devices that hold them.
void keep_nodes(const SceneMesh& mesh, SceneBody& out) {
  out.nodes.assign(mesh.nodes().begin(), mesh.nodes().end());
  out.node_sets = mesh.node_sets;
}

void read_fem(YamlMap& m, FemModel model, const std::string& folder, std::vector<std::string>& warnings,
              SceneBody& out) {
  const Material material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::volume, folder, warnings);
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
  keep_nodes(*mesh, out);
  spec.fixed_nodes = read_selection(fixed, out.nodes, out.node_sets);
  spec.driven_nodes = read_selection(grasp, out.nodes, out.node_sets);
  spec.skin = std::move(mesh->skin);
  spec.mesh = volume_of(*mesh);
  out.body = finish(m.value(), FemBody::make(spec));
}

std::shared_ptr<const Body> read_global_corotational(YamlMap& m, const std::string& folder,
                                                     std::vector<std::string>& warnings) {
  const Material material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::volume, folder, warnings);
  GlobalCorotationalSpec spec;
  spec.young_modulus_Pa = material.young_modulus_Pa;
  spec.poisson_ratio = material.poisson_ratio;
  spec.density_kg_per_m3 = material.density_kg_per_m3;
  spec.rayleigh_mass_per_s = material.rayleigh_mass_per_s;
  spec.rayleigh_stiffness_s = material.rayleigh_stiffness_s;
  spec.quasi_static = m.get("quasiStatic").boolean(false);
  // Where the hand holds, the body does not deform (D06 §7.1).
  const YamlValue grasp = m.get("grasp");
  if (!mesh) return nullptr;
  spec.frame_nodes = read_selection(grasp, mesh->nodes(), mesh->node_sets);
  spec.skin = std::move(mesh->skin);
  spec.mesh = volume_of(*mesh);
  return finish(m.value(), GlobalCorotationalBody::make(spec));
}

std::shared_ptr<const Body> read_rigid(YamlMap& m, bool obstacle, const std::string& folder,
                                       std::vector<std::string>& warnings) {
  auto mesh = read_scene_mesh(m, MeshUse::surface, folder, warnings);
  if (obstacle) {
    if (!mesh) return nullptr;
    return finish(m.value(), Obstacle::make({.surface = std::move(mesh->surface), .rounded = mesh->rounded}));
  }
  RigidSpec spec;
  spec.density_kg_per_m3 = m.get("density").number(1000, limits::density_kg_per_m3);
  spec.rayleigh_mass_per_s = m.get("rayleighMass").number(0, limits::rayleigh_mass_per_s);
  if (!mesh) return nullptr;
  spec.surface = std::move(mesh->surface);
  spec.rounded = mesh->rounded;
  return finish(m.value(), RigidBody::make(std::move(spec)));
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

void read_beam(YamlMap& m, const std::string& folder, std::vector<std::string>& warnings, SceneBody& out) {
  const Material material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::curve, folder, warnings);
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
  keep_nodes(*mesh, out);
  spec.fixed_nodes = read_selection(fixed, out.nodes, out.node_sets);
  spec.pinned_nodes = read_selection(pinned, out.nodes, out.node_sets);
  spec.driven_nodes = read_selection(grasp, out.nodes, out.node_sets);
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

SceneBody read_scene_body(const YamlValue& value, const std::string& folder,
                          std::vector<std::string>& warnings) {
  YamlMap m(value);
  const size_t errors_before = value.context().errors.size();
  const int model =
      m.need("model", "one of linear, corotational, globalCorotational, rigid, obstacle, beam, point")
          .choice(-1, models);
  m.get("rate");  // read_scene_haptics
  SceneBody out;
  switch (model) {
    case 0:
      read_fem(m, FemModel::linear, folder, warnings, out);
      break;
    case 1:
      read_fem(m, FemModel::corotational, folder, warnings, out);
      break;
    case 2:
      out.body = read_global_corotational(m, folder, warnings);
      break;
    case 3:
      out.body = read_rigid(m, false, folder, warnings);
      break;
    case 4:
      out.body = read_rigid(m, true, folder, warnings);
      break;
    case 5:
      read_beam(m, folder, warnings, out);
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
