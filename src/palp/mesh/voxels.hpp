// A deformable body from a surface alone: the closed surface is laid in a grid of cubes, the cubes that touch
// it or its inside become finite elements, and the surface is embedded in them.
#pragma once
#include "palp/base/result.hpp"
#include "palp/mesh/embedding.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

struct VoxelOptions {
  double cell_m = 0;        ///< edge of a cube; 0 = chosen to make about wanted_cells cubes
  int wanted_cells = 1000;  ///< used when cell_m is 0
};

struct VoxelHexes {
  HexMesh mesh;
  Embedding embedding;  ///< of the surface's nodes
  double cell_m = 0;
};

struct VoxelTets {
  TetMesh mesh;  ///< each cube split in six
  Embedding embedding;
  double cell_m = 0;
};

/// The surface must be closed and consistently oriented (it may be inside out, overlap itself, have several
/// parts or hollows). A hollow stays empty when a cube fits in it. One connected surface gives one body
/// joined by whole faces.
Result<VoxelHexes> embed_in_voxel_hexes(const TriMesh& surface, const VoxelOptions& options = {});
Result<VoxelTets> embed_in_voxel_tets(const TriMesh& surface, const VoxelOptions& options = {});

}  // namespace palp
