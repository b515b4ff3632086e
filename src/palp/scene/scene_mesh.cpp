#include "palp/scene/scene_mesh.hpp"

#include <filesystem>
#include <numbers>

#include "palp/io/mesh_file.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mesh/embedding.hpp"
#include "palp/mesh/quality.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/voxels.hpp"
#include "palp/scene/limits.hpp"
#include "palp/scene/scene_generator.hpp"

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

SkinEmbedding to_skin(const Embedding& e, const std::vector<Triangle>& triangles) {
  SkinEmbedding skin;
  skin.triangles = triangles;
  for (int v = 0; v < e.vertices(); ++v) {
    const auto nodes = e.nodes_of(v);
    const auto weights = e.weights_of(v);
    skin.node.insert(skin.node.end(), nodes.begin(), nodes.end());
    skin.weight.insert(skin.weight.end(), weights.begin(), weights.end());
    skin.start.push_back(static_cast<int>(skin.node.size()));
  }
  return skin;
}

bool volume_from_surface(const YamlValue& at, const TriMesh& surface, bool hexes, int cells, SceneMesh& out) {
  VoxelOptions options;
  options.wanted_cells = cells;
  if (hexes) {
    VoxelHexes made;
    if (!take(at, embed_in_voxel_hexes(surface, options), made)) return false;
    out.skin = to_skin(made.embedding, surface.triangles);
    out.volume = std::move(made.mesh);
  } else {
    VoxelTets made;
    if (!take(at, embed_in_voxel_tets(surface, options), made)) return false;
    out.skin = to_skin(made.embedding, surface.triangles);
    out.volume = std::move(made.mesh);
  }
  return true;
}

std::string full_path(const std::string& folder, const std::string& file) {
  return std::filesystem::path(file).is_absolute() ? file : (std::filesystem::path(folder) / file).string();
}

bool read_file_mesh(YamlMap& m, const std::string& file, MeshUse use, bool hexes, int cells,
                    const std::string& folder, std::vector<std::string>& warnings, SceneMesh& out) {
  const YamlValue at = m.get("file");
  auto read = read_mesh(full_path(folder, file));
  if (!read) {
    at.fail(read.error().text());
    return false;
  }
  const MeshFile& mesh = *read;
  for (const auto& note : mesh.notes) warnings.push_back(at.located(file + ": " + note));
  std::vector<int> node_of;
  bool ok = false, embedded = false;
  if (use == MeshUse::curve) {
    ok = take(at, curve(mesh, &node_of), out.curve);
  } else if (use == MeshUse::surface) {
    ok = take(at, tri_mesh(mesh, &node_of), out.surface);
  } else if (!mesh.tets.empty()) {
    TetMesh tets;
    ok = take(at, tet_mesh(mesh, &node_of), tets);
    out.volume = std::move(tets);
  } else if (!mesh.hexes.empty()) {
    HexMesh made;
    ok = take(at, hex_mesh(mesh, &node_of), made);
    out.volume = std::move(made);
  } else {
    // A surface alone: laid in a grid of elements.
    TriMesh surface;
    embedded = true;
    ok = take(at, tri_mesh(mesh, nullptr), surface) && volume_from_surface(at, surface, hexes, cells, out);
  }
  if (ok && !embedded)
    for (const NamedSet& set : mesh.node_sets) {
      std::vector<int>& nodes = out.node_sets[set.name];
      for (int n : set.items)
        if (node_of[n] >= 0) nodes.push_back(node_of[n]);
    }
  return ok;
}

