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
constexpr int kBoxForces = 6;        // on one tool, each against the border that is crossed furthest
constexpr int kLocalSteps = 3;
constexpr double kLocalChange = 1e-12;
}  // namespace

GlcPgs::GlcPgs(GlcSizes sizes, GlcSettings settings) : sizes_(sizes), settings_(settings) {
  const size_t m = sizes.glc, all = sizes.glc + sizes.other, proxies = sizes.proxies;
  rho_.resize(all);
  tangential_.resize(all);
  inverse_.resize(sizes.other);
  for (auto* v : {&trust_step_, &slack_}) v->resize(proxies);
  for (auto* v : {&force_, &u_, &box_, &outer_, &x_, &acting_}) v->resize(proxies, Vec3::Zero());
  first_.reserve(proxies + 1);
  share_.reserve(proxies);
  reach_.reserve(proxies);
  tool_.resize(proxies);
  for (auto* v : {&delta_, &response_, &response_f_, &start_f_})
    v->setZero(3 * static_cast<Eigen::Index>(all));
  for (auto* v : {&active_, &witnesses_}) v->reserve(m);
  lost_.resize(proxies);
  for (auto* v : {&carriers_, &old_carriers_, &older_carriers_, &loaded_}) v->reserve(m);
  part_of_.reserve(all);
  const long largest = 3L * std::min(sizes.glc + sizes.other, most_carriers);
  part_.W.dense.reserve(largest * largest);
  part_.kind.reserve(all);
  part_.mu.reserve(largest);
  for (auto* v : {&part_.delta_free, &part_f_}) v->reserve(largest);
  is_carrier_.resize(m);
  prepared_.resize(m);
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
  if (problem.C.rows() != 3 * proxies || problem.C.cols() != problem.C.rows())
    return Error{.message = "C is not a square of three rows per proxy"};
  problem_ = &problem;
  knows_response_ = false;
  m_ = m;
  rows_ = m + others;
  first_.clear();
  for (int p = 0; p < proxies; ++p) {
    if (p == 0 || problem.proxy[p].tool != problem.proxy[p - 1].tool) first_.push_back(p);
    tool_[p] = static_cast<int>(first_.size()) - 1;
    // The narrow side of a sliver does not count: who leaves a GLC sideways is still within its neighbour's
    // depth.
    trust_step_[p] = std::numeric_limits<double>::infinity();
  }
  share_.assign(first_.size(), 0);
  reach_.assign(first_.size(), 1);
  first_.push_back(proxies);
  for (const Glc& g : problem.glc)
    trust_step_[g.proxy] =
        std::min({trust_step_[g.proxy], settings_.inner_scale * glc_extent(g), settings_.inner_scale * g.d});
  for (int p = 0; p < proxies; ++p) slack_[p] = std::isfinite(trust_step_[p]) ? kSlack * trust_step_[p] : 0;
  return {};
}

Mat3 GlcPgs::block(int i, int j) const {
  Mat3 sum = problem_->W.block<3, 3>(3 * i, 3 * j);
  for (int p : proxies_of(i))
    for (int q : proxies_of(j))
      if (p >= 0 && q >= 0 && tool_[p] == tool_[q])
        sum += frame(i) * problem_->C.block<3, 3>(3 * p, 3 * q) * frame(j).transpose();
  return sum;
}

void GlcPgs::prepare(int i) {
  const Mat3 W_ii = block(i, i);
  rho_[i] = contact_rho(W_ii);
  const double mean = 0.5 * (W_ii(1, 1) + W_ii(2, 2)), half = 0.5 * (W_ii(1, 1) - W_ii(2, 2));
  tangential_[i] = mean + std::hypot(half, 0.5 * (W_ii(1, 2) + W_ii(2, 1)));
  if (i < m_)
    prepared_[i] = 1;
  else
    inverse_[i - m_] = bilateral_inverse(W_ii);
}

// A force at one proxy moves all of its tool.
void GlcPgs::push(int p, const Vec3& force, std::vector<Vec3>& displacement) const {
  for (int q = first_[tool_[p]]; q < first_[tool_[p] + 1]; ++q)
    displacement[q] += problem_->C.block<3, 3>(3 * q, 3 * p) * force;
}

