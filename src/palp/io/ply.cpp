// PLY (Stanford polygon files), text and binary of both byte orders. A header names elements and their
// properties; vertex, face and edge are understood, others are skipped. Numbers beside x y z become data
// arrays; nx ny nz become "normal", and name_x name_y name_z one array of three components.
#include <algorithm>

#include "palp/io/formats.hpp"

namespace palp::io {
namespace {

enum class Type { i8, u8, i16, u16, i32, u32, f32, f64, unknown };

Type type_of(std::string_view word) {
  if (word == "char" || word == "int8") return Type::i8;
  if (word == "uchar" || word == "uint8") return Type::u8;
  if (word == "short" || word == "int16") return Type::i16;
  if (word == "ushort" || word == "uint16") return Type::u16;
  if (word == "int" || word == "int32") return Type::i32;
  if (word == "uint" || word == "uint32") return Type::u32;
  if (word == "float" || word == "float32") return Type::f32;
  if (word == "double" || word == "float64") return Type::f64;
  return Type::unknown;
}
constexpr std::size_t bytes_of[] = {1, 1, 2, 2, 4, 4, 4, 8, 0};

struct Property {
  std::string name;
  Type type;
  bool list = false;
  Type count_type = Type::u8;
};
struct Element {
  std::string name;
  long long count = 0;
  std::vector<Property> properties;
  std::size_t least_bytes(bool binary) const {
    std::size_t sum = 0;
    for (const auto& p : properties)
      sum += !binary ? 2 : p.list ? bytes_of[int(p.count_type)] : bytes_of[int(p.type)];
    return sum;
  }
};

class PlyReader {
 public:
  PlyReader(Cursor& in, MeshBuilder& to) : in_(in), to_(to) {}

  void read() {
    read_header();
    bool vertices = false;
    for (const auto& element : elements_) {
      if (!in_.ok()) return;
      in_.binary(binary_, big_endian_);
      if (element.properties.empty()) continue;
      if (!in_.fits(element.count, element.least_bytes(binary_), element.name.c_str())) return;
      if (element.name != "vertex" && !vertices && (element.name == "face" || element.name == "edge"))
        return in_.fail("faces come before the vertices", "save the mesh with another program");
      vertices |= element.name == "vertex";
      read_element(element);
    }
    if (in_.ok() && !vertices) in_.fail_file("there is no vertex element", "is the header complete?");
    if (!in_.ok()) return;
    for (auto& [of_cells, array] : joined()) to_.add_data(of_cells, std::move(array));
    to_.adopt_regions_and_sets();
  }

 private:
  void read_header() {
    in_.line();
    bool format = false;
    while (in_.ok()) {
      if (in_.left() == 0) return in_.fail("end_header is missing", "the file is cut short: export it again");
      Cursor line(in_.line(), in_.file());
      const auto key = line.word();
      const auto bad = [&](const char* what) { in_.fail(what, "correct the header"); };
      if (key == "end_header") break;
      if (key == "format") {
        const auto kind = line.word();
        binary_ = kind != "ascii";
        big_endian_ = kind == "binary_big_endian";
        format = !binary_ || big_endian_ || kind == "binary_little_endian";
        if (!format) return bad("the format must be ascii, binary_little_endian or binary_big_endian");
      } else if (key == "element") {
        Element e{std::string(line.word().substr(0, 64)), 0, {}};
        const auto count = parse_integer(line.word());
        if (!count || *count < 0) return bad("an element needs a name and a count");
        e.count = *count;
        if ((e.name == "vertex" || e.name == "face" || e.name == "edge") &&
            std::any_of(elements_.begin(), elements_.end(),
                        [&](const Element& o) { return o.name == e.name; }))
          return in_.fail("a second element '" + e.name + "'",
                          "join them in the program that wrote the file");
        elements_.push_back(std::move(e));
      } else if (key == "property") {
        Property p;
        auto word = line.word();
        p.list = word == "list";
        if (p.list) p.count_type = type_of(line.word()), word = line.word();
        p.type = type_of(word);
        p.name = line.word().substr(0, 64);
        if (elements_.empty() || p.name.empty() || p.type == Type::unknown ||
            (p.list && p.count_type >= Type::f32))
          return bad("a property needs an element before it, a known type and a name");
        elements_.back().properties.push_back(std::move(p));
      }
    }
    if (in_.ok() && !format) in_.fail("the format line is missing", "is this a PLY file?");
  }

