#include "palp/mechanics/condensed_product.hpp"

#include <algorithm>
#include <cmath>

#include "palp/math/rotation.hpp"
#include "palp/math/tile_kernels.hpp"

namespace palp {
namespace {

constexpr int width = tiles::kRows<double>;  // twelve columns
constexpr int points = width / 3;
using Lanes = tiles::Vector<double>;
using Tile = tiles::Tile<double>;
typedef double LooseLanes __attribute__((vector_size(32), aligned(8)));  // anywhere in memory

Lanes load(const double* p) { return *reinterpret_cast<const LooseLanes*>(p); }
void store(Lanes v, double* p) { *reinterpret_cast<LooseLanes*>(p) = v; }
Lanes column(const Mat3& m, int d) { return Lanes{m(0, d), m(1, d), m(2, d), 0}; }

/// Three columns of a point in a row of T. The fourth lane falls on the next point, which is written later;
/// after the last of the four it would be the next row.
template <bool last>
void store_three(Lanes v, double* p) {
  if constexpr (last)
    p[0] = v[0], p[1] = v[1], p[2] = v[2];
  else
    store(v, p);
}

/// T = S Qᵀ, `nodes` blocks; nine numbers a block in S.
template <bool last>
void turn_columns(const double* S, int nodes, const Mat3& Q, double* T) {
  const Lanes q0 = column(Q, 0), q1 = column(Q, 1), q2 = column(Q, 2);
  for (int a = 0; a < nodes; ++a, S += 9, T += 3 * width)
    for (int r = 0; r < 3; ++r) store_three<last>(S[r] * q0 + S[3 + r] * q1 + S[6 + r] * q2, T + width * r);
}

/// Σ B ∘ Q over the nine numbers.
double inner(const Mat3& B, const Mat3& Q) {
  return B.col(0).dot(Q.col(0)) + B.col(1).dot(Q.col(1)) + B.col(2).dot(Q.col(2));
}

/// |B − w Q| ≤ most, number by number. A NaN is not.
bool near_multiple(const Mat3& B, double w, const Mat3& Q, double most) {
  bool near = true;
  for (int i = 0; i < 9; ++i) near &= std::abs(B.data()[i] - w * Q.data()[i]) <= most;
  return near;
}

/// to[j][i] += from[i][j], 4 × 4.
void add_transposed(const double* from, double* to, long stride) {
  const Lanes a = load(from), b = load(from + width), c = load(from + 2 * width), d = load(from + 3 * width);
  const Lanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Lanes ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lanes cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  store(load(to) + __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5), to);
  store(load(to + stride) + __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5), to + stride);
  store(load(to + 2 * stride) + __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7), to + 2 * stride);
  store(load(to + 3 * stride) + __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7), to + 3 * stride);
}

/// t.c[r] += w · row r of three rows of T.
void add_rows(Tile& t, const double* T, double w) {
  const auto* row = reinterpret_cast<const Lanes*>(T);
  for (int r = 0; r < 3; ++r)
    for (int v = 0; v < 3; ++v) t.c[r][v] += row[3 * r + v] * w;
}

/// t −= ρ × (three rows of T).
void subtract_cross(Tile& t, const double* T, const Vec3& rho) {
  const auto* y = reinterpret_cast<const Lanes*>(T);
  for (int v = 0; v < 3; ++v) {
    t.c[0][v] += y[3 + v] * rho[2] - y[6 + v] * rho[1];
    t.c[1][v] += y[6 + v] * rho[0] - y[v] * rho[2];
    t.c[2][v] += y[v] * rho[1] - y[3 + v] * rho[0];
  }
}

/// t ← Q t.
void turn(Tile& t, const Mat3& Q) {
  const Tile s = t;
  for (int r = 0; r < 3; ++r)
    for (int v = 0; v < 3; ++v) t.c[r][v] = s.c[0][v] * Q(r, 0) + s.c[1][v] * Q(r, 1) + s.c[2][v] * Q(r, 2);
}

}  // namespace

