#include "palp/solvers/coulomb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "palp/solvers/anderson.hpp"
#include "palp/solvers/fast_sweep.hpp"
#include "palp/solvers/reduced_newton.hpp"
#include "palp/solvers/single_contact.hpp"
#include "palp/solvers/small_newton.hpp"
#include "palp/solvers/smoothing_newton.hpp"
#include "palp/solvers/sweep.hpp"

namespace palp {
namespace {

/// Rough speeds of one core, in operations per microsecond: they only weigh sweeps against Newton steps.
constexpr double sweep_speed = 6000, newton_speed = 8000, newton_overhead_us = 4;
constexpr double first_judging_speed = 6000, judging_margin = 1.15, newton_margin = 1.3;
constexpr double clock_grain_us = 2;  ///< between two looks at the clock, and to hand the answer over
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int first_look = 4,
              last_look = 32;  ///< sweeps between certificates that the change does not suggest
/// Extrapolation by lanes: every so many sweeps, over so many differences. A sweep is so cheap there that
/// more would cost more than it saves.
constexpr int stride_by_lanes = 2, window_by_lanes = 2;
/// The certificate after a sweep per |Δf|/|f| of the sweep, before it was looked at (0.1 to 0.5 everywhere),
/// and a margin on it afterwards.
constexpr double first_per_change = 0.28, per_change_margin = 1.1;
constexpr int refresh_every = 128;    ///< sweeps, against the drift of single precision
constexpr double single_gain = 3e-6;  ///< what single precision can gain before δ needs a refresh
constexpr int no_progress = 20000;    ///< sweeps without a tenth gained, before Newton steps get their turn
/// Newton steps that the sweeps may cost before they give way, and those that usually follow.
constexpr int newton_steps_usual = 10;
constexpr int newton_steps_dense = 5, newton_steps_sparse = 2, newton_steps_sparse_loose = 90;
constexpr double loose = 1e-5;
/// The tail (reduced_newton.hpp). In its steps: what the sweeps must have cost before it, once no contact
/// changes state or while some still do, and what the sweeps to come must be worth.
constexpr double tail_settled = 0.5, tail_unsettled = 8, tail_gain = 1;
/// What it may cost without halving the error: as much as the sweeps so far, but always 3 steps, and up to 10
/// for so little time; and how many times more than that the sweeps must cost before the next one.
constexpr double tail_least = 3, tail_most = 10, tail_least_us = 100, tail_pause = 4;
/// Rounds in a row that do not halve the error, and steps of a round that end where a contact leaves its
/// cone.
constexpr int tail_most_idle = 3, tail_most_cuts = 6;
constexpr int newton_steps_allowed = 1000, most_idle = 120;  ///< in one attempt, and without progress
constexpr int most_near_misses = 3;                          ///< before the path is taken all the same
constexpr double near_answer = 1e-6;     ///< certificate from which Newton steps may arrive without a path
constexpr double patience_growth = 1.5;  ///< of the sweeps between two attempts
constexpr double much_better = 0.3;      ///< certificates, best to present
constexpr int least_sweeps = 100;  ///< before a low limit on them is a reason to give way to Newton's method

class Coulomb final : public Solver {
 public:
  Coulomb(std::string_view name, bool newton_first) : name_(name), newton_first_(newton_first) {}

  std::string_view name() const override { return name_; }

  Result<void> set_problem(const Problem& problem) override {
    if (auto ok = P_.set(problem); !ok) return ok;
    small_fits_ = SmallNewton::fits(P_);
    if (small_fits_) small_.set(P_);
    single_fits_ = small_fits_ && P_.m == 1 && !newton_first_;
    if (single_fits_) single_.set(P_);
    sweeper_.set(P_);
    newton_.set(P_);
    if (P_.dense()) reduced_.set(P_);
    const int n = static_cast<int>(sweeper_.force().size());
    anderson_.resize(n, static_cast<int>(sweeper_.correction().size()),
                     sweeper_.by_lanes() ? window_by_lanes : Anderson::largest_window,
                     sweeper_.most_forces());
    sweeper_.weights(anderson_.weight());
    before_.reserve(sweeper_.most_forces());
    before_.resize(n);
    for (GrowingVector* v : {&trial_, &kept_trial_, &best_f_, &centre_f_, &kept_f_, &swept_f_, &tail_f_})
      v->resize(3 * P_.m);
    return {};
  }

