// The one dense kernel of the sparse Cholesky: a tile of R rows × 3 columns, C ← C − A Bᵀ, kept in registers.
//
// Rows come in strips of R = 3 vectors (12 rows in double, 24 in float: 4 or 8 nodes). A strip with K columns
// is stored column after column, R numbers each:
//
//      strip 0  | R×K |      tile (strip s, node j):   rows of strip s, the three columns of node j
//      strip 1  | R×K |      A = strip s,  B = the three rows of node j inside strip j / (R/3)
//        …
//
// Factorisation, forward solves with many right-hand sides and the product Yᵀ Y are all made of this tile: a
// right-hand side is just one more row under the matrix. The way back, X L = Y, has its mirror image. Nine
// accumulators hide the latency of the fused multiply-add; the vector types are those of GCC and Clang, so
// any machine compiles them.
#pragma once

namespace palp::tiles {

template <class T>
inline constexpr int kLanes = 32 / static_cast<int>(sizeof(T));
/// Rows in a strip.
template <class T>
inline constexpr int kRows = 3 * kLanes<T>;
/// Nodes in a strip.
template <class T>
inline constexpr int kNodes = kLanes<T>;

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(32)));
};
template <class T>
using Vector = typename VectorOf<T>::type;

/// R × 3 numbers in registers: c[column][vector].
template <class T>
struct Tile {
  Vector<T> c[3][3];
};

template <class T>
inline Tile<T> load(const T* C, long stride) {
  Tile<T> t;
  for (int c = 0; c < 3; ++c)
    for (int v = 0; v < 3; ++v)
      t.c[c][v] = *reinterpret_cast<const Vector<T>*>(C + c * stride + v * kLanes<T>);
  return t;
}

template <class T>
inline void store(const Tile<T>& t, T* C, long stride) {
  for (int c = 0; c < 3; ++c)
    for (int v = 0; v < 3; ++v) *reinterpret_cast<Vector<T>*>(C + c * stride + v * kLanes<T>) = t.c[c][v];
}

/// t ← t − A Bᵀ over K columns. A: a strip; B: three rows of a strip (pointer to the first of them).
template <class T>
inline void subtract_product(Tile<T>& t, const T* A, const T* B, int K) {
  constexpr int R = kRows<T>, V = kLanes<T>;
  Vector<T> c00 = t.c[0][0], c01 = t.c[0][1], c02 = t.c[0][2];
  Vector<T> c10 = t.c[1][0], c11 = t.c[1][1], c12 = t.c[1][2];
  Vector<T> c20 = t.c[2][0], c21 = t.c[2][1], c22 = t.c[2][2];
#pragma GCC unroll 3
  for (int p = 0; p < K; ++p) {
    const auto* a = reinterpret_cast<const Vector<T>*>(A);
    const Vector<T> a0 = a[0], a1 = a[1], a2 = a[2];
    const Vector<T> b0 = B[0] - Vector<T>{}, b1 = B[1] - Vector<T>{}, b2 = B[2] - Vector<T>{};
    c00 -= a0 * b0, c01 -= a1 * b0, c02 -= a2 * b0;
    c10 -= a0 * b1, c11 -= a1 * b1, c12 -= a2 * b1;
    c20 -= a0 * b2, c21 -= a1 * b2, c22 -= a2 * b2;
    A += R, B += R;
  }
  static_assert(V * 3 == R);
  t = {{{c00, c01, c02}, {c10, c11, c12}, {c20, c21, c22}}};
}

/// t ← t − X L over K rows of L. X: K columns of a strip; L: the first of these rows, in the first of three
/// columns of a strip.
template <class T>
inline void subtract_rows(Tile<T>& t, const T* X, const T* L, int K) {
  constexpr int R = kRows<T>;
  Vector<T> c00 = t.c[0][0], c01 = t.c[0][1], c02 = t.c[0][2];
  Vector<T> c10 = t.c[1][0], c11 = t.c[1][1], c12 = t.c[1][2];
  Vector<T> c20 = t.c[2][0], c21 = t.c[2][1], c22 = t.c[2][2];
#pragma GCC unroll 3
  for (int p = 0; p < K; ++p) {
    const auto* x = reinterpret_cast<const Vector<T>*>(X);
    const Vector<T> x0 = x[0], x1 = x[1], x2 = x[2];
    const Vector<T> b0 = L[0] - Vector<T>{}, b1 = L[R] - Vector<T>{}, b2 = L[2 * R] - Vector<T>{};
    c00 -= x0 * b0, c01 -= x1 * b0, c02 -= x2 * b0;
    c10 -= x0 * b1, c11 -= x1 * b1, c12 -= x2 * b1;
    c20 -= x0 * b2, c21 -= x1 * b2, c22 -= x2 * b2;
    X += R, ++L;
  }
  t = {{{c00, c01, c02}, {c10, c11, c12}, {c20, c21, c22}}};
}

/// The Cholesky factor of a 3×3 diagonal block, with reciprocal diagonal: what a tile is divided by.
template <class T>
struct Diagonal {
  T inv0, l10, inv1, l20, l21, inv2;
};

/// t ← t D⁻ᵀ: the triangular solve that turns a tile into three columns of L (or of Yᵀ).
template <class T>
inline void divide(Tile<T>& t, const Diagonal<T>& d) {
  for (int v = 0; v < 3; ++v) {
    t.c[0][v] = t.c[0][v] * d.inv0;
    t.c[1][v] = (t.c[1][v] - t.c[0][v] * d.l10) * d.inv1;
    t.c[2][v] = (t.c[2][v] - t.c[0][v] * d.l20 - t.c[1][v] * d.l21) * d.inv2;
  }
}

/// t ← t D⁻¹: the same on the way back.
template <class T>
inline void divide_back(Tile<T>& t, const Diagonal<T>& d) {
  for (int v = 0; v < 3; ++v) {
    t.c[2][v] = t.c[2][v] * d.inv2;
    t.c[1][v] = (t.c[1][v] - t.c[2][v] * d.l21) * d.inv1;
    t.c[0][v] = (t.c[0][v] - t.c[1][v] * d.l10 - t.c[2][v] * d.l20) * d.inv0;
  }
}

}  // namespace palp::tiles
