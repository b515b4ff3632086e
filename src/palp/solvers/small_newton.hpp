// Problems of a few contacts, where bookkeeping costs more than arithmetic. W is one small dense matrix in
// double, whatever its storage; a few sweeps of Algorithm 1 (D06) find the states, then semi-smooth Newton
// steps on
//     open:   f = 0
//     stick:  δ = 0
//     slip:   δ_n = 0,  f_t = μ f_n z/|z|,  z = f_t − ρ δ_t      (Alart and Curnier's form of Coulomb's law)
// finish, each followed by a sweep. A few of them may lead away from the answer while they sort out the
// states; the best force seen is where sweeps go on. Redundant contacts make W singular: a term
// ε (f_new − f)/ρ picks the nearest of the solutions. What this does not solve within a few dozen steps is
// left to the general method, which goes on from the force reached.
#pragma once
#include <vector>

#include "palp/solvers/prepared.hpp"
#include "palp/solvers/sweep.hpp"

namespace palp {

class SmallNewton {
 public:
  static constexpr int most_contacts = 10;

  /// At most most_contacts contacts, none bilateral.
  static bool fits(const Prepared& prepared);
  void set(const Prepared& prepared);
  /// The same piece by piece: the number of contacts, the columns of W (3m rows each), then every contact.
  void resize(int m);
  double* column(int c) { return W_[c]; }
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
  static constexpr int padded = (most_rows + 7) / 8 * 8;
  enum class State : unsigned char { open, stick, slip };
  struct Step {
    double inverse_nn, inverse_Lambda;
  };

  void residual();
  void add_column(int i, double a, double b, double c);
  /// One sweep of Algorithm 1; moved_ and size_ are Σ|Δf|² and Σ|f|².
  void sweep();
  /// At the rate of the last two sweeps, would the rest cost less than a Newton step? enough: moved_ at the
  /// end.
  bool sweeps_are_cheaper(double last_moved, double enough) const;
  /// One Newton step on f_; false when the linear system could not be solved.
  bool newton();
  bool eliminate(int n);
  Certificate judge() const;

  const double* delta_free_ = nullptr;
  int m_ = 0, rows_ = 0;  // rows_: 3m rounded up to whole vectors
  bool coupled_ = true;   // false: no contact touches another, and sweeps may be judged at once
  int state_changes_ = 0;
  double moved_ = 0, size_ = 0;
  Step step_[most_contacts];
  double mu_[most_contacts], rho_[most_contacts];
  State state_[most_contacts];
  alignas(64) double W_[most_rows][padded];  // columns
  alignas(64) double f_[padded], delta_[padded], kept_[padded];
  alignas(64) double A_[most_rows][padded + 8];  // the system of a Newton step, right-hand side last
};

}  // namespace palp
