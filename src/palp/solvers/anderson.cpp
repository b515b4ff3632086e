#include "palp/solvers/anderson.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#pragma GCC diagnostic ignored "-Wpsabi"  // vectors of 32 bytes go in and out of inlined functions only

namespace palp {
namespace {

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));
Four load(const double* p) { return *reinterpret_cast<const Four*>(p); }
Eight load(const float* p) { return *reinterpret_cast<const Eight*>(p); }
Four& at(double* p) { return *reinterpret_cast<Four*>(p); }
double sum(Four x) { return (x[0] + x[1]) + (x[2] + x[3]); }

constexpr int padded(int n) { return (n + 3) / 4 * 4; }

/// What one pass over the vectors of a sweep gives.
struct Products {
  double r_r = 0;
  double dr_dr[Anderson::largest_window] = {}, dr_r[Anderson::largest_window] = {};
};
struct Columns {  // of `stride` numbers
  const double* last_r;
  double *r, *g, *dr;         // to be written
  const double* differences;  // all of them, dr among them
  int stride;
};

/// r = weight (g − f), dr = r − last_r, and the products of both with `count` differences.
template <int count>
void pass(const double* f, const double* g, const double* weight, int n, const Columns& to, Products& out) {
  Four r_r{}, dr_dr[count + 1] = {}, dr_r[count + 1] = {};
  const auto four_rows = [&](Four f_k, Four g_k, Four w, int k) {
    const Four r = w * (g_k - f_k);
    at(to.r + k) = r;
    at(to.g + k) = g_k;
    r_r += r * r;
    if constexpr (count > 0) {
      const Four dr = r - load(to.last_r + k);
      at(to.dr + k) = dr;
      for (int j = 0; j < count; ++j) {
        const Four column = load(to.differences + j * to.stride + k);
        dr_dr[j] += dr * column;
        dr_r[j] += r * column;
      }
    }
  };
  int k = 0;
  for (; k + 4 <= n; k += 4) four_rows(load(f + k), load(g + k), load(weight + k), k);
  if (k < n) {
    double rest[3][4] = {};
    for (int i = 0; k + i < n; ++i) rest[0][i] = f[k + i], rest[1][i] = g[k + i], rest[2][i] = weight[k + i];
    four_rows(load(rest[0]), load(rest[1]), load(rest[2]), k);
  }
  out.r_r = sum(r_r);
  for (int j = 0; j < count; ++j) {
    out.dr_dr[j] = sum(dr_dr[j]);
    out.dr_r[j] = sum(dr_r[j]);
  }
}

/// A difference of two points, and its share.
template <class T>
struct Move {
  T share;
  const T *before, *after;
};

/// out −= Σ share (after − before) over `count` moves.
template <class T>
void extrapolate(T* out, const Move<T>* moves, int count, int n) {
  constexpr int width = 32 / sizeof(T);
  int k = 0;
  for (; k + width <= n; k += width) {
    auto x = load(out + k);
    for (int j = 0; j < count; ++j)
      x -= moves[j].share * (load(moves[j].after + k) - load(moves[j].before + k));
    std::memcpy(out + k, &x, sizeof x);
  }
  for (; k < n; ++k)
    for (int j = 0; j < count; ++j) out[k] -= moves[j].share * (moves[j].after[k] - moves[j].before[k]);
}

}  // namespace

void Anderson::resize(int n, int n_delta, int window, int room) {
  n_ = n;
  stride_ = padded(n);
  n_delta_ = n_delta;
  window_ = window;
  const auto columns = [&](GrowingVector& v, int count) {
    v.reserve(count * padded(room));
    v.resize(count * stride_);
  };
  weight_.reserve(room);
  weight_.resize(n);
  columns(r_, 2);
  columns(dr_, window);
  columns(g_, window + 1);
  delta_.resize((window + 1) * static_cast<std::size_t>(n_delta));
  restart();
}

void Anderson::restart() {
  forget();
  pause_ = 0;
  next_pause_ = 2;
}

