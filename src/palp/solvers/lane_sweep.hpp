// Algorithm 1's sweeps (fast_sweep.hpp) for block-sparse W: eight contacts at a time.
//
// A contact of a pile has a handful of neighbours, so that a sweep waits for one local step after the other.
// Contacts that do not touch each other through W may be stepped at once. They are sorted into levels such
// that every step sees what it would see in the order of the contacts (piles have 3 to 30 levels), and each
// level is cut into batches of eight, whose rows of W lie side by side. Colouring would need fewer batches
// but another order, in which the sweeps converge more slowly. The residual of a batch is formed by rows,
//     δ_i = δ_base,i + Σ_j W_ij d_j,   d = f − f_base in single precision,
// with the precision and the refreshes of fast_sweep.hpp; nothing is carried on by columns.
//
// Forces live here in the order of the lanes: per batch eight f_n, eight f_t1, eight f_t2. Lanes beyond the
// last contact of a level hold a contact of nothing, whose force stays zero.
#pragma once
#include <vector>

#include "palp/math/growing.hpp"
#include "palp/solvers/prepared.hpp"

namespace palp {

class LaneSweep {
 public:
  /// Sorts the contacts and copies their rows. False when W is dense, has bilateral blocks, or hardly any
  /// contacts may be stepped at once. Allocates only when the problem is larger than any before.
  bool set(const Prepared& prepared);

  /// Takes f (3m, in the order of the contacts) over, with f_base = 0 and δ_base = δ_free: to begin with.
  void start(ConstVecRef f);
  /// Takes f over, with f_base = f, δ_base = W f + δ_free in double, d = 0.
  void refresh(ConstVecRef f);
  /// The current forces, in the order of the contacts.
  void store(VecRef f) const;
  /// δ_base, in the order of the contacts.
  const GrowingVector& base() const { return base_; }

  void begin();
  /// Steps the batches [from, to). Returns Σ |Δf_i|²/ρ_i.
  double sweep(int from, int to);
  int batches() const { return static_cast<int>(batch_.size()); }
  /// The certificate of the current forces and δ.
  Certificate judge() const;

  /// The current forces in the order of the lanes. Whoever changes them calls changed(): it pulls them back
  /// into their cones and brings d up to date.
  GrowingVector& force() { return f_; }
  const GrowingVector& force() const { return f_; }
  void changed();
  /// out (in the order of the lanes) = value_of(contact), in all three rows; zero in lanes of nothing.
  template <class ValueOf>
  void spread(ValueOf&& value_of, VecRef out) const {
    for (int b = 0; b < batches(); ++b)
      for (int k = 0; k < 3 * lanes; ++k) {
        const int i = batch_[b].contact[k % lanes];
        out[3 * lanes * b + k] = i >= 0 ? value_of(i) : 0;
      }
  }

  /// No more lanes than this for m contacts: with more, one contact at a time is faster.
  static int most_lanes(int m) { return 2 * m; }
  int closed() const { return closed_; }
  long work() const { return work_; }

 private:
  static constexpr int lanes = 8;
  struct Slot {
    alignas(32) float W[9][lanes];  // W_ij of each lane, rows first
    int neighbour[lanes];           // where its d begins
  };
  struct Batch {
    alignas(32) double inverse_nn[lanes];
    double inverse_Lambda[lanes], mu[lanes], weight[lanes], rho[lanes];
    double base[3][lanes], free_n[lanes];  // δ_base, δ_free,n
    int contact[lanes];                    // −1: nothing
    int first, count;                      // slots: the contact itself, neighbour 1 of every lane, 2, ...
  };
  void take_over(ConstVecRef f);
  void order_by_level();
  void fill(Batch& batch, const int* contact, int count);

  const Prepared* P_ = nullptr;
  int m_ = 0;
  std::vector<Batch> batch_;
  std::vector<Slot> slot_;
  std::vector<float> d_;                    // four per lane
  GrowingVector f_, f_base_;                // in the order of the lanes
  GrowingVector base_;                      // 3m
  std::vector<int> level_, order_, place_;  // place_: contact → lane
  bool fresh_ = false;                      // d = 0
  int closed_ = 0;
  long work_ = 0;
};

}  // namespace palp
