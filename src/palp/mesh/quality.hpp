// Is this mesh fit for simulation? Finds what is wrong, says where (element or node numbers, 0-based) and
// what to do. Takes any input: indices out of range, NaN, empty meshes. Nothing else in the library has to.
//
// Quality of an element, 1 = ideal, 0 = flat, negative = inverted:
//   tet       12 (3V)^(2/3) / Σ l²   (mean ratio)
//   hex       smallest scaled Jacobian of the eight corners
//   triangle  4 √3 A / Σ l²
#pragma once
#include <span>
#include <string>
#include <vector>

#include "palp/mesh/meshes.hpp"

namespace palp {

enum class Defect {
  empty,                ///< no nodes or no elements
  not_finite,           ///< nodes with NaN or infinite coordinates
  index_out_of_range,   ///< elements that name nodes that do not exist
  repeated_node,        ///< elements that use a node twice
  inverted,             ///< elements of negative volume
  degenerate,           ///< elements of (nearly) no volume, area or length
  duplicate_element,    ///< elements on the same nodes as another one
  duplicate_node,       ///< nodes at the same place as another one
  unused_node,          ///< nodes of no element
  open_edge,            ///< triangles at a rim of the surface
  non_manifold_edge,    ///< triangles at an edge with three triangles or more
  non_manifold_vertex,  ///< nodes where sheets of the surface touch in a point
  orientation,          ///< triangles that run the other way than a neighbour
  inside_out,           ///< the closed surface's normals point inwards
  several_parts,        ///< parts that share no node
  suspicious_units,     ///< too large or too small for metres
};
const char* name(Defect defect);

struct QualityLimits {
  double degenerate_quality = 1e-3;  ///< an element at or below this is degenerate
  double duplicate_node_distance =
      1e-9;                  ///< nodes closer than this share of the bounding box's diagonal are one
  double largest_m = 100;    ///< a larger bounding box diagonal is suspicious
  double smallest_m = 1e-4;  ///< a smaller one too
};

struct Finding {
  Defect defect;
  bool fatal = false;      ///< the mesh cannot be simulated as it is
  bool of_nodes = false;   ///< `items` are node numbers, otherwise element numbers
  std::vector<int> items;  ///< ascending; all of them
  std::string message;     ///< one line: what, how many, the first few numbers
  std::string remedy;
};

struct MeshReport {
  std::string kind;  ///< "tet mesh", "hex mesh", "surface", "curve"
  size_t nodes = 0, elements = 0;
  double diagonal_m = 0;  ///< of the bounding box of the finite nodes
  double worst_quality = 1, mean_quality = 1;
  int worst_element = -1;
  std::vector<Finding> findings = {};

  bool ok() const;  ///< nothing fatal
  const Finding* find(Defect defect) const;
  std::string text() const;  ///< readable, several lines
};

MeshReport check_mesh(const TetMesh& mesh, const QualityLimits& limits = {});
MeshReport check_mesh(const HexMesh& mesh, const QualityLimits& limits = {});
/// `closed`: whether rims are a defect (a body's skin) or allowed (a sheet).
MeshReport check_mesh(const TriMesh& mesh, bool closed = true, const QualityLimits& limits = {});
MeshReport check_mesh(const Curve& curve, const QualityLimits& limits = {});

double tet_quality(std::span<const Vec3> nodes, const Tet& tet);
double hex_quality(std::span<const Vec3> nodes, const Hex& hex);
double triangle_quality(std::span<const Vec3> nodes, const Triangle& triangle);

}  // namespace palp
