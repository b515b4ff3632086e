// Anderson acceleration over sweeps. A sweep is a map f → g(f) whose fixed point is wanted. From the last few
// sweeps, with residuals r_k = g_k − f_k, choose θ that makes |r − Σ θ_j Δr_j| least and continue from
//     f = g − Σ θ_j Δg_j,
// which for a linear sweep (all contacts keep their state) is GMRES. δ is affine in f, so the same
// combination of stored δ gives the new δ: an extrapolation costs no product with W.
//
// Safeguards. A change of state (open, stick, slip) makes the old differences worthless: the history is
// dropped. When the sweep after an extrapolation has no smaller residual than the one before it, the
// extrapolation is taken back, and plain sweeps follow, twice as many each time.
#pragma once
#include <span>
#include <vector>

#include "palp/math/growing_vector.hpp"
#include "palp/math/types.hpp"

namespace palp {

class Anderson {
 public:
  /// n: size of f; n_delta: size of the single-precision δ. Allocates only when larger than any before.
  void resize(int n, int n_delta);
  /// Weights of the residual norm, √W_nn per row (n).
  GrowingVector& weight() { return weight_; }
  const GrowingVector& weight() const { return weight_; }
  void restart();
  /// Drops the history, e.g. because δ was computed afresh.
  void forget() {
    stored_ = next_ = 0;
    have_last_ = extrapolated_ = false;
  }

  /// Tells the outcome of a sweep: f before, g after (with its δ), Σ weight² |g − f|², changes of state.
  /// Replaces g and its δ by an extrapolation, or by the point before the last one; true when it did.
  bool advance(ConstVecRef f, VecRef g, std::span<float> delta_g, int state_changes);

 private:
  static constexpr int window = 6;
  bool least_squares(double* theta) const;
  auto column(GrowingVector& differences, int j) const { return differences.segment(j * n_, n_); }
  auto column(const GrowingVector& differences, int j) const { return differences.segment(j * n_, n_); }

  int n_ = 0, n_delta_ = 0;
  int stored_ = 0, next_ = 0;
  bool have_last_ = false, extrapolated_ = false;
  int pause_ = 0, next_pause_ = 2;
  double last_norm_ = 0;
  GrowingVector weight_, last_r_, last_g_, r_;
  std::vector<float> last_delta_;
  GrowingVector dr_, dg_;                       // window columns of n
  std::vector<float> ddelta_;                   // n_delta × window
  Eigen::Matrix<double, window, window> gram_;  // drᵀ dr
};

}  // namespace palp
