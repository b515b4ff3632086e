// Sparse Cholesky P A Pᵀ = L Lᵀ of a block matrix: pattern analysed once, refactored numerically at every
// step, and the compliance of points formed by forward solves only:
//     Y = L⁻¹ P Hᵀ,   H A⁻¹ Hᵀ = Yᵀ Y.
// Ordering by nested dissection or minimum degree, supernodes of 3×3 blocks, multifrontal (symbolic.hpp,
// multifrontal.hpp). docs/compliance.md has the measurements behind the choices.
#pragma once
#include <memory>
#include <span>

#include "palp/math/block_symmetric.hpp"
#include "palp/math/point_jacobian.hpp"

namespace palp {

struct CholeskyOptions {
  enum class Order {
    automatic,  ///< the cheaper of the two below, by the estimated time of a factorisation and a projection
                ///< on `last`
    plain,      ///< the fill-reducing order as it is; a projection walks its reach in the elimination tree
    last_last,  ///< the blocks of `last` eliminated last
  };
  enum class Precision {
    full,    ///< double throughout
    single,  ///< factor in float: solve is refined to double, project has a relative error of at most about
             ///< 1e-7 · cond(A) (about 1e-4 on the blocks of docs/compliance.md)
  };
  Order order = Order::automatic;
  Precision precision = Precision::full;
};

/// What an analysis found; for reports and benchmarks.
struct CholeskyStatistics {
  int supernodes = 0;
  double factor_flops = 0;
  long factor_blocks = 0;  ///< 3×3 blocks in L
  bool last_last = false;  ///< whether `last` was moved to the end of the order
};

/// Not shared between threads: solve and project use scratch memory of the object.
class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// Orders and allocates for this pattern. `last`: blocks that contacts may touch (repeats allowed); they
  /// may be numbered last so that their forward solves stay in the trailing triangle. With the pattern of the
  /// previous call only the cheap part is done again, so a candidate region that moved costs little.
  void analyze(const BlockSymmetric& pattern, std::span<const int> last = {},
               const CholeskyOptions& options = {});
  /// Numeric factorisation of a matrix with the analysed pattern; no allocation. Reads the lower triangle of
  /// diagonal blocks.
  /// False: not positive definite or not finite; the factor must not be used then.
  bool factor(const BlockSymmetric& A);
  /// b ← A⁻¹ b. A sparse b walks only its reach on the way down.
  void solve(VecRef b) const;
  /// X ← A⁻¹ Hᵀ, 3·blocks × 3·points: many right-hand sides at a time, several times faster than one by one.
  /// The bits of a column do not depend on the others. X only grows: columns behind these are of no meaning.
  void solve(const PointJacobian& H, MatX& X) const;
  /// G += H A⁻¹ Hᵀ (both triangles, exactly symmetric). Right-hand sides are the points or the distinct
  /// blocks they touch, whichever are fewer. Allocates only when it meets more points or a larger reach than
  /// ever before.
  void project(const PointJacobian& H, MatRef G) const;

  CholeskyStatistics statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace palp
