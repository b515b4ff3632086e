// A symmetric matrix in 3×3 blocks with a fixed pattern: the system matrix A of a body, one block row per
// node.
#pragma once
#include <span>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

/// Lower triangle by block columns. Column j owns entries start[j] … start[j+1]; their rows ascend and the
/// first is j itself (the diagonal block is always there).
struct BlockSymmetric {
  std::vector<int> start{0};
  std::vector<int> row;
  std::vector<Mat3> value;

  int blocks() const { return static_cast<int>(start.size()) - 1; }
  void multiply_add(ConstVecRef x, VecRef y) const;  ///< y += A x, from the lower triangle
  MatX dense() const;                                ///< both triangles; for tests
};

/// The pattern in which every pair of blocks of every element is coupled; values zero.
/// `nodes_per_element` consecutive entries of `elements` make one element.
BlockSymmetric block_pattern(int blocks, std::span<const int> elements, int nodes_per_element);

}  // namespace palp
