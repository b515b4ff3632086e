#include "palp/math/projection.hpp"

#include <algorithm>
#include <limits>

namespace palp {

template <class T>
void Projection<T>::add(const Multifrontal<T>& factor, const PointJacobian& H, MatRef G) {
  const Symbolic& S = factor.symbolic();
  slot_.resize(S.nodes(), -1);
  touched_.clear();
  for (int k = 0; k < H.start[H.points()]; ++k)
    if (int& slot = slot_[H.column[k]]; slot < 0) slot = 0, touched_.push_back(H.column[k]);

  const bool by_block = static_cast<int>(touched_.size()) < H.points();
  groups_.clear();
  if (by_block) {
    for (int block : touched_) groups_.push_back({S.place[block], block});
  } else {
    for (int i = 0; i < H.points(); ++i) {
      int earliest = std::numeric_limits<int>::max();
      for (int k = H.start[i]; k < H.start[i + 1]; ++k) earliest = std::min(earliest, S.place[H.column[k]]);
      groups_.push_back({earliest, i});
    }
  }
  if (groups_.empty()) return;  // points on nothing
  std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return a.place != b.place ? a.place < b.place : a.id < b.id;
  });
  lay_out(factor, by_block ? nullptr : &H, false);
  factor.forward(rhs_);
  factor.product(rhs_);  // C = −(rows) A⁻¹ (rows)ᵀ over the groups
  if (by_block)
    scatter_blocks(H, G);
  else
    scatter_points(G);
  for (int block : touched_) slot_[block] = -1;
}

template <class T>
void Projection<T>::columns(const Multifrontal<T>& factor, const PointJacobian& H, MatX& X) {
  constexpr int R = tiles::kRows<T>, N = tiles::kNodes<T>;
  const Symbolic& S = factor.symbolic();
  if (X.rows() != 3 * S.nodes() || X.cols() < 3 * H.points()) X.resize(3 * S.nodes(), 3 * H.points());
  groups_.clear();
  for (int i = 0; i < H.points(); ++i) groups_.push_back({0, i});
  if (groups_.empty()) return;
  lay_out(factor, &H, true);
  factor.forward(rhs_);
  factor.backward(rhs_);
  for (int i = 0; i < H.points(); ++i)
    for (int place = 0; place < S.nodes(); ++place) {
      const int s = S.supernode_of[place];
      const long column = rhs_.offset[s] + 3 * (place - S.supernodes[s].first);
      const T* from = rhs_.strip(i / N) + R * column + 3 * (i % N);
      for (int c = 0; c < 3; ++c)
        for (int a = 0; a < 3; ++a) X(3 * S.order[place] + a, 3 * i + c) = from[R * a + c];
    }
}

// Rows of the right-hand sides, group by group. H = nullptr: unit rows on the groups' own blocks.
template <class T>
void Projection<T>::lay_out(const Multifrontal<T>& factor, const PointJacobian* H, bool everywhere) {
  constexpr int R = tiles::kRows<T>, N = tiles::kNodes<T>;
  const Symbolic& S = factor.symbolic();
  const int groups = static_cast<int>(groups_.size());
  strip_start_.assign(1, 0);
  strip_places_.clear();
  for (int g = 0; g < groups; ++g) {
    if (H)
      for (int k = H->start[groups_[g].id]; k < H->start[groups_[g].id + 1]; ++k)
        strip_places_.push_back(S.place[H->column[k]]);
    else
      strip_places_.push_back(groups_[g].place);
    if (g % N == N - 1 || g == groups - 1) strip_start_.push_back(static_cast<int>(strip_places_.size()));
  }
  factor.plan(strip_start_, strip_places_, rhs_, everywhere);
  // Row r of group g, column a of the block at `place`.
  const auto at = [&](int g, int place, int r, int a) -> T& {
    const int s = S.supernode_of[place];
    const long column = rhs_.offset[s] + 3 * (place - S.supernodes[s].first) + a;
    return rhs_.strip(g / N)[R * column + 3 * (g % N) + r];
  };
  for (int g = 0; g < groups; ++g) {
    if (H) {
      for (int k = H->start[groups_[g].id]; k < H->start[groups_[g].id + 1]; ++k)
        for (int a = 0; a < 3; ++a)
          for (int r = 0; r < 3; ++r) at(g, S.place[H->column[k]], r, a) += static_cast<T>(H->block[k](r, a));
    } else {
      for (int r = 0; r < 3; ++r) at(g, groups_[g].place, r, r) = 1;
    }
  }
}

