#include "palp/proximity/touch_surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace palp {

TouchTopology TouchTopology::make(int vertices, std::span<const Triangle> triangles,
                                  std::span<const Edge> segments) {
  TouchTopology t;
  t.vertices = vertices;
  t.triangles.assign(triangles.begin(), triangles.end());

  std::vector<bool> vertex_owned(vertices, false);
  const auto own_vertex = [&](Primitive& primitive, int slot, int vertex) {
    primitive.vertex[slot] = vertex;
    if (!vertex_owned[vertex]) primitive.owned_vertex[slot] = vertex;
    vertex_owned[vertex] = true;
  };
  std::map<Edge, int> edge_of;
  for (int f = 0; f < static_cast<int>(triangles.size()); ++f) {
    Primitive primitive;
    primitive.triangle = f;
    for (int k = 0; k < 3; ++k) {
      own_vertex(primitive, k, triangles[f][k]);
      const Edge edge{std::min(triangles[f][k], triangles[f][(k + 1) % 3]),
                      std::max(triangles[f][k], triangles[f][(k + 1) % 3])};
      const auto [found, fresh] = edge_of.try_emplace(edge, static_cast<int>(t.edges.size()));
      if (fresh) {
        t.edges.push_back(edge);
        t.edge_face.push_back({f, -1});
        t.edge_apex.push_back({triangles[f][(k + 2) % 3], -1});
        primitive.owned_edge[k] = found->second;
      } else {
        t.edge_face[found->second][1] = f;
        t.edge_apex[found->second][1] = triangles[f][(k + 2) % 3];
      }
    }
    t.primitives.push_back(primitive);
  }
  for (const Edge& segment : segments) {
    Primitive primitive;
    primitive.edge = static_cast<int>(t.edges.size());
    primitive.owned_edge[0] = primitive.edge;
    t.edges.push_back(segment);
    t.edge_face.push_back({-1, -1});
    t.edge_apex.push_back({-1, -1});
    for (int k = 0; k < 2; ++k) own_vertex(primitive, k, segment[k]);
    t.primitives.push_back(primitive);
  }
  if (triangles.empty() && segments.empty())
    for (int v = 0; v < vertices; ++v) {
      Primitive primitive;
      own_vertex(primitive, 0, v);
      t.primitives.push_back(primitive);
    }

  t.neighbour_start.assign(vertices + 1, 0);
  for (const Edge& e : t.edges) {
    ++t.neighbour_start[e[0] + 1];
    ++t.neighbour_start[e[1] + 1];
  }
  for (int v = 0; v < vertices; ++v) t.neighbour_start[v + 1] += t.neighbour_start[v];
  t.neighbour.resize(t.neighbour_start[vertices]);
  std::vector<int> next(t.neighbour_start.begin(), t.neighbour_start.end() - 1);
  for (const Edge& e : t.edges) {
    t.neighbour[next[e[0]]++] = e[1];
    t.neighbour[next[e[1]]++] = e[0];
  }

  t.ring_start.assign(vertices + 1, 0);
  for (const Triangle& f : t.triangles)
    for (int v : f) ++t.ring_start[v + 1];
  for (int v = 0; v < vertices; ++v) t.ring_start[v + 1] += t.ring_start[v];
  t.ring.resize(t.ring_start[vertices]);
  next.assign(t.ring_start.begin(), t.ring_start.end() - 1);
  for (int f = 0; f < static_cast<int>(t.triangles.size()); ++f)
    for (int v : t.triangles[f]) t.ring[next[v]++] = f;
  return t;
}

TouchSurface::TouchSurface(TouchTopology topology) : topology_(std::move(topology)) {
  start_.resize(topology_.vertices);
  free_.resize(topology_.vertices);
  face_normal_.resize(topology_.triangles.size());
  vertex_normal_.resize(topology_.vertices);
  edge_cosine_.resize(topology_.edges.size());
  smooth_normal_.resize(topology_.ring.size());
  vertex_box_.resize(topology_.vertices);
  box_.resize(topology_.primitives.size());
  const auto all = [](size_t n, std::vector<int>& out) {
    out.resize(n);
    std::iota(out.begin(), out.end(), 0);
  };
  all(topology_.primitives.size(), seen_.primitives);
  all(topology_.vertices, seen_.vertices);
  all(topology_.triangles.size(), seen_.faces);
  all(topology_.edges.size(), seen_.edges);
  seen_.has_vertex.assign(topology_.vertices, 1);
  seen_.has_face.assign(topology_.triangles.size(), 1);
  seen_.has_edge.assign(topology_.edges.size(), 1);
}

