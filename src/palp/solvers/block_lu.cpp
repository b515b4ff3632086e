#include "palp/solvers/block_lu.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

typedef double Double4 __attribute__((vector_size(32), aligned(8), may_alias));

constexpr int panel = 16;

/// C (rows × 4·quads, row-major) −= L (rows × depth) U (depth × 4·quads), for four rows and up to three
/// quads.
template <int quads>
void update_four_rows(double* C, const double* L, const double* U, int depth, int stride) {
  Double4 sum[4][quads];
  for (int r = 0; r < 4; ++r)
    for (int q = 0; q < quads; ++q) sum[r][q] = *reinterpret_cast<Double4*>(C + r * stride + 4 * q);
  for (int k = 0; k < depth; ++k) {
    Double4 u[quads];
    for (int q = 0; q < quads; ++q) u[q] = *reinterpret_cast<const Double4*>(U + k * stride + 4 * q);
    for (int r = 0; r < 4; ++r) {
      const double l = L[r * stride + k];
      for (int q = 0; q < quads; ++q) sum[r][q] -= l * u[q];
    }
  }
  for (int r = 0; r < 4; ++r)
    for (int q = 0; q < quads; ++q) *reinterpret_cast<Double4*>(C + r * stride + 4 * q) = sum[r][q];
}

}  // namespace

void DenseLu::reserve(int n_max) {
  const std::size_t size = static_cast<std::size_t>(n_max + 4) * ((n_max + 3) / 4 * 4);
  if (a_.size() < size) a_.resize(size);
  if (swap_.size() < static_cast<std::size_t>(n_max)) swap_.resize(n_max);
}

void DenseLu::resize(int n) {
  n_ = n;
  stride_ = (n + 3) / 4 * 4;
  for (int i = 0; i < n; ++i) std::fill(row(i) + n, row(i) + stride_, 0.0);
}

bool DenseLu::factor() {
  for (int k0 = 0; k0 < n_; k0 += panel) {
    const int k1 = std::min(k0 + panel, n_);
    for (int k = k0; k < k1; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n_; ++i)
        if (std::abs(row(i)[k]) > std::abs(row(pivot)[k])) pivot = i;
      swap_[k] = pivot;
      if (pivot != k) std::swap_ranges(row(k), row(k) + stride_, row(pivot));
      const double d = row(k)[k];
      if (!(std::abs(d) > 1e-300) || !std::isfinite(d)) return false;
      const double inverse = 1 / d;
      const double* u = row(k);
      for (int i = k + 1; i < n_; ++i) {
        double* r = row(i);
        const double l = r[k] *= inverse;
        for (int j = k + 1; j < k1; ++j) r[j] -= l * u[j];
      }
    }
    if (k1 == n_) break;
    for (int i = k0 + 1; i < k1; ++i)  // U of the panel's rows
      for (int k = k0; k < i; ++k) {
        const double l = row(i)[k];
        const double* u = row(k);
        double* r = row(i);
        for (int j = k1; j < stride_; ++j) r[j] -= l * u[j];
      }
    // The rest. Columns from k1 (a multiple of 4) to the padded end in strips of three quads.
    const int depth = k1 - k0;
    int i = k1;
    for (; i + 4 <= n_; i += 4) {
      int j = k1;
      for (; j + 12 <= stride_; j += 12)
        update_four_rows<3>(row(i) + j, row(i) + k0, row(k0) + j, depth, stride_);
      for (; j < stride_; j += 4) update_four_rows<1>(row(i) + j, row(i) + k0, row(k0) + j, depth, stride_);
    }
    for (; i < n_; ++i)
      for (int k = k0; k < k1; ++k) {
        const double l = row(i)[k];
        const double* u = row(k);
        double* r = row(i);
        for (int j = k1; j < stride_; ++j) r[j] -= l * u[j];
      }
  }
  return true;
}

void DenseLu::solve(double* x) const {
  const auto r = [&](int i) { return a_.data() + static_cast<std::size_t>(i) * stride_; };
  for (int k = 0; k < n_; ++k) std::swap(x[k], x[swap_[k]]);
  for (int i = 1; i < n_; ++i) x[i] -= Eigen::Map<const VecX>(r(i), i).dot(Eigen::Map<const VecX>(x, i));
  for (int i = n_ - 1; i >= 0; --i) {
    const int rest = n_ - i - 1;
    x[i] = (x[i] - Eigen::Map<const VecX>(r(i) + i + 1, rest).dot(Eigen::Map<const VecX>(x + i + 1, rest))) /
           r(i)[i];
  }
}

