#include "palp/math/block_tridiagonal.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

namespace palp {

void BlockTridiagonal::resize(int n) {
  const std::size_t off = n > 0 ? n - 1 : 0;
  diagonal_.assign(n, Mat6::Zero());
  below_.assign(off, Mat6::Zero());
  schur_inverse_.assign(n, Mat6::Zero());
  transfer_.assign(off, Mat6::Zero());
  inverse_diagonal_.assign(n, Mat6::Zero());
  column_.assign(n, Mat63::Zero());
}

void BlockTridiagonal::set_zero() {
  for (Mat6& m : diagonal_) m.setZero();
  for (Mat6& m : below_) m.setZero();
}

void BlockTridiagonal::copy_entries(const BlockTridiagonal& other) {
  diagonal_ = other.diagonal_;
  below_ = other.below_;
}

void BlockTridiagonal::subtract_product(ConstVecRef x, VecRef r) const {
  for (int i = 0; i < blocks(); ++i) {
    r.segment<6>(6 * i).noalias() -= diagonal_[i] * x.segment<6>(6 * i);
    if (i + 1 == blocks()) break;
    r.segment<6>(6 * i + 6).noalias() -= below_[i] * x.segment<6>(6 * i);
    r.segment<6>(6 * i).noalias() -= below_[i].transpose() * x.segment<6>(6 * i + 6);
  }
}

bool BlockTridiagonal::factor() {
  Mat6 S;
  for (int i = 0; i < blocks(); ++i) {
    S = diagonal_[i];
    if (i > 0) S.noalias() -= below_[i - 1] * transfer_[i - 1];
    const Eigen::LLT<Mat6> llt(S);
    // A NaN passes LLT's own test (no comparison with it is true), hence the second one.
    if (llt.info() != Eigen::Success || !(llt.matrixLLT().diagonal().sum() < 1e300)) return false;
    schur_inverse_[i] = llt.solve(Mat6::Identity());
    if (i + 1 < blocks()) transfer_[i].noalias() = schur_inverse_[i] * below_[i].transpose();
  }
  for (int i = blocks() - 1; i >= 0; --i) {
    inverse_diagonal_[i] = schur_inverse_[i];
    if (i + 1 == blocks()) continue;
    S.noalias() = transfer_[i] * inverse_diagonal_[i + 1];
    inverse_diagonal_[i].noalias() += S * transfer_[i].transpose();
  }
  return true;
}

void BlockTridiagonal::solve(VecRef b) const {
  for (int i = 0; i + 1 < blocks(); ++i)
    b.segment<6>(6 * i + 6).noalias() -= transfer_[i].transpose() * b.segment<6>(6 * i);
  for (int i = blocks() - 1; i >= 0; --i) {
    const Vec6 r = b.segment<6>(6 * i);
    b.segment<6>(6 * i).noalias() = schur_inverse_[i] * r;
    if (i + 1 < blocks()) b.segment<6>(6 * i).noalias() -= transfer_[i] * b.segment<6>(6 * i + 6);
  }
}

void BlockTridiagonal::project(const PointJacobian& H, std::span<const char> held, MatRef G) {
  const int m = H.points();
  first_.assign(m, blocks());
  last_.assign(m, -1);
  int lowest = blocks();
  for (int p = 0; p < m; ++p) {
    for (int k = H.start[p]; k < H.start[p + 1]; ++k) {
      if (held[H.column[k]]) continue;
      first_[p] = std::min(first_[p], H.column[k] / 2);
      last_[p] = std::max(last_[p], H.column[k] / 2);
    }
    lowest = std::min(lowest, first_[p]);
  }
  for (int q = 0; q < m; ++q) {
    if (last_[q] < 0) continue;
    // Forward sweep over the point's own nodes, closed by Z at the last of them, then back to the lowest
    // touched block: column_[i] = (A⁻¹ H_qᵀ)_i for lowest ≤ i ≤ last.
    for (int i = lowest; i <= last_[q]; ++i) column_[i].setZero();
    for (int k = H.start[q]; k < H.start[q + 1]; ++k)
      if (!held[H.column[k]])
        column_[H.column[k] / 2].middleRows<3>(3 * (H.column[k] % 2)) += H.block[k].transpose();
    for (int i = first_[q]; i < last_[q]; ++i)
      column_[i + 1].noalias() -= transfer_[i].transpose() * column_[i];
    column_[last_[q]] = (inverse_diagonal_[last_[q]] * column_[last_[q]]).eval();
    for (int i = last_[q] - 1; i >= lowest; --i) {
      if (i >= first_[q]) column_[i] = (schur_inverse_[i] * column_[i]).eval();
      column_[i].noalias() -= transfer_[i] * column_[i + 1];
    }
    // Every point that ends no further right; ties by number, so that each pair is written once.
    for (int p = 0; p < m; ++p) {
      if (last_[p] < 0 || last_[p] > last_[q] || (last_[p] == last_[q] && p > q)) continue;
      Mat3 W = Mat3::Zero();
      for (int k = H.start[p]; k < H.start[p + 1]; ++k)
        if (!held[H.column[k]])
          W.noalias() += H.block[k] * column_[H.column[k] / 2].middleRows<3>(3 * (H.column[k] % 2));
      if (p == q) {
        G.block<3, 3>(3 * p, 3 * p) += 0.5 * (W + W.transpose());
      } else {
        G.block<3, 3>(3 * p, 3 * q) += W;
        G.block<3, 3>(3 * q, 3 * p) += W.transpose();
      }
    }
  }
}

MatX BlockTridiagonal::dense() const {
  MatX A = MatX::Zero(6 * blocks(), 6 * blocks());
  for (int i = 0; i < blocks(); ++i) {
    A.block<6, 6>(6 * i, 6 * i) = diagonal_[i];
    if (i + 1 == blocks()) break;
    A.block<6, 6>(6 * i + 6, 6 * i) = below_[i];
    A.block<6, 6>(6 * i, 6 * i + 6) = below_[i].transpose();
  }
  return A;
}

}  // namespace palp
