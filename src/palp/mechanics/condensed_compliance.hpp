// The constant compliance of a body, condensed on what can touch (D04 §III, D06 eq. 30):
//     C = E A⁻¹ Eᵀ,    G += H C Hᵀ    as a gather, O(m²) and no solve.
// E has three rows per unit. A unit is a node of the skin or, where the skin is embedded and has fewer
// vertices than nodes that carry them, a vertex: Σ w_k x_k.
//
// Inside a moving frame (CarryingFrame) C is constant in the frame's axes, which H turns into the world's,
// and the frame's own motion comes on top:
//     G += scale · H C Hᵀ + J_c A_c⁻¹ J_cᵀ.
//
// As long as all of C fits the memory bound it is computed at once, from a factor in which these nodes come
// last. Beyond that its columns are computed several at a time and kept as long as they fit four times the
// bound: all at once where that is cheap, or those of the touched units, on first touch. A column does not
// depend on those computed with it.
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

/// Copies share a C that is complete; columns on demand are each one's own.
class CondensedCompliance {
 public:
  /// Units are nodes. `nodes`: the blocks of the system that may be touched; `held`: blocks that do not move.
  /// Nothing is computed yet.
  void set_up(int blocks, std::span<const int> nodes, size_t memory_bound_bytes,
              std::span<const int> held = {});
  /// Units are vertices of the skin: row v of `vertices` is what the blocks of the system that can move give
  /// to vertex v.
  void set_up(PointJacobian vertices, size_t memory_bound_bytes);
  bool by_vertex() const { return by_vertex_; }
  /// E, three rows per unit.
  const PointJacobian& units() const { return units_; }
  /// Forgets the values, e.g. because A has changed.
  void reset();
  /// Whether all of C fits the bound.
  bool fits() const { return fits_; }
  /// Takes all of C, 3·units square; only if it fits.
  void fill(const MatX& C);
  /// Computes all of C if it fits; otherwise leaves it to project(). False: A is not positive definite.
  bool condense(const BlockSymmetric& A);
  /// X ← A⁻¹ Eᵀ for some rows of E, 3·blocks × 3·points; for columns on demand.
  using Solve = std::function<void(const PointJacobian& E, MatX& X)>;
  /// Computes all columns now, when they fit what columns on demand may take, and take some seconds at most:
  /// `flops` is what the three columns of a unit cost.
  void make_columns(const Solve& solve, double flops);
  /// G += H C Hᵀ (both triangles, exactly symmetric), or the formula of the frame, whose two blocks are
  /// then the first two columns of H. H is by blocks of the system, and where units are vertices it is
  /// labelled with them. False, with G untouched: H touches what is neither a unit nor held, or more units
  /// than the memory bound holds; then solving with the factor is the way.
  bool project(const Solve& solve, const PointJacobian& H, MatRef G, const CarryingFrame* frame = nullptr);

 private:
  void set_up_units(size_t memory_bound_bytes);
  size_t size() const { return slot_.size(); }
  size_t room() const { return owner_.size(); }
  bool gather_vertices(const PointJacobian& H, int frame_blocks);
  bool find_touched(const PointJacobian& H, int frame_blocks);
  bool find_columns(const Solve& solve);
  void compute_columns(const Solve& solve, std::span<const int> units);

  bool by_vertex_ = false, fits_ = false;
  PointJacobian units_;    // unit → blocks of the system
  std::vector<int> unit_;  // nodes: block → unit, or one of:
  static constexpr int unknown = -1, held = -2;
  std::vector<int> slot_;                       // unit → its column in columns_, −1: not computed
  std::vector<int> owner_;                      // column → unit, −1: unused
  std::shared_ptr<std::vector<Mat3>> columns_;  // column k, unit a: C(a, owner_[k]) at k·size() + a
  PointJacobian by_units_;                      // vertices: H on units
  std::vector<int> touched_;                    // units of H, ascending by first appearance
  std::vector<int> missing_;                    // those without a column
  std::vector<int> local_;                      // unit → position in touched_, −1 outside project()
  std::vector<int> entry_;          // H's entries → position in touched_, after the frame's two blocks
  std::vector<int> reach_;          // point j → number of such positions of the points up to j
  std::vector<long> row_, column_;  // of the touched units, as CondensedProduct wants them
  CondensedProduct product_;
  PointJacobian loads_;  // scratch of compute_columns
  MatX response_;
};

}  // namespace palp
