#include "palp/haptics/glc_low_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "palp/base/clock.hpp"
#include "palp/mechanics/next_state.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/sim/stages.hpp"

namespace palp {
namespace {

Error for_model(const std::string& message, const std::string& remedy) {
  return {.message = message, .remedy = remedy};
}

double proxy_compliance(const GlcHand& hand, double h) {
  return 1 / (hand.mass_kg / (h * h) + (hand.damping_N_s_per_m + hand.coupling.damping_N_s_per_m) / h +
              hand.coupling.stiffness_N_per_m);
}

}  // namespace

Result<std::vector<GlcHand>> glc_hands(const Model& model, std::span<const Grip> grips) {
  std::vector<GlcHand> hands;
  for (const Grip& grip : grips) {
    const auto* point = dynamic_cast<const PointProxy*>(model.bodies[grip.body].body.get());
    if (!point)
      return for_model("'" + model.bodies[grip.body].name + "' is held, but is not a point",
                       "contact: glc and closest are for model: point; standard takes any tool");
    hands.push_back({.device = grip.device,
                     .body = grip.body,
                     .mass_kg = point->spec().mass_kg,
                     .damping_N_s_per_m = point->spec().damping_N_s_per_m,
                     .radius_m = point->spec().radius_m,
                     .lever = grip.lever,
                     .coupling = grip.coupling});
  }
  return hands;
}

Result<GlcLowStep> GlcLowStep::make(const Model& model, std::vector<GlcHand> hands,
                                    const GlcLoopSettings& settings) {
  GlcLowStep low;
  const GlcRegionSettings& region = settings.region;
  if (!(region.range_m > 0) || !(region.max_depth_m > 0) ||
      !std::isfinite(region.range_m + region.max_depth_m))
    return for_model("the range and depth of the haptic contacts must be positive",
                     "0.02 and 0.002 are usual");
  if (region.max_constraints < 1 || settings.max_others < 1)
    return for_model("the bound on the number of haptic contacts is below 1", "100 is usual");
  if (!(settings.tick_s > 0) || !(model.h_s >= settings.tick_s))
    return for_model("the haptic tick must be positive and not longer than the low-rate step",
                     "0.001 s is usual");

  if (auto ok = check(model); !ok) return ok.error();
  low.model_ = model;
  low.hands_ = std::move(hands);
  low.settings_ = settings;
  const int n = static_cast<int>(model.bodies.size());
  std::vector<char> is_proxy(n, 0);
  for (const GlcHand& hand : low.hands_) {
    if (hand.body < 0 || hand.body >= n ||
        !dynamic_cast<const PointProxy*>(model.bodies[hand.body].body.get()))
      return for_model("a haptic hand does not hold a point", "give its body the model 'point'");
    if (is_proxy[hand.body])
      return for_model("two hands hold the point '" + model.bodies[hand.body].name + "'",
                       "one point for each hand");
    is_proxy[hand.body] = 1;
  }
  low.ws_ = make_workspace(model);
  low.skins_.resize(n);
  for (int b = 0; b < n; ++b) {
    if (is_proxy[b]) continue;
    const Body& body = *model.bodies[b].body;
    if (body.skin().rounded())
      return for_model(
          "limited constraints know triangles only, and '" + model.bodies[b].name + "' is a rounded shape",
          "give it a mesh of triangles, e.g. {generator: icosphere}");
    std::vector<Vec3> rest(body.skin().vertices);
    body.skin_positions(body.rest_state(), VecX(), rest);
    low.skins_[b] = GlcSkin::make(low.ws_.bodies[b].touch->topology(), rest, 2 * region.max_depth_m);
    low.bodies_.push_back({.number = b, .body = &body});
  }
  low.surfaces_.resize(low.hands_.size());
  low.model_.rules.clear();
  for (const TouchRule& rule : model.rules) {
    if (!is_proxy[rule.body1] && !is_proxy[rule.body2]) low.model_.rules.push_back(rule);
    if (is_proxy[rule.body1] == is_proxy[rule.body2]) continue;  // points do not touch each other
    const int proxy = is_proxy[rule.body1] ? rule.body1 : rule.body2, body = rule.body1 + rule.body2 - proxy;
    for (size_t k = 0; k < low.hands_.size(); ++k)
      if (low.hands_[k].body == proxy) low.surfaces_[k].push_back({.body = body, .mu = rule.mu});
  }
  for (size_t i = 0; i < model.attachments.size(); ++i)
    if (is_proxy[model.attachments[i].body1] ||
        (model.attachments[i].body2 >= 0 && is_proxy[model.attachments[i].body2]))
      return for_model("attachment " + std::to_string(i) + " holds a haptic point", "let the hand hold it");

  if (static_cast<int>(model.attachments.size()) > settings.max_others)
    return for_model(std::to_string(model.attachments.size()) + " attachments are more than the " +
                         std::to_string(settings.max_others) + " contacts between bodies of a tick",
                     "attach at fewer points");

  const int count = static_cast<int>(low.hands_.size());
  low.sizes_ = {.glc = count * std::max(region.max_constraints, region.most_constraints),
                .other = settings.max_others,
                .proxies = count};
  low.builder_.emplace_back(region);
  low.reduction_.resize(low.bodies_.size());
  low.reduced_.assign(low.bodies_.size(), -1);
  low.velocities_.resize(low.bodies_.size());
  return low;
}

// L2, L3.
void GlcLowStep::find_glcs(std::span<const ProxyState> proxies, std::span<const DevicePose> poses,
                           GlcSnapshot& snapshot, GlcLowReport& report) {
  snapshot.problem.glc.clear();
  snapshot.problem.other.clear();
  snapshot.places.clear();
  snapshot.problem.proxy.resize(hands_.size());
  report.smallest_region_m = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < hands_.size(); ++k) {
    for (GlcSurface& s : surfaces_[k]) {
      s.touch = ws_.bodies[s.body].touch.get();
      s.skin = &skins_[s.body];
    }
    const int proxy = static_cast<int>(k);
    snapshot.problem.proxy[k].compliance = proxy_compliance(hands_[k], settings_.tick_s);
    const size_t before = snapshot.places.contact.size();
    const Vec3& x = proxies[k].x;
    // Until the next snapshot the proxy goes about as far as its hand: half of that lies on either side of
    // the region's centre.
    const DevicePose& pose = poses[hands_[k].device];
    const double most = 0.5 * settings_.region.range_m;
    Vec3 ahead = Vec3::Zero();
    if (pose.finite())
      ahead = (0.5 * (pose.position - x + model_.h_s * pose.velocity)).cwiseMax(-most).cwiseMin(most);
    const GlcRegion region = settings_.contact == HapticContact::glc
                                 ? builder_[0].build(proxy, x, ahead, hands_[k].radius_m, surfaces_[k],
                                                     snapshot.problem, snapshot.places)
                                 : builder_[0].build_closest(proxy, x, hands_[k].radius_m, surfaces_[k],
                                                             snapshot.problem, snapshot.places);
    for (size_t i = before; i < snapshot.places.contact.size(); ++i) {
      Contact& c = snapshot.places.contact[i];
      c.id.body1 = hands_[k].body;
      c.gap_start = c.delta_free[0] = (snapshot.problem.glc[i].p - x - ahead).norm();  // how near it will be
    }
    report.glcs += region.used;
    report.found += region.found;
    report.smallest_region_m = std::min(report.smallest_region_m, region.half_m);
  }
}

