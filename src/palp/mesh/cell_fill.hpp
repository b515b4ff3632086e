// What of a hexahedron is material: points in the reference cube and their weights.
#pragma once
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

struct CellSample {
  Vec3 xi;            ///< in [−1, 1]³
  double weight = 0;  ///< of the volume in the reference cube, which is 8
};

/// Integrates over the part of a cell that is filled; empty: the cell is full.
using CellFill = std::vector<CellSample>;

}  // namespace palp
