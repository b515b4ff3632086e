// The loop around every sweeping solver: first guess, sweeps with column updates, clock, certificate.
#pragma once
#include "palp/solvers/prepared.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {

/// Stops on the clock with time in hand for what must still follow. The clock is read once per `grain` of
/// work.
class BudgetWatch {
 public:
  explicit BudgetWatch(const SolveOptions& options)
      : clock_us_(options.clock_us),
        start_us_(options.now()),
        budget_us_(options.has_budget() ? options.budget_us : forever) {}

  double elapsed_us() const { return clock_us_ ? clock_us_() - start_us_ : 0; }
  /// Time that the last duties (the certificate) will need.
  void reserve_us(double time) { reserve_us_ = time; }
  bool spent() const { return budget_us_ < forever && elapsed_us() + reserve_us_ >= budget_us_; }
  /// True when `extra_us` more would exceed the budget.
  bool too_late_for(double extra_us) const {
    return budget_us_ < forever && elapsed_us() + reserve_us_ + extra_us >= budget_us_;
  }
  /// Adds work (multiply-adds); reads the clock when enough has gathered, about every two microseconds.
  bool spent_after(int work) {
    if (!(budget_us_ < forever) || (work_ += work) < grain) return false;
    work_ = 0;
    return spent();
  }

 private:
  static constexpr int grain = 8000;
  static constexpr double forever = std::numeric_limits<double>::infinity();
  double (*clock_us_)();
  double start_us_, budget_us_, reserve_us_ = 0;
  int work_ = 0;
};

/// f ← 0, or the finite part of the first guess.
inline void first_guess(const SolveOptions& options, VecRef f) {
  if (!options.warm_start) f.setZero();
  for (double& x : f)
    if (!std::isfinite(x)) x = 0;
}

/// Sweeps until the certificate is within tolerance or a limit is hit.
///   step(i, f_i, δ_i) → new f_i, with the other contacts frozen.
///   observe(certificate) is told each certificate that is evaluated; may change what step does.
/// δ is maintained by columns; before convergence is claimed it is computed afresh, so that drift cannot lie.
template <class Step, class Observe>
SolveReport sweep_until_certified(const Prepared& P, const SolveOptions& options, VecRef delta, VecRef f,
                                  Step&& step, Observe&& observe) {
  constexpr int certificate_every = 8;  // sweeps, when the change alone does not suggest convergence
  constexpr int refresh_every = 64;     // sweeps between fresh residuals
  constexpr int visit_work = 150;       // a local step, counted in multiply-adds
  BudgetWatch watch(options);
  SolveReport report{.sweeps = 0};
  const auto finish = [&](SolveStatus status, const Certificate& c) {
    report.status = c.infeasible ? SolveStatus::infeasible : status;
    report.certificate = c.value;
    report.time_us = watch.elapsed_us();
    return report;
  };

  first_guess(options, f);
  P.residual(f, delta);
  const double before_us = watch.elapsed_us();
  Certificate c = P.judge(f, delta);
  watch.reserve_us(watch.elapsed_us() - before_us);
  if (c.infeasible) return finish(SolveStatus::infeasible, c);
  if (c.within(options.tolerance)) return finish(SolveStatus::converged, c);

  bool fresh = true;  // δ was computed from f directly
  while (report.sweeps < options.max_sweeps) {
    const double sweep_start_us = watch.elapsed_us();
    double change = 0, size = 0;
    for (int i = 0; i < P.m; ++i) {
      const Vec3 old = f.segment<3>(3 * i);
      const Vec3 next = step(i, old, Vec3(delta.segment<3>(3 * i)));
      const Vec3 df = next - old;
      size += next.squaredNorm();
      const double moved = df.squaredNorm();
      int work = visit_work;
      if (moved > 0) {
        change += moved;
        f.segment<3>(3 * i) = next;
        P.add_column(i, df, delta);
        fresh = false;
        work += P.column_work(i);
      }
      if (watch.spent_after(work)) return finish(SolveStatus::budget_spent, P.judge(f, delta));
    }
    ++report.sweeps;
    if (!std::isfinite(change)) {  // diverged: the only force that is certainly harmless is none
      f.setZero();
      P.residual(f, delta);
      return finish(SolveStatus::stalled, P.judge(f, delta));
    }
    if (watch.spent()) return finish(SolveStatus::budget_spent, P.judge(f, delta));
    if (report.sweeps % refresh_every == 0) P.residual(f, delta), fresh = true;
    const bool promising = change <= 16 * options.tolerance * options.tolerance * size;
    if (!promising && report.sweeps % certificate_every != 0) continue;

    c = P.judge(f, delta);
    if (c.within(options.tolerance) && !fresh) {
      if (watch.too_late_for(watch.elapsed_us() - sweep_start_us))
        return finish(SolveStatus::budget_spent, c);
      P.residual(f, delta);
      fresh = true;
      c = P.judge(f, delta);
    }
    if (c.within(options.tolerance)) return finish(SolveStatus::converged, c);
    if (change == 0) return finish(SolveStatus::stalled, c);
    observe(c);
  }
  P.residual(f, delta);
  c = P.judge(f, delta);
  return finish(c.within(options.tolerance) ? SolveStatus::converged : SolveStatus::sweep_limit, c);
}

}  // namespace palp
