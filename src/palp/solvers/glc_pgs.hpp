// K16's solver for geometrically limited constraints (§3.4-3.5, several proxies §5). One iteration:
//     active GLCs at the tentative proxy positions x_k        (eq. 7, 8, 10, 12)
//     convex sets of them, per proxy; the member with the largest ψ carries the set's force, the others none
//     (eq. 13; glc_carriers.cpp says which sets, and what keeps the choice from going round in circles)
//     projected Gauss-Seidel over the carriers, then over the other constraints; friction on the true cone
//     outer trust region: box forces keep each proxy inside the region that the GLCs describe (eq. 14); the
//     borders that push are solved for together with the carriers, as constraints without friction
//     inner trust region: x_{k+1} = x_k + the step towards the solution, clipped to a box smaller than any
//     GLC, so that no GLC can be leapt over between two active-set tests (figures 4, 5). It starts at x_old
//     and vanishes at convergence, where x_k is the solution's own position. A force that is taken away goes
//     in steps that let a soft surface come back no further than that. The proxies of a tool have one step
//     length, so that x_k is always a place where the tool can be:
//         Δx_k = a_k Δx_free + A⁻¹ Hᵀ φ_k,      (a, φ) ← (a, φ) + α ((1, forces) − (a, φ)).
//
// The tests and the choice of carriers are made at x_k, the forces are computed for the full step: the way to
// the answer is bounded, its convergence is that of Gauss-Seidel. A GLC in its tangential range with 0 < ψ ≤
// d takes part in the maximum of eq. 13 as a witness: it proves that the proxy is outside of the convex set.
//
// Converged: no step is clipped, the carriers are those of the iteration before, and the certificate of the
// selected contact problem (carriers and other constraints) is within the tolerance.
#pragma once
#include <array>

#include "palp/solvers/certificate.hpp"
#include "palp/solvers/glc.hpp"
#include "palp/solvers/small_newton.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {

struct GlcSizes {
  int glc = 128, nodes = 128, other = 64, proxies = 4;
};

struct GlcSettings {
  bool inner_trust = true;  ///< off only to show what happens without it
  /// Half size of the inner box over the smallest extent, min(d, 2 max(s₁, s₂)), of a proxy's GLCs.
  double inner_scale = 0.5;
  bool convex_sets = true;  ///< off: every active GLC carries for itself, as without K16's decomposition
};

struct GlcReport : SolveReport {
  int active = 0;       ///< GLCs in their active region at the end
  int carriers = 0;     ///< convex sets that may carry a force
  int inner_hits = 0;   ///< iterations whose step was clipped
  int outer_hits = 0;   ///< tools held back by their outer trust regions at the end
  int held = 0;         ///< carriers against eq. 13, so that the choice ends; 0 nearly always
  double overstep = 0;  ///< share of its extents by which a loaded GLC is beyond them; 0 nearly always
};

class GlcPgs {
 public:
  static constexpr int most_carriers = 128;  ///< that are solved together, with the other constraints

  explicit GlcPgs(GlcSizes sizes = {}, GlcSettings settings = {});

  /// What solves for more carriers than a few, beside sweeps: stiff tools bear on many. Must outlive this.
  void set_solver(Solver* solver) { solver_ = solver; }

  /// Keeps a reference: the problem must live until the next call. An error when it is larger than the sizes
  /// given at construction. Costs a few operations per constraint; W and C are neither copied nor scanned
  /// (see validate); C and the GLCs' places and weights may change from solve to solve.
  Result<void> set_problem(const GlcProblem& problem);

  /// f: 3(m+o), the first guess when warm_start, the forces afterwards. Never allocates.
  GlcReport solve(const SolveOptions& options, const GlcMotion& motion, VecRef f);

  /// After solve: where each proxy ends. Equals x_free + C · (all forces) when converged; a solve that was
  /// cut short leaves it at the last tentative position, which has not leapt over anything.
  const Vec3& proxy_position(int p) const { return x_[p]; }
  /// The same for the proxy's tool: which part of its free motion it makes, under which force there, N.
  double share_of_motion(int p) const { return share_[tool_[p]]; }
  const Vec3& acting_force(int p) const { return acting_[p]; }
  /// (ψ or δ_n, slip₁, slip₂) there.
  Vec3 end_delta(int i) const {
    return delta_at(i, [this](int p) { return Vec3(x_[p] - motion_->x_free[p]); });
  }
  /// Forces on nodes and by other constraints, and what these do: W times that. 3(n+o).
  ConstVecRef row_force() const { return row_force_.head(3 * problem_->rows()); }
  ConstVecRef response() const { return response_.head(3 * problem_->rows()); }
  /// Force of the outer trust region on the proxy, N.
  const Vec3& trust_force(int p) const { return box_[p]; }
  /// A block of the matrix of the contact problem.
  Mat3 block(int i, int j) const;
  std::span<const int> carriers() const { return {carriers_.data(), carriers_.size()}; }

 private:
  /// A border of an outer trust region that pushes its proxy back: a constraint, numbered after the others.
  struct Border {
    int proxy, axis;
    double sign;  ///< of the push
  };
  struct Member {
    int glc;
    double psi;
    bool may_carry;  // inside the active region of eq. 8, or loaded
  };
  void start(const SolveOptions& options, VecRef f);
  int collect_active(ConstVecRef f);
  void choose_carriers(ConstVecRef f);
  double overstep(ConstVecRef f) const;
  bool unload_idle(VecRef f);
  void prepare(int i);
  Vec3 resolved(int i, const Mat3& W_ii, const Vec3& before, const Vec3& v0) const;
  bool sweep(bool settled, const SolveOptions& options, BudgetWatch& watch, VecRef f);
  bool solve_few(const SolveOptions& options, BudgetWatch& watch, int count);
  bool solve_many(const SolveOptions& options, BudgetWatch& watch, int count);
  void apply(int i, const Vec3& df, VecRef f);
  void push(int p, const Vec3& force, std::vector<Vec3>& displacement) const;
  void outer_trust();
  bool relieve(VecRef f);
  void list_borders();
  int pushing_borders() const;
  bool jams(const Border& b) const;
  bool inner_trust();
  void stand_still();
  void refresh(ConstVecRef f);
  Certificate judge(ConstVecRef f) const;

