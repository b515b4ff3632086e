// Writes .vtu and .vtp: one piece, arrays in any of the four encodings.
#include <algorithm>
#include <cmath>

#include "palp/io/formats.hpp"
#include "palp/io/vtk_blocks.hpp"

namespace palp::io {

std::string xml_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) < 32)
      out += ' ';
    else
      out += c;
  }
  return out;
}

namespace {

class Writer {
 public:
  Writer(std::string& out, const WriteOptions& options, const char* type) : out_(out), options_(options) {
    format_.wide_header = options.vtu_wide_header;
    format_.big_endian = options.big_endian;
    format_.compressed = options.vtu_compress && options.vtu_data != VtuData::ascii;
    format_.base64 = options.vtu_data != VtuData::appended_raw;
    out_ += std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"") + type +
            "\" version=\"1.0\" byte_order=\"" + (format_.big_endian ? "BigEndian" : "LittleEndian") +
            "\" header_type=\"" + (format_.wide_header ? "UInt64" : "UInt32") + "\"" +
            (format_.compressed ? " compressor=\"vtkZLibDataCompressor\"" : "") + ">\n<" + type + ">\n";
    type_ = type;
  }

  /// `Stored` is the type in the file.
  template <class Stored, class Values>
  void array(const char* type, const std::string& name, int components, const Values& values) {
    out_ += std::string("<DataArray type=\"") + type + "\" Name=\"" + xml_text(name) +
            "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"";
    if (options_.vtu_data == VtuData::ascii) {
      out_ += "ascii\">\n";
      int column = 0;
      for (const auto v : values) {
        if constexpr (std::is_floating_point_v<Stored>)
          append_number(out_, static_cast<double>(v));
        else
          append_number(out_, static_cast<long long>(v));
        out_ += ++column % (components == 1 ? 12 : components) == 0 ? '\n' : ' ';
      }
      out_ += "\n</DataArray>\n";
      return;
    }
    std::string bytes;
    for (const auto v : values) append_raw(bytes, static_cast<Stored>(v), format_.big_endian);
    if (options_.vtu_data == VtuData::inline_base64) {
      out_ += "binary\">\n";
      pack_blocks(out_, bytes, format_);
      out_ += "\n</DataArray>\n";
    } else {
      out_ += "appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>\n";
      pack_blocks(appended_, bytes, format_);
    }
  }

  void points(const MeshFile& mesh) {
    std::vector<double> xyz;
    for (const auto& p : mesh.nodes) xyz.insert(xyz.end(), p.begin(), p.end());
    out_ += "<Points>\n";
    array<double>("Float64", "Points", 3, xyz);
    out_ += "</Points>\n";
  }

  /// Points without cells would not be seen: each becomes a vertex.
  void vertices(const MeshFile& mesh) {
    const int count = static_cast<int>(mesh.nodes.size());
    std::vector<int> nodes(count), offsets(count), kinds(count, vtk_vertex);
    for (int n = 0; n < count; ++n) {
      nodes[n] = n;
      offsets[n] = n + 1;
    }
    out_ += "<Cells>\n";
    array<std::int32_t>("Int32", "connectivity", 1, nodes);
    array<std::int32_t>("Int32", "offsets", 1, offsets);
    array<std::uint8_t>("UInt8", "types", 1, kinds);
    out_ += "</Cells>\n";
  }

  void cells(const MeshFile& mesh, const char* element, int first, int last, bool types) {
    std::vector<int> nodes, offsets, kinds;
    for (int c = first; c < last; ++c) {
      const auto n = mesh.cell_nodes(c);
      nodes.insert(nodes.end(), n.begin(), n.end());
      offsets.push_back(static_cast<int>(nodes.size()));
      kinds.push_back(vtk_type_of(mesh, c));
    }
    out_ += std::string("<") + element + ">\n";
    array<std::int32_t>("Int32", "connectivity", 1, nodes);
    array<std::int32_t>("Int32", "offsets", 1, offsets);
    if (types) array<std::uint8_t>("UInt8", "types", 1, kinds);
    out_ += std::string("</") + element + ">\n";
  }

  void data(const MeshFile& mesh) {
    for (const bool of_cells : {false, true}) {
      out_ += of_cells ? "<CellData>\n" : "<PointData>\n";
      for (const auto& a : vtk_arrays(mesh, of_cells)) {
        const auto whole = [&](double low, double high) {
          return a.components == 1 && std::all_of(a.values.begin(), a.values.end(), [&](double v) {
                   return v >= low && v <= high && v == std::trunc(v);
                 });
        };
        if (of_cells && a.name == "region" && whole(-2e9, 2e9))
          array<std::int32_t>("Int32", a.name, 1, a.values);
        else if (!set_name(a.name).empty() && whole(0, 1))
          array<std::uint8_t>("UInt8", a.name, 1, a.values);
        else
          array<double>("Float64", a.name, a.components, a.values);
      }
      out_ += of_cells ? "</CellData>\n" : "</PointData>\n";
    }
  }

  void begin_piece(const std::string& counts) { out_ += "<Piece " + counts + ">\n"; }

  void end() {
    out_ += std::string("</Piece>\n</") + type_ + ">\n";
    if (!appended_.empty()) {
      out_ += std::string("<AppendedData encoding=\"") + (format_.base64 ? "base64" : "raw") + "\">\n_";
      out_ += appended_;
      out_ += "\n</AppendedData>\n";
    }
    out_ += "</VTKFile>\n";
  }

 private:
  std::string& out_;
  const WriteOptions& options_;
  const char* type_;
  BlockFormat format_;
  std::string appended_;
};

}  // namespace

void write_vtu(std::string& out, const MeshFile& mesh, const WriteOptions& options) {
  Writer w(out, options, "UnstructuredGrid");
  const int cells = static_cast<int>(mesh.cells());
  w.begin_piece("NumberOfPoints=\"" + std::to_string(mesh.nodes.size()) + "\" NumberOfCells=\"" +
                std::to_string(cells > 0 ? static_cast<std::size_t>(cells) : mesh.nodes.size()) + "\"");
  w.points(mesh);
  if (cells > 0)
    w.cells(mesh, "Cells", 0, cells, true);
  else
    w.vertices(mesh);
  w.data(mesh);
  w.end();
}

void write_vtp(std::string& out, const MeshFile& mesh, const WriteOptions& options) {
  // Lines and faces are the first cells of the mesh: the data of the solid cells behind them is cut off.
  MeshFile skin = mesh;
  const auto first = mesh.first_cells();
  skin.tets.clear();
  skin.hexes.clear();
  if (!skin.region.empty()) skin.region.resize(first[3]);
  for (auto& array : skin.cell_data)
    array.values.resize(static_cast<std::size_t>(first[3]) * array.components);
  for (auto& set : skin.cell_sets) std::erase_if(set.items, [&](int c) { return c >= first[3]; });
  Writer w(out, options, "PolyData");
  w.begin_piece("NumberOfPoints=\"" + std::to_string(mesh.nodes.size()) +
                "\" NumberOfVerts=\"0\" NumberOfLines=\"" + std::to_string(first[1]) +
                "\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(first[3] - first[1]) + "\"");
  w.points(skin);
  w.cells(skin, "Verts", 0, 0, false);
  w.cells(skin, "Lines", 0, first[1], false);
  w.cells(skin, "Strips", 0, 0, false);
  w.cells(skin, "Polys", first[1], first[3], false);
  w.data(skin);
  w.end();
}

}  // namespace palp::io
