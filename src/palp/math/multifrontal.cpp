#include "palp/math/multifrontal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace palp {

using tiles::Diagonal;
using tiles::Tile;

namespace {

int strips_for(int nodes, int per_strip) { return (nodes + per_strip - 1) / per_strip; }

// Three columns: t += a over the rows of `nodes` nodes.
template <class T>
inline void add_rows(T* __restrict t, long ld_t, const T* __restrict a, long ld_a, int nodes) {
  if (nodes == 1) {
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) t[c * ld_t + r] += a[c * ld_a + r];
    return;
  }
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3 * nodes; ++r) t[c * ld_t + r] += a[c * ld_a + r];
}

// own[c] −= (column c of a strip) · below, over `columns` columns. The same whichever way it is summed up to
// rounding; a vector at a time, since nothing but memory should limit a solve.
template <class T>
void subtract_dots(const T* strip, const T* below, int columns, T* own) {
  using V = tiles::Vector<T>;
  const auto* b = reinterpret_cast<const V*>(below);
  const V b0 = b[0], b1 = b[1], b2 = b[2];
  const auto dots = [&](int c) {
    const auto* a = reinterpret_cast<const V*>(strip + tiles::kRows<T> * c);
    return a[0] * b0 + a[1] * b1 + a[2] * b2;
  };
  int c = 0;
  if constexpr (tiles::kLanes<T> == 4)
    for (; c + 4 <= columns; c += 4) {  // four sums over lanes at once
      const V v0 = dots(c), v1 = dots(c + 1), v2 = dots(c + 2), v3 = dots(c + 3);
      const V s01 = __builtin_shufflevector(v0, v1, 0, 4, 2, 6) + __builtin_shufflevector(v0, v1, 1, 5, 3, 7);
      const V s23 = __builtin_shufflevector(v2, v3, 0, 4, 2, 6) + __builtin_shufflevector(v2, v3, 1, 5, 3, 7);
      const V sum =
          __builtin_shufflevector(s01, s23, 0, 1, 4, 5) + __builtin_shufflevector(s01, s23, 2, 3, 6, 7);
      for (int k = 0; k < 4; ++k) own[c + k] -= sum[k];
    }
  for (; c < columns; ++c) {
    const V v = dots(c);
    T sum = 0;
    for (int k = 0; k < tiles::kLanes<T>; ++k) sum += v[k];
    own[c] -= sum;
  }
}

// L of a 3×3 block; false when a pivot is not a positive finite number.
template <class T>
bool factor_diagonal(const T (&a)[3][3], T (&l)[3][3], Diagonal<T>& d) {
  const auto good = [](T pivot) { return pivot > 0 && pivot <= std::numeric_limits<T>::max(); };
  if (!good(a[0][0])) return false;
  l[0][0] = std::sqrt(a[0][0]);
  d.inv0 = 1 / l[0][0];
  d.l10 = l[1][0] = a[1][0] * d.inv0;
  d.l20 = l[2][0] = a[2][0] * d.inv0;
  const T p1 = a[1][1] - d.l10 * d.l10;
  if (!good(p1)) return false;
  l[1][1] = std::sqrt(p1);
  d.inv1 = 1 / l[1][1];
  d.l21 = l[2][1] = (a[2][1] - d.l20 * d.l10) * d.inv1;
  const T p2 = a[2][2] - d.l20 * d.l20 - d.l21 * d.l21;
  if (!good(p2)) return false;
  l[2][2] = std::sqrt(p2);
  d.inv2 = 1 / l[2][2];
  l[0][1] = l[0][2] = l[1][2] = 0;
  return true;
}

}  // namespace

template <class T>
void Multifrontal<T>::prepare(const Symbolic& symbolic) {
  symbolic_ = &symbolic;
  fronts_.assign(symbolic.supernodes.size(), {});
  diagonal_.assign(symbolic.nodes(), {});
  long size_L = 0, size_panel = 0, top[2] = {0, 0}, peak[2] = {0, 0};
  for (size_t s = 0; s < fronts_.size(); ++s) {
    const Supernode& node = symbolic.supernodes[s];
    Front& f = fronts_[s];
    f.pivot_strips = strips_for(node.pivots, N);
    f.update_strips = strips_for(node.updates(), N);
    f.width = 3 * node.pivots;
    f.L = size_L;
    size_L += static_cast<long>(R) * (f.pivot_strips + f.update_strips) * f.width;
    size_panel = std::max(size_panel, static_cast<long>(R) * (f.pivot_strips + f.update_strips) * f.width);
    // Two stacks by parity of depth: when a front is assembled its children lie on top of the other stack.
    const int own = node.depth % 2;
    f.U = top[own];
    top[own] += static_cast<long>(R) * f.update_strips * 3 * node.updates();
    peak[own] = std::max(peak[own], top[own]);
    if (node.children_begin < node.children_end)
      top[1 - own] = fronts_[symbolic.children[node.children_begin]].U;
  }
  L_.assign(size_L, 0);
  panel_.assign(size_panel, 0);
  for (int i : {0, 1}) stack_[i].assign(peak[i], 0);
}

