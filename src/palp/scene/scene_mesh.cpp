#include "palp/scene/scene_mesh.hpp"

#include <filesystem>
#include <functional>
#include <numbers>

#include "palp/io/mesh_file.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mesh/embedding.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/implicit_surface.hpp"
#include "palp/mesh/quality.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/voxels.hpp"

namespace palp {
namespace {

const Range positive = Range::positive();

/// The generators: each reads its parameters and makes what was asked for.
struct Generated {
  std::function<Result<TetMesh>()> tets;
  std::function<Result<HexMesh>()> hexes;
  std::function<Result<TriMesh>()> surface;
  std::function<Result<Curve>()> curve;
  std::function<std::map<std::string, std::vector<int>>(std::span<const Vec3>)> sets;
};

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

Generated read_box(YamlMap& m) {
  BoxShape s;
  s.size_m = m.get("size").vec3(s.size_m);
  s.centre_m = m.get("centre").vec3(s.centre_m);
  const Vec3 cells = m.get("cells").vec3(Vec3(s.cells[0], s.cells[1], s.cells[2]));
  for (int k = 0; k < 3; ++k) s.cells[k] = static_cast<int>(std::clamp(cells[k], 0.0, 1000.0));
  return solid(s, box_tets, box_hexes);
}

Generated read_bar(YamlMap& m) {
  BarShape s;
  s.length_m = m.get("length").number(s.length_m, positive);
  s.width_m = m.get("width").number(s.width_m, positive);
  s.height_m = m.get("height").number(s.height_m, positive);
  s.cells_along = m.get("cellsAlong").integer(s.cells_along, 1, 1000);
  s.cells_wide = m.get("cellsWide").integer(s.cells_wide, 1, 1000);
  s.cells_high = m.get("cellsHigh").integer(s.cells_high, 1, 1000);
  return solid(s, bar_tets, bar_hexes);
}

Generated read_sphere(YamlMap& m) {
  SphereShape s;
  s.radius_m = m.get("radius").number(s.radius_m, positive);
  s.centre_m = m.get("centre").vec3(s.centre_m);
  s.cells_across = m.get("cellsAcross").integer(s.cells_across, 3, 200);
  return solid(s, sphere_tets, sphere_hexes);
}

Generated read_icosphere(YamlMap& m) {
  IcosphereShape s;
  s.radius_m = m.get("radius").number(s.radius_m, positive);
  s.centre_m = m.get("centre").vec3(s.centre_m);
  s.subdivisions = m.get("subdivisions").integer(s.subdivisions, 0, 7);
  Generated g;
  g.surface = [s] { return icosphere(s); };
  return g;
}

Generated read_statue(YamlMap& m) {
  StatueShape s;
  s.height_m = m.get("height").number(s.height_m, positive);
  s.cell_m = m.get("cell").number(s.height_m / 50, positive);
  Generated g;
  g.surface = [s] { return statue_surface(s); };
  return g;
}

Generated read_cylinder(YamlMap& m) {
  CylinderShape s;
  s.radius_m = m.get("radius").number(s.radius_m, positive);
  s.length_m = m.get("length").number(s.length_m, positive);
  s.cells_across = m.get("cellsAcross").integer(s.cells_across, 3, 200);
  s.cells_along = m.get("cellsAlong").integer(s.cells_along, 1, 1000);
  return solid(s, cylinder_tets, cylinder_hexes);
}

Generated read_tube(YamlMap& m) {
  TubeShape s;
  s.inner_radius_m = m.get("innerRadius").number(s.inner_radius_m, positive);
  s.outer_radius_m = m.get("outerRadius").number(s.outer_radius_m, positive);
  s.length_m = m.get("length").number(s.length_m, positive);
  s.cells_around = m.get("cellsAround").integer(s.cells_around, 3, 1000);
  s.cells_through = m.get("cellsThrough").integer(s.cells_through, 1, 100);
  s.cells_along = m.get("cellsAlong").integer(s.cells_along, 1, 1000);
  Generated g = solid(s, tube_tets, tube_hexes);
  g.surface = [s] { return tube_surface(s); };
  return g;
}

Generated read_clip(YamlMap& m) {
  ClipShape s;
  s.inner_radius_m = m.get("innerRadius").number(s.inner_radius_m, positive);
  s.outer_radius_m = m.get("outerRadius").number(s.outer_radius_m, positive);
  s.width_m = m.get("width").number(s.width_m, positive);
  s.opening_angle_rad = m.get("openingAngle").number(s.opening_angle_rad, positive);
  s.lip_angle_rad = m.get("lipAngle").number(s.lip_angle_rad, Range::not_negative());
  s.lip_radius_m = m.get("lipRadius").number(s.lip_radius_m, positive);
  s.handle_length_m = m.get("handleLength").number(s.handle_length_m, positive);
  s.handle_thickness_m = m.get("handleThickness").number(s.handle_thickness_m, positive);
  s.cells_around = m.get("cellsAround").integer(s.cells_around, 4, 1000);
  s.cells_through = m.get("cellsThrough").integer(s.cells_through, 1, 100);
  s.cells_wide = m.get("cellsWide").integer(s.cells_wide, 1, 1000);
  Generated g = solid(s, clip_tets, clip_hexes);
  g.sets = [s](std::span<const Vec3> nodes) {
    return std::map<std::string, std::vector<int>>{{"handle", clip_grasp_nodes(s, nodes)}};
  };
  return g;
}

Generated read_table(YamlMap& m) {
  TableShape s;
  s.length_m = m.get("length").number(s.length_m, positive);
  s.width_m = m.get("width").number(s.width_m, positive);
  s.top_thickness_m = m.get("topThickness").number(s.top_thickness_m, positive);
  s.leg_length_m = m.get("legLength").number(s.leg_length_m, positive);
  s.leg_thickness_m = m.get("legThickness").number(s.leg_thickness_m, positive);
  s.reinforced_along_x = m.get("reinforcedAlongX").boolean(s.reinforced_along_x);
  s.reinforced_along_y = m.get("reinforcedAlongY").boolean(s.reinforced_along_y);
  s.bar_height_m = m.get("barHeight").number(s.bar_height_m, positive);
  s.bar_thickness_m = m.get("barThickness").number(s.bar_thickness_m, positive);
  s.cell_m = m.get("cell").number(s.cell_m, positive);
  return solid(s, table_tets, table_hexes);
}

Generated read_sine_plate(YamlMap& m) {
  SinePlateShape s;
  s.amplitude_m = m.get("amplitude").number(s.amplitude_m, positive);
  s.wavelength_m = m.get("wavelength").number(s.wavelength_m, positive);
  s.length_m = m.get("length").number(s.length_m, positive);
  s.width_m = m.get("width").number(s.width_m, positive);
  s.depth_m = m.get("depth").number(s.depth_m, positive);
  s.cells_along = m.get("cellsAlong").integer(s.cells_along, 1, 2000);
  s.cells_wide = m.get("cellsWide").integer(s.cells_wide, 1, 1000);
  s.cells_deep = m.get("cellsDeep").integer(s.cells_deep, 1, 100);
  return solid(s, sine_plate_tets, sine_plate_hexes);
}

Generated read_straight(YamlMap& m) {
  StraightShape s;
  s.from_m = m.get("from").vec3(s.from_m);
  s.to_m = m.get("to").vec3(s.to_m);
  s.segments = m.get("segments").integer(s.segments, 1, 10000);
  Generated g;
  g.curve = [s] { return straight_curve(s); };
  return g;
}

Generated read_arc(YamlMap& m) {
  ArcShape s;
  s.radius_m = m.get("radius").number(s.radius_m, positive);
  s.angle_rad = m.get("angle").number(s.angle_rad, positive);
  s.segments = m.get("segments").integer(s.segments, 1, 10000);
  Generated g;
  g.curve = [s] { return arc_curve(s); };
  return g;
}

Generated read_clip_curve(YamlMap& m) {
  ClipCurveShape s;
  s.radius_m = m.get("radius").number(s.radius_m, positive);
  s.opening_angle_rad = m.get("openingAngle").number(s.opening_angle_rad, positive);
  s.lip_angle_rad = m.get("lipAngle").number(s.lip_angle_rad, Range::not_negative());
  s.lip_radius_m = m.get("lipRadius").number(s.lip_radius_m, positive);
  s.segments = m.get("segments").integer(s.segments, 1, 10000);
  Generated g;
  g.curve = [s] { return clip_curve(s); };
  return g;
}

const std::vector<std::pair<std::string, Generated (*)(YamlMap&)>>& generators() {
  static const std::vector<std::pair<std::string, Generated (*)(YamlMap&)>> list{
      {"box", read_box},
      {"bar", read_bar},
      {"sphere", read_sphere},
      {"icosphere", read_icosphere},
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

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const auto& [name, read] : generators()) names.push_back(name);
  return names;
}

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
  for (const auto& note : mesh.notes) warnings.push_back(file + ": " + note);
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
  if (use == MeshUse::surface) return g.surface ? take(at, g.surface(), out.surface) : unfit("surface");
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
  const Generated g = generators()[which].second(m);
  return make_generated(value, generators()[which].first, g, use, hexes, cells, out);
}

void report_quality(const YamlValue& at, const MeshReport& report, std::vector<std::string>& warnings) {
  for (const Finding& finding : report.findings) {
    if (finding.fatal)
      at.fail(finding.message, finding.remedy);
    else
      warnings.push_back(at.path() + ": " + finding.message + " (" + finding.remedy + ")");
  }
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

std::optional<SceneMesh> read_scene_mesh(YamlMap& body, MeshUse use, const std::string& folder,
                                         std::vector<std::string>& warnings) {
  const size_t errors_before = body.value().context().errors.size();
  Placement place;
  place.scale = body.get("scale").number(1, positive);
  place.position = body.get("position").vec3(Vec3::Zero());
  // The rotation's axis, its length the angle in degrees: people think in degrees.
  place.rotation = rotation_from_vector(body.get("rotation").vec3(Vec3::Zero()) * (std::numbers::pi / 180));
  const YamlValue source =
      body.need("mesh", "e.g. mesh: {generator: box, size: [0.1, 0.1, 0.1]} or {file: part.msh}");
  if (!source.exists()) return std::nullopt;

  SceneMesh mesh;
  if (!read_source(source, use, folder, warnings, mesh)) return std::nullopt;
  if (auto* tets = std::get_if<TetMesh>(&mesh.volume)) place.apply(tets->nodes);
  if (auto* hexes = std::get_if<HexMesh>(&mesh.volume)) place.apply(hexes->nodes);
  place.apply(mesh.surface.nodes);
  place.apply(mesh.curve.nodes);

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
      warnings.push_back(fine.path() + ": " + std::to_string(embedding.extrapolated.size()) +
                         " vertices lie outside the mesh and are carried by the nearest element");
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
      const Vec3 a = corners[0].vec3(Vec3::Zero()), b = corners[1].vec3(Vec3::Zero());
      selected = nodes_in_box(nodes, a.cwiseMin(b), a.cwiseMax(b));
    } else if (list.exists()) {
      for (const YamlValue& item : list.list()) selected.push_back(item.integer(0, 0, count - 1));
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
