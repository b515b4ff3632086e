#include "palp/sim/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "palp/base/clock.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mechanics/next_state.hpp"
#include "palp/proximity/instant.hpp"
#include "palp/sim/overlap.hpp"
#include "palp/sim/stages.hpp"

namespace palp::stages {

bool fits(const Workspace& ws, StepReport& report) {
  if (!ws.fits) report.status = StepStatus::bad_model;
  return ws.fits;
}

namespace {

/// Whether a contact pushed the body in the step before: the mid-point rule is for the others.
void mark_pushed(const State& state, Workspace& ws) {
  for (auto& w : ws.bodies) w.mechanics->pushed = false;
  for (const ContactMemory& m : state.memory) {
    if (is_attachment(m.id) || m.force_world.isZero(0)) continue;
    for (int body : {m.id.body1, m.id.body2})
      if (body >= 0) ws.bodies[body].mechanics->pushed = true;
  }
}

}  // namespace

/// A Δx_free = f_ext − f_int(x) + (M/h) v for every body.
bool free_motion(const Model& model, const State& state, Workspace& ws, StepReport& report) {
  if (model.scheme != Scheme::euler) mark_pushed(state, ws);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    auto& w = ws.bodies[b];
    const Body& body = *model.bodies[b].body;
    const double h = model.h_of(b), end_s = state.time_s + h;
    w.loads.scheme = w.mechanics->pushed ? Scheme::euler : model.scheme;
    w.loads.gravity = model.gravity_at(w.loads.scheme == Scheme::midpoint ? end_s - 0.5 * h : end_s);
    const Loads& loads =
        with_actions(model.actions, static_cast<int>(b), body, state.bodies[b], w.loads, end_s, h, w.acting);
    if (!body.free_motion(state.bodies[b], loads, h, *w.mechanics)) {
      report.status = StepStatus::free_motion_failed;
      report.body = static_cast<int>(b);
      return false;
    }
  }
  return true;
}

/// Bodies after the free motion, skins at the start and after it; boxes refitted over the way between.
void place_skins(const Model& model, const State& state, Workspace& ws) {
  const VecX none;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    auto& w = ws.bodies[b];
    if (!model.bodies[b].body->movable()) {
      // An obstacle at rest stays where it is: its boxes and normals are those of the step before.
      const bool rests = w.mechanics->dx_free.isZero(0);
      const VecX& x = state.bodies[b].x;
      if (w.still && rests && w.still_x.size() == x.size() && w.still_x == x) continue;
      w.still = rests;
      w.still_x = x;
    }
    model.bodies[b].body->skin_positions(state.bodies[b], none, w.skin_start);
    model.bodies[b].body->skin_positions(state.bodies[b], w.mechanics->dx_free, w.skin_free);
    // H: after the free motion; half-way for the mid-point rule, or forces that turn with the body would damp
    // it.
    const double part = w.mechanics->scheme == Scheme::midpoint ? 0.5 : 1;
    w.free = state.bodies[b];
    w.mechanics->dx_free *= part;
    model.bodies[b].body->commit(*w.mechanics, none, w.free);
    w.mechanics->dx_free /= part;
    if (!w.touch) continue;
    const auto touching = static_cast<size_t>(model.bodies[b].body->skin().touching_vertices());
    w.touch->update(std::span(w.skin_start).first(touching), std::span(w.skin_free).first(touching));
  }
}

bool free_is_finite(const Model& model, const Workspace& ws, StepReport& report) {
  for (size_t b = 0; b < ws.bodies.size(); ++b) {
    const Body& body = *model.bodies[b].body;
    if (!body.movable() || is_finite(body, ws.bodies[b].free)) continue;
    report.status = StepStatus::not_finite;
    report.body = static_cast<int>(b);
    return false;
  }
  return true;
}