// f_i += Δf: its column enters δ, its force moves the tools.
void GlcPgs::apply(int i, const Vec3& df, VecRef f) {
  f.segment<3>(3 * i) += df;
  const auto& W = problem_->W;
  if (!W.diagonal().segment<3>(3 * i).isZero(0))  // rigid ground gives no answer
    delta_.head(3 * rows_).noalias() +=
        df[0] * W.col(3 * i) + df[1] * W.col(3 * i + 1) + df[2] * W.col(3 * i + 2);
  const Vec3 force = frame(i).transpose() * df;
  for (int p : proxies_of(i)) {
    if (p < 0) continue;
    force_[p] += force;
    push(p, force, u_);
  }
}

// W f, δ and the proxies' displacements afresh from f.
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

// δ and the proxies' displacements, W f being known.
void GlcPgs::place(const GlcMotion& motion, ConstVecRef f) {
  delta_.head(3 * rows_) = response_.head(3 * rows_) + motion.delta_free;
  const int proxies = first_.back();
  std::fill_n(force_.begin(), proxies, Vec3::Zero());
  std::fill_n(u_.begin(), proxies, Vec3::Zero());
  for (int i = 0; i < rows_; ++i) {
    const Vec3 f_i = f.segment<3>(3 * i);
    if (f_i == Vec3::Zero()) continue;
    for (int p : proxies_of(i))
      if (p >= 0) force_[p] += frame(i).transpose() * f_i;
  }
  for (int p = 0; p < proxies; ++p)
    if (force_[p] != Vec3::Zero()) push(p, force_[p], u_);
}

// The tools where they are at the start, under no force.
void GlcPgs::stand_still(const GlcMotion& motion) {
  std::fill(share_.begin(), share_.end(), 0.0);
  for (size_t p = 0; p < motion.x_old.size(); ++p) {
    x_[p] = motion.x_old[p].allFinite() ? motion.x_old[p] : Vec3::Zero();
    acting_[p].setZero();
    box_[p].setZero();
    outer_[p].setZero();
  }
}

