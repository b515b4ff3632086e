// STL, text and binary. Every triangle comes with its own three corners: equal corners become one node.
// Binary: 80 bytes of anything (even "solid"), the number of triangles, 50 bytes each. The length of the file
// tells the two kinds apart.
#include <cmath>
#include <unordered_map>

#include "palp/io/formats.hpp"

namespace palp::io {
namespace {

/// Joins equal corners, or corners closer than a distance, with a hash of cubes.
class Welder {
 public:
  Welder(std::vector<Vec3>& nodes, double distance) : nodes_(nodes), distance_(distance) {}

  int add(const Vec3& p) {
    if (distance_ <= 0) {
      const auto [at, fresh] =
          exact_.try_emplace({p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, next());  // −0 + 0 = +0
      if (fresh) nodes_.push_back(p);
      return at->second;
    }
    const Cell home = cell(p);
    for (long dx = -1; dx <= 1; ++dx)
      for (long dy = -1; dy <= 1; ++dy)
        for (long dz = -1; dz <= 1; ++dz) {
          const auto [begin, end] = near_.equal_range({home[0] + dx, home[1] + dy, home[2] + dz});
          for (auto at = begin; at != end; ++at)
            if ((nodes_[at->second] - p).norm() <= distance_) return at->second;
        }
    near_.emplace(home, next());
    nodes_.push_back(p);
    return next() - 1;
  }

 private:
  using Point = std::array<double, 3>;
  using Cell = std::array<double, 3>;  // whole numbers; doubles because coordinate / distance may be huge
  struct Hash {
    std::size_t operator()(const std::array<double, 3>& a) const {
      std::size_t h = 0;
      for (double v : a) h = (h ^ std::hash<double>{}(v)) * 0x9E3779B97F4A7C15ull;
      return h ^ h >> 32;
    }
  };
  int next() const { return static_cast<int>(nodes_.size()); }
  Cell cell(const Vec3& p) const {
    return {std::floor(p.x() / distance_), std::floor(p.y() / distance_), std::floor(p.z() / distance_)};
  }

  std::vector<Vec3>& nodes_;
  double distance_;
  std::unordered_map<Point, int, Hash> exact_;
  std::unordered_multimap<Cell, int, Hash> near_;
};

class StlReader {
 public:
  StlReader(Cursor& in, MeshBuilder& to, double weld) : in_(in), to_(to), weld_(to.mesh.nodes, weld) {}

  void read() {
    const std::string_view bytes = in_.rest();
    const bool says_solid = bytes.substr(0, 5) == "solid";
    std::uint64_t expected = 0;
    if (bytes.size() >= 84) {
      Cursor head(bytes, in_.file());
      head.binary(true);
      head.seek(80);
      expected = 84 + 50ull * head.raw<std::uint32_t>();
    }
    if (expected == bytes.size() || !says_solid) {
      read_binary(expected);
    } else {
      read_text();
    }
    if (dropped_ > 0)
      to_.mesh.notes.push_back(std::to_string(dropped_) +
                               " triangles without area (equal corners) were left out");
  }

 private:
  void add_triangle(const Vec3 (&p)[3]) {
    const long long n[3] = {weld_.add(p[0]), weld_.add(p[1]), weld_.add(p[2])};
    if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0])
      ++dropped_;
    else
      to_.add_cell(vtk_triangle, n);
  }

  void read_binary(std::uint64_t expected) {
    in_.binary(true);
    in_.take(80);
    const long long count = in_.raw<std::uint32_t>();
    if (!in_.fits(count, 50, "triangles")) return;
    for (long long i = 0; i < count && in_.ok(); ++i) {
      in_.take(12);  // the normal
      Vec3 p[3];
      for (auto& corner : p)
        for (int k = 0; k < 3; ++k) corner[k] = in_.finite(in_.raw<float>(), "a corner's coordinate");
      in_.take(2);
      if (in_.ok()) add_triangle(p);
    }
    if (in_.ok() && in_.left() > 0)
      to_.mesh.notes.push_back("the file goes on " + std::to_string(in_.left()) +
                               " bytes behind its last triangle (byte " + std::to_string(expected) + ")");
  }

