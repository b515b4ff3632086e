// The constant compliance of a linear body, condensed on the nodes that can touch (D04 §III, D06 eq. 30):
//     C_ss = (A⁻¹)_ss,    G += H C_ss Hᵀ    as a gather, O(m²) and no solve.
//
// As long as all of C_ss fits the memory bound it is computed at once, from a factor in which these nodes
// come last. Beyond that, the columns of the touched nodes only are computed, on first touch, and kept as
// long as they fit.
#pragma once
#include <span>
#include <vector>

#include "palp/math/sparse_cholesky.hpp"

namespace palp {

class CondensedCompliance {
 public:
  /// `nodes`: the blocks of the system that may be touched. Nothing is computed yet.
  void set_up(int blocks, std::span<const int> nodes, size_t memory_bound_bytes);
  /// Forgets the values, e.g. because A has changed.
  void reset();
  /// Computes all of C_ss if it fits; otherwise leaves it to project(). False: A is not positive definite.
  bool condense(const BlockSymmetric& A);
  /// G += H C_ss Hᵀ (both triangles). `factor` is the factor of A. False, with G untouched: H touches a node
  /// that is not in `nodes`, or more nodes than the memory bound holds; then SparseCholesky::project is the
  /// way.
  bool project(const SparseCholesky& factor, const PointJacobian& H, MatRef G);

 private:
  bool find_touched(const PointJacobian& H);
  bool find_columns(const SparseCholesky& factor);
  void gather();
  void carry_weights(const PointJacobian& H, int j);
  void carry_blocks(const PointJacobian& H, int j);

  int blocks_ = 0;
  std::vector<int> nodes_;     // surface index → block
  std::vector<int> surface_;   // block → surface index, −1: none
  std::vector<int> slot_;      // surface index → its column in columns_, −1: not computed
  std::vector<int> owner_;     // column → surface index, −1: unused
  std::vector<Mat3> columns_;  // column k, surface index a: C(a, owner_[k]) at k·s + a
  std::vector<int> touched_;   // surface indices of the nodes of H, ascending by first appearance
  std::vector<int> gathered_;  // touched_ at the last gather
  std::vector<int> local_;     // surface index → position in touched_, −1 outside project()
  std::vector<int> entry_;     // H's entries → position in touched_
  std::vector<double>
      C_tt_;               // C between touched nodes, [column node][c][row node][4]: entry (r, c), r padded
  std::vector<double> T_;  // C H_jᵀ of one point, [c][row node][4]
  std::vector<double> weight_;  // H's entries, as long as they are multiples of the identity
  std::vector<double> column_;  // H T of one point: three columns of G, each with one place more
  VecX work_;
};

}  // namespace palp