// Contacts and attachments between the bodies themselves: the ticks solve them along.
void GlcLowStep::find_others(const State& state, GlcSnapshot& snapshot, GlcLowReport& report) {
  stages::find_contacts(model_, state, ws_, report.step);
  stages::keep_closest(settings_.max_others, ws_.contacts, ws_.urgency, report.others_left_out);
  const int count = static_cast<int>(ws_.contacts.size());
  snapshot.delta_other.resize(3 * count);
  snapshot.place.clear();
  for (const Glc& g : snapshot.problem.glc) snapshot.place.push_back(g.p);
  for (int i = 0; i < count; ++i) {
    const Contact& c = ws_.contacts[i];
    snapshot.problem.other.push_back(
        {.kind = c.bilateral ? ContactKind::bilateral : ContactKind::unilateral, .mu = c.mu});
    snapshot.places.contact.push_back(c);
    snapshot.place.push_back(c.P.at(ws_.bodies[c.id.body1].skin_start));
  }
}

// Forces follow their constraint by name. One whose GLC is gone (another region, a quadrilateral no longer
// flat) goes to the GLC that the proxy is on: without its force a soft surface would spring back over the
// proxy.
void GlcLowStep::first_guess(std::span<const ProxyState> proxies, const State& state,
                             GlcSnapshot& snapshot) const {
  const int all = snapshot.problem.size();
  const std::vector<Contact>& contact = snapshot.places.contact;
  snapshot.f.resize(3 * all);
  std::vector<Vec3> missing(hands_.size(), Vec3::Zero());
  for (size_t k = 0; k < hands_.size(); ++k)
    for (const ContactMemory& m : state.memory)
      if (m.id.body1 == hands_[k].body) missing[k] += m.force_world;
  for (int i = 0; i < all; ++i) {
    const ContactMemory* before = find(state.memory, contact[i].id);
    snapshot.f.segment<3>(3 * i) = before ? Vec3(contact[i].frame * before->force_world) : Vec3(Vec3::Zero());
    if (before && i < static_cast<int>(snapshot.problem.glc.size()))
      missing[snapshot.problem.glc[i].proxy] -= before->force_world;
  }
  for (size_t k = 0; k < hands_.size(); ++k) {
    if (!(missing[k].norm() > 0)) continue;
    int best = -1;
    double nearest = settings_.region.max_depth_m;
    for (int i = 0; i < static_cast<int>(snapshot.problem.glc.size()); ++i) {
      const Glc& g = snapshot.problem.glc[i];
      const Vec3 r = proxies[k].x - g.p;
      if (g.proxy != static_cast<int>(k) || !g.in_range(g.t1.dot(r), g.t2.dot(r))) continue;
      if (std::abs(g.n.dot(r)) >= nearest || !(g.n.dot(missing[k]) > 0)) continue;
      nearest = std::abs(g.n.dot(r));
      best = i;
    }
    if (best >= 0) snapshot.f.segment<3>(3 * best) += contact[best].frame * missing[k];
  }
}

