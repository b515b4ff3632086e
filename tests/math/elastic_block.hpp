// A block of linear elastic tetrahedra and contacts on its top face: the workload of the compliance tests and
// benchmarks. Deliberately small and independent of the engine's own meshes and body models.
#pragma once
#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include "palp/math/block_symmetric.hpp"
#include "palp/math/point_jacobian.hpp"

namespace palp::testing_support {

struct ElasticBlock {
  std::array<int, 3> nodes{5, 5, 5};  ///< along x, y, z; 1 cm apart
  std::vector<Vec3> position;
  std::vector<int> tets;  ///< four per tet
  BlockSymmetric A;       ///< M/h² + K, lower triangle

  int node(int i, int j, int k) const { return (k * nodes[1] + j) * nodes[0] + i; }
  int blocks() const { return nodes[0] * nodes[1] * nodes[2]; }
};

/// Adds the stiffness of one linear tet (constant strain) and its lumped mass over h² to A.
inline void add_tet(ElasticBlock& block, const int* t, double young_Pa, double mass_term) {
  const double nu = 0.4, lambda = young_Pa * nu / ((1 + nu) * (1 - 2 * nu)), mu = young_Pa / (2 * (1 + nu));
  Mat3 D;
  for (int a = 0; a < 3; ++a) D.col(a) = block.position[t[a + 1]] - block.position[t[0]];
  const double volume = std::abs(D.determinant()) / 6;
  const Mat3 inverse = D.inverse();
  std::array<Vec3, 4> g;  // gradients of the shape functions
  for (int a = 0; a < 3; ++a) g[a + 1] = inverse.row(a).transpose();
  g[0] = -g[1] - g[2] - g[3];
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      if (t[a] < t[b]) continue;
      Mat3 K = volume * (lambda * g[a] * g[b].transpose() + mu * g[b] * g[a].transpose() +
                         mu * g[a].dot(g[b]) * Mat3::Identity());
      if (a == b) K += volume / 4 * mass_term * Mat3::Identity();
      const auto begin = block.A.row.begin() + block.A.start[t[b]],
                 end = block.A.row.begin() + block.A.start[t[b] + 1];
      block.A.value[std::lower_bound(begin, end, t[a]) - block.A.row.begin()] += K;
    }
}

/// Nodes are jittered a little (mesh irregularity) by `seed`; the pattern is the same for every seed.
inline ElasticBlock elastic_block(int nx, int ny, int nz, int seed = 1, double young_Pa = 2e4) {
  ElasticBlock block;
  block.nodes = {nx, ny, nz};
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> jitter(-0.001, 0.001);
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        block.position.push_back(Vec3(0.01 * i, 0.01 * j, 0.01 * k) +
                                 Vec3(jitter(random), jitter(random), jitter(random)));
  const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int k = 0; k + 1 < nz; ++k)
    for (int j = 0; j + 1 < ny; ++j)
      for (int i = 0; i + 1 < nx; ++i)
        for (const auto& axes : path) {  // six tets along the diagonal of the cell
          std::array<int, 3> at{i, j, k};
          block.tets.push_back(block.node(at[0], at[1], at[2]));
          for (int axis : axes) {
            ++at[axis];
            block.tets.push_back(block.node(at[0], at[1], at[2]));
          }
        }
  block.A = block_pattern(block.blocks(), block.tets, 4);
  const double density = 1000, h = 0.02;
  for (size_t t = 0; t < block.tets.size(); t += 4)
    add_tet(block, &block.tets[t], young_Pa, density / (h * h));
  return block;
}

/// Contact points with random barycentric coordinates and frames on a patch of the top face of about as many
/// nodes as contacts (the whole face when it is smaller).
inline PointJacobian top_contacts(const ElasticBlock& block, int contacts, int seed = 7) {
  const int side = std::max(2, static_cast<int>(std::lround(std::sqrt(double(contacts)))));
  const int nx = std::min(side, block.nodes[0]), ny = std::min(side, block.nodes[1]),
            top = block.nodes[2] - 1;
  const int i0 = (block.nodes[0] - nx) / 2, j0 = (block.nodes[1] - ny) / 2;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  PointJacobian H;
  for (int c = 0; c < contacts; ++c) {
    const int i = i0 + std::min(nx - 2, int(unit(random) * (nx - 1))),
              j = j0 + std::min(ny - 2, int(unit(random) * (ny - 1)));
    const int corner[3] = {block.node(i, j, top), block.node(i + 1, j + 1, top),
                           unit(random) < 0.5 ? block.node(i + 1, j, top) : block.node(i, j + 1, top)};
    double u = unit(random), v = unit(random);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const double weight[3] = {1 - u - v, u, v};
    const Mat3 frame =
        Quat(unit(random), unit(random), unit(random), unit(random)).normalized().toRotationMatrix();
    for (int a = 0; a < 3; ++a) H.add(corner[a], weight[a] * frame);
    H.end_point();
  }
  return H;
}

/// The distinct blocks that H touches, ascending.
inline std::vector<int> touched_blocks(const PointJacobian& H) {
  std::vector<int> blocks = H.column;
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

}  // namespace palp::testing_support