template <class T>
void Projection<T>::scatter_points(MatRef G) const {
  const long ld = static_cast<long>(tiles::kRows<T>) * rhs_.strips;
  const int groups = static_cast<int>(groups_.size());
  for (int h = 0; h < groups; ++h)
    for (int g = h; g < groups; ++g) {
      const int i = 3 * groups_[g].id, j = 3 * groups_[h].id;
      for (int c = 0; c < 3; ++c)
        for (int r = g == h ? c : 0; r < 3; ++r) {
          const double value = -rhs_.C[(3 * h + c) * ld + 3 * g + r];
          G(i + r, j + c) += value;
          if (i + r != j + c) G(j + c, i + r) += value;
        }
    }
}

template <class T>
void Projection<T>::scatter_blocks(const PointJacobian& H, MatRef G) {
  const long ld = static_cast<long>(tiles::kRows<T>) * rhs_.strips;
  const int groups = static_cast<int>(groups_.size()), size = 3 * groups, rows = 3 * H.points();
  for (int g = 0; g < groups; ++g) slot_[groups_[g].id] = g;
  T* C = rhs_.C.data();
  for (int c = 0; c < size; ++c)
    for (int r = c + 1; r < size; ++r) C[r * ld + c] = C[c * ld + r];
  // HC = −H C. Its rows are sums of columns of the symmetric C; then transposed, so that the second product
  // too runs down contiguous columns.
  HC_.resize(static_cast<size_t>(rows) * size);
  columns_.resize(3 * static_cast<size_t>(std::max(rows, size)));
  for (int i = 0; i < H.points(); ++i) {
    T* __restrict y0 = columns_.data(), * __restrict y1 = y0 + size, * __restrict y2 = y1 + size;
    std::fill_n(y0, 3 * size, T(0));
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) {
      T w[3][3];
      for (int r = 0; r < 3; ++r)
        for (int a = 0; a < 3; ++a) w[r][a] = static_cast<T>(H.block[k](r, a));
      const T *x0 = C + 3L * slot_[H.column[k]] * ld, *x1 = x0 + ld, *x2 = x1 + ld;
      for (int c = 0; c < size; ++c) {
        y0[c] -= w[0][0] * x0[c] + w[0][1] * x1[c] + w[0][2] * x2[c];
        y1[c] -= w[1][0] * x0[c] + w[1][1] * x1[c] + w[1][2] * x2[c];
        y2[c] -= w[2][0] * x0[c] + w[2][1] * x1[c] + w[2][2] * x2[c];
      }
    }
    T* to = HC_.data() + 3L * i;
    for (int c = 0; c < size; ++c, to += rows) {
      to[0] = y0[c];
      to[1] = y1[c];
      to[2] = y2[c];
    }
  }
  // G += (H C) Hᵀ: the three columns of point j from its own rows down, then mirrored.
  for (int j = 0; j < H.points(); ++j) {
    const int top = 3 * j;
    std::fill_n(columns_.begin(), 3 * rows, T(0));
    for (int k = H.start[j]; k < H.start[j + 1]; ++k) {
      const T* x = HC_.data() + 3L * slot_[H.column[k]] * rows;
      for (int c = 0; c < 3; ++c) {
        const T w0 = static_cast<T>(H.block[k](c, 0)), w1 = static_cast<T>(H.block[k](c, 1)),
                w2 = static_cast<T>(H.block[k](c, 2));
        T* to = columns_.data() + c * rows;
        for (int r = top; r < rows; ++r) to[r] += w0 * x[r] + w1 * x[rows + r] + w2 * x[2 * rows + r];
      }
    }
    for (int c = 0; c < 3; ++c) {
      const T* column = columns_.data() + c * rows;
      for (int r = top + c; r < rows; ++r) G(r, top + c) += column[r];
    }
    for (int r = top; r < rows; ++r)
      for (int c = 0; c < 3 && top + c < r; ++c) G(top + c, r) += columns_[c * rows + r];
  }
}

template class Projection<double>;
template class Projection<float>;

}  // namespace palp