  void set_delta_free(ConstVecRef delta_free) override {
    P_.set_delta_free(delta_free);
    if (single_fits_) single_.set_delta_free(delta_free.head<3>());
  }

  SolveReport solve(const SolveOptions& options, VecRef f) override {
    if (single_fits_ && options.max_sweeps > 0) {
      const double start_us = options.now();
      if (SolveReport report{.sweeps = 0}; single_.solve(options, f.data(), report)) {
        report.time_us = options.now() - start_us;
        return report;
      }
    } else if (SolveReport report; small_fits_ && nothing_touches(options, f, report)) {
      return report;
    }
    return solve_several(options, f);
  }

 private:
  SolveReport solve_several(const SolveOptions& options, VecRef f) {
    BudgetWatch watch(options);
    report_ = {};
    options_ = &options;
    watch_ = &watch;
    closed_ = P_.m;
    first_guess(options, f);
    if (small_fits_ && !newton_first_) {
      const SmallNewton::Outcome out =
          small_.solve(options, watch, options.warm_start, P_.delta_free.data(), f.data());
      report_.sweeps += out.sweeps;
      if (out.status == SolveStatus::converged) return finish(out.status, out.certificate);
    }
    Certificate c;
    // Of a pile few digits are there at once in single precision. Elsewhere W may be too badly conditioned,
    // and for many digits W f is worth its time in double; then the first guess may as well be judged.
    if (sweeper_.by_lanes() && options.tolerance >= loose && !newton_first_ && !infeasible()) {
      sweeper_.start(f);
      refreshed_at_ = 1;
    } else {
      c = judge_exactly(f);
      if (c.infeasible) return finish(SolveStatus::infeasible, c);
      if (c.within(options.tolerance)) return finish(SolveStatus::converged, c);
    }
    patience_ = newton_first_ ? 0 : 1;
    near_misses_ = 0;
    Certificate kept;  // the best of all attempts, with kept_f_
    for (int attempt = 0;; ++attempt) {
      SolveStatus status = sweeps(f, c);
      if (status == SolveStatus::stalled) {
        // Newton's path may miss the solution from one start and find it from another. Every other attempt is
        // with the proximal term from the best force so far.
        swept_f_ = f;
        status = newton(f, c, attempt % 2 == 1);
      }
      if (status == SolveStatus::converged) return finish(status, c);
      if (attempt == 0 || c.value < kept.value) {
        kept = c;
        kept_f_ = f;
      }
      if (status != SolveStatus::stalled) {
        f = kept_f_;
        return finish(status, kept);
      }
      // The sweeps go on from where they were, or after every other attempt from the best force, if that is
      // much better: always from there, they would stay near a force that is no answer.
      f = swept_f_;
      c = judge_exactly(f);
      if (attempt % 2 == 1 && kept.value < much_better * c.value) {
        f = kept_f_;
        c = judge_exactly(f);
      }
      patience_ = std::max(patience_growth * patience_, 1.0);
    }
  }

  SolveReport finish(SolveStatus status, const Certificate& c) {
    report_.status = c.infeasible ? SolveStatus::infeasible : status;
    report_.certificate = c.value;
    report_.time_us = watch_->elapsed_us();
    return report_;
  }

  /// A contact without any compliance violates its law.
  bool infeasible() const {
    for (int i = 0; i < P_.m; ++i)
      if (P_.rho[i] == 0 && (P_.delta_free[3 * i] < 0 || P_.bilateral(i))) return true;
    return false;
  }

  /// No contact is violated without forces: the answer is none.
  bool nothing_touches(const SolveOptions& options, VecRef f, SolveReport& report) const {
    const double start_us = options.now(), *free = P_.delta_free.data();
    CertificateSum sum;
    for (int i = 0; i < P_.m; ++i) {
      const Vec3 free_i(free[3 * i], free[3 * i + 1], free[3 * i + 2]);
      if (!(free_i[0] >= 0)) return false;
      sum.add(false, P_.mu(i), P_.rho[i], Vec3::Zero(), free_i, free_i);
    }
    const Certificate c = sum.result();
    if (!c.within(options.tolerance)) return false;
    f.setZero();
    report = {SolveStatus::converged, c.value, 0, options.now() - start_us};
    return true;
  }

