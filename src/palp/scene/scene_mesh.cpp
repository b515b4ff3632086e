#include "palp/scene/scene_mesh.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>

#include "palp/io/mesh_file.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mesh/embedding.hpp"
#include "palp/mesh/quality.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/voxels.hpp"
#include "palp/scene/limits.hpp"
#include "palp/scene/scene_elements.hpp"
#include "palp/scene/scene_generator.hpp"
#include "palp/scene/scene_keys.hpp"

namespace palp {
namespace {

/// Moves a made mesh into `to`, or reports its error at the place in the file.
template <class T, class To>
bool take(const YamlValue& at, Result<T> made, To& to) {
  if (!made) {
    at.fail(made.error().text());
    return false;
  }
  to = std::move(*made);
  return true;
}

/// A mesh as it is read: in linear elements, not yet in place.
struct Draft {
  std::optional<LinearMesh> volume;
  ElementKind kind = ElementKind::hexes;
  Embedding carried;           ///< of a surface laid in a lattice, in `volume`
  std::vector<CellFill> fill;  ///< of the hexes of such a lattice
  std::optional<VoxelReport> lattice;
  std::vector<Triangle> carried_triangles;
  TriMesh surface;
  std::optional<RoundedShape> rounded;
  Curve curve;
  NodeSets sets;
  bool refined = false;

