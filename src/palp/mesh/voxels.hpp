// A deformable body from a closed surface alone: the surface is laid in a lattice of boxes, and the boxes
// that hold material become finite elements that carry the surface. Each counts with what of it is enclosed
// (cell_moments.hpp), and with its own nodes where pieces are not connected (cut_hexes.hpp), so that the body
// weighs and bends like the part.
//
// The lattice lies in the part's own axes (part_axes.hpp) and fits its bounding box there. Unless a number of
// cells is asked for, there are six cells through the thinnest walls, if the budget allows; cells are longer
// along axes across which the part is thicker, up to three times, and where the budget is short up to ten.
#pragma once
#include <limits>

#include "palp/base/result.hpp"
#include "palp/mesh/cell_fill.hpp"
#include "palp/mesh/embedding.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

struct VoxelOptions {
  double cell_m = 0;     ///< longest edge of a cell; 0 = chosen
  int wanted_cells = 0;  ///< about so many when cell_m is 0; 0 = by the walls, within the next two
  int least_cells = 1000, most_cells = 4000;
  double finer = 1;  ///< cells per length, over what is chosen
};

/// The surface and the body made of it, side by side.
struct VoxelReport {
  double surface_volume_m3 = 0, volume_m3 = 0;
  Vec3 surface_centre_m = Vec3::Zero(), centre_m = Vec3::Zero();  ///< of gravity
  double surface_diagonal_m = 0;
  double thinnest_wall_m =
      std::numeric_limits<double>::infinity();                     ///< 2 % of the surface bound thinner walls
  double cells_through = std::numeric_limits<double>::infinity();  ///< the thinnest walls
  double askew_through = std::numeric_limits<double>::infinity();  ///< the same of walls askew in the lattice
  int cells = 0;
  int parts = 0;          ///< that share no node
  int doubled_cells = 0;  ///< cells that became several elements
  bool overlaps = false;  ///< the surface runs through itself: what it encloses twice counts once

  double volume_error() const { return volume_m3 / surface_volume_m3 - 1; }
  /// What a user should know; each with its remedy in the same line.
  std::vector<std::string> warnings() const;
};

struct VoxelHexes {
  HexMesh mesh;
  std::vector<CellFill> fill;  ///< [hexes]: what of it is material; empty: all
  Embedding embedding;         ///< of the surface's nodes
  Vec3 cell_m = Vec3::Zero();  ///< along the part's axes
  VoxelReport report;
};

struct VoxelTets {
  TetMesh mesh;  ///< each cell split in six, as if it were full
  Embedding embedding;
  Vec3 cell_m = Vec3::Zero();
  VoxelReport report;
};

/// The surface must be closed, consistently oriented and enclose a volume (it may be inside out, overlap
/// itself, have several parts or hollows).
Result<VoxelHexes> embed_in_voxel_hexes(const TriMesh& surface, const VoxelOptions& options = {});
Result<VoxelTets> embed_in_voxel_tets(const TriMesh& surface, const VoxelOptions& options = {});

}  // namespace palp
