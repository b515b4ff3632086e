// Lemke's complementary pivoting for the general linear complementarity problem: given M, q find z with
//     w = M z + q,   0 ≤ w ⊥ z ≥ 0          (D06 eq. 18 and 24 are of this form).
// Rows marked free are equations instead: w_i = 0 with z_i of any sign (bilateral constraints).
//
// One artificial variable z0 makes the start feasible (w = q + M z + d z0 ≥ 0) and is driven out by pivots
// that keep complementarity. The dictionary x_B = q̂ + T x_N holds n × (n+1) numbers; a pivot is one rank-one
// update. Ties are broken lexicographically, as if q were perturbed by (ε, ε², …), so that degenerate
// problems cannot cycle. When no basic variable limits the entering one, the path ends in a ray. Its z-part y
// ≥ 0 with Mᵀy ≤ 0, qᵀy < 0 is a proof that no w ≥ 0, z ≥ 0 exists; it always is one when M is positive
// semi-definite.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

enum class LemkeStatus {
  solved,       ///< residual() says how exactly
  infeasible,   ///< proved: the ray is a Farkas certificate, or the free rows contradict one another
  ray,          ///< ended in a ray that proves nothing (M is not copositive-plus)
  pivot_limit,  ///< too many pivots
  out_of_time,  ///< the deadline passed
  inaccurate,   ///< the answer of the last basis does not satisfy the problem: rounding won
};

class Lemke {
 public:
  struct Options {
    int max_pivots = 0;                                            ///< 0: 50 n + 200
    double accuracy = 1e-9;                                        ///< on residual()
    double deadline_us = std::numeric_limits<double>::infinity();  ///< as clock_us tells the time
    double (*clock_us)() = nullptr;                                ///< null: no deadline
  };

  /// Room for problems of up to n rows; solve() then never allocates for them.
  void reserve(int n);
  /// z: n, the answer (unspecified unless solved). free_rows: n flags, or empty.
  LemkeStatus solve(ConstMatRef M, ConstVecRef q, std::span<const char> free_rows, const Options& options,
                    VecRef z);
  LemkeStatus solve(ConstMatRef M, ConstVecRef q, VecRef z) { return solve(M, q, {}, Options{}, z); }

  int pivots() const { return pivots_; }
  /// Largest |min(w_i, z_i)| (|w_i| on free rows) of the scaled problem, relative to the largest |q_i| or
  /// |z_i| there.
  double residual() const { return residual_; }

 private:
  LemkeStatus attempt(std::span<const char> free_rows, const Options& options, int max_pivots, int number);
  bool eliminate_free_rows(std::span<const char> free_rows);
  LemkeStatus follow_path(const Options& options, int max_pivots);
  int leaving_row(int column) const;
  bool lexicographically_less(int a, double pivot_a, int b, double pivot_b) const;
  double perturbation(int row, int j) const;
  void pivot(int row, int column);
  bool ray_proves_infeasible(int column);
  void refine_and_measure(std::span<const char> free_rows);
  void scale(ConstMatRef M, ConstVecRef q);

  // Variables are numbered w_0..w_{n-1}, z_0..z_{n-1}, z0 (the artificial one).
  int n_ = 0;
  MatX M_;                               ///< n × n, scaled: D M E
  VecX q_, D_, E_;                       ///< n
  MatX T_;                               ///< n × (n+1), the dictionary
  VecX qh_;                              ///< n, q̂
  VecX z_, w_, y_;                       ///< n, the scaled answer and work
  std::vector<int> basic_;               ///< n: variable of each row
  std::vector<int> nonbasic_;            ///< n+1: variable of each column
  std::vector<int> row_of_, column_of_;  ///< 2n+1: where a variable is, −1 when it is on the other side
  std::vector<char> dead_row_;           ///< n: rows of free variables, which never leave the basis
  double q_scale_ = 1;
  int pivots_ = 0;
  double residual_ = 0;
};

}  // namespace palp
