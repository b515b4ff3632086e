#include "palp/io/mesh_file.hpp"

#include <algorithm>
#include <cctype>
#include <new>

#include "palp/io/formats.hpp"

namespace palp {
namespace {

enum class Format { unknown, gmsh, vtk, vtu, vtp, obj, stl, ply };

std::string extension(const std::string& name) {
  const auto dot = name.find_last_of("./");
  if (dot == name.npos || name[dot] != '.') return {};
  std::string out = name.substr(dot + 1);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

Format by_extension(const std::string& name) {
  const std::string e = extension(name);
  if (e == "msh") return Format::gmsh;
  if (e == "vtk") return Format::vtk;
  if (e == "vtu") return Format::vtu;
  if (e == "vtp") return Format::vtp;
  if (e == "obj") return Format::obj;
  if (e == "stl") return Format::stl;
  if (e == "ply") return Format::ply;
  return Format::unknown;
}

bool starts_with(std::string_view bytes, std::string_view what) {
  return bytes.substr(0, what.size()) == what;
}

Format by_content(std::string_view bytes) {
  while (!bytes.empty() && std::isspace(static_cast<unsigned char>(bytes[0]))) bytes.remove_prefix(1);
  if (starts_with(bytes, "$MeshFormat") || starts_with(bytes, "$NOD")) return Format::gmsh;
  if (starts_with(bytes, "# vtk DataFile")) return Format::vtk;
  if (starts_with(bytes, "<?xml") || starts_with(bytes, "<VTKFile")) return Format::vtu;
  if (starts_with(bytes, "ply\n") || starts_with(bytes, "ply\r\n")) return Format::ply;
  return Format::unknown;
}

constexpr const char* known_formats = "use .msh, .vtk, .vtu, .vtp, .obj, .stl or .ply";

Result<MeshFile> parse(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  if (bytes.empty()) return Error{"the file is empty", name, 0, 0, "was it written to the end?"};
  Format format = by_content(bytes);
  if (format == Format::unknown) format = by_extension(name);
  if (format == Format::unknown && starts_with(bytes, "solid")) format = Format::stl;
  io::Cursor in(bytes, name);
  io::MeshBuilder builder;
  switch (format) {
    case Format::gmsh:
      io::read_gmsh(in, builder);
      break;
    case Format::vtk:
      if (!starts_with(bytes, "# vtk"))
        in.fail("'# vtk DataFile Version' should come first", "is this a VTK file?");
      if (in.ok()) io::read_vtk(in, builder);
      break;
    case Format::vtu:
    case Format::vtp:
      io::read_vtk_xml(in, builder);
      break;
    case Format::obj:
      io::read_obj(in, builder);
      break;
    case Format::stl:
      io::read_stl(in, builder, options.weld_distance_m);
      break;
    case Format::ply:
      if (!starts_with(bytes, "ply")) in.fail("'ply' should come first", "is this a PLY file?");
      if (in.ok()) io::read_ply(in, builder);
      break;
    case Format::unknown:
      return Error{"the format of this file is not recognised", name, 0, 0, known_formats};
  }
  if (!in.ok()) return in.error();
  auto mesh = std::move(builder).finish();
  if (mesh) return mesh;
  Error error = mesh.error();
  error.file = name;
  return error;
}

/// What a format for surfaces cannot say.
void note_losses(const MeshFile& mesh, Format format, Notes& notes) {
  const auto lose = [&](bool there, const char* what) {
    if (there) notes.push_back(std::string(what) + " cannot be kept in this format");
  };
  const bool stl = format == Format::stl, obj = format == Format::obj, ply = format == Format::ply;
  lose(!mesh.tets.empty() || !mesh.hexes.empty(), "tets and hexes");
  lose(stl && !mesh.segments.empty(), "segments");
  lose((stl || obj) && !(mesh.point_data.empty() && mesh.cell_data.empty()), "data arrays");
  lose((stl || obj) && !mesh.region.empty(), "regions");
  lose((stl || obj) && !mesh.node_sets.empty(), "node sets");
  lose(stl && !mesh.cell_sets.empty(), "cell sets");
  lose(ply && !mesh.segments.empty() &&
           !(mesh.cell_data.empty() && mesh.cell_sets.empty() && mesh.region.empty()),
       "data, regions and sets of cells, beside segments,");
}

Result<Notes> formatted(std::string& bytes, const std::string& name, const MeshFile& mesh,
                     const WriteOptions& options) {
  if (const auto sound = check(mesh); !sound) {
    Error error = sound.error();
    error.file = name;
    return error;
  }
  Notes notes;
  const Format kind = by_extension(name);
  const bool surface =
      kind == Format::obj || kind == Format::stl || kind == Format::ply || kind == Format::vtp;
  if (surface && mesh.segments.empty() && mesh.triangles.empty() && mesh.quads.empty() && mesh.cells() > 0) {
    auto skin = tri_mesh(mesh);
    if (!skin) return skin.error();
    auto inner = formatted(bytes, name, mesh_file(*skin), options);
    if (inner)
      inner->insert(inner->begin(), "the format keeps surfaces: the boundary of the solid cells was written");
    return inner;
  }
  bytes.clear();
  if (surface) note_losses(mesh, kind, notes);
  switch (kind) {
    case Format::gmsh:
      io::write_gmsh(bytes, mesh, options, notes);
      break;
    case Format::vtk:
      io::write_vtk(bytes, mesh, options);
      break;
    case Format::vtu:
      io::write_vtu(bytes, mesh, options);
      break;
    case Format::vtp:
      io::write_vtp(bytes, mesh, options);
      break;
    case Format::obj:
      io::write_obj(bytes, mesh);
      break;
    case Format::stl:
      io::write_stl(bytes, mesh, options);
      break;
    case Format::ply:
      io::write_ply(bytes, mesh, options);
      break;
    case Format::unknown:
      return Error{"the extension names no known mesh format", name, 0, 0, known_formats};
  }
  return notes;
}

Error out_of_memory(const std::string& name) {
  return {"there is not enough memory for this mesh", name, 0, 0, "use a smaller mesh"};
}

}  // namespace

std::array<int, 6> MeshFile::first_cells() const {
  std::array<int, 6> first{};
  const std::size_t sizes[5] = {segments.size(), triangles.size(), quads.size(), tets.size(), hexes.size()};
  for (int k = 0; k < 5; ++k) first[k + 1] = first[k] + static_cast<int>(sizes[k]);
  return first;
}

std::span<const int> MeshFile::cell_nodes(int c) const {
  const auto first = first_cells();
  if (c < first[1]) return segments[c];
  if (c < first[2]) return triangles[c - first[1]];
  if (c < first[3]) return quads[c - first[2]];
  if (c < first[4]) return tets[c - first[3]];
  return hexes[c - first[4]];
}

Result<MeshFile> parse_mesh(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  try {
    return parse(bytes, name, options);
  } catch (const std::bad_alloc&) {
    return out_of_memory(name);
  }
}

Result<MeshFile> read_mesh(const std::string& path, const ReadOptions& options) {
  try {
    const auto bytes = io::read_bytes(path);
    if (!bytes) return bytes.error();
    return parse(*bytes, path, options);
  } catch (const std::bad_alloc&) {
    return out_of_memory(path);
  }
}

Result<Notes> format_mesh(std::string& bytes, const std::string& name, const MeshFile& mesh,
                          const WriteOptions& options) {
  try {
    return formatted(bytes, name, mesh, options);
  } catch (const std::bad_alloc&) {
    return out_of_memory(name);
  }
}

Result<Notes> write_mesh(const std::string& path, const MeshFile& mesh, const WriteOptions& options) {
  std::string bytes;
  auto notes = format_mesh(bytes, path, mesh, options);
  if (!notes) return notes;
  if (const auto written = io::write_bytes(path, bytes); !written) return written.error();
  return notes;
}

Result<void> check(const MeshFile& mesh) {
  const auto nodes = static_cast<int>(mesh.nodes.size());
  for (int i = 0; i < nodes; ++i)
    if (!mesh.nodes[i].allFinite())
      return Error{"the coordinates of node " + std::to_string(i) + " are not finite",
                   {},
                   0,
                   0,
                   "has the simulation diverged?"};
  const int cells = static_cast<int>(mesh.cells());
  for (int c = 0; c < cells; ++c)
    for (int n : mesh.cell_nodes(c))
      if (n < 0 || n >= nodes)
        return Error{"cell " + std::to_string(c) + " uses node " + std::to_string(n) + ", but there are " +
                         std::to_string(nodes) + " nodes",
                     {},
                     0,
                     0,
                     "correct the cell"};
  if (!mesh.region.empty() && mesh.region.size() != mesh.cells())
    return Error{"region must have one number per cell", {}, 0, 0, "or none at all"};
  for (const bool of_cells : {false, true}) {
    const int count = of_cells ? cells : nodes;
    for (const auto& array : of_cells ? mesh.cell_data : mesh.point_data)
      if ((array.components != 1 && array.components != 3) ||
          array.values.size() != static_cast<std::size_t>(count) * array.components)
        return Error{
            "the array '" + array.name + "' must have 1 or 3 values per " + (of_cells ? "cell" : "node"),
            {},
            0,
            0,
            "correct its length"};
    for (const auto& set : of_cells ? mesh.cell_sets : mesh.node_sets)
      for (int item : set.items)
        if (item < 0 || item >= count)
          return Error{"the set '" + set.name + "' holds " + std::to_string(item) + ", which does not exist",
                       {},
                       0,
                       0,
                       "correct the set"};
  }
  return {};
}

}  // namespace palp
