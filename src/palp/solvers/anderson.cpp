#include "palp/solvers/anderson.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

void Anderson::resize(int n, int n_delta, int window, int room) {
  n_ = n;
  n_delta_ = n_delta;
  window_ = window;
  weight_.reserve(room);
  weight_.resize(n);
  for (GrowingVector* v : {&r_, &g_}) {
    v->reserve((window + 1) * room);
    v->resize((window + 1) * n);
  }
  delta_.resize((window + 1) * static_cast<std::size_t>(n_delta));
  restart();
}

void Anderson::restart() {
  forget();
  pause_ = 0;
  next_pause_ = 2;
}

/// c: the share of each stored point in the extrapolation, by θ from the normal equations
///     Σ_j (r − r_i)·(r − r_j) θ_j = (r − r_i)·r,   by Cholesky.
bool Anderson::least_squares(int newest, Coefficients& c) const {
  double L[largest_window][largest_window], theta[largest_window], ridge = 0, largest = 0;
  int old[largest_window], count = 0;
  for (int j = 0; j < stored_; ++j)
    if (j != newest) old[count++] = j;
  const double r2 = gram_(newest, newest);
  const auto product = [&](int i, int j) {
    return r2 - gram_(newest, old[i]) - gram_(newest, old[j]) + gram_(old[i], old[j]);
  };
  // The ridge keeps nearly dependent differences harmless; the second part is their rounding.
  for (int j = 0; j < count; ++j) ridge += 1e-12 * product(j, j);
  ridge += 1e-15 * r2;
  for (int j = 0; j < count; ++j) {
    double sum = r2 - gram_(newest, old[j]);
    for (int i = j; i < count; ++i) {
      double a = product(i, j) + (i == j ? ridge : 0);
      for (int k = 0; k < j; ++k) a -= L[i][k] * L[j][k];
      if (i == j && !(a > 0)) return false;
      L[i][j] = i == j ? std::sqrt(a) : a / L[j][j];
    }
    for (int k = 0; k < j; ++k) sum -= L[j][k] * theta[k];
    theta[j] = sum / L[j][j];
  }
  c[newest] = 1;
  for (int j = count - 1; j >= 0; --j) {
    for (int i = j + 1; i < count; ++i) theta[j] -= L[i][j] * theta[i];
    theta[j] /= L[j][j];
    largest = std::max(largest, std::abs(theta[j]));
    c[old[j]] = theta[j];
    c[newest] -= theta[j];
  }
  return largest < 1e4;
}

bool Anderson::advance(ConstVecRef f, VecRef g, std::span<float> delta_g) {
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  const int newest = stored_ == 0 ? 0 : (last_ + 1) % (window_ + 1);
  const int count = std::max(stored_, newest + 1);
  Coefficients dots{};
  constexpr int piece = 96;  // at a time, so that what was read once stays near
  for (int o = 0; o < n_; o += piece) {
    const int n = std::min(piece, n_ - o);
    const auto part = [&](GrowingVector& v, int j) { return v.segment(j * n_ + o, n); };
    part(r_, newest) = weight_.segment(o, n).cwiseProduct(g.segment(o, n) - f.segment(o, n));
    part(g_, newest) = g.segment(o, n);
    for (int j = 0; j < count; ++j) dots[j] += part(r_, newest).dot(part(r_, j));
  }
  // Not better than where it came from: back there, and plain sweeps.
  if (extrapolated_ && !(dots[newest] < gram_(last_, last_))) {
    g = column(g_, last_);
    std::copy_n(delta(last_), n_delta_, delta_g.begin());
    forget();
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, 256);
    return true;
  }
  if (extrapolated_) next_pause_ = std::max(next_pause_ / 2, 2);
  for (int j = 0; j < count; ++j) gram_(newest, j) = gram_(j, newest) = dots[j];
  std::copy(delta_g.begin(), delta_g.end(), delta(newest));
  last_ = newest;
  stored_ = count;
  extrapolated_ = false;
  if (stored_ == 1) return false;

  Coefficients c{};
  if (!least_squares(newest, c)) {
    forget();
    return false;
  }
  for (int o = 0; o < n_; o += piece) {
    const int n = std::min(piece, n_ - o);
    auto out = g.segment(o, n);
    out *= c[newest];
    for (int j = 0; j < stored_; ++j)
      if (j != newest) out += c[j] * g_.segment(j * n_ + o, n);
  }
  for (int j = 0; j < stored_; ++j) {
    const float t = static_cast<float>(j == newest ? c[j] - 1 : c[j]);
    const float* of_j = delta(j);
    for (int k = 0; k < n_delta_; ++k) delta_g[k] += t * of_j[k];
  }
  extrapolated_ = true;
  return true;
}

}  // namespace palp
