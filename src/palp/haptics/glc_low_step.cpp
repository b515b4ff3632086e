#include "palp/haptics/glc_low_step.hpp"

#include <algorithm>
#include <cmath>

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
  low.sizes_ = {.glc = count * region.max_constraints, .other = settings.max_others, .proxies = count};
  low.builder_.emplace_back(region);
  low.rehearsal_.emplace_back(low.hands_, low.sizes_, settings.options, settings.trust);
  int devices = 0;
  for (const GlcHand& hand : low.hands_) devices = std::max(devices, hand.device + 1);
  low.wrenches_.resize(devices);
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
    for (size_t i = before; i < snapshot.places.contact.size(); ++i)
      snapshot.places.contact[i].id.body1 = hands_[k].body;
    report.glcs += region.used;
    report.found += region.found;
    report.smallest_region_m = std::min(report.smallest_region_m, region.half_m);
  }
}

// Contacts and attachments between the bodies themselves: the ticks solve them along, their gaps stay those
// of the free motion.
void GlcLowStep::find_others(const State& state, GlcSnapshot& snapshot, GlcLowReport& report) {
  stages::find_contacts(model_, state, ws_, report.step);
  stages::keep_closest(settings_.max_others, ws_.contacts, ws_.urgency, report.others_left_out);
  const int count = static_cast<int>(ws_.contacts.size());
  snapshot.delta_other.resize(3 * count);
  for (int i = 0; i < count; ++i) {
    const Contact& c = ws_.contacts[i];
    snapshot.problem.other.push_back(
        {.kind = c.bilateral ? ContactKind::bilateral : ContactKind::unilateral, .mu = c.mu});
    snapshot.places.contact.push_back(c);
    snapshot.delta_other.segment<3>(3 * i) = c.delta_free;
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

// S5: x = x_free + A⁻¹ Hᵀ f of the constraints of this step, the only stage that writes the state.
bool GlcLowStep::move_bodies(ConstVecRef f, State& state, GlcLowReport& report) {
  for (size_t k = 0; k < bodies_.size(); ++k) {
    auto& w = ws_.bodies[bodies_[k].number];
    w.dx_c.setZero();
    if (bodies_[k].body->movable()) glc_motion(bodies_[k], constraints_, f, rows_[k], w.dx_c);
    if (!next_state(*bodies_[k].body, *w.mechanics, w.dx_c, state.bodies[bodies_[k].number], w.next)) {
      report.step.status = StepStatus::not_finite;
      report.step.body = bodies_[k].number;
      return false;
    }
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
  return true;
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

// S0: the bodies go once more from where they were, pushed by what the hands felt in the end.
void GlcLowStep::finish_last_step(ConstVecRef f, State& state) {
  GlcLowReport ignored;
  const auto exchange = [&] {
    for (const GlcBody& b : bodies_) std::swap(state.bodies[b.number], before_[b.number]);
  };
  exchange();
  if (!move_bodies(f, state, ignored)) exchange();
}

GlcLowReport GlcLowStep::advance(std::span<const ProxyState> proxies, std::span<const DevicePose> poses,
                                 ConstVecRef ticks_f, long sequence, State& state, GlcSnapshot& snapshot) {
  GlcLowReport report;
  Stopwatch watch;
  if (sequence > 0 && sequence == sequence_ && ticks_f.size() == 3 * static_cast<long>(constraints_.size()) &&
      ticks_f.allFinite())
    finish_last_step(ticks_f, state);
  if (!stages::fits(ws_, report.step) || !stages::free_motion(model_, state, ws_, report.step)) return report;
  report.step.times.free_motion_us = watch.lap_us();
  stages::place_skins(model_, state, ws_);
  find_glcs(proxies, poses, snapshot, report);
  find_others(state, snapshot, report);
  report.step.contacts = snapshot.problem.size();
  report.step.times.proximity_us = watch.lap_us();

  snapshot.compliant = false;
  for (GlcBody& b : bodies_) {
    b.state = &state.bodies[b.number];
    b.ws = ws_.bodies[b.number].mechanics.get();
    snapshot.compliant = snapshot.compliant || b.body->movable();
  }
  assemble_glc_response(bodies_, snapshot.places.contact, snapshot.problem, rows_);
  // Points that no force moves are as little to be solved as two obstacles.
  const auto glcs = static_cast<long>(snapshot.problem.glc.size());
  for (long i = 0; i < snapshot.delta_other.size() / 3; ++i)
    if (snapshot.problem.W.diagonal().segment<3>(3 * (glcs + i)).isZero(0))
      snapshot.delta_other.segment<3>(3 * i).setZero();
  report.step.times.delassus_us = watch.lap_us();

  first_guess(proxies, state, snapshot);
  snapshot.motion.delta_free.resize(3L * snapshot.problem.size());
  snapshot.motion.tau_start.resize(2L * static_cast<long>(snapshot.problem.glc.size()));
  snapshot.motion.x_old.resize(hands_.size());
  snapshot.motion.x_free.resize(hands_.size());
  snapshot.sequence = ++sequence_;
  constraints_.clear();
  GlcTick& rehearsal = rehearsal_[0];
  for (size_t k = 0; k < hands_.size(); ++k) rehearsal.place(static_cast<int>(k), proxies[k]);
  if (!snapshot.problem.W.allFinite() || !rehearsal.adopt(snapshot)) {
    report.step.status = StepStatus::bad_problem;
    return report;
  }
  const GlcTickReport rehearsed = rehearsal.tick(poses, model_.gravity, settings_.tick_s, wrenches_);
  if (rehearsed.failed_hand >= 0) {
    report.step.status = StepStatus::not_finite;
    report.step.body = hands_[rehearsed.failed_hand].body;
    return report;
  }
  report.solve = rehearsed.solve;
  snapshot.f = rehearsal.f();
  report.step.sweeps = report.solve.sweeps;
  report.step.certificate = report.solve.certificate;
  report.step.converged = report.solve.converged();
  report.step.groups = 1;
  report.step.times.solve_us = watch.lap_us();
  constraints_ = snapshot.places.contact;
  before_ = state.bodies;
  if (move_bodies(snapshot.f, state, report)) {
    state.time_s += model_.h_s;
    ++state.step;
  }
  report.step.times.motion_us = watch.lap_us();
  return report;
}

}  // namespace palp
