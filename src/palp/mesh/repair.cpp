#include "palp/mesh/repair.hpp"

#include <algorithm>
#include <map>

#include "palp/mesh/disjoint_sets.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/triangle_geometry.hpp"

namespace palp {
namespace {

/// Joins nodes closer than `reach`: sorted along one axis, compared with those that follow within reach.
int weld(TriMesh& mesh, double reach) {
  std::vector<int> order(mesh.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return mesh.nodes[a].x() < mesh.nodes[b].x(); });
  DisjointSets same(mesh.nodes.size());
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j) {
      if (mesh.nodes[order[j]].x() - mesh.nodes[order[i]].x() > reach) break;
      if ((mesh.nodes[order[j]] - mesh.nodes[order[i]]).norm() <= reach) same.unite(order[i], order[j]);
    }
  int joined = 0;
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n) joined += same.find(n) != n;
  for (Triangle& t : mesh.triangles)
    for (int& n : t) n = same.find(n);
  return joined;
}

bool collapsed(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

/// A triangle with three corners in a line: its middle corner lies on the edge of the neighbour. That edge is
/// turned, so that the neighbour is split at the corner instead of being left with a crack.
int turn_edges(TriMesh& mesh, double thin) {
  int turned = 0;
  std::map<Edge, std::vector<int>> at_edge;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      at_edge[{std::min(a, b), std::max(a, b)}].push_back(t);
    }
  std::vector<char> touched(mesh.triangles.size(), 0);
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    if (touched[t]) continue;
    // The longest edge a → c, the corner b over it.
    Triangle& flat = mesh.triangles[t];
    int k = 0;
    const auto length = [&](int e) { return (mesh.nodes[flat[(e + 1) % 3]] - mesh.nodes[flat[e]]).norm(); };
    for (int e = 1; e < 3; ++e)
      if (length(e) > length(k)) k = e;
    const int c = flat[k], a = flat[(k + 1) % 3], b = flat[(k + 2) % 3];
    const double height =
        (mesh.nodes[a] - mesh.nodes[c]).cross(mesh.nodes[b] - mesh.nodes[c]).norm() / length(k);
    if (height > thin) continue;
    const auto& users = at_edge[{std::min(a, c), std::max(a, c)}];
    if (users.size() != 2) continue;
    const int u = users[0] == t ? users[1] : users[0];
    if (u == t || touched[u]) continue;
    Triangle& other = mesh.triangles[u];
    int d = -1;
    for (int n : other)
      if (n != a && n != c) d = n;
    if (d < 0 || d == b) continue;
    // The neighbour in its own sense, split at b.
    const auto with = [&](int from) {
      Triangle out = other;
      for (int& n : out)
        if (n == from) n = b;
      return out;
    };
    const Triangle first = with(a), second = with(c);
    other = first;
    flat = second;
    touched[t] = touched[u] = 1;
    ++turned;
  }
  return turned;
}

/// Of triangles with the same corners one is kept; two that look at each other enclose nothing: none.
int drop_duplicates(TriMesh& mesh) {
  std::map<Triangle, std::vector<int>> same;
  const auto even = [](const Triangle& t) {
    return (t[0] < t[1] && t[1] < t[2]) || (t[1] < t[2] && t[2] < t[0]) || (t[2] < t[0] && t[0] < t[1]);
  };
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    Triangle key = mesh.triangles[t];
    std::sort(key.begin(), key.end());
    same[key].push_back(t);
  }
  std::vector<char> drop(mesh.triangles.size(), 0);
  for (const auto& [key, list] : same) {
    if (list.size() < 2) continue;
    int balance = 0;
    for (int t : list) balance += even(mesh.triangles[t]) ? 1 : -1;
    bool kept = false;
    for (int t : list) {
      const bool keep = !kept && balance != 0 && even(mesh.triangles[t]) == (balance > 0);
      kept |= keep;
      drop[t] = !keep;
    }
  }
  std::vector<Triangle> left;
  for (size_t t = 0; t < drop.size(); ++t)
    if (!drop[t]) left.push_back(mesh.triangles[t]);
  const int dropped = static_cast<int>(mesh.triangles.size() - left.size());
  mesh.triangles = std::move(left);
  return dropped;
}