void GlcPgs::start(const GlcMotion& motion, const SolveOptions& options, VecRef f) {
  first_guess(options, f);
  stand_still(motion);
  std::fill(prepared_.begin(), prepared_.end(), 0);
  for (int i = m_; i < rows_; ++i) prepare(i);
  if (knows_response(f))
    place(motion, f);
  else
    refresh(motion, f);
  outer_trust(motion);
  if (!settings_.inner_trust) inner_trust(motion);
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
Vec3 GlcPgs::resolved(int i, const Mat3& W_ii, const Vec3& before, const Vec3& v0) const {
  if (rho_[i] == 0) return before;
  if (bilateral(i)) return before - inverse_[i - m_] * v0;
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

// A few unilateral constraints on their own part of W, by sweeps and Newton steps (small_newton.hpp). False
// when they did not converge: their forces are as before then.
bool GlcPgs::solve_few(const SolveOptions& options, BudgetWatch& watch, int count) {
  if (count < 2 || count > SmallNewton::most_contacts) return false;
  for (int k = 0; k < count; ++k)
    if (bilateral(part_of_[k]) || rho_[part_of_[k]] == 0) return false;
  std::array<double, 3 * SmallNewton::most_contacts> f{};
  std::copy_n(part_f_.data(), 3 * count, f.begin());
  small_.resize(count);
  for (int c = 0; c < 3 * count; ++c)
    for (int k = 0; k < 3 * count; ++k) small_.entry(k, c) = part_.W.dense(k, c);
  for (int k = 0; k < count; ++k) small_.set_contact(k, mu_of(part_of_[k]), rho_[part_of_[k]]);
  if (small_.solve(options, watch, true, part_.delta_free.data(), f.data()).status != SolveStatus::converged)
    return false;
  std::copy_n(f.begin(), 3 * count, part_f_.data());
  return true;
}

// Many of them by the solver of ordinary contacts: a stiff tool bears on more points than sweeps can sort
// out.
bool GlcPgs::solve_many(const SolveOptions& options, BudgetWatch& watch, int count) {
  if (!solver_ || count < 2) return false;
  part_.mu.resize(count);
  part_.kind.resize(count);
  for (int k = 0; k < count; ++k) {
    part_.mu[k] = mu_of(part_of_[k]);
    part_.kind[k] = bilateral(part_of_[k]) ? ContactKind::bilateral : ContactKind::unilateral;
  }
  SolveOptions left = options;
  left.budget_us = std::max(0.1 * options.budget_us, options.budget_us - watch.elapsed_us());
  return solver_->set_problem(part_) && solver_->solve(left, part_f_).status != SolveStatus::not_applicable &&
         part_f_.allFinite();
}

// The carriers and the other constraints on their own part of W: solved when they are few or a solver is
// there, otherwise swept; the whole columns are touched once.
void GlcPgs::sweep(int passes, const SolveOptions& options, BudgetWatch& watch, VecRef f) {
  part_of_.assign(carriers_.begin(), carriers_.end());
  for (int i = m_; i < rows_; ++i) part_of_.push_back(i);
  const int count = static_cast<int>(part_of_.size());
  if (count > (solver_ ? most_carriers : kFew)) {
    for (int i : part_of_) {
      const Vec3 before = f.segment<3>(3 * i), df = resolved(i, block(i, i), before, goal_delta(i)) - before;
      if (df != Vec3::Zero()) apply(i, df, f);
    }
    return;
  }
  auto& W = part_.W.dense;
  W.resize(3 * count, 3 * count);
  part_.delta_free.resize(3 * count);
  part_f_.resize(3 * count);
  for (int k = 0; k < count; ++k) {
    for (int l = 0; l <= k; ++l) {
      const Mat3 W_kl = block(part_of_[k], part_of_[l]);
      W.block<3, 3>(3 * k, 3 * l) = W_kl;
      W.block<3, 3>(3 * l, 3 * k) = W_kl.transpose();
    }
    part_f_.segment<3>(3 * k) = f.segment<3>(3 * part_of_[k]);
    part_.delta_free.segment<3>(3 * k) = goal_delta(part_of_[k]);
  }
  part_.delta_free.noalias() -= W * part_f_;
  SolveOptions inner = options;
  inner.warm_start = true;
  inner.tolerance = kPassChange * options.tolerance;
  inner.max_sweeps = kPasses;
  if (!solve_few(inner, watch, count) && !(count > kFew && solve_many(inner, watch, count))) {
    GrowingVector& v = part_.delta_free;  // from here on δ
    v.noalias() += W * part_f_;
    for (int pass = 0; pass < passes; ++pass) {
      double change = 0, size = 0;
      for (int k = 0; k < count; ++k) {
        const Vec3 before = part_f_.segment<3>(3 * k);
        const Vec3 next = resolved(part_of_[k], W.block<3, 3>(3 * k, 3 * k), before, v.segment<3>(3 * k));
        const Vec3 df = next - before;
        part_f_.segment<3>(3 * k) = next;
        size += next.squaredNorm();
        if (df == Vec3::Zero()) continue;
        change += df.squaredNorm();
        v.noalias() += W.middleCols<3>(3 * k) * df;
      }
      if (!(change > inner.tolerance * inner.tolerance * size)) break;
    }
  }
  for (int k = 0; k < count; ++k) {
    const int i = part_of_[k];
    Vec3 next = part_f_.segment<3>(3 * k);
    // A first guess within the tolerance is returned as it is: on the cone exactly, whatever it was.
    const double radius = mu_of(i) * next[0], length = next.tail<2>().norm();
    if (!bilateral(i) && length > radius) next.tail<2>() *= radius / length;
    const Vec3 df = next - f.segment<3>(3 * i);
    if (df != Vec3::Zero()) apply(i, df, f);
  }
}

// Eq. 14: the box forces act on the tool alone, each against the border that is crossed furthest. Of a point,
// whose compliance is a scalar, that is a clamp. What they leave of a larger tool beyond its borders is cut
// off its motion.
void GlcPgs::outer_trust(const GlcMotion& motion) {
  for (int t = 0; t < tools(); ++t) {
    for (int p = first_[t]; p < first_[t + 1]; ++p) {
      box_[p].setZero();
      outer_[p].setZero();
    }
    reach_[t] = 1;
    for (int force = 0; force <= kBoxForces; ++force) {
      int worst = -1, axis = 0;
      double furthest = 0, reach = 1;
      for (int p = first_[t]; p < first_[t + 1]; ++p) {
        const GlcProxy& proxy = problem_->proxy[p];
        for (int k = 0; k < 3; ++k) {
          const double to = motion.x_free[p][k] + u_[p][k] + outer_[p][k] - proxy.trust_centre[k];
          const double over = std::abs(to) - proxy.trust_half[k];
          if (!(over > kSlack * proxy.trust_half[k]) || !(problem_->C(3 * p + k, 3 * p + k) > 0)) continue;
          const double from = motion.x_old[p][k] - proxy.trust_centre[k];
          reach = std::min(reach, std::max(0.0, 1 - over / std::max(std::abs(to - from), over)));
          if (over <= furthest) continue;
          furthest = over;
          worst = p;
          axis = k;
        }
      }
      if (worst < 0) break;
      if (force == kBoxForces) {
        reach_[t] = reach;
        break;
      }
      const double to = motion.x_free[worst][axis] + u_[worst][axis] + outer_[worst][axis];
      const double g = (to > problem_->proxy[worst].trust_centre[axis] ? -1 : 1) * furthest /
                       problem_->C(3 * worst + axis, 3 * worst + axis);
      box_[worst][axis] += g;
      push(worst, g * Vec3::Unit(axis), outer_);
    }
  }
}

// The boxes hold a tool in place, whatever the forces: those of carriers that they keep apart are none.
// Sweeps alone would take them back in small steps. True when there were any.
bool GlcPgs::relieve(VecRef f) {
  bool any = false;
  for (int i : carriers_) {
    if (outer_[problem_->glc[i].proxy] == Vec3::Zero() || !(f[3 * i] > 0) || !(goal_delta(i)[0] > 0))
      continue;
    apply(i, -f.segment<3>(3 * i), f);
    any = true;
  }
  return any;
}

// Moves the tentative positions, a tool's by one step length; true when a step had to be clipped.
bool GlcPgs::inner_trust(const GlcMotion& motion) {
  bool clipped = false;
  moved_ = false;
  for (int t = 0; t < tools(); ++t) {
    const double reach = reach_[t];
    const auto goal = [&](int p) {
      const Vec3 to = motion.x_free[p] + u_[p] + outer_[p];
      return reach < 1 ? Vec3(motion.x_old[p] + reach * (to - motion.x_old[p])) : to;
    };
    double length = 1;
    for (int p = first_[t]; p < first_[t + 1]; ++p) {
      const double step = (goal(p) - x_[p]).cwiseAbs().maxCoeff();
      moved_ = moved_ || step > slack_[p];
      if (settings_.inner_trust && step > trust_step_[p] * shrink_)
        length = std::min(length, trust_step_[p] * shrink_ / step);
    }
    clipped = clipped || length < 1;
    share_[t] = length < 1 ? share_[t] + length * (reach - share_[t]) : reach;
    for (int p = first_[t]; p < first_[t + 1]; ++p) {
      const Vec3 force = reach * (force_[p] + box_[p]);
      x_[p] = length < 1 ? Vec3(x_[p] + length * (goal(p) - x_[p])) : goal(p);
      acting_[p] = length < 1 ? Vec3(acting_[p] + length * (force - acting_[p])) : force;
    }
  }
  return clipped;
}

Certificate GlcPgs::judge(const GlcMotion& motion, ConstVecRef f) const {
  CertificateSum sum;
  const auto add = [&](int i) {
    sum.add(bilateral(i), mu_of(i), rho_[i], f.segment<3>(3 * i), goal_delta(i),
            motion.delta_free.segment<3>(3 * i));
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
    stand_still(motion);
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
      outer_trust(motion);
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
    outer_trust(motion);
    clipped = inner_trust(motion) || unloading;
    report.inner_hits += clipped;
    // Where the surface bulges through the border of the outer region, the half space of the carrier may miss
    // the region: no force would be enough. The tools wait where they were for the next snapshot.
    const bool at_border = std::any_of(box_.begin(), box_.begin() + static_cast<long>(proxies),
                                       [](const Vec3& g) { return g != Vec3::Zero(); });
    stuck = settled && at_border && !moved_ && !relieve(f) ? stuck + 1 : 0;
    certificate = judge(motion, f);
    ++report.sweeps;
    if (stuck > kStuck && !certificate.within(options.tolerance)) {
      f = start_f_.head(3 * rows_);
      refresh(motion, f);
      std::fill(share_.begin(), share_.end(), 0.0);
      for (size_t p = 0; p < proxies; ++p) {
        x_[p] = motion.x_old[p];
        acting_[p].setZero();
      }
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
  for (int t = 0; t < tools(); ++t)
    report.outer_hits += std::any_of(box_.begin() + first_[t], box_.begin() + first_[t + 1],
                                     [](const Vec3& g) { return g != Vec3::Zero(); });
  for (size_t p = 0; p < proxies; ++p) finite = finite && x_[p].allFinite();
  if (!finite || !f.allFinite()) {  // W holds nonsense: no force is better than any
    f.setZero();
    stand_still(motion);
    report.status = SolveStatus::stalled;
    report.certificate = std::numeric_limits<double>::infinity();
  }
  report.time_us = watch.elapsed_us();
  return report;
}

}  // namespace palp
