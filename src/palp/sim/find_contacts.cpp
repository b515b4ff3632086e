#include "palp/sim/find_contacts.hpp"

#include <algorithm>
#include <utility>

#include "palp/proximity/instant.hpp"
#include "palp/proximity/smooth_faces.hpp"
#include "palp/sim/overlap.hpp"
#include "palp/sim/passage.hpp"
#include "palp/sim/stages.hpp"

namespace palp::stages {

SkinPoint on_rounded_surface(const Skin& skin, std::span<const Vec3> free, const SkinPoint& on_core,
                             const Vec3& offset) {
  const int origin = skin.core.vertices;
  const Vec3 p = on_core.at(free) + offset - free[origin];
  SkinPoint out{{origin + 1, origin + 2, origin + 3}, Vec3::Zero(), origin, 1};
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 u = free[origin + 1 + axis] - free[origin];
    out.weight[axis] = u.dot(p) / u.squaredNorm();
  }
  out.apex_weight -= out.weight.sum();
  return out;
}

namespace {

/// How far the surface of a rounded body passes the place of contact during the free motion. Where it rolls,
/// the place moves along the surface: the way is the arc that the rotation vector θ gives, Δ(core) + θ ×
/// offset, and not the chord of one material point.
Vec3 passing(const Workspace::PerBody& w, const SkinPoint& on_core, const Vec3& offset) {
  const Vec3 theta = w.mechanics->dx_free.tail<3>();  // rounded bodies are rigid
  return on_core.at(w.skin_free) - on_core.at(w.skin_start) + theta.cross(offset);
}

/// How fast the points of a contact passed each other in the step before.
double slip_speed(const Contact& c, const Model& model, const State& state, PointJacobian& rows) {
  Vec3 velocity = Vec3::Zero();
  const auto add = [&](int b, const SkinPoint& point, double sign) {
    rows.clear();
    append_point(*model.bodies[b].body, state.bodies[b], point, sign, rows);
    for (size_t k = 0; k < rows.column.size(); ++k)
      velocity += rows.block[k] * state.bodies[b].v.segment<3>(3 * rows.column[k]);
  };
  add(c.id.body1, c.P, 1);
  add(c.id.body2, c.Q, -1);
  return (c.frame.bottomRows<2>() * velocity).norm();
}

}  // namespace

double friction(const Contact& c, const TouchRule& rule, const Model& model, const State& state,
                PointJacobian& rows) {
  const double mu = rule.mu_at(state.time_s + model.h_s);
  const bool sticks = rule.static_mu > mu && slip_speed(c, model, state, rows) <= rule.stick_speed_m_per_s;
  return sticks ? rule.static_mu : mu;
}

double thickness_of(const TouchRule& rule, const Model& model) {
  return rule.contact_distance_m + model.bodies[rule.body1].body->skin().radius +
         model.bodies[rule.body2].body->skin().radius;
}

