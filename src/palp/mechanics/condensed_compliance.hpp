// The constant compliance of a body, condensed on the nodes that can touch (D04 §III, D06 eq. 30):
//     C_ss = (A⁻¹)_ss,    G += H C_ss Hᵀ    as a gather, O(m²) and no solve.
// Inside a moving frame (CarryingFrame) C is constant in the frame's axes, which H turns into the world's,
// and the frame's own motion comes on top:    G += scale · H C_ss Hᵀ + J_c A_c⁻¹ J_cᵀ.
//
// As long as all of C_ss fits the memory bound it is computed at once, from a factor in which these nodes
// come last. Beyond that, the columns of the touched nodes only are computed, on first touch, and kept as
// long as they fit.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "palp/math/sparse_cholesky.hpp"
#include "palp/mechanics/condensed_product.hpp"

namespace palp {

/// The frame that carries a body with constant compliance. J_c is part of H: two more blocks, before
/// the body's.
struct CarryingFrame {
  Mat3 R = Mat3::Identity();    ///< the axes in which C is constant
  double scale = 1;             ///< of C
  Mat6 inverse = Mat6::Zero();  ///< A_c⁻¹ of the frame's own six degrees of freedom
};

/// Copies share a C_ss that is complete; columns on demand are each one's own.
class CondensedCompliance {
 public:
  /// `nodes`: the blocks of the system that may be touched; `held`: blocks that do not move. Nothing is
  /// computed yet.
  void set_up(int blocks, std::span<const int> nodes, size_t memory_bound_bytes,
              std::span<const int> held = {});
  /// Forgets the values, e.g. because A has changed.
  void reset();
  /// Whether all of C_ss fits the bound.
  bool fits() const { return owner_.size() == nodes_.size(); }
  /// Takes all of C_ss, 3·nodes square; only if it fits.
  void fill(const MatX& C);
  /// Computes all of C_ss if it fits; otherwise leaves it to project(). False: A is not positive definite.
  bool condense(const BlockSymmetric& A);
  /// b ← A⁻¹ b over all blocks, for columns on demand.
  using Solve = std::function<void(VecRef)>;
  /// G += H C_ss Hᵀ (both triangles, exactly symmetric), or the formula of the frame, whose two blocks are
  /// then the first two columns of H. False, with G untouched: H touches a node that is neither in `nodes`
  /// nor held, or more nodes than the memory bound holds; then solving with the factor is the way.
  bool project(const Solve& solve, const PointJacobian& H, MatRef G, const CarryingFrame* frame = nullptr);

 private:
  bool find_touched(const PointJacobian& H, int frame_blocks);
  bool find_columns(const Solve& solve);

  int blocks_ = 0;
  std::vector<int> nodes_;    // surface index → block
  std::vector<int> surface_;  // block → surface index, or one of:
  static constexpr int unknown = -1, held = -2;
  std::vector<int> slot_;   // surface index → its column in columns_, −1: not computed
  std::vector<int> owner_;  // column → surface index, −1: unused
  std::shared_ptr<std::vector<Mat3>> columns_;  // column k, surface index a: C(a, owner_[k]) at k·s + a
  std::vector<int> touched_;        // surface indices of the nodes of H, ascending by first appearance
  std::vector<int> local_;          // surface index → position in touched_, −1 outside project()
  std::vector<int> entry_;          // H's entries → position in touched_, after the frame's two blocks
  std::vector<int> reach_;          // point j → number of such positions of the points up to j
  std::vector<long> row_, column_;  // of the touched nodes, as CondensedProduct wants them
  CondensedProduct product_;
  VecX work_;
};

}  // namespace palp
