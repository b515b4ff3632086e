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
  std::vector<int> vertex;  ///< [entries] the vertex of the body's skin that an entry belongs to; empty or
                            ///< −1: not said. Bodies that keep the compliance of their vertices say it; the
                            ///< blocks of a vertex are then its weights times one matrix.

  int points() const { return static_cast<int>(start.size()) - 1; }
  void clear() {
    start.assign(1, 0);
    column.clear();
    block.clear();
    vertex.clear();
  }
  /// Adds one entry to the point that is being written; repeated columns are allowed and add up.
  void add(int block_column, const Mat3& b) {
    column.push_back(block_column);
    block.push_back(b);
  }
  /// Entries from number `first` on belong to this vertex.
  void label(size_t first, int skin_vertex) {
    vertex.resize(first, -1);
    vertex.resize(column.size(), skin_vertex);
  }
  void end_point() { start.push_back(static_cast<int>(column.size())); }
};

}  // namespace palp