  /// δ afresh in double, and its certificate. How fast that goes tells what to keep in hand for the end.
  Certificate judge_exactly(VecRef f) {
    const bool timed = options_->has_budget();
    const double before = timed ? watch_->elapsed_us() : 0;
    sweeper_.refresh(f);
    const Certificate c = sweeper_.judge();
    refreshed_at_ = c.value;
    if (timed) {
      int loaded = 0;
      for (int i = 0; i < P_.m; ++i) loaded += f.segment<3>(3 * i) != Vec3::Zero();
      // Bounded below: one interruption must not make every later solve give up at once.
      if (loaded > 0)
        judging_speed_ = std::max(judging_work(loaded) / std::max(watch_->elapsed_us() - before, 1e-3),
                                  0.5 * first_judging_speed);
      keep_time_to_judge(loaded > 0 ? loaded : P_.m);
    }
    return c;
  }
  /// Multiply-adds of judge_exactly when `loaded` contacts have a force.
  double judging_work(int loaded) const {  // a block of sparse W costs about twice its arithmetic
    const double columns =
        P_.dense() ? 9.0 * P_.m * loaded : 20.0 * static_cast<double>(P_.column_row.size());
    return columns + 100.0 * P_.m;
  }
  double judging_us(int loaded) const {
    return judging_margin * judging_work(loaded) / judging_speed_ + clock_grain_us;
  }
  void keep_time_to_judge(int loaded) { watch_->reserve_us(judging_us(loaded)); }
  /// What a Newton step takes, from its arithmetic and the speed of the last one.
  double newton_step_us() const { return newton_margin * newton_.flops() / newton_step_speed_; }

  /// One sweep in pieces between looks at the clock; false when the time is spent.
  bool timed_sweep(double settled, double& moved) {
    sweeper_.begin();
    moved = 0;
    if (!options_->has_budget()) {
      moved = sweeper_.sweep(settled, 0, sweeper_.parts());
      return true;
    }
    keep_time_to_judge(closed_);
    constexpr int piece = 8;
    for (int i = 0; i < sweeper_.parts(); i += piece) {
      const long before = sweeper_.work();
      moved += sweeper_.sweep(settled, i, std::min(i + piece, sweeper_.parts()));
      if (watch_->spent_after(static_cast<int>(sweeper_.work() - before) + 20 * piece)) return false;
    }
    closed_ = sweeper_.closed();
    return !watch_->spent();
  }

