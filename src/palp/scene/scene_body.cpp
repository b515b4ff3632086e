#include "palp/scene/scene_body.hpp"

#include <algorithm>
#include <numeric>

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/scene/limits.hpp"
#include "palp/scene/scene_keys.hpp"
#include "palp/scene/scene_nodes.hpp"

namespace palp {
namespace {

using scene_keys::BodyModel;

struct DampedMaterial : Material {
  double rayleigh_mass_per_s = 0, rayleigh_stiffness_s = 0;
};

DampedMaterial read_material(YamlMap& m) {
  return {{.young_modulus_Pa = m.need("youngModulus").number(),
           .poisson_ratio = m.get("poissonRatio").number(),
           .density_kg_per_m3 = m.get("density").number()},
          m.get("rayleighMass").number(),
          m.get("rayleighStiffness").number()};
}

template <class Made>
std::shared_ptr<const Body> finish(const YamlValue& at, Result<Made> made) {
  if (made) return std::shared_ptr<const Body>(std::move(*made));
  at.fail(made.error().message, made.error().remedy);
  return nullptr;
}

/// What the nodes are selected from stays for the devices that hold them.
void keep_mesh(SceneMesh& mesh, SceneBody& out) {
  out.made_of = {mesh.cells, mesh.refined, {}, {}, {}, mesh.lattice};
  out.nodes = std::move(mesh.nodes);
}

/// How many triangles of the skin one face of the elements has; an embedded surface is made of its own.
template <class Spec>
int per_face(const Spec& spec) {
  if (spec.skin.vertices() > 0 || std::holds_alternative<TetMesh>(spec.mesh)) return 1;
  return std::holds_alternative<HexMesh>(spec.mesh) ? 2 : 4;
}

/// `moves` of a body with nodes: they are driven after those of the grasp.
void add_moves(const std::vector<SceneMove>& moves, const Body& body, int number, int first,
               Actions& actions) {
  for (const SceneMove& move : moves) {
    std::vector<int> frames(move.nodes.size());
    std::iota(frames.begin(), frames.end(), first);
    first += static_cast<int>(frames.size());
    actions.moves.push_back(node_move(body, number, std::move(frames), move.displacement_m));
    actions.moves.back().rotation_rad = move.rotation_rad;
  }
}

/// A body without inertia has no velocity to start with.
void read_start(YamlMap& m, bool moves, bool turns, SceneBody& out) {
  const YamlValue velocity = m.get("velocity"), spin = m.get("spin");
  if (!moves)
    for (const YamlValue& key : {velocity, spin})
      if (key.exists())
        key.fail("'" + key.path() + "': a quasi-static body has no inertia", "leave it out, or quasiStatic");
  if (!turns && spin.exists()) spin.fail("'" + spin.path() + "': a point does not turn", "leave it out");
  out.velocity = velocity.vec3();
  out.spin = spin.vec3();
}

void keep_volume(const SceneMesh& mesh, const Material& material, const MaterialParts& parts,
                 SceneBody& out) {
  BodyVolume volume{mesh.volume,
                    mesh.hex_fill,
                    {lame(material.young_modulus_Pa, material.poisson_ratio)},
                    parts.of_element};
  for (const Material& part : parts.materials)
    volume.materials.push_back(lame(part.young_modulus_Pa, part.poisson_ratio));
  out.made_of.volume = std::make_shared<BodyVolume>(std::move(volume));
}

/// What both kinds of deformable volumes are made of.
template <class Spec>
void set_elements(SceneMesh& mesh, Spec& spec) {
  spec.mesh = std::move(mesh.volume);
  spec.hex_modes = mesh.hex_modes;
  spec.hex_fill = std::move(mesh.hex_fill);
  spec.skin = std::move(mesh.skin);
}

/// How many elements reach from one side of the body to the other, for elements that are then too stiff.
void judge_walls(const VolumeMesh& mesh, HexModes modes, SceneBody& out) {
  const auto judge = [&](const auto& volume, const auto& elements) {
    std::vector<char> outside(volume.nodes.size(), 0);
    for (int n : extract_surface(volume).node_of_vertex) outside[static_cast<size_t>(n)] = 1;
    const auto reaches = [&](const auto& e) {
      return std::all_of(e.begin(), e.end(), [&](int n) { return outside[static_cast<size_t>(n)] != 0; });
    };
    out.hardens = true;
    out.one_cell = static_cast<double>(std::count_if(elements.begin(), elements.end(), reaches)) /
                   static_cast<double>(std::max<size_t>(elements.size(), 1));
  };
  if (const auto* tets = std::get_if<TetMesh>(&mesh)) judge(*tets, tets->tets);
  if (const auto* hexes = std::get_if<HexMesh>(&mesh); hexes && modes != HexModes::inner)
    judge(*hexes, hexes->hexes);
}

void read_fem(YamlMap& m, FemModel model, const MeshContext& context, int number, Actions& actions,
              SceneBody& out) {
  const DampedMaterial material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::volume, context);
  FemSpec spec;
  spec.model = model;
  spec.young_modulus_Pa = material.young_modulus_Pa;
  spec.poisson_ratio = material.poisson_ratio;
  spec.density_kg_per_m3 = material.density_kg_per_m3;
  spec.rayleigh_mass_per_s = material.rayleigh_mass_per_s;
  spec.rayleigh_stiffness_s = material.rayleigh_stiffness_s;
  spec.quasi_static = m.get("quasiStatic").boolean();
  spec.smooth_skin = m.get("smooth").boolean();
  out.touches_itself = m.get("selfContact").boolean();
  const YamlValue fixed = m.get("fixed"), grasp = m.get("grasp"), supports = m.get("supports"),
                  moves = m.get("moves"), materials = m.get("materials"), loads = m.get("loads");
  read_start(m, !spec.quasi_static, true, out);
  if (!mesh) return;
  spec.parts = read_materials(materials, *mesh, material);
  keep_mesh(*mesh, out);
  keep_volume(*mesh, material, spec.parts, out);
  set_elements(*mesh, spec);
  judge_walls(spec.mesh, spec.hex_modes, out);
  spec.fixed_nodes = read_selection(fixed, out.nodes);
  spec.supports = read_supports(supports, out.nodes);
  spec.driven_nodes = read_selection(grasp, out.nodes);
  out.graspable = static_cast<int>(spec.driven_nodes.size());
  spec.driven_directions.assign(spec.driven_nodes.size(), Mat3::Identity());
  const std::vector<SceneMove> moved =
      read_moves(moves, out.nodes, model == FemModel::linear ? BodyModel::linear : BodyModel::corotational);
  for (int node : spec.fixed_nodes) out.made_of.supports.push_back({node, Mat3::Identity()});
  for (const NodeSupport& s : spec.supports) out.made_of.supports.push_back({s.node, s.held});
  for (const SceneMove& move : moved)
    for (int node : move.nodes) {
      spec.driven_nodes.push_back(node);
      spec.driven_directions.push_back(move.directions);
      out.made_of.moved.push_back({node, move.directions});
    }
  out.body = finish(m.value(), FemBody::make(spec));
  if (!out.body) return;
  add_moves(moved, *out.body, number, out.graspable, actions);
  read_loads(loads, *out.body, number, out.nodes, {model == FemModel::linear, per_face(spec)}, actions);
}

void read_global_corotational(YamlMap& m, const MeshContext& context, int number, Actions& actions,
                              SceneBody& out) {
  const DampedMaterial material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::volume, context);
  GlobalCorotationalSpec spec;
  spec.young_modulus_Pa = material.young_modulus_Pa;
  spec.poisson_ratio = material.poisson_ratio;
  spec.density_kg_per_m3 = material.density_kg_per_m3;
  spec.rayleigh_mass_per_s = material.rayleigh_mass_per_s;
  spec.rayleigh_stiffness_s = material.rayleigh_stiffness_s;
  spec.quasi_static = m.get("quasiStatic").boolean();
  spec.smooth_skin = m.get("smooth").boolean();
  out.touches_itself = m.get("selfContact").boolean();
  // Where the hand holds, the body does not deform (D06 §7.1).
  const YamlValue grasp = m.get("grasp"), materials = m.get("materials"), loads = m.get("loads");
  read_start(m, !spec.quasi_static, true, out);
  if (!mesh) return;
  spec.parts = read_materials(materials, *mesh, material);
  keep_mesh(*mesh, out);
  keep_volume(*mesh, material, spec.parts, out);
  set_elements(*mesh, spec);
  judge_walls(spec.mesh, spec.hex_modes, out);
  spec.frame_nodes = read_selection(grasp, std::exchange(out.nodes, {}));  // the body has one frame to hold
  out.body = finish(m.value(), GlobalCorotationalBody::make(spec));
  if (out.body) read_loads(loads, *out.body, number, out.nodes, {false, per_face(spec)}, actions);
}

