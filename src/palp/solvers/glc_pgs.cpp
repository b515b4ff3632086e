#include "palp/solvers/glc_pgs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "palp/solvers/local.hpp"
#include "palp/solvers/sweep.hpp"

namespace palp {

namespace {
constexpr double kSlack = 1e-6;                 // of the inner trust step: planes closer than this are one
constexpr int kPatience = 8, kLastChange = 40;  // changes of carriers before they are held; before the end
constexpr double kShrink = 0.8;
constexpr int kStuck = 20;   // sweeps at the border of the outer region that move nothing
constexpr int kStall = 100;  // settled sweeps without progress before the solve gives up
constexpr int kFew = 12, kPasses = 60,
              kRoughPasses = 8;      // constraints that are swept on their own part of W, and how often
constexpr double kPassChange = 0.1;  // of the tolerance
constexpr int kLocalSteps = 3;
constexpr double kLocalChange = 1e-12;
}  // namespace

GlcPgs::GlcPgs(GlcSizes sizes, GlcSettings settings) : sizes_(sizes), settings_(settings) {
  const size_t m = sizes.glc, all = sizes.glc + sizes.other, proxies = sizes.proxies;
  rho_.resize(all);
  tangential_.resize(all);
  inverse_.resize(sizes.other);
  for (auto* v : {&trust_step_, &slack_}) v->resize(proxies);
  for (auto* v : {&y_, &outer_, &x_}) v->resize(proxies, Vec3::Zero());
  for (auto* v : {&delta_, &response_, &response_f_, &start_f_})
    v->setZero(3 * static_cast<Eigen::Index>(all));
  for (auto* v : {&active_, &witnesses_}) v->reserve(m);
  lost_.resize(proxies);
  for (auto* v : {&carriers_, &old_carriers_, &older_carriers_, &loaded_}) v->reserve(m);
  is_carrier_.resize(m);
}

Result<void> GlcPgs::set_problem(const GlcProblem& problem) {
  const int m = static_cast<int>(problem.glc.size()), others = static_cast<int>(problem.other.size());
  const int proxies = static_cast<int>(problem.proxy.size());
  if (m > sizes_.glc || others > sizes_.other || proxies > sizes_.proxies)
    return Error{
        .message = "the problem is larger than the solver was built for",
        .remedy = "bound the number of constraints at the low rate, or build it with larger GlcSizes"};
  if (problem.W.rows() != 3 * (m + others) || problem.W.cols() != problem.W.rows())
    return Error{.message = "W is not a square of three rows per constraint"};
  problem_ = &problem;
  knows_response_ = false;
  m_ = m;
  rows_ = m + others;
  for (int i = 0; i < rows_; ++i) {
    const Mat3 W_ii = problem.W.block<3, 3>(3 * i, 3 * i);
    rho_[i] = contact_rho(W_ii);
    const double mean = 0.5 * (W_ii(1, 1) + W_ii(2, 2)), half = 0.5 * (W_ii(1, 1) - W_ii(2, 2));
    tangential_[i] = mean + std::hypot(half, 0.5 * (W_ii(1, 2) + W_ii(2, 1)));
    if (i >= m_) inverse_[i - m_] = bilateral_inverse(W_ii);
  }
  for (int p = 0; p < proxies; ++p) {
    // The narrow side of a sliver does not count: who leaves a GLC sideways is still within its neighbour's
    // depth.
    double smallest = std::numeric_limits<double>::infinity();
    for (const Glc& g : problem.glc)
      if (g.proxy == p) smallest = std::min({smallest, glc_extent(g), g.d});
    trust_step_[p] = settings_.inner_scale * smallest;
    slack_[p] = std::isfinite(smallest) ? kSlack * trust_step_[p] : 0;
  }
  return {};
}

// (ψ or δ_n, slip₁, slip₂) of constraint i with its proxy moved by shift.
Vec3 GlcPgs::delta_at(int i, const Vec3& shift) const {
  const Vec3 delta = delta_.segment<3>(3 * i);
  if (i >= m_) return delta + problem_->other[i - m_].frame * shift;
  const Glc& g = problem_->glc[i];
  return delta + Vec3(g.n.dot(shift), g.t1.dot(shift), g.t2.dot(shift));
}

// f_i += Δf: its column enters δ, its force moves the proxy.
void GlcPgs::apply(int i, const Vec3& df, VecRef f) {
  f.segment<3>(3 * i) += df;
  const auto& W = problem_->W;
  delta_.head(3 * rows_).noalias() +=
      df[0] * W.col(3 * i) + df[1] * W.col(3 * i + 1) + df[2] * W.col(3 * i + 2);
  const int p = proxy_of(i);
  if (p < 0) return;
  const double C = problem_->proxy[p].compliance;
  if (i < m_) {
    const Glc& g = problem_->glc[i];
    y_[p] += C * (df[0] * g.n + df[1] * g.t1 + df[2] * g.t2);
  } else {
    y_[p] += C * (problem_->other[i - m_].frame.transpose() * df);
  }
}

// W f, δ and the proxies' positions afresh from f.
void GlcPgs::refresh(const GlcMotion& motion, ConstVecRef f) {
  auto response = response_.head(3 * rows_);
  response.setZero();
  const auto& W = problem_->W;
  for (int i = 0; i < rows_; ++i) {
    const Vec3 f_i = f.segment<3>(3 * i);
    if (f_i == Vec3::Zero()) continue;
    response.noalias() += f_i[0] * W.col(3 * i) + f_i[1] * W.col(3 * i + 1) + f_i[2] * W.col(3 * i + 2);
  }
  response_f_.head(3 * rows_) = f;
  knows_response_ = true;
  place(motion, f);
}

// δ and the proxies' positions, W f being known.
void GlcPgs::place(const GlcMotion& motion, ConstVecRef f) {
  delta_.head(3 * rows_) = response_.head(3 * rows_) + motion.delta_free;
  for (size_t p = 0; p < problem_->proxy.size(); ++p) y_[p] = motion.x_free[p];
  for (int i = 0; i < rows_; ++i) {
    const Vec3 f_i = f.segment<3>(3 * i);
    const int p = proxy_of(i);
    if (p < 0 || f_i == Vec3::Zero()) continue;
    const double C = problem_->proxy[p].compliance;
    if (i < m_) {
      const Glc& g = problem_->glc[i];
      y_[p] += C * (f_i[0] * g.n + f_i[1] * g.t1 + f_i[2] * g.t2);
    } else {
      y_[p] += C * (problem_->other[i - m_].frame.transpose() * f_i);
    }
  }
}

void GlcPgs::start(const GlcMotion& motion, const SolveOptions& options, VecRef f) {
  first_guess(options, f);
  if (knows_response(f))
    place(motion, f);
  else
    refresh(motion, f);
  outer_trust();
  for (size_t p = 0; p < problem_->proxy.size(); ++p)
    x_[p] = settings_.inner_trust ? motion.x_old[p] : Vec3(y_[p] + outer_[p]);
  loaded_.clear();
  for (int i = 0; i < m_; ++i) {
    is_carrier_[i] = 0;
    if (f.segment<3>(3 * i) != Vec3::Zero()) loaded_.push_back(i);
  }
  carriers_.clear();
  old_carriers_.clear();
}

// One projected Gauss-Seidel step from force `before` and displacement v0: the normal force by Signorini, the
// tangential one on the disc μ f_n, repeated while the contact's own block couples them.
Vec3 GlcPgs::resolved(int i, const Vec3& before, const Vec3& v0) const {
  if (rho_[i] == 0) return before;
  if (bilateral(i)) return before - inverse_[i - m_] * v0;
  const Mat3 W_ii = problem_->W.block<3, 3>(3 * i, 3 * i);
  const double mu = mu_of(i);
  Vec3 r = before, v = v0;
  for (int step = 0; step < kLocalSteps; ++step) {
    const Vec3 last = r;
    if (W_ii(0, 0) > 0) r[0] = std::max(0.0, r[0] - v[0] / W_ii(0, 0));
    const double radius = mu * r[0];
    if (tangential_[i] > 0) {
      r.tail<2>() -= (v.tail<2>() + W_ii.block<2, 1>(1, 0) * (r[0] - last[0])) / tangential_[i];
      const double length = r.tail<2>().norm();
      if (length > radius) r.tail<2>() *= radius / length;
    }
    if ((r - last).norm() <= kLocalChange * r.norm()) break;
    v = v0 + W_ii * (r - before);
  }
  return r;
}

// A few unilateral constraints on their own part of W, by sweeps and Newton steps (small_newton.hpp): r are
// their forces, v their displacements. False when they did not converge: both are as before then.
bool GlcPgs::solve_few(const SolveOptions& options, BudgetWatch& watch, int count, const int* constraint,
                       Vec3* r, Vec3* v) {
  if (count > SmallNewton::most_contacts) return false;
  for (int k = 0; k < count; ++k)
    if (bilateral(constraint[k]) || rho_[constraint[k]] == 0) return false;
  std::array<double, 3 * SmallNewton::most_contacts> f{}, delta_free{};
  small_.resize(count);
  for (int k = 0; k < count; ++k) {
    Eigen::Map<Vec3>(f.data() + 3 * k) = r[k];
    Eigen::Map<Vec3>(delta_free.data() + 3 * k) = v[k];
  }
  for (int c = 0; c < 3 * count; ++c) {
    const double* from = problem_->W.col(3 * constraint[c / 3] + c % 3).data();
    for (int k = 0; k < 3 * count; ++k) {
      const double w = from[3 * constraint[k / 3] + k % 3];
      small_.entry(k, c) = w;
      delta_free[k] -= w * f[c];
    }
  }
  for (int k = 0; k < count; ++k) small_.set_contact(k, mu_of(constraint[k]), rho_[constraint[k]]);
  SolveOptions few = options;
  few.tolerance = kPassChange * options.tolerance;
  few.max_sweeps = kPasses;
  if (small_.solve(few, watch, true, delta_free.data(), f.data()).status != SolveStatus::converged)
    return false;
  for (int k = 0; k < count; ++k) {
    r[k] = Eigen::Map<const Vec3>(f.data() + 3 * k);
    // A first guess within the tolerance is returned as it is: on the cone exactly, whatever it was.
    const double radius = mu_of(constraint[k]) * r[k][0], length = r[k].tail<2>().norm();
    if (length > radius) r[k].tail<2>() *= radius / length;
  }
  return true;
}

// One sweep over the carriers and the other constraints. When they are few, their own small part of W is
// solved, or swept until it has converged: the whole columns are touched once.
void GlcPgs::sweep(int passes, const SolveOptions& options, BudgetWatch& watch, VecRef f) {
  const int carriers = static_cast<int>(carriers_.size()), count = carriers + rows_ - m_;
  const auto constraint = [&](int k) { return k < carriers ? carriers_[k] : m_ + k - carriers; };
  const auto displacement = [&](int i) {
    const int p = proxy_of(i);
    return p >= 0 ? delta_at(i, outer_[p]) : Vec3(delta_.segment<3>(3 * i));
  };
  if (count > kFew) {
    for (int k = 0; k < count; ++k) {
      const int i = constraint(k);
      const Vec3 before = f.segment<3>(3 * i), df = resolved(i, before, displacement(i)) - before;
      if (df != Vec3::Zero()) apply(i, df, f);
    }
    return;
  }
  const double few_change = kPassChange * options.tolerance;
  std::array<Vec3, kFew> r, v;
  std::array<int, kFew> at;
  for (int k = 0; k < count; ++k) {
    at[k] = constraint(k);
    r[k] = f.segment<3>(3 * at[k]);
    v[k] = displacement(at[k]);
  }
  if (count < 2 || !solve_few(options, watch, count, at.data(), r.data(), v.data()))
    for (int pass = 0; pass < passes; ++pass) {
      double change = 0, size = 0;
      for (int k = 0; k < count; ++k) {
        const Vec3 next = resolved(at[k], r[k], v[k]), df = next - r[k];
        r[k] = next;
        size += next.squaredNorm();
        if (df == Vec3::Zero()) continue;
        change += df.squaredNorm();
        for (int l = 0; l < count; ++l) v[l] += problem_->W.block<3, 3>(3 * at[l], 3 * at[k]) * df;
      }
      if (!(change > few_change * few_change * size)) break;
    }
  for (int k = 0; k < count; ++k) {
    const Vec3 df = r[k] - f.segment<3>(3 * at[k]);
    if (df != Vec3::Zero()) apply(at[k], df, f);
  }
}

// Eq. 14. The box force acts on the proxy alone, whose compliance is a scalar: the correction is a clamp.
void GlcPgs::outer_trust() {
  for (size_t p = 0; p < problem_->proxy.size(); ++p) {
    const GlcProxy& proxy = problem_->proxy[p];
    const Vec3 low = proxy.trust_centre - proxy.trust_half, high = proxy.trust_centre + proxy.trust_half;
    outer_[p] = y_[p].cwiseMax(low).cwiseMin(high) - y_[p];
  }
}

// The box holds a proxy in place, whatever the forces: those of carriers that it keeps apart are none. Sweeps
// alone would take them back in small steps. True when there were any.
bool GlcPgs::relieve(VecRef f) {
  bool any = false;
  for (int i : carriers_) {
    const Vec3& shift = outer_[problem_->glc[i].proxy];
    if (shift == Vec3::Zero() || !(f[3 * i] > 0) || !(delta_at(i, shift)[0] > 0)) continue;
    apply(i, -f.segment<3>(3 * i), f);
    any = true;
  }
  return any;
}

// Moves the tentative positions; true when a step had to be clipped.
bool GlcPgs::inner_trust() {
  bool clipped = false;
  moved_ = false;
  for (size_t p = 0; p < problem_->proxy.size(); ++p) {
    const Vec3 goal = y_[p] + outer_[p], step = goal - x_[p];
    const double limit = trust_step_[p] * shrink_;
    moved_ = moved_ || step.cwiseAbs().maxCoeff() > slack_[p];
    if (!settings_.inner_trust || step.cwiseAbs().maxCoeff() <= limit) {
      x_[p] = goal;
    } else {
      x_[p] += limit / step.cwiseAbs().maxCoeff() * step;  // as far as the box goes, without turning
      clipped = true;
    }
  }
  return clipped;
}

Certificate GlcPgs::judge(const GlcMotion& motion, ConstVecRef f) const {
  CertificateSum sum;
  const auto add = [&](int i) {
    const int p = proxy_of(i);
    sum.add(bilateral(i), mu_of(i), rho_[i], f.segment<3>(3 * i),
            delta_at(i, p >= 0 ? outer_[p] : Vec3::Zero()), motion.delta_free.segment<3>(3 * i));
  };
  for (int i : carriers_) add(i);
  for (int i = m_; i < rows_; ++i) add(i);
  return sum.result();
}

GlcReport GlcPgs::solve(const SolveOptions& options, const GlcMotion& motion, VecRef f) {
  BudgetWatch watch(options);
  GlcReport report;
  const size_t proxies = problem_ ? problem_->proxy.size() : 0;
  if (!problem_ || f.size() != 3 * rows_ || motion.delta_free.size() != 3 * rows_ ||
      motion.tau_start.size() != 2 * m_ || motion.x_old.size() != proxies ||
      motion.x_free.size() != proxies) {
    report.status = SolveStatus::not_applicable;
    return report;
  }
  bool finite = motion.delta_free.allFinite() && motion.tau_start.allFinite();
  for (size_t p = 0; p < proxies; ++p)
    finite = finite && motion.x_old[p].allFinite() && motion.x_free[p].allFinite();
  if (!finite) {
    f.setZero();
    for (size_t p = 0; p < proxies; ++p) {
      x_[p] = motion.x_old[p].allFinite() ? motion.x_old[p] : Vec3::Zero();
      outer_[p].setZero();
    }
    report.status = SolveStatus::not_applicable;
    return report;
  }

  start(motion, options, f);
  start_f_.head(3 * rows_) = f;
  holding_ = false;
  shrink_ = 1;
  int changes = 0, idle = 0, stuck = 0;
  double best = std::numeric_limits<double>::infinity();
  bool clipped = true;
  Certificate certificate;
  for (;;) {
    report.active = collect_active(motion, f);
    choose_carriers(f);
    const bool settled = !clipped && carriers_ == old_carriers_;
    if (settled && certificate.within(options.tolerance)) {
      refresh(motion, f);  // judged without the rounding of the column updates
      outer_trust();
      certificate = judge(motion, f);
      if (certificate.within(options.tolerance)) {
        report.status = SolveStatus::converged;
        break;
      }
    }
    if (report.sweeps >= options.max_sweeps) {
      report.status = SolveStatus::sweep_limit;
      break;
    }
    if (watch.spent()) {
      report.status = SolveStatus::budget_spent;
      break;
    }
    // Carriers that change places without end: from now on who has a force keeps it (glc_carriers.cpp). Or
    // the steps are too long for the shape: they shrink.
    if (carriers_ != old_carriers_) {
      ++changes;
      if (carriers_ == older_carriers_ || changes > kPatience) holding_ = true;
      if (changes > kPatience) shrink_ *= kShrink;
      if (changes > kLastChange) {
        report.status = SolveStatus::stalled;
        break;
      }
    }

    const bool unloading = unload_idle(f);
    sweep(settled ? kPasses : kRoughPasses, options, watch, f);
    outer_trust();
    clipped = inner_trust() || unloading;
    report.inner_hits += clipped;
    // Where the surface bulges through the border of the outer region, the half space of the carrier may miss
    // the region: no force would be enough. The proxy waits where it was for the next snapshot.
    const bool at_border = std::any_of(outer_.begin(), outer_.begin() + proxies,
                                       [](const Vec3& o) { return o != Vec3::Zero(); });
    stuck = settled && at_border && !moved_ && !relieve(f) ? stuck + 1 : 0;
    certificate = judge(motion, f);
    ++report.sweeps;
    if (stuck > kStuck && !certificate.within(options.tolerance)) {
      f = start_f_.head(3 * rows_);
      for (size_t p = 0; p < proxies; ++p) x_[p] = motion.x_old[p];
      report.status = SolveStatus::stalled;
      break;
    }
    if (certificate.infeasible) {
      report.status = SolveStatus::infeasible;
      break;
    }
    if (!settled || certificate.value < 0.99 * best) {
      best = certificate.value;
      idle = 0;
    } else if (++idle >= kStall) {  // e.g. two sticking walls that disagree by a rounding of the last step
      report.status = SolveStatus::stalled;
      break;
    }
  }
  report.certificate = report.sweeps > 0 ? certificate.value : judge(motion, f).value;
  report.carriers = static_cast<int>(carriers_.size());
  report.held = held_;
  report.overstep = overstep(motion, f);
  for (size_t p = 0; p < proxies; ++p) report.outer_hits += outer_[p] != Vec3::Zero();
  for (size_t p = 0; p < proxies; ++p) finite = finite && x_[p].allFinite();
  if (!finite || !f.allFinite()) {  // W holds nonsense: no force is better than any
    f.setZero();
    for (size_t p = 0; p < proxies; ++p) {
      x_[p] = motion.x_old[p];
      outer_[p].setZero();
    }
    report.status = SolveStatus::stalled;
    report.certificate = std::numeric_limits<double>::infinity();
  }
  report.time_us = watch.elapsed_us();
  return report;
}

}  // namespace palp
