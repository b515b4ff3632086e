#include "palp/solvers/uzawa.hpp"

#include <algorithm>
#include <cmath>

#include "palp/solvers/sweep.hpp"

namespace palp {

namespace {
constexpr double kRunaway = 1e3;  // a certificate this much above the best one seen is divergence
}

std::unique_ptr<Solver> make_uzawa_local() { return std::make_unique<Uzawa>(UzawaScheme::local); }
std::unique_ptr<Solver> make_uzawa_global() { return std::make_unique<Uzawa>(UzawaScheme::global); }

Uzawa::Uzawa(UzawaScheme scheme, UzawaOptions options) : scheme_(scheme), options_(options) {}

Result<void> Uzawa::set_problem(const Problem& problem) {
  if (auto ok = prepared_.set(problem); !ok) return ok;
  double softest = 0;
  for (const Mat3& W_ii : prepared_.diagonal) softest = std::max(softest, W_ii.diagonal().maxCoeff());
  rho_ = softest > 0 ? 1 / softest : 0;
  for (GrowingVector* v : {&u_, &u_stored_, &best_}) v->resize(3 * prepared_.m);
  return {};
}

// One predictor-corrector step.
Vec3 Uzawa::corrected(int i, const Vec3& r, const Vec3& u) const {
  if (prepared_.bilateral(i)) return r - rho_ * u;
  const double mu = prepared_.mu(i);
  Vec3 bipotential = u;
  bipotential[0] += mu * std::hypot(u[1], u[2]);
  return project_on_cone(r - rho_ * bipotential, mu);
}

// The other contacts are frozen: their share of u is u_old − W_ii r_old.
Vec3 Uzawa::solve_locally(int i, const Vec3& r_old, const Vec3& u_old, double threshold) {
  const Mat3& W_ii = prepared_.diagonal[i];
  const Vec3 frozen = u_old - W_ii * r_old;
  Vec3 r = Vec3::Zero(), u = frozen;
  for (int j = 0; j < options_.max_local_iterations; ++j) {
    const Vec3 next = corrected(i, r, u);
    const double change = (next - r).norm();
    ++predictor_steps_;
    r = next;
    u = frozen + W_ii * r;
    if (!(change > threshold)) break;
  }
  return r;
}

SolveReport Uzawa::solve(const SolveOptions& options, VecRef f) {
  BudgetWatch watch(options);
  diverged_ = false;
  predictor_steps_ = 0;
  error_m_ = 0;
  SolveReport report;
  first_guess(options, f);
  prepared_.residual(f, u_);
  u_stored_ = ConstVecRef(u_);
  best_ = f;
  const Certificate first = prepared_.judge(f, u_);
  double best = first.value;
  const double violation = [&] {  // ‖ρ min(δ_free,n, 0)‖ and its like for bilateral blocks: the scale of f
    double sum = 0;
    for (int i = 0; i < prepared_.m; ++i) {
      const Vec3 free = prepared_.delta_free.segment<3>(3 * i);
      const double depth = prepared_.bilateral(i) ? free.norm() : std::min(free[0], 0.0);
      sum += prepared_.rho[i] * prepared_.rho[i] * depth * depth;
    }
    return std::sqrt(sum);
  }();

  report.status = first.infeasible ? SolveStatus::infeasible : SolveStatus::sweep_limit;
  bool done = first.infeasible || first.within(options.tolerance);
  while (!done && report.sweeps < options.max_sweeps) {
    // Local steps a tenth finer than what the certificate asks of each contact, or what the paper asks.
    const double scale = std::max(f.norm(), violation) / std::sqrt(std::max(prepared_.m, 1));
    const double threshold = options_.error_m > 0 ? options_.error_m * rho_ : 0.1 * options.tolerance * scale;
    double largest_change = 0;
    bool late = false;
    for (int i = 0; i < prepared_.m && !late; ++i) {
      const Vec3 r = f.segment<3>(3 * i);
      Vec3 next;
      if (scheme_ == UzawaScheme::local) {
        next = solve_locally(i, r, u_.segment<3>(3 * i), threshold);
      } else {
        const bool stored = options_.global_predictor == UzawaOptions::GlobalPredictor::stored;
        next = corrected(i, r, stored ? u_stored_.segment<3>(3 * i) : u_.segment<3>(3 * i));
        ++predictor_steps_;
      }
      const Vec3 change = next - r;
      int work = 50;
      if (change != Vec3::Zero()) {
        work += prepared_.column_work(i);
        f.segment<3>(3 * i) = next;
        prepared_.add_column(i, change, u_);
        largest_change = std::max(largest_change, change.norm());
      }
      u_stored_.segment<3>(3 * i) = u_.segment<3>(3 * i);
      late = watch.spent_after(work);
    }
    ++report.sweeps;
    error_m_ = rho_ > 0 ? largest_change / rho_ : 0;
    double e = prepared_.judge(f, u_).value;
    if (report.sweeps % 64 == 0 ||
        e <= options.tolerance) {  // judged without the rounding of the column updates
      prepared_.residual(f, u_);
      e = prepared_.judge(f, u_).value;
    }
    if (e < best) {
      best = e;
      best_ = f;
    }
    if (!(e <= kRunaway * std::max(best, options.tolerance)) || !f.allFinite()) {
      diverged_ = true;
      report.status = SolveStatus::stalled;
      break;
    }
    done = options_.error_m > 0 ? error_m_ < options_.error_m : e <= options.tolerance;
    late = late || watch.spent();
    if (late && !done) {
      report.status = SolveStatus::budget_spent;
      break;
    }
  }
  if (diverged_) f = best_;
  prepared_.residual(f, u_);
  report.certificate = prepared_.judge(f, u_).value;
  if (report.certificate <= options.tolerance)
    report.status = SolveStatus::converged;
  else if (done && report.status == SolveStatus::sweep_limit)
    report.status = SolveStatus::stalled;
  report.time_us = watch.elapsed_us();
  return report;
}

}  // namespace palp