void TouchSurface::focus(std::span<const int> primitives) {
  const auto add = [](int i, std::vector<char>& has, std::vector<int>& all) {
    if (i >= 0 && !std::exchange(has[i], 1)) all.push_back(i);
  };
  for (int v : seen_.vertices) seen_.has_vertex[v] = 0;
  for (int f : seen_.faces) seen_.has_face[f] = 0;
  for (int e : seen_.edges) seen_.has_edge[e] = 0;
  seen_.vertices.clear();
  seen_.faces.clear();
  seen_.edges.clear();
  seen_.primitives.assign(primitives.begin(), primitives.end());
  const TouchTopology& t = topology_;
  for (int p : primitives)
    for (int v : t.primitives[p].vertex) add(v, seen_.has_vertex, seen_.vertices);
  // Normals of vertices need the faces around them, those of edges the faces beside them.
  const size_t inner = seen_.vertices.size();
  for (size_t i = 0; i < inner; ++i) {
    const int v = seen_.vertices[i];
    for (int k = t.ring_start[v]; k < t.ring_start[v + 1]; ++k) add(t.ring[k], seen_.has_face, seen_.faces);
    for (int k = t.neighbour_start[v]; k < t.neighbour_start[v + 1]; ++k)
      add(t.neighbour[k], seen_.has_vertex, seen_.vertices);
  }
  for (int p : primitives)
    for (int e : t.primitives[p].owned_edge) add(e, seen_.has_edge, seen_.edges);
  std::sort(seen_.faces.begin(), seen_.faces.end());  // sums are taken in their order
  built_ = false;
}

void TouchSurface::update(std::span<const Vec3> start, std::span<const Vec3> free) {
  for (int v : seen_.vertices) start_[v] = start[v], free_[v] = free[v];
  for (int v : seen_.vertices) {
    vertex_normal_[v].setZero();
    for (int k = topology_.ring_start[v]; k < topology_.ring_start[v + 1]; ++k) smooth_normal_[k].setZero();
  }
  for (int f : seen_.faces) {
    const auto& [a, b, c] = topology_.triangles[f];
    const Vec3 area = (start_[b] - start_[a]).cross(start_[c] - start_[a]);
    const double norm = area.norm();
    face_normal_[f] = norm > 0 ? Vec3(area / norm) : Vec3(Vec3::Zero());
    vertex_normal_[a] += area;
    vertex_normal_[b] += area;
    vertex_normal_[c] += area;
  }
  for (int v : seen_.vertices) {
    const double norm = vertex_normal_[v].norm();
    if (norm > 0) vertex_normal_[v] /= norm;
  }
  for (int e : seen_.edges) {
    const auto& [f, g] = topology_.edge_face[e];
    edge_cosine_[e] = f >= 0 && g >= 0 ? face_normal_[f].dot(face_normal_[g]) : -1.0;
  }
  double longest = 0;
  for (int v : seen_.vertices) longest = std::max(longest, (free_[v] - start_[v]).squaredNorm());
  largest_motion_ = std::sqrt(longest);
  for (int v : seen_.vertices) {
    vertex_box_[v] = Box::empty();
    vertex_box_[v].grow(start_[v]);
    vertex_box_[v].grow(free_[v]);
  }
  for (int p : seen_.primitives) {
    box_[p] = Box::empty();
    for (int v : topology_.primitives[p].vertex)
      if (v >= 0) box_[p].grow(vertex_box_[v]);
  }
  if (built_) return tree_.refit(box_);
  tree_.build(box_, seen_.primitives);
  built_ = true;
}

Vec3 TouchSurface::edge_normal(int edge) const {
  Vec3 sum = Vec3::Zero();
  for (int f : topology_.edge_face[edge])
    if (f >= 0) sum += face_normal_[f];
  return sum;
}

Vec3 TouchSurface::pseudo_normal(int vertex) const { return pseudo_normal(vertex, {}, 0); }

const Vec3& TouchSurface::smooth_normal(int vertex, int group) const {
  Vec3& normal = smooth_normal_[group];
  if (normal.isZero(0)) normal = pseudo_normal(vertex, at_rest.smooth_group, group).normalized();
  return normal;
}

Vec3 TouchSurface::pseudo_normal(int vertex, std::span<const int> smooth_group, int group) const {
  Vec3 sum = Vec3::Zero();
  for (int k = topology_.ring_start[vertex]; k < topology_.ring_start[vertex + 1]; ++k) {
    if (!smooth_group.empty() && smooth_group[k] != group) continue;
    const int f = topology_.ring[k];
    const Triangle& t = topology_.triangles[f];
    const int i = t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
    const Vec3 a = start_[t[(i + 1) % 3]] - start_[vertex], b = start_[t[(i + 2) % 3]] - start_[vertex];
    sum += std::atan2(a.cross(b).norm(), a.dot(b)) * face_normal_[f];
  }
  return sum;
}

}  // namespace palp
