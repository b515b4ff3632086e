#include "palp/mesh/quadratic.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace palp {
namespace {

/// The shape functions at λ; outside the tet, continued linearly from the nearest part of its border in λ.
std::array<double, 10> weights(std::span<const double> lambda) {
  std::array<double, 4> inside;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += inside[i] = std::max(lambda[i], 0.0);
  std::array<double, 4> step;
  for (int i = 0; i < 4; ++i) {
    inside[i] /= sum;
    step[i] = lambda[i] - inside[i];
  }
  std::array<double, 10> w;
  for (int i = 0; i < 4; ++i) w[i] = inside[i] * (2 * inside[i] - 1) + (4 * inside[i] - 1) * step[i];
  for (int e = 0; e < 6; ++e) {
    const auto [i, j] = kTetEdges[e];
    w[4 + e] = 4 * (inside[i] * inside[j] + inside[i] * step[j] + inside[j] * step[i]);
  }
  return w;
}

/// The same tets without their middle nodes; node numbers stay.
TetMesh corners(const QuadraticTetMesh& mesh) {
  TetMesh out{mesh.nodes, {}};
  out.tets.reserve(mesh.tets.size());
  for (const QuadraticTet& t : mesh.tets) out.tets.push_back({t[0], t[1], t[2], t[3]});
  return out;
}

}  // namespace

QuadraticTetMesh quadratic(const TetMesh& mesh) {
  const std::vector<Edge> edges = unique_edges(mesh.tets);
  QuadraticTetMesh out{mesh.nodes, {}};
  out.nodes.reserve(mesh.nodes.size() + edges.size());
  for (const auto& [a, b] : edges) out.nodes.push_back(0.5 * (mesh.nodes[a] + mesh.nodes[b]));
  out.tets.reserve(mesh.tets.size());
  for (const Tet& t : mesh.tets) {
    QuadraticTet q;
    std::copy(t.begin(), t.end(), q.begin());
    for (int e = 0; e < 6; ++e) {
      const int a = t[kTetEdges[e][0]], b = t[kTetEdges[e][1]];
      const auto at = std::lower_bound(edges.begin(), edges.end(), Edge{std::min(a, b), std::max(a, b)});
      q[4 + e] = static_cast<int>(mesh.nodes.size() + (at - edges.begin()));
    }
    out.tets.push_back(q);
  }
  return out;
}

Surface extract_surface(const QuadraticTetMesh& mesh) {
  std::map<Edge, int> middle;
  for (const QuadraticTet& t : mesh.tets)
    for (int e = 0; e < 6; ++e) {
      const int a = t[kTetEdges[e][0]], b = t[kTetEdges[e][1]];
      middle[{std::min(a, b), std::max(a, b)}] = t[4 + e];
    }
  const Surface faces = extract_surface(corners(mesh));
  Surface out{{mesh.nodes, {}}, {}};
  for (const Triangle& face : faces.mesh.triangles) {
    int corner[3], between[3];  // between[k]: on the edge from corner k to the next
    for (int k = 0; k < 3; ++k) corner[k] = faces.node_of_vertex[face[k]];
    for (int k = 0; k < 3; ++k) {
      const int a = corner[k], b = corner[(k + 1) % 3];
      between[k] = middle.at({std::min(a, b), std::max(a, b)});
    }
    for (int k = 0; k < 3; ++k) out.mesh.triangles.push_back({corner[k], between[k], between[(k + 2) % 3]});
    out.mesh.triangles.push_back({between[0], between[1], between[2]});
  }
  out.node_of_vertex = drop_unused_nodes(out.mesh);
  return out;
}

Embedding quadratic(const Embedding& linear, const QuadraticTetMesh& mesh) {
  Embedding out = linear;
  out.nodes_per_element = 10;
  out.node.clear();
  out.weight.clear();
  for (int v = 0; v < linear.vertices(); ++v) {
    const QuadraticTet& tet = mesh.tets[linear.element[v]];
    const auto w = weights(linear.weights_of(v));
    out.node.insert(out.node.end(), tet.begin(), tet.end());
    out.weight.insert(out.weight.end(), w.begin(), w.end());
  }
  return out;
}

Result<Embedding> embed(std::span<const Vec3> points, const QuadraticTetMesh& mesh) {
  TetMesh linear_mesh = corners(mesh);
  drop_unused_nodes(linear_mesh);
  auto linear = embed(points, linear_mesh);
  if (!linear) return linear.error();
  return quadratic(*linear, mesh);
}

std::vector<int> with_middle_nodes(std::span<const int> corners, const QuadraticTetMesh& mesh) {
  return with_middle_nodes(corners, mesh.tets, mesh.nodes.size());
}

std::vector<int> with_middle_nodes(std::span<const int> corners, std::span<const QuadraticTet> tets,
                                   size_t nodes) {
  std::vector<char> in(nodes, 0);
  for (int n : corners) in[n] = 1;
  for (const QuadraticTet& t : tets)
    for (int e = 0; e < 6; ++e)
      if (in[t[kTetEdges[e][0]]] && in[t[kTetEdges[e][1]]]) in[t[4 + e]] = 1;
  std::vector<int> out;
  for (size_t n = 0; n < in.size(); ++n)
    if (in[n]) out.push_back(static_cast<int>(n));
  return out;
}

}  // namespace palp