void SparseBlockLu::analyse(const Prepared& P) {
  if (P.m == m_ && P.column_start == known_start_ && P.column_row == known_row_) return;
  m_ = P.m;
  known_start_ = P.column_start;
  known_row_ = P.column_row;
  // Who touches whom, in W or Wᵀ; a plain square table, since contacts number in the hundreds.
  const auto touches = [&](int i, int j) -> unsigned char& {
    return touches_[static_cast<std::size_t>(i) * m_ + j];
  };
  touches_.assign(static_cast<std::size_t>(m_) * m_, 0);
  for (int j = 0; j < m_; ++j)
    for (int k = P.column_start[j]; k < P.column_start[j + 1]; ++k)
      if (const int i = P.column_row[k]; i != j) touches(i, j) = touches(j, i) = 1;
  degree_.assign(m_, 0);
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < m_; ++j) degree_[i] += touches(i, j);

  // Minimum degree: eliminate the contact with the fewest neighbours, which then all touch each other.
  order_.assign(m_, -1);
  order_of_.assign(m_, -1);
  start_.assign(1, 0);
  row_.clear();
  for (int k = 0; k < m_; ++k) {
    int least = -1;
    for (int i = 0; i < m_; ++i)
      if (order_of_[i] < 0 && (least < 0 || degree_[i] < degree_[least])) least = i;
    order_[k] = least;
    order_of_[least] = k;
    for (int i = 0; i < m_; ++i)
      if (order_of_[i] < 0 && touches(least, i)) row_.push_back(i);
    for (std::size_t a = start_[k]; a < row_.size(); ++a) {
      --degree_[row_[a]];
      for (std::size_t b = start_[k]; b < a; ++b)
        if (!touches(row_[a], row_[b])) {
          touches(row_[a], row_[b]) = touches(row_[b], row_[a]) = 1;
          ++degree_[row_[a]];
          ++degree_[row_[b]];
        }
    }
    start_.push_back(static_cast<int>(row_.size()));
  }
  for (int& i : row_) i = order_of_[i];
  for (int k = 0; k < m_; ++k) std::sort(row_.begin() + start_[k], row_.begin() + start_[k + 1]);

  const int L = m_, U = m_ + static_cast<int>(row_.size());
  const auto position = [&](int i, int j) {  // of block (i, j), by positions in the order
    if (i == j) return i;
    const int c = std::min(i, j), r = std::max(i, j);
    const auto at =
        std::lower_bound(row_.begin() + start_[c], row_.begin() + start_[c + 1], r) - row_.begin();
    return static_cast<int>((i > j ? L : U) + at);
  };
  target_.clear();
  flops_ = 0;
  for (int k = 0; k < m_; ++k) {
    const double c = start_[k + 1] - start_[k];
    flops_ += 54 * (c * c + c);
    for (int a = start_[k]; a < start_[k + 1]; ++a)
      for (int b = start_[k]; b < start_[k + 1]; ++b) target_.push_back(position(row_[a], row_[b]));
  }
  of_block_.resize(P.column_row.size());
  for (int j = 0; j < m_; ++j)
    for (int k = P.column_start[j]; k < P.column_start[j + 1]; ++k)
      of_block_[k] = position(order_of_[P.column_row[k]], order_of_[j]);
  value_.resize(m_ + 2 * row_.size());
  work_.resize(3 * m_);
}

void SparseBlockLu::clear() { std::fill(value_.begin(), value_.end(), Mat3::Zero()); }

bool SparseBlockLu::factor() {
  const int L = m_, U = m_ + static_cast<int>(row_.size());
  const int* target = target_.data();
  for (int k = 0; k < m_; ++k) {
    Mat3& D = value_[k];
    const Mat3 inverse = D.inverse();
    if (!inverse.allFinite()) return false;
    D = inverse;
    for (int a = start_[k]; a < start_[k + 1]; ++a) {
      Mat3& l = value_[L + a];
      l = l * inverse;
      for (int b = start_[k]; b < start_[k + 1]; ++b) value_[*target++].noalias() -= l * value_[U + b];
    }
  }
  return true;
}

void SparseBlockLu::solve(double* x) const {
  const int L = m_, U = m_ + static_cast<int>(row_.size());
  GrowingVector& y = work_;
  for (int k = 0; k < m_; ++k) y.segment<3>(3 * k) = Eigen::Map<const Vec3>(x + 3 * order_[k]);
  for (int k = 0; k < m_; ++k) {
    const Vec3 y_k = y.segment<3>(3 * k);
    for (int a = start_[k]; a < start_[k + 1]; ++a)
      y.segment<3>(3 * row_[a]).noalias() -= value_[L + a] * y_k;
  }
  for (int k = m_ - 1; k >= 0; --k) {
    Vec3 y_k = y.segment<3>(3 * k);
    for (int b = start_[k]; b < start_[k + 1]; ++b)
      y_k.noalias() -= value_[U + b] * y.segment<3>(3 * row_[b]);
    y.segment<3>(3 * k) = value_[k] * y_k;
  }
  for (int k = 0; k < m_; ++k) Eigen::Map<Vec3>(x + 3 * order_[k]) = y.segment<3>(3 * k);
}

}  // namespace palp