bool Anderson::least_squares(const double* dr_r, double* theta) const {
  // Normal equations by LDLᵀ; the ridge keeps nearly dependent differences harmless.
  double L[largest_window][largest_window], D[largest_window], inverse[largest_window];
  double ridge = 0, largest = 0;
  const int count = differences_;
  for (int j = 0; j < count; ++j) ridge += 1e-12 * gram_(j, j);
  for (int j = 0; j < count; ++j) {
    D[j] = gram_(j, j) + ridge;
    for (int k = 0; k < j; ++k) D[j] -= L[j][k] * L[j][k] * D[k];
    if (!(D[j] > 0)) return false;
    inverse[j] = 1 / D[j];
    theta[j] = dr_r[j];
    for (int k = 0; k < j; ++k) theta[j] -= L[j][k] * theta[k];
    for (int i = j + 1; i < count; ++i) {
      double a = gram_(i, j);
      for (int k = 0; k < j; ++k) a -= L[i][k] * L[j][k] * D[k];
      L[i][j] = a * inverse[j];
    }
  }
  for (int j = count - 1; j >= 0; --j) {
    theta[j] *= inverse[j];
    for (int i = j + 1; i < count; ++i) theta[j] -= L[i][j] * theta[i];
    largest = std::max(largest, std::abs(theta[j]));
  }
  return largest < 1e4;
}

bool Anderson::advance(ConstVecRef f, VecRef g, std::span<float> delta_g, bool bent) {
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  const int ring = window_ + 1, point = begun_ ? (newest_ + 1) % ring : 0;
  const bool differs = begun_ && !bent;
  const int differences = differs ? std::min(differences_ + 1, window_) : 0;  // with the new one
  which_r_ = 1 - which_r_;
  const Columns to{.last_r = column(r_, 1 - which_r_),
                   .r = column(r_, which_r_),
                   .g = column(g_, point),
                   .dr = column(dr_, next_),
                   .differences = dr_.data(),
                   .stride = stride_};
  static constexpr decltype(&pass<0>) passes[] = {pass<0>, pass<1>, pass<2>, pass<3>,
                                                  pass<4>, pass<5>, pass<6>};
  static_assert(std::size(passes) == largest_window + 1);
  Products p;
  passes[differences](f.data(), g.data(), weight_.data(), n_, to, p);
  // Not better than where it came from: back there, and plain sweeps.
  if (extrapolated_ && !(p.r_r < last_r2_)) {
    std::copy_n(column(g_, newest_), n_, g.data());
    std::copy_n(delta(newest_), n_delta_, delta_g.begin());
    forget();
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, 256);
    return true;
  }
  if (extrapolated_) next_pause_ = std::max(next_pause_ / 2, 2);
  extrapolated_ = false;
  last_r2_ = p.r_r;
  std::copy(delta_g.begin(), delta_g.end(), delta(point));
  if (differs) {
    from_[next_] = newest_;
    for (int j = 0; j < differences; ++j) gram_(next_, j) = gram_(j, next_) = p.dr_dr[j];
    next_ = (next_ + 1) % window_;
  }
  if (!differs) next_ = 0;
  begun_ = true;
  differences_ = differences;
  newest_ = point;
  if (differences_ == 0) return false;

  double theta[largest_window];
  if (!least_squares(p.dr_r, theta)) {
    forget();
    return false;
  }
  // f = g − Σ θ_j Δg_j and δ likewise, by differences: shares of the points would magnify the rounding of δ.
  Move<double> of_g[largest_window];
  Move<float> of_delta[largest_window];
  for (int j = 0; j < differences_; ++j) {
    const int from = from_[j], after = from + 1 < ring ? from + 1 : 0;
    of_g[j] = {theta[j], column(g_, from), column(g_, after)};
    of_delta[j] = {static_cast<float>(theta[j]), delta(from), delta(after)};
  }
  extrapolate(g.data(), of_g, differences_, n_);
  extrapolate(delta_g.data(), of_delta, differences_, n_delta_);
  extrapolated_ = true;
  return true;
}

}  // namespace palp
