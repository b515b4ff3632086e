// VTK's XML files: .vtu (UnstructuredGrid) and .vtp (PolyData), arrays in text, base64 or appended, zlib or
// plain.
#include <algorithm>

#include <pugixml.hpp>

#include "palp/io/formats.hpp"
#include "palp/io/vtk_blocks.hpp"

namespace palp::io {
namespace {

constexpr const char* damaged = "the file is cut short or damaged: export it again";

class VtkXmlReader {
 public:
  VtkXmlReader(Cursor& in, MeshBuilder& to) : in_(in), to_(to) {}

  void read() {
    const std::string_view bytes = in_.rest();
    budget_ = 200 * bytes.size() + 10'000'000;
    const auto cut = bytes.find("<AppendedData");
    std::string text(bytes.substr(0, cut));
    if (cut != bytes.npos) {
      text += "</VTKFile>";
      find_appended(bytes, cut);
    }
    pugi::xml_document document;
    const auto parsed = document.load_buffer(text.data(), text.size());
    if (!parsed)
      return in_.fail_at(static_cast<std::size_t>(parsed.offset),
                         std::string("this is not valid XML: ") + parsed.description(), damaged);
    const auto root = document.child("VTKFile");
    if (!root) return in_.fail_file("there is no VTKFile element", "is this a .vtu or .vtp file?");
    const std::string kind = root.attribute("type").value();
    if (kind != "UnstructuredGrid" && kind != "PolyData")
      return fail(root, "files of type '" + kind.substr(0, 32) + "' are not read",
                  "save it as an UnstructuredGrid (.vtu) or PolyData (.vtp), in one piece");
    const std::string compressor = root.attribute("compressor").value();
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
      return fail(root, "the compressor '" + compressor.substr(0, 32) + "' is not read",
                  "save it with zlib compression");
    format_.compressed = !compressor.empty();
    format_.wide_header = std::string_view(root.attribute("header_type").value()) == "UInt64";
    format_.big_endian = std::string_view(root.attribute("byte_order").value()) == "BigEndian";
    const auto grid = root.child(kind.c_str());
    if (!grid) return fail(root, "there is no " + kind + " element", damaged);
    for (const auto piece : grid.children("Piece"))
      if (in_.ok() && each_once(piece)) kind == "PolyData" ? read_poly(piece) : read_grid(piece);
    if (in_.ok()) merge_arrays();
    if (in_.ok()) to_.adopt_regions_and_sets();
  }

 private:
  void fail(pugi::xml_node at, const std::string& message, const std::string& remedy) {
    in_.fail_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(at.offset_debug(), 0)), message, remedy);
  }

  /// The readers take the first section of a name: a second one would be lost.
  bool each_once(pugi::xml_node piece) {
    for (const char* section :
         {"Points", "Cells", "Verts", "Lines", "Polys", "Strips", "PointData", "CellData"})
      if (const auto second = piece.child(section).next_sibling(section))
        return fail(second, std::string("a second ") + section + " in one piece",
                    "give each piece one of them"),
               false;
    return true;
  }

  void find_appended(std::string_view bytes, std::size_t cut) {
    const auto end = bytes.find('>', cut), start = bytes.find('_', cut);
    if (end == bytes.npos || start == bytes.npos || start < end) return;
    appended_base64_ = bytes.substr(cut, end - cut).find("base64") != bytes.npos;
    appended_ = bytes.substr(start + 1);
  }

  /// The values of a DataArray as T (double or long long).
  template <class T>
  std::vector<T> values(pugi::xml_node array) {
    const std::string type = array.attribute("type").value(), form = array.attribute("format").value();
    if (form == "ascii" || form.empty()) return text_values<T>(array);
    std::string bytes, wrong;
    const std::size_t limit = budget_ - used_;
    BlockFormat format = format_;
    if (form == "binary") {
      format.base64 = true;
      std::string_view text = array.text().get();
      const auto begin = text.find_first_not_of(" \n\r\t");
      wrong =
          unpack_blocks(begin == text.npos ? std::string_view{} : text.substr(begin), format, limit, bytes);
      if (begin == text.npos) wrong.clear();
    } else {
      const auto offset = array.attribute("offset").as_ullong();
      format.base64 = appended_base64_;
      if (offset > appended_.size())
        wrong = "its offset " + std::to_string(offset) + " lies behind the end of the file";
      else
        wrong = unpack_blocks(appended_.substr(offset), format, limit, bytes);
    }
    if (!wrong.empty())
      return fail(array, "array '" + name(array) + "': " + wrong, damaged), std::vector<T>{};
    if (type == "Float32") return convert<T, float>(array, bytes);
    if (type == "Float64") return convert<T, double>(array, bytes);
    if (type == "Int8") return convert<T, std::int8_t>(array, bytes);
    if (type == "UInt8") return convert<T, std::uint8_t>(array, bytes);
    if (type == "Int16") return convert<T, std::int16_t>(array, bytes);
    if (type == "UInt16") return convert<T, std::uint16_t>(array, bytes);
    if (type == "Int32") return convert<T, std::int32_t>(array, bytes);
    if (type == "UInt32") return convert<T, std::uint32_t>(array, bytes);
    if (type == "Int64") return convert<T, std::int64_t>(array, bytes);
    if (type == "UInt64") return convert<T, std::uint64_t>(array, bytes);
    fail(array, "array '" + name(array) + "' has the unknown type '" + type.substr(0, 32) + "'",
         "use Float64 or Int32");
    return {};
  }

