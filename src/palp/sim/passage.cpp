#include "palp/sim/passage.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "palp/proximity/overlap.hpp"
#include "palp/sim/find_contacts.hpp"
#include "palp/sim/ways.hpp"

namespace palp::stages {
namespace {

constexpr int most_passes = 6;  // that add contacts; beyond, the motion is cut short
constexpr int most_cuts = 12;   // of single bodies; beyond, all that could cross stand still

/// What a body would meet after something else is not certain: it waits for the next pass.
void leave_later_ones(const Model& model, Passage& passage) {
  for (Passage::PerBody& p : passage.bodies) p.first_rule = -1;
  for (const Passage::Found& f : passage.found)
    for (int b : {model.rules[f.rule].body1, model.rules[f.rule].body2}) {
      Passage::PerBody& p = passage.bodies[b];
      if (p.first_rule >= 0 && p.first_time <= f.crossing.time) continue;
      p.first_time = f.crossing.time;
      p.first_rule = f.rule;
    }
  std::erase_if(passage.found, [&](const Passage::Found& f) {
    for (int b : {model.rules[f.rule].body1, model.rules[f.rule].body2}) {
      const Passage::PerBody& p = passage.bodies[b];
      if (model.bodies[b].body->movable() && p.first_rule != f.rule && f.crossing.time > p.first_time)
        return true;
    }
    return false;
  });
}

/// Displacement of a point for a motion of its body, linear, from the body at `state`.
Vec3 displacement(const Body& body, const BodyState& state, const SkinPoint& point, const VecX& dx,
                  PointJacobian& rows) {
  rows.clear();
  append_point(body, state, point, 1, rows);
  Vec3 sum = Vec3::Zero();
  for (size_t k = 0; k < rows.column.size(); ++k) sum += rows.block[k] * dx.segment<3>(3 * rows.column[k]);
  return sum;
}

/// A crossing as a contact, linear about the instant of the crossing: with the motion Δx of both bodies,
///     δ = gap + N H (Δx − time · Δx of this pass).
/// `number`: of the contact's instant in an earlier pass, −1 = none.
Contact contact_from_crossing(const Crossing& crossing, const TouchRule& rule, int number, const Model& model,
                              const State& state, Workspace& ws) {
  Passage& passage = *ws.passage;
  Contact c;
  c.id = {rule.body1, rule.body2, crossing.pair.key()};
  c.instant = number >= 0 ? number : passage.instant_count++;
  if (static_cast<int>(passage.instants.size()) < passage.instant_count) passage.instants.emplace_back();
  Passage::Instant* instant = &passage.instants[c.instant];
  const auto place = [&](int b, BodyState& then, const SkinPoint& on_core, const Vec3& outward) {
    const Body& body = *model.bodies[b].body;
    make_part(model, state, ws, b, crossing.time, then);
    if (!body.skin().rounded()) return on_core;
    std::vector<Vec3>& skin = passage.bodies[b].skin;
    skin.resize(static_cast<size_t>(body.skin().vertices));
    body.skin_positions(then, VecX(), skin);
    return on_rounded_surface(body.skin(), skin, on_core, body.skin().radius * outward);
  };
  const Vec3& n = crossing.pair.normal;
  c.P = place(rule.body1, instant->body1, crossing.pair.P, -n);
  c.Q = place(rule.body2, instant->body2, crossing.pair.Q, n);
  const ContactMemory* before = find(state.memory, c.id);
  c.known = before != nullptr;
  c.frame = contact_frame(n, before ? &before->t1 : nullptr);
  c.mu = friction(c, rule, model, state, ws.slip_rows);
  const auto apart = [&](auto&& dx_of) {
    return Vec3(
        displacement(*model.bodies[rule.body1].body, instant->body1, c.P, dx_of(rule.body1), ws.slip_rows) -
        displacement(*model.bodies[rule.body2].body, instant->body2, c.Q, dx_of(rule.body2), ws.slip_rows));
  };
  const Vec3 free = apart([&](int b) -> const VecX& { return ws.bodies[b].mechanics->dx_free; });
  const Vec3 way = apart([&](int b) -> const VecX& { return passage.bodies[b].way; });
  c.gap_start = crossing.pair.gap - thickness_of(rule, model);
  c.delta_free = c.frame * free;
  // Standing still must stay possible, or the contact would push where nothing has moved.
  c.delta_free[0] = std::max(crossing.gap + n.dot(free - crossing.time * way), n.dot(free));
  return c;
}

/// Where it is cut short, a body is not turned as it would be in the end: the same spin must not be more
/// energy.
void limit_spin(const Body& body, const BodyState& end, BodyState& now) {
  const double may = body.kinetic_energy(end), has = body.kinetic_energy(now);
  if (has <= may) return;
  const Vec3 spin = now.v.tail<3>();
  now.v.tail<3>().setZero();
  const double straight = body.kinetic_energy(now);
  now.v.tail<3>() = spin * std::sqrt(std::max(0.0, may - straight) / (has - straight));
}

/// The last resort: the bodies that would still cross go only a part of their way. Their velocities stay
/// those that the contacts have left them, so that momentum and energy do.
void cut_short(const Model& model, const State& state, Workspace& ws, StepReport& report) {
  Passage& passage = *ws.passage;
  for (int cut = 0; !passage.found.empty(); ++cut) {
    const bool all = cut >= most_cuts;
    for (Passage::PerBody& p : passage.bodies) p.first_time = all ? 0 : 1;
    for (const Passage::Found& f : passage.found)
      for (int b : {model.rules[f.rule].body1, model.rules[f.rule].body2}) {
        double& time = passage.bodies[b].first_time;
        time = std::min(time, cut < most_cuts / 2 ? 0.9 * f.crossing.time : 0.0);
      }
    for (size_t b = 0; b < ws.bodies.size(); ++b) {
      Passage::PerBody& p = passage.bodies[b];
      if (p.first_time >= 1) continue;
      if (p.part == 1) ++report.shortened;
      p.part *= p.first_time;
      auto& w = ws.bodies[b];
      make_part(model, state, ws, static_cast<int>(b), p.part, w.free);
      w.free.v = w.next.v;
      if (is_rigid(w.next)) limit_spin(*model.bodies[b].body, w.next, w.free);
      w.next = w.free;
    }
    if (all) return;
    look_along_ways(model, state, ws);
  }
}

/// A feature of a skin on its free motion: `side` 0 is the first of the pair.
MovingFeature moving_feature(const TouchSurface& s, const ProximityPair& pair, int side) {
  const int number = side == 0 ? pair.feature1 : pair.feature2;
  MovingFeature f;
  const auto take = [&](auto&& vertices) {
    f.corners = 0;
    for (int v : vertices) {
      f.start[f.corners] = s.start()[v];
      f.way[f.corners++] = s.free()[v] - s.start()[v];
    }
  };
  if (pair.vertex(side) >= 0)
    take(std::array<int, 1>{number});
  else if (pair.kind == PairKind::vertex_face || pair.kind == PairKind::face_vertex)
    take(s.topology().triangles[number]);
  else
    take(s.topology().edges[number]);
  return f;
}

/// A contact that is not touched yet stands for a plane without end. Do its features meet at all?
bool meets(const Contact& c, const TouchRule& rule, double thickness, const Workspace& ws) {
  if (ws.bodies[rule.body1].touch->turned || ws.bodies[rule.body2].touch->turned)
    return true;  // none to follow
  const ProximityPair pair = ProximityPair::from_key(c.id.features);
  if (pair.kind == PairKind::area || pair.feature1 == ProximityPair::patches ||
      pair.feature2 == ProximityPair::patches)
    return true;
  Meeting m;
  return meet(moving_feature(*ws.bodies[rule.body1].touch, pair, 0),
              moving_feature(*ws.bodies[rule.body2].touch, pair, 1), thickness, 1e-6 * rule.alarm_distance_m,
              0, m);
}

}  // namespace

std::shared_ptr<Passage> make_passage(const Model& model) {
  auto passage = std::make_shared<Passage>();
  passage->bodies.resize(model.bodies.size());
  std::vector<Vec3> rest;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    if (!model.bodies[b].body) continue;
    const Body& body = *model.bodies[b].body;
    const Skin& skin = body.skin();
    rest.resize(static_cast<size_t>(skin.vertices));
    body.skin_positions(body.rest_state(), VecX(), rest);
    Box box = Box::empty();
    for (int v = 0; v < skin.touching_vertices(); ++v) box.grow(rest[v]);
    Passage::PerBody& p = passage->bodies[b];
    p.size = std::max(0.0, static_cast<double>(box.extent())) + 6 * skin.radius;
    const TouchTopology t =
        TouchTopology::make(skin.touching_vertices(), skin.touching_triangles(), skin.touching_segments());
    p.open = !t.triangles.empty() && !is_closed(t);
    p.loose = is_soft(body) && body.rigid_motions(body.rest_state()).cols() > 0;
  }
  passage->fast.resize(model.rules.size());
  passage->skip.resize(model.rules.size());
  passage->watched.resize(model.rules.size());
  return passage;
}