namespace {

/// The point of a rounded body's surface that is at `offset` from a point of its core after the free motion,
/// carried by the body: where it touches and turns with it.
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

/// How far the surface of a rounded body passes the place of contact during the free motion. Where it rolls,
/// the place moves along the surface: the way is the arc that the rotation vector θ gives, Δ(core) + θ ×
/// offset, and not the chord of one material point.
Vec3 passing(const Skin& skin, const Workspace::PerBody& w, const SkinPoint& on_core, const Vec3& offset) {
  const int origin = skin.core.vertices;
  Mat3 R = Mat3::Zero();
  for (int axis = 1; axis <= 3; ++axis)
    R += (w.skin_free[origin + axis] - w.skin_free[origin]) *
         (w.skin_start[origin + axis] - w.skin_start[origin]).transpose();
  const Vec3 theta = vector_from_rotation(Quat(Mat3(R / (skin.radius * skin.radius))));
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

Contact contact_from_pair(const ProximityPair& pair, const TouchRule& rule, double thickness,
                          const Model& model, const State& state, Workspace& ws) {
  const auto &w1 = ws.bodies[rule.body1], &w2 = ws.bodies[rule.body2];
  Contact c;
  c.id = {rule.body1, rule.body2, pair.key()};
  const Skin &skin1 = model.bodies[rule.body1].body->skin(), &skin2 = model.bodies[rule.body2].body->skin();
  const Vec3 offset1 = -skin1.radius * pair.normal, offset2 = skin2.radius * pair.normal;
  c.P = skin1.rounded() ? on_rounded_surface(skin1, w1.skin_free, pair.P, offset1) : pair.P;
  c.Q = skin2.rounded() ? on_rounded_surface(skin2, w2.skin_free, pair.Q, offset2) : pair.Q;
  const ContactMemory* before = find(state.memory, c.id);
  c.frame = contact_frame(pair.normal, before ? &before->t1 : nullptr);
  c.mu = rule.mu_at(state.time_s + model.h_s);
  if (rule.static_mu > c.mu && slip_speed(c, model, state, ws.slip_rows) <= rule.stick_speed_m_per_s)
    c.mu = rule.static_mu;
  const auto motion = [](const SkinPoint& p, const Workspace::PerBody& w) {
    return Vec3(p.at(w.skin_free) - p.at(w.skin_start));
  };
  const Vec3 motion1 = skin1.rounded() ? passing(skin1, w1, pair.P, offset1) : motion(c.P, w1);
  const Vec3 motion2 = skin2.rounded() ? passing(skin2, w2, pair.Q, offset2) : motion(c.Q, w2);
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

/// Two skins that are tied together cannot also keep their distance there: a pair nearer to the knot than to
/// any other vertex is left to the attachment.
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

/// 1 or 2: the soft skin of the two, where a rigid one presses it; 0 where both or neither deform.
int leading_skin(const Body& body1, const Body& body2) {
  const auto is_soft = [](const Body& b) { return b.blocks() > 2; };
  if (is_soft(body1) == is_soft(body2)) return 0;
  const int soft = is_soft(body1) ? 1 : 2;
  return (soft == 1 ? body1 : body2).skin().triangles.empty() ? 0 : soft;
}

}  // namespace

/// Pairs of every rule, and the attachments, as contacts with frames and δ_free.
void find_contacts(const Model& model, const State& state, Workspace& ws, StepReport& report) {
  ws.contacts.clear();
  for (const TouchRule& rule : model.rules) {
    auto &w1 = ws.bodies[rule.body1], &w2 = ws.bodies[rule.body2];
    if (!w1.touch || !w2.touch) continue;
    const Body &body1 = *model.bodies[rule.body1].body, &body2 = *model.bodies[rule.body2].body;
    const double thickness = rule.contact_distance_m + body1.skin().radius + body2.skin().radius;
    ProximitySettings settings;
    settings.range_m = rule.alarm_distance_m + thickness;
    settings.max_depth_m = kept_depth(rule, *w1.touch, *w2.touch);
    settings.max_pairs = rule.max_contacts;
    recall_sides(state.memory, rule.body1, rule.body2, ws.came_from);
    settings.came_from = ws.came_from;
    settings.leading = leading_skin(body1, body2);
    settings.rounded = {body1.skin().rounded(), body2.skin().rounded()};
    find_pairs(*w1.touch, *w2.touch, settings, ws.proximity, ws.pairs);
    for (ProximityPair& pair : ws.pairs) {
      move_to_free(*w1.touch, *w2.touch, pair);
      if (beside_attachment(model, state, rule, pair)) continue;
      ws.contacts.push_back(contact_from_pair(pair, rule, thickness, model, state, ws));
      report.penetration_m = std::max(report.penetration_m, -ws.contacts.back().gap_start);
    }
  }
  attach(model, state, ws);
  report.contacts = static_cast<int>(ws.contacts.size());
}

void keep_closest(int most, std::vector<Contact>& contacts, std::vector<double>& urgency, int& left_out) {
  const auto size = contacts.size();
  if (static_cast<int>(size) <= most) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto gap = [](const Contact& c) {
    if (c.bilateral) return -infinity;
    const double least = std::min(c.gap_start, c.delta_free[0]);
    return least < infinity ? least : infinity;  // what is no number cannot be sorted
  };
  urgency.clear();
  for (const Contact& c : contacts) urgency.push_back(gap(c));
  const auto last = urgency.begin() + std::max(most, 1) - 1;
  std::nth_element(urgency.begin(), last, urgency.end());
  const double limit = *last;
  long level = std::count(urgency.begin(), last + 1, limit);  // of those as close as the limit the first stay
  std::erase_if(contacts, [&](const Contact& c) {
    return !c.bilateral && (gap(c) > limit || (gap(c) == limit && --level < 0));
  });
  left_out += static_cast<int>(size - contacts.size());
}

/// Bodies that contacts connect form one group (D06 §3.4). A body that nothing can move does not pass forces
/// on.
void group_contacts(const Model& model, Workspace& ws, StepReport& report) {
  const auto movable = [&](int b) { return b >= 0 && model.bodies[b].body->movable(); };
  // Union-find over the bodies; `group` is the parent until the groups are numbered.
  for (size_t b = 0; b < ws.bodies.size(); ++b) ws.bodies[b].group = static_cast<int>(b);
  const auto root = [&](int b) {
    while (ws.bodies[b].group != b) b = ws.bodies[b].group = ws.bodies[ws.bodies[b].group].group;
    return b;
  };
  for (const Contact& c : ws.contacts)
    if (movable(c.id.body1) && movable(c.id.body2)) {
      const int r1 = root(c.id.body1), r2 = root(c.id.body2);
      ws.bodies[std::max(r1, r2)].group = std::min(r1, r2);
    }
  for (int i = 0; i < ws.group_count; ++i) {
    ws.groups[i].contacts.clear();
    ws.groups[i].bodies.clear();
  }
  ws.group_count = 0;
  std::vector<int>& number = ws.group_of_root;
  std::fill(number.begin(), number.end(), -1);
  for (const Contact& c : ws.contacts) {
    const int body = movable(c.id.body1) ? c.id.body1 : c.id.body2;
    if (!movable(body)) continue;  // two obstacles: nothing to solve
    int& group = number[root(body)];
    if (group < 0) {
      group = ws.group_count++;
      if (static_cast<int>(ws.groups.size()) < ws.group_count) ws.groups.emplace_back();
    }
    ws.groups[group].contacts.push_back(c);
  }
  for (int g = 0; g < ws.group_count; ++g)
    keep_closest(model.max_contacts, ws.groups[g].contacts, ws.urgency, report.left_out_contacts);
  for (size_t b = 0; b < ws.bodies.size(); ++b) {
    const int group = number[root(static_cast<int>(b))];
    if (group >= 0 && movable(static_cast<int>(b))) ws.groups[group].bodies.push_back(static_cast<int>(b));
  }
  report.groups = ws.group_count;
  report.contacts -= report.left_out_contacts;
}

Vec3 own_compliance(const Contact& c, const Delassus& W, int i) {
  // A free direction has no row: any compliance gives it zero force, the block's own keeps the problem even.
  const double largest = W.dense.diagonal().segment<3>(3 * i).maxCoeff();
  const double any = largest + c.compliance > 0 ? largest + c.compliance : 1;
  Vec3 out = Vec3::Constant(c.compliance);
  for (int k = 0; k < 3; ++k)
    if (c.frame.row(k).isZero(0)) out[k] = any;
  return out;
}

/// W = Σ_b N H_b A_b⁻¹ H_bᵀ Nᵀ, δ_free and μ of one group; H of the bodies after their free motion.
void assemble_delassus(const Model& model, Workspace& ws, ContactGroup& group) {
  const int m = static_cast<int>(group.contacts.size());
  Problem& p = group.problem;
  p.W.is_dense = true;
  p.W.dense.setZero(3 * m, 3 * m);
  p.delta_free.resize(3 * m);
  p.mu.resize(m);
  p.kind.resize(m);
  for (int i = 0; i < m; ++i) {
    const Contact& c = group.contacts[i];
    p.delta_free.segment<3>(3 * i) = c.delta_free;
    p.mu[i] = c.mu;
    p.kind[i] = c.bilateral ? ContactKind::bilateral : ContactKind::unilateral;
  }
  if (group.rows.size() < group.bodies.size()) group.rows.resize(group.bodies.size());
  for (size_t k = 0; k < group.bodies.size(); ++k) {
    const int b = group.bodies[k];
    BodyContacts& rows = group.rows[k];
    rows.clear();
    for (int i = 0; i < m; ++i) {
      const Contact& c = group.contacts[i];
      if (c.id.body1 == b || c.id.body2 == b)
        append_contact(*model.bodies[b].body, ws.bodies[b].free, c, i, c.id.body1 == b, c.id.body2 == b,
                       rows);
    }
    add_compliance(*model.bodies[b].body, *ws.bodies[b].mechanics, group.contacts, rows, p.W.dense,
                   ws.keep_G);
  }
  // Points that no force moves (fixed nodes on an obstacle) are as little to be solved as two obstacles.
  for (int i = 0; i < m; ++i)
    if (!gives_way(p.W, i)) p.delta_free.segment<3>(3 * i).setZero();
  for (int i = 0; i < m; ++i)
    if (group.contacts[i].bilateral)
      p.W.dense.diagonal().segment<3>(3 * i) += own_compliance(group.contacts[i], p.W, i);
}

namespace {

/// How far a solution misses the law, in metres: the deepest overlap, or the widest gap across which a force
/// acts, weighed by the force's share of the largest.
double misfit(const ContactGroup& group) {
  double overlap = 0, across = 0, largest = 0;
  for (size_t i = 0; i < group.contacts.size(); ++i) {
    if (group.contacts[i].bilateral || !gives_way(group.problem.W, static_cast<int>(i))) continue;
    const double f = group.f[3 * i], gap = group.delta[3 * i];
    overlap = std::max(overlap, -gap);
    across = std::max(across, f * gap);
    largest = std::max(largest, f);
  }
  return std::max(overlap, largest > 0 ? across / largest : 0);
}

/// Solves to the tolerance on the certificate, and further where that is not enough. The certificate weighs
/// gaps with each contact's own compliance: of a body that hardly anything holds, nearly all of it is the
/// motion as a whole, and forces that its elasticity should distribute could be anywhere.
void solve_well(const SolveOptions& options, double misfit_m, ContactGroup& group) {
  const auto update = [&] {
    group.delta = group.problem.delta_free;
    group.delta.noalias() += group.problem.W.dense * group.f;
  };
  group.report = group.solver->solve(options, group.f);
  update();
  constexpr double strictest = 1e-13;
  SolveOptions further = options;
  further.warm_start = true;
  while (group.report.converged() && !options.has_budget() && further.tolerance > strictest &&
         misfit(group) > misfit_m) {
    further.tolerance = std::max(strictest, 0.01 * further.tolerance);
    const SolveReport more = group.solver->solve(further, group.f);
    update();
    group.report.certificate = more.certificate;
    group.report.sweeps += more.sweeps;
    group.report.time_us += more.time_us;
    if (!more.converged()) break;
  }
}

}  // namespace

bool solve(const Model& model, const State& state, ContactGroup& group, StepReport& report) {
  const int m = static_cast<int>(group.contacts.size());
  report.body = group.bodies.front();  // named when it fails
  if (!group.problem.W.dense.allFinite() || !group.problem.delta_free.allFinite()) {
    report.status = StepStatus::bad_problem;
    return false;
  }
  group.f.resize(3 * m);
  for (int i = 0; i < m; ++i) {
    const ContactMemory* before = find(state.memory, group.contacts[i].id);
    group.f.segment<3>(3 * i) =
        before ? Vec3(group.contacts[i].frame * before->force_world) : Vec3(Vec3::Zero());
  }
  if (!group.solver) {
    auto made = make_solver(model.solver.name);
    if (!made) {
      report.status = StepStatus::bad_model;
      return false;
    }
    group.solver = std::move(*made);
  }
  if (!group.solver->set_problem(group.problem)) {
    report.status = StepStatus::bad_problem;
    return false;
  }
  solve_well(model.solver.options, model.misfit_m(), group);
  report.misfit_m = std::max(report.misfit_m, misfit(group));
  for (int i = 0; i < m; ++i) {
    if (group.f.segment<3>(3 * i).squaredNorm() > 0) ++report.active_contacts;
    if (group.contacts[i].bilateral) continue;
    const double gap = gives_way(group.problem.W, i) ? group.delta[3 * i] : group.contacts[i].delta_free[0];
    report.violation_m = std::max(report.violation_m, -gap);
  }
  report.sweeps += group.report.sweeps;
  report.certificate = std::max(report.certificate, group.report.certificate);
  report.converged = report.converged && group.report.converged();
  report.body = -1;
  return true;
}

namespace {

/// Attachments that carried more than they can bear are gone, and with them the others of the same joint.
void break_attachments(const Model& model, Workspace& ws) {
  for (size_t i = 0; i < model.attachments.size(); ++i) {
    const Attachment& a = model.attachments[i];
    if (std::isinf(a.when.break_N) || (a.joint >= 0 && a.joint != static_cast<int>(i))) continue;
    const auto belongs = [&](size_t k) {
      return k == i || model.attachments[k].joint == static_cast<int>(i);
    };
    Vec3 force = Vec3::Zero();
    for (const ContactMemory& m : ws.memory)
      if (is_attachment(m.id) && belongs(attachment_index(m.id))) force += m.force_world;
    if (!(force.norm() > a.when.break_N)) continue;
    for (size_t k = 0; k < model.attachments.size(); ++k)
      if (belongs(k)) ws.attachments[k].broken = true;
  }
}

}  // namespace

/// x = x_free + A⁻¹ Hᵀ f; the only stage that writes the state, after everything was found finite.
bool constrained_motion(const Model& model, State& state, Workspace& ws, StepReport& report) {
  for (auto& w : ws.bodies) {
    w.dx_c.setZero();
    w.mechanics->pushed = false;
  }
  ws.memory.clear();
  for (int g = 0; g < ws.group_count; ++g) {
    ContactGroup& group = ws.groups[g];
    for (size_t k = 0; k < group.bodies.size(); ++k) {
      const int b = group.bodies[k];
      add_response(*model.bodies[b].body, *ws.bodies[b].mechanics, group.contacts, group.f, group.rows[k],
                   ws.bodies[b].dx_c);
    }
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      ws.memory.push_back(
          {c.id, c.frame.row(1), c.frame.transpose() * group.f.segment<3>(3 * i), c.frame.row(0)});
      if (c.bilateral || group.f.segment<3>(3 * i).isZero(0)) continue;
      for (int b : {c.id.body1, c.id.body2}) ws.bodies[b].mechanics->pushed = true;
    }
  }
  break_attachments(model, ws);
  for (size_t b = 0; b < ws.bodies.size(); ++b) {
    auto& w = ws.bodies[b];
    if (next_state(*model.bodies[b].body, *w.mechanics, w.dx_c, state.bodies[b], w.next)) continue;
    report.status = StepStatus::not_finite;
    report.body = static_cast<int>(b);
    return false;
  }
  // Copied, not swapped: the state stays where it is in memory, for whoever looks at it between steps.
  for (size_t b = 0; b < ws.bodies.size(); ++b) state.bodies[b] = ws.bodies[b].next;
  std::sort(ws.memory.begin(), ws.memory.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::swap(state.memory, ws.memory);
  state.attachments = ws.attachments;
  state.time_s += model.h_s;
  ++state.step;
  return true;
}

}  // namespace palp::stages

namespace palp {

StepReport step(const Model& model, State& state, Workspace& ws) {
  using namespace stages;
  StepReport report;
  Stopwatch watch;
  if (!fits(ws, report)) return report;
  if (!free_motion(model, state, ws, report)) return report;
  report.times.free_motion_us = watch.lap_us();
  place_skins(model, state, ws);
  find_contacts(model, state, ws, report);
  report.times.proximity_us = watch.lap_us();
  group_contacts(model, ws, report);
  report.times.contacts_us = watch.lap_us();
  for (int g = 0; g < ws.group_count; ++g) assemble_delassus(model, ws, ws.groups[g]);
  report.times.delassus_us = watch.lap_us();
  for (int g = 0; g < ws.group_count; ++g)
    if (!solve(model, state, ws.groups[g], report)) return report;
  report.times.solve_us = watch.lap_us();
  constrained_motion(model, state, ws, report);
  report.times.motion_us = watch.lap_us();
  return report;
}

}  // namespace palp
