// Problems of a few contacts, where bookkeeping costs more than arithmetic. W is one small dense matrix in
// double, whatever its storage; a few sweeps find the states, then semi-smooth Newton steps on
//     open:   f = 0
//     stick:  δ = 0
//     slip:   δ_n = 0,  δ_t parallel to f_t,  |f_t| = μ f_n
// finish, each followed by a sweep. A sweep takes Algorithm 1's step (D06) at contacts whose own block lets
// it converge fast, and solves the others exactly (local.hpp). A few Newton steps may lead away from the
// answer while they sort out the states; the best force seen is where sweeps go on. Redundant contacts make W
// singular: a term ε (f_new − f)/ρ picks the nearest of the solutions. What this does not solve within a few
// dozen steps is left to the general method, which goes on from the force reached.
#pragma once
#include <vector>

#include "palp/solvers/local.hpp"
#include "palp/solvers/prepared.hpp"
#include "palp/solvers/sweep.hpp"

namespace palp {

class SmallNewton {
 public:
  static constexpr int most_contacts = 10;

  /// At most most_contacts contacts, none bilateral.
  static bool fits(const Prepared& prepared);
  void set(const Prepared& prepared);
  /// The same piece by piece: the number of contacts, all of W (3m × 3m), then every contact.
  void resize(int m);
  double& entry(int r, int c) { return W_[c][r + r / 3]; }
  void set_contact(int i, double mu, double rho);

  struct Outcome {
    SolveStatus status = SolveStatus::stalled;  ///< stalled: the general method should take over
    Certificate certificate;
    int sweeps = 0;  ///< sweeps and Newton steps
  };
  /// From f (3m) to the best force found. `warm`: f may already be the answer.
  Outcome solve(const SolveOptions& options, BudgetWatch& watch, bool warm, const double* delta_free,
                double* f);

 private:
  static constexpr int most_rows = 3 * most_contacts;
  // Four rows per contact, the last of nothing: a vector each, and what one store wrote one load reads.
  static constexpr int padded = 4 * most_contacts;
  enum class State : unsigned char { open, stick, slip };
  struct Step {
    double inverse_nn, inverse_Lambda;
    bool exact;  ///< a step of Algorithm 1 would leave much of the error
  };
  struct Force {
    double n, t_1, t_2;
  };
  // For every m, since loops of known length take half the instructions.
  template <int m>
  void residual_of();
  template <int m>
  void sweep_of();
  void residual() { (this->*residual_)(); }
  /// One sweep; moved_ and size_ are Σ|Δf|² and Σ|f|².
  void sweep() { (this->*sweep_)(); }
  /// The local solution of contact i, whose δ is given, into next_.
  State solve_exactly(int i, double delta_n, double delta_1, double delta_2);
  /// α of the contacts that slip, δ_t = −α f_t, for solve_exactly.
  void guess_alpha();
  /// At the rate of the last two sweeps, would the rest cost less than a Newton step? enough: moved_ at the
  /// end.
  bool sweeps_are_cheaper(double last_moved, double enough) const;
  /// One Newton step on f_, with its δ. consistent: f has the states that it was computed for; failed: the
  /// linear system could not be solved.
  enum class Newton { failed, inconsistent, consistent };
  Newton newton();
  bool eliminate(int n);
  Certificate judge(const double* f, const double* delta) const {
    return unilateral_certificate<4>(m_, mu_, rho_, free_, f, delta);
  }

  int m_ = 0;
  void (SmallNewton::*residual_)() = nullptr;
  void (SmallNewton::*sweep_)() = nullptr;
  bool coupled_ = true;  // false: no contact touches another, and sweeps may be judged at once
  int state_changes_ = 0;
  double moved_ = 0, size_ = 0;
  Force next_{0, 0, 0};
  Step step_[most_contacts];
  LocalBlock block_[most_contacts];
  double mu_[most_contacts], rho_[most_contacts], alpha_[most_contacts];
  State state_[most_contacts];
  alignas(64) double W_[most_rows][padded] = {};  // columns
  alignas(64) double free_[padded] = {}, f_[padded] = {}, delta_[padded] = {}, kept_[padded],
                     kept_delta_[padded];
  alignas(64) double A_[most_rows][padded];  // the system of a Newton step, right-hand side last
};

}  // namespace palp
