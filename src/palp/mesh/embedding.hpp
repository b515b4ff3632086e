// A fine surface carried by a coarse volume mesh (D04 §III.B, K16): every vertex sits in an element,
//     p = Σ_k w_k x_k,   Σ_k w_k = 1,
// with barycentric weights in a tet and trilinear ones in a hex. A vertex outside the mesh is carried by the
// nearest element, its weights continued linearly beyond the element's border (some are negative). Either way
// the weights reproduce the vertex exactly, and hence any affine motion of the nodes.
#pragma once
#include <span>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

struct Embedding {
  int nodes_per_element = 0;      ///< 4, 8, or 10 (quadratic.hpp)
  std::vector<int> element;       ///< [vertices]
  std::vector<int> node;          ///< [vertices × nodes_per_element]
  std::vector<double> weight;     ///< [vertices × nodes_per_element]
  std::vector<int> extrapolated;  ///< vertices outside every element, ascending
  double farthest_m = 0;          ///< largest distance of such a vertex from its element

  int vertices() const { return static_cast<int>(element.size()); }
  std::span<const int> nodes_of(int vertex) const { return {&node[vertex * nodes_per_element], size()}; }
  std::span<const double> weights_of(int vertex) const {
    return {&weight[vertex * nodes_per_element], size()};
  }
  /// out[v] = Σ_k w_k nodes[node_k]: the surface that the moved nodes carry.
  void positions(std::span<const Vec3> nodes, std::span<Vec3> out) const;

 private:
  size_t size() const { return static_cast<size_t>(nodes_per_element); }
};

/// Errors: a mesh that check_mesh finds unfit, points that are not finite.
Result<Embedding> embed(std::span<const Vec3> points, const TetMesh& mesh);
Result<Embedding> embed(std::span<const Vec3> points, const HexMesh& mesh);

}  // namespace palp
