// Sparse Cholesky P A Pᵀ = L Lᵀ of a block matrix: pattern analysed once, refactored numerically at every step,
// and the compliance of points formed by forward solves only:
//     Y = L⁻¹ P Hᵀ,   H A⁻¹ Hᵀ = Yᵀ Y.
#pragma once
#include <memory>
#include <span>

#include "palp/math/block_symmetric.hpp"
#include "palp/math/point_jacobian.hpp"

namespace palp {

class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// Orders and allocates for this pattern. `last`: blocks that contacts may touch, numbered last so that their
  /// forward solves stay in the trailing triangle; empty = plain fill-reducing order.
  void analyze(const BlockSymmetric& pattern, std::span<const int> last = {});
  /// Numeric factorisation; no allocation. False: not positive definite or not finite.
  bool factor(const BlockSymmetric& A);
  /// b ← A⁻¹ b.
  void solve(VecRef b) const;
  /// G += H A⁻¹ Hᵀ (both triangles).
  void project(const PointJacobian& H, MatRef G) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace palp
