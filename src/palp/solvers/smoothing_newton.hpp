// Newton's method on a smoothed contact law: the part of `coulomb` that hyperstatic and badly conditioned
// problems need.
//
// The law, in scaled unknowns F = (μ f_n, f_t)/r, V = (δ_n/μ, δ_t) r with r = √ρ, is a complementarity on the
// cone L = {x_n ≥ |x_t|}:   F ∈ L,   U = V + |V_t| n ∈ L,   F·U = 0   (De Saxcé's form, H08 §3.2). With w = F
// − U this reads F = P(w), U = P(−w), P the projection on L. Both are smoothed on the cone's eigenvalues λ =
// w_n ± |w_t| by
//     P_τ(λ) = (λ + √(λ² + 4τ))/2     (Chen-Harker-Kanzow-Smale),
// so that F ∘ U = τ: the central path of an interior-point method, but with w free, nothing to keep inside.
// One equation is left,
//     R(w, τ) = T W T F + T δ_free + |U_t| n − U = 0,   T = diag(r/μ, r, r),
// followed from τ > 0 to 0 by predictor-corrector steps. With y = D dw, D = P_τ'(w), a step solves
//     (T W T + C G) y = −R − R_τ dτ,   G = D⁻¹ − 1 ⪰ 0,   C = 1 − n (U_t/|U_t|)ᵀ,
// W plus a block diagonal: positive semi-definite up to the friction term in C. Open contacts have G → ∞ and
// leave the dense system.
//
// When the path folds (strong friction, many redundant contacts) the steps get short. A proximal term then
// makes the problem regular, R + α (F − F_k), and F_k follows the solution, α falling as long as that goes
// well. Contacts that cannot all stick let F_k drift along the kernel of W without any gain until one of them
// starts to slide or opens: such a drift is recognised and taken in longer steps (jump).
#pragma once
#include <vector>

#include "palp/solvers/block_lu.hpp"
#include "palp/solvers/prepared.hpp"

namespace palp {

class SmoothingNewton {
 public:
  /// Allocates only when the problem is larger than any before.
  void set(const Prepared& prepared);

  /// Starts at a force with its δ; e is its certificate, which tells how far away the solution is. `again`:
  /// an earlier start on this problem did not get through, so the proximal term is there from the first step.
  void start(ConstVecRef f, ConstVecRef delta, double e, bool again);
  /// One step; false when nothing more can be done from here.
  bool iterate();
  /// One step at τ ≈ 0, from the path (first) or from the last polish: semi-smooth Newton with the states
  /// that the path has singled out (3 directions of a sticking contact, 2 of a sliding one, none of an open
  /// one are free). f: its force. The path stays where it was.
  bool polish(bool first, VecRef f);
  /// The force of the present w, on the cone exactly.
  void force(VecRef f) const;
  /// True when the proximal problem is solved and wants its next centre: then call recentre.
  bool wants_centre() const { return alpha_ > 0 && inner_done_; }
  /// f: the force just found when it solves the proximal problem, otherwise the old centre, to be tried with
  /// a stronger proximal term. True when the centre drifts and was moved on further.
  bool solved_for_centre() const { return inner_solved_; }
  bool recentre(ConstVecRef f, ConstVecRef delta, double e);

  /// Arithmetic of the next step, for the driver's choice between sweeps and Newton.
  double flops() const;

 private:
  enum class Kind : unsigned char { friction, normal_only, bilateral, dead };
  struct Smooth {     // one contact at (w, τ)
    Vec3 F, U, dtau;  // P_τ(w), P_τ(−w), their common derivative in τ
    Mat3 G;
    Vec2 h;    // U_t/|U_t|, smoothed
    double s;  // |U_t|, smoothed
  };
  Smooth smooth(int i, double tau, bool derivatives) const;
  void set_w(ConstVecRef f, ConstVecRef delta);
  /// F_, U_, R_ at (w, τ); returns |R|.
  double evaluate(ConstVecRef w, double tau);
  /// out = T W T x + α x, skipping zero contacts.
  void apply_W(ConstVecRef x, VecRef out);
  bool assemble_and_factor();
  void linear_solve(ConstVecRef b, VecRef dw);
  void trouble();
  /// Moves F and w on when F − centre goes on as it did the last time, up to where a contact leaves its cone.
  bool jump(double e);

  const Prepared* P_ = nullptr;
  int m_ = 0;
  bool dense_ = true;
  std::vector<Kind> kind_;
  GrowingVector T_;     // 3m
  GrowingVector free_;  // T δ_free
  GrowingVector w_, polished_, accepted_, trial_, F_, U_, R_, R_tau_, F_tau_, b_, dw_R_, dw_tau_, y_, Wy_,
      centre_, physical_, product_, drift_;
  std::vector<Mat3> G_, CG_;
  std::vector<Vec2> h_;
  std::vector<int> in_system_;  // dense: contacts in the linear system
  std::vector<int> column_of_;  // dense: contact → its place in in_system_, or −1
  std::vector<double> x_;       // right-hand side of the linear system
  DenseLu dense_lu_;
  SparseBlockLu sparse_lu_;
  double tau_ = 0, scale_ = 1, norm_R_ = 0, alpha_ = 0, epsilon_ = 0, reached_ = 0;
  int short_steps_ = 0, troubles_ = 0, inner_ = 0;
  double drift_error_ = 0;  // with drift_: the last move of the centre and its certificate
  bool inner_done_ = false, inner_solved_ = false;
};

}  // namespace palp
