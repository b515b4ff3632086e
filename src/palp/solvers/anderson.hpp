// Anderson acceleration over sweeps. A sweep is a map f → g(f) whose fixed point is wanted. From the last few
// sweeps, with residuals r_k = g_k − f_k and Δ from each to the next, choose θ that makes |r − Σ θ_j Δr_j|
// least and continue from
//     f = g − Σ θ_j Δg_j,
// which for a linear sweep (all contacts keep their state) is GMRES. δ is affine in f, so the same
// combination of stored δ gives the new δ: an extrapolation costs no product with W.
//
// Safeguards. A change of state (open, stick, slip) bends the map: the caller may have the history dropped.
// When the sweep after an extrapolation has no smaller residual than the one before it, the extrapolation is
// taken back, and plain sweeps follow, twice as many each time.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "palp/math/growing.hpp"
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
    begun_ = extrapolated_ = false;
    differences_ = next_ = 0;
  }

  /// Tells the outcome of a sweep, or of several: f before, g after (with its δ). `bent`: forget what was
  /// before. Replaces g and its δ by an extrapolation, or by the point before the last one; true when it did.
  bool advance(ConstVecRef f, VecRef g, std::span<float> delta_g, bool bent);

 private:
  bool least_squares(const double* dr_r, double* theta) const;
  double* column(GrowingVector& v, int j) const { return v.data() + j * stride_; }
  float* delta(int j) { return delta_.data() + static_cast<std::size_t>(j) * n_delta_; }

  int n_ = 0, n_delta_ = 0, window_ = 0;
  int stride_ = 0;  // from column to column: n, padded to four
  // Points (g with its δ) and differences of r go round in rings; with the oldest point goes its difference.
  bool begun_ = false;                      // there is a point
  int newest_ = 0;                          // the last of them
  int differences_ = 0, next_ = 0;          // differences stored, where the next goes
  std::array<int, largest_window> from_{};  // the point where a difference begins; it ends at the one after
  bool extrapolated_ = false;
  int pause_ = 0, next_pause_ = 2, which_r_ = 0;
  double last_r2_ = 0;
  GrowingVector weight_;
  GrowingVector g_, dr_, r_;  // window + 1, window, and 2 (the last and the one before) columns of n
  std::vector<float> delta_;  // window + 1 columns of n_delta
  Eigen::Matrix<double, largest_window, largest_window> gram_;  // Δrᵀ Δr
};

}  // namespace palp
