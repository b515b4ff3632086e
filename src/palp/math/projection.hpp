// G += H A⁻¹ Hᵀ from a factor: chooses the right-hand sides, sorts them into strips with a small reach, and
// brings the product back to the points.
#pragma once
#include <vector>

#include "palp/math/multifrontal.hpp"
#include "palp/math/point_jacobian.hpp"

namespace palp {

template <class T>
class Projection {
 public:
  /// Right-hand sides: one group of three per point (rows of H), or one per distinct block that H touches
  /// followed by G += H C Hᵀ with C = the blocks' own compliance; whichever groups are fewer.
  void add(const Multifrontal<T>& factor, const PointJacobian& H, MatRef G);
  /// X ← A⁻¹ Hᵀ, three columns per point: forward and back, all points at once. X only grows.
  void columns(const Multifrontal<T>& factor, const PointJacobian& H, MatX& X);

 private:
  struct Group {
    int place;  ///< earliest place it touches: neighbours in elimination order share their reach
    int id;     ///< the point, or the block
  };
  void lay_out(const Multifrontal<T>& factor, const PointJacobian* H, bool everywhere);
  void scatter_points(MatRef G) const;
  void scatter_blocks(const PointJacobian& H, MatRef G);

  RhsStrips<T> rhs_;
  std::vector<Group> groups_;
  std::vector<int> strip_start_, strip_places_;
  std::vector<int> slot_;     ///< [block] its group, -1 = untouched
  std::vector<int> touched_;  ///< distinct blocks of H
  std::vector<T> HC_;         ///< H C, column-major, 3·points × 3·groups
  std::vector<T> columns_;    ///< three columns of G
};

extern template class Projection<double>;
extern template class Projection<float>;

}  // namespace palp
