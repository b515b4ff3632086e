#include "palp/mechanics/condensed_product.hpp"

#include <algorithm>
#include <cmath>

#include "palp/math/rotation.hpp"
#include "palp/math/tile_kernels.hpp"

namespace palp {
namespace {

constexpr int width = tiles::kRows<double>;  // twelve columns
constexpr int points = width / 3;
constexpr int pitch =
    16;  // of T: a point's three columns are stored as four, over the next point's or nothing
using Lanes = tiles::Vector<double>;
using Tile = tiles::Tile<double>;
typedef double LooseLanes __attribute__((vector_size(32), aligned(8)));  // anywhere in memory

Lanes load(const double* p) { return *reinterpret_cast<const LooseLanes*>(p); }
void store(Lanes v, double* p) { *reinterpret_cast<LooseLanes*>(p) = v; }
Lanes column(const Mat3& m, int d) { return Lanes{m(0, d), m(1, d), m(2, d), 0}; }

/// T_a = (Σ_l w_l C_al) Qᵀ for the nodes a, of which C_al starts at row[a].
template <size_t count>
void carry(std::span<const CondensedCorner, count> corners, std::span<const long> row, const Mat3& Q,
           double* T) {
  Lanes q[3][3];
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) q[c][d] = Q(c, d) - Lanes{};
  for (const long a : row) {
    Lanes s[3] = {};  // the columns of the sum; the fourth lanes mean nothing
    for (const CondensedCorner& l : corners)
      for (int d = 0; d < 3; ++d) s[d] += l.weight * load(l.C + a + 3 * d);
    Lanes t[3];
    for (int c = 0; c < 3; ++c) t[c] = s[0] * q[c][0] + s[1] * q[c][1] + s[2] * q[c][2];
    const Lanes even = __builtin_shufflevector(t[0], t[1], 0, 4, 2, 6);
    const Lanes odd = __builtin_shufflevector(t[0], t[1], 1, 5, 3, 7);
    const Lanes third = __builtin_shufflevector(t[2], t[2], 1, 0, 3, 2);
    store(__builtin_shufflevector(even, t[2], 0, 1, 4, 5), T);
    store(__builtin_shufflevector(odd, third, 0, 1, 4, 5), T + pitch);
    store(__builtin_shufflevector(even, t[2], 2, 3, 6, 7), T + 2 * pitch);
    T += 3 * pitch;
  }
}

double sum(Lanes v) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// Σ B ∘ Q over the nine numbers.
double inner(const Mat3& B, const Mat3& Q) {
  const double *b = B.data(), *q = Q.data();
  return sum(load(b) * load(q) + load(b + 4) * load(q + 4)) + b[8] * q[8];
}

/// |B − w Q| ≤ most, in the root of the sum of squares. A NaN is not.
bool near_multiple(const Mat3& B, double w, const Mat3& Q, double most) {
  const double *b = B.data(), *q = Q.data();
  const Lanes low = load(b) - w * load(q), high = load(b + 4) - w * load(q + 4);
  const double last = b[8] - w * q[8];
  return sum(low * low + high * high) + last * last <= most * most;
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

/// The same for four tiles. Not inlined: it needs all registers, as do the tiles.
[[gnu::noinline]] void add_four_transposed(const double* from, double* to, long stride) {
  for (int c = 0; c < width; c += 4)
    for (int r = 0; r < width; r += 4) add_transposed(from + width * r + c, to + c * stride + r, stride);
}

/// Three columns of G += t.
void add_tile(const Tile& t, double* to, long stride) {
  for (int r = 0; r < 3; ++r, to += stride)
    for (int v = 0; v < 3; ++v) store(load(to + 4 * v) + t.c[r][v], to + 4 * v);
}

/// A tile of which only the first columns count, on both sides of the diagonal.
[[gnu::noinline]] void add_narrow(const double* tile, int columns, double* below, double* above,
                                  long stride) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < columns; ++c) {
      below[r * stride + c] += tile[width * r + c];
      above[c * stride + r] += tile[width * r + c];
    }
}

