#include "palp/mesh/topology.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "palp/mesh/lattice.hpp"

namespace palp {
namespace {

/// Faces used by exactly one element, in the order in which the elements list them.
template <size_t N>
std::vector<std::array<int, N>> single_faces(const std::vector<std::array<int, N>>& faces) {
  std::vector<std::pair<std::array<int, N>, size_t>> keys(faces.size());
  for (size_t f = 0; f < faces.size(); ++f) {
    keys[f] = {faces[f], f};
    std::sort(keys[f].first.begin(), keys[f].first.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<size_t> single;
  for (size_t a = 0; a < keys.size();) {
    size_t b = a + 1;
    while (b < keys.size() && keys[b].first == keys[a].first) ++b;
    if (b == a + 1) single.push_back(keys[a].second);
    a = b;
  }
  std::sort(single.begin(), single.end());
  std::vector<std::array<int, N>> out;
  out.reserve(single.size());
  for (size_t f : single) out.push_back(faces[f]);
  return out;
}

template <size_t N>
std::vector<int> used(std::span<const std::array<int, N>> elements) {
  std::vector<int> nodes;
  nodes.reserve(elements.size() * N);
  for (const auto& e : elements) nodes.insert(nodes.end(), e.begin(), e.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// Keeps the nodes that the elements use; returns their old numbers.
template <size_t N>
std::vector<int> compact(std::vector<Vec3>& nodes, std::vector<std::array<int, N>>& elements) {
  std::vector<int> old_number = used<N>(elements);
  std::vector<int> new_number(nodes.size(), -1);
  for (size_t n = 0; n < old_number.size(); ++n) {
    new_number[old_number[n]] = static_cast<int>(n);
    nodes[n] = nodes[old_number[n]];  // ascending: never overwrites a node that is still needed
  }
  nodes.resize(old_number.size());
  for (auto& e : elements)
    for (int& n : e) n = new_number[n];
  return old_number;
}

Surface skin(const std::vector<Vec3>& nodes, std::vector<Triangle> triangles) {
  Surface out{{nodes, std::move(triangles)}, {}};
  out.node_of_vertex = compact(out.mesh.nodes, out.mesh.triangles);
  return out;
}

template <size_t N, size_t E>
std::vector<Edge> edges_of(std::span<const std::array<int, N>> elements, const int (&ends)[E][2]) {
  std::vector<Edge> edges;
  edges.reserve(elements.size() * E);
  for (const auto& e : elements)
    for (const auto& [a, b] : ends) edges.push_back({std::min(e[a], e[b]), std::max(e[a], e[b])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

template <size_t N>
Components components_of(std::span<const std::array<int, N>> elements) {
  int top = -1;
  for (const auto& e : elements) top = std::max(top, *std::max_element(e.begin(), e.end()));
  std::vector<int> parent(static_cast<size_t>(top + 1));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
  };
  for (const auto& e : elements)
    for (size_t c = 1; c < N; ++c) {
      const int a = root(e[0]), b = root(e[c]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  Components out;
  std::vector<int> label(parent.size(), -1);
  for (const auto& e : elements) {
    int& l = label[root(e[0])];
    if (l < 0) l = out.count++;
    out.of_element.push_back(l);
  }
  return out;
}

}  // namespace

Surface extract_surface(const TetMesh& mesh) {
  std::vector<Triangle> faces;
  faces.reserve(mesh.tets.size() * 4);
  for (const Tet& t : mesh.tets) {
    faces.push_back({t[0], t[2], t[1]});
    faces.push_back({t[0], t[1], t[3]});
    faces.push_back({t[1], t[2], t[3]});
    faces.push_back({t[0], t[3], t[2]});
  }
  return skin(mesh.nodes, single_faces(faces));
}

Surface extract_surface(const HexMesh& mesh) {
  std::vector<std::array<int, 4>> faces;
  faces.reserve(mesh.hexes.size() * 6);
  for (const Hex& h : mesh.hexes)
    for (const auto& f : hex_faces) faces.push_back({h[f[0]], h[f[1]], h[f[2]], h[f[3]]});
  std::vector<Triangle> triangles;
  for (auto q : single_faces(faces)) {
    std::rotate(q.begin(), std::min_element(q.begin(), q.end()), q.end());
    triangles.push_back({q[0], q[1], q[2]});
    triangles.push_back({q[0], q[2], q[3]});
  }
  return skin(mesh.nodes, std::move(triangles));
}

std::vector<Edge> unique_edges(std::span<const Triangle> triangles) {
  constexpr int ends[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  return edges_of(triangles, ends);
}
std::vector<Edge> unique_edges(std::span<const Tet> tets) {
  constexpr int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return edges_of(tets, ends);
}
std::vector<Edge> unique_edges(std::span<const Hex> hexes) {
  constexpr int ends[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                               {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  return edges_of(hexes, ends);
}

std::vector<EdgeUse> edge_uses(std::span<const Triangle> triangles) {
  struct Half {
    Edge edge;
    int triangle;
    bool forward;
  };
  std::vector<Half> halves;
  halves.reserve(triangles.size() * 3);
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      halves.push_back({{std::min(a, b), std::max(a, b)}, static_cast<int>(t), a < b});
    }
  std::stable_sort(halves.begin(), halves.end(),
                   [](const Half& a, const Half& b) { return a.edge < b.edge; });
  std::vector<EdgeUse> uses;
  for (const Half& h : halves) {
    if (uses.empty() || uses.back().edge != h.edge) uses.push_back({.edge = h.edge});
    EdgeUse& use = uses.back();
    if (use.uses() < 2) use.triangles[use.uses()] = h.triangle;
    ++(h.forward ? use.forward : use.backward);
  }
  return uses;
}

std::vector<std::array<int, 3>> triangle_neighbours(std::span<const Triangle> triangles) {
  std::vector<std::array<int, 3>> neighbours(triangles.size(), {-1, -1, -1});
  const auto slot = [&](int t, const Edge& e) -> int& {
    for (int k = 0; k < 2; ++k) {
      const int a = triangles[t][k], b = triangles[t][k + 1];
      if (std::min(a, b) == e[0] && std::max(a, b) == e[1]) return neighbours[t][k];
    }
    return neighbours[t][2];
  };
  for (const EdgeUse& use : edge_uses(triangles)) {
    if (use.uses() != 2) continue;
    const auto [a, b] = use.triangles;
    slot(a, use.edge) = b;
    slot(b, use.edge) = a;
  }
  return neighbours;
}

std::vector<std::vector<int>> boundary_loops(std::span<const Triangle> triangles) {
  std::vector<Edge> rim;  // directed, in the sense of the only triangle
  for (const EdgeUse& use : edge_uses(triangles)) {
    if (use.uses() != 1) continue;
    rim.push_back(use.forward == 0 ? Edge{use.edge[1], use.edge[0]} : use.edge);
  }
  std::sort(rim.begin(), rim.end());
  std::vector<char> taken(rim.size(), 0);
  std::vector<std::vector<int>> loops;
  for (size_t first = 0; first < rim.size(); ++first) {
    if (taken[first]) continue;
    std::vector<int> loop;
    size_t at = first;
    while (at < rim.size() && !taken[at]) {
      taken[at] = 1;
      loop.push_back(rim[at][0]);
      // The next free rim edge that starts where this one ends. Where rims touch in a vertex any of them will
      // do.
      at = static_cast<size_t>(std::lower_bound(rim.begin(), rim.end(), Edge{rim[at][1], -1}) - rim.begin());
      const int from = at < rim.size() ? rim[at][0] : -1;
      while (at < rim.size() && rim[at][0] == from && taken[at]) ++at;
      if (at < rim.size() && rim[at][0] != from) break;
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

Components connected_components(std::span<const Edge> edges) { return components_of(edges); }
Components connected_components(std::span<const Triangle> triangles) { return components_of(triangles); }
Components connected_components(std::span<const Tet> tets) { return components_of(tets); }
Components connected_components(std::span<const Hex> hexes) { return components_of(hexes); }

std::vector<int> nodes_used(std::span<const Triangle> triangles) { return used(triangles); }
std::vector<int> nodes_used(std::span<const Tet> tets) { return used(tets); }
std::vector<int> nodes_used(std::span<const Hex> hexes) { return used(hexes); }

std::vector<int> drop_unused_nodes(TriMesh& mesh) { return compact(mesh.nodes, mesh.triangles); }
std::vector<int> drop_unused_nodes(TetMesh& mesh) { return compact(mesh.nodes, mesh.tets); }
std::vector<int> drop_unused_nodes(HexMesh& mesh) { return compact(mesh.nodes, mesh.hexes); }

std::vector<int> nodes_in_box(std::span<const Vec3> nodes, const Vec3& low, const Vec3& high) {
  std::vector<int> out;
  for (size_t n = 0; n < nodes.size(); ++n)
    if ((nodes[n].array() >= low.array()).all() && (nodes[n].array() <= high.array()).all())
      out.push_back(static_cast<int>(n));
  return out;
}

int euler_characteristic(std::span<const Triangle> triangles) {
  return static_cast<int>(nodes_used(triangles).size()) - static_cast<int>(unique_edges(triangles).size()) +
         static_cast<int>(triangles.size());
}

double tet_volume(std::span<const Vec3> nodes, const Tet& t) {
  const Vec3 a = nodes[t[1]] - nodes[t[0]], b = nodes[t[2]] - nodes[t[0]], c = nodes[t[3]] - nodes[t[0]];
  return a.cross(b).dot(c) / 6.0;
}

double hex_volume(std::span<const Vec3> nodes, const Hex& hex) {
  const double g = 1.0 / std::sqrt(3.0);
  constexpr int sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  double sum = 0;
  for (const auto& at : sign) {
    Mat3 jacobian = Mat3::Zero();
    for (int c = 0; c < 8; ++c) {
      const double fx = 1 + g * at[0] * sign[c][0], fy = 1 + g * at[1] * sign[c][1],
                   fz = 1 + g * at[2] * sign[c][2];
      jacobian += nodes[hex[c]] *
                  Vec3(sign[c][0] * fy * fz, sign[c][1] * fx * fz, sign[c][2] * fx * fy).transpose() / 8;
    }
    sum += jacobian.determinant();
  }
  return sum;
}

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (const Tet& t : mesh.tets) sum += tet_volume(mesh.nodes, t);
  return sum;
}

double volume(const HexMesh& mesh) {
  double sum = 0;
  for (const Hex& h : mesh.hexes) sum += hex_volume(mesh.nodes, h);
  return sum;
}

double enclosed_volume(const TriMesh& mesh) {
  if (mesh.triangles.empty()) return 0;
  // About one of the surface's own corners: a far-away origin would cost digits.
  const Vec3 origin = mesh.nodes[mesh.triangles[0][0]];
  double sum = 0;
  for (const Triangle& t : mesh.triangles)
    sum += (mesh.nodes[t[0]] - origin).cross(mesh.nodes[t[1]] - origin).dot(mesh.nodes[t[2]] - origin);
  return sum / 6.0;
}

double area(const TriMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles)
    sum += (mesh.nodes[t[1]] - mesh.nodes[t[0]]).cross(mesh.nodes[t[2]] - mesh.nodes[t[0]]).norm();
  return sum / 2.0;
}

Orientation orientation(const TriMesh& mesh) {
  bool open = false;
  for (const EdgeUse& use : edge_uses(mesh.triangles)) {
    if (use.uses() == 1)
      open = true;
    else if (!use.regular())
      return Orientation::inconsistent;
  }
  if (open || mesh.triangles.empty()) return Orientation::open;
  return enclosed_volume(mesh) > 0 ? Orientation::outward : Orientation::inward;
}

}  // namespace palp