bool make_generated(const YamlValue& at, const std::string& name, const Generated& g, MeshUse use, bool hexes,
                    int cells, SceneMesh& out) {
  const auto unfit = [&](const char* what) {
    at.fail("generator '" + name + "' makes no " + what, "choose another generator or another model");
    return false;
  };
  if (use == MeshUse::curve) return g.curve ? take(at, g.curve(), out.curve) : unfit("curve");
  if (use == MeshUse::surface) {
    if (g.rounded && !take(at, g.rounded(), out.rounded.emplace())) return false;
    return g.surface ? take(at, g.surface(), out.surface) : unfit("surface");
  }
  if (hexes && g.hexes) {
    HexMesh made;
    if (!take(at, g.hexes(), made)) return false;
    out.volume = std::move(made);
  } else if (g.tets) {
    TetMesh made;
    if (!take(at, g.tets(), made)) return false;
    out.volume = std::move(made);
  } else if (g.surface) {
    TriMesh surface;
    return take(at, g.surface(), surface) && volume_from_surface(at, surface, hexes, cells, out);
  } else {
    return unfit("volume");
  }
  if (g.sets) out.node_sets = g.sets(out.nodes());
  return true;
}

/// `mesh:` or `surface:` without placement.
bool read_source(const YamlValue& value, MeshUse use, const std::string& folder,
                 std::vector<std::string>& warnings, SceneMesh& out) {
  YamlMap m(value);
  const bool hexes = m.get("elements").choice(0, {"tets", "hexes"}) == 1;
  const int cells = m.get("cells").is_scalar() ? m.get("cells").integer(1000, 1, 1000000) : 1000;
  const YamlValue file = m.get("file"), generator = m.get("generator");
  if (file.exists() == generator.exists()) {
    value.fail("'" + value.path() + "' needs either 'file' or 'generator'",
               "e.g. {generator: box, size: [0.1, 0.1, 0.1]}");
    return false;
  }
  if (file.exists()) return read_file_mesh(m, file.text(), use, hexes, cells, folder, warnings, out);
  const int which = generator.choice(-1, generator_names());
  if (which < 0) return false;
  return make_generated(value, generator_names()[which], read_generator(which, m), use, hexes, cells, out);
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
bool within_limits(const YamlValue& at, const SceneMesh& mesh) {
  const auto* tets = std::get_if<TetMesh>(&mesh.volume);
  const auto* hexes = std::get_if<HexMesh>(&mesh.volume);
  const size_t elements = (tets ? tets->tets.size() : 0) + (hexes ? hexes->hexes.size() : 0) +
                          mesh.surface.triangles.size() + mesh.curve.nodes.size();
  if (elements > limits::most_elements)
    at.fail("'" + at.path() + "' has " + std::to_string(elements) + " elements",
            "a body has at most " + std::to_string(limits::most_elements) + ": use a coarser mesh");
  for (const Vec3& x : mesh.nodes())
    for (double v : x)
      if (!limits::position_m.contains(v)) {
        at.fail("'" + at.path() + "' has a node at " + std::to_string(v) + " m",
                "coordinates must be " + limits::position_m.text() + ": check the scale");
        return false;
      }
  return elements <= limits::most_elements;
}

}  // namespace

std::span<const Vec3> SceneMesh::nodes() const {
  if (const auto* tets = std::get_if<TetMesh>(&volume)) return tets->nodes;
  if (const auto* hexes = std::get_if<HexMesh>(&volume)) return hexes->nodes;
  return curve.nodes.empty() ? surface.nodes : curve.nodes;
}

void Placement::apply(std::vector<Vec3>& nodes) const {
  for (Vec3& x : nodes) x = rotation * (scale * x) + position;
}

void Placement::apply(RoundedShape& shape) const {
  shape.half_core_m *= scale;
  shape.radius_m *= scale;
  shape.centre_m = rotation * (scale * shape.centre_m) + position;
  shape.rotation = rotation * shape.rotation;
}

