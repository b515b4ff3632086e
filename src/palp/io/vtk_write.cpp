// Writes legacy VTK files (UNSTRUCTURED_GRID), text or big-endian binary, and the parts that .vtu shares with
// them.
#include <algorithm>

#include "palp/io/formats.hpp"

namespace palp::io {
namespace {

/// Names of legacy files have no spaces: they are written as %20 and so on.
std::string encoded(const std::string& name) {
  std::string out;
  for (char c : name) {
    const bool plain = c > 32 && c < 127 && c != '%' && c != '"';
    if (plain) {
      out += c;
    } else {
      constexpr const char* hex = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      out += '%', out += hex[byte / 16], out += hex[byte % 16];
    }
  }
  return out.empty() ? "unnamed" : out;
}

/// Values of one section, text with `per_line` a line, or binary.
struct VtkOut {
  std::string& to;
  bool binary;
  int per_line = 1, written = 0;
  template <class T>
  void value(T v) {
    if (binary) return append_raw(to, v, true);
    if constexpr (std::is_floating_point_v<T>)
      append_number(to, static_cast<double>(v));
    else
      append_number(to, static_cast<long long>(v));
    to += ++written % per_line == 0 ? '\n' : ' ';
  }
  void end() {
    if (to.back() != '\n' || binary) to += '\n';
    written = 0;
  }
};

void write_arrays(VtkOut out, const char* section, std::size_t count, const std::vector<DataArray>& arrays) {
  if (arrays.empty()) return;
  out.to += std::string(section) + " " + std::to_string(count) + "\nFIELD FieldData " +
            std::to_string(arrays.size()) + "\n";
  for (const auto& array : arrays) {
    out.to += encoded(array.name) + " " + std::to_string(array.components) + " " + std::to_string(count) +
              " double\n";
    out.per_line = array.components;
    for (double v : array.values) out.value(v);
    out.end();
  }
}

}  // namespace

int vtk_type_of(const MeshFile& mesh, int c) {
  constexpr int types[5] = {vtk_line, vtk_triangle, vtk_quad, vtk_tetra, vtk_hexahedron};
  const auto first = mesh.first_cells();
  int kind = 0;
  while (c >= first[kind + 1]) ++kind;
  return types[kind];
}

std::vector<DataArray> vtk_arrays(const MeshFile& mesh, bool of_cells) {
  std::vector<DataArray> arrays = of_cells ? mesh.cell_data : mesh.point_data;
  const std::size_t count = of_cells ? mesh.cells() : mesh.nodes.size();
  if (of_cells && !mesh.region.empty()) {
    arrays.push_back({"region", 1, {}});
    arrays.back().values.assign(mesh.region.begin(), mesh.region.end());
  }
  for (const auto& set : of_cells ? mesh.cell_sets : mesh.node_sets) {
    arrays.push_back({"set:" + set.name, 1, std::vector<double>(count, 0.0)});
    for (int i : set.items) arrays.back().values[i] = 1.0;
  }
  return arrays;
}

void write_vtk(std::string& to, const MeshFile& mesh, const WriteOptions& options) {
  VtkOut out{to, !options.ascii};
  const int cells = static_cast<int>(mesh.cells());
  to += std::string("# vtk DataFile Version ") + (options.vtk_offsets ? "5.1" : "3.0") +
        "\nwritten by Palp\n" + (out.binary ? "BINARY\n" : "ASCII\n") + "DATASET UNSTRUCTURED_GRID\n";
  to += "POINTS " + std::to_string(mesh.nodes.size()) + " double\n";
  out.per_line = 3;
  for (const auto& p : mesh.nodes)
    for (double x : p) out.value(x);
  out.end();

  std::size_t corners = 0;
  for (int c = 0; c < cells; ++c) corners += mesh.cell_nodes(c).size();
  out.per_line = 1;
  if (options.vtk_offsets) {
    to += "CELLS " + std::to_string(cells + 1) + " " + std::to_string(corners) + "\nOFFSETS vtktypeint64\n";
    std::int64_t offset = 0;
    out.value(offset);
    for (int c = 0; c < cells; ++c) out.value(offset += static_cast<std::int64_t>(mesh.cell_nodes(c).size()));
    out.end();
    to += "CONNECTIVITY vtktypeint64\n";
    for (int c = 0; c < cells; ++c)
      for (int n : mesh.cell_nodes(c)) out.value(static_cast<std::int64_t>(n));
    out.end();
  } else {
    to += "CELLS " + std::to_string(cells) + " " + std::to_string(corners + cells) + "\n";
    for (int c = 0; c < cells; ++c) {
      const auto nodes = mesh.cell_nodes(c);
      out.per_line = static_cast<int>(nodes.size()) + 1, out.written = 0;
      out.value(static_cast<std::int32_t>(nodes.size()));
      for (int n : nodes) out.value(static_cast<std::int32_t>(n));
    }
    out.end();
  }
  to += "CELL_TYPES " + std::to_string(cells) + "\n";
  out.per_line = 1;
  for (int c = 0; c < cells; ++c) out.value(static_cast<std::int32_t>(vtk_type_of(mesh, c)));
  out.end();
  write_arrays(out, "POINT_DATA", mesh.nodes.size(), vtk_arrays(mesh, false));
  write_arrays(out, "CELL_DATA", mesh.cells(), vtk_arrays(mesh, true));
}

}  // namespace palp::io
