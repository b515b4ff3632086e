#include "palp/sim/overlap.hpp"

#include <algorithm>

#include "palp/proximity/overlap.hpp"

namespace palp {
namespace {

double smaller_extent(const TouchSurface& a, const TouchSurface& b) {
  if (a.tree().empty() || b.tree().empty()) return 0;
  return std::min(a.tree().bounds().extent(), b.tree().bounds().extent());
}

}  // namespace

double kept_depth(const TouchRule& rule, const TouchSurface& a, const TouchSurface& b) {
  return std::max(rule.alarm_distance_m, 0.01 * smaller_extent(a, b));
}

std::vector<StartOverlap> overlaps_at_start(const Model& model) {
  std::vector<StartOverlap> out;
  Workspace ws = make_workspace(model);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = *model.bodies[b].body;
    auto& w = ws.bodies[b];
    body.skin_positions(body.rest_state(), VecX(), w.skin_start);
    const auto touching = std::span(w.skin_start).first(static_cast<size_t>(body.skin().touching_vertices()));
    w.touch->update(touching, touching);
  }
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const TouchRule& rule = model.rules[r];
    if (rule.body1 == rule.body2) continue;
    const TouchSurface &s1 = *ws.bodies[rule.body1].touch, &s2 = *ws.bodies[rule.body2].touch;
    const double radii =
        model.bodies[rule.body1].body->skin().radius + model.bodies[rule.body2].body->skin().radius;
    const double depth = deepest_overlap(s1, s2, radii);
    if (depth <= 1e-3 * (smaller_extent(s1, s2) + radii)) continue;
    // Round shapes are found by their cores: up to their radii deeper than others.
    StartOverlap found{static_cast<int>(r), depth, kept_depth(rule, s1, s2) + radii};
    for (const Attachment& a : model.attachments)
      found.attached |= std::minmax(a.body1, a.body2) == std::minmax(rule.body1, rule.body2);
    out.push_back(found);
  }
  return out;
}

}  // namespace palp
