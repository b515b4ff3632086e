// Many right-hand sides as strips under the matrix: reach, forward solve, the way back, product.
#include <algorithm>

#include "palp/math/multifrontal.hpp"

namespace palp {

using tiles::Tile;

template <class T>
void Multifrontal<T>::plan(std::span<const int> start, std::span<const int> places, RhsStrips<T>& rhs,
                           bool everywhere) const {
  const int count = static_cast<int>(fronts_.size());
  rhs.strips = static_cast<int>(start.size()) - 1;
  rhs.offset.assign(count, -1);
  rhs.active_start.assign(count + 1, 0);
  // From every touched supernode up to the root, once per strip. A supernode is entered at a place of the
  // strip's own or at the first update row of a child.
  const auto walk = [&](auto&& enter, auto&& visit) {
    rhs.mark.assign(count, -1);
    for (int strip = 0; strip < rhs.strips; ++strip)
      for (int k = start[strip]; k < start[strip + 1]; ++k) {
        int place = places[k];
        for (int s = symbolic_->supernode_of[place]; s >= 0;) {
          const Supernode& node = symbolic_->supernodes[s];
          const bool again = rhs.mark[s] == strip;
          rhs.mark[s] = strip;
          if (!again) enter(s, strip);
          visit(s, 3 * (place - node.first));
          if (again || node.parent < 0) break;
          place = symbolic_->rows[node.rows_begin];
          s = node.parent;
        }
      }
  };
  walk([&](int s, int) { ++rhs.active_start[s + 1]; }, [](int, int) {});
  rhs.columns = 0;
  for (int s = 0; s < count; ++s) {
    if (everywhere || rhs.active_start[s + 1] > 0) {
      rhs.offset[s] = rhs.columns;
      rhs.columns += fronts_[s].width;
    }
    rhs.active_start[s + 1] += rhs.active_start[s];
  }
  rhs.active.resize(rhs.active_start[count]);
  rhs.first.resize(rhs.active_start[count]);
  const size_t size = static_cast<size_t>(rhs.strips) * rhs.columns * R;
  if (rhs.Y.size() < size) rhs.Y.resize(size);
  if (everywhere) std::fill_n(rhs.Y.begin(), size, T(0));
  walk(
      [&](int s, int strip) {
        rhs.active[rhs.active_start[s]] = strip;
        rhs.first[rhs.active_start[s]++] = fronts_[s].width;
        std::fill_n(rhs.strip(strip) + static_cast<long>(R) * rhs.offset[s], R * fronts_[s].width, T(0));
      },
      [&](int s, int column) {
        int& first = rhs.first[rhs.active_start[s] - 1];
        first = std::min(first, column);
      });
  for (int s = count; s > 0; --s) rhs.active_start[s] = rhs.active_start[s - 1];
  rhs.active_start[0] = 0;
}

template <class T>
void Multifrontal<T>::forward(RhsStrips<T>& rhs) const {
  for (size_t s = 0; s < fronts_.size(); ++s) {
    if (rhs.offset[s] < 0) continue;
    const Supernode& node = symbolic_->supernodes[s];
    const Front& f = fronts_[s];
    const long own = static_cast<long>(R) * rhs.offset[s];
    const int active_begin = rhs.active_start[s], active_end = rhs.active_start[s + 1];
    if (active_begin == active_end) continue;
    for (int begin = 0; begin < f.width; begin += kBlock) {
      const int end = std::min(f.width, begin + kBlock);
      for (int a = active_begin; a < active_end; ++a) {
        T* Y = rhs.strip(rhs.active[a]) + own;
        const int from = std::max(begin, rhs.first[a]);
        for (int c = from; c < end; c += 3) {
          const int j = c / 3;
          Tile<T> t = tiles::load(Y + R * c, R);
          tiles::subtract_product(t, Y + R * from, strip(f, j / N) + R * from + 3 * (j % N), c - from);
          tiles::divide(t, diagonal_[node.first + j]);
          tiles::store(t, Y + R * c, R);
        }
      }
      // Later columns of every strip −= Y(begin … end) L(·, begin … end)ᵀ; one strip of L serves all strips
      // of Y.
      const auto subtract = [&](const T* L, int nodes, const long* column) {
        for (int a = active_begin; a < active_end; ++a) {
          T* Y = rhs.strip(rhs.active[a]);
          const int from = std::max(begin, rhs.first[a]);
          if (from >= end) continue;
          for (int i = 0; i < nodes; ++i) {
            T* C = Y + column[i];
            Tile<T> t = tiles::load(C, R);
            tiles::subtract_product(t, Y + own + R * from, L + R * from + 3 * i, end - from);
            tiles::store(t, C, R);
          }
        }
      };
      long column[N];
      for (int p = end / R; p < f.pivot_strips && end < f.width; ++p) {
        const int nodes = std::min(N, node.pivots - N * p);
        for (int i = 0; i < nodes; ++i) column[i] = own + static_cast<long>(R) * 3 * (N * p + i);
        subtract(strip(f, p), nodes, column);
      }
      for (int u = 0; u < f.update_strips; ++u) {
        const int nodes = std::min(N, node.updates() - N * u);
        for (int i = 0; i < nodes; ++i) {
          const int place = symbolic_->rows[node.rows_begin + N * u + i], up = symbolic_->supernode_of[place];
          column[i] = static_cast<long>(R) * (rhs.offset[up] + 3 * (place - symbolic_->supernodes[up].first));
        }
        subtract(strip(f, f.pivot_strips + u), nodes, column);
      }
    }
  }
}

template <class T>
void Multifrontal<T>::backward(RhsStrips<T>& rhs) const {
  for (size_t s = fronts_.size(); s-- > 0;) {
    const Supernode& node = symbolic_->supernodes[s];
    const Front& f = fronts_[s];
    const long own = static_cast<long>(R) * rhs.offset[s];
    // What is known of the rows below, strip by strip, so that the kernel runs along it.
    const long length = static_cast<long>(R) * R * f.update_strips;
    if (rhs.below.size() < static_cast<size_t>(length * rhs.strips)) rhs.below.resize(length * rhs.strips);
    for (int a = 0; a < rhs.strips; ++a) {
      T* to = rhs.below.data() + a * length;
      for (int u = 0; u < node.updates(); ++u) {
        const int place = symbolic_->rows[node.rows_begin + u], up = symbolic_->supernode_of[place];
        const int column = rhs.offset[up] + 3 * (place - symbolic_->supernodes[up].first);
        std::copy_n(rhs.strip(a) + static_cast<long>(R) * column, 3 * R, to + 3L * R * u);
      }
    }
    const int updates = 3 * node.updates();
    for (int j = node.pivots - 1; j >= 0; --j) {
      const int c = 3 * j;
      for (int a = 0; a < rhs.strips; ++a) {  // one column of L serves all strips
        T* Y = rhs.strip(a) + own;
        const T* below = rhs.below.data() + a * length;
        Tile<T> t = tiles::load(Y + R * c, R);
        for (int row = c + 3; row < f.width;) {  // the pivots after this one
          const int end = std::min(f.width, R * (row / R + 1));
          tiles::subtract_rows(t, Y + static_cast<long>(R) * row, strip(f, row / R) + R * c + row % R,
                               end - row);
          row = end;
        }
        for (int u = 0; u < f.update_strips; ++u)
          tiles::subtract_rows(t, below + static_cast<long>(R) * R * u, strip(f, f.pivot_strips + u) + R * c,
                               std::min(R, updates - R * u));
        tiles::divide_back(t, diagonal_[node.first + j]);
        tiles::store(t, Y + R * c, R);
      }
    }
  }
}

template <class T>
void Multifrontal<T>::product(RhsStrips<T>& rhs) const {
  const long ld = static_cast<long>(R) * rhs.strips;
  rhs.C.assign(ld * ld, T(0));
  for (size_t s = 0; s < fronts_.size(); ++s) {
    const int width = fronts_[s].width, active_end = rhs.active_start[s + 1];
    for (int begin = 0; begin < width; begin += kBlock)
      for (int j = rhs.active_start[s]; j < active_end; ++j)
        for (int i = j; i < active_end; ++i) {
          const int from = std::max({begin, rhs.first[i], rhs.first[j]}),
                    K = std::min(begin + kBlock, width) - from;
          if (K <= 0) continue;
          const long column = static_cast<long>(R) * (rhs.offset[s] + from);
          const T* A = rhs.strip(rhs.active[i]) + column;
          const T* B = rhs.strip(rhs.active[j]) + column;
          for (int c = 0; c < R; c += 3) {
            T* C = rhs.C.data() + (R * rhs.active[j] + c) * ld + R * rhs.active[i];
            Tile<T> t = tiles::load(C, ld);
            tiles::subtract_product(t, A, B + c, K);
            tiles::store(t, C, ld);
          }
        }
  }
}

template void Multifrontal<double>::plan(std::span<const int>, std::span<const int>, RhsStrips<double>&,
                                         bool) const;
template void Multifrontal<double>::forward(RhsStrips<double>&) const;
template void Multifrontal<double>::backward(RhsStrips<double>&) const;
template void Multifrontal<double>::product(RhsStrips<double>&) const;
template void Multifrontal<float>::plan(std::span<const int>, std::span<const int>, RhsStrips<float>&,
                                        bool) const;
template void Multifrontal<float>::forward(RhsStrips<float>&) const;
template void Multifrontal<float>::backward(RhsStrips<float>&) const;
template void Multifrontal<float>::product(RhsStrips<float>&) const;

}  // namespace palp