/// Mass, centre and inertia: of the shape filled with the density, unless they are given. `mass` alone scales
/// the inertia; centre and inertia are in the axes of the mesh, before the body is turned and placed.
MassProperties read_mass(YamlMap& m, const SceneMesh& mesh) {
  const YamlValue density = m.get("density"), mass = m.get("mass"), centre = m.get("centre"),
                  inertia = m.get("inertia");
  MassProperties out;
  if (mass.exists() && density.exists())
    mass.fail("'mass' and 'density' exclude each other", "give one of them");
  const double filled = density.number();
  const bool all = mass.exists() && centre.exists() && inertia.exists();
  if (!all) {  // an open surface has no mass of its own
    auto computed =
        mesh.rounded ? mass_properties(*mesh.rounded, filled) : mass_properties(mesh.surface, filled);
    if (!computed) {
      m.value().fail("rigid body: " + computed.error().message,
                     computed.error().remedy.empty() ? "or give mass, centre and inertia by hand"
                                                     : computed.error().remedy);
      return out;
    }
    out = *computed;
  }
  const Mat3 R = mesh.placement.rotation.toRotationMatrix();
  if (mass.exists()) {
    const double kg = mass.number(1);
    if (out.mass_kg > 0) out.inertia_kg_m2 *= kg / out.mass_kg;
    out.mass_kg = kg;
  }
  if (centre.exists()) out.centre_m = R * centre.vec3() + mesh.placement.position;
  if (inertia.exists()) {
    const auto list = inertia.is_list() ? inertia.list() : std::vector<YamlValue>{};
    if (list.size() != 3 && list.size() != 6) {
      inertia.fail("'" + inertia.path() + "' must be three or six numbers",
                   "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz], entries of the tensor about the centre");
      return out;
    }
    double v[6] = {};
    for (size_t k = 0; k < list.size(); ++k)
      v[k] = list[k].number(1, k < 3 ? limits::inertia_kg_m2 : limits::moment_of_inertia);
    Mat3 J;
    J << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2];
    if (!valid_inertia(J))
      inertia.fail("'" + inertia.path() + "' is the inertia of no solid",
                   "it is positive definite and no principal moment is above the sum of the other two");
    out.inertia_kg_m2 = R * J * R.transpose();
  }
  return out;
}