// The bodies for the ticks, and what of their free motion is not part of that.
void GlcLowStep::reduce_bodies(const State& state, GlcSnapshot& snapshot) {
  GlcProblem& problem = snapshot.problem;
  const std::vector<Contact>& contact = snapshot.places.contact;
  const int m = static_cast<int>(problem.glc.size()), all = problem.size();
  const bool whole = settings_.hand_over == HandOver::end;
  shared_.resize(static_cast<size_t>(all));
  for (int i = 0; i < all; ++i) shared_[i] = i;
  snapshot.body_count = 0;
  problem.W.setZero();
  for (size_t k = 0; k < bodies_.size(); ++k) {
    const GlcBody& b = bodies_[k];
    BodyContacts& rows = rows_[k];
    reduced_[k] = -1;
    take_forces(contact, snapshot.f, rows);
    if (!b.body->movable() || rows.H.points() == 0) continue;
    if (static_cast<int>(snapshot.bodies.size()) == snapshot.body_count) snapshot.bodies.emplace_back();
    ReducedBody& out = snapshot.bodies[snapshot.body_count];
    f0_.resize(3 * rows.H.points());
    for (int i = 0; i < rows.H.points(); ++i)
      f0_.segment<3>(3 * i) = snapshot.f.segment<3>(3 * rows.contact[i]);
    if (whole)
      reduction_[k].make_end(b.number, rows, shared_, out);
    else
      reduction_[k].make(*b.body, b.number, state.bodies[b.number], *b.ws, rows, contact, shared_, f0_,
                         settings_.tick_s, out);
    reduced_[k] = snapshot.body_count++;
    out.add_compliance(problem.W);
  }
  add_proxy_response(contact, problem);

  snapshot.bend.resize(3 * all);
  for (int i = 0; i < m; ++i) {
    const Vec3 moved = contact[i].frame * (problem.glc[i].p - snapshot.places.p_free[i]);
    snapshot.bend.segment<3>(3 * i) = moved;
  }
  for (int i = m; i < all; ++i) {
    const Contact& c = contact[i];
    const auto motion = [&](int body, const SkinPoint& p) -> Vec3 {
      return body < 0 ? Vec3(Vec3::Zero())
                      : Vec3(p.at(ws_.bodies[body].skin_free) - p.at(ws_.bodies[body].skin_start));
    };
    Vec3 moved = c.frame * (motion(c.id.body1, c.P) - motion(c.id.body2, c.Q));
    if (!c.bilateral) moved.tail<2>() = c.delta_free.tail<2>();
    snapshot.delta_other.segment<3>(3 * (i - m)) = c.delta_free - moved;
    snapshot.bend.segment<3>(3 * i) = moved;
    if (problem.W.diagonal().segment<3>(3 * i).isZero(
            0)) {  // points that no force moves: nothing to be solved
      snapshot.delta_other.segment<3>(3 * (i - m)).setZero();
      snapshot.bend.segment<3>(3 * i).setZero();
    }
  }
  if (whole) {  // seen at the end of the step from the first tick on
    for (int i = 0; i < m; ++i) problem.glc[i].p = snapshot.places.p_free[i];
    for (int i = m; i < all; ++i)
      snapshot.delta_other.segment<3>(3 * (i - m)) += snapshot.bend.segment<3>(3 * i);
    snapshot.bend.setZero();
    return;
  }
  for (size_t k = 0; k < bodies_.size(); ++k) {
    if (reduced_[k] < 0) continue;
    const PointJacobian& NH = rows_[k].NH;
    const VecX& dx = bodies_[k].ws->dx_free;
    for (int i = 0; i < NH.points(); ++i)
      for (int e = NH.start[i]; e < NH.start[i + 1]; ++e)
        snapshot.bend.segment<3>(3 * rows_[k].contact[i]).noalias() -=
            NH.block[e] * dx.segment<3>(3 * NH.column[e]);
  }
}