  void expect(std::string_view wanted) {
    if (in_.ok() && in_.word() != wanted)
      in_.fail(std::string(wanted).append(" should stand here"),
               "the file is cut short or damaged: export it again");
  }

  void read_text() {
    bool closed = true;
    std::size_t set = 0;
    while (in_.ok()) {
      const auto key = in_.word();
      if (key.empty()) break;
      if (key == "solid") {
        const auto name = in_.line();
        const auto begin = name.find_first_not_of(" \t");
        to_.cell_sets.push_back({begin == name.npos ? "" : std::string(name.substr(begin)), {}});
        set = to_.cell_sets.size() - 1;
        closed = false;
      } else if (key == "endsolid") {
        in_.line();
        closed = true;
      } else if (key == "facet") {
        expect("normal");
        for (int k = 0; k < 3; ++k) in_.number("a normal");  // often NaN or zero; never used
        expect("outer");
        expect("loop");
        Vec3 p[3];
        for (auto& corner : p) {
          expect("vertex");
          for (int k = 0; k < 3; ++k) corner[k] = in_.coordinate("a corner's coordinate");
        }
        expect("endloop");
        expect("endfacet");
        if (!in_.ok()) return;
        const int cell = to_.file_cells();
        add_triangle(p);
        if (!closed && to_.file_cells() > cell) to_.cell_sets[set].items.push_back(cell);
      } else {
        return in_.fail("'facet' or 'endsolid' should stand here", "the file is damaged: export it again");
      }
    }
    if (in_.ok() && !closed) in_.fail("'endsolid' is missing", "the file is cut short: export it again");
    // One solid is the whole mesh: no set is needed for it.
    if (to_.cell_sets.size() == 1) to_.cell_sets.clear();
    std::erase_if(to_.cell_sets, [](const NamedSet& s) { return s.name.empty() || s.items.empty(); });
  }

  Cursor& in_;
  MeshBuilder& to_;
  Welder weld_;
  int dropped_ = 0;
};

}  // namespace

void read_stl(Cursor& in, MeshBuilder& to, double weld_distance_m) { StlReader(in, to, weld_distance_m).read(); }

void write_stl(std::string& out, const MeshFile& mesh, const WriteOptions& options) {
  std::vector<Triangle> triangles = mesh.triangles;
  for (const auto& q : mesh.quads) {
    const auto two = triangulate(mesh.nodes, q);
    triangles.insert(triangles.end(), two.begin(), two.end());
  }
  if (options.ascii) {
    out += "solid palp\n";
  } else {
    std::string header = "binary STL written by Palp";
    header.resize(80, ' ');
    out += header;
    append_raw(out, static_cast<std::uint32_t>(triangles.size()));
  }
  for (const auto& t : triangles) {
    const Vec3 &a = mesh.nodes[t[0]], &b = mesh.nodes[t[1]], &c = mesh.nodes[t[2]];
    Vec3 normal = (b - a).cross(c - a);
    const double length = normal.norm();
    normal = length > 0 && std::isfinite(length) ? Vec3(normal / length) : Vec3::Zero();
    const auto three = [&](const Vec3& v) {
      for (double x : v) {
        if (options.ascii)
          out += ' ', append_number(out, x);
        else
          append_raw(out, static_cast<float>(x));
      }
    };
    if (options.ascii) {
      out += "facet normal", three(normal), out += "\nouter loop\n";
      for (int n : t) out += "vertex", three(mesh.nodes[n]), out += '\n';
      out += "endloop\nendfacet\n";
    } else {
      three(normal), three(a), three(b), three(c);
      out.append(2, '\0');
    }
  }
  if (options.ascii) out += "endsolid palp\n";
}

}  // namespace palp::io
