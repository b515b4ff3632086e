// H, the map from degrees of freedom to points: three rows per point, made of 3×3 blocks (D06 eq. 8-14).
#pragma once
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

/// H: displacement of points in world axes as a function of Δx: δp_i = Σ_k block[k] Δx[3·column[k] …].
/// Block-compressed rows: point i owns entries start[i] … start[i+1].
struct PointJacobian {
  std::vector<int> start{0};
  std::vector<int> column;  ///< index of a block of three degrees of freedom
  std::vector<Mat3> block;

  int points() const { return static_cast<int>(start.size()) - 1; }
  void clear() {
    start.assign(1, 0);
    column.clear();
    block.clear();
  }
  /// Adds one entry to the point that is being written; repeated columns are allowed and add up.
  void add(int block_column, const Mat3& b) {
    column.push_back(block_column);
    block.push_back(b);
  }
  void end_point() { start.push_back(static_cast<int>(column.size())); }
};

}  // namespace palp
