#include "palp/haptics/glc_tick.hpp"

#include <algorithm>
#include <cmath>

#include "palp/base/clock.hpp"

namespace palp {

GlcTick::GlcTick(std::vector<GlcHand> hands, GlcSizes sizes, const SolveOptions& options,
                 GlcSettings settings)
    : hands_(std::move(hands)), proxies_(hands_.size()), options_(options), pgs_(sizes, settings) {
  options_.warm_start = true;
  f_.setZero(3L * (sizes.glc + sizes.other));
  u_.setZero(f_.size());
  own_.resize(hands_.size());
}

Result<void> GlcTick::adopt(const GlcSnapshot& snapshot) {
  snapshot_ = nullptr;  // whoever owns the last one may change it from now on
  rows_ = 0;
  if (snapshot.problem.proxy.size() != hands_.size())
    return Error{.message = "the snapshot has other proxies than the tick"};
  if (auto set = pgs_.set_problem(snapshot.problem); !set) return set;
  snapshot_ = &snapshot;
  rows_ = 3L * snapshot.problem.size();
  f_.head(rows_) = snapshot.f;
  return {};
}

// H2: where every proxy goes without contact.
void GlcTick::free_motion(std::span<const DevicePose> poses, const Vec3& gravity, double h) {
  for (size_t p = 0; p < hands_.size(); ++p) {
    const GlcHand& hand = hands_[p];
    const ProxyState& state = proxies_[p];
    const DevicePose& pose = poses[hand.device];
    double stiffness = hand.mass_kg / (h * h) + hand.damping_N_s_per_m / h;
    Vec3 force = hand.mass_kg * (state.v / h + gravity);
    if (pose.finite()) {
      const CouplingSettings& c = hand.coupling;
      stiffness += c.stiffness_N_per_m + c.damping_N_s_per_m / h;
      force +=
          c.stiffness_N_per_m * (pose.position - hand.lever - state.x) + c.damping_N_s_per_m * pose.velocity;
    }
    snapshot_->motion.x_old[p] = state.x;
    snapshot_->motion.x_free[p] = state.x + force / stiffness;
  }
}

// u = W f − R_p C_p Σ_j R_jᵀ f_j, in each constraint's axes: u_ holds W f, own_ the sums.
void GlcTick::surface_displacement() {
  const GlcProblem& problem = snapshot_->problem;
  auto u = u_.head(rows_);
  std::fill(own_.begin(), own_.end(), Vec3::Zero());
  u.setZero();
  if (!snapshot_->compliant) return;
  const int m = static_cast<int>(problem.glc.size()), all = problem.size();
  if (pgs_.knows_response(f_.head(rows_))) {
    u = pgs_.response();
  } else {
    for (int i = 0; i < all; ++i) {
      const Vec3 f_i = f_.segment<3>(3 * i);
      if (f_i == Vec3::Zero()) continue;
      u.noalias() += f_i[0] * problem.W.col(3 * i) + f_i[1] * problem.W.col(3 * i + 1) +
                     f_i[2] * problem.W.col(3 * i + 2);
    }
  }
  for (int i = 0; i < m; ++i) {
    const Vec3 f_i = f_.segment<3>(3 * i);
    if (f_i == Vec3::Zero()) continue;
    const Glc& g = problem.glc[i];
    own_[g.proxy] += problem.proxy[g.proxy].compliance * (f_i[0] * g.n + f_i[1] * g.t1 + f_i[2] * g.t2);
  }
}

// δ_free and τ_start of every constraint.
void GlcTick::relative_motion() {
  GlcMotion& motion = snapshot_->motion;
  const std::vector<Glc>& glc = snapshot_->problem.glc;
  const int m = static_cast<int>(glc.size()), all = snapshot_->problem.size();
  for (int i = 0; i < m; ++i) {
    const Glc& g = glc[i];
    const Vec3 &from = motion.x_old[g.proxy], &to = motion.x_free[g.proxy], &p = snapshot_->places.p_free[i];
    const Vec3 step = to - from;
    const double u1 = u_[3 * i + 1] - g.t1.dot(own_[g.proxy]), u2 = u_[3 * i + 2] - g.t2.dot(own_[g.proxy]);
    motion.delta_free.segment<3>(3 * i) << g.n.dot(to - p), g.t1.dot(step) - u1, g.t2.dot(step) - u2;
    motion.tau_start.segment<2>(2 * i) << g.t1.dot(from - p) + u1, g.t2.dot(from - p) + u2;
  }
  if (all > m) motion.delta_free.tail(3 * (all - m)) = snapshot_->delta_other;
}

/// The first hand whose proxy would be nowhere, or so fast that its energy is not finite; −1: none.
int GlcTick::lost_hand(double h) const {
  for (size_t p = 0; p < hands_.size(); ++p) {
    const Vec3 x = pgs_.proxy_position(static_cast<int>(p));
    if (!(x.squaredNorm() < 1e200) ||
        !std::isfinite(hands_[p].mass_kg * ((x - proxies_[p].x) / h).squaredNorm()))
      return static_cast<int>(p);
  }
  return -1;
}

GlcTickReport GlcTick::tick(std::span<const DevicePose> poses, const Vec3& gravity, double h,
                            std::span<Wrench> wrenches) {
  GlcTickReport report;
  Stopwatch watch;
  std::fill(wrenches.begin(), wrenches.end(), Wrench{});
  if (!snapshot_) return report;
  report.glcs = static_cast<int>(snapshot_->problem.glc.size());
  free_motion(poses, gravity, h);
  surface_displacement();
  relative_motion();
  report.solve = pgs_.solve(options_, snapshot_->motion, f_.head(rows_));
  report.failed_hand = lost_hand(h);
  if (report.failed_hand >= 0) {
    f_.head(rows_).setZero();
    return report;
  }
  for (size_t p = 0; p < hands_.size(); ++p) {
    ProxyState& state = proxies_[p];
    const Vec3 x = pgs_.proxy_position(static_cast<int>(p));
    state.v = (x - state.x) / h;
    state.x = x;
    const DevicePose& pose = poses[hands_[p].device];
    if (!pose.finite()) continue;
    const CouplingSettings& c = hands_[p].coupling;
    wrenches[hands_[p].device].force += c.stiffness_N_per_m * (state.x + hands_[p].lever - pose.position) +
                                        c.damping_N_s_per_m * (state.v - pose.velocity);
  }
  report.total_us = watch.lap_us();
  return report;
}

}  // namespace palp