namespace {

void begin(Passage& passage) {
  passage.instant_count = 0;
  passage.left.clear();
  for (Passage::PerBody& p : passage.bodies) {
    p.way_known = false;
    p.part = 1;
  }
}

/// Leaves out contacts of rule r that do not touch yet and would bear a force though their features do not
/// meet, and all that do not touch where the bodies go further than `far_away` times their size. Do they have
/// to be looked at along their way?
bool leave_out(const Model& model, size_t r, double far_away, Workspace& ws) {
  Passage& passage = *ws.passage;
  const TouchRule& rule = model.rules[r];
  const bool all = follows_all(model);
  const bool sheet = passage.bodies[rule.body1].open || passage.bodies[rule.body2].open;
  const double size = size_of(rule, ws), slow = all ? at_rest * size : held_motion(model, rule, ws);
  if (largest_motion_of(rule, ws) <= slow) return all && sheet;
  const double motion = free_motion_of(rule, ws);
  if (motion <= slow) return all && sheet;
  const double touching = 1e-3 * rule.alarm_distance_m, thickness = thickness_of(rule, model);
  const auto left = std::erase_if(ws.contacts, [&](const Contact& c) {
    if (c.bilateral || c.id.body1 != rule.body1 || c.id.body2 != rule.body2) return false;
    if (c.gap_start <= touching) return false;
    return motion > far_away * size || (c.delta_free[0] < 0 && !meets(c, rule, thickness, ws));
  });
  // Free motion alone tells little: a soft body that is held in a dent springs back in it, and stays there.
  if (!all) return motion > passing * size || left > 0;
  return sheet || passage.watched[r] || motion > near * size || left > 0;
}

}  // namespace

