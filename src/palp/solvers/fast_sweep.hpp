// Algorithm 1 of D06 at the speed of the memory. One sweep visits every contact,
//     f_n ← f_n − δ_n/W_nn;   f_t ← f_t − δ_t/Λ, pulled back to |f_t| ≤ μ f_n;   f ← 0 when f_n ≤ 0,
// and carries the change on by columns, δ ← δ + W_{:,i} Δf_i. Open contacts (f = 0, δ_n ≥ 0) and settled ones
// cost three loads and no column.
//
// Precision. δ = δ_base + c: δ_base is computed in double by refresh(); c, what the sweeps have added since,
// is kept in single precision together with a single-precision copy of W. The error of δ is 6e-8 |c|, and c
// shrinks as the sweeps converge, so that every refresh gains up to six digits; half the memory traffic
// meanwhile.
//
// Layout of c and of the copy of W: dense W has stride 3 (columns of 3m floats, padded to 16); block-sparse W
// has stride 4 (each 3×3 block as three columns of four floats), so that a block is three vector operations.
#pragma once
#include <vector>

#include "palp/math/growing.hpp"
#include "palp/solvers/lane_sweep.hpp"
#include "palp/solvers/prepared.hpp"

namespace palp {

class FastSweep {
 public:
  /// Copies W and the constants of the local steps. Allocates only when the problem is larger than any
  /// before.
  void set(const Prepared& prepared);

  /// By lanes only: takes f (3m) over, all in single precision, δ_base = δ_free. To begin with.
  void start(ConstVecRef f) { lanes_.start(f); }
  /// Takes f over: δ_base = W f + δ_free in double; c = 0.
  void refresh(ConstVecRef f);
  /// The current forces (3m).
  void store(VecRef f) const;
  /// δ_base (3m): the δ of the forces at the last refresh.
  const GrowingVector& base() const { return by_lanes_ ? lanes_.base() : base_; }

  /// A sweep over the parts [from, to), which are contacts, or batches of them in LaneSweep; a whole sweep is
  /// begin(), then parts, so that a clock can be read between them. `settled`: changes with |Δf_i|/√ρ_i below
  /// it are not worth a column. Returns Σ |Δf_i|²/ρ_i.
  int parts() const { return by_lanes_ ? lanes_.batches() : m_; }
  void begin();
  double sweep(double settled, int from, int to);
  double sweep(double settled) {
    begin();
    return sweep(settled, 0, parts());
  }
  /// The certificate of the current forces and δ.
  Certificate judge();

  /// For extrapolation (anderson.hpp): the current forces, in an order of their own, with weights √W per row
  /// in the same order, and c, empty where it follows from the forces. After a change of them, changed().
  GrowingVector& force() { return by_lanes_ ? lanes_.force() : f_; }
  const GrowingVector& force() const { return by_lanes_ ? lanes_.force() : f_; }
  void weights(VecRef out) const;
  /// The largest size of force() for any problem with as many contacts.
  int most_forces() const { return 3 * (P_->dense() ? m_ : std::max(m_, LaneSweep::most_lanes(m_))); }
  std::span<float> correction() { return by_lanes_ ? std::span<float>() : correction_; }
  void changed() {
    if (by_lanes_) lanes_.changed();
  }
  bool by_lanes() const { return by_lanes_; }
  /// Contacts whose state (open, stick, slip) the last sweep changed; not counted by lanes.
  int state_changes() const { return by_lanes_ ? 0 : state_changes_; }
  /// Contacts that the last sweep left with a force.
  int closed() const { return by_lanes_ ? lanes_.closed() : closed_; }
  /// Multiply-adds of the last sweep: the unit of the cost estimates and of the clock.
  long work() const { return by_lanes_ ? lanes_.work() : work_; }

 private:
  struct Step {  // the constants of Algorithm 1; bilateral blocks use bilateral_
    double inverse_nn, inverse_Lambda, mu, weight;
    bool bilateral;
  };
  void add_column(int i, const Vec3& df);

  const Prepared* P_ = nullptr;
  bool by_lanes_ = false;
  LaneSweep lanes_;  // block-sparse W: does everything
  int m_ = 0, stride_ = 3, padded_ = 0;
  std::vector<Step> step_;            // m
  std::vector<Mat3> bilateral_;       // m when there are bilateral blocks: W_ii⁻¹
  std::vector<float> W_;              // dense: 3m columns of padded_; sparse: 12 per block
  std::vector<float> correction_;     // c: padded_ (dense) or 4m (sparse)
  GrowingVector f_, base_, delta_;    // 3m: forces, δ_base, δ when it is judged
  std::vector<unsigned char> state_;  // m: 0 open, 1 stick, 2 slip
  int state_changes_ = 0, closed_ = 0;
  long work_ = 0;
};

}  // namespace palp
