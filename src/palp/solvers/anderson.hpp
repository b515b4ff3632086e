// Anderson acceleration over sweeps. A sweep is a map f → g(f) whose fixed point is wanted. From the last few
// sweeps, with residuals r_j = g_j − f_j, choose θ that makes |r − Σ θ_j (r − r_j)| least and continue from
//     f = g − Σ θ_j (g − g_j),
// which for a linear sweep (all contacts keep their state) is GMRES. δ is affine in f, so the same
// combination of stored δ gives the new δ: an extrapolation costs no product with W.
//
// Safeguard. Changes of state (open, stick, slip) bend the map, but differences across them still point the
// right way more often than not: dropping the history at each took 1.1 times the sweeps. When the sweep after
// an extrapolation has no smaller residual than the one before it, the extrapolation is taken back, and plain
// sweeps follow, twice as many each time.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "palp/math/growing_vector.hpp"
#include "palp/math/types.hpp"

namespace palp {

class Anderson {
 public:
  static constexpr int largest_window = 6;
  /// n: size of f; n_delta: size of the single-precision δ; window: earlier sweeps to combine, at most
  /// largest_window. Allocates only when larger than any before, with room for `room` instead of n.
  void resize(int n, int n_delta, int window, int room);
  /// Weights of the residual norm, √W_nn per row (n).
  GrowingVector& weight() { return weight_; }
  const GrowingVector& weight() const { return weight_; }
  void restart();
  /// Drops the history, e.g. because δ was computed afresh.
  void forget() {
    stored_ = 0;
    extrapolated_ = false;
  }

  /// Tells the outcome of a sweep, or of several: f before, g after (with its δ).
  /// Replaces g and its δ by an extrapolation, or by the point before the last one; true when it did.
  bool advance(ConstVecRef f, VecRef g, std::span<float> delta_g);

 private:
  static constexpr int largest_count = largest_window + 1;  // with the newest
  using Coefficients = std::array<double, largest_count>;
  bool least_squares(int newest, Coefficients& c) const;
  auto column(GrowingVector& v, int j) const { return v.segment(j * n_, n_); }
  float* delta(int j) { return delta_.data() + static_cast<std::size_t>(j) * n_delta_; }

  int n_ = 0, n_delta_ = 0, window_ = 0;
  int stored_ = 0, last_ = 0;  // points stored, the newest among them
  bool extrapolated_ = false;
  int pause_ = 0, next_pause_ = 2;
  GrowingVector weight_;
  GrowingVector r_, g_;                                       // window + 1 columns of n
  std::vector<float> delta_;                                  // window + 1 columns of n_delta
  Eigen::Matrix<double, largest_count, largest_count> gram_;  // rᵀ r
};

}  // namespace palp