void leave_to_crossings(const Model& model, Workspace& ws) {
  begin(*ws.passage);
  for (size_t r = 0; r < model.rules.size(); ++r)
    ws.passage->fast[r] =
        touches(ws, model.rules[r]) && leave_out(model, r, follows_all(model) ? far : passing, ws);
}

void leave_near_misses(const Model& model, std::span<const int> rules, Workspace& ws) {
  constexpr double never = 1e300;
  begin(*ws.passage);
  for (int r : rules) {
    const TouchRule& rule = model.rules[r];
    // Nothing is solved again here. What rests on something falls by its own size in the free motion of a
    // long step: were its other contacts left out, it would turn into what it rests on.
    const auto touching = [&](const Contact& c) {
      return c.id.body1 == rule.body1 && c.id.body2 == rule.body2 && !c.bilateral &&
             c.gap_start <= 1e-3 * rule.alarm_distance_m;
    };
    const bool held = !follows_all(model) && std::ranges::any_of(ws.contacts, touching);
    ws.passage->fast[r] = touches(ws, rule) && !held && leave_out(model, static_cast<size_t>(r), never, ws);
  }
}

void cut_crossings(const Model& model, const State& state, Workspace& ws, std::span<const int> elsewhere) {
  Passage& passage = *ws.passage;
  StepReport report;
  passage.shortened = 0;
  for (size_t r = 0; r < model.rules.size(); ++r) {
    passage.skip[r] = elsewhere[model.rules[r].body1] >= 0 || elsewhere[model.rules[r].body2] >= 0;
    passage.fast[r] = passage.fast[r] && !passage.skip[r];
  }
  if (std::ranges::all_of(passage.skip, [](char skip) { return skip; })) return;
  look_along_ways(model, state, ws);
  cut_short(model, state, ws, report);
  passage.shortened = report.shortened;
}

int shortened_ways(const Workspace& ws) { return ws.passage->shortened; }

bool add_crossings(const Model& model, const State& state, Workspace& ws, int pass, StepReport& report) {
  Passage& passage = *ws.passage;
  // Contacts make nothing fast that would not be so without them, or is not pushed by what is.
  const auto may_pass = [&](const TouchRule& rule) {
    return touches(ws, rule) && largest_motion_of(rule, ws) > sought_motion(model, rule, ws);
  };
  if (!follows_all(model) && std::ranges::none_of(passage.fast, [](char fast) { return fast; }) &&
      std::ranges::none_of(model.rules, may_pass))
    return false;
  look_along_ways(model, state, ws);
  if (passage.found.empty()) return false;
  if (pass == most_passes) {
    cut_short(model, state, ws, report);
    return false;
  }
  leave_later_ones(model, passage);
  passage.known.clear();
  for (size_t i = 0; i < ws.contacts.size(); ++i)
    passage.known.push_back({ws.contacts[i].id, static_cast<int>(i)});
  std::sort(passage.known.begin(), passage.known.end());
  for (const Passage::Found& f : passage.found) {
    const TouchRule& rule = model.rules[f.rule];
    const Passage::Known wanted{{rule.body1, rule.body2, f.crossing.pair.key()}};
    const auto known = std::lower_bound(passage.known.begin(), passage.known.end(), wanted);
    if (known == passage.known.end() || known->id != wanted.id) {
      ws.contacts.push_back(contact_from_crossing(f.crossing, rule, -1, model, state, ws));
    } else {
      Contact& contact = ws.contacts[known->contact];
      contact = contact_from_crossing(f.crossing, rule, contact.instant, model, state, ws);
    }
  }
  report.crossings += static_cast<int>(passage.found.size());
  return true;
}

}  // namespace palp::stages
