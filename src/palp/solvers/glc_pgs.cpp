#include "palp/solvers/glc_pgs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "palp/solvers/local.hpp"
#include "palp/solvers/sweep.hpp"

namespace palp {

namespace {
constexpr double kSlack = 1e-6;                 // of the inner trust step: planes closer than this are one
constexpr double kBorder = 1e-7;                // of the way to a border: closer than this is on it
constexpr int kPatience = 8, kLastChange = 40;  // changes of carriers before they are held; before the end
constexpr double kShrink = 0.8;
constexpr int kStuck = 6;   // sweeps at the border of the outer region that move nothing
constexpr int kStall = 16;  // settled sweeps without progress before the solve gives up
constexpr double kProgress = 0.9;
constexpr int kCut = 8;  // sweeps for borders that are found one after the other
constexpr int kFew = 12, kPasses = 60,
              kRoughPasses = 8;      // constraints that are swept on their own part of W, and how often
constexpr int kManyPasses = 600;     // of few that have settled: planes that are nearly one need them
constexpr double kPassChange = 0.1;  // of the tolerance
constexpr int kBoxForces = 12;       // on one tool, each against the border that is missed most
constexpr int kMostBorders = 24;     // that are solved together with the carriers
constexpr double kJam = 100;         // a border gives way no further than that many times the way to it
constexpr int kLocalSteps = 3;
constexpr double kLocalChange = 1e-12;
}  // namespace

GlcPgs::GlcPgs(GlcSizes sizes, GlcSettings settings) : sizes_(sizes), settings_(settings) {
  const size_t m = sizes.glc, all = sizes.glc + sizes.other, proxies = sizes.proxies;
  rho_.resize(all + kMostBorders);
  tangential_.resize(all + kMostBorders);
  borders_.reserve(kMostBorders);
  inverse_.resize(sizes.other);
  for (auto* v : {&trust_step_, &slack_}) v->resize(proxies);
  for (auto* v : {&force_, &u_, &box_, &outer_, &x_, &acting_}) v->resize(proxies, Vec3::Zero());
  first_.reserve(proxies + 1);
  share_.reserve(proxies);
  reach_.reserve(proxies);
  tool_.resize(proxies);
  for (auto* v : {&row_force_, &response_}) v->setZero(3L * (sizes.nodes + sizes.other));
  start_f_.setZero(3 * static_cast<Eigen::Index>(all));
  for (auto* v : {&active_, &witnesses_}) v->reserve(m);
  lost_.resize(proxies);
  for (auto* v : {&carriers_, &old_carriers_, &older_carriers_, &loaded_}) v->reserve(m);
  part_of_.reserve(all + kMostBorders);
  const long largest = 3L * std::min(sizes.glc + sizes.other + kMostBorders, most_carriers);
  part_.W.dense.reserve(largest * largest);
  part_.kind.reserve(all + kMostBorders);
  part_.mu.reserve(largest);
  for (auto* v : {&part_.delta_free, &part_f_}) v->reserve(largest);
  is_carrier_.resize(m);
  prepared_.resize(m);
}

Result<void> GlcPgs::set_problem(const GlcProblem& problem) {
  const int m = static_cast<int>(problem.glc.size()), others = static_cast<int>(problem.other.size());
  const int proxies = static_cast<int>(problem.proxy.size());
  if (m > sizes_.glc || problem.nodes > sizes_.nodes || others > sizes_.other || proxies > sizes_.proxies)
    return Error{
        .message = "the problem is larger than the solver was built for",
        .remedy = "bound the number of constraints at the low rate, or build it with larger GlcSizes"};
  if (problem.W.rows() != 3 * problem.rows() || problem.W.cols() != problem.W.rows())
    return Error{.message = "W is not a square of three rows per node and other constraint"};
  if (problem.C.rows() != 3 * proxies || problem.C.cols() != problem.C.rows())
    return Error{.message = "C is not a square of three rows per proxy"};
  problem_ = &problem;
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

Mat3 GlcPgs::frame_of_border(const Border& b) {
  const Vec3 n = b.sign * Vec3::Unit(b.axis), t1 = Vec3::Unit((b.axis + 1) % 3);
  return (Mat3() << n.transpose(), t1.transpose(), n.cross(t1).transpose()).finished();
}

GlcPgs::Rows GlcPgs::rows_of(int i) const {
  if (i >= rows_) return {{}, {}, 0};
  if (i >= m_) return {{problem_->nodes + i - m_}, {1}, 1};
  const Glc& g = problem_->glc[i];
  Rows rows{g.node, {g.weight[0], g.weight[1], g.weight[2]}, 0};
  while (rows.count < 3 && g.node[rows.count] >= 0) ++rows.count;
  return rows;
}

// E W Eᵀ in the frames of both.
Mat3 GlcPgs::given_way(int i, int j) const {
  const Rows a = rows_of(i), b = rows_of(j);
  Mat3 sum = Mat3::Zero();
  for (int k = 0; k < a.count; ++k)
    for (int l = 0; l < b.count; ++l)
      sum += a.share[k] * b.share[l] * problem_->W.block<3, 3>(3 * a.row[k], 3 * b.row[l]);
  if (i < m_) sum = (frame(i) * sum).eval();
  if (j < m_) sum *= frame(j).transpose();
  return sum;
}

Mat3 GlcPgs::block(int i, int j) const {
  Mat3 sum = given_way(i, j);
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
  else if (i < rows_)
    inverse_[i - m_] = bilateral_inverse(W_ii);
}

// A force at one proxy moves all of its tool.
void GlcPgs::push(int p, const Vec3& force, std::vector<Vec3>& displacement) const {
  for (int q = first_[tool_[p]]; q < first_[tool_[p] + 1]; ++q)
    displacement[q] += problem_->C.block<3, 3>(3 * q, 3 * p) * force;
}

// f_i += Δf: what is touched gives way, the tools move.
void GlcPgs::apply(int i, const Vec3& df, VecRef f) {
  if (i >= rows_) {
    const Border& b = borders_[i - rows_];
    box_[b.proxy][b.axis] += b.sign * df[0];
    return push(b.proxy, b.sign * df[0] * Vec3::Unit(b.axis), outer_);
  }
  f.segment<3>(3 * i) += df;
  const auto& W = problem_->W;
  const Vec3 force = frame(i).transpose() * df;
  const Rows rows = rows_of(i);
  for (int k = 0; k < rows.count; ++k) {
    const int r = 3 * rows.row[k];
    const Vec3 share = rows.share[k] * (i < m_ ? force : df);
    row_force_.segment<3>(r) += share;
    if (!W.diagonal().segment<3>(r).isZero(0))  // rigid ground gives no answer
      response_.head(W.rows()).noalias() += W.middleCols<3>(r) * share;
  }
  for (int p : proxies_of(i)) {
    if (p < 0) continue;
    force_[p] += force;
    push(p, force, u_);
  }
}

// What is touched and the proxies, afresh from f: without the rounding of updates.
void GlcPgs::refresh(ConstVecRef f) {
  const auto& W = problem_->W;
  const int proxies = first_.back();
  row_force_.head(W.rows()).setZero();
  response_.head(W.rows()).setZero();
  std::fill_n(force_.begin(), proxies, Vec3::Zero());
  std::fill_n(u_.begin(), proxies, Vec3::Zero());
  for (int i = 0; i < rows_; ++i) {
    const Vec3 f_i = f.segment<3>(3 * i);
    if (f_i == Vec3::Zero()) continue;
    const Vec3 force = frame(i).transpose() * f_i;
    const Rows rows = rows_of(i);
    for (int k = 0; k < rows.count; ++k)
      row_force_.segment<3>(3 * rows.row[k]) += rows.share[k] * (i < m_ ? force : f_i);
    for (int p : proxies_of(i))
      if (p >= 0) force_[p] += force;
  }
  for (long r = 0; r < W.rows(); r += 3)
    if (!row_force_.segment<3>(r).isZero(0))
      response_.head(W.rows()).noalias() += W.middleCols<3>(r) * row_force_.segment<3>(r);
  for (int p = 0; p < proxies; ++p)
    if (force_[p] != Vec3::Zero()) push(p, force_[p], u_);
}

// The tools where they are at the start, under no force.
void GlcPgs::stand_still() {
  const GlcMotion& motion = *motion_;
  std::fill(share_.begin(), share_.end(), 0.0);
  for (size_t p = 0; p < motion.x_old.size(); ++p) {
    x_[p] = motion.x_old[p].allFinite() ? motion.x_old[p] : Vec3::Zero();
    acting_[p].setZero();
    box_[p].setZero();
    outer_[p].setZero();
  }
}

void GlcPgs::start(const SolveOptions& options, VecRef f) {
  first_guess(options, f);
  stand_still();
  std::fill(prepared_.begin(), prepared_.end(), 0);
  for (int i = m_; i < rows_; ++i) prepare(i);
  refresh(f);
  outer_trust();
  if (!settings_.inner_trust) inner_trust();
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
// when they did not converge: their forces are the best found. (In the corner of a dent planes that are
// nearly one share the force as they like.)
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
  const auto outcome = small_.solve(options, watch, true, part_.delta_free.data(), f.data());
  std::copy_n(f.begin(), 3 * count, part_f_.data());
  return outcome.status == SolveStatus::converged;
}

// More of them, or what is left, by the solver of ordinary contacts: a stiff tool bears on more points than
// sweeps can sort out.
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

int GlcPgs::pushing_borders() const {
  int count = 0;
  for (int p = 0; p < first_.back(); ++p) count += static_cast<int>((box_[p].array() != 0).count());
  return count;
}

// The borders that push a tool of more than one point: that of a point is a clamp.
void GlcPgs::list_borders() {
  borders_.clear();
  for (int p = 0; p < first_.back(); ++p)
    for (int k = 0; k < 3 && first_[tool_[p] + 1] - first_[tool_[p]] > 1; ++k)
      if (box_[p][k] != 0 && static_cast<int>(borders_.size()) < kMostBorders) {
        borders_.push_back({p, k, box_[p][k] > 0 ? 1.0 : -1.0});
        prepare(rows_ + static_cast<int>(borders_.size()) - 1);
      }
}

// The carriers, the other constraints and the borders on their own part of W: solved when they are few or a
// solver is there, otherwise swept; the whole columns are touched once. True when a border jams.
bool GlcPgs::sweep(bool settled, const SolveOptions& options, BudgetWatch& watch, VecRef f) {
  part_of_.assign(carriers_.begin(), carriers_.end());
  list_borders();
  for (int i = m_; i < rows_ + static_cast<int>(borders_.size()); ++i) part_of_.push_back(i);
  const int count = static_cast<int>(part_of_.size());
  if (count > (solver_ ? most_carriers : kFew)) {
    for (int i : part_of_) {
      const Vec3 before = force_of(i, f), df = resolved(i, block(i, i), before, goal_delta(i)) - before;
      if (df != Vec3::Zero()) apply(i, df, f);
    }
    return false;
  }
  auto& W = part_.W.dense;
  W.resize(3 * count, 3 * count);
  part_.delta_free.resize(3 * count);
  part_f_.resize(3 * count);
  for (int k = 0; k < count; ++k) {
    for (int l = 0; l <= k; ++l) {
      const Mat3 W_kl = block(part_of_[k], part_of_[l]);
      W.block<3, 3>(3 * k, 3 * l) = k == l ? Mat3(0.5 * (W_kl + W_kl.transpose())) : W_kl;
      if (k != l) W.block<3, 3>(3 * l, 3 * k) = W_kl.transpose();
    }
    part_f_.segment<3>(3 * k) = force_of(part_of_[k], f);
    part_.delta_free.segment<3>(3 * k) = goal_delta(part_of_[k]);
  }
  part_.delta_free.noalias() -= W * part_f_;
  SolveOptions inner = options;
  inner.warm_start = true;
  inner.tolerance = kPassChange * options.tolerance;
  // The forces of the borders, which may be much larger, are not judged.
  if (const double own = part_f_.head(3 * (count - static_cast<long>(borders_.size()))).norm(); own > 0)
    inner.tolerance *= std::max(own / part_f_.norm(), 1e-3);
  inner.max_sweeps = settled && count <= kFew ? kManyPasses : kPasses;
  if (!solve_few(inner, watch, count) && !solve_many(inner, watch, count)) {
    GrowingVector& v = part_.delta_free;  // from here on δ
    v.noalias() += W * part_f_;
    for (int pass = 0; pass < (settled ? kPasses : kRoughPasses); ++pass) {
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
    const Vec3 df = next - force_of(i, f);
    if (df != Vec3::Zero()) apply(i, df, f);
  }
  return std::any_of(borders_.begin(), borders_.end(), [this](const Border& b) { return jams(b); });
}

// Where the surface bulges through the border of the outer region, the half space of the carrier may miss the
// region: both push against each other without end.
bool GlcPgs::jams(const Border& b) const {
  const GlcProxy& proxy = problem_->proxy[b.proxy];
  const double way =
      std::abs(motion_->x_free[b.proxy][b.axis] - proxy.trust_centre[b.axis]) + proxy.trust_half[b.axis];
  const int row = 3 * b.proxy + b.axis;
  return !(std::abs(box_[b.proxy][b.axis]) * problem_->C(row, row) <= kJam * way);
}

// Eq. 14: the box forces act on the tool alone, one after the other at the border that is missed most:
// crossed, or left under a force. Of a point, whose compliance is a scalar, that is a clamp; those of a
// larger tool `sweep` solves for together. What is still beyond a border is cut off the tool's motion.
void GlcPgs::outer_trust() {
  const GlcMotion& motion = *motion_;
  for (int t = 0; t < tools(); ++t) {
    reach_[t] = 1;
    for (int force = 0; force <= kBoxForces; ++force) {
      Border worst{-1, 0, 1};
      double most = 0, reach = 1;
      for (int p = first_[t]; p < first_[t + 1]; ++p) {
        const GlcProxy& proxy = problem_->proxy[p];
        for (int k = 0; k < 3; ++k) {
          const double to = motion.x_free[p][k] + u_[p][k] + outer_[p][k] - proxy.trust_centre[k];
          const double compliance = problem_->C(3 * p + k, 3 * p + k), push = box_[p][k];
          const Border border{p, k, push > 0 || (push == 0 && to < 0) ? 1.0 : -1.0};
          const double over = std::max(-room_at(border), -std::abs(push) * compliance);
          const double from = motion.x_old[p][k] - proxy.trust_centre[k];
          if (!(std::abs(over) > kBorder * std::max(proxy.trust_half[k], std::abs(to - from))) ||
              !(compliance > 0))
            continue;
          if (over > 0)
            reach = std::min(reach, std::max(0.0, 1 - over / std::max(std::abs(to - from), over)));
          if (std::abs(over) <= std::abs(most)) continue;
          most = over;
          worst = border;
        }
      }
      if (worst.proxy < 0) break;
      if (force == kBoxForces) {
        reach_[t] = reach;
        break;
      }
      const int row = 3 * worst.proxy + worst.axis;
      double& pushes = box_[worst.proxy][worst.axis];
      const double compliance = problem_->C(row, row);
      const double g = most <= -std::abs(pushes) * compliance ? -pushes : worst.sign * most / compliance;
      pushes += g;
      push(worst.proxy, g * Vec3::Unit(worst.axis), outer_);
    }
  }
}

// The boxes hold a point in place, whatever the forces: those of carriers that they keep apart are none.
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
bool GlcPgs::inner_trust() {
  const GlcMotion& motion = *motion_;
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

Certificate GlcPgs::judge(ConstVecRef f) const {
  CertificateSum sum;
  const auto add = [&](int i) {
    sum.add(bilateral(i), mu_of(i), rho_[i], f.segment<3>(3 * i), goal_delta(i),
            motion_->delta_free.segment<3>(3 * i));
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
  motion_ = &motion;
  bool finite = motion.delta_free.allFinite() && motion.tau_start.allFinite();
  for (size_t p = 0; p < proxies; ++p)
    finite = finite && motion.x_old[p].allFinite() && motion.x_free[p].allFinite();
  if (!finite) {
    f.setZero();
    refresh(f);
    stand_still();
    report.status = SolveStatus::not_applicable;
    return report;
  }

  start(options, f);
  start_f_.head(3 * rows_) = f;
  holding_ = false;
  shrink_ = 1;
  int changes = 0, idle = 0, stuck = 0;
  double best = std::numeric_limits<double>::infinity();
  bool clipped = true;
  Certificate certificate;
  for (;;) {
    report.active = collect_active(f);
    choose_carriers(f);
    // A tool that is cut off at borders which the last sweep did not know has more to solve for.
    const bool cut = report.sweeps < kCut &&
                     std::any_of(reach_.begin(), reach_.end(), [](double r) { return r < 1; }) &&
                     pushing_borders() != static_cast<int>(borders_.size());
    const bool settled = !clipped && !cut && carriers_ == old_carriers_;
    if (settled && certificate.within(options.tolerance)) {
      refresh(f);  // judged without the rounding of the column updates
      outer_trust();
      certificate = judge(f);
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
    const bool jammed = sweep(settled, options, watch, f);
    outer_trust();
    clipped = inner_trust() || unloading;
    report.inner_hits += clipped;
    const bool at_border = std::any_of(box_.begin(), box_.begin() + static_cast<long>(proxies),
                                       [](const Vec3& g) { return g != Vec3::Zero(); });
    stuck = settled && at_border && !moved_ && !relieve(f) ? stuck + 1 : 0;
    certificate = judge(f);
    ++report.sweeps;
    if (jammed || (stuck > kStuck && !certificate.within(options.tolerance))) {
      report.status = SolveStatus::stalled;
      break;
    }
    if (certificate.infeasible) {
      report.status = SolveStatus::infeasible;
      break;
    }
    if (!settled || certificate.value < kProgress * best) {
      best = certificate.value;
      idle = 0;
    } else if (++idle >= kStall) {  // e.g. two sticking walls that disagree by a rounding of the last step
      report.status = SolveStatus::stalled;
      break;
    }
  }
  report.certificate = report.sweeps > 0 ? certificate.value : judge(f).value;
  // Tools that their regions hold back, while nothing settles, wait where they were for the next snapshot,
  // under the forces that they had: half an answer would press them into the surface.
  for (int t = 0; t < tools() && report.status != SolveStatus::converged; ++t) {
    if (std::all_of(box_.begin() + first_[t], box_.begin() + first_[t + 1],
                    [](const Vec3& g) { return g == Vec3::Zero(); }))
      continue;
    share_[t] = 0;
    for (int p = first_[t]; p < first_[t + 1]; ++p) {
      x_[p] = motion.x_old[p];
      acting_[p].setZero();
    }
    for (int i = 0; i < rows_; ++i)
      for (int p : proxies_of(i))
        if (p >= 0 && tool_[p] == t) f.segment<3>(3 * i) = start_f_.segment<3>(3 * i);
    refresh(f);
  }
  report.carriers = static_cast<int>(carriers_.size());
  report.held = held_;
  report.overstep = overstep(f);
  for (int t = 0; t < tools(); ++t)
    report.outer_hits += std::any_of(box_.begin() + first_[t], box_.begin() + first_[t + 1],
                                     [](const Vec3& g) { return g != Vec3::Zero(); });
  for (size_t p = 0; p < proxies; ++p) finite = finite && x_[p].allFinite();
  if (!finite || !f.allFinite()) {  // W holds nonsense: no force is better than any
    f.setZero();
    refresh(f);
    stand_still();
    report.status = SolveStatus::stalled;
    report.certificate = std::numeric_limits<double>::infinity();
  }
  report.time_us = watch.elapsed_us();
  return report;
}

}  // namespace palp