std::optional<SceneMesh> read_scene_mesh(YamlMap& body, MeshUse use, const std::string& folder,
                                         std::vector<std::string>& warnings) {
  const size_t errors_before = body.value().context().errors.size();
  Placement place;
  place.scale = body.get("scale").number(1, limits::scale);
  place.position = body.get("position").vec3(Vec3::Zero(), limits::position_m);
  // The rotation's axis, its length the angle in degrees: people think in degrees.
  place.rotation = rotation_from_vector(body.get("rotation").vec3(Vec3::Zero(), limits::angle_deg) *
                                        (std::numbers::pi / 180));
  const YamlValue source =
      body.need("mesh", "e.g. mesh: {generator: box, size: [0.1, 0.1, 0.1]} or {file: part.msh}");
  if (!source.exists()) return std::nullopt;

  SceneMesh mesh;
  if (!read_source(source, use, folder, warnings, mesh)) return std::nullopt;
  if (auto* tets = std::get_if<TetMesh>(&mesh.volume)) place.apply(tets->nodes);
  if (auto* hexes = std::get_if<HexMesh>(&mesh.volume)) place.apply(hexes->nodes);
  place.apply(mesh.surface.nodes);
  place.apply(mesh.curve.nodes);
  if (mesh.rounded) place.apply(*mesh.rounded);
  if (!within_limits(source, mesh)) return std::nullopt;

  const YamlValue fine = body.get("surface");
  if (fine.exists() && use == MeshUse::volume) {
    SceneMesh skin;
    if (!read_source(fine, MeshUse::surface, folder, warnings, skin)) return std::nullopt;
    place.apply(skin.surface.nodes);
    Embedding embedding;
    const bool ok = std::holds_alternative<TetMesh>(mesh.volume)
                        ? take(fine, embed(skin.surface.nodes, std::get<TetMesh>(mesh.volume)), embedding)
                        : take(fine, embed(skin.surface.nodes, std::get<HexMesh>(mesh.volume)), embedding);
    if (!ok) return std::nullopt;
    if (!embedding.extrapolated.empty())
      warnings.push_back(fine.located(
          std::to_string(embedding.extrapolated.size()) +
          " vertices of the surface lie outside the mesh and are carried by the nearest element"));
    mesh.skin = to_skin(embedding, skin.surface.triangles);
  }

  if (const auto* tets = std::get_if<TetMesh>(&mesh.volume))
    report_quality(source, check_mesh(*tets), warnings);
  if (const auto* hexes = std::get_if<HexMesh>(&mesh.volume))
    report_quality(source, check_mesh(*hexes), warnings);
  if (use == MeshUse::surface) report_quality(source, check_mesh(mesh.surface, false), warnings);
  if (use == MeshUse::curve) report_quality(source, check_mesh(mesh.curve), warnings);
  if (body.value().context().errors.size() > errors_before) return std::nullopt;
  return mesh;
}

std::vector<int> read_selection(const YamlValue& value, std::span<const Vec3> nodes, const NodeSets& sets) {
  std::vector<int> selected;
  if (!value.exists()) return selected;
  const int count = static_cast<int>(nodes.size());
  if (value.is_list()) {
    for (const YamlValue& part : value.list()) {
      const std::vector<int> more = read_selection(part, nodes, sets);
      selected.insert(selected.end(), more.begin(), more.end());
    }
  } else if (value.is_scalar()) {
    if (value.choice(-1, {"all"}) == 0)
      for (int n = 0; n < count; ++n) selected.push_back(n);
  } else {
    YamlMap m(value);
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
      const Vec3 a = corners[0].vec3(Vec3::Zero(), limits::position_m),
                 b = corners[1].vec3(Vec3::Zero(), limits::position_m);
      selected = nodes_in_box(nodes, a.cwiseMin(b), a.cwiseMax(b));
    } else if (list.exists()) {
      for (const YamlValue& item : list.list())
        selected.push_back(item.integer(0, 0, std::max(count - 1, 0)));
    } else {
      std::vector<std::string> names;
      for (const auto& [name, items] : sets) names.push_back(name);
      const int which = set.choice(-1, names);
      if (which >= 0) selected = sets.at(names[which]);
    }
    if (selected.empty() && value.context().errors.empty())
      value.fail("'" + value.path() + "' selects no node",
                 "compare it with the mesh's bounding box: palp mesh info");
  }
  std::sort(selected.begin(), selected.end());
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  return selected;
}

}  // namespace palp