  std::span<Vec3> nodes() {
    if (volume) return std::visit([](auto& m) { return std::span<Vec3>(m.nodes); }, *volume);
    return curve.nodes.empty() ? surface.nodes : curve.nodes;
  }
  int cells() const {
    if (!volume) return static_cast<int>(surface.triangles.size() + curve.nodes.size());
    const auto* tets = std::get_if<TetMesh>(&*volume);
    return static_cast<int>(tets ? tets->tets.size() : std::get<HexMesh>(*volume).hexes.size());
  }
  /// What it costs: a hex is split into six tets, and quadratic tets have as many nodes as eight linear ones.
  long in_tets() const {
    const long tets = volume && std::holds_alternative<HexMesh>(*volume) ? 6L * cells() : cells();
    return volume && kind == ElementKind::quadratic_tets ? 8 * tets : tets;
  }
};

/// `elements` and `cells` of a mesh: what a volume is to be made of.
struct VolumeWish {
  YamlValue elements;
  int cells;     ///< of a lattice; 0: chosen by the part's walls
  double finer;  ///< cells per length, over that
};

/// Sets the kind of elements; false, with the error, when they cannot be made of this.
bool choose(const VolumeWish& wish, VolumeSource source, Draft& out) {
  const auto kind = choose_elements(wish.elements, source);
  if (kind) out.kind = *kind;
  return kind.has_value();
}

bool volume_from_surface(const YamlValue& at, const TriMesh& surface, const VolumeWish& wish, Draft& out) {
  if (!choose(wish, VolumeSource::surface, out)) return false;
  const VoxelOptions options{.wanted_cells = wish.cells, .finer = wish.finer};
  const auto lay = [&](auto made) {
    if (!made) {
      at.fail(made.error().text());
      return false;
    }
    out.carried = std::move(made->embedding);
    out.carried_triangles = surface.triangles;
    out.volume = std::move(made->mesh);
    if constexpr (requires { made->fill; }) out.fill = std::move(made->fill);
    out.lattice = made->report;
    out.refined = true;
    return true;
  };
  return made_of_hexes(out.kind) ? lay(embed_in_voxel_hexes(surface, options))
                                 : lay(embed_in_voxel_tets(surface, options));
}

std::string full_path(const std::string& folder, const std::string& file) {
  return std::filesystem::path(file).is_absolute() ? file : (std::filesystem::path(folder) / file).string();
}

bool read_file_mesh(YamlMap& m, const std::string& file, MeshUse use, const VolumeWish& wish,
                    const MeshContext& context, Draft& out) {
  const YamlValue at = m.get("file");
  auto read = read_mesh(full_path(context.folder, file));
  if (!read) {
    at.fail(read.error().text());
    return false;
  }
  const MeshFile& mesh = *read;
  for (const auto& note : mesh.notes) context.warnings.push_back(at.located(file + ": " + note));
  std::vector<int> node_of;
  bool ok = false;
  if (use == MeshUse::curve) {
    ok = take(at, curve(mesh, &node_of), out.curve);
  } else if (use == MeshUse::surface) {
    ok = take(at, tri_mesh(mesh, &node_of), out.surface);
  } else if (!mesh.tets.empty()) {
    ok = choose(wish, VolumeSource::tets, out) && take(at, tet_mesh(mesh, &node_of), out.volume.emplace());
    if (!mesh.hexes.empty())
      context.warnings.push_back(at.located(file + ": its " + std::to_string(mesh.hexes.size()) +
                                                " hexes are left out, the body is made of its tets",
                                            "split them into tets, or make two bodies"));
  } else if (!mesh.hexes.empty()) {
    ok = choose(wish, VolumeSource::hexes, out) && take(at, hex_mesh(mesh, &node_of), out.volume.emplace());
  } else {
    // A surface alone: laid in a grid of elements. Its own nodes are none of the body's.
    TriMesh surface;
    return take(at, tri_mesh(mesh, nullptr), surface) && volume_from_surface(at, surface, wish, out);
  }
  if (!ok) return false;
  for (const NamedSet& set : mesh.node_sets) {
    std::vector<int>& nodes = out.sets[set.name];
    for (int n : set.items)
      if (node_of[n] >= 0) nodes.push_back(node_of[n]);
  }
  return true;
}

bool make_generated(const YamlValue& at, const std::string& name, const Generated& g, MeshUse use,
                    const VolumeWish& wish, Draft& out) {
  const auto unfit = [&](const char* what) {
    at.fail("generator '" + name + "' makes no " + what, "choose another generator or another model");
    return false;
  };
  out.refined = true;
  if (use == MeshUse::curve) return g.curve ? take(at, g.curve(), out.curve) : unfit("curve");
  if (use == MeshUse::surface) {
    if (g.rounded && !take(at, g.rounded(), out.rounded.emplace())) return false;
    return g.surface ? take(at, g.surface(), out.surface) : unfit("surface");
  }
  if (g.hexes) {
    if (!choose(wish, VolumeSource::hexes, out) || !take(at, g.hexes(), out.volume.emplace())) return false;
    if (g.sets) out.sets = g.sets(out.nodes());
    return true;
  }
  TriMesh surface;
  return g.surface ? take(at, g.surface(), surface) && volume_from_surface(at, surface, wish, out)
                   : unfit("volume");
}

/// `mesh:` or `surface:` without placement.
bool read_source(const YamlValue& value, MeshUse use, const MeshContext& context, Draft& out) {
  YamlMap m(value, scene_keys::mesh());
  const YamlValue count = m.get("cells");
  const VolumeWish wish{m.get("elements"), count.is_scalar() ? count.integer() : 0, context.refinement};
  if (wish.elements.exists() && use != MeshUse::volume)
    wish.elements.fail("'" + wish.elements.path() + "': only the volume of a soft body is made of elements",
                       "leave it out");
  const YamlValue file = m.get("file"), generator = m.get("generator");
  if (file.exists() == generator.exists()) {
    value.fail("'" + value.path() + "' needs either 'file' or 'generator'",
               "e.g. {generator: box, size: [0.1, 0.1, 0.1]}");
    m.judge_no_more();
    return false;
  }
  bool ok = false;
  if (file.exists()) {
    ok = read_file_mesh(m, file.text(), use, wish, context, out);
  } else {
    const int which = generator.choice();
    if (which < 0) {
      m.judge_no_more();
      return false;
    }
    m.also(generator_keys(which));
    ok = make_generated(value, generator_names()[which], read_generator(which, m, context.refinement), use,
                        wish, out);
  }
  if (!ok || use != MeshUse::volume) return ok;
  if (std::string doubt = warn_of_elements(value, wish.elements, out.kind); !doubt.empty())
    context.warnings.push_back(std::move(doubt));
  return true;
}

void report_quality(const YamlValue& at, const MeshReport& report, std::vector<std::string>& warnings) {
  for (const Finding& finding : report.findings) {
    if (finding.fatal)
      at.fail(finding.message, finding.remedy);
    else
      warnings.push_back(at.located("'" + at.path() + "': " + finding.message, finding.remedy));
  }
}

/// Coordinates of a file are finite, but may be anything else.
bool within_limits(const YamlValue& at, Draft& mesh) {
  if (mesh.in_tets() > limits::most_elements)
    at.fail("'" + at.path() + "' is as large as " + std::to_string(mesh.in_tets()) + " linear tets",
            "a body has at most " + std::to_string(limits::most_elements) + ": use a coarser mesh");
  for (const Vec3& x : mesh.nodes())
    for (double v : x)
      if (!limits::position_m.contains(v)) {
        at.fail("'" + at.path() + "' has a node at " + std::to_string(v) + " m",
                "coordinates must be " + limits::position_m.text() + ": check the scale");
        return false;
      }
  return mesh.in_tets() <= limits::most_elements;
}

/// The finer skin of key `surface`, carried by the elements.
bool read_skin(const YamlValue& fine, const Placement& place, const MeshContext& context, SceneMesh& mesh) {
  Draft skin;
  Embedding embedding;
  if (!read_source(fine, MeshUse::surface, context, skin)) return false;
  place.apply(skin.nodes());
  const auto in = [&](const auto& elements) { return embed(skin.surface.nodes, elements); };
  if (!take(fine, std::visit(in, mesh.volume), embedding)) return false;
  if (!embedding.extrapolated.empty())
    context.warnings.push_back(
        fine.located(std::to_string(embedding.extrapolated.size()) +
                     " vertices of the surface lie outside the mesh and are carried by the nearest element"));
  mesh.skin = embedded_skin(embedding, skin.surface.triangles);
  return true;
}

/// Elements of the chosen kind, their nodes and the surface that was laid in them.
void finish_volume(Draft& draft, SceneMesh& out) {
  VolumeElements made = make_elements(std::move(*draft.volume), draft.kind);
  out.volume = std::move(made.mesh);
  out.hex_modes = made.hex_modes;
  out.hex_fill = std::move(draft.fill);
  out.lattice = draft.lattice;
  out.nodes.positions = std::visit([](const auto& m) { return m.nodes; }, out.volume);
  if (const auto* quadratic_mesh = std::get_if<QuadraticTetMesh>(&out.volume)) {
    out.nodes.quadratic_tets = quadratic_mesh->tets;
    if (draft.carried.vertices() > 0) draft.carried = quadratic(draft.carried, *quadratic_mesh);
  }
  if (draft.carried.vertices() > 0)
    out.skin = embedded_skin(draft.carried, std::move(draft.carried_triangles));
}

}  // namespace

void Placement::apply(std::span<Vec3> nodes) const {
  for (Vec3& x : nodes) x = rotation * (scale * x) + position;
}

void Placement::apply(RoundedShape& shape) const {
  shape.half_core_m *= scale;
  if (shape.turned)
    for (double* length : {&shape.turned->inner_m, &shape.turned->outer_m, &shape.turned->half_length_m})
      *length *= scale;
  shape.radius_m *= scale;
  shape.centre_m = rotation * (scale * shape.centre_m) + position;
  shape.rotation = rotation * shape.rotation;
}

void Placement::apply(VoxelReport& report) const {
  for (double* volume : {&report.surface_volume_m3, &report.volume_m3}) *volume *= scale * scale * scale;
  for (double* length : {&report.surface_diagonal_m, &report.thinnest_wall_m}) *length *= scale;
  for (Vec3* centre : {&report.surface_centre_m, &report.centre_m})
    *centre = rotation * (scale * *centre) + position;
}

std::optional<SceneMesh> read_scene_mesh(YamlMap& body, MeshUse use, const MeshContext& context) {
  const size_t errors_before = body.value().context().errors.size();
  Placement place;
  place.scale = body.get("scale").number();
  place.position = body.get("position").vec3();
  // The rotation's axis, its length the angle in degrees: people think in degrees.
  place.rotation = rotation_from_vector(body.get("rotation").vec3() * (std::numbers::pi / 180));
  const YamlValue source = body.need("mesh");
  const auto fine = use == MeshUse::volume ? std::optional(body.get("surface")) : std::nullopt;
  if (!source.exists()) return std::nullopt;

  Draft draft;
  if (!read_source(source, use, context, draft)) return std::nullopt;
  place.apply(draft.nodes());
  if (draft.rounded) place.apply(*draft.rounded);
  if (draft.lattice) {
    place.apply(*draft.lattice);
    for (const std::string& doubt : draft.lattice->warnings())
      context.warnings.push_back(source.located("'" + source.path() + "': " + doubt));
  }
  if (!within_limits(source, draft)) return std::nullopt;
  if (draft.volume && !draft.lattice)  // a lattice is sound, and its doubled nodes are meant
    std::visit([&](const auto& m) { report_quality(source, check_mesh(m), context.warnings); },
               *draft.volume);
  if (use == MeshUse::surface) report_quality(source, check_mesh(draft.surface, false), context.warnings);
  if (use == MeshUse::curve) report_quality(source, check_mesh(draft.curve), context.warnings);
  if (body.value().context().errors.size() > errors_before) return std::nullopt;

  SceneMesh mesh;
  mesh.placement = place;
  mesh.cells = draft.cells();
  mesh.refined = draft.refined;
  mesh.nodes.sets = std::move(draft.sets);
  if (draft.volume) {
    finish_volume(draft, mesh);
    if (fine && fine->exists() && !read_skin(*fine, place, context, mesh)) return std::nullopt;
  } else {
    mesh.nodes.positions.assign(draft.nodes().begin(), draft.nodes().end());
    mesh.surface = std::move(draft.surface);
    mesh.rounded = draft.rounded;
    mesh.curve = std::move(draft.curve);
  }
  if (body.value().context().errors.size() > errors_before) return std::nullopt;
  return mesh;
}

namespace {

/// Where the nodes of a body are, for a selection that missed them.
std::string whereabouts(const SceneNodes& nodes) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : nodes.positions) box.extend(x);
  if (box.isEmpty()) return "the body has no nodes";
  char text[200];
  std::snprintf(text, sizeof text,
                "the body's nodes lie in the box [[%.4g, %.4g, %.4g], [%.4g, %.4g, %.4g]], in metres%s",
                box.min().x(), box.min().y(), box.min().z(), box.max().x(), box.max().y(), box.max().z(),
                box.diagonal().norm() > 5 ? "; a file in millimetres needs scale: 0.001" : "");
  return text;
}

}  // namespace

