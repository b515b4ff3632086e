#include "palp/solvers/anderson.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

void Anderson::resize(int n, int n_delta) {
  n_ = n;
  n_delta_ = n_delta;
  for (GrowingVector* v : {&weight_, &last_r_, &last_g_, &r_}) v->resize(n);
  last_delta_.resize(n_delta);
  dr_.resize(n * window);
  dg_.resize(n * window);
  ddelta_.resize(static_cast<std::size_t>(n_delta) * window);
  restart();
}

void Anderson::restart() {
  forget();
  pause_ = 0;
  next_pause_ = 2;
}

bool Anderson::least_squares(double* theta) const {
  // Normal equations by Cholesky; the ridge keeps nearly dependent differences harmless.
  double L[window][window], ridge = 0, largest = 0;
  for (int j = 0; j < stored_; ++j) ridge += 1e-12 * gram_(j, j);
  for (int j = 0; j < stored_; ++j) {
    double sum = column(dr_, j).dot(r_);
    for (int i = j; i < stored_; ++i) {
      double a = gram_(i, j) + (i == j ? ridge : 0);
      for (int k = 0; k < j; ++k) a -= L[i][k] * L[j][k];
      if (i == j && !(a > 0)) return false;
      L[i][j] = i == j ? std::sqrt(a) : a / L[j][j];
    }
    for (int k = 0; k < j; ++k) sum -= L[j][k] * theta[k];
    theta[j] = sum / L[j][j];
  }
  for (int j = stored_ - 1; j >= 0; --j) {
    for (int i = j + 1; i < stored_; ++i) theta[j] -= L[i][j] * theta[i];
    theta[j] /= L[j][j];
    largest = std::max(largest, std::abs(theta[j]));
  }
  return largest < 1e4;
}

bool Anderson::advance(ConstVecRef f, VecRef g, std::span<float> delta_g, int state_changes) {
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  r_ = weight_.cwiseProduct(g - f);
  const double norm = r_.norm();
  if (extrapolated_ &&
      !(norm < last_norm_)) {  // not better than where it came from: back there, and plain sweeps
    g = last_g_;
    std::copy(last_delta_.begin(), last_delta_.end(), delta_g.begin());
    forget();
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, 256);
    return true;
  }
  if (extrapolated_) next_pause_ = std::max(next_pause_ / 2, 2);
  extrapolated_ = false;
  if (state_changes > 0) forget();
  last_norm_ = norm;
  if (have_last_) {
    column(dr_, next_) = r_ - last_r_;
    column(dg_, next_) = g - last_g_;
    float* dd = ddelta_.data() + static_cast<std::size_t>(next_) * n_delta_;
    for (int k = 0; k < n_delta_; ++k) dd[k] = delta_g[k] - last_delta_[k];
    stored_ = std::min(stored_ + 1, window);
    for (int j = 0; j < stored_; ++j)
      gram_(next_, j) = gram_(j, next_) = column(dr_, j).dot(column(dr_, next_));
    next_ = (next_ + 1) % window;
  }
  last_r_.noalias() = r_;
  last_g_ = g;
  std::copy(delta_g.begin(), delta_g.end(), last_delta_.begin());
  have_last_ = true;
  if (stored_ == 0) return false;

  double theta[window];
  if (!least_squares(theta)) {
    forget();
    return false;
  }
  for (int j = 0; j < stored_; ++j) {
    g -= theta[j] * column(dg_, j);
    const float t = static_cast<float>(theta[j]);
    const float* dd = ddelta_.data() + static_cast<std::size_t>(j) * n_delta_;
    for (int k = 0; k < n_delta_; ++k) delta_g[k] -= t * dd[k];
  }
  extrapolated_ = true;
  return true;
}

}  // namespace palp
