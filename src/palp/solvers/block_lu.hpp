// Linear systems of the Newton steps: A x = b with A = W + block-diagonal, nearly symmetric.
//   DenseLu        row-major, blocked, partial pivoting; for dense W, restricted to the contacts that matter.
//   SparseBlockLu  3×3 blocks in a fill-reducing order fixed per pattern, pivots inside the 3×3 diagonal
//   blocks.
// Neither allocates after its set-up, which is why no library's LU is used.
#pragma once
#include <vector>

#include "palp/math/growing.hpp"
#include "palp/math/types.hpp"
#include "palp/solvers/prepared.hpp"

namespace palp {

class DenseLu {
 public:
  void reserve(int n_max);
  void resize(int n);
  int size() const { return n_; }
  double* row(int i) { return a_.data() + static_cast<std::size_t>(i) * stride_; }
  bool factor();                ///< false when a pivot vanishes
  void solve(double* x) const;  ///< b in, x out
  static double flops(int n) { return 2.0 / 3.0 * n * n * n; }

 private:
  int n_ = 0, stride_ = 0;
  std::vector<double> a_;
  std::vector<int> swap_;
};

class SparseBlockLu {
 public:
  /// Orders the contacts (minimum degree) and finds the fill. Nothing to do when the pattern is the last one;
  /// allocates only beyond the largest pattern so far.
  void analyse(const Prepared& P);
  void clear();
  /// A_ij += block; (i, j) must be in the pattern of W or its transpose, or i = j.
  void add(int position, const Mat3& block) { value_[position] += block; }
  /// Where W's column block k (Prepared::column_block) and the diagonal block i live.
  int position_of_column_block(int k) const { return of_block_[k]; }
  int position_of_diagonal(int i) const { return order_of_[i]; }
  bool factor();
  void solve(double* x) const;
  double flops() const { return flops_; }

 private:
  int m_ = 0;
  double flops_ = 0;
  std::vector<int> order_, order_of_;  // position → contact, contact → position
  std::vector<int> start_, row_;       // columns of L below the diagonal (= rows of U), by position
  std::vector<int> target_;            // per column, per pair (row, column): position of the updated block
  std::vector<int> of_block_;
  std::vector<unsigned char> touches_;  // m × m
  std::vector<int> degree_;
  std::vector<int> known_start_, known_row_;  // the pattern that was analysed last
  std::vector<Mat3> value_;                   // m diagonal, then L (row_.size()), then U (row_.size())
  mutable GrowingVector work_;
};

}  // namespace palp
