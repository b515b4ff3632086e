// Mends what files bring: nodes that lie on top of each other, triangles of no area, triangles given twice,
// neighbours that run in opposite senses, surfaces inside out. Shape stays: nothing is moved by more than the
// welding distance, no hole is closed.
#pragma once
#include "palp/mesh/meshes.hpp"

namespace palp {

struct RepairOptions {
  double weld_m = -1;  ///< nodes closer than this become one; negative: 1e-6 of the bounding box's diagonal
};

struct Repaired {
  TriMesh mesh;
  int welded_nodes = 0;
  int degenerate = 0;     ///< triangles without area that were dropped, or cut away by turning an edge
  int duplicates = 0;     ///< triangles dropped because another one has the same corners
  int flipped = 0;        ///< triangles whose sense was changed
  int open_edges = 0;     ///< what is left: edges of one triangle
  int knotted_edges = 0;  ///< and edges of three triangles or more
};

/// Indices must be in range and coordinates finite (check_mesh). A closed part that lies inside an odd number
/// of other parts is taken for a hollow: its normals point into it.
Repaired repair(const TriMesh& surface, const RepairOptions& options = {});

}  // namespace palp
