// The right-hand sides of a projection as strips under the matrix: reach, forward solve, product.
#include <algorithm>

#include "palp/math/multifrontal.hpp"

namespace palp {

using tiles::Tile;

namespace {
constexpr int kBlock = 96;  // columns at once, as in the factorisation
}

template <class T>
void Multifrontal<T>::plan(std::span<const int> start, std::span<const int> places, RhsStrips<T>& rhs) const {
  const int count = static_cast<int>(fronts_.size());
  rhs.strips = static_cast<int>(start.size()) - 1;
  rhs.offset.assign(count, -1);
  rhs.active_start.assign(count + 1, 0);
  // From every touched supernode up to the root, once per strip.
  const auto walk = [&](auto&& visit) {
    rhs.mark.assign(count, -1);
    for (int strip = 0; strip < rhs.strips; ++strip)
      for (int k = start[strip]; k < start[strip + 1]; ++k)
        for (int s = symbolic_->supernode_of[places[k]]; s >= 0 && rhs.mark[s] != strip;
             s = symbolic_->supernodes[s].parent) {
          rhs.mark[s] = strip;
          visit(s, strip);
        }
  };
  walk([&](int s, int) { ++rhs.active_start[s + 1]; });
  rhs.columns = 0;
  for (int s = 0; s < count; ++s) {
    if (rhs.active_start[s + 1] > 0) {
      rhs.offset[s] = rhs.columns;
      rhs.columns += fronts_[s].width;
    }
    rhs.active_start[s + 1] += rhs.active_start[s];
  }
  rhs.active.resize(rhs.active_start[count]);
  const size_t size = static_cast<size_t>(rhs.strips) * rhs.columns * R;
  if (rhs.Y.size() < size) rhs.Y.resize(size);
  walk([&](int s, int strip) {
    rhs.active[rhs.active_start[s]++] = strip;
    std::fill_n(rhs.strip(strip) + static_cast<long>(R) * rhs.offset[s], R * fronts_[s].width, T(0));
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
    const std::span<const int> active(rhs.active.data() + rhs.active_start[s],
                                      rhs.active_start[s + 1] - rhs.active_start[s]);
    for (int begin = 0; begin < f.width; begin += kBlock) {
      const int end = std::min(f.width, begin + kBlock);
      for (int a : active) {
        T* Y = rhs.strip(a) + own;
        for (int c = begin; c < end; c += 3) {
          const int j = c / 3;
          Tile<T> t = tiles::load(Y + R * c, R);
          tiles::subtract_product(t, Y + R * begin, strip(f, j / N) + R * begin + 3 * (j % N), c - begin);
          tiles::divide(t, diagonal_[node.first + j]);
          tiles::store(t, Y + R * c, R);
        }
      }
      // Later columns of every strip −= Y(begin … end) L(·, begin … end)ᵀ; one strip of L serves all strips of Y.
      const auto subtract = [&](const T* L, int nodes, const long* column) {
        for (int a : active) {
          T* Y = rhs.strip(a);
          for (int i = 0; i < nodes; ++i) {
            T* C = Y + column[i];
            Tile<T> t = tiles::load(C, R);
            tiles::subtract_product(t, Y + own + R * begin, L + R * begin + 3 * i, end - begin);
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
void Multifrontal<T>::product(RhsStrips<T>& rhs) const {
  const long ld = static_cast<long>(R) * rhs.strips;
  rhs.C.assign(ld * ld, T(0));
  for (size_t s = 0; s < fronts_.size(); ++s) {
    const std::span<const int> active(rhs.active.data() + rhs.active_start[s],
                                      rhs.active_start[s + 1] - rhs.active_start[s]);
    const int width = fronts_[s].width;
    for (int begin = 0; begin < width; begin += kBlock) {
      const int K = std::min(kBlock, width - begin);
      const long from = static_cast<long>(R) * (rhs.offset[s] + begin);
      for (size_t j = 0; j < active.size(); ++j)
        for (size_t i = j; i < active.size(); ++i)
          for (int c = 0; c < R; c += 3) {
            T* C = rhs.C.data() + (R * active[j] + c) * ld + R * active[i];
            Tile<T> t = tiles::load(C, ld);
            tiles::subtract_product(t, rhs.strip(active[i]) + from, rhs.strip(active[j]) + from + c, K);
            tiles::store(t, C, ld);
          }
    }
  }
}

template void Multifrontal<double>::plan(std::span<const int>, std::span<const int>, RhsStrips<double>&) const;
template void Multifrontal<double>::forward(RhsStrips<double>&) const;
template void Multifrontal<double>::product(RhsStrips<double>&) const;
template void Multifrontal<float>::plan(std::span<const int>, std::span<const int>, RhsStrips<float>&) const;
template void Multifrontal<float>::forward(RhsStrips<float>&) const;
template void Multifrontal<float>::product(RhsStrips<float>&) const;

}  // namespace palp
