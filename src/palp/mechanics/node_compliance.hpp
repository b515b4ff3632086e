// The constant compliance C between the nodes that can touch (D06 eq. 30), and the gather H C Hᵀ: O(m²), no
// solve.
#pragma once
#include <vector>

#include "palp/math/point_jacobian.hpp"

namespace palp {

struct NodeCompliance {
  std::vector<int> index;  ///< block of degrees of freedom → row of C, −1: cannot touch
  int nodes = 0;
  std::vector<Mat3> C;  ///< nodes × nodes, row by row

  /// Grows with the largest number of points met so far.
  struct Scratch {
    std::vector<double> weight;  ///< per entry of H
    std::vector<Mat3> axes;      ///< per point
    std::vector<char> aligned;   ///< per point
  };
  /// G += scale · H C Hᵀ (both triangles), over the entries of H on blocks with an index.
  /// Where all blocks of a point are multiples w_k Q of one matrix (barycentric weights times the frame's
  /// rotation) the sum Σ w_k w_l C_kl is formed first and turned once: Q_p (…) Q_qᵀ.
  void project(const PointJacobian& H, double scale, Scratch& scratch, MatRef G) const;
};

}  // namespace palp