  double value(Type type, const char* what) {
    if (!binary_) return in_.number(what);
    switch (type) {
      case Type::i8:
        return in_.raw<std::int8_t>();
      case Type::u8:
        return in_.raw<std::uint8_t>();
      case Type::i16:
        return in_.raw<std::int16_t>();
      case Type::u16:
        return in_.raw<std::uint16_t>();
      case Type::i32:
        return in_.raw<std::int32_t>();
      case Type::u32:
        return in_.raw<std::uint32_t>();
      case Type::f32:
        return in_.raw<float>();
      default:
        return in_.raw<double>();
    }
  }
  long long whole(Type type, const char* what) {
    const double v = value(type, what);
    if (in_.ok() && !(std::abs(v) < 1e15 && v == std::trunc(v)))
      in_.fail(std::string(what) + " should be a whole number", "correct it");
    return in_.ok() ? static_cast<long long>(v) : 0;
  }

  void read_element(const Element& element) {
    const bool vertex = element.name == "vertex", face = element.name == "face",
               edge = element.name == "edge";
    const std::size_t n = element.properties.size();
    std::vector<DataArray> data(n);  // one per property; stays empty when it is not plain data
    std::vector<char> is_data(n);
    bool position[3] = {}, ends[2] = {}, corners = false;
    for (std::size_t k = 0; k < n; ++k) {
      const auto& p = element.properties[k];
      data[k].name = p.name;
      for (int axis = 0; axis < 3; ++axis) position[axis] |= !p.list && p.name == std::string(1, "xyz"[axis]);
      ends[0] |= p.name == "vertex1", ends[1] |= p.name == "vertex2";
      corners |= is_corner_list(p);
      is_data[k] = !p.list && (vertex ? p.name != "x" && p.name != "y" && p.name != "z"
                               : edge ? p.name != "vertex1" && p.name != "vertex2"
                                      : face);
    }
    if (vertex && !(position[0] && position[1] && position[2]))
      return in_.fail_file("the vertex element has no x, y and z", "correct the header");
    if (face && !corners)
      return in_.fail_file("the face element has no list vertex_indices", "correct the header");
    if (edge && !(ends[0] && ends[1]))
      return in_.fail_file("the edge element has no vertex1 and vertex2", "correct the header");
    std::vector<long long> nodes;
    for (long long i = 0; i < element.count && in_.ok(); ++i) {
      Vec3 x = Vec3::Zero();
      long long pair[2] = {0, 0};
      nodes.clear();
      for (std::size_t k = 0; k < n && in_.ok(); ++k) {
        const auto& p = element.properties[k];
        if (p.list) {
          const long long count = whole(p.count_type, "the length of a list");
          if (!in_.fits(count, binary_ ? bytes_of[int(p.type)] : 2, "list entries")) return;
          const bool keep = face && is_corner_list(p);
          for (long long j = 0; j < count && in_.ok(); ++j) {
            if (keep)
              nodes.push_back(whole(p.type, "a vertex number"));
            else
              value(p.type, "a list entry");
          }
        } else if (is_data[k]) {
          data[k].values.push_back(value(p.type, "a property"));
        } else if (vertex) {
          x[p.name[0] - 'x'] = in_.finite(value(p.type, "a coordinate"), "a vertex's coordinate");
        } else if (edge) {
          pair[p.name.back() - '1'] = whole(p.type, "a vertex number");
        } else {
          value(p.type, "a property");
        }
      }
      if (!in_.ok()) return;
      if (vertex) to_.mesh.nodes.push_back(x);
      const auto wrong = face   ? to_.add_cell(vtk_polygon, nodes)
                         : edge ? to_.add_cell(vtk_line, pair)
                                : std::string{};
      if (!wrong.empty())
        return in_.fail(element.name + " " + std::to_string(i) + " (counted from 0): " + wrong,
                        "export the mesh again");
    }
    if (edge) edges_ += element.count;
    if (face) faces_ += element.count;
    for (std::size_t k = 0; k < n; ++k)
      if (is_data[k]) arrays_.push_back({vertex ? 'v' : edge ? 'e' : 'f', std::move(data[k])});
  }

  static bool is_corner_list(const Property& p) {
    return p.list && (p.name == "vertex_indices" || p.name == "vertex_index");
  }

