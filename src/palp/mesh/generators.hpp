// Meshes of simple shapes, so that a scene or a test needs no file. Every shape is a struct of parameters
// (units in the names, sensible defaults); an impossible value is an error that names it. Solids come as
// hexahedra (`…_hexes`) or as tets (`…_tets`: the same nodes, every hex split in six).
#pragma once
#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

/// An axis-aligned box around `centre_m`.
struct BoxShape {
  Vec3 size_m = Vec3::Constant(0.1);
  Vec3 centre_m = Vec3::Zero();
  std::array<int, 3> cells{4, 4, 4};  ///< along x, y, z
};
Result<HexMesh> box_hexes(const BoxShape& shape);
Result<TetMesh> box_tets(const BoxShape& shape);

/// A bar from x = 0 to x = length, centred on the x axis: the cantilever of the books.
struct BarShape {
  double length_m = 0.1, width_m = 0.02, height_m = 0.02;  ///< along x, y, z
  int cells_along = 20, cells_wide = 4, cells_high = 4;
};
Result<HexMesh> bar_hexes(const BarShape& shape);
Result<TetMesh> bar_tets(const BarShape& shape);

}  // namespace palp
