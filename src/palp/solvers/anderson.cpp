#include "palp/solvers/anderson.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

void Anderson::resize(int n, int n_delta, int window, int room) {
  n_ = n;
  n_delta_ = n_delta;
  window_ = window;
  const auto columns = [&](GrowingVector& v, int count) {
    v.reserve(count * room);
    v.resize(count * n);
  };
  columns(weight_, 1);
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
  // Normal equations by Cholesky; the ridge keeps nearly dependent differences harmless.
  double L[largest_window][largest_window], ridge = 0, largest = 0;
  const int count = differences_;
  for (int j = 0; j < count; ++j) ridge += 1e-12 * gram_(j, j);
  for (int j = 0; j < count; ++j) {
    double sum = dr_r[j];
    for (int i = j; i < count; ++i) {
      double a = gram_(i, j) + (i == j ? ridge : 0);
      for (int k = 0; k < j; ++k) a -= L[i][k] * L[j][k];
      if (i == j && !(a > 0)) return false;
      L[i][j] = i == j ? std::sqrt(a) : a / L[j][j];
    }
    for (int k = 0; k < j; ++k) sum -= L[j][k] * theta[k];
    theta[j] = sum / L[j][j];
  }
  for (int j = count - 1; j >= 0; --j) {
    for (int i = j + 1; i < count; ++i) theta[j] -= L[i][j] * theta[i];
    theta[j] /= L[j][j];
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
  double r2 = 0, dr_dr[largest_window] = {}, dr_r[largest_window] = {};
  constexpr int piece = 256;  // at a time, so that what was read once stays near
  for (int o = 0; o < n_; o += piece) {
    const int n = std::min(piece, n_ - o);
    const auto part = [&](GrowingVector& v, int j) { return v.segment(j * n_ + o, n); };
    auto r = part(r_, which_r_);
    r = weight_.segment(o, n).cwiseProduct(g.segment(o, n) - f.segment(o, n));
    part(g_, point) = g.segment(o, n);
    r2 += r.squaredNorm();
    if (!differs) continue;
    auto dr = part(dr_, next_);
    dr = r - part(r_, 1 - which_r_);
    for (int j = 0; j < differences; ++j) {
      dr_dr[j] += dr.dot(part(dr_, j));
      dr_r[j] += r.dot(part(dr_, j));
    }
  }
  // Not better than where it came from: back there, and plain sweeps.
  if (extrapolated_ && !(r2 < last_r2_)) {
    g = column(g_, newest_);
    std::copy_n(delta(newest_), n_delta_, delta_g.begin());
    forget();
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, 256);
    return true;
  }
  if (extrapolated_) next_pause_ = std::max(next_pause_ / 2, 2);
  extrapolated_ = false;
  last_r2_ = r2;
  std::copy(delta_g.begin(), delta_g.end(), delta(point));
  if (differs) {
    from_[next_] = newest_;
    for (int j = 0; j < differences; ++j) gram_(next_, j) = gram_(j, next_) = dr_dr[j];
    next_ = (next_ + 1) % window_;
  }
  if (!differs) next_ = 0;
  begun_ = true;
  differences_ = differences;
  newest_ = point;
  if (differences_ == 0) return false;

  double theta[largest_window];
  if (!least_squares(dr_r, theta)) {
    forget();
    return false;
  }
  Coefficients c{};  // of the points
  c[newest_] = 1;
  for (int j = 0; j < differences_; ++j) {
    c[from_[j]] += theta[j];
    c[(from_[j] + 1) % ring] -= theta[j];
  }
  for (int o = 0; o < n_; o += piece) {
    const int n = std::min(piece, n_ - o);
    auto out = g.segment(o, n);
    out *= c[newest_];
    for (int j = 0; j < ring; ++j)
      if (j != newest_ && c[j] != 0) out += c[j] * g_.segment(j * n_ + o, n);
  }
  // By differences: shares of the points would magnify their rounding.
  for (int j = 0; j < differences_; ++j) {
    const float t = static_cast<float>(theta[j]);
    const float *before = delta(from_[j]), *after = delta((from_[j] + 1) % ring);
    for (int k = 0; k < n_delta_; ++k) delta_g[k] -= t * (after[k] - before[k]);
  }
  extrapolated_ = true;
  return true;
}

}  // namespace palp