  template <class T>
  std::vector<T> text_values(pugi::xml_node array) {
    const std::string_view text = array.text().get();
    Cursor words(text, in_.file());
    std::vector<T> out;
    while (words.ok() && !words.peek_word().empty()) {
      if constexpr (std::is_same_v<T, double>)
        out.push_back(words.number("a value"));
      else
        out.push_back(words.integer("a value"));
    }
    if (!words.ok()) {
      const auto start =
          static_cast<std::size_t>(std::max<std::ptrdiff_t>(array.first_child().offset_debug(), 0));
      Error error = words.error();
      // pugixml trims nothing here: the text's lines follow the line where it starts.
      in_.fail_at(start + words.pos(), "array '" + name(array) + "': " + error.message, error.remedy);
    }
    return out;
  }

  template <class T, class Stored>
  std::vector<T> convert(pugi::xml_node array, const std::string& bytes) {
    if (std::is_floating_point_v<Stored> && !std::is_floating_point_v<T>)
      return fail(array, "array '" + name(array) + "' must hold whole numbers", "save the mesh again"),
             std::vector<T>{};
    if (bytes.size() % sizeof(Stored) != 0)
      return fail(array, "array '" + name(array) + "' does not end at a whole value", damaged),
             std::vector<T>{};
    const std::size_t count = bytes.size() / sizeof(Stored);
    used_ += count * sizeof(T);
    if (used_ > budget_)
      return fail(array, "the arrays unpack to far more than the file's size allows", damaged),
             std::vector<T>{};
    Cursor in(bytes, in_.file());
    in.binary(true, format_.big_endian);
    std::vector<T> out(count);
    for (auto& v : out) v = static_cast<T>(in.raw<Stored>());
    return out;
  }

  static std::string name(pugi::xml_node array) { return array.attribute("Name").value(); }

  pugi::xml_node named(pugi::xml_node parent, const char* wanted) {
    const auto found = parent.find_child_by_attribute("DataArray", "Name", wanted);
    if (!found) fail(parent, std::string("the array '") + wanted + "' is missing", damaged);
    return found;
  }

  /// The nodes of a piece; returns the number of nodes before them, or -1.
  long long read_points(pugi::xml_node piece) {
    const auto promised = piece.attribute("NumberOfPoints").as_llong(-1);
    const auto before = static_cast<long long>(to_.mesh.nodes.size());
    const auto array = piece.child("Points").child("DataArray");
    if (!array && promised == 0) return before;
    if (!array) return fail(piece, "the piece has no Points", damaged), -1;
    const auto xyz = values<double>(array);
    if (!in_.ok()) return -1;
    if (promised < 0 || xyz.size() % 3 != 0 || static_cast<long long>(xyz.size() / 3) != promised)
      return fail(array,
                  "the piece promises " + std::to_string(promised) + " points and has " +
                      std::to_string(xyz.size()) + " coordinates",
                  "there must be three per point"),
             -1;
    for (std::size_t i = 0; i < xyz.size(); i += 3) {
      to_.mesh.nodes.emplace_back(xyz[i], xyz[i + 1], xyz[i + 2]);
      if (!to_.mesh.nodes.back().allFinite())
        return fail(array,
                    "the coordinates of point " + std::to_string(i / 3) + " (counted from 0) are not finite",
                    "every coordinate must be a number: export the mesh again"),
               -1;
    }
    return before;
  }