/// Finds the weights and Q, a, ρ of every point. False: some point is of another kind.
bool CondensedProduct::split(const PointJacobian& H, std::span<const int> entry, const CondensedMatrix& C) {
  constexpr double rounding = 1e-14;
  const int m = H.points(), base = C.frame_blocks();
  point_.resize(m);
  node_start_.resize(m + 1);
  node_row_.resize(H.block.size());
  node_weight_.resize(H.block.size());
  turned_ = false;
  int next = 0;
  for (int i = 0; i < m; ++i) {
    Point& p = point_[i];
    Mat3 J[2] = {Mat3::Zero(), Mat3::Zero()};
    double scale = 0;  // of the first block on a node; Q is that block in the size of a rotation
    node_start_[i] = next;
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) {
      const Mat3& B = H.block[k];
      if (entry[k] < base) {
        J[entry[k]] += B;
        continue;
      }
      double w = 0;
      if (scale == 0) {
        w = std::copysign(std::sqrt(inner(B, B) / 3), B(0, 0));  // Q = I also on the side that is subtracted
        if (w == 0) continue;
        p.Q = 1 / w * B;
        scale = std::abs(w);
      } else {
        w = inner(B, p.Q) / 3;
        if (!near_multiple(B, w, p.Q, rounding * std::abs(w))) return false;
      }
      node_row_[next] = 3 * entry[k];
      node_weight_[next++] = w;
    }
    if (scale == 0) {
      p.Q.setIdentity();
      if (const double size = inner(J[0], J[0]); size > 0) p.Q = std::sqrt(3 / size) * J[0] * C.R;
    }
    turned_ = turned_ || !near_multiple(p.Q, 1, Mat3::Identity(), rounding);
    if (!C.frame) continue;
    // With N = Q Rᵀ, a rotation:  J = [a N, −N [r]×] and ρ = Rᵀ r.
    const Mat3 N = p.Q * C.R.transpose(), lever = N.transpose() * J[1];
    const Vec3 r =
        -0.5 * Vec3(lever(2, 1) - lever(1, 2), lever(0, 2) - lever(2, 0), lever(1, 0) - lever(0, 1));
    p.a = inner(J[0], N) / 3;
    p.rho = C.R.transpose() * r;
    const Mat3 N_cross = N * cross_matrix(r);
    if (!near_multiple(J[0], p.a, N, rounding * std::max(scale, std::abs(p.a))) ||
        !near_multiple(J[1], -1, N_cross, 10 * rounding * r.cwiseAbs().sum()))
      return false;
  }
  node_start_[m] = next;
  return true;
}

/// The frame's six rows of the columns of point j.
void CondensedProduct::carry_frame(const PointJacobian& H, std::span<const int> entry,
                                   const CondensedMatrix& C, int j, double* T) {
  Eigen::Matrix<double, 3, 6> J;
  if (weighted_) {
    const Point& p = point_[j];
    J << p.a * p.Q, -p.Q * cross_matrix(p.rho);
  } else {
    J.setZero();
    for (int k = H.start[j]; k < H.start[j + 1]; ++k)
      if (entry[k] < 2) J.middleCols<3>(3 * entry[k]) += H.block[k];
  }
  const Eigen::Matrix<double, 6, 3> Y = (weighted_ ? frame_ : *C.frame) * J.transpose();
  for (int s = 0; s < 6; ++s)
    for (int c = 0; c < 3; ++c) T[width * s + c] = Y(s, c);
}

/// The nodes' rows of the columns of point j: T = C H_jᵀ, block by block.
void CondensedProduct::carry_blocks(const PointJacobian& H, std::span<const int> entry,
                                    const CondensedMatrix& C, int j, int rows, double* T) const {
  const int base = C.frame_blocks();
  for (int s = 3 * base; s < 3 * rows; ++s) store_three<true>(Lanes{}, T + width * s);
  for (int k = H.start[j]; k < H.start[j + 1]; ++k) {
    if (entry[k] < base) continue;
    const Mat3 h = C.scale * H.block[k];
    const Lanes h0 = column(h, 0), h1 = column(h, 1), h2 = column(h, 2);
    const double* c = C.C + 9L * C.nodes * (entry[k] - base);
    double* to = T + 3L * width * base;
    for (int a = base; a < rows; ++a, c += 9)
      for (int r = 0; r < 3; ++r, to += width)
        store_three<true>(load(to) + (c[r] * h0 + c[3 + r] * h1 + c[6 + r] * h2), to);
  }
}