void read_obstacle(YamlMap& m, const MeshContext& context, int number, Actions& actions, SceneBody& out) {
  auto mesh = read_scene_mesh(m, MeshUse::surface, context);
  const YamlValue moves = m.get("moves");
  const bool smooth = m.get("smooth").boolean();
  if (!mesh) return;
  out.made_of = {mesh->cells, mesh->refined};
  out.body = finish(
      m.value(),
      Obstacle::make({.surface = std::move(mesh->surface), .rounded = mesh->rounded, .smooth = smooth}));
  if (!out.body) return;
  std::vector<SceneMove> moved = read_moves(moves, {}, BodyModel::obstacle);
  if (moved.size() > 1) moves.fail("an obstacle is moved as one", "give one motion");
  for (SceneMove& move : moved) move.nodes = {0};
  out.graspable = moved.empty() ? 1 : 0;
  add_moves(moved, *out.body, number, 0, actions);
}

void read_rigid(YamlMap& m, const MeshContext& context, int number, Actions& actions, SceneBody& out) {
  auto mesh = read_scene_mesh(m, MeshUse::surface, context);
  RigidSpec spec;
  spec.rayleigh_mass_per_s = m.get("rayleighMass").number();
  const bool smooth = m.get("smooth").boolean();
  const YamlValue loads = m.get("loads");
  read_start(m, true, true, out);
  if (!mesh) return;
  out.made_of = {mesh->cells, mesh->refined};
  const size_t errors = m.value().context().errors.size();
  spec.given = read_mass(m, *mesh);
  if (m.value().context().errors.size() > errors) return;
  spec.surface = std::move(mesh->surface);
  spec.rounded = mesh->rounded;
  spec.smooth = smooth;
  out.body = finish(m.value(), RigidBody::make(std::move(spec)));
  if (out.body) read_loads(loads, *out.body, number, out.nodes, {}, actions);
}

BeamSection read_section(const YamlValue& value) {
  YamlMap m(value, scene_keys::section());
  const double radius = m.get("radius").number(), inner = m.get("innerRadius").number();
  const YamlValue width = m.get("width"), height = m.get("height");
  if (width.exists() != height.exists())
    value.fail("a rectangular section needs both width and height", "or give radius");
  if (width.exists()) return BeamSection::rectangle(width.number(), height.number());
  return BeamSection::circle(radius, inner);
}

