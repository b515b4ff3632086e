#include "palp/haptics/glc_tick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "palp/base/clock.hpp"

namespace palp {

GlcTick::GlcTick(std::vector<GlcHand> hands, GlcSizes sizes, int bodies, const SolveOptions& options,
                 GlcSettings settings)
    : hands_(std::move(hands)), proxies_(hands_.size()), options_(options), pgs_(sizes, settings) {
  options_.warm_start = true;
  const int most = sizes.glc + sizes.other;
  f_.setZero(3L * most);
  now_ = free_ = f_;
  for (int b = 0; b < bodies; ++b) bodies_.emplace_back(Reduction::most_motions, most);
  known_.reserve(static_cast<size_t>(most));
  shift_.assign(hands_.size(), Vec3::Zero());
}

GlcNews GlcTick::nothing_yet(int devices) const {
  GlcNews news;
  news.proxies = proxies_;
  news.poses.resize(static_cast<size_t>(devices));
  news.f.setZero(f_.size());
  news.sum.resize(known_.capacity());
  news.bodies = bodies_;
  return news;
}

void GlcTick::tell(std::span<const DevicePose> poses, GlcNews& out) const {
  out.tick = ticks_;
  std::copy(proxies_.begin(), proxies_.end(), out.proxies.begin());
  std::copy(poses.begin(), poses.end(), out.poses.begin());
  out.sequence = sequence();
  out.rows = rows_;
  out.f.head(rows_) = f_.head(rows_);
  for (size_t i = 0; i < known_.size(); ++i) out.sum[i] = known_[i].sum;
  for (size_t b = 0; b < bodies_.size(); ++b) out.bodies[b] = bodies_[b];
}

// The low-rate bodies and the first guess of the forces, brought from the synchronisation to the present: the
// bodies bore the forces of the snapshot before, whose mean is taken (as in tick.cpp). A force follows its
// constraint by name, or goes to the nearest one of the same proxy and body.
void GlcTick::catch_up(const GlcSnapshot& snapshot) {
  const long ticks =
      known_sequence_ == 0 ? 0 : ticks_ - snapshot.tick;  // before the first one bodies stand still
  const bool known = snapshot.told_sequence == known_sequence_;
  const std::vector<Contact>& now = snapshot.places.contact;
  auto f = f_.head(rows_), mean = now_.head(rows_);
  f = snapshot.f;
  mean.setZero();
  if (ticks > 0) f.setZero();
  for (size_t i = 0; ticks > 0 && i < known_.size(); ++i) {
    const Vec3 impulse = known ? Vec3(known_[i].sum - snapshot.told_sum[i]) : Vec3(Vec3::Zero());
    if (impulse == Vec3::Zero() && known_[i].force == Vec3::Zero()) continue;
    size_t best = now.size();
    double nearest = std::numeric_limits<double>::infinity();
    for (size_t j = 0; j < now.size() && nearest > -1; ++j) {
      const bool same = now[j].id == known_[i].id;
      if (!same && (now[j].id.body1 != known_[i].id.body1 || now[j].id.body2 != known_[i].id.body2)) continue;
      const double distance = same ? -1 : (snapshot.place[j] - known_[i].at).squaredNorm();
      if (distance < nearest) nearest = distance, best = j;
    }
    if (best == now.size()) continue;
    f.segment<3>(3 * best) += now[best].frame * known_[i].force;
    mean.segment<3>(3 * best) += now[best].frame * impulse / static_cast<double>(ticks);
  }
  for (int b = 0; b < snapshot.body_count; ++b) {
    const ReducedBody& body = snapshot.bodies[b];
    bodies_[b].begin(body);
    if (body.motions() == 0)  // seen at the end of its step, pushed by the forces
      for (size_t i = 0; i < body.contact.size(); ++i)
        bodies_[b].g.segment<3>(3 * i) = f.segment<3>(3 * body.contact[i]);
    for (long t = 0; t < ticks && body.motions() > 0; ++t) {
      bodies_[b].free_tick(body, h_, free_.head(rows_));
      bodies_[b].end_tick(body, h_, mean);
    }
  }
  settle(snapshot);
  known_.clear();
  for (size_t j = 0; j < now.size(); ++j)
    known_.push_back(
        {now[j].id, snapshot.place[j], Vec3::Zero(), now[j].frame.transpose() * f.segment<3>(3 * j)});
  known_sequence_ = snapshot.sequence;
}

// What bears a force touches: a proxy whose carriers are elsewhere in the new snapshot (the surface has bent
// since the last one) is seen where it touches them, and the difference let in over a low-rate step.
void GlcTick::settle(const GlcSnapshot& snapshot) {
  auto s = free_.head(rows_);
  s = std::min(1.0, static_cast<double>(ticks_ - snapshot.tick) / snapshot.ticks) * snapshot.bend;
  for (int b = 0; b < snapshot.body_count; ++b) bodies_[b].displace(snapshot.bodies[b], s);
  std::fill(shift_.begin(), shift_.end(), Vec3::Zero());
  adopted_ = ticks_;
  if (!snapshot.settles) return;
  const std::vector<Glc>& glc = snapshot.problem.glc;
  for (int pass = 0; pass < 4; ++pass)
    for (size_t i = 0; i < glc.size(); ++i) {
      if (!(f_[3 * static_cast<long>(i)] > 0)) continue;
      Vec3& shift = shift_[static_cast<size_t>(glc[i].proxy)];
      const Vec3 x = proxies_[static_cast<size_t>(glc[i].proxy)].x + shift;
      shift -= (glc[i].n.dot(x - glc[i].p) + s[3 * static_cast<long>(i)]) * glc[i].n;
    }
}

Result<void> GlcTick::adopt(const GlcSnapshot& snapshot) {
  snapshot_ = nullptr;  // whoever owns the last one may change it from now on
  rows_ = 0;
  if (snapshot.problem.proxy.size() != hands_.size() ||
      snapshot.body_count > static_cast<int>(bodies_.size()))
    return Error{.message = "the snapshot has other proxies or bodies than the tick"};
  if (auto set = pgs_.set_problem(snapshot.problem); !set) return set;
  snapshot_ = &snapshot;
  rows_ = 3L * snapshot.problem.size();
  if (snapshot.sequence != known_sequence_) catch_up(snapshot);
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

// s before the tick and after its free motion.
void GlcTick::surface_displacement(double h) {
  const GlcSnapshot& s = *snapshot_;
  const auto over = [&](long ticks) { return std::min(1.0, static_cast<double>(ticks) / s.ticks); };
  auto now = now_.head(rows_), free = free_.head(rows_);
  now = over(ticks_ - 1 - s.tick) * s.bend;
  free = over(ticks_ - s.tick) * s.bend;
  for (int b = 0; b < s.body_count; ++b) {
    bodies_[b].displace(s.bodies[b], now);
    bodies_[b].free_tick(s.bodies[b], h, free);
  }
}

// δ_free and τ_start of every constraint.
void GlcTick::relative_motion() {
  GlcMotion& motion = snapshot_->motion;
  const std::vector<Glc>& glc = snapshot_->problem.glc;
  const std::vector<OtherConstraint>& other = snapshot_->problem.other;
  const int m = static_cast<int>(glc.size());
  const double settling =
      std::max(0.0, 1 - static_cast<double>(ticks_ - adopted_) / static_cast<double>(snapshot_->ticks));
  for (int i = 0; i < m; ++i) {
    const Glc& g = glc[i];
    const Vec3 &from = motion.x_old[g.proxy], &to = motion.x_free[g.proxy];
    const Vec3 step = to - from, seen = settling * shift_[g.proxy] - g.p;
    const auto now = now_.segment<3>(3 * i), free = free_.segment<3>(3 * i);
    motion.delta_free.segment<3>(3 * i) << g.n.dot(to + seen) + free[0], g.t1.dot(step) + free[1] - now[1],
        g.t2.dot(step) + free[2] - now[2];
    motion.tau_start.segment<2>(2 * i) << g.t1.dot(from + seen) + now[1], g.t2.dot(from + seen) + now[2];
  }
  for (int o = 0; o < static_cast<int>(other.size()); ++o) {
    auto delta = motion.delta_free.segment<3>(3 * (m + o));
    delta = snapshot_->delta_other.segment<3>(3 * o) + free_.segment<3>(3 * (m + o));
    if (other[o].kind == ContactKind::unilateral) delta.tail<2>() -= now_.segment<2>(3 * (m + o) + 1);
  }
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
  ++ticks_;
  h_ = h;
  if (!snapshot_) return report;
  report.glcs = static_cast<int>(snapshot_->problem.glc.size());
  free_motion(poses, gravity, h);
  surface_displacement(h);
  relative_motion();
  report.solve = pgs_.solve(options_, snapshot_->motion, f_.head(rows_));
  report.failed_hand = lost_hand(h);
  if (report.failed_hand >= 0) {
    f_.head(rows_).setZero();
    return report;
  }
  for (int b = 0; b < snapshot_->body_count; ++b)
    bodies_[b].end_tick(snapshot_->bodies[b], h, f_.head(rows_));
  for (size_t i = 0; i < known_.size(); ++i) {
    known_[i].force = snapshot_->places.contact[i].frame.transpose() * f_.segment<3>(3 * i);
    known_[i].sum += known_[i].force;
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