// Pivot columns of the front: blocks of A + what the children's update matrices hold for them.
// panel: column-major, leading dimension = rows of all strips; only strips on and below the diagonal are
// used.
template <class T>
void Multifrontal<T>::assemble_panel(int s, const BlockSymmetric& A, T* panel) const {
  const Supernode& node = symbolic_->supernodes[s];
  const Front& f = fronts_[s];
  const long ld = static_cast<long>(R) * (f.pivot_strips + f.update_strips);
  const int update_row = R * f.pivot_strips;
  const auto row_of = [&](int place) {
    return place < node.pivots ? 3 * place : update_row + 3 * (place - node.pivots);
  };
  for (int c = 0; c < f.width; ++c) {
    const int top = c / R * R;
    std::fill_n(panel + c * ld + top, ld - top, T(0));
  }
  for (int e = node.entries_begin; e < node.entries_end; ++e) {
    const Entry& entry = symbolic_->entries[e];
    const Mat3& block = A.value[entry.value];
    T* to = panel + 3 * entry.column * ld + row_of(entry.place);
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        to[c * ld + r] = static_cast<T>(entry.transposed ? block(c, r) : block(r, c));
  }
  for (int child = node.children_begin; child < node.children_end; ++child) {
    const Update below = update_of(symbolic_->children[child]);
    for (size_t r = 0; r < below.runs.size() && below.runs[r].to < node.pivots; ++r)
      for (int j = 0; j < below.runs[r].length; ++j) {
        const T* from = below.U + 3 * (below.runs[r].from + j) * below.ld;
        T* to = panel + 3 * (below.runs[r].to + j) * ld;
        for (size_t q = r; q < below.runs.size(); ++q) {
          const Run& run = below.runs[q];
          const int skip = q == r ? j : 0;
          add_rows(to + row_of(run.to + skip), ld, from + 3 * (run.from + skip), below.ld, run.length - skip);
        }
      }
  }
}

// U += the rest of the children's update matrices.
template <class T>
void Multifrontal<T>::assemble_update(int s, T* U) const {
  const Supernode& node = symbolic_->supernodes[s];
  const long ld = static_cast<long>(R) * fronts_[s].update_strips;
  for (int child = node.children_begin; child < node.children_end; ++child) {
    const Update below = update_of(symbolic_->children[child]);
    for (size_t r = 0; r < below.runs.size(); ++r) {
      const int column = below.runs[r].to - node.pivots;
      if (column < 0) continue;
      for (int j = 0; j < below.runs[r].length; ++j) {
        const T* from = below.U + 3 * (below.runs[r].from + j) * below.ld;
        T* to = U + 3 * (column + j) * ld;
        for (size_t q = r; q < below.runs.size(); ++q) {
          const Run& run = below.runs[q];
          const int skip = q == r ? j : 0;
          add_rows(to + 3 * (run.to - node.pivots + skip), ld, from + 3 * (run.from + skip), below.ld,
                   run.length - skip);
        }
      }
    }
  }
}

// L in the pivot columns begin … end (scalars), strip by strip; earlier columns have already been subtracted.
template <class T>
bool Multifrontal<T>::factor_columns(const Supernode& node, const Front& f, int begin, int end,
                                     const T* panel) {
  const int strips = f.pivot_strips + f.update_strips;
  const long ld = static_cast<long>(R) * strips;
  for (int s = begin / R; s < strips; ++s) {
    T* row = strip(f, s);
    const int columns = s < f.pivot_strips ? std::min(end, R * (s + 1)) : end;
    for (int c = begin; c < columns; c += 3) {
      const int j = c / 3;
      Tile<T> t = tiles::load(panel + c * ld + R * s, ld);
      tiles::subtract_product(t, row + R * begin, strip(f, j / N) + R * begin + 3 * (j % N), c - begin);
      Diagonal<T>& d = diagonal_[node.first + j];
      if (s != j / N) {
        tiles::divide(t, d);
        tiles::store(t, row + R * c, R);
        continue;
      }
      // The diagonal block lies in this tile: rows above it belong to the upper triangle, which stays zero.
      T* out = row + R * c;
      tiles::store(t, out, R);
      const int top = 3 * (j % N);
      T a[3][3], l[3][3];
      for (int q = 0; q < 3; ++q)
        for (int r = 0; r < 3; ++r) a[r][q] = out[q * R + top + r];
      if (!factor_diagonal(a, l, d)) return false;
      tiles::divide(t, d);
      tiles::store(t, out, R);
      for (int q = 0; q < 3; ++q) {
        std::fill_n(out + q * R, top, T(0));
        for (int r = 0; r < 3; ++r) out[q * R + top + r] = l[r][q];
      }
    }
  }
  return true;
}

// Later pivot columns −= L(:, begin … end) L(·)ᵀ.
template <class T>
void Multifrontal<T>::update_panel(const Front& f, int begin, int end, T* panel) const {
  const int strips = f.pivot_strips + f.update_strips;
  const long ld = static_cast<long>(R) * strips;
  for (int b = end / R; b < f.pivot_strips; ++b)
    for (int a = b; a < strips; ++a)
      for (int c = R * b; c < std::min(f.width, R * (b + 1)); c += 3) {
        T* C = panel + c * ld + R * a;
        Tile<T> t = tiles::load(C, ld);
        tiles::subtract_product(t, strip(f, a) + R * begin, strip(f, b) + R * begin + (c - R * b),
                                end - begin);
        tiles::store(t, C, ld);
      }
}

