#include "palp/sim/passage.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "palp/mechanics/pose.hpp"
#include "palp/sim/find_contacts.hpp"
#include "palp/sim/stages.hpp"

namespace palp::stages {
namespace {

constexpr int most_passes = 6;           // that add contacts; beyond, the motion is cut short
constexpr int most_cuts = 12;            // of single bodies; beyond, all that could cross stand still
constexpr int most_of_rigid_pairs = 16;  // contacts that one pass adds where neither body deforms
constexpr int most_of_soft_pairs = 400;  // where one does: each of its vertices moves by itself

/// A body that touches itself is not followed along its way.
bool touches(const Workspace& ws, const TouchRule& rule) {
  return rule.body1 != rule.body2 && ws.bodies[rule.body1].touch && ws.bodies[rule.body2].touch;
}

std::span<const Vec3> touching_part(const Model& model, int b, const std::vector<Vec3>& skin) {
  return std::span(skin).first(static_cast<size_t>(model.bodies[b].body->skin().touching_vertices()));
}

/// How far the vertices of two skins move against each other at most.
double relative_motion(const Passage::PerBody& a, const Passage::PerBody& b) {
  return (a.most - b.least).cwiseAbs().cwiseMax((a.least - b.most).cwiseAbs()).norm();
}

/// Size of the smaller body of the two. Before a sheet, whose sides are asked for anew in every step, with
/// the way of the step: what lies on it and moves fast is then taken to touch it from further away.
double size_of(const TouchRule& rule, const Workspace& ws) {
  const auto& bodies = ws.passage->bodies;
  const bool sheet = bodies[rule.body1].open || bodies[rule.body2].open;
  double size = 1e300;
  for (int b : {rule.body1, rule.body2}) {
    const double own = bodies[b].size;
    if (own > 1e-9)
      size =
          std::min(size, sheet ? std::max<double>(own, ws.bodies[b].touch->tree().bounds().extent()) : own);
  }
  return size < 1e300 ? size : rule.alarm_distance_m;  // points have none
}

// Parts of the size of the smaller body that the two move against each other in a step. Less than `at_rest`:
// they miss nothing. More than `near`: they are looked at along their way; what enters less deep is found by
// ordinary contact and goes back the way it came (kept_depth). Less than `led`: soft skins touch at their
// vertices, as in ordinary contact. More than `far`: only what touches already is an ordinary contact, the
// others' planes would be those of another place.
constexpr double at_rest = 1e-3, near = 0.01, led = 0.02, far = 0.1;
/// The same for both where only fast bodies are followed: half of its diameter for a ball. Ordinary contact
/// holds what is slower.
constexpr double passing = 1.0 / 6;

bool follows_all(const Model& model) { return model.continuous == Continuous::all; }

void measure_way(std::span<const Vec3> start, std::span<const Vec3> end, Passage::PerBody& p) {
  p.least.setConstant(1e300);
  p.most.setConstant(-1e300);
  for (size_t v = 0; v < start.size(); ++v) {
    const Vec3 way = end[v] - start[v];
    p.least = p.least.cwiseMin(way);
    p.most = p.most.cwiseMax(way);
  }
  p.way_known = true;
}

bool is_rigid(const BodyState& state) { return state.x.size() == 7; }

/// The motion that is followed: what matters is where the body ends, so a rigid one turns the shortest way
/// there, however often it spins in the step.
void find_way(const Workspace::PerBody& w, const BodyState& start, Passage::PerBody& p) {
  p.way = w.mechanics->dx_free;
  p.turn = 0;
  if (w.dx_c.size() == p.way.size()) p.way += w.dx_c;
  if (!is_rigid(start)) return;
  Quat turned = rotation_from_vector(w.mechanics->dx_free.tail<3>());
  if (w.dx_c.size() == 6) turned = rotation_from_vector(w.dx_c.tail<3>()) * turned;
  p.way.tail<3>() = vector_from_rotation(turned);
  p.turn = p.way.tail<3>().norm();
}

/// The body after a part of that motion; no velocities.
void make_part(const Model& model, const State& state, Workspace& ws, int b, double part, BodyState& out) {
  auto& w = ws.bodies[b];
  Passage::PerBody& p = ws.passage->bodies[b];
  out = state.bodies[b];
  if (is_rigid(out)) {
    advance_pose(out.x, 0, part * p.way.head<3>(), part * p.way.tail<3>());
    return;
  }
  p.dx_free = w.mechanics->dx_free;
  p.dx_c = w.dx_c;
  w.mechanics->dx_free *= part;
  w.dx_c *= part;
  model.bodies[b].body->commit(*w.mechanics, w.dx_c, out);
  w.mechanics->dx_free = p.dx_free;
  w.dx_c = p.dx_c;
}

/// Where the body is when the step ends, as far as is known now.
std::span<const Vec3> end_of_way(const Model& model, const State& state, Workspace& ws, int b) {
  const auto& w = ws.bodies[b];
  Passage::PerBody& p = ws.passage->bodies[b];
  const bool moved_on = p.part < 1 || !w.dx_c.isZero(0);
  if (!p.way_known) {
    find_way(w, state.bodies[b], p);
    if (moved_on) {
      p.end.resize(w.skin_start.size());
      model.bodies[b].body->skin_positions(w.next, VecX(), p.end);
    }
    measure_way(touching_part(model, b, w.skin_start),
                touching_part(model, b, moved_on ? p.end : w.skin_free), p);
  }
  return touching_part(model, b, moved_on ? p.end : w.skin_free);
}

void sweep(const Model& model, const State& state, Workspace& ws, int b) {
  auto& w = ws.bodies[b];
  Passage::PerBody& p = ws.passage->bodies[b];
  if (p.swept) return;
  p.swept = true;
  if (w.still && p.swept_x.size() == w.still_x.size() && p.swept_x == w.still_x) return;
  p.sweep.update(*w.touch, end_of_way(model, state, ws, b));
  if (w.still)
    p.swept_x = w.still_x;
  else
    p.swept_x.resize(0);
}

CrossingSettings settings_of(const Model& model, const State& state, Workspace& ws, const TouchRule& rule) {
  Passage& passage = *ws.passage;
  const double size = size_of(rule, ws),
               motion = relative_motion(passage.bodies[rule.body1], passage.bodies[rule.body2]);
  CrossingSettings settings;
  settings.thickness_m = thickness_of(rule, model);
  // Far below the thickness of any plate, above what a solver leaves over, and above what ordinary contacts
  // leave over because bodies turn: they are right enough where a step is short.
  settings.tolerance_m = std::min(1e-3 * rule.alarm_distance_m, 1e-5 * size);
  if (motion < far * size)
    settings.tolerance_m = std::max(settings.tolerance_m, std::min(3 * motion * motion / size, 1e-3 * size));
  settings.sunk_m = 4e-3 * size;
  const bool soft =
      model.bodies[rule.body1].body->blocks() > 2 || model.bodies[rule.body2].body->blocks() > 2;
  settings.most = soft ? most_of_soft_pairs : most_of_rigid_pairs;
  recall_sides(state.memory, rule.body1, rule.body2, passage.came_from);
  settings.came_from = passage.came_from;
  return settings;
}

/// Is the pair about a vertex of a soft skin, where there is one?
bool is_led(const Model& model, const TouchRule& rule, const ProximityPair& pair) {
  const bool soft1 = model.bodies[rule.body1].body->blocks() > 2,
             soft2 = model.bodies[rule.body2].body->blocks() > 2;
  return (!soft1 && !soft2) || (soft1 && pair.vertex(0) >= 0) || (soft2 && pair.vertex(1) >= 0);
}

/// The crossings of two bodies on their way. Straight lines tell nothing of a body that turns by radians,
/// which would shrink on them: its way is followed in pieces, up to the first that crosses.
void follow(const Model& model, const State& state, Workspace& ws, const TouchRule& rule) {
  constexpr double longest_turn = 0.25;
  Passage& passage = *ws.passage;
  const std::array<int, 2> both{rule.body1, rule.body2};
  const CrossingSettings settings = settings_of(model, state, ws, rule);
  const auto search = [&](Sweep Passage::PerBody::*moving) {
    const auto way = [&](int b) -> const Sweep& {
      return ws.bodies[b].still ? passage.bodies[b].sweep : passage.bodies[b].*moving;
    };
    find_crossings(*ws.bodies[rule.body1].touch, way(rule.body1), *ws.bodies[rule.body2].touch,
                   way(rule.body2), settings, passage.scratch, passage.crossings);
  };
  double turn = 0;
  for (int b : both) turn = std::max(turn, passage.bodies[b].turn * passage.bodies[b].part);
  const int pieces = static_cast<int>(std::ceil(turn / longest_turn));
  for (int b : both)
    if (pieces <= 1 || ws.bodies[b].still) sweep(model, state, ws, b);
  if (pieces <= 1) return search(&Passage::PerBody::sweep);
  for (int b : both) {
    const auto start = touching_part(model, b, ws.bodies[b].skin_start);
    passage.bodies[b].piece_end.assign(start.begin(), start.end());
  }
  passage.crossings.clear();
  for (int k = 0; k < pieces && passage.crossings.empty(); ++k) {
    for (int b : both) {
      if (ws.bodies[b].still) continue;
      Passage::PerBody& p = passage.bodies[b];
      std::swap(p.piece_start, p.piece_end);
      make_part(model, state, ws, b, p.part * (k + 1) / pieces, p.there);
      p.skin.resize(ws.bodies[b].skin_start.size());
      model.bodies[b].body->skin_positions(p.there, VecX(), p.skin);
      const auto end = touching_part(model, b, p.skin);
      p.piece_end.assign(end.begin(), end.end());
      ws.bodies[b].touch->update(p.piece_start, p.piece_end);
      p.piece.update(*ws.bodies[b].touch, p.piece_end);
    }
    search(&Passage::PerBody::piece);
    for (Crossing& c : passage.crossings) c.time = (k + c.time) / pieces;
  }
  for (int b : both)
    if (!ws.bodies[b].still)
      ws.bodies[b].touch->update(touching_part(model, b, ws.bodies[b].skin_start),
                                 touching_part(model, b, ws.bodies[b].skin_free));
}

/// All crossings of all fast pairs on the way to where the bodies are now to end.
void look_along_ways(const Model& model, const State& state, Workspace& ws) {
  Passage& passage = *ws.passage;
  passage.found.clear();
  passage.left.clear();
  for (Passage::PerBody& p : passage.bodies) p.way_known = p.swept = false;
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const TouchRule& rule = model.rules[r];
    if (!touches(ws, rule)) continue;
    end_of_way(model, state, ws, rule.body1);
    end_of_way(model, state, ws, rule.body2);
    const double motion = relative_motion(passage.bodies[rule.body1], passage.bodies[rule.body2]);
    const double slow = follows_all(model) ? std::min(near * size_of(rule, ws), rule.alarm_distance_m)
                                           : passing * size_of(rule, ws);
    passage.fast[r] = passage.fast[r] || motion > slow;
    if (!passage.fast[r]) continue;
    follow(model, state, ws, rule);
    // On short ways soft skins touch at their vertices, as ordinary contacts do (proximity/leading.hpp).
    if (motion < led * size_of(rule, ws))
      std::erase_if(passage.crossings, [&](const Crossing& c) { return !is_led(model, rule, c.pair); });
    for (const Crossing& c : passage.scratch.left)
      passage.left.push_back({{rule.body1, rule.body2, c.pair.key()},
                              contact_frame(c.pair.normal).row(1),
                              Vec3::Zero(),
                              c.pair.normal});
    for (const Crossing& c : passage.crossings)
      if (!beside_attachment(model, state, rule, c.pair)) passage.found.push_back({static_cast<int>(r), c});
  }
}

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
  c.delta_free[0] =
      std::max(crossing.gap + n.dot(free - crossing.time * way), n.dot(free) + std::min(c.gap_start, 0.0));
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
  Meeting m;
  return meet(moving_feature(*ws.bodies[rule.body1].touch, pair, 0),
              moving_feature(*ws.bodies[rule.body2].touch, pair, 1), thickness, 1e-6 * rule.alarm_distance_m,
              0, m);
}

}  // namespace