/// The same for weights: T = (Σ_l w_l C_l) Q_jᵀ.
void CondensedProduct::carry_weights(const CondensedMatrix& C, int j, int rows, double* T) {
  const int base = C.frame_blocks(), n = 9 * (rows - base), end = node_start_[j + 1];
  double* __restrict sum = sum_.data();
  const auto at = [&](int k) { return C.C + 9L * C.nodes * (node_row_[k] / 3 - base); };
  int k = node_start_[j];
  if (end - k >= 3) {  // a triangle's corners in one pass
    const double *p = at(k), *q = at(k + 1), *r = at(k + 2);
    const double wp = node_weight_[k], wq = node_weight_[k + 1], wr = node_weight_[k + 2];
    for (int i = 0; i < n; ++i) sum[i] = wp * p[i] + wq * q[i] + wr * r[i];
    k += 3;
  } else {
    std::fill_n(sum, n, 0.0);
  }
  for (; k < end; ++k) {
    const double *p = at(k), w = node_weight_[k];
    for (int i = 0; i < n; ++i) sum[i] += w * p[i];
  }
  const Mat3 Q = C.scale * point_[j].Q;
  if (j % points < points - 1)
    turn_columns<false>(sum, rows - base, Q, T + 3L * width * base);
  else
    turn_columns<true>(sum, rows - base, Q, T + 3L * width * base);
}

void CondensedProduct::add(const PointJacobian& H, std::span<const int> entry, std::span<const int> reach,
                           const CondensedMatrix& C, MatRef G) {
  const int m = H.points();
  const long stride = G.outerStride();
  const size_t rows = 3UL * (C.nodes + C.frame_blocks());
  if (T_.size() < width * rows + 4) T_.resize(width * rows + 4);
  if (sum_.size() < 3 * rows) sum_.resize(3 * rows);
  weighted_ = split(H, entry, C);
  if (weighted_ && C.frame)
    for (int a : {0, 3})
      for (int b : {0, 3}) frame_.block<3, 3>(a, b) = C.R.transpose() * C.frame->block<3, 3>(a, b) * C.R;
  alignas(64) double four[width * width];  // four tiles
  for (int first = 0; first < m; first += points) {
    const int last = std::min(first + points, m), corner = 3 * first;
    for (int j = first; j < last; ++j) {
      double* T = T_.data() + 3 * (j - first);
      if (C.frame) carry_frame(H, entry, C, j, T);
      if (weighted_)
        carry_weights(C, j, reach[last - 1], T);
      else
        carry_blocks(H, entry, C, j, reach[last - 1], T);
    }
    double* const below = G.data() + corner;           // rows of the four points
    double* const above = G.data() + corner * stride;  // their columns
    for (int i = 0; i < last; ++i) {
      Tile t{};
      if (weighted_) {
        const Point& p = point_[i];
        for (int k = node_start_[i]; k < node_start_[i + 1]; ++k)
          add_rows(t, T_.data() + width * node_row_[k], node_weight_[k]);
        if (C.frame) {
          add_rows(t, T_.data(), p.a);
          subtract_cross(t, T_.data() + 3 * width, p.rho);
        }
        if (turned_) turn(t, p.Q);
      } else {
        for (int k = H.start[i]; k < H.start[i + 1]; ++k)
          tiles::add_product(t, T_.data() + 3L * width * entry[k], H.block[k].data());
      }
      double* const row = four + 3 * width * (i % points);
      tiles::store(t, row, width);
      if (i >= first) continue;
      if (last - first < points) {
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3 * (last - first); ++c) {
            below[(3 * i + r) * stride + c] += row[width * r + c];
            above[c * stride + 3 * i + r] += row[width * r + c];
          }
        continue;
      }
      for (int r = 0; r < 3; ++r)
        for (int v = 0; v < 3; ++v) {
          double* const to = below + (3 * i + r) * stride + 4 * v;
          store(load(to) + t.c[r][v], to);
        }
      if (i % points < points - 1) continue;
      for (int c = 0; c < width; c += 4)
        for (int r = 0; r < width; r += 4)
          add_transposed(four + width * r + c, above + c * stride + 3 * (i + 1 - points) + r, stride);
    }
    // Among the four themselves: the two halves agree only to rounding, one is taken.
    for (int c = 0; c < 3 * (last - first); ++c)
      for (int r = 0; r <= c; ++r) {
        const double value = four[width * r + c];
        above[c * stride + corner + r] += value;
        if (r < c) above[r * stride + corner + c] += value;
      }
  }
}

}  // namespace palp
