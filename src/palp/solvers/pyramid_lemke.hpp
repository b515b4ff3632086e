// The rival of D06 §4.2: the friction cone replaced by a pyramid with k sides (eq. 22), the problem by a
// linear complementarity problem of m (k + 2) rows (eq. 23-24), solved by Lemke's pivoting. Per contact, with
// directions d_r = (cos 2πr/k, sin 2πr/k) in the tangent plane and f_t = Σ β_r d_r:
//     0 ≤ δ_n ⊥ f_n ≥ 0,   0 ≤ λ + d_r·δ_t ⊥ β_r ≥ 0,   0 ≤ μ f_n − Σ β_r ⊥ λ ≥ 0.
// A contact without friction keeps its normal row only: a frictionless problem becomes the plain LCP of eq.
// 18 and its answer is exact. Bilateral blocks enter as equations. The answer is judged on the true cone like
// any other: a pyramid usually stalls above a small tolerance although its own problem is solved;
// lcp_status() tells them apart.
#pragma once
#include <string>

#include "palp/math/growing.hpp"
#include "palp/solvers/lemke.hpp"
#include "palp/solvers/prepared.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {

class PyramidLemke final : public Solver {
 public:
  static constexpr int default_sides = 8;
  static constexpr int max_sides = 1024;
  static constexpr int max_rows = 6000;  ///< of the LCP: two dense matrices of that size are 0.6 GB

  /// 3 ≤ sides ≤ max_sides; others are brought into this range.
  explicit PyramidLemke(int sides = default_sides);
  std::string_view name() const override { return name_; }
  /// Refuses problems whose LCP has more than max_rows rows.
  Result<void> set_problem(const Problem& problem) override;
  void set_delta_free(ConstVecRef delta_free) override { prepared_.set_delta_free(delta_free); }
  /// Starts from scratch: Lemke knows no warm start. sweeps = pivots; max_sweeps limits them.
  SolveReport solve(const SolveOptions& options, VecRef f) override;

  LemkeStatus lcp_status() const { return lcp_status_; }
  bool lcp_solved() const { return lcp_status_ == LemkeStatus::solved; }
  int lcp_rows() const { return rows_; }
  int sides() const { return static_cast<int>(directions_.size()); }

 private:
  int rows_of(int contact) const;
  void assemble_block(int i, int j, const Mat3& W_ij);
  void assemble_q();

  std::string name_;
  std::vector<Vec2> directions_;  ///< k
  Prepared prepared_;
  std::vector<int> first_row_;  ///< m + 1: first LCP row of each contact
  int rows_ = 0;
  MatX M_;                       ///< rows × rows, eq. 24
  VecX q_, z_;                   ///< rows
  GrowingVector delta_;          ///< 3m
  std::vector<char> free_rows_;  ///< rows
  Lemke lemke_;
  LemkeStatus lcp_status_ = LemkeStatus::inaccurate;
};

std::unique_ptr<Solver> make_pyramid_lemke();

}  // namespace palp