namespace {

Contact contact_from_pair(const ProximityPair& pair, const TouchRule& rule, double thickness,
                          const Model& model, const State& state, Workspace& ws) {
  const auto &w1 = ws.bodies[rule.body1], &w2 = ws.bodies[rule.body2];
  Contact c;
  c.id = {rule.body1, rule.body2, pair.key()};
  const Skin &skin1 = model.bodies[rule.body1].body->skin(), &skin2 = model.bodies[rule.body2].body->skin();
  const Vec3 offset1 = pair.arm[0] - skin1.radius * pair.normal,
             offset2 = pair.arm[1] + skin2.radius * pair.normal;
  c.P = skin1.rounded() ? on_rounded_surface(skin1, w1.skin_free, pair.P, offset1) : pair.P;
  c.Q = skin2.rounded() ? on_rounded_surface(skin2, w2.skin_free, pair.Q, offset2) : pair.Q;
  const ContactMemory* before = find(state.memory, c.id);
  c.known = before != nullptr;
  c.frame = contact_frame(pair.normal, before ? &before->t1 : nullptr);
  c.mu = friction(c, rule, model, state, ws.slip_rows);
  const auto motion = [](const SkinPoint& p, const Workspace::PerBody& w) {
    return Vec3(p.at(w.skin_free) - p.at(w.skin_start));
  };
  const Vec3 motion1 = skin1.rounded() ? passing(w1, pair.P, offset1) : motion(c.P, w1);
  const Vec3 motion2 = skin2.rounded() ? passing(w2, pair.Q, offset2) : motion(c.Q, w2);
  c.gap_start = pair.gap - thickness;
  c.delta_free = c.frame * (motion1 - motion2);  // slip
  c.delta_free[0] = pair.gap_free - thickness;
  return c;
}

/// The rows of those attachments that are there in this step.
void attach(const Model& model, const State& state, Workspace& ws) {
  static const std::vector<Vec3> world;
  ws.attachments.resize(model.attachments.size());
  for (size_t i = 0; i < model.attachments.size(); ++i) {
    const Attachment& a = model.attachments[i];
    AttachmentState& now = ws.attachments[i];
    now = i < state.attachments.size() ? state.attachments[i] : AttachmentState{};
    const auto& w1 = ws.bodies[a.body1];
    const std::vector<Vec3>& start2 = a.body2 < 0 ? world : ws.bodies[a.body2].skin_start;
    const std::vector<Vec3>& free2 = a.body2 < 0 ? world : ws.bodies[a.body2].skin_free;
    const double h = std::min(model.h_of(a.body1), a.body2 < 0 ? model.h_s : model.h_of(a.body2));
    const bool was_on = std::exchange(now.on, !now.broken && a.when.on(state.time_s + model.h_s, ws.buttons));
    if (!now.on) continue;
    if (!was_on && !a.when.always() && state.step > 0)  // taken: the points stay as far apart as they are
      now.apart = a.P.at(w1.skin_start) - (a.body2 < 0 ? a.anchor : a.Q.at(start2));
    const bool midpoint = w1.mechanics->scheme == Scheme::midpoint ||
                          (a.body2 >= 0 && ws.bodies[a.body2].mechanics->scheme == Scheme::midpoint);
    ws.contacts.push_back(contact_from_attachment(a, static_cast<int>(i), now.apart, w1.skin_start, start2,
                                                  w1.skin_free, free2, h, midpoint ? 0.5 : 1));
  }
}

/// Share of the attached point in a point of the same skin.
double shared_weight(const SkinPoint& a, const SkinPoint& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
      if (a.vertex[k] == b.vertex[l]) sum += a.weight[k] * b.weight[l];
  return sum;
}

}  // namespace

bool beside_attachment(const Model& model, const State& state, const TouchRule& rule,
                       const ProximityPair& pair) {
  for (size_t i = 0; i < model.attachments.size(); ++i) {
    const Attachment& a = model.attachments[i];
    if (a.keeps != Attachment::Keeps::point || a.spring()) continue;
    if (!a.when.always() && !(i < state.attachments.size() && state.attachments[i].on)) continue;
    if (a.body1 == rule.body1 && a.body2 == rule.body2 &&
        (shared_weight(pair.P, a.P) > 0.5 || shared_weight(pair.Q, a.Q) > 0.5))
      return true;
    if (a.body1 == rule.body2 && a.body2 == rule.body1 &&
        (shared_weight(pair.Q, a.P) > 0.5 || shared_weight(pair.P, a.Q) > 0.5))
      return true;
  }
  return false;
}

namespace {

/// 1 or 2: the soft skin of the two, where a rigid one presses it; 0 where both or neither deform.
int leading_skin(const Body& body1, const Body& body2) {
  if (is_soft(body1) == is_soft(body2)) return 0;
  const int soft = is_soft(body1) ? 1 : 2;
  return (soft == 1 ? body1 : body2).skin().triangles.empty() ? 0 : soft;
}

/// Does a vertex that seems to look away from a face cross it in this step? A body that was hit so hard that
/// it is inside out tells by its normals neither what looks where nor what is inside.
bool may_be_inside_out(const ProximityScratch& search, double more_than) {
  return std::any_of(search.candidates.begin(), search.candidates.end(), [&](const PairCandidate& c) {
    return !c.faces && (c.pair.kind == PairKind::vertex_face || c.pair.kind == PairKind::face_vertex) &&
           c.pair.gap > -more_than && c.pair.gap_free < -more_than;
  });
}

/// The closest `most` pairs stay, which come first. Returns how many went that would overlap.
int keep_first(int most, double thickness, std::vector<ProximityPair>& pairs) {
  if (static_cast<int>(pairs.size()) <= most) return 0;
  const auto left_out = std::count_if(pairs.begin() + most, pairs.end(), [&](const ProximityPair& p) {
    return std::min(p.gap, p.gap_free) < thickness;
  });
  pairs.resize(static_cast<size_t>(most));
  return static_cast<int>(left_out);
}

/// Is a soft skin pressed by an exact shape, or by a mesh that stands for one? Without its contact forces it
/// springs back far in a step: where the shape is nearest to it then says nothing of where it will touch, and
/// the direction of the start is the better one.
bool touches_round_shape(const ProximitySettings& settings, const TouchSurface& s1, const TouchSurface& s2) {
  if (settings.leading == 0) return false;
  return settings.rounded[settings.leading == 1 ? 1 : 0] || is_smooth_mesh(settings.leading == 1 ? s2 : s1);
}

/// A skin that touches itself has no first and second: all that its vertices met, as seen by them.
void sides_of_one_skin(std::vector<CameFrom>& sides) {
  for (CameFrom& s : sides)
    if (s.skin == 1) s.skin = 0, s.normal = -s.normal;
  std::sort(sides.begin(), sides.end(), [](const CameFrom& a, const CameFrom& b) { return a.before(b); });
}

}  // namespace

