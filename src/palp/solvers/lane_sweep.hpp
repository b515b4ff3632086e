// Algorithm 1's sweeps (fast_sweep.hpp) for block-sparse W: eight contacts at a time.
//
// A contact of a pile has a handful of neighbours, so that a sweep waits for one local step after the other.
// Contacts that do not touch each other through W may be stepped at once. They are sorted into levels such
// that every step sees what it would see in the order of the contacts (piles have 3 to 30 levels), and each
// level is cut into batches of eight, whose rows of W lie side by side. Colouring would need fewer batches
// but another order, in which the sweeps converge more slowly. The residual of a batch is formed by rows,
//     δ_i = δ_base,i + Σ_j W_ij d_j,   d = f − f_base in single precision,
// with the precision and the refreshes of fast_sweep.hpp; nothing is carried on by columns.
#pragma once
#include <vector>

#include "palp/math/growing_vector.hpp"
#include "palp/solvers/prepared.hpp"

namespace palp {

class LaneSweep {
 public:
  /// Sorts the contacts and copies their rows. False when W is dense, has bilateral blocks, or hardly any
  /// contacts may be stepped at once. Allocates only when the problem is larger than any before.
  bool set(const Prepared& prepared);

  /// δ_base = W f + δ_free in double; d = 0.
  void refresh(ConstVecRef f);
  void begin();
  /// Steps the batches [from, to). Returns Σ |Δf_i|²/ρ_i.
  double sweep(VecRef f, int from, int to);
  int batches() const { return static_cast<int>(batch_.size()); }
  /// The current δ (3m).
  void delta(VecRef out) const;

  /// d, four floats per contact: an extrapolation of f extrapolates it alike (anderson.hpp).
  std::vector<float>& moved() { return d_; }
  int state_changes() const { return state_changes_; }
  int closed() const { return closed_; }
  long work() const { return work_; }

 private:
  static constexpr int lanes = 8;
  struct Batch {
    int contact[lanes];  // a batch that is not full repeats its first contact
    int first, count;    // slots: neighbour 0 of every lane, neighbour 1, ...; slot 0 is the contact itself
  };
  struct alignas(32) Slot {
    float W[9][lanes];  // W_ij of each lane, rows first
    int neighbour[lanes];
  };
  struct alignas(32) Constants {
    double inverse_nn[lanes], inverse_Lambda[lanes], mu[lanes], weight[lanes];
    double base[3][lanes];    // δ_base
    long long state[lanes];   // 0 open, 1 stick, 2 slip
    long long counts[lanes];  // −1, or 0 in a lane that repeats another
  };
  void order_by_level();
  void fill(Batch& batch, const int* contact, int count);

  const Prepared* P_ = nullptr;
  int m_ = 0;
  std::vector<Batch> batch_;
  std::vector<Slot> slot_;
  std::vector<Constants> constants_;  // one per batch
  std::vector<float> d_;              // 4m
  GrowingVector base_;                // δ_base, 3m
  std::vector<int> level_, order_;
  int state_changes_ = 0, closed_ = 0;
  long work_ = 0;
};

}  // namespace palp
