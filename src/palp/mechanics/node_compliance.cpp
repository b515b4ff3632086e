#include "palp/mechanics/node_compliance.hpp"

#include <algorithm>

#include "palp/mechanics/frame_system.hpp"

namespace palp {

void NodeCompliance::sort(const PointJacobian& H, const Mat6& frame_inverse, Scratch& s) const {
  const int m = H.points();
  s.start.assign(1, 0);
  s.node.clear();
  s.block.clear();
  s.weight.clear();
  s.axes.resize(m);
  s.aligned.resize(m);
  s.frame.resize(m);
  s.carried.resize(m);
  for (int p = 0; p < m; ++p) {
    const Eigen::Matrix<double, 3, 6> J = frame_rows(H, p);
    s.frame[p].topRows<3>() = J;
    s.frame[p].row(3).setZero();
    s.carried[p].noalias() = frame_inverse * J.transpose();

    double largest = 0;
    Mat3 Q = Mat3::Zero();
    for (int k = H.start[p]; k < H.start[p + 1]; ++k) {
      if (index[H.column[k]] < 0) continue;
      s.node.push_back(index[H.column[k]]);
      s.block.push_back(H.block[k]);
      const double size = H.block[k].squaredNorm();
      if (size > largest) largest = size, Q = H.block[k];
    }
    s.aligned[p] = 1;
    for (std::size_t k = s.start[p]; k < s.node.size(); ++k) {
      s.weight.push_back(largest > 0 ? s.block[k].cwiseProduct(Q).sum() / largest : 0);
      if ((s.block[k] - s.weight[k] * Q).squaredNorm() > 1e-28 * largest) s.aligned[p] = 0;
    }
    s.axes[p].topRows<3>() = Q;
    s.axes[p].row(3).setZero();
    s.start.push_back(static_cast<int>(s.node.size()));
  }
}

void NodeCompliance::project(const PointJacobian& H, double scale, const Mat6& frame_inverse, Scratch& s,
                             MatRef G) const {
  sort(H, frame_inverse, s);
  const int m = H.points(), n = 3 * m;
  s.upper.resize(static_cast<std::size_t>(n) * n);
  Eigen::Map<MatX> upper(s.upper.data(), n, n);
  for (int q = 0; q < m; ++q)
    for (int p = 0; p <= q; ++p) {
      Mat43 W = s.frame[p].lazyProduct(s.carried[q]);
      Mat43 S = Mat43::Zero();
      const bool aligned = s.aligned[p] && s.aligned[q];
      for (int k = s.start[p]; k < s.start[p + 1]; ++k) {
        const Mat43* row = &C[static_cast<std::size_t>(s.node[k]) * nodes];
        for (int l = s.start[q]; l < s.start[q + 1]; ++l) {
          if (aligned)
            S += (s.weight[k] * s.weight[l]) * row[s.node[l]];
          else
            W.topRows<3>() += scale * s.block[k] * row[s.node[l]].topRows<3>() * s.block[l].transpose();
        }
      }
      if (aligned) {
        const Mat43 turned = scale * S.lazyProduct(s.axes[q].topRows<3>().transpose());
        W += s.axes[p].lazyProduct(turned.topRows<3>());
      }
      upper.block<3, 3>(3 * p, 3 * q) = W.topRows<3>();
    }
  // Both triangles tile by tile, so that the mirror image stays in the cache.
  constexpr int tile = 24;
  for (int c = 0; c < n; c += tile)
    for (int r = 0; r < c; r += tile) {
      const int columns = std::min(tile, n - c);
      G.block(r, c, tile, columns) += upper.block(r, c, tile, columns);
      G.block(c, r, columns, tile) += upper.block(r, c, tile, columns).transpose();
    }
  for (int c = 0; c < n;
       ++c)  // the diagonal tiles; the two halves of a 3×3 diagonal block agree only to rounding
    for (int r = c / tile * tile; r <= c; ++r) {
      G(r, c) += upper(r, c);
      if (r != c) G(c, r) += upper(r, c);
    }
}

}  // namespace palp
