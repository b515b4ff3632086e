// The compliance of a frame with a constant compliance C inside it (D06 eq. 30), as a gather: O(m²), no
// solve.
#pragma once
#include <vector>

#include "palp/math/point_jacobian.hpp"

namespace palp {

struct NodeCompliance {
  /// 3×3 with a fourth row of zeros: one vector register a column.
  using Mat43 = Eigen::Matrix<double, 4, 3>;

  std::vector<int>
      index;  ///< block of degrees of freedom → row of C, −1: cannot touch (the frame's own blocks 0, 1)
  int nodes = 0;
  std::vector<Mat43> C;  ///< nodes × nodes, row by row

  /// H sorted for the gather. Grows with the largest number of points met so far.
  struct Scratch {
    std::vector<int> start;                            ///< points + 1: into node, weight, block
    std::vector<int> node;                             ///< rows of C
    std::vector<double> weight;                        ///< w_k in B_k = w_k Q
    std::vector<Mat3> block;                           ///< B_k
    std::vector<Mat43> axes;                           ///< per point: Q
    std::vector<char> aligned;                         ///< per point: all B_k are multiples of Q
    std::vector<Eigen::Matrix<double, 4, 6>> frame;    ///< per point: J_c
    std::vector<Eigen::Matrix<double, 6, 3>> carried;  ///< per point: A⁻¹ J_cᵀ
    std::vector<double> upper;                         ///< 3m × 3m by columns, upper triangle
  };
  /// G += scale · H C Hᵀ + J_c A⁻¹ J_cᵀ (both triangles).
  /// Where all blocks of a point are multiples w_k Q of one matrix (barycentric weights times the frame's
  /// rotation) the sum Σ w_k w_l C_kl is formed first and turned once: Q_p (…) Q_qᵀ.
  void project(const PointJacobian& H, double scale, const Mat6& frame_inverse, Scratch& scratch,
               MatRef G) const;

 private:
  void sort(const PointJacobian& H, const Mat6& frame_inverse, Scratch& s) const;
};

}  // namespace palp