void read_beam(YamlMap& m, const MeshContext& context, int number, Actions& actions, SceneBody& out) {
  const DampedMaterial material = read_material(m);
  auto mesh = read_scene_mesh(m, MeshUse::curve, context);
  BeamSpec spec;
  spec.section = read_section(m.need("section"));
  spec.section_y = m.get("sectionY").vec3();
  spec.young_modulus_Pa = material.young_modulus_Pa;
  spec.poisson_ratio = material.poisson_ratio;
  spec.density_kg_per_m3 = material.density_kg_per_m3;
  spec.rayleigh_mass_per_s = material.rayleigh_mass_per_s;
  spec.rayleigh_stiffness_s = material.rayleigh_stiffness_s;
  spec.quasi_static = m.get("quasiStatic").boolean();
  out.touches_itself = m.get("selfContact").boolean();
  spec.skin_subdivisions = m.get("skinSubdivisions").integer();
  const YamlValue fixed = m.get("fixed"), pinned = m.get("pinned"), grasp = m.get("grasp"),
                  supports = m.get("supports"), moves = m.get("moves"), loads = m.get("loads");
  read_start(m, !spec.quasi_static, true, out);
  if (!mesh) return;
  keep_mesh(*mesh, out);
  spec.fixed_nodes = read_selection(fixed, out.nodes);
  spec.pinned_nodes = read_selection(pinned, out.nodes);
  spec.supports = read_beam_supports(supports, out.nodes);
  spec.driven_nodes = read_selection(grasp, out.nodes);
  out.graspable = static_cast<int>(spec.driven_nodes.size());
  const std::vector<SceneMove> moved = read_moves(moves, out.nodes, BodyModel::beam);
  // Block 2i is the position of node i, then comes its rotation.
  for (const auto* held : {&spec.fixed_nodes, &spec.pinned_nodes})
    for (int node : *held) out.made_of.supports.push_back({2 * node, Mat3::Identity()});
  for (const BeamSpec::Axes& s : spec.supports)
    out.made_of.supports.push_back(
        {2 * s.node, Vec3(s.position[0], s.position[1], s.position[2]).asDiagonal().toDenseMatrix()});
  for (const SceneMove& move : moved)
    for (int node : move.nodes) {
      spec.driven_nodes.push_back(node);
      out.made_of.moved.push_back({2 * node, Mat3::Identity()});
    }
  spec.curve = std::move(mesh->curve);
  out.body = finish(m.value(), BeamBody::make(std::move(spec)));
  if (!out.body) return;
  add_moves(moved, *out.body, number, out.graspable, actions);
  read_loads(loads, *out.body, number, out.nodes, {}, actions);
}

void read_point(YamlMap& m, int number, Actions& actions, SceneBody& out) {
  PointProxySpec spec;
  spec.position_m = m.get("position").vec3();
  spec.mass_kg = m.get("mass").number();
  spec.damping_N_s_per_m = m.get("damping").number();
  spec.radius_m = m.get("radius").number();
  const YamlValue loads = m.get("loads");
  read_start(m, true, false, out);
  out.body = finish(m.value(), PointProxy::make(spec));
  if (out.body) read_loads(loads, *out.body, number, out.nodes, {}, actions);
}

}  // namespace

int nearest_vertex(const Body& body, const Vec3& at) {
  std::vector<Vec3> x(static_cast<size_t>(body.skin().vertices));
  body.skin_positions(body.rest_state(), VecX(), x);
  const auto nearer = [&](const Vec3& a, const Vec3& b) {
    return (a - at).squaredNorm() < (b - at).squaredNorm();
  };
  return static_cast<int>(std::min_element(x.begin(), x.end(), nearer) - x.begin());
}

SceneBody read_scene_body(const YamlValue& value, const MeshContext& context, int number, Actions& actions) {
  YamlMap m(value, scene_keys::any_body());
  const size_t errors_before = value.context().errors.size();
  const int model = m.need("model").choice();  // `rate` is for read_scene_haptics
  if (model >= 0) m.also(scene_keys::body(static_cast<BodyModel>(model)));
  SceneBody out;
  switch (model) {
    case 0:
      read_fem(m, FemModel::linear, context, number, actions, out);
      break;
    case 1:
      read_fem(m, FemModel::corotational, context, number, actions, out);
      break;
    case 2:
      read_global_corotational(m, context, number, actions, out);
      break;
    case 3:
      read_rigid(m, context, number, actions, out);
      break;
    case 4:
      read_obstacle(m, context, number, actions, out);
      break;
    case 5:
      read_beam(m, context, number, actions, out);
      break;
    case 6:
      read_point(m, number, actions, out);
      break;
    default:
      m.judge_no_more();
  }
  if (value.context().errors.size() > errors_before) out.body = nullptr;
  return out;
}

}  // namespace palp
