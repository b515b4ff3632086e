// Between the neutral mesh of files and the meshes of the engine.
#include <algorithm>

#include "palp/io/mesh_builder.hpp"
#include "palp/io/mesh_file.hpp"
#include "palp/mesh/topology.hpp"

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

/// Appends the skin of a volume mesh in the numbers of the file.
template <class Volume>
void append_skin(const Volume& volume, const std::vector<int>& node_of, std::vector<Triangle>& triangles) {
  std::vector<int> file_node(volume.nodes.size());
  for (std::size_t i = 0; i < node_of.size(); ++i)
    if (node_of[i] >= 0) file_node[node_of[i]] = static_cast<int>(i);
  const Surface skin = extract_surface(volume);
  for (auto t : skin.mesh.triangles) {
    for (int& n : t) n = file_node[skin.node_of_vertex[n]];
    triangles.push_back(t);
  }
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
  const bool left_handed = std::all_of(mesh.tets.begin(), mesh.tets.end(),
                                       [&](const Tet& t) { return tet_volume(mesh.nodes, t) < 0; });
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
  const bool left_handed = std::all_of(mesh.hexes.begin(), mesh.hexes.end(),
                                       [&](const Hex& h) { return hex_volume(mesh.nodes, h) < 0; });
  if (left_handed)
    for (auto& h : mesh.hexes) std::swap(h[1], h[3]), std::swap(h[5], h[7]);
  if (node_of) *node_of = std::move(used.of);
  return mesh;
}

Result<TriMesh> tri_mesh(const MeshFile& file, std::vector<int>* node_of) {
  std::vector<Triangle> triangles = file.triangles;
  for (const auto& q : file.quads) {
    const auto two = io::triangulate(file.nodes, q);
    triangles.insert(triangles.end(), two.begin(), two.end());
  }
  if (triangles.empty()) {
    std::vector<int> number;
    if (const auto tets = tet_mesh(file, &number)) append_skin(*tets, number, triangles);
    if (const auto hexes = hex_mesh(file, &number)) append_skin(*hexes, number, triangles);
  }
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