  /// The rows of W that a constraint bears on, with their shares.
  struct Rows {
    std::array<int, 3> row;
    std::array<double, 3> share;
    int count;
  };
  Rows rows_of(int i) const;
  Mat3 given_way(int i, int j) const;
  /// δ after the free motion and what the forces do to what is touched.
  Vec3 delta(int i) const {
    const Rows rows = rows_of(i);
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < rows.count; ++k) sum += rows.share[k] * response_.segment<3>(3 * rows.row[k]);
    return motion_->delta_free.segment<3>(3 * i) + (i < m_ ? Vec3(frame(i) * sum) : sum);
  }

  /// (ψ or δ_n, slip₁, slip₂) of a constraint where its proxies have moved by `moved(p)` from their free
  /// positions.
  template <class Moved>
  Vec3 delta_at(int i, Moved&& moved) const {
    if (i < m_) return delta(i) + frame(i) * moved(problem_->glc[i].proxy);
    const OtherConstraint& c = problem_->other[i - m_];
    Vec3 sum = Vec3::Zero();
    if (c.proxy >= 0) sum += moved(c.proxy);
    if (c.second >= 0) sum += moved(c.second);
    return delta(i) + c.frame * sum;
  }
  /// Where the forces bring it, those of the boxes too.
  Vec3 goal_delta(int i) const {
    if (i >= rows_) return {room_at(borders_[i - rows_]), 0, 0};
    return delta_at(i, [this](int p) { return Vec3(u_[p] + outer_[p]); });
  }
  double room_at(const Border& b) const {
    const GlcProxy& proxy = problem_->proxy[b.proxy];
    const double to = motion_->x_free[b.proxy][b.axis] + u_[b.proxy][b.axis] + outer_[b.proxy][b.axis];
    return proxy.trust_half[b.axis] + b.sign * (to - proxy.trust_centre[b.axis]);
  }
  Vec3 force_of(int i, ConstVecRef f) const {
    if (i < rows_) return f.segment<3>(3 * i);
    const Border& b = borders_[i - rows_];
    return {b.sign * box_[b.proxy][b.axis], 0, 0};
  }
  static Mat3 frame_of_border(const Border& b);
  Mat3 frame(int i) const {
    if (i < m_) return frame_of(problem_->glc[i]);
    return i < rows_ ? problem_->other[i - m_].frame : frame_of_border(borders_[i - rows_]);
  }
  std::array<int, 2> proxies_of(int i) const {
    if (i >= rows_) return {borders_[i - rows_].proxy, -1};
    if (i < m_) return {problem_->glc[i].proxy, -1};
    return {problem_->other[i - m_].proxy, problem_->other[i - m_].second};
  }
  double mu_of(int i) const {
    return i < m_ ? problem_->glc[i].mu : i < rows_ ? problem_->other[i - m_].mu : 0;
  }
  bool bilateral(int i) const {
    return i >= m_ && i < rows_ && problem_->other[i - m_].kind == ContactKind::bilateral;
  }
  int tools() const { return static_cast<int>(share_.size()); }

  GlcSizes sizes_;
  GlcSettings settings_;
  Solver* solver_ = nullptr;
  const GlcProblem* problem_ = nullptr;
  const GlcMotion* motion_ = nullptr;  ///< of the last solve
  int m_ = 0, rows_ = 0;               ///< GLCs, all constraints

  // Per constraint, filled by prepare: 1/λ_max(W_ii), λ_max of its tangential part.
  std::vector<double> rho_, tangential_;
  std::vector<Mat3> inverse_;  ///< (pseudo-)inverse of W_ii, bilateral only
  // Per tool and per proxy.
  std::vector<int> first_, tool_;           ///< of a tool: its first proxy, one more at the end; of a proxy
  std::vector<double> trust_step_, slack_;  ///< half size of the inner box; what counts as one plane, m
  std::vector<Vec3> force_, u_;             ///< of the constraints, and the displacement that it makes
  std::vector<Vec3> box_, outer_;           ///< of the outer trust regions, and the displacement
  std::vector<Vec3> x_, acting_;            ///< tentative position, and the force that brings it there
  std::vector<double> share_, reach_;       ///< with this part of the free motion; the part that boxes allow
  std::vector<Border> borders_;             ///< sweep: those that push

  SmallNewton small_;
  Problem part_;                            ///< sweep: the carriers, the other constraints, the borders
  GrowingVector part_f_;                    ///< their forces
  std::vector<int> part_of_;                ///< their numbers
  VecX row_force_, response_;               ///< 3 rows of W: forces, and W times them
  VecX start_f_;                            ///< 3 rows: the first guess
  bool moved_ = false;                      ///< a tentative position, in the last iteration
  std::vector<Member> active_, witnesses_;  ///< candidates of the maxima, those that may carry first
  std::vector<char> lost_;                  ///< per proxy: a GLC with a force is out of its range
  /// GLCs: may carry now, did before, and before that; have a force.
  std::vector<int> carriers_, old_carriers_, older_carriers_, loaded_;
  bool holding_ = false;
  int held_ = 0;
  std::vector<char> is_carrier_, prepared_;  ///< m
  double shrink_ = 1;                        ///< of the inner trust region, while the carriers do not settle
};

}  // namespace palp
