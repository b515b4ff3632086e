// The readers and writers behind read_mesh and write_mesh. A reader leaves its error in the cursor; a writer
// appends to `out` and says in `notes` what its format cannot keep. The mesh given to a writer has passed
// check().
#pragma once
#include "palp/io/cursor.hpp"
#include "palp/io/mesh_builder.hpp"
#include "palp/io/mesh_file.hpp"

namespace palp::io {

void read_gmsh(Cursor& in, MeshBuilder& to);
void read_vtk(Cursor& in, MeshBuilder& to);
void read_vtk_xml(Cursor& in, MeshBuilder& to);  ///< .vtu and .vtp
void read_obj(Cursor& in, MeshBuilder& to);
void read_stl(Cursor& in, MeshBuilder& to, double weld_distance_m);
void read_ply(Cursor& in, MeshBuilder& to);

void write_gmsh(std::string& out, const MeshFile& mesh, const WriteOptions& options, Notes& notes);
void write_vtk(std::string& out, const MeshFile& mesh, const WriteOptions& options);
void write_vtu(std::string& out, const MeshFile& mesh, const WriteOptions& options);
void write_vtp(std::string& out, const MeshFile& mesh, const WriteOptions& options);
void write_obj(std::string& out, const MeshFile& mesh);
void write_stl(std::string& out, const MeshFile& mesh, const WriteOptions& options);
void write_ply(std::string& out, const MeshFile& mesh, const WriteOptions& options);

/// Point and cell data as VTK keeps them: the mesh's own arrays, then "region" and "set:NAME".
std::vector<DataArray> vtk_arrays(const MeshFile& mesh, bool of_cells);
/// VTK's type number of cell c.
int vtk_type_of(const MeshFile& mesh, int c);

/// The advice that goes with a cell no reader accepts.
inline constexpr const char* cell_remedy =
    "Palp reads lines, triangles, quads, tets and hexes: mesh the part again";

/// Text for an XML attribute.
std::string xml_text(std::string_view text);

}  // namespace palp::io