  /// Cells of one element (Cells, Verts, Lines, ...): `type` fixed, or 0 when the element lists its types.
  void read_cells(pugi::xml_node piece, const char* element, long long promised, int type,
                  long long first_node) {
    const auto cells = piece.child(element);
    if (promised == 0 || !in_.ok()) return;
    if (!cells) return fail(piece, std::string("the piece has no ") + element, damaged);
    const auto connectivity_array = named(cells, "connectivity"), offsets_array = named(cells, "offsets");
    const auto types_array = type == 0 ? named(cells, "types") : pugi::xml_node{};
    if (!in_.ok()) return;
    auto connectivity = values<long long>(connectivity_array);
    const auto offsets = values<long long>(offsets_array);
    const auto types = type == 0 ? values<long long>(types_array) : std::vector<long long>{};
    if (!in_.ok()) return;
    if (static_cast<long long>(offsets.size()) != promised || (type == 0 && types.size() != offsets.size()))
      return fail(cells,
                  "the piece promises " + std::to_string(promised) + " cells and has " +
                      std::to_string(offsets.size()) + " offsets and " + std::to_string(types.size()) +
                      " types",
                  damaged);
    const auto points = static_cast<long long>(to_.mesh.nodes.size()) - first_node;
    for (auto& n : connectivity) {
      if (n < 0 || n >= points)
        return fail(connectivity_array,
                    "a cell uses node " + std::to_string(n) + " (counted from 0), but the piece has " +
                        std::to_string(points) + " nodes",
                    "index out of range: export the mesh again");
      n += first_node;
    }
    long long begin = 0;
    for (std::size_t c = 0; c < offsets.size() && in_.ok(); ++c) {
      if (offsets[c] < begin || offsets[c] > static_cast<long long>(connectivity.size()))
        return fail(offsets_array,
                    "offset " + std::to_string(c) + " (counted from 0) is " + std::to_string(offsets[c]) +
                        ", outside the node list",
                    damaged);
      const auto wrong = to_.add_cell(type == 0 ? types[c] : type,
                                      {connectivity.data() + begin, connectivity.data() + offsets[c]});
      if (!wrong.empty())
        return fail(cells, "cell " + std::to_string(c) + " (counted from 0): " + wrong, cell_remedy);
      begin = offsets[c];
    }
  }

  void read_grid(pugi::xml_node piece) {
    const auto before = read_points(piece);
    const int cells_before = to_.file_cells();
    if (in_.ok()) read_cells(piece, "Cells", piece.attribute("NumberOfCells").as_llong(0), 0, before);
    read_arrays(piece, before, cells_before);
  }

  void read_poly(pugi::xml_node piece) {
    const auto before = read_points(piece);
    const int cells_before = to_.file_cells();
    const auto promised = [&](const char* what) { return piece.attribute(what).as_llong(0); };
    read_cells(piece, "Verts", promised("NumberOfVerts"), vtk_poly_vertex, before);
    read_cells(piece, "Lines", promised("NumberOfLines"), vtk_poly_line, before);
    read_cells(piece, "Polys", promised("NumberOfPolys"), vtk_polygon, before);
    read_cells(piece, "Strips", promised("NumberOfStrips"), vtk_triangle_strip, before);
    read_arrays(piece, before, cells_before);
  }

  /// Collects the data of a piece; arrays that some piece lacks are left out by merge_arrays.
  void read_arrays(pugi::xml_node piece, long long nodes_before, int cells_before) {
    for (const bool of_cells : {false, true}) {
      const std::size_t before = of_cells ? cells_before : nodes_before;
      for (const auto array : piece.child(of_cells ? "CellData" : "PointData").children("DataArray")) {
        if (!in_.ok()) return;
        if (std::string_view(array.attribute("type").value()) == "String") continue;
        auto& all = of_cells ? cell_arrays_ : point_arrays_;
        const int components = array.attribute("NumberOfComponents").as_int(1);
        const auto v = values<double>(array);
        auto same =
            std::find_if(all.begin(), all.end(), [&](const DataArray& a) { return a.name == name(array); });
        if (same == all.end()) same = all.insert(all.end(), DataArray{name(array), components, {}});
        if (same->components == components && same->values.size() == before * components)
          same->values.insert(same->values.end(), v.begin(), v.end());
      }
    }
  }

  void merge_arrays() {
    for (auto& array : point_arrays_) to_.add_data(false, std::move(array));
    for (auto& array : cell_arrays_) to_.add_data(true, std::move(array));
  }

  Cursor& in_;
  MeshBuilder& to_;
  BlockFormat format_;
  std::string_view appended_;
  bool appended_base64_ = false;
  std::size_t budget_ = 0, used_ = 0;  ///< bytes of unpacked values: a small file may not fill the memory
  std::vector<DataArray> point_arrays_, cell_arrays_;
};

}  // namespace

void read_vtk_xml(Cursor& in, MeshBuilder& to) { VtkXmlReader(in, to).read(); }

}  // namespace palp::io