std::vector<int> read_selection(const YamlValue& value, const SceneNodes& nodes) {
  std::vector<int> selected;
  if (!value.exists()) return selected;
  const int count = static_cast<int>(nodes.positions.size());
  if (value.is_list()) {
    for (const YamlValue& part : value.list()) {
      const std::vector<int> more = read_selection(part, nodes);
      selected.insert(selected.end(), more.begin(), more.end());
    }
  } else if (value.is_scalar()) {
    if (value.choice(-1, {"all"}) == 0)
      for (int n = 0; n < count; ++n) selected.push_back(n);
  } else {
    YamlMap m(value, scene_keys::selection());
    const YamlValue box = m.get("box"), list = m.get("nodes"), set = m.get("set");
    if (box.exists() + list.exists() + set.exists() != 1) {
      value.fail("'" + value.path() + "' needs one of box, nodes or set",
                 "e.g. {box: [[0, 0, 0], [0.1, 0.1, 0.01]]}, {nodes: [0, 1]} or {set: handle}");
      return selected;
    }
    if (box.exists()) {
      const auto corners = box.list();
      if (corners.size() != 2) {
        box.fail("'" + box.path() + "' must be two corners", "[[x, y, z], [x, y, z]]");
        return selected;
      }
      const Vec3 a = corners[0].vec3(), b = corners[1].vec3();
      // The scale and the place of a mesh round its coordinates: a node on the border belongs to the box.
      const Vec3 rounding = Vec3::Constant(1e-9 * (b - a).norm());
      selected = nodes_in_box(nodes.positions, a.cwiseMin(b) - rounding, a.cwiseMax(b) + rounding);
    } else if (list.exists()) {
      for (const YamlValue& item : list.list())
        selected.push_back(item.integer(0, {0, std::max(count - 1.0, 0.0)}));
    } else {
      std::vector<std::string> names;
      for (const auto& [name, items] : nodes.sets) names.push_back(name);
      const int which = set.choice(-1, names);
      if (which >= 0) selected = nodes.sets.at(names[which]);
    }
    if (selected.empty() && value.context().errors.empty())
      value.fail("'" + value.path() + "' selects no node", whereabouts(nodes));
  }
  std::sort(selected.begin(), selected.end());
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  return nodes.quadratic_tets.empty()
             ? selected
             : with_middle_nodes(selected, nodes.quadratic_tets, nodes.positions.size());
}

}  // namespace palp