  /// Sweeps until converged, out of budget, or (stalled) Newton steps look cheaper. c: in and out.
  SolveStatus sweeps(VecRef f, Certificate& c) {
    anderson_.restart();
    const int stride = sweeper_.by_lanes() ? stride_by_lanes : 1;
    const auto judge_current = [&] {
      sweeper_.store(f);
      return judge_exactly(f);
    };
    const double tolerance = options_->tolerance;
    double per_change = 0;  // certificate per √moved, a guess and then from the last evaluation
    double force_size = 0, spent_us = 0, least = c.value;
    double earlier = infinity, recent = c.value;  // certificates, for the rate
    double next_tail_us = 0;
    int least_at = 0, refreshed_k = 0, next_look = stride * first_look, earlier_k = 0, recent_k = 0;
    for (int k = 1;; ++k) {
      if (report_.sweeps >= options_->max_sweeps) {
        c = judge_current();
        return c.within(tolerance) ? SolveStatus::converged : SolveStatus::sweep_limit;
      }
      if (k % stride == 1 % stride) before_.noalias() = sweeper_.force();
      double moved;
      const bool in_time = timed_sweep(1e-3 * tolerance * force_size, moved);
      ++report_.sweeps;
      spent_us += sweep_us();
      if (!std::isfinite(moved)) {  // the only force that is certainly harmless is none
        f.setZero();
        c = judge_exactly(f);
        return SolveStatus::stalled;
      }
      if (!in_time) {
        c = judge_current();
        return c.within(tolerance) ? SolveStatus::converged : SolveStatus::budget_spent;
      }
      if (k == 1) per_change = moved > 0 ? first_per_change / weighted_norm() : 0;
      const bool promising = moved == 0 || (per_change > 0 && per_change * std::sqrt(moved) <= tolerance);
      // Not when there is only time left to judge once, at the end.
      if ((promising || k >= next_look) && !watch_->too_late_for(judging_us(closed_))) {
        next_look = k + std::clamp(k / 8, first_look, last_look);
        // By lanes δ afresh takes hardly longer than δ in single precision, which could not end the solve.
        const bool at_once = promising && sweeper_.by_lanes();
        if (!at_once) c = sweeper_.judge();
        if (at_once || c.within(tolerance) || c.value < single_gain * refreshed_at_ ||
            k - refreshed_k >= refresh_every) {
          const bool last = watch_->too_late_for(judging_us(closed_));  // no time to judge again after it
          c = judge_current();
          if (last) return c.within(tolerance) ? SolveStatus::converged : SolveStatus::budget_spent;
          refreshed_k = k;
          anderson_.forget();
          if (c.within(tolerance)) return SolveStatus::converged;
        }
        per_change = moved > 0 ? per_change_margin * c.value / std::sqrt(moved) : 0;
        force_size = weighted_norm() / std::sqrt(static_cast<double>(P_.m));
        if (c.value < 0.9 * least) {
          least = c.value;
          least_at = k;
        }
        if (k >= 2 * recent_k) {
          earlier_k = std::exchange(recent_k, k);
          earlier = std::exchange(recent, c.value);
        }
        // Digits per sweep since about half-way, and the sweeps that the rest would take at that rate.
        const double digits = std::log(earlier / c.value) / (k - earlier_k);
        const double rest = digits > 0 ? std::log(c.value / tolerance) / digits : infinity;
        const double rest_us = rest * spent_us / k;
        if (spent_us >= next_tail_us && prefers_tail(spent_us, rest_us)) {
          const double step_us = reduced_us(sweeper_.closed());
          sweeper_.store(f);
          const int done = report_.sweeps;
          const double credit =
              std::max(std::clamp(tail_least_us / step_us, tail_least, tail_most), spent_us / step_us);
          const SolveStatus status = tail(f, c, credit);
          if (status != SolveStatus::stalled) return status;
          next_tail_us = spent_us + tail_pause * (report_.sweeps - done) * step_us;
          refreshed_k = k;
          anderson_.restart();
          continue;
        }
        const bool wanted = moved == 0 || prefers_newton(spent_us, rest_us) ||
                            k - least_at > no_progress * std::max(patience_, 1.0);
        if (wanted && (moved == 0 || !watch_->too_late_for(newton_step_us() + judging_us(closed_)))) {
          sweeper_.store(f);
          return SolveStatus::stalled;
        }
      }
      if (k % stride == 0 &&
          anderson_.advance(before_, sweeper_.force(), sweeper_.correction(), sweeper_.state_changes() > 0))
        sweeper_.changed();
    }
  }

  double weighted_norm() const { return anderson_.weight().cwiseProduct(sweeper_.force()).norm(); }

  /// Rent or buy: the rate of the sweeps says little while contacts still change state, so they go on until
  /// they have cost some Newton steps, and then only if they are about to arrive; or until half of what they
  /// were allowed is gone: a limit that the sweeps would spend alone leaves Newton's method no chance.
  bool prefers_newton(double spent_us, double rest_us) const {
    if (patience_ <= 1 && report_.sweeps >= std::max(options_->max_sweeps / 2, least_sweeps)) return true;
    const double newton_us = newton_.flops() / newton_speed + newton_overhead_us;
    const int steps = P_.dense()                     ? newton_steps_dense
                      : options_->tolerance >= loose ? newton_steps_sparse_loose
                                                     : newton_steps_sparse;
    return spent_us >= patience_ * steps * newton_us && rest_us > newton_steps_usual * newton_us;
  }
  /// Of the last sweep, with its share of the extrapolation.
  double sweep_us() const {
    const double extrapolation = P_.dense() ? 40.0 * P_.m : 0;
    return (static_cast<double>(sweeper_.work()) + extrapolation) / sweep_speed;
  }

