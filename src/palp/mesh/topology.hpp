// What a mesh is made of: its skin, edges, neighbours, loops, parts, volume. Everything here takes indices
// for granted: a mesh from outside goes through check_mesh (quality.hpp) first.
#pragma once
#include <span>
#include <vector>

#include "palp/mesh/meshes.hpp"

namespace palp {

/// The skin of a volume mesh: triangles seen counter-clockwise from outside, on the nodes they use only.
struct Surface {
  TriMesh mesh;
  std::vector<int> node_of_vertex;  ///< vertex of the skin → node of the volume mesh; ascending
};
/// Faces that belong to one element only. A hex's quad is cut by the diagonal through its smallest node, so
/// that the skin is the same as that of split_hexes(mesh).
Surface extract_surface(const TetMesh& mesh);
Surface extract_surface(const HexMesh& mesh);

/// Every edge once, smaller node first, in ascending order.
std::vector<Edge> unique_edges(std::span<const Triangle> triangles);
std::vector<Edge> unique_edges(std::span<const Tet> tets);
std::vector<Edge> unique_edges(std::span<const Hex> hexes);

/// An edge of a triangle surface and the triangles that use it.
struct EdgeUse {
  Edge edge;                             ///< smaller node first
  int forward = 0;                       ///< how many triangles run along it from smaller to larger node
  int backward = 0;                      ///< how many run against it
  std::array<int, 2> triangles{-1, -1};  ///< the first two of them
  int uses() const { return forward + backward; }
  /// Two triangles that run in opposite senses.
  bool regular() const { return forward == 1 && backward == 1; }
};
/// In the order of unique_edges.
std::vector<EdgeUse> edge_uses(std::span<const Triangle> triangles);

/// neighbour[t][k]: the triangle across the edge from vertex k to vertex k+1 of triangle t; −1 where there is
/// none or more than one (open or non-manifold edge).
std::vector<std::array<int, 3>> triangle_neighbours(std::span<const Triangle> triangles);

/// The rims of an open surface, each a cycle of vertices in the sense in which its triangles run. Empty for a
/// closed one.
std::vector<std::vector<int>> boundary_loops(std::span<const Triangle> triangles);

/// Parts that share no node.
struct Components {
  int count = 0;
  std::vector<int> of_element;
};
Components connected_components(std::span<const Edge> edges);
Components connected_components(std::span<const Triangle> triangles);
Components connected_components(std::span<const Tet> tets);
Components connected_components(std::span<const Hex> hexes);

/// Nodes that some element uses, ascending.
std::vector<int> nodes_used(std::span<const Triangle> triangles);
std::vector<int> nodes_used(std::span<const Tet> tets);
std::vector<int> nodes_used(std::span<const Hex> hexes);

/// Renumbers a mesh without the nodes that no element uses; returns the old number of each node that stays.
std::vector<int> drop_unused_nodes(TriMesh& mesh);
std::vector<int> drop_unused_nodes(TetMesh& mesh);
std::vector<int> drop_unused_nodes(HexMesh& mesh);

/// Nodes inside a box, borders included: the ends of a bar, the handle of a clip.
std::vector<int> nodes_in_box(std::span<const Vec3> nodes, const Vec3& low, const Vec3& high);

/// Corners minus edges plus triangles: 2 for a sphere, 0 for a torus, 2 − 2g for g holes.
int euler_characteristic(std::span<const Triangle> triangles);

/// Signed; positive for the node order of meshes.hpp.
double tet_volume(std::span<const Vec3> nodes, const Tet& tet);
/// Exact volume of the trilinear hex (the Jacobian is a polynomial that 2×2×2 Gauss points integrate
/// exactly).
double hex_volume(std::span<const Vec3> nodes, const Hex& hex);
double volume(const TetMesh& mesh);
double volume(const HexMesh& mesh);
/// By the divergence theorem; positive for a closed surface whose normals point outwards.
double enclosed_volume(const TriMesh& mesh);
double area(const TriMesh& mesh);

enum class Orientation {
  outward,       ///< closed, consistent, encloses a positive volume
  inward,        ///< closed and consistent, but inside out
  open,          ///< has a rim
  inconsistent,  ///< neighbours disagree, or an edge has three triangles or more
};
/// Of the surface as a whole; a part that hangs in another one's hollow may well be inside out.
Orientation orientation(const TriMesh& mesh);

}  // namespace palp
