#include "palp/mesh/embedding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "palp/mesh/lattice.hpp"
#include "palp/mesh/quality.hpp"
#include "palp/mesh/triangle_geometry.hpp"

namespace palp {
namespace {

constexpr double slack =
    1e-8;  // how far beyond its border, in local coordinates, an element still contains a point

/// Bounding boxes of elements in a binary tree: halves by the median along the longest side.
class ElementTree {
 public:
  template <size_t N>
  ElementTree(const std::vector<Vec3>& nodes, const std::vector<std::array<int, N>>& elements)
      : item_(elements.size()) {
    std::vector<Eigen::AlignedBox3d> boxes(elements.size());
    for (size_t e = 0; e < elements.size(); ++e)
      for (int n : elements[e]) boxes[e].extend(nodes[n]);
    std::iota(item_.begin(), item_.end(), 0);
    build(boxes, 0, static_cast<int>(item_.size()));
  }

  /// Calls visit(element) for all whose box, a little enlarged, contains p.
  template <class Visit>
  void containing(const Vec3& p, const Visit& visit, int at = 0) const {
    const Branch& branch = branch_[at];
    const double margin = 1e-6 * branch.box.diagonal().norm();
    if (branch.box.squaredExteriorDistance(p) > margin * margin) return;
    if (branch.right == 0) {
      for (int k = branch.begin; k < branch.end; ++k) visit(item_[k]);
      return;
    }
    containing(p, visit, at + 1);
    containing(p, visit, branch.right);
  }

  /// The element with the smallest squared_distance(element); of equals the one with the smallest number.
  template <class Distance>
  int nearest(const Vec3& p, const Distance& squared_distance) const {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    search(p, squared_distance, 0, best, least);
    return best;
  }

 private:
  struct Branch {
    Eigen::AlignedBox3d box;
    int begin = 0, end = 0;
    int right = 0;  ///< second child; the first follows directly. 0 = leaf
  };

  void build(const std::vector<Eigen::AlignedBox3d>& boxes, int begin, int end) {
    const size_t at = branch_.size();
    branch_.push_back({});
    Branch branch{{}, begin, end, 0};
    for (int k = begin; k < end; ++k) branch.box.extend(boxes[item_[k]]);
    if (end - begin > 4) {
      int axis;
      branch.box.diagonal().maxCoeff(&axis);
      const int middle = (begin + end) / 2;
      std::nth_element(item_.begin() + begin, item_.begin() + middle, item_.begin() + end, [&](int a, int b) {
        const double ca = boxes[a].center()[axis], cb = boxes[b].center()[axis];
        return ca != cb ? ca < cb : a < b;
      });
      build(boxes, begin, middle);
      branch.right = static_cast<int>(branch_.size());
      build(boxes, middle, end);
    }
    branch_[at] = branch;
  }

  template <class Distance>
  void search(const Vec3& p, const Distance& squared_distance, int at, int& best, double& least) const {
    const Branch& branch = branch_[at];
    if (branch.box.squaredExteriorDistance(p) > least) return;
    if (branch.right == 0) {
      for (int k = branch.begin; k < branch.end; ++k) {
        const double d = squared_distance(item_[k]);
        if (d > least || (d == least && best >= 0 && item_[k] > best)) continue;
        least = d;
        best = item_[k];
      }
      return;
    }
    const int left = at + 1, right = branch.right;
    const bool left_first =
        branch_[left].box.squaredExteriorDistance(p) <= branch_[right].box.squaredExteriorDistance(p);
    search(p, squared_distance, left_first ? left : right, best, least);
    search(p, squared_distance, left_first ? right : left, best, least);
  }