  /// Are a few steps on the contacts that carry a force cheaper than the rest of the sweeps?
  bool prefers_tail(double spent_us, double rest_us) const {
    if (!P_.dense() || sweeper_.closed() == 0) return false;
    const double step_us = reduced_us(sweeper_.closed());
    return spent_us >= (sweeper_.state_changes() == 0 ? tail_settled : tail_unsettled) * step_us &&
           rest_us > tail_gain * step_us && !too_late_for_tail(sweeper_.closed());
  }
  static double reduced_us(int closed) { return ReducedNewton::flops(closed) / newton_speed + 1; }
  bool too_late_for_tail(int closed) const {
    return watch_->too_late_for(newton_margin * ReducedNewton::flops(closed) / tail_speed_ +
                                2 * judging_us(closed));
  }

  /// Newton steps on the contacts that carry a force, each with a sweep after it, as long as they help:
  /// `credit` steps without halving the error. f ends as the best force seen, or the answer.
  SolveStatus tail(VecRef f, Certificate& c, double credit) {
    c = judge_exactly(f);
    Certificate best = c;
    tail_f_.noalias() = f;
    const auto settle = [&] {  // true when f is the answer
      c = judge_exactly(f);
      if (c.within(options_->tolerance)) return true;
      sweeper_.sweep(0);
      sweeper_.store(f);
      c = judge_exactly(f);
      return c.within(options_->tolerance);
    };
    const auto may_step = [&] {
      return report_.sweeps < options_->max_sweeps && !too_late_for_tail(std::max(sweeper_.closed(), 1));
    };
    double left = credit;
    for (int idle = 0; idle < tail_most_idle && left > 0 && may_step(); ++idle, --left) {
      const double before = c.value, before_us = options_->has_budget() ? watch_->elapsed_us() : 0;
      trial_.noalias() = f;
      reduced_.classify(f);
      ++report_.sweeps;
      if (!reduced_.direction(f, sweeper_.base())) break;
      if (options_->has_budget())
        tail_speed_ = std::max(
            ReducedNewton::flops(sweeper_.closed()) / std::max(watch_->elapsed_us() - before_us, 1e-3),
            0.25 * newton_speed);
      reduced_.advance(f);
      if (settle()) return SolveStatus::converged;
      if (!(c.value < 2 * before)) {  // the states were wrong: back, and one change of state after the other
        f = trial_;
        for (int cuts = 0; !reduced_.advance_in_cones(f) && cuts < tail_most_cuts && left > 0 && may_step();
             ++cuts, --left) {
          sweeper_.refresh(f);
          ++report_.sweeps;
          if (!reduced_.direction(f, sweeper_.base())) break;
        }
        if (settle()) return SolveStatus::converged;
      }
      if (c.value < 0.5 * best.value) left = credit, idle = -1;
      if (c.value < best.value) {
        best = c;
        tail_f_.noalias() = f;
      }
    }
    f = tail_f_;
    c = judge_exactly(f);
    return SolveStatus::stalled;
  }

