// What every contact solver offers. The certificate (certificate.hpp) is the only judge of convergence.
#pragma once
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "palp/base/clock.hpp"
#include "palp/base/result.hpp"
#include "palp/solvers/problem.hpp"

namespace palp {

struct SolveOptions {
  double tolerance = 1e-6;  ///< on the certificate
  int max_sweeps = 10000;
  double budget_us =
      std::numeric_limits<double>::infinity();  ///< stop on the clock (P11), honoured within 5 %
  bool warm_start = false;                      ///< f holds a first guess
  /// What budget and time are measured with; tests put their own. Null: no clock is read, so that there is no
  /// budget and time_us is 0. Two readings cost as much as a problem of one contact.
  double (*clock_us)() = now_us;

  double now() const { return clock_us ? clock_us() : 0; }
  bool has_budget() const { return clock_us && budget_us < std::numeric_limits<double>::infinity(); }
};

enum class SolveStatus {
  converged,       ///< certificate ≤ tolerance
  sweep_limit,     ///< gave up after max_sweeps
  budget_spent,    ///< gave up on the clock
  stalled,         ///< no further progress is possible
  infeasible,      ///< Lemke: ray termination
  not_applicable,  ///< e.g. friction or bilateral rows given to a solver that has none
};

struct SolveReport {
  SolveStatus status = SolveStatus::sweep_limit;
  double certificate = std::numeric_limits<double>::infinity();
  int sweeps = 0;
  double time_us = 0;
  bool converged() const { return status == SolveStatus::converged; }
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  /// Takes a problem (W, δ_free, μ), which must stay alive and unchanged until the next call: a dense W is
  /// not copied. Allocates only when it is larger than any before. Checks sizes; validate() is for problems
  /// from outside.
  virtual Result<void> set_problem(const Problem& problem) = 0;
  Result<void> set_problem(Problem&& temporary) = delete;
  /// Replaces δ_free and keeps W and μ. Never allocates.
  virtual void set_delta_free(ConstVecRef delta_free) = 0;
  /// f: 3m, the first guess when warm_start, the answer afterwards. Never allocates.
  virtual SolveReport solve(const SolveOptions& options, VecRef f) = 0;
};

/// By name; an unknown name is an error that lists the known ones.
Result<std::unique_ptr<Solver>> make_solver(std::string_view name);
std::vector<std::string_view> solver_names();

}  // namespace palp
