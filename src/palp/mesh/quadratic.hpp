// Quadratic tets from linear ones: a node in the middle of every edge, numbered after the corners, which keep
// their numbers. With barycentric coordinates λ the shape functions are
//     corner i: λ_i (2λ_i − 1),      edge ij: 4 λ_i λ_j.
#pragma once
#include <span>
#include <vector>

#include "palp/mesh/embedding.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {

/// Corners 0-3 as in Tet, then the middles of the edges in the order of kTetEdges (VTK order).
using QuadraticTet = std::array<int, 10>;

/// Tets with quadratic displacements; their sides are straight at rest.
struct QuadraticTetMesh {
  std::vector<Vec3> nodes;
  std::vector<QuadraticTet> tets;
};

/// Corners of the edges of a tet, in the order of the middle nodes of QuadraticTet.
inline constexpr int kTetEdges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

QuadraticTetMesh quadratic(const TetMesh& mesh);

/// The skin: each face as four triangles through the middles of its edges.
Surface extract_surface(const QuadraticTetMesh& mesh);

/// Points embedded in the linear mesh, now in the quadratic one made from it. Beyond the border of an element
/// the weights go on linearly, as they did.
Embedding quadratic(const Embedding& linear, const QuadraticTetMesh& mesh);

/// As embed() does in a linear mesh (embedding.hpp).
Result<Embedding> embed(std::span<const Vec3> points, const QuadraticTetMesh& mesh);

/// A set of corner nodes together with the middles of the edges between them: what was fixed by its corners
/// stays fixed. Ascending.
std::vector<int> with_middle_nodes(std::span<const int> corners, const QuadraticTetMesh& mesh);
/// The same of the tets alone, with the number of nodes.
std::vector<int> with_middle_nodes(std::span<const int> corners, std::span<const QuadraticTet> tets,
                                   size_t nodes);

}  // namespace palp
