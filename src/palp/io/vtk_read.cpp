// Legacy VTK files, text and binary (VTK User's Guide, "VTK file formats"; binary values are big-endian):
//     # vtk DataFile Version x.y / title / ASCII or BINARY / DATASET UNSTRUCTURED_GRID or POLYDATA / ... data
//     arrays.
// Cells come as "count n0 n1 ..." (before VTK 5) or as OFFSETS and CONNECTIVITY (version 5).
#include <algorithm>
#include <set>

#include "palp/io/formats.hpp"

namespace palp::io {
namespace {

/// Bytes of one value of a VTK type in a binary file; 0 = unknown.
std::size_t size_of(std::string_view type) {
  if (type == "char" || type == "unsigned_char" || type == "signed_char") return 1;
  if (type == "short" || type == "unsigned_short") return 2;
  if (type == "int" || type == "unsigned_int" || type == "float" || type == "vtkIdType" ||
      type == "vtkidtype")
    return 4;
  if (type == "long" || type == "unsigned_long" || type == "double" || type == "vtktypeint64" ||
      type == "vtktypeuint64" || type == "long_long" || type == "unsigned_long_long")
    return 8;
  return 0;
}

template <class T>
T raw_as(Cursor& in, std::string_view type) {
  if (type == "float") return static_cast<T>(in.raw<float>());
  if (type == "double") return static_cast<T>(in.raw<double>());
  const bool is_unsigned = type.substr(0, 8) == "unsigned" || type == "vtktypeuint64";
  switch (size_of(type)) {
    case 1:
      return is_unsigned ? static_cast<T>(in.raw<std::uint8_t>()) : static_cast<T>(in.raw<std::int8_t>());
    case 2:
      return is_unsigned ? static_cast<T>(in.raw<std::uint16_t>()) : static_cast<T>(in.raw<std::int16_t>());
    case 4:
      return is_unsigned ? static_cast<T>(in.raw<std::uint32_t>()) : static_cast<T>(in.raw<std::int32_t>());
    default:
      return is_unsigned ? static_cast<T>(in.raw<std::uint64_t>()) : static_cast<T>(in.raw<std::int64_t>());
  }
}

/// "two%20words" → "two words".
std::string decoded(std::string_view name) {
  const auto hex = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] == '%' && i + 2 < name.size() && hex(name[i + 1]) >= 0 && hex(name[i + 2]) >= 0) {
      out += static_cast<char>(hex(name[i + 1]) * 16 + hex(name[i + 2]));
      i += 2;
    } else {
      out += name[i];
    }
  return out;
}

struct CellArray {
  std::vector<long long> start{0}, nodes;
  std::size_t size() const { return start.size() - 1; }
  std::span<const long long> operator[](std::size_t i) const {
    return {nodes.data() + start[i], nodes.data() + start[i + 1]};
  }
};

class VtkReader {
 public:
  VtkReader(Cursor& in, MeshBuilder& to) : in_(in), to_(to) {}

  void read() {
    in_.line();
    in_.line();  // title
    const std::string_view mode = in_.word();
    if (mode != "ASCII" && mode != "BINARY")
      return in_.fail("ASCII or BINARY should stand here", "is this a .vtk file?");
    binary_ = mode == "BINARY";
    in_.binary(binary_, true);
    bool dataset = false, grid = false, points = false, cells = false, types = false;
    while (in_.ok()) {
      const std::string key(in_.word());
      if (key.empty()) break;
      if (is_section(key) && !comes_once(key)) return;
      if (key == "DATASET") {
        const std::string kind(in_.word());
        if (kind != "UNSTRUCTURED_GRID" && kind != "POLYDATA")
          return in_.fail(
              "the data set '" + kind.substr(0, 32) + "' is not read",
              "convert it to an UNSTRUCTURED_GRID, for instance with ParaView's Tetrahedralize filter");
        dataset = true;
        grid = kind == "UNSTRUCTURED_GRID";
      } else if (key == "POINTS") {
        read_points();
        points = true;
      } else if (key == "CELLS") {
        cells_ = read_cells("cells");
        cells = true;
      } else if (key == "CELL_TYPES") {
        const long long count = in_.integer("the number of cell types");
        types_ = read_values<long long>("int", count, "cell types");
        types = true;
      } else if (key == "VERTICES" || key == "LINES" || key == "POLYGONS" || key == "TRIANGLE_STRIPS") {
        const int slot = key == "VERTICES" ? 0 : key == "LINES" ? 1 : key == "POLYGONS" ? 2 : 3;
        poly_[slot] = read_cells("cells");
      } else if (key == "POINT_DATA" || key == "CELL_DATA") {
        add_cells();
        of_cells_ = key == "CELL_DATA";
        tuples_ = in_.integer("the number of values");
        const long long expected =
            of_cells_ ? to_.file_cells() : static_cast<long long>(to_.mesh.nodes.size());
        if (in_.ok() && tuples_ != expected)
          return in_.fail(key + " promises " + std::to_string(tuples_) + " values for " +
                              std::to_string(expected) + (of_cells_ ? " cells" : " nodes"),
                          "correct the count");
        in_data_ = true;
      } else if (key == "METADATA") {
        in_.line();
        while (in_.left() > 0 && !in_.line().empty()) {
        }
      } else if (key == "FIELD") {
        if (!read_field()) break;
      } else if (in_data_) {
        read_attribute(key);
      } else {
        return in_.fail("the word '" + printable(key) + "' is not expected here",
                        "the count of the section before it is wrong, or the file is damaged");
      }
    }
    if (in_.ok() && !dataset)
      in_.fail_file("there is no DATASET line", "the file is cut short: save it again");
    if (in_.ok() && !(points && (!grid || (cells && types))))
      in_.fail_file(!points ? "there are no POINTS"
                    : cells ? "there are no CELL_TYPES"
                            : "there are no CELLS",
                    "the file is cut short: save it again");
    if (in_.ok()) add_cells();
    if (in_.ok()) to_.adopt_regions_and_sets();
  }