void leave_to_crossings(const Model& model, Workspace& ws) {
  Passage& passage = *ws.passage;
  passage.instant_count = 0;
  passage.left.clear();
  for (Passage::PerBody& p : passage.bodies) {
    p.way_known = false;
    p.part = 1;
  }
  const auto measured = [&](int b) -> const Passage::PerBody& {
    Passage::PerBody& p = passage.bodies[b];
    if (!p.way_known) measure_way(ws.bodies[b].touch->start(), ws.bodies[b].touch->free(), p);
    return p;
  };
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const TouchRule& rule = model.rules[r];
    passage.fast[r] = 0;
    if (!touches(ws, rule)) continue;
    const bool sheet = passage.bodies[rule.body1].open || passage.bodies[rule.body2].open;
    passage.fast[r] = follows_all(model) && sheet;
    const double slow = follows_all(model) ? at_rest : passing;
    const auto &w1 = ws.bodies[rule.body1], &w2 = ws.bodies[rule.body2];
    const double size = size_of(rule, ws);
    if (w1.touch->largest_motion() + w2.touch->largest_motion() <= slow * size) continue;
    const double motion = relative_motion(measured(rule.body1), measured(rule.body2));
    if (motion <= slow * size) continue;
    const double touching = 1e-3 * rule.alarm_distance_m, thickness = thickness_of(rule, model);
    const auto left = std::erase_if(ws.contacts, [&](const Contact& c) {
      if (c.bilateral || c.id.body1 != rule.body1 || c.id.body2 != rule.body2) return false;
      if (c.gap_start <= touching) return false;
      return motion > far * size || (c.delta_free[0] < 0 && !meets(c, rule, thickness, ws));
    });
    passage.fast[r] = passage.fast[r] || passage.watched[r] || motion > near * size || left > 0;
  }
}

bool add_crossings(const Model& model, const State& state, Workspace& ws, int pass, StepReport& report) {
  Passage& passage = *ws.passage;
  // Contacts make nothing fast that would not be so without them, or is not pushed by what is.
  if (!follows_all(model) && std::ranges::none_of(passage.fast, [](char fast) { return fast; })) return false;
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
