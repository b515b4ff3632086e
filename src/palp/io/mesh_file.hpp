// What a mesh file says, whatever its format: one neutral structure, read and written by every format.
//     Gmsh .msh (2.2 and 4.1), legacy .vtk, .vtu, .vtp, .obj, .stl, .ply
// Coordinates and indices are checked at this border: what is returned is finite and in range.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

using Quad = std::array<int, 4>;  ///< counter-clockwise seen from outside

/// A named field: `components` (1 or 3) consecutive values per node or per cell.
struct DataArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

/// A named group of nodes or of cells: ascending indices, each once.
struct NamedSet {
  std::string name;
  std::vector<int> items;
};

/// Nodes, cells and what is known about them. Cells are numbered through the kinds in this order:
/// segments, triangles, quads, tets, hexes; `region`, `cell_sets` and `cell_data` use these numbers.
struct MeshFile {
  std::vector<Vec3> nodes;
  std::vector<Edge> segments;
  std::vector<Triangle> triangles;
  std::vector<Quad> quads;
  std::vector<Tet> tets;
  std::vector<Hex> hexes;

  std::vector<int> region;  ///< per cell: physical or material number (0 = none); empty = no cell has one
  std::vector<NamedSet> node_sets;
  std::vector<NamedSet> cell_sets;
  std::vector<DataArray> point_data;
  std::vector<DataArray> cell_data;
  std::vector<std::string> notes;  ///< what a reader had to change or leave out, for a person to read

  std::size_t cells() const {
    return segments.size() + triangles.size() + quads.size() + tets.size() + hexes.size();
  }
  /// Numbers of the first segment, triangle, quad, tet and hex, then the number of cells.
  std::array<int, 6> first_cells() const;
  /// The nodes of cell number c.
  std::span<const int> cell_nodes(int c) const;
};

struct ReadOptions {
  /// STL only: corners closer than this become one node. 0 = only corners with equal coordinates.
  double weld_distance_m = 0;
};

enum class VtuData { ascii, inline_base64, appended_base64, appended_raw };

struct WriteOptions {
  bool ascii = false;        ///< text instead of binary, where the format has both (.msh .vtk .stl .ply)
  bool big_endian = false;   ///< .vtu .vtp and binary .ply; legacy .vtk is always big-endian
  int gmsh_version = 41;     ///< 41 or 22
  bool vtk_offsets = false;  ///< legacy .vtk: OFFSETS/CONNECTIVITY of VTK 5 instead of the older CELLS
  VtuData vtu_data = VtuData::appended_raw;
  bool vtu_compress = true;     ///< zlib
  bool vtu_wide_header = true;  ///< UInt64 block headers instead of UInt32
};

/// Reads a mesh; the format is recognised by content first, by extension where the content does not tell.
Result<MeshFile> read_mesh(const std::string& path, const ReadOptions& options = {});
/// The same from memory; `name` stands for the path in errors and gives the extension.
Result<MeshFile> parse_mesh(std::string_view bytes, const std::string& name, const ReadOptions& options = {});

/// Sentences about what the format could not keep; empty when the file says all that the mesh does.
using Notes = std::vector<std::string>;
/// Writes a mesh in the format of the extension. The file appears complete or not at all.
Result<Notes> write_mesh(const std::string& path, const MeshFile& mesh, const WriteOptions& options = {});
/// The same into memory.
Result<Notes> format_mesh(std::string& bytes, const std::string& name, const MeshFile& mesh,
                          const WriteOptions& options = {});

/// An error when indices are out of range, coordinates are not finite, or arrays have the wrong length.
Result<void> check(const MeshFile& mesh);

// ---- To and from the meshes of the engine
// --------------------------------------------------------------------

MeshFile mesh_file(const TetMesh& mesh);
MeshFile mesh_file(const HexMesh& mesh);
MeshFile mesh_file(const TriMesh& mesh);
MeshFile mesh_file(const Curve& curve);

/// The tets and the nodes they use. When every tet of the file is left-handed, all are turned round (some
/// programs number them that way); a mixture is kept as it is, for the quality check to report. `node_of`,
/// when given, receives for every node of the file its new number, or -1 when it was left out.
Result<TetMesh> tet_mesh(const MeshFile& file, std::vector<int>* node_of = nullptr);
/// The hexes and the nodes they use; left-handed ones as above.
Result<HexMesh> hex_mesh(const MeshFile& file, std::vector<int>* node_of = nullptr);
/// The triangles, and the quads cut in two; when the file has none, the boundary of its tets and hexes.
Result<TriMesh> tri_mesh(const MeshFile& file, std::vector<int>* node_of = nullptr);
/// The segments joined into one chain, starting from the end that comes first in the file.
Result<Curve> curve(const MeshFile& file, std::vector<int>* node_of = nullptr);

/// The nodes of the set called `name`: of a node set, of a cell set (the nodes of its cells), or of both.
Result<std::vector<int>> nodes_of_set(const MeshFile& file, std::string_view name);

}  // namespace palp