void GlcLowStep::constraint_force(int body, VecX& out) const {
  out.setZero(model_.bodies[body].body->dof());
  if (sequence_ == 0) return;
  for (size_t k = 0; k < bodies_.size(); ++k)
    if (bodies_[k].number == body) {
      const auto& w = ws_.bodies[body];
      const BodyContacts& rows = rows_[k];
      bodies_[k].body->constraint_force(*w.mechanics, rows.H, rows.lambda.head(3 * rows.H.points()), w.dx_c,
                                        out);
    }
}

bool GlcLowStep::finish(const GlcNews& news, State& state) {
  if (std::exchange(finished_, true)) return true;
  const bool heard = news.sequence == sequence_ && news.tick > tick_ &&
                     news.rows == 3 * static_cast<long>(constraints_.size()) &&
                     news.f.head(news.rows).allFinite();
  const double elapsed = static_cast<double>(news.tick - tick_) * settings_.tick_s;
  if (!heard) f0_.setZero(3 * static_cast<long>(constraints_.size()));
  const ConstVecRef f = heard ? ConstVecRef(news.f.head(news.rows)) : ConstVecRef(f0_);
  for (size_t k = 0; k < bodies_.size(); ++k) {
    const GlcBody& b = bodies_[k];
    auto& w = ws_.bodies[b.number];
    w.dx_c.setZero();
    velocities_[k].resize(0);
    take_forces(constraints_, f, rows_[k]);
    if (heard && reduced_[k] >= 0)
      reduction_[k].lift(*b.body, *w.mechanics, rows_[k], news.bodies[reduced_[k]], elapsed, w.dx_c,
                         velocities_[k]);
    else if (b.body->movable())
      glc_motion(b, constraints_, f, rows_[k], w.dx_c);
    bool finite = next_state(*b.body, *w.mechanics, w.dx_c, state.bodies[b.number], w.next);
    if (velocities_[k].size() > 0) {
      w.next.v = velocities_[k];
      finite = is_finite(*b.body, w.next);
    }
    if (!finite) return lost_ = b.number, false;
  }
  for (const GlcBody& b : bodies_) std::swap(state.bodies[b.number], ws_.bodies[b.number].next);
  state.memory.clear();
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const Contact& c = constraints_[i];
    state.memory.push_back(
        {c.id, c.frame.row(1), c.frame.transpose() * f.segment<3>(3 * static_cast<int>(i))});
  }
  std::sort(state.memory.begin(), state.memory.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  state.time_s += model_.h_s;
  ++state.step;
  return true;
}