 private:
  static bool is_section(std::string_view key) {
    return key == "POINT_DATA" || key == "CELL_DATA" || is_geometry(key);
  }
  static bool is_geometry(std::string_view key) {
    for (const char* known :
         {"DATASET", "POINTS", "CELLS", "CELL_TYPES", "VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS"})
      if (key == known) return true;
    return false;
  }

  /// Data are read for the nodes and cells before them: neither may change afterwards.
  bool comes_once(const std::string& key) {
    if (!seen_.insert(key).second)
      in_.fail("a second " + key + " section", "join the meshes in the program that wrote them");
    else if (in_data_ && is_geometry(key))
      in_.fail(key + " comes after POINT_DATA or CELL_DATA",
               "move it before the data, or save the file again");
    return in_.ok();
  }

  static std::string printable(std::string_view word) {
    std::string out(word.substr(0, 32));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c < 32 || c == 127; }, '?');
    return out;
  }

  template <class T>
  std::vector<T> read_values(std::string_view type, long long count, const char* what) {
    std::vector<T> out;
    const std::size_t size = size_of(type);
    if (in_.ok() && size == 0)
      in_.fail("the type '" + printable(type) + "' is not known", "use float, double or int");
    if (in_.ok() && std::is_integral_v<T> && (type == "float" || type == "double"))
      in_.fail(std::string(what) + " must be whole numbers, not " + std::string(type), "save the mesh again");
    if (!in_.fits(count, binary_ ? size : 2, what)) return out;
    out.reserve(count);
    if (binary_) in_.line();
    for (long long i = 0; i < count && in_.ok(); ++i) {
      if constexpr (std::is_same_v<T, double>)
        out.push_back(binary_ ? raw_as<double>(in_, type) : in_.number(what));
      else
        out.push_back(binary_ ? raw_as<long long>(in_, type) : in_.integer(what));
    }
    return out;
  }

  void read_points() {
    const long long count = in_.integer("the number of points");
    const std::string type(in_.word());
    if (!in_.fits(count, 6, "points")) return;
    const auto values = read_values<double>(type, 3 * count, "coordinates");
    if (!in_.ok()) return;
    to_.mesh.nodes.clear();
    for (long long i = 0; i < count; ++i) {
      to_.mesh.nodes.emplace_back(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
      if (!to_.mesh.nodes.back().allFinite())
        return in_.fail("the coordinates of point " + std::to_string(i) + " (counted from 0) are not finite",
                        "every coordinate must be a number: export the mesh again");
    }
  }

  CellArray read_cells(const char* what) {
    CellArray cells;
    const long long first = in_.integer("a number of cells"),
                    second = in_.integer("the size of the cell list");
    if (!in_.fits(first, 2, what) || !in_.fits(second, 2, what)) return cells;
    if (in_.peek_word() == "OFFSETS") {
      in_.word();
      std::string type(in_.word());
      cells.start = read_values<long long>(type, first, "offsets");
      if (in_.ok() && in_.word() != "CONNECTIVITY")
        in_.fail("CONNECTIVITY should follow the offsets", "save it again");
      type = in_.word();
      cells.nodes = read_values<long long>(type, second, "node numbers");
      if (cells.start.empty()) cells.start = {0};
      if (in_.ok() && (cells.start.front() != 0 || cells.start.back() != second ||
                       !std::is_sorted(cells.start.begin(), cells.start.end())))
        in_.fail("the offsets do not rise from 0 to " + std::to_string(second),
                 "the file is damaged: save it again");
    } else {
      const auto list = read_values<long long>("int", second, "cell entries");
      std::size_t at = 0;
      for (long long c = 0; c < first && in_.ok(); ++c) {
        const long long n = at < list.size() ? list[at++] : -1;
        if (n < 0 || n > static_cast<long long>(list.size() - at)) {
          in_.fail("cell " + std::to_string(c) + " (counted from 0) overruns the cell list",
                   "correct the counts");
          break;
        }
        cells.nodes.insert(cells.nodes.end(), list.begin() + at, list.begin() + at + n);
        cells.start.push_back(static_cast<long long>(cells.nodes.size()));
        at += n;
      }
      if (in_.ok() && at != list.size())
        in_.fail("the cell list has entries left over", "correct the counts");
    }
    if (!in_.ok()) return {};
    return cells;
  }

  void add(long long type, std::span<const long long> nodes) {
    const int number = to_.file_cells();
    const std::string wrong = to_.add_cell(type, nodes);
    if (!wrong.empty())
      in_.fail_file("cell " + std::to_string(number) + " (counted from 0): " + wrong, cell_remedy);
  }

  void add_cells() {
    if (!in_.ok()) return;
    if (cells_.size() != types_.size())
      return in_.fail_file("there are " + std::to_string(cells_.size()) + " cells but " +
                               std::to_string(types_.size()) + " cell types",
                           "CELLS and CELL_TYPES must have the same length");
    for (std::size_t c = 0; c < cells_.size() && in_.ok(); ++c) add(types_[c], cells_[c]);
    constexpr int poly_types[4] = {vtk_poly_vertex, vtk_poly_line, vtk_polygon, vtk_triangle_strip};
    for (int slot = 0; slot < 4; ++slot)
      for (std::size_t c = 0; c < poly_[slot].size() && in_.ok(); ++c) add(poly_types[slot], poly_[slot][c]);
    cells_ = {};
    types_.clear();
    poly_ = {};
  }

  void read_array(const std::string& name, const std::string& type, long long components) {
    if (in_.ok() && (components < 1 || components > 1000))
      return in_.fail("an array must have 1 to 1000 components", "correct this line");
    if (!in_.fits(tuples_, 1, "values")) return;
    auto values = read_values<double>(type, tuples_ * components, "values");
    if (in_.ok()) to_.add_data(of_cells_, {name, static_cast<int>(components), std::move(values)});
  }

  void read_attribute(const std::string& key) {
    if (key == "LOOKUP_TABLE") {  // a table of colours: 4 bytes or numbers each
      in_.word();
      const long long count = in_.integer("the length of the table");
      if (!in_.fits(count, 4, "colours")) return;
      read_values<double>(binary_ ? "unsigned_char" : "float", 4 * count, "colours");
      return;
    }
    const std::string name = decoded(in_.word());
    if (key == "COLOR_SCALARS") {
      const long long components = in_.integer("the number of components");
      return read_array(name, binary_ ? "unsigned_char" : "float", components);
    }
    if (key == "TEXTURE_COORDINATES") {
      const long long components = in_.integer("the number of components");
      return read_array(name, std::string(in_.word()), components);
    }
    const std::string type(in_.word());
    if (key == "SCALARS") {
      // "SCALARS name type [components]", then usually "LOOKUP_TABLE name".
      const auto next = in_.peek_word();
      const long long components = parse_integer(next) && next.size() < 4 ? in_.integer("the components") : 1;
      if (in_.peek_word() == "LOOKUP_TABLE") in_.word(), in_.word();
      return read_array(name, type, components);
    }
    if (key == "VECTORS" || key == "NORMALS") return read_array(name, type, 3);
    if (key == "TENSORS") return read_array(name, type, 9);
    if (key == "GLOBAL_IDS" || key == "PEDIGREE_IDS") return read_array(name, type, 1);
    in_.fail("the word '" + printable(key) + "' is not expected here",
             "the count of the section before it is wrong, or the file is damaged");
  }

  /// "FIELD name n", then n times "name components tuples type" and the values. False: stop reading here.
  bool read_field() {
    in_.word();
    const long long arrays = in_.integer("the number of arrays");
    if (!in_.fits(arrays, 8, "arrays")) return false;
    for (long long i = 0; i < arrays && in_.ok(); ++i) {
      if (in_.peek_word() == "METADATA") {
        in_.line();
        in_.line();
        while (in_.left() > 0 && !in_.line().empty()) {
        }
      }
      const std::string name = decoded(in_.word());
      const long long components = in_.integer("the number of components"),
                      tuples = in_.integer("the number of tuples");
      const std::string type(in_.word());
      if (type == "string" || type == "bit") {
        to_.mesh.notes.push_back("the array '" + name + "' of type " + type +
                                 " and what follows it were left out");
        return false;
      }
      if (!in_.fits(tuples, 1, "tuples")) return false;
      if (in_data_ && tuples == tuples_) {
        read_array(name, type, components);
        continue;
      }
      if (components < 0 || components > 1000)
        return in_.fail("an array has too many components", "correct it"), false;
      read_values<double>(type, tuples * components, "values");
    }
    return in_.ok();
  }

  Cursor& in_;
  MeshBuilder& to_;
  bool binary_ = false, in_data_ = false, of_cells_ = false;
  long long tuples_ = 0;
  std::set<std::string> seen_;  ///< sections
  CellArray cells_;
  std::vector<long long> types_;
  std::array<CellArray, 4> poly_;
};

}  // namespace

void read_vtk(Cursor& in, MeshBuilder& to) { VtkReader(in, to).read(); }

}  // namespace palp::io