void find_pairs_of(const Model& model, size_t r, const SearchBounds& bounds, const State& state,
                   Workspace& ws, StepReport& report) {
  const TouchRule& rule = model.rules[r];
  auto &w1 = ws.bodies[rule.body1], &w2 = ws.bodies[rule.body2];
  const Body &body1 = *model.bodies[rule.body1].body, &body2 = *model.bodies[rule.body2].body;
  const double thickness = thickness_of(rule, model);
  ProximitySettings settings;
  settings.range_m = bounds.alarm_m + thickness;
  settings.max_depth_m = bounds.depth_m;
  settings.thickness_m = thickness;
  settings.max_candidates = bounds.candidates;
  // A soft skin bulges between contacts that stand far apart: there the closest stay, which bear the most.
  const bool soft = is_soft(body1) || is_soft(body2);
  if (!soft) settings.max_pairs = rule.max_contacts;
  recall_sides(state.memory, rule.body1, rule.body2, ws.came_from);
  if (rule.body1 == rule.body2) {
    settings.self = w1.self.get();
    sides_of_one_skin(ws.came_from);
  } else {
    settings.leading = leading_skin(body1, body2);
    settings.rounded = {body1.skin().rounded(), body2.skin().rounded()};
  }
  settings.came_from = ws.came_from;
  const bool springs_back = touches_round_shape(settings, *w1.touch, *w2.touch);
  if (springs_back && r < ws.areas.size() && (settings.leading == 1 ? body1 : body2).skin().smooth)
    settings.areas = &ws.areas[r], settings.max_areas = rule.max_contacts;
  ws.left_out_pairs += find_pairs(*w1.touch, *w2.touch, settings, ws.proximity, ws.pairs);
  if (soft) ws.left_out_pairs += keep_first(rule.max_contacts, thickness, ws.pairs);
  ws.passage->watched[r] =
      settings.leading != 0 && may_be_inside_out(ws.proximity, 1e-3 * rule.alarm_distance_m);
  const bool moved = w1.touch->turned || w2.touch->turned;  // by the search itself
  for (ProximityPair& pair : ws.pairs) {
    if (!springs_back && !moved) move_to_free(*w1.touch, *w2.touch, pair);
    if (beside_attachment(model, state, rule, pair)) continue;
    ws.contacts.push_back(contact_from_pair(pair, rule, thickness, model, state, ws));
    report.penetration_m = std::max(report.penetration_m, -ws.contacts.back().gap_start);
  }
}

void find_contacts(const Model& model, const State& state, Workspace& ws, StepReport& report,
                   std::span<const char> elsewhere) {
  ws.contacts.clear();
  ws.left_out_pairs = 0;
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const TouchRule& rule = model.rules[r];
    const auto &touch1 = ws.bodies[rule.body1].touch, &touch2 = ws.bodies[rule.body2].touch;
    if (!touch1 || !touch2 || (!elsewhere.empty() && elsewhere[r])) continue;
    const double alarm = rule.alarm_distance_m,
                 depth = rule.body1 == rule.body2 ? alarm : kept_depth(rule, *touch1, *touch2);
    find_pairs_of(model, r, {alarm, depth}, state, ws, report);
  }
  attach(model, state, ws);
  report.contacts = static_cast<int>(ws.contacts.size());
}

}  // namespace palp::stages