  std::vector<int> item_;
  std::vector<Branch> branch_;
};

/// Weights of a point in one element, and by how much the point lies beyond the element's border in local
/// coordinates.
template <size_t N>
struct Local {
  std::array<double, N> weight;
  double beyond;
};

Local<4> locate(const std::vector<Vec3>& x, const Tet& tet, const Vec3& p) {
  Mat3 edges;
  edges << x[tet[1]] - x[tet[0]], x[tet[2]] - x[tet[0]], x[tet[3]] - x[tet[0]];
  const Vec3 w = edges.partialPivLu().solve(p - x[tet[0]]);
  const double w0 = 1 - w.sum();
  return {{w0, w.x(), w.y(), w.z()}, -std::min(w0, w.minCoeff())};
}

/// Trilinear shape functions and their gradients at ξ in [−1, 1]³.
struct Trilinear {
  std::array<double, 8> value;
  std::array<Vec3, 8> gradient;
  explicit Trilinear(const Vec3& xi) {
    constexpr int s[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                             {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    for (int c = 0; c < 8; ++c) {
      const double fx = 1 + s[c][0] * xi.x(), fy = 1 + s[c][1] * xi.y(), fz = 1 + s[c][2] * xi.z();
      value[c] = fx * fy * fz / 8;
      gradient[c] = Vec3(s[c][0] * fy * fz, s[c][1] * fx * fz, s[c][2] * fx * fy) / 8;
    }
  }
  Vec3 point(const std::vector<Vec3>& x, const Hex& hex) const {
    Vec3 sum = Vec3::Zero();
    for (int c = 0; c < 8; ++c) sum += value[c] * x[hex[c]];
    return sum;
  }
  Mat3 jacobian(const std::vector<Vec3>& x, const Hex& hex) const {
    Mat3 sum = Mat3::Zero();
    for (int c = 0; c < 8; ++c) sum += x[hex[c]] * gradient[c].transpose();
    return sum;
  }
};

Local<8> locate(const std::vector<Vec3>& x, const Hex& hex, const Vec3& p) {
  // Newton on x(ξ) = p, kept inside the element: the last step is what is missing beyond the border.
  Vec3 xi = Vec3::Zero(), step = Vec3::Zero();
  for (int sweep = 0; sweep < 30; ++sweep) {
    const Trilinear shape(xi);
    step = shape.jacobian(x, hex).partialPivLu().solve(p - shape.point(x, hex));
    if (!step.allFinite()) step.setZero();
    const Vec3 next = (xi + step).cwiseMax(-1.0).cwiseMin(1.0);
    const bool still = (next - xi).cwiseAbs().maxCoeff() < 1e-13;
    xi = next;
    if (still) break;
  }
  // First order from there: the weights sum to one and reproduce p exactly, wherever Newton stopped.
  const Trilinear shape(xi);
  step = shape.jacobian(x, hex).partialPivLu().solve(p - shape.point(x, hex));
  Local<8> local;
  for (int c = 0; c < 8; ++c) local.weight[c] = shape.value[c] + shape.gradient[c].dot(step);
  local.beyond = std::max(0.0, step.cwiseAbs().maxCoeff());
  return local;
}

double squared_distance(const std::vector<Vec3>& x, const Tet& t, const Vec3& p) {
  constexpr int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : face)
    least = std::min(least, (nearest_on_triangle(p, x[t[a]], x[t[b]], x[t[c]]) - p).squaredNorm());
  return least;
}

double squared_distance(const std::vector<Vec3>& x, const Hex& h, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c, d] : hex_faces) {
    least = std::min(least, (nearest_on_triangle(p, x[h[a]], x[h[b]], x[h[c]]) - p).squaredNorm());
    least = std::min(least, (nearest_on_triangle(p, x[h[a]], x[h[c]], x[h[d]]) - p).squaredNorm());
  }
  return least;
}

template <size_t N>
Result<Embedding> embed_points(std::span<const Vec3> points, const std::vector<Vec3>& nodes,
                               const std::vector<std::array<int, N>>& elements, const MeshReport& report) {
  for (const Finding& f : report.findings)
    if (f.fatal)
      return Error{.message = "embedding: the volume mesh is unfit: " + f.message, .remedy = f.remedy};
  for (size_t v = 0; v < points.size(); ++v)
    if (!points[v].allFinite())
      return Error{.message = "embedding: vertex " + std::to_string(v) + " of the surface is not finite"};

  const ElementTree tree(nodes, elements);
  Embedding out;
  out.nodes_per_element = N;
  out.element.reserve(points.size());
  out.node.reserve(points.size() * N);
  out.weight.reserve(points.size() * N);
  for (size_t v = 0; v < points.size(); ++v) {
    const Vec3& p = points[v];
    int home = -1;
    Local<N> local;
    tree.containing(p, [&](int e) {
      const Local<N> candidate = locate(nodes, elements[e], p);
      if (!(candidate.beyond <= slack)) return;
      // On a shared face several elements hold the point: the smallest number makes the choice repeatable.
      if (home >= 0 && e > home) return;
      home = e;
      local = candidate;
    });
    if (home < 0) {
      const auto distance = [&](int e) { return squared_distance(nodes, elements[e], p); };
      home = tree.nearest(p, distance);
      local = locate(nodes, elements[home], p);
      out.extrapolated.push_back(static_cast<int>(v));
      out.farthest_m = std::max(out.farthest_m, std::sqrt(distance(home)));
    }
    out.element.push_back(home);
    out.node.insert(out.node.end(), elements[home].begin(), elements[home].end());
    out.weight.insert(out.weight.end(), local.weight.begin(), local.weight.end());
  }
  return out;
}

}  // namespace

void Embedding::positions(std::span<const Vec3> nodes, std::span<Vec3> out) const {
  for (int v = 0; v < vertices(); ++v) {
    Vec3 p = Vec3::Zero();
    for (int k = v * nodes_per_element; k < (v + 1) * nodes_per_element; ++k) p += weight[k] * nodes[node[k]];
    out[v] = p;
  }
}

Result<Embedding> embed(std::span<const Vec3> points, const TetMesh& mesh) {
  return embed_points(points, mesh.nodes, mesh.tets, check_mesh(mesh));
}

Result<Embedding> embed(std::span<const Vec3> points, const HexMesh& mesh) {
  return embed_points(points, mesh.nodes, mesh.hexes, check_mesh(mesh));
}

}  // namespace palp
