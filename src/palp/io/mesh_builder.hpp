// What every mesh reader fills: cells arrive in the file's own order and kinds (VTK's numbers are the common
// language), and leave sorted by kind, cut down to first order, with their data and sets following them.
// This is the border: what `finish` returns is sound, whatever the file said and in whatever order.
#pragma once
#include "palp/io/mesh_file.hpp"

namespace palp::io {

/// VTK's cell type numbers; the second-order ones list their corners first.
enum VtkType {
  vtk_vertex = 1,
  vtk_poly_vertex = 2,
  vtk_line = 3,
  vtk_poly_line = 4,
  vtk_triangle = 5,
  vtk_triangle_strip = 6,
  vtk_polygon = 7,
  vtk_pixel = 8,
  vtk_quad = 9,
  vtk_tetra = 10,
  vtk_voxel = 11,
  vtk_hexahedron = 12,
  vtk_wedge = 13,
  vtk_pyramid = 14,
  vtk_quadratic_edge = 21,
  vtk_quadratic_triangle = 22,
  vtk_quadratic_quad = 23,
  vtk_quadratic_tetra = 24,
  vtk_quadratic_hexahedron = 25,
  vtk_biquadratic_quad = 28,
  vtk_triquadratic_hexahedron = 29,
};

/// Corners of `polygon` (indices into `nodes`) cut into triangles by ears; a convex one gives a fan.
/// Empty when the polygon is concave and absurdly long.
std::vector<Triangle> triangulate(std::span<const Vec3> nodes, std::span<const int> polygon);

class MeshBuilder {
 public:
  MeshFile mesh;  ///< nodes, point_data, node_sets and notes are filled directly; cells through add_cell

  // By file cell, in the order of add_cell:
  std::vector<int> region;
  std::vector<NamedSet> cell_sets;
  std::vector<DataArray> cell_data;

  int file_cells() const { return file_cells_; }
  /// Adds one cell of the file; the nodes must already be there. Returns why not, or nothing.
  std::string add_cell(long long vtk_type, std::span<const long long> nodes);
  /// Adds one array if it is usable (1 or 3 components, finite values, right length); says so in the notes if
  /// not.
  void add_data(bool of_cells, DataArray array);
  /// Turns the arrays "region" and "set:NAME" that Palp writes into VTK files back into regions and sets.
  void adopt_regions_and_sets();
  /// Checks counts, indices, lengths and numbers, then sorts everything into `mesh`. The error has no file.
  Result<MeshFile> finish() &&;

 private:
  void add_polygon(std::span<const int> corners);
  std::string unsound() const;
  void drop_middle_nodes();

  int file_cells_ = 0;
  std::array<std::vector<int>, 5> source_;  ///< file cell of every segment, triangle, quad, tet, hex
  std::vector<char> middle_;                ///< nodes seen between the corners of second-order cells
  int reduced_ = 0;                         ///< second-order cells
  std::string refused_;                     ///< reason from add_polygon
};

/// The name behind "set:", or nothing.
inline std::string_view set_name(std::string_view array) {
  return array.substr(0, 4) == "set:" ? array.substr(4) : "";
}

}  // namespace palp::io
