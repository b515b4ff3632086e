#include "palp/math/block_tridiagonal.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

void BlockTridiagonal::resize(int n) {
  const std::size_t off = n > 0 ? n - 1 : 0;
  diagonal_.assign(n, Mat6::Zero());
  below_.assign(off, Mat6::Zero());
  schur_inverse_.assign(n, Mat6::Zero());
  transfer_.assign(off, Mat6::Zero());
  inverse_diagonal_.assign(n, Mat6::Zero());
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

namespace {

/// S⁻¹ = L⁻ᵀ L⁻¹ with S = L Lᵀ, from the lower triangle. False: not positive definite or not finite.
bool invert(const Mat6& S, Mat6& inverse) {
  double L[6][6], X[6][6];  // X = L⁻¹
  for (int j = 0; j < 6; ++j) {
    double pivot = S(j, j);
    for (int k = 0; k < j; ++k) pivot -= L[j][k] * L[j][k];
    if (!(pivot > 0 && pivot < 1e300)) return false;
    const double reciprocal = 1 / std::sqrt(pivot);
    X[j][j] = reciprocal;
    for (int i = j + 1; i < 6; ++i) {
      double sum = S(i, j);
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      L[i][j] = sum * reciprocal;
    }
    for (int i = 0; i < j; ++i) {
      double sum = 0;
      for (int k = i; k < j; ++k) sum -= L[j][k] * X[k][i];
      X[j][i] = sum * reciprocal;
    }
  }
  for (int j = 0; j < 6; ++j)
    for (int i = j; i < 6; ++i) {
      double sum = 0;
      for (int k = i; k < 6; ++k) sum += X[k][i] * X[k][j];
      inverse(i, j) = inverse(j, i) = sum;
    }
  return true;
}

}  // namespace

bool BlockTridiagonal::factor() {
  Mat6 S;
  for (int i = 0; i < blocks(); ++i) {
    S = diagonal_[i];
    if (i > 0) S.noalias() -= below_[i - 1] * transfer_[i - 1];
    if (!invert(S, schur_inverse_[i])) return false;
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
  int lowest = blocks(), highest = -1;
  for (int p = 0; p < m; ++p) {
    for (int k = H.start[p]; k < H.start[p + 1]; ++k) {
      if (held[H.column[k]]) continue;
      first_[p] = std::min(first_[p], H.column[k] / 2);
      last_[p] = std::max(last_[p], H.column[k] / 2);
    }
    lowest = std::min(lowest, first_[p]);
    highest = std::max(highest, last_[p]);
  }
  const size_t rows = (3 * static_cast<size_t>(m) + 3) / 4 * 4;
  if (z_.size() < 15 * rows) z_.resize(15 * rows);
  double *now = z_.data(), *next = now + 6 * rows, *product = now + 12 * rows;
  std::fill_n(now, 12 * rows, 0.0);
  for (int i = lowest; i <= highest; ++i) {
    // zᵀ(i) = H(i) − zᵀ(i−1) G_{i−1}, one row per row of H.
    if (i > lowest) {
      const Mat6& T = transfer_[i - 1];
      for (int c = 0; c < 6; ++c) {
        const double *x0 = now, *x1 = x0 + rows, *x2 = x1 + rows, *x3 = x2 + rows, *x4 = x3 + rows,
                     *x5 = x4 + rows;
        const double t0 = T(0, c), t1 = T(1, c), t2 = T(2, c), t3 = T(3, c), t4 = T(4, c), t5 = T(5, c);
        double* __restrict y = next + c * rows;
        for (size_t r = 0; r < rows; ++r)
          y[r] = -(x0[r] * t0 + x1[r] * t1 + x2[r] * t2 + x3[r] * t3 + x4[r] * t4 + x5[r] * t5);
      }
      std::swap(now, next);
    }
    for (int p = 0; p < m; ++p) {
      if (i < first_[p] || i > last_[p]) continue;
      for (int k = H.start[p]; k < H.start[p + 1]; ++k) {
        if (held[H.column[k]] || H.column[k] / 2 != i) continue;
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r) now[(3 * (H.column[k] % 2) + c) * rows + 3 * p + r] += H.block[k](r, c);
      }
    }
    for (int q = 0; q < m; ++q) {
      if (i < first_[q] || i > last_[q]) continue;
      Mat63 z;
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 3; ++r) z(c, r) = now[c * rows + 3 * q + r];
      const Mat63 u = (i < last_[q] ? schur_inverse_[i] : inverse_diagonal_[i]) * z;
      for (int c = 0; c < 3; ++c) {
        const double *x0 = now, *x1 = x0 + rows, *x2 = x1 + rows, *x3 = x2 + rows, *x4 = x3 + rows,
                     *x5 = x4 + rows;
        const double u0 = u(0, c), u1 = u(1, c), u2 = u(2, c), u3 = u(3, c), u4 = u(4, c), u5 = u(5, c);
        double* __restrict y = product + c * rows;
        for (size_t r = 0; r < rows; ++r)
          y[r] = x0[r] * u0 + x1[r] * u1 + x2[r] * u2 + x3[r] * u3 + x4[r] * u4 + x5[r] * u5;
      }
      // Every point that ends no further right; ties by number, so that each pair is written once.
      for (int p = 0; p < m; ++p) {
        if (i < first_[p] || last_[p] > last_[q] || (last_[p] == last_[q] && p > q)) continue;
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r) {
            const double value = product[c * rows + 3 * p + r];
            if (p != q) {
              G(3 * p + r, 3 * q + c) += value;
              G(3 * q + c, 3 * p + r) += value;
            } else if (r <= c) {
              G(3 * q + r, 3 * q + c) += value;
              if (r < c) G(3 * q + c, 3 * q + r) += value;
            }
          }
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