/// t.c[r] += w · row r of three rows of T.
void add_rows(Tile& t, const double* T, double w) {
  const auto* row = reinterpret_cast<const Lanes*>(T);
  for (int r = 0; r < 3; ++r)
    for (int v = 0; v < 3; ++v) t.c[r][v] += row[pitch / 4 * r + v] * w;
}

/// t += B · (three rows of T).
void add_product(Tile& t, const double* T, const Mat3& B) {
  const auto* row = reinterpret_cast<const Lanes*>(T);
  for (int p = 0; p < 3; ++p)
    for (int r = 0; r < 3; ++r)
      for (int v = 0; v < 3; ++v) t.c[r][v] += row[pitch / 4 * p + v] * B(r, p);
}

/// t −= ρ × (three rows of T).
void subtract_cross(Tile& t, const double* T, const Vec3& rho) {
  const auto* y = reinterpret_cast<const Lanes*>(T);
  for (int v = 0; v < 3; ++v) {
    const Lanes y0 = y[v], y1 = y[pitch / 4 + v], y2 = y[pitch / 2 + v];
    t.c[0][v] = (t.c[0][v] + y1 * rho[2]) - y2 * rho[1];  // two fused steps each
    t.c[1][v] = (t.c[1][v] + y2 * rho[0]) - y0 * rho[2];
    t.c[2][v] = (t.c[2][v] + y0 * rho[1]) - y1 * rho[0];
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
  constexpr double rounding = 1e-14, third = 1.0 / 3;
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
    double scale = 0;    // of the first block on a node; Q is that block in the size of a rotation
    int row = 0;         // where the first column of Q is large: there other blocks are compared with it, …
    double inverse = 0;  // … by 1 / that number
    node_start_[i] = next;
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) {
      const Mat3& B = H.block[k];
      if (entry[k] < 0) continue;
      if (entry[k] < base) {
        J[entry[k]] += B;
        continue;
      }
      double w = 0;
      if (scale == 0) {
        w = std::copysign(std::sqrt(inner(B, B) * third),
                          B(0, 0));  // Q = I also on the side that is subtracted
        if (w == 0) continue;
        p.Q = 1 / w * B;
        scale = std::abs(w);
        while (row < 2 && std::abs(p.Q(row, 0)) < 0.5) ++row;
        inverse = 1 / p.Q(row, 0);
      } else {
        w = B(row, 0) * inverse;
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
    p.a = inner(J[0], N) * third;
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
      if (entry[k] == 0 || entry[k] == 1) J.middleCols<3>(3 * entry[k]) += H.block[k];
  }
  const Eigen::Matrix<double, 6, 3> Y = (weighted_ ? frame_ : *C.frame) * J.transpose();
  for (int s = 0; s < 6; ++s)
    for (int c = 0; c < 3; ++c) T[pitch * s + c] = Y(s, c);
}

/// The nodes' rows of the columns of point j: T = C H_jᵀ, block by block.
void CondensedProduct::carry_blocks(const PointJacobian& H, std::span<const int> entry,
                                    const CondensedMatrix& C, int j, int rows, double* T) const {
  const int base = C.frame_blocks();
  for (int s = 3 * base; s < 3 * rows; ++s) store(Lanes{}, T + pitch * s);
  for (int k = H.start[j]; k < H.start[j + 1]; ++k) {
    if (entry[k] < base) continue;  // the frame's, or held
    const Mat3 h = C.scale * H.block[k];
    const Lanes h0 = column(h, 0), h1 = column(h, 1), h2 = column(h, 2);
    const double* column = C.C + C.column[entry[k] - base];
    double* to = T + 3L * pitch * base;
    for (int a = base; a < rows; ++a) {
      const double* c = column + C.row[a - base];
      for (int r = 0; r < 3; ++r, to += pitch)
        store(load(to) + (c[r] * h0 + c[3 + r] * h1 + c[6 + r] * h2), to);
    }
  }
}

/// The same for weights: T = (Σ_l w_l C_l) Q_jᵀ.
void CondensedProduct::carry_weights(const CondensedMatrix& C, int j, int rows, double* T) {
  const int base = C.frame_blocks(), begin = node_start_[j], count = node_start_[j + 1] - begin;
  if (corners_.size() < static_cast<size_t>(count)) corners_.resize(count);
  for (int k = 0; k < count; ++k)
    corners_[k] = {C.C + C.column[node_row_[begin + k] / 3 - base], node_weight_[begin + k]};
  const std::span<const CondensedCorner> corners(corners_.data(), count);
  const std::span<const long> row = C.row.first(rows - base);
  const Mat3 Q = C.scale * point_[j].Q;
  T += 3L * pitch * base;
  if (count == 3)
    carry(corners.first<3>(), row, Q, T);  // a triangle's corners, in registers
  else
    carry(corners, row, Q, T);
}

void CondensedProduct::add(const PointJacobian& H, std::span<const int> entry, std::span<const int> reach,
                           const CondensedMatrix& C, MatRef G) {
  const int m = H.points();
  const long stride = G.outerStride();
  const size_t rows = std::max(1UL, 3UL * (C.nodes() + C.frame_blocks()));  // points that do not move: still a T
  if (T_.size() < pitch * rows) T_.resize(pitch * rows);
  weighted_ = split(H, entry, C);
  if (weighted_ && C.frame)
    for (int a : {0, 3})
      for (int b : {0, 3}) frame_.block<3, 3>(a, b) = C.R.transpose() * C.frame->block<3, 3>(a, b) * C.R;
  alignas(64) double four[width * width];  // four tiles
  for (int first = 0; first < m; first += points) {
    const int last = std::min(first + points, m), columns = 3 * (last - first);
    for (int j = first; j < last; ++j) {
      double* T = T_.data() + 3 * (j - first);
      if (C.frame) carry_frame(H, entry, C, j, T);
      if (weighted_)
        carry_weights(C, j, reach[last - 1], T);
      else
        carry_blocks(H, entry, C, j, reach[last - 1], T);
    }
    double* const below = G.data() + 3 * first;           // rows of the four points
    double* const above = G.data() + 3 * first * stride;  // their columns
    for (int i = 0; i < last; ++i) {
      Tile t{};
      if (weighted_) {
        const Point& p = point_[i];
        for (int k = node_start_[i]; k < node_start_[i + 1]; ++k)
          add_rows(t, T_.data() + pitch * node_row_[k], node_weight_[k]);
        if (C.frame) {
          add_rows(t, T_.data(), p.a);
          subtract_cross(t, T_.data() + 3 * pitch, p.rho);
        }
        if (turned_) turn(t, p.Q);
      } else {
        for (int k = H.start[i]; k < H.start[i + 1]; ++k)
          if (entry[k] >= 0) add_product(t, T_.data() + 3L * pitch * entry[k], H.block[k]);
      }
      double* const tile = four + 3 * width * (i % points);
      tiles::store(t, tile, width);
      if (i >= first) continue;
      if (columns < width) {
        add_narrow(tile, columns, below + 3 * i * stride, above + 3 * i, stride);
        continue;
      }
      add_tile(t, below + 3 * i * stride, stride);
      if (i % points == points - 1) add_four_transposed(four, above + 3 * (i + 1 - points), stride);
    }
    // Among the four themselves: the two halves agree only to rounding, one is taken.
    double* const diagonal = above + 3 * first;
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r <= c; ++r) {
        diagonal[c * stride + r] += four[width * r + c];
        if (r < c) diagonal[r * stride + c] += four[width * r + c];
      }
  }
}

}  // namespace palp