// U −= L21(:, begin … end) L21(·)ᵀ, lower triangle; the first block of columns starts from zero.
template <class T>
void Multifrontal<T>::update_trailing(const Front& f, int begin, int end, T* U, int updates) const {
  const long ld = static_cast<long>(R) * f.update_strips;
  for (int b = 0; b < f.update_strips; ++b) {
    const T* B = strip(f, f.pivot_strips + b) + R * begin;
    for (int a = b; a < f.update_strips; ++a) {
      const T* A = strip(f, f.pivot_strips + a) + R * begin;
      for (int c = R * b; c < std::min(3 * updates, R * (b + 1)); c += 3) {
        T* C = U + c * ld + R * a;
        Tile<T> t = begin == 0 ? Tile<T>{} : tiles::load(C, ld);
        tiles::subtract_product(t, A, B + (c - R * b), end - begin);
        tiles::store(t, C, ld);
      }
    }
  }
}

template <class T>
bool Multifrontal<T>::factor(const BlockSymmetric& A) {
  for (size_t s = 0; s < fronts_.size(); ++s) {
    const Supernode& node = symbolic_->supernodes[s];
    const Front& f = fronts_[s];
    T* panel = panel_.data();
    T* U = stack_[node.depth % 2].data() + f.U;
    assemble_panel(static_cast<int>(s), A, panel);
    for (int begin = 0; begin < f.width; begin += kBlock) {
      const int end = std::min(f.width, begin + kBlock);
      if (!factor_columns(node, f, begin, end, panel)) return false;
      if (end < f.width) update_panel(f, begin, end, panel);
      update_trailing(f, begin, end, U, node.updates());
    }
    assemble_update(static_cast<int>(s), U);
  }
  return true;
}

template <class T>
void Multifrontal<T>::forward(std::span<T> x) const {
  for (size_t s = 0; s < fronts_.size(); ++s) {
    const Supernode& node = symbolic_->supernodes[s];
    const Front& f = fronts_[s];
    T* own = x.data() + 3 * node.first;
    if (std::all_of(own, own + f.width, [](T v) { return v == 0; })) continue;
    for (int p = 0; p < f.pivot_strips; ++p) {
      // Rows of this strip minus what earlier columns contribute, then the triangle inside the strip.
      const T* row = strip(f, p);
      T sum[R] = {};
      for (int c = 0; c < R * p; ++c)
        for (int r = 0; r < R; ++r) sum[r] += row[R * c + r] * own[c];
      const int rows = std::min(R, f.width - R * p);
      for (int r = 0; r < rows; ++r) {
        T value = own[R * p + r] - sum[r];
        for (int c = R * p; c < R * p + r; ++c) value -= row[R * c + r] * own[c];
        own[R * p + r] = value / row[R * (R * p + r) + r];
      }
    }
    for (int u = 0; u < f.update_strips; ++u) {
      const T* row = strip(f, f.pivot_strips + u);
      T sum[R] = {};
      for (int c = 0; c < f.width; ++c)
        for (int r = 0; r < R; ++r) sum[r] += row[R * c + r] * own[c];
      for (int i = 0; i < std::min(N, node.updates() - N * u); ++i) {
        T* to = x.data() + 3 * symbolic_->rows[node.rows_begin + N * u + i];
        for (int r = 0; r < 3; ++r) to[r] -= sum[3 * i + r];
      }
    }
  }
}

template <class T>
void Multifrontal<T>::backward(std::span<T> x) const {
  for (size_t s = fronts_.size(); s-- > 0;) {
    const Supernode& node = symbolic_->supernodes[s];
    const Front& f = fronts_[s];
    T* own = x.data() + 3 * node.first;
    for (int u = 0; u < f.update_strips; ++u) {
      const T* row = strip(f, f.pivot_strips + u);
      alignas(32) T below[R] = {};
      for (int i = 0; i < std::min(N, node.updates() - N * u); ++i)
        for (int r = 0; r < 3; ++r)
          below[3 * i + r] = x[3 * symbolic_->rows[node.rows_begin + N * u + i] + r];
      subtract_dots(row, below, f.width, own);
    }
    for (int p = f.pivot_strips - 1; p >= 0; --p) {
      const T* row = strip(f, p);
      const int rows = std::min(R, f.width - R * p);
      for (int r = rows - 1; r >= 0; --r) {
        T value = own[R * p + r];
        for (int q = r + 1; q < rows; ++q) value -= row[R * (R * p + r) + q] * own[R * p + q];
        own[R * p + r] = value / row[R * (R * p + r) + r];
      }
      alignas(32) T solved[R] = {};
      std::copy_n(own + R * p, rows, solved);
      subtract_dots(row, solved, R * p, own);
    }
  }
}

template class Multifrontal<double>;
template class Multifrontal<float>;

}  // namespace palp
