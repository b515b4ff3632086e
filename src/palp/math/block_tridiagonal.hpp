// A symmetric positive definite block-tridiagonal matrix with 6×6 blocks: the system matrix of a chain of
// beams (P11 §III.B). Block Thomas, i.e. block Cholesky without fill:
//     S_0 = A_00,   G_i = S_i⁻¹ A_{i,i+1},   S_{i+1} = A_{i+1,i+1} − A_{i+1,i} G_i.
// Everything is O(n) per right-hand side. The compliance of points needs only the forward half of the solves,
//     z_p(i) = H_p(i)ᵀ − G_{i−1}ᵀ z_p(i−1),       W_pq = Σ_i z_p(i)ᵀ S_i⁻¹ z_q(i),
// for all points in one sweep; the diagonal blocks of the inverse,
//     Z_n = S_n⁻¹,   Z_i = S_i⁻¹ + G_i Z_{i+1} G_iᵀ,
// close the sum at the last block that p and q touch: Σ_{i ≥ j} … = z_p(j)ᵀ Z_j z_q(j).
#pragma once
#include <span>
#include <vector>

#include "palp/math/point_jacobian.hpp"
#include "palp/math/types.hpp"

namespace palp {

class BlockTridiagonal {
 public:
  /// Allocates for n blocks, all zero.
  void resize(int n);
  int blocks() const { return static_cast<int>(diagonal_.size()); }

  void set_zero();
  /// The matrix of another one of the same size, not its factor. No allocation.
  void copy_entries(const BlockTridiagonal& other);
  Mat6& diagonal(int i) { return diagonal_[i]; }  ///< A_ii, both triangles
  Mat6& below(int i) { return below_[i]; }        ///< A_{i+1,i}; the block above is its transpose

  /// r −= A x, with the matrix as it was written (not its factor).
  void subtract_product(ConstVecRef x, VecRef r) const;
  /// False: not positive definite or not finite. No allocation.
  bool factor();
  /// b ← A⁻¹ b.
  void solve(VecRef b) const;
  /// G += H A⁻¹ Hᵀ (both triangles) in O(points · n + points²). Column c of H is half c mod 2 of block c/2;
  /// entries on columns with held[c] ≠ 0 count as zero. Allocates only for more points than ever before.
  void project(const PointJacobian& H, std::span<const char> held, MatRef G);

  MatX dense() const;  ///< for tests

 private:
  using Mat63 = Eigen::Matrix<double, 6, 3>;
  std::vector<Mat6> diagonal_, below_;  // n, n−1: A
  std::vector<Mat6> schur_inverse_;     // n: S_i⁻¹
  std::vector<Mat6> transfer_;          // n−1: G_i
  std::vector<Mat6> inverse_diagonal_;  // n: Z_i
  std::vector<double> z_;  // z(i)ᵀ of all points, by columns: of this block and the last; then a product
  std::vector<int> first_, last_;  // per point: first and last touched block
};

}  // namespace palp
