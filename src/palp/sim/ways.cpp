#include "palp/sim/ways.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "palp/mechanics/pose.hpp"
#include "palp/sim/find_contacts.hpp"
#include "palp/sim/overlap.hpp"

namespace palp::stages {
namespace {

constexpr int most_of_rigid_pairs = 16;  // contacts that one pass adds where neither body deforms
constexpr int most_of_soft_pairs = 400;  // where one does: each of its vertices moves by itself

std::span<const Vec3> touching_part(const Model& model, int b, const std::vector<Vec3>& skin) {
  return std::span(skin).first(static_cast<size_t>(model.bodies[b].body->skin().touching_vertices()));
}

/// How far the vertices of two skins move against each other at most.
double relative_motion(const Passage::PerBody& a, const Passage::PerBody& b) {
  return (a.most - b.least).cwiseAbs().cwiseMax((a.least - b.most).cwiseAbs()).norm();
}

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

}  // namespace

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

double held_motion(const Model& model, const TouchRule& rule, const Workspace& ws) {
  const double looked = follows_all(model)
                            ? rule.alarm_distance_m
                            : kept_depth(rule, *ws.bodies[rule.body1].touch, *ws.bodies[rule.body2].touch);
  return std::min(near * size_of(rule, ws), looked);
}

double sought_motion(const Model& model, const TouchRule& rule, const Workspace& ws) {
  const double held = held_motion(model, rule, ws);
  const bool soft = is_soft(*model.bodies[rule.body1].body) || is_soft(*model.bodies[rule.body2].body);
  return soft ? held : std::min(held, rule.alarm_distance_m);
}

double free_motion_of(const TouchRule& rule, Workspace& ws) {
  const auto measured = [&](int b) -> const Passage::PerBody& {
    Passage::PerBody& p = ws.passage->bodies[b];
    if (!p.way_known) measure_way(ws.bodies[b].touch->start(), ws.bodies[b].touch->free(), p);
    return p;
  };
  return relative_motion(measured(rule.body1), measured(rule.body2));
}

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

namespace {

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
  const std::array<bool, 2> soft{is_soft(*model.bodies[rule.body1].body),
                                 is_soft(*model.bodies[rule.body2].body)};
  settings.most = soft[0] || soft[1] ? most_of_soft_pairs : most_of_rigid_pairs;
  // On short ways soft skins touch at their vertices, as ordinary contacts do (proximity/leading.hpp).
  if (motion < led * size) settings.led = soft;
  recall_sides(state.memory, rule.body1, rule.body2, passage.came_from);
  settings.came_from = passage.came_from;
  return settings;
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

}  // namespace

void look_along_ways(const Model& model, const State& state, Workspace& ws) {
  Passage& passage = *ws.passage;
  passage.found.clear();
  passage.left.clear();
  for (Passage::PerBody& p : passage.bodies) p.way_known = p.swept = false;
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const TouchRule& rule = model.rules[r];
    if (!touches(ws, rule) || passage.skip[r]) continue;
    end_of_way(model, state, ws, rule.body1);
    end_of_way(model, state, ws, rule.body2);
    const double motion = relative_motion(passage.bodies[rule.body1], passage.bodies[rule.body2]);
    passage.fast[r] = passage.fast[r] || motion > sought_motion(model, rule, ws);
    if (!passage.fast[r]) continue;
    follow(model, state, ws, rule);
    for (const Crossing& c : passage.scratch.left)
      passage.left.push_back({{rule.body1, rule.body2, c.pair.key()},
                              contact_frame(c.pair.normal).row(1),
                              Vec3::Zero(),
                              c.pair.normal});
    for (const Crossing& c : passage.crossings)
      if (!beside_attachment(model, state, rule, c.pair)) passage.found.push_back({static_cast<int>(r), c});
  }
}

}  // namespace palp::stages