  /// Threes of arrays put together; arrays of faces and edges stretched over all cells.
  std::vector<std::pair<bool, DataArray>> joined() {
    std::vector<std::pair<bool, DataArray>> out;
    const auto stem = [](const std::string& name, int axis) -> std::string {
      if (name == std::string("n") + "xyz"[axis]) return "normal";
      const bool tail = name.size() > 2 && name[name.size() - 2] == '_' && name.back() == "xyz"[axis];
      return tail ? name.substr(0, name.size() - 2) : "";
    };
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      auto& [owner, first] = arrays_[i];
      const std::string name = stem(first.name, 0);
      if (!name.empty() && i + 2 < arrays_.size() && stem(arrays_[i + 1].second.name, 1) == name &&
          stem(arrays_[i + 2].second.name, 2) == name && arrays_[i + 2].first == owner) {
        DataArray three{name, 3, {}};
        for (std::size_t k = 0; k < first.values.size(); ++k)
          for (std::size_t axis = 0; axis < 3; ++axis)
            three.values.push_back(arrays_[i + axis].second.values[k]);
        i += 2;
        arrays_[i].second = std::move(three);
      }
      out.emplace_back(owner != 'v', std::move(arrays_[i].second));
      if (owner != 'v' && edges_ > 0 && faces_ > 0) out.pop_back();  // belongs to some of the cells only
    }
    return out;
  }

  Cursor& in_;
  MeshBuilder& to_;
  bool binary_ = false, big_endian_ = false;
  long long edges_ = 0, faces_ = 0;
  std::vector<Element> elements_;
  std::vector<std::pair<char, DataArray>> arrays_;  // owner: v, e or f
};

}  // namespace

void read_ply(Cursor& in, MeshBuilder& to) { PlyReader(in, to).read(); }

void write_ply(std::string& out, const MeshFile& mesh, const WriteOptions& options) {
  const auto first = mesh.first_cells();
  const int segments = first[1], faces = first[3] - first[1];
  const bool cell_data = segments == 0;  // an array that spans edges and faces has no place in PLY
  out += std::string("ply\nformat ") +
         (options.ascii        ? "ascii"
          : options.big_endian ? "binary_big_endian"
                               : "binary_little_endian") +
         " 1.0\ncomment written by Palp\nelement vertex " + std::to_string(mesh.nodes.size()) +
         "\nproperty double x\nproperty double y\nproperty double z\n";
  const auto properties = [&](const std::vector<DataArray>& arrays) {
    for (const auto& array : arrays) {
      std::string name = array.name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c <= ' '; }, '_');
      if (array.components == 1) out += "property double " + name + "\n";
      for (int k = 0; array.components == 3 && k < 3; ++k)
        out += "property double " + (name == "normal" ? std::string("n") : name + "_") + "xyz"[k] + "\n";
    }
  };
  const auto point_arrays = vtk_arrays(mesh, false);
  auto cell_arrays = cell_data ? vtk_arrays(mesh, true) : std::vector<DataArray>{};
  properties(point_arrays);
  out += "element face " + std::to_string(faces) + "\nproperty list uchar int vertex_indices\n";
  properties(cell_arrays);
  if (segments > 0)
    out += "element edge " + std::to_string(segments) + "\nproperty int vertex1\nproperty int vertex2\n";
  out += "end_header\n";
  const auto real = [&](double v) {
    options.ascii ? (append_number(out, v), void(out += ' ')) : append_raw(out, v, options.big_endian);
  };
  const auto integer = [&](int v) {
    options.ascii ? (append_number(out, static_cast<long long>(v)), void(out += ' '))
                  : append_raw(out, static_cast<std::int32_t>(v), options.big_endian);
  };
  const auto end = [&] {
    if (options.ascii) out.back() = '\n';
  };
  const auto values = [&](const std::vector<DataArray>& arrays, std::size_t i) {
    for (const auto& a : arrays)
      for (int k = 0; k < a.components; ++k) real(a.values[i * a.components + k]);
  };
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    for (double x : mesh.nodes[i]) real(x);
    values(point_arrays, i);
    end();
  }
  for (int c = segments; c < first[3]; ++c) {
    const auto nodes = mesh.cell_nodes(c);
    if (options.ascii)
      integer(static_cast<int>(nodes.size()));
    else
      out += static_cast<char>(nodes.size());
    for (int n : nodes) integer(n);
    values(cell_arrays, c);
    end();
  }
  for (const auto& s : mesh.segments) {
    for (int n : s) integer(n);
    end();
  }
}

}  // namespace palp::io
