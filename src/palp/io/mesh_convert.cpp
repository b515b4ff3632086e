// Between the neutral mesh of files and the meshes of the engine.
#include <algorithm>
#include <map>

#include "palp/io/mesh_builder.hpp"
#include "palp/io/mesh_file.hpp"

namespace palp {
namespace {

/// Numbers the used nodes of a file afresh, in the file's order.
struct Numbering {
  std::vector<int> of;  ///< -1 = not used
  std::vector<Vec3> nodes;

  template <class Cells>
  Numbering(const MeshFile& file, const Cells& cells) : of(file.nodes.size(), -1) {
    for (const auto& cell : cells)
      for (int n : cell) of[n] = 0;
    for (std::size_t i = 0; i < of.size(); ++i)
      if (of[i] == 0) {
        of[i] = static_cast<int>(nodes.size());
        nodes.push_back(file.nodes[i]);
      }
  }
  template <class Cell>
  std::vector<Cell> renumbered(const std::vector<Cell>& cells) const {
    auto out = cells;
    for (auto& cell : out)
      for (int& n : cell) n = of[n];
    return out;
  }
};

/// (b − a) × (c − a) · (d − a)
double volume6(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

/// The faces that belong to one cell only, seen from outside.
std::vector<std::vector<int>> boundary_faces(const MeshFile& file) {
  std::map<std::vector<int>, std::vector<int>> once;  // sorted corners → face
  const auto add = [&](std::vector<int> face) {
    auto key = face;
    std::sort(key.begin(), key.end());
    const auto [at, fresh] = once.try_emplace(std::move(key), std::move(face));
    if (!fresh) once.erase(at);
  };
  for (const auto& t : file.tets) {
    add({t[0], t[2], t[1]});
    add({t[0], t[1], t[3]});
    add({t[1], t[2], t[3]});
    add({t[2], t[0], t[3]});
  }
  for (const auto& h : file.hexes) {
    add({h[0], h[3], h[2], h[1]});
    add({h[4], h[5], h[6], h[7]});
    add({h[0], h[1], h[5], h[4]});
    add({h[1], h[2], h[6], h[5]});
    add({h[2], h[3], h[7], h[6]});
    add({h[3], h[0], h[4], h[7]});
  }
  std::vector<std::vector<int>> faces;
  for (auto& [key, face] : once) faces.push_back(face);
  return faces;
}

}  // namespace

MeshFile mesh_file(const TetMesh& mesh) {
  MeshFile file;
  file.nodes = mesh.nodes;
  file.tets = mesh.tets;
  return file;
}

MeshFile mesh_file(const HexMesh& mesh) {
  MeshFile file;
  file.nodes = mesh.nodes;
  file.hexes = mesh.hexes;
  return file;
}

MeshFile mesh_file(const TriMesh& mesh) {
  MeshFile file;
  file.nodes = mesh.nodes;
  file.triangles = mesh.triangles;
  return file;
}

MeshFile mesh_file(const Curve& curve) {
  MeshFile file;
  file.nodes = curve.nodes;
  const int n = static_cast<int>(curve.nodes.size());
  for (int i = 0; i + 1 < n; ++i) file.segments.push_back({i, i + 1});
  if (curve.closed && n > 2) file.segments.push_back({n - 1, 0});
  return file;
}

Result<TetMesh> tet_mesh(const MeshFile& file, std::vector<int>* node_of) {
  if (file.tets.empty())
    return Error{"the mesh has no tets", {}, 0, 0, "mesh its volume, or embed its surface in a grid"};
  Numbering used(file, file.tets);
  TetMesh mesh{std::move(used.nodes), used.renumbered(file.tets)};
  const bool left_handed = std::all_of(mesh.tets.begin(), mesh.tets.end(), [&](const Tet& t) {
    return volume6(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]) < 0;
  });
  if (left_handed)
    for (auto& t : mesh.tets) std::swap(t[1], t[2]);
  if (node_of) *node_of = std::move(used.of);
  return mesh;
}

Result<HexMesh> hex_mesh(const MeshFile& file, std::vector<int>* node_of) {
  if (file.hexes.empty())
    return Error{"the mesh has no hexes", {}, 0, 0, "mesh its volume, or embed its surface in a grid"};
  Numbering used(file, file.hexes);
  HexMesh mesh{std::move(used.nodes), used.renumbered(file.hexes)};
  const bool left_handed = std::all_of(mesh.hexes.begin(), mesh.hexes.end(), [&](const Hex& h) {
    return volume6(mesh.nodes[h[0]], mesh.nodes[h[1]], mesh.nodes[h[3]], mesh.nodes[h[4]]) < 0;
  });
  if (left_handed)
    for (auto& h : mesh.hexes) std::swap(h[1], h[3]), std::swap(h[5], h[7]);
  if (node_of) *node_of = std::move(used.of);
  return mesh;
}

Result<TriMesh> tri_mesh(const MeshFile& file, std::vector<int>* node_of) {
  std::vector<Triangle> triangles = file.triangles;
  const auto cut = [&](std::span<const int> polygon) {
    const auto parts = io::triangulate(file.nodes, polygon);
    triangles.insert(triangles.end(), parts.begin(), parts.end());
  };
  for (const auto& q : file.quads) cut(q);
  if (triangles.empty())
    for (const auto& face : boundary_faces(file)) cut(face);
  if (triangles.empty())
    return Error{"the mesh has no triangles", {}, 0, 0, "give a surface or a solid mesh"};
  Numbering used(file, triangles);
  TriMesh mesh{std::move(used.nodes), used.renumbered(triangles)};
  if (node_of) *node_of = std::move(used.of);
  return mesh;
}

Result<Curve> curve(const MeshFile& file, std::vector<int>* node_of) {
  if (file.segments.empty())
    return Error{"the mesh has no segments", {}, 0, 0, "a curve is a chain of line elements"};
  std::vector<std::vector<int>> neighbours(file.nodes.size());
  for (const auto& [a, b] : file.segments) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  int start = file.segments[0][0];
  bool closed = true;
  for (std::size_t n = file.nodes.size(); n-- > 0;) {
    if (neighbours[n].size() > 2)
      return Error{"the segments branch at node " + std::to_string(n) + " (counted from 0)",
                   {},
                   0,
                   0,
                   "a curve must be one chain"};
    if (neighbours[n].size() == 1) start = static_cast<int>(n), closed = false;
  }
  Curve out{{}, closed};
  std::vector<int> number(file.nodes.size(), -1);
  int last = -1;
  for (int at = start; at >= 0 && number[at] < 0;) {
    number[at] = static_cast<int>(out.nodes.size());
    out.nodes.push_back(file.nodes[at]);
    int next = -1;
    // Back to where we came from only if the file lists nothing else.
    for (int n : neighbours[at])
      if (n != last && (next < 0 || n == file.segments[0][1])) next = n;
    last = at;
    at = next;
  }
  const std::size_t walked = closed ? out.nodes.size() : out.nodes.size() - 1;
  if (walked != file.segments.size())
    return Error{"the segments make more than one chain", {}, 0, 0, "give each chain its own file"};
  if (node_of) *node_of = std::move(number);
  return out;
}

Result<std::vector<int>> nodes_of_set(const MeshFile& file, std::string_view name) {
  std::vector<int> nodes;
  bool found = false;
  for (const auto& set : file.node_sets)
    if (set.name == name) found = true, nodes.insert(nodes.end(), set.items.begin(), set.items.end());
  for (const auto& set : file.cell_sets)
    if (set.name == name) {
      found = true;
      for (int c : set.items) {
        const auto corners = file.cell_nodes(c);
        nodes.insert(nodes.end(), corners.begin(), corners.end());
      }
    }
  if (!found) {
    std::string known;
    for (const auto* sets : {&file.node_sets, &file.cell_sets})
      for (const auto& set : *sets) known += (known.empty() ? "" : ", ") + set.name;
    return Error{"the mesh has no set '" + std::string(name) + "'",
                 {},
                 0,
                 0,
                 known.empty() ? "it has no named sets at all" : "it has: " + known};
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace palp