  /// Newton steps until converged, out of budget, or (stalled) no longer helpful. f ends as the best force
  /// seen.
  SolveStatus newton(VecRef f, Certificate& c, bool again) {
    if (watch_->too_late_for(newton_step_us() + judging_us(closed_))) {  // nor can sweeps go on: none moves
      c = judge_exactly(f);
      return c.within(options_->tolerance) ? SolveStatus::converged : SolveStatus::budget_spent;
    }
    c = judge_exactly(f);
    if (again && best_value_ < c.value) {
      f = best_f_;
      c = judge_exactly(f);
    }
    best_f_ = f;
    centre_f_ = f;
    Certificate best = c;
    newton_.start(f, sweeper_.base(), c.value, again);
    double step_us = 0, least_centre = c.value, polished_at = 1;
    SolveStatus status = SolveStatus::stalled;
    if (c.value < near_answer) {
      const bool arrived = polish(c.value, newton_step_us(), best);
      if (arrived || near_misses_++ < most_near_misses) {  // else a few more sweeps may do
        f = best_f_;
        best_value_ = best.value;
        c = best;
        return arrived ? SolveStatus::converged : SolveStatus::stalled;
      }
    }
    for (int k = 0, idle = 0; k < newton_steps_allowed && idle < most_idle; ++k, ++idle) {
      if (report_.sweeps >= options_->max_sweeps) {
        status = SolveStatus::sweep_limit;
        break;
      }
      const double before_us = watch_->elapsed_us();
      if (watch_->too_late_for(std::max(newton_step_us(), newton_margin * step_us)))
        break;  // sweeps fit into what is left
      ++report_.sweeps;
      const bool more = newton_.iterate();
      newton_.force(trial_);
      if (!trial_.allFinite()) break;
      c = judge_exactly(trial_);
      if (!c.within(options_->tolerance)) {  // a sweep settles the contacts on the edge between two states
        sweeper_.sweep(0);
        sweeper_.store(trial_);
        c = sweeper_.judge();
        if (c.within(options_->tolerance)) c = judge_exactly(trial_);
      }
      if (options_->has_budget()) {
        step_us = watch_->elapsed_us() - before_us;
        // Bounded below: one interruption must not rule out Newton steps for good.
        newton_step_speed_ = std::max(newton_.flops() / std::max(step_us, 1e-3), 0.25 * newton_speed);
      }
      if (c.value < best.value) {
        if (c.value < 0.5 * best.value) idle = 0;
        best = c;
        best_f_.noalias() = trial_;
      }
      if (c.within(options_->tolerance)) {
        status = SolveStatus::converged;
        break;
      }
      if (c.value < 1e-2 && (c.value < 0.5 * polished_at || k % 6 == 5)) {
        polished_at = c.value;
        kept_trial_.noalias() = trial_;
        if (polish(c.value, step_us, best)) {
          status = SolveStatus::converged;
          break;
        }
        trial_.noalias() = kept_trial_;
      }
      if (newton_.wants_centre()) {
        c = judge_exactly(trial_);
        if (newton_.solved_for_centre()) {
          if (c.value < 0.97 * least_centre) least_centre = c.value, idle = 0;
          centre_f_.noalias() = trial_;
        } else {
          c = judge_exactly(centre_f_);
        }
        if (newton_.recentre(centre_f_, sweeper_.base(), c.value)) idle = 0;
      }
      if (!more) break;
    }
    f = best_f_;
    best_value_ = best.value;
    c = status == SolveStatus::converged ? best : judge_exactly(f);
    return status;
  }

  /// Semi-smooth Newton steps from where newton_ is, while each gains half a digit; true when converged.
  /// best, with best_f_: in and out. trial_ is used.
  bool polish(double value, double step_us, Certificate& best) {
    for (bool first = true; report_.sweeps < options_->max_sweeps; first = false) {
      if (watch_->too_late_for(newton_margin * step_us)) return false;
      ++report_.sweeps;
      if (!newton_.polish(first, trial_)) return false;
      const Certificate c = judge_exactly(trial_);
      if (c.value < best.value) {
        best = c;
        best_f_.noalias() = trial_;
      }
      if (c.within(options_->tolerance)) return true;
      if (!(c.value < 0.3 * std::exchange(value, c.value))) return false;
    }
    return false;
  }

  std::string_view name_;
  bool newton_first_;
  Prepared P_;
  SingleContact single_;
  bool single_fits_ = false;
  SmallNewton small_;
  bool small_fits_ = false;
  FastSweep sweeper_;
  Anderson anderson_;
  SmoothingNewton newton_;
  ReducedNewton reduced_;  // dense W
  GrowingVector before_;   // forces before a sweep, as the sweeper keeps them
  GrowingVector trial_, kept_trial_, best_f_, centre_f_, kept_f_, swept_f_, tail_f_;  // 3m
  double patience_ = 1, refreshed_at_ = 1, best_value_ = 0;
  double judging_speed_ = first_judging_speed;     // multiply-adds per microsecond, as last measured
  double newton_step_speed_ = 0.5 * newton_speed;  // flops per microsecond, as last measured under a budget
  double tail_speed_ = 0.5 * newton_speed;         // the same of a step of the tail
  int near_misses_ = 0;                            // Newton steps without a path that did not arrive
  int closed_ = 0;                                 // contacts that the last timed sweep left with a force
  SolveReport report_;
  const SolveOptions* options_ = nullptr;
  BudgetWatch* watch_ = nullptr;
};

}  // namespace

std::unique_ptr<Solver> make_coulomb() { return std::make_unique<Coulomb>("coulomb", false); }
std::unique_ptr<Solver> make_coulomb_newton() { return std::make_unique<Coulomb>("coulomb_newton", true); }

}  // namespace palp
