// The two solvers of H08 §3.3, both on the bi-potential form of the contact laws (§3.2):
//     predictor  r* = r − ρ (u + μ|u_t| n),      corrector  r = Proj_{K_μ}(r*),      ρ = min_i 1/W_ii.
// local:  a Gauss-Seidel sweep over the contacts; at each one the pair is iterated, with the other contacts
// frozen,
//         from r = 0 until |Δr|/ρ falls below the local tolerance.
// global: one predictor-corrector per contact and sweep. The paper leaves open which displacement u^(k) the
// predictor
//         sees. `current`: the present one, with what the earlier contacts of this sweep did (Gauss-Seidel).
//         `stored`: the one kept when this contact was last corrected; contacts that push the same way then
//         add up their steps, and the iteration diverges as soon as the coupling is strong. The paper's first
//         benchmark, strongly coupled, was solved: hence `current` is the default.
// A bilateral block is the same iteration without the projection.
//
// Stopping: on the certificate, or as in the paper when error_m > 0 (every contact's |Δr|/ρ below it). The
// status is `converged` only if the certificate is within the tolerance in both cases.
#pragma once
#include <string>

#include "palp/math/growing.hpp"
#include "palp/solvers/prepared.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {

enum class UzawaScheme { local, global };

struct UzawaOptions {
  enum class GlobalPredictor { stored, current };
  GlobalPredictor global_predictor = GlobalPredictor::current;
  double error_m = 0;  ///< the paper's tolerance ε₁ = ε₂ = ε₃ on |Δr|/ρ; 0: stop on the certificate
  int max_local_iterations = 1000;
};

class Uzawa final : public Solver {
 public:
  explicit Uzawa(UzawaScheme scheme, UzawaOptions options = {});
  std::string_view name() const override {
    return scheme_ == UzawaScheme::local ? "uzawa_local" : "uzawa_global";
  }
  Result<void> set_problem(const Problem& problem) override;
  void set_delta_free(ConstVecRef delta_free) override { prepared_.set_delta_free(delta_free); }
  /// On divergence f is the best force seen, the status is `stalled` and diverged() tells.
  SolveReport solve(const SolveOptions& options, VecRef f) override;

  bool diverged() const { return diverged_; }  ///< the last solve ran away from its best answer
  long predictor_steps() const {
    return predictor_steps_;
  }                                            ///< of the last solve, over all contacts and sweeps
  double error_m() const { return error_m_; }  ///< largest |Δr|/ρ of its last sweep
  double rho() const { return rho_; }

 private:
  Vec3 corrected(int i, const Vec3& r, const Vec3& u) const;
  Vec3 solve_locally(int i, const Vec3& r_old, const Vec3& u_old, double threshold);

  UzawaScheme scheme_;
  UzawaOptions options_;
  Prepared prepared_;
  double rho_ = 0;  ///< min 1/W_ii, N/m
  GrowingVector u_, u_stored_,
      best_;  ///< 3m: displacement now, when last corrected (global), best force so far
  bool diverged_ = false;
  long predictor_steps_ = 0;
  double error_m_ = 0;
};

std::unique_ptr<Solver> make_uzawa_local();
std::unique_ptr<Solver> make_uzawa_global();

}  // namespace palp
