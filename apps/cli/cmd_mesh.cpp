// palp mesh: what is in a mesh file, conversion, repair, embedding of a surface in a lattice, tets, a
// picture.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/draw/picture.hpp"
#include "palp/io/mesh_file.hpp"
#include "palp/mesh/quality.hpp"
#include "palp/mesh/repair.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/voxels.hpp"

namespace palp::cli {
namespace mesh_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string in, out, values;
  bool json = false, check = false, ascii = false, tets = false, edges = false;
  int gmsh = 41, cells = 0;
  double scale = 1, weld = 0, size = 0;
};

void fail(const Options& o, const Error& error) {
  exit_code = 1;
  if (o.json)
    std::printf("%s\n",
                Json{{"error", error.text()}}.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  std::fprintf(stderr, "palp mesh: %s\n", error.text().c_str());
}

void print(const Json& json) {
  std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

Result<MeshFile> read(const Options& o) {
  auto mesh = read_mesh(o.in, {.weld_distance_m = o.weld});
  if (mesh)
    for (auto& p : mesh->nodes) p *= o.scale;
  return mesh;
}

Json vector(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json names(const auto& items) {
  Json out = Json::array();
  for (const auto& item : items) out.push_back(item.name);
  return out;
}

Json report(const MeshReport& r) {
  Json findings = Json::array();
  for (const auto& f : r.findings)
    findings.push_back({{"defect", name(f.defect)},
                        {"fatal", f.fatal},
                        {"count", f.items.size()},
                        {"message", f.message},
                        {"remedy", f.remedy}});
  return {{"kind", r.kind},
          {"ok", r.ok()},
          {"worst", r.worst_quality},
          {"mean", r.mean_quality},
          {"worst_element", r.worst_element},
          {"findings", findings}};
}

/// The checks of the mesh room on what the file is meant for: its solids, else its surface, else its curve.
std::vector<MeshReport> reports(const MeshFile& mesh) {
  std::vector<MeshReport> out;
  if (const auto m = tet_mesh(mesh)) out.push_back(check_mesh(*m));
  if (const auto m = hex_mesh(mesh)) out.push_back(check_mesh(*m));
  if (!out.empty()) return out;
  if (const auto m = tri_mesh(mesh)) return {check_mesh(*m)};
  if (const auto m = curve(mesh)) out.push_back(check_mesh(*m));
  return out;
}

void info(const Options& o) {
  const auto mesh = read(o);
  if (!mesh) return fail(o, mesh.error());
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  if (!mesh->nodes.empty()) low = high = mesh->nodes[0];
  for (const auto& p : mesh->nodes) low = low.cwiseMin(p), high = high.cwiseMax(p);
  std::vector<char> used(mesh->nodes.size());
  for (int c = 0; c < static_cast<int>(mesh->cells()); ++c)
    for (int n : mesh->cell_nodes(c)) used[n] = 1;
  const auto unused = std::count(used.begin(), used.end(), 0);

  double volume_m3 = 0, length_m = 0;
  if (const auto m = tet_mesh(*mesh)) volume_m3 += volume(*m);
  if (const auto m = hex_mesh(*mesh)) volume_m3 += volume(*m);
  const auto skin = tri_mesh(*mesh);
  if (volume_m3 == 0 && skin && orientation(*skin) == Orientation::outward)
    volume_m3 = enclosed_volume(*skin);
  const double area_m2 = skin ? area(*skin) : 0;
  for (const auto& s : mesh->segments) length_m += (mesh->nodes[s[1]] - mesh->nodes[s[0]]).norm();
  const auto quality = reports(*mesh);
  if (o.check)
    for (const auto& r : quality)
      if (!r.ok()) exit_code = 1;

  if (o.json) {
    Json q = Json::array();
    for (const auto& r : quality) q.push_back(report(r));
    print({{"file", o.in},
           {"nodes", mesh->nodes.size()},
           {"unused_nodes", unused},
           {"segments", mesh->segments.size()},
           {"triangles", mesh->triangles.size()},
           {"quads", mesh->quads.size()},
           {"tets", mesh->tets.size()},
           {"hexes", mesh->hexes.size()},
           {"low_m", vector(low)},
           {"high_m", vector(high)},
           {"volume_m3", volume_m3},
           {"surface_m2", area_m2},
           {"length_m", length_m},
           {"node_sets", names(mesh->node_sets)},
           {"cell_sets", names(mesh->cell_sets)},
           {"point_data", names(mesh->point_data)},
           {"cell_data", names(mesh->cell_data)},
           {"notes", mesh->notes},
           {"quality", q}});
    return;
  }
  std::printf("%s\n", o.in.c_str());
  std::printf("  nodes      %zu", mesh->nodes.size());
  if (unused > 0) std::printf(" (%ld in no cell)", static_cast<long>(unused));
  std::printf("\n  cells      %zu:", mesh->cells());
  const std::pair<const char*, std::size_t> kinds[] = {{"segments", mesh->segments.size()},
                                                       {"triangles", mesh->triangles.size()},
                                                       {"quads", mesh->quads.size()},
                                                       {"tets", mesh->tets.size()},
                                                       {"hexes", mesh->hexes.size()}};
  for (const auto& [kind, count] : kinds)
    if (count > 0) std::printf(" %zu %s", count, kind);
  std::printf("\n  box        %.6g × %.6g × %.6g m, from (%.6g, %.6g, %.6g)\n", high.x() - low.x(),
              high.y() - low.y(), high.z() - low.z(), low.x(), low.y(), low.z());
  if (volume_m3 != 0) std::printf("  volume     %.6g m³\n", volume_m3);
  if (area_m2 != 0) std::printf("  surface    %.6g m²\n", area_m2);
  if (length_m != 0) std::printf("  length     %.6g m\n", length_m);
  const auto list = [](const char* title, const auto& items) {
    if (items.empty()) return;
    std::printf("  %-10s", title);
    for (const auto& item : items) std::printf(" %s", item.name.c_str());
    std::printf("\n");
  };
  list("node sets", mesh->node_sets);
  list("cell sets", mesh->cell_sets);
  list("node data", mesh->point_data);
  list("cell data", mesh->cell_data);
  for (const auto& note : mesh->notes) std::printf("  note       %s\n", note.c_str());
  if ((high - low).norm() > 5)
    std::printf(
        "  note       lengths count as metres: if these are millimetres, --scale 0.001, in a scene scale: "
        "0.001\n");
  for (const auto& r : quality) std::printf("\n%s\n", r.text().c_str());
}

/// Writes `mesh` and says what was lost; false when it failed.
bool write(const Options& o, const MeshFile& mesh, Json result) {
  const auto notes = write_mesh(o.out, mesh,
                                {.ascii = o.ascii,
                                 .gmsh_version = o.gmsh,
                                 .vtu_data = o.ascii ? VtuData::ascii : VtuData::appended_raw});
  if (!notes) return fail(o, notes.error()), false;
  std::vector<std::string> all = mesh.notes;
  all.insert(all.end(), notes->begin(), notes->end());
  if (o.json) {
    result["notes"] = all;
    print(result);
  } else {
    for (const auto& note : all) std::printf("note: %s\n", note.c_str());
  }
  return true;
}

void convert(const Options& o) {
  const auto mesh = read(o);
  if (!mesh) return fail(o, mesh.error());
  if (write(o, *mesh,
            {{"in", o.in}, {"out", o.out}, {"nodes", mesh->nodes.size()}, {"cells", mesh->cells()}}) &&
      !o.json)
    std::printf("%s: %zu nodes, %zu cells\n", o.out.c_str(), mesh->nodes.size(), mesh->cells());
}

/// The share of each cell that is material.
std::vector<double> fill_fractions(const std::vector<CellFill>& fill) {
  std::vector<double> out;
  for (const CellFill& cell : fill) {
    double sum = cell.empty() ? 8 : 0;
    for (const CellSample& q : cell) sum += q.weight;
    out.push_back(sum / 8);
  }
  return out;
}

template <class Body>
void write_body(const Options& o, const Result<Body>& body) {
  if (!body) {
    Error error = body.error();
    if (error.file.empty()) error.file = o.in;
    return fail(o, error);
  }
  MeshFile mesh = mesh_file(body->mesh);
  if constexpr (requires { body->fill; }) mesh.cell_data.push_back({"fill", 1, fill_fractions(body->fill)});
  const VoxelReport& r = body->report;
  const Json result{{"in", o.in},
                    {"out", o.out},
                    {"nodes", mesh.nodes.size()},
                    {"cells", mesh.cells()},
                    {"cell_m", vector(body->cell_m)},
                    {"surface_nodes", body->embedding.vertices()},
                    {"nodes_outside", body->embedding.extrapolated.size()},
                    {"surface_volume_m3", r.surface_volume_m3},
                    {"volume_m3", r.volume_m3},
                    {"surface_centre_m", vector(r.surface_centre_m)},
                    {"centre_m", vector(r.centre_m)},
                    {"thinnest_wall_m", r.thinnest_wall_m},
                    {"cells_through", r.cells_through},
                    {"doubled_cells", r.doubled_cells},
                    {"parts", r.parts},
                    {"warnings", r.warnings()}};
  if (!write(o, mesh, result) || o.json) return;
  std::printf("%s: %zu nodes, %zu cells of %.4g × %.4g × %.4g m; %d surface nodes embedded\n", o.out.c_str(),
              mesh.nodes.size(), mesh.cells(), body->cell_m.x(), body->cell_m.y(), body->cell_m.z(),
              body->embedding.vertices());
  std::printf("  volume     %.6g m³, the surface's %.6g m³ (%+.2g %%): so are masses\n", r.volume_m3,
              r.surface_volume_m3, 100 * r.volume_error());
  std::printf("  centre     (%.6g, %.6g, %.6g) m, %.2g m from the surface's\n", r.centre_m.x(),
              r.centre_m.y(), r.centre_m.z(), (r.centre_m - r.surface_centre_m).norm());
  std::printf("  walls      from %.4g m, %.3g cells through; %d cells doubled; %d %s\n", r.thinnest_wall_m,
              r.cells_through, r.doubled_cells, r.parts, r.parts == 1 ? "part" : "parts");
  for (const auto& doubt : r.warnings()) std::printf("warning: %s\n", doubt.c_str());
}

void embed(const Options& o) {
  const auto mesh = read(o);
  if (!mesh) return fail(o, mesh.error());
  const auto surface = tri_mesh(*mesh);
  if (!surface) return fail(o, surface.error());
  const VoxelOptions voxels{.wanted_cells = o.cells};
  o.tets ? write_body(o, embed_in_voxel_tets(*surface, voxels))
         : write_body(o, embed_in_voxel_hexes(*surface, voxels));
}

void repair_file(const Options& o) {
  const auto mesh = read(o);
  if (!mesh) return fail(o, mesh.error());
  const auto surface = tri_mesh(*mesh);
  if (!surface) return fail(o, surface.error());
  for (const Defect defect : {Defect::not_finite, Defect::index_out_of_range})
    if (const MeshReport r = check_mesh(*surface); const Finding* f = r.find(defect))
      return fail(o, {f->message, o.in, 0, 0, f->remedy});
  const Repaired r = repair(*surface, {.weld_m = o.weld > 0 ? o.weld : -1});
  const Json result{{"in", o.in},
                    {"out", o.out},
                    {"nodes", r.mesh.nodes.size()},
                    {"triangles", r.mesh.triangles.size()},
                    {"welded_nodes", r.welded_nodes},
                    {"degenerate", r.degenerate},
                    {"duplicates", r.duplicates},
                    {"flipped", r.flipped},
                    {"open_edges", r.open_edges},
                    {"knotted_edges", r.knotted_edges}};
  if (!write(o, mesh_file(r.mesh), result) || o.json) return;
  std::printf(
      "%s: %zu nodes, %zu triangles\n  %d nodes welded, %d triangles without area and %d given twice "
      "dropped, %d flipped\n",
      o.out.c_str(), r.mesh.nodes.size(), r.mesh.triangles.size(), r.welded_nodes, r.degenerate, r.duplicates,
      r.flipped);
  if (r.open_edges + r.knotted_edges > 0)
    std::printf(
        "warning: still not closed: %d open edges, %d edges of three triangles or more; holes are not "
        "filled\n",
        r.open_edges, r.knotted_edges);
}

/// A name for the shell, whatever is in it.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void tets(const Options& o) {
  const auto mesh = read(o);
  if (!mesh) return fail(o, mesh.error());
  const auto surface = tri_mesh(*mesh);
  if (!surface) return fail(o, surface.error());
  for (const Finding& f : check_mesh(*surface).findings)
    if (f.fatal) return fail(o, {f.message, o.in, 0, 0, f.remedy + "; palp mesh repair mends much"});
  if (std::system("command -v gmsh > /dev/null 2>&1") != 0)
    return fail(o,
                {"the program gmsh is not installed", "", 0, 0,
                 "install it (apt install gmsh), or use the surface itself: a scene lays it in a lattice"});
  const auto folder = std::filesystem::temp_directory_path() / ("palp-tets-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto clean = [&] { std::filesystem::remove_all(folder); };
  if (const auto written = write_mesh((folder / "surface.stl").string(), mesh_file(*surface)); !written)
    return clean(), fail(o, written.error());
  {
    // Without a size the triangles stay as they are; with one the surface is cut at its sharp edges and
    // meshed anew.
    std::ofstream geo(folder / "volume.geo");
    geo << "Merge \"surface.stl\";\nMesh.Algorithm3D = 1;\nMesh.Optimize = 1;\n";
    if (o.size > 0)
      geo << "ClassifySurfaces{40*Pi/180, 1, 1, Pi};\nCreateGeometry;\nMesh.MeshSizeExtendFromBoundary = 0;\n"
          << "Mesh.MeshSizeMin = " << 0.2 * o.size << ";\nMesh.MeshSizeMax = " << o.size << ";\n";
    geo << "s() = Surface{:};\nSurface Loop(1) = {s()};\nVolume(1) = {1};\n";
  }
  const std::string log = (folder / "log").string();
  const int code = std::system(
      ("cd " + quoted(folder.string()) + " && gmsh -3 volume.geo -o volume.msh -format msh41 > log 2>&1")
          .c_str());
  auto made = read_mesh((folder / "volume.msh").string());
  if (code != 0 || !made || made->tets.empty()) {
    std::string said, line;
    for (std::ifstream in(log); std::getline(in, line);)
      if (line.find("Error") != std::string::npos) said = line;
    clean();
    return fail(o,
                {"gmsh made no tets" + (said.empty() ? "" : ": " + said), o.in, 0, 0,
                 "palp mesh repair first; --size gives it a freer hand; a scene takes the surface as it is"});
  }
  clean();
  const auto volume_mesh = tet_mesh(*made);
  if (!volume_mesh) return fail(o, volume_mesh.error());
  const double enclosed = enclosed_volume(*surface), filled = volume(*volume_mesh);
  const MeshFile out = mesh_file(*volume_mesh);
  if (!write(o, out,
             {{"in", o.in},
              {"out", o.out},
              {"nodes", out.nodes.size()},
              {"tets", out.tets.size()},
              {"volume_m3", filled},
              {"surface_volume_m3", enclosed}}) ||
      o.json)
    return;
  std::printf("%s: %zu nodes, %zu tets; volume %.6g m³ (%+.2g %% against the surface)\n", o.out.c_str(),
              out.nodes.size(), out.tets.size(), filled, 100 * (filled / enclosed - 1));
}

void draw(const Options& o) {
  const auto mesh = read(o);
  if (!mesh) return fail(o, mesh.error());
  Picture picture;
  std::vector<int> node_of;
  if (const auto surface = tri_mesh(*mesh, &node_of)) {
    SurfaceStyle style{.edges = o.edges};
    std::vector<double> values;
    for (const auto& array : mesh->point_data) {
      if (array.name != o.values) continue;
      values.resize(surface->nodes.size());
      for (std::size_t i = 0; i < node_of.size(); ++i)
        if (node_of[i] >= 0)
          values[node_of[i]] =
              array.components == 1
                  ? array.values[i]
                  : Vec3(array.values[3 * i], array.values[3 * i + 1], array.values[3 * i + 2]).norm();
      style.label = o.values;
    }
    if (!o.values.empty() && values.empty())
      return fail(o, {"there is no node data '" + o.values + "'", o.in, 0, 0, "see palp mesh info"});
    style.values = values;
    picture.add(*surface, style);
  }
  for (const auto& s : mesh->segments)
    picture.add_line(std::vector<Vec3>{mesh->nodes[s[0]], mesh->nodes[s[1]]}, series_color(1));
  if (mesh->cells() == 0) picture.add_points(mesh->nodes, series_color(0));
  const auto written = picture.write_png(o.out);
  if (!written) return fail(o, written.error());
  o.json ? print({{"out", o.out}}) : void(std::printf("%s\n", o.out.c_str()));
}

}  // namespace mesh_command

void add_mesh(CLI::App& app) {
  using namespace mesh_command;
  auto* mesh = app.add_subcommand("mesh", "Inspects, converts, repairs, embeds, fills and draws meshes");
  mesh->require_subcommand(1);
  mesh->footer(
      "Formats: .msh .vtk .vtu .vtp .obj .stl .ply\nExample: palp mesh convert part.stl part.vtu --scale "
      "0.001");
  auto o = std::make_shared<Options>();
  const auto common = [o](CLI::App* cmd) {
    cmd->add_option("FILE", o->in, "Mesh to read")->required();
    cmd->add_option("--scale", o->scale, "Multiplies coordinates (0.001: millimetres to metres)")
        ->check(CLI::PositiveNumber);
    cmd->add_option("--weld", o->weld,
                    "Joins nodes closer than this (m): corners of STL triangles; repair: all")
        ->check(CLI::NonNegativeNumber);
    cmd->add_flag("--json", o->json, "Answers in JSON");
    return cmd;
  };
  const auto writes = [o](CLI::App* cmd) {
    cmd->add_option("OUT", o->out, "File to write; its extension names the format")->required();
    cmd->add_flag("--ascii", o->ascii, "Text instead of binary");
    cmd->add_option("--gmsh", o->gmsh, "Version of .msh: 41 or 22")
        ->check(CLI::IsMember({41, 22}))
        ->capture_default_str();
  };
  auto* c = common(mesh->add_subcommand("info", "Counts, size, volume and quality"));
  c->add_flag("--check", o->check, "Fails when the mesh is unfit for simulation");
  c->footer("Example: palp mesh info clip.msh --json");
  c->callback([o] { info(*o); });

  c = common(mesh->add_subcommand("convert", "Writes the mesh in another format"));
  writes(c);
  c->footer("Example: palp mesh convert clip.msh clip.vtu");
  c->callback([o] { convert(*o); });

  c = common(mesh->add_subcommand("embed", "Lays a closed surface in a lattice: a body for simulation"));
  writes(c);
  c->add_option("--cells", o->cells, "About so many cells; default: by the part's walls")
      ->check(CLI::Range(1, 1'000'000));
  c->add_flag("--tets", o->tets, "Cuts every cell into six tets");
  c->footer("Example: palp mesh embed bunny.obj bunny.vtu --cells 2000");
  c->callback([o] { embed(*o); });

  c = common(mesh->add_subcommand(
      "repair", "Welds nodes, drops triangles without area, makes normals consistent and outward"));
  writes(c);
  c->footer("Example: palp mesh repair part.stl part-sound.stl --scale 0.001");
  c->callback([o] { repair_file(*o); });

  c = common(mesh->add_subcommand("tets", "Fills a closed surface with tets, by the program gmsh"));
  writes(c);
  c->add_option("--size", o->size, "Edge of a tet (m); default: the surface's triangles stay as they are")
      ->check(CLI::PositiveNumber);
  c->footer("Example: palp mesh tets part.stl part.msh --scale 0.001 --size 0.002");
  c->callback([o] { tets(*o); });

  c = common(mesh->add_subcommand("picture", "Draws the mesh into a PNG"));
  c->add_option("OUT", o->out, "PNG to write")->required();
  c->add_option("--values", o->values, "Node data to colour by");
  c->add_flag("--edges", o->edges, "Shows the triangles");
  c->footer("Example: palp mesh picture clip.vtu clip.png --values displacement");
  c->callback([o] { draw(*o); });
}

}  // namespace palp::cli
