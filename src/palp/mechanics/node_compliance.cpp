#include "palp/mechanics/node_compliance.hpp"

namespace palp {

void NodeCompliance::project(const PointJacobian& H, double scale, Scratch& s, MatRef G) const {
  const int m = H.points();
  s.weight.resize(H.column.size());
  s.axes.resize(m);
  s.aligned.resize(m);
  for (int p = 0; p < m; ++p) {
    double largest = 0;
    s.axes[p].setZero();
    for (int k = H.start[p]; k < H.start[p + 1]; ++k) {
      if (index[H.column[k]] < 0) continue;
      const double size = H.block[k].squaredNorm();
      if (size > largest) largest = size, s.axes[p] = H.block[k];
    }
    s.aligned[p] = 1;
    for (int k = H.start[p]; k < H.start[p + 1]; ++k) {
      s.weight[k] = largest > 0 ? H.block[k].cwiseProduct(s.axes[p]).sum() / largest : 0;
      if (index[H.column[k]] >= 0 && (H.block[k] - s.weight[k] * s.axes[p]).squaredNorm() > 1e-28 * largest)
        s.aligned[p] = 0;
    }
  }
  for (int q = 0; q < m; ++q)
    for (int p = 0; p <= q; ++p) {
      const bool aligned = s.aligned[p] && s.aligned[q];
      Mat3 W = Mat3::Zero();
      for (int k = H.start[p]; k < H.start[p + 1]; ++k) {
        const int i = index[H.column[k]];
        if (i < 0) continue;
        const Mat3* row = &C[static_cast<std::size_t>(i) * nodes];
        for (int l = H.start[q]; l < H.start[q + 1]; ++l) {
          const int j = index[H.column[l]];
          if (j < 0) continue;
          if (aligned)
            W += (s.weight[k] * s.weight[l]) * row[j];
          else
            W += H.block[k] * row[j] * H.block[l].transpose();
        }
      }
      if (aligned) W = (s.axes[p] * W * s.axes[q].transpose()).eval();
      if (p == q) {
        G.block<3, 3>(3 * p, 3 * p) += 0.5 * scale * (W + W.transpose());
      } else {
        G.block<3, 3>(3 * p, 3 * q) += scale * W;
        G.block<3, 3>(3 * q, 3 * p) += scale * W.transpose();
      }
    }
}

}  // namespace palp