/// Makes neighbours across edges of two triangles run the same way; returns the part of each triangle.
std::vector<int> orient_parts(TriMesh& mesh, std::vector<char>& flipped) {
  std::map<Edge, std::vector<int>> at_edge;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      at_edge[{std::min(a, b), std::max(a, b)}].push_back(t);
    }
  const auto runs = [&](int t, int a, int b) {
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles[t][k] == a && mesh.triangles[t][(k + 1) % 3] == b) return true;
    return false;
  };
  std::vector<int> part(mesh.triangles.size(), -1), open;
  int parts = 0;
  for (int first = 0; first < static_cast<int>(part.size()); ++first) {
    if (part[first] >= 0) continue;
    part[first] = parts;
    open.push_back(first);
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (int k = 0; k < 3; ++k) {
        const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
        const auto& users = at_edge[{std::min(a, b), std::max(a, b)}];
        if (users.size() != 2) continue;
        const int u = users[0] == t ? users[1] : users[0];
        if (part[u] >= 0) continue;
        part[u] = parts;
        open.push_back(u);
        if (!runs(u, a, b)) continue;
        std::swap(mesh.triangles[u][1], mesh.triangles[u][2]);
        flipped[u] ^= 1;
      }
    }
    ++parts;
  }
  return part;
}

/// Turns every part outwards, hollows inwards.
void turn_parts(TriMesh& mesh, const std::vector<int>& part, std::vector<char>& flipped) {
  const int parts = part.empty() ? 0 : *std::max_element(part.begin(), part.end()) + 1;
  std::vector<TriMesh> piece(parts);
  for (size_t t = 0; t < part.size(); ++t) piece[part[t]].triangles.push_back(mesh.triangles[t]);
  for (TriMesh& p : piece) p.nodes = mesh.nodes;
  for (int i = 0; i < parts; ++i) {
    int around = 0;
    for (int j = 0; j < parts; ++j)
      if (j != i && boundary_loops(piece[j].triangles).empty())
        around += std::abs(winding_number(piece[j], mesh.nodes[piece[i].triangles[0][0]])) > 0.5;
    const bool outward = enclosed_volume(piece[i]) >= 0;
    if (outward == (around % 2 == 0)) continue;
    for (size_t t = 0; t < part.size(); ++t)
      if (part[t] == i) {
        std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
        flipped[t] ^= 1;
      }
  }
}

}  // namespace

Repaired repair(const TriMesh& surface, const RepairOptions& options) {
  Repaired out;
  out.mesh = surface;
  Eigen::AlignedBox3d box;
  for (const Vec3& p : surface.nodes) box.extend(p);
  const double diagonal = surface.nodes.empty() ? 0 : box.diagonal().norm();
  const double reach = options.weld_m >= 0 ? options.weld_m : 1e-6 * diagonal;
  out.welded_nodes = weld(out.mesh, reach);
  for (int round = 0; round < 20; ++round) {
    const int gone = static_cast<int>(std::erase_if(out.mesh.triangles, collapsed));
    const int turned = turn_edges(out.mesh, 1e-9 * diagonal);
    out.degenerate += gone + turned;
    if (gone + turned == 0) break;
  }
  out.duplicates = drop_duplicates(out.mesh);
  std::vector<char> flipped(out.mesh.triangles.size(), 0);
  const std::vector<int> part = orient_parts(out.mesh, flipped);
  turn_parts(out.mesh, part, flipped);
  out.flipped = static_cast<int>(std::count(flipped.begin(), flipped.end(), 1));
  drop_unused_nodes(out.mesh);
  for (const EdgeUse& use : edge_uses(out.mesh.triangles)) {
    out.open_edges += use.uses() == 1;
    out.knotted_edges += use.uses() > 2;
  }
  return out;
}

}  // namespace palp