GlcLowReport GlcLowStep::advance(const GlcNews& news, State& state, GlcSnapshot& snapshot) {
  GlcLowReport report;
  Stopwatch watch;
  const std::vector<ProxyState>& proxies = news.proxies;
  finish(news, state);
  if (lost_ >= 0) {
    report.step.status = StepStatus::not_finite;
    report.step.body = std::exchange(lost_, -1);
    return report;
  }
  if (!stages::fits(ws_, report.step) || !stages::free_motion(model_, state, ws_, report.step)) return report;
  report.step.times.free_motion_us = watch.lap_us();
  stages::place_skins(model_, state, ws_);
  if (!stages::free_is_finite(model_, ws_, report.step)) return report;
  find_glcs(proxies, news.poses, snapshot, report);
  find_others(state, snapshot, report);
  report.step.contacts = snapshot.problem.size();
  report.step.times.proximity_us = watch.lap_us();

  for (GlcBody& b : bodies_) {
    b.state = &state.bodies[b.number];
    b.ws = ws_.bodies[b.number].mechanics.get();
  }
  assemble_glc_response(bodies_, snapshot.places.contact, snapshot.problem, rows_, true);
  report.step.times.delassus_us = watch.lap_us();
  first_guess(proxies, state, snapshot);
  reduce_bodies(state, snapshot);
  if (!snapshot.problem.W.allFinite() || !snapshot.bend.allFinite()) {
    report.step.status = StepStatus::bad_problem;
    return report;
  }
  snapshot.motion.delta_free.resize(3L * snapshot.problem.size());
  snapshot.motion.tau_start.resize(2L * static_cast<long>(snapshot.problem.glc.size()));
  snapshot.motion.x_old.resize(hands_.size());
  snapshot.motion.x_free.resize(hands_.size());
  snapshot.sequence = ++sequence_;
  snapshot.tick = tick_ = news.tick;
  snapshot.ticks = std::max(1, static_cast<int>(std::lround(model_.h_s / settings_.tick_s)));
  snapshot.settles = settings_.hand_over == HandOver::reduced && settings_.contact == HapticContact::glc;
  snapshot.told_sequence = news.sequence;
  snapshot.told_sum = news.sum;
  constraints_ = snapshot.places.contact;
  finished_ = false;
  report.step.groups = 1;
  report.step.times.motion_us = watch.lap_us();
  return report;
}

}  // namespace palp
