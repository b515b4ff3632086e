#include "palp/sim/model.hpp"

#include <cmath>
#include <numbers>

#include "palp/proximity/curved_edges.hpp"
#include "palp/proximity/overlap.hpp"
#include "palp/proximity/self_touch.hpp"
#include "palp/sim/find_contacts.hpp"
#include "palp/sim/stages.hpp"

namespace palp {
namespace {

/// A skin that bends back on itself within half a circle is nearer to itself than the circle's diameter.
constexpr double half_turn = std::numbers::pi / 2;

Error in_model(const std::string& message, const std::string& remedy) {
  return {.message = message, .remedy = remedy};
}

Result<void> check_point(const Model& model, int body, const SkinPoint& point, const std::string& what) {
  const int vertices = model.bodies[body].body->skin().vertices;
  for (int k = 0; k < 3; ++k)
    if (point.vertex[k] < 0 || point.vertex[k] >= vertices)
      return in_model(what + ": vertex " + std::to_string(point.vertex[k]) + " is not on the skin of '" +
                          model.bodies[body].name + "'",
                      "it has vertices 0 to " + std::to_string(vertices - 1));
  if (!point.weight.allFinite()) return in_model(what + ": weights are not finite", "give numbers");
  return {};
}

/// Bodies that exist, triangles of their skins, blocks and frames that they have.
Result<void> check_actions(const Model& model) {
  const Actions& actions = model.actions;
  const int n = static_cast<int>(model.bodies.size());
  const auto bad = [&](int body) { return body < 0 || body >= n || !model.bodies[body].body; };
  const Error error = in_model("a load or a motion names a body, a vertex or a node that does not exist",
                               "check the actions of the model");
  for (const SurfaceLoad& a : actions.surfaces) {
    if (bad(a.body) || static_cast<int>(a.rest.size()) != model.bodies[a.body].body->skin().vertices)
      return error;
    for (const Triangle& t : a.triangles)
      for (int v : t)
        if (v < 0 || v >= model.bodies[a.body].body->skin().vertices) return error;
  }
  for (const NodeLoad& a : actions.nodes) {
    if (bad(a.body) || a.force_N.empty() || a.shares.size() != a.blocks.size()) return error;
    for (int block : a.blocks)
      if (block < 0 || block >= model.bodies[a.body].body->blocks()) return error;
  }
  for (const FrameLoad& a : actions.frames) {
    BodyFrame frame;
    if (bad(a.body)) return error;
    const Body& body = *model.bodies[a.body].body;
    if (!body.frame(body.rest_state(), a.frame, frame) || a.vertex >= body.skin().vertices) return error;
  }
  for (const NodeMove& a : actions.moves) {
    if (bad(a.body) || a.displacement_m.empty() || a.rest.size() != a.frames.size()) return error;
    for (int k : a.frames)
      if (k < 0 || k >= model.bodies[a.body].body->driven_frames()) return error;
  }
  return {};
}

}  // namespace

Result<void> check(const Model& model) {
  const int n = static_cast<int>(model.bodies.size());
  if (!(model.h_s > 0) || !std::isfinite(model.h_s))
    return in_model("the step h is not a positive number", "set dt, e.g. 0.001");
  if (model.max_contacts < 1 || model.max_contacts > Model::most_contacts)
    return in_model("the bound on the contacts of one problem is out of range",
                    "1 to " + std::to_string(Model::most_contacts));
  if (static_cast<int>(model.attachments.size()) > model.max_contacts)
    return in_model(std::to_string(model.attachments.size()) + " attachments are more than the " +
                        std::to_string(model.max_contacts) + " that one problem may have",
                    "raise the bound on the contacts (solver: {maxContacts: N}) or attach at fewer points");
  if (!model.gravity.allFinite()) return in_model("gravity is not finite", "give three numbers");
  if (auto r = check_actions(model); !r) return r;
  for (const auto& entry : model.bodies)
    if (!entry.body)
      return in_model("body '" + entry.name + "' has no model", "build it before the simulation");
  for (const TouchRule& rule : model.rules) {
    if (rule.body1 < 0 || rule.body1 >= n || rule.body2 < 0 || rule.body2 >= n)
      return in_model("a contact rule names a body that does not exist",
                      "bodies are 0 to " + std::to_string(n - 1));
    if (rule.body1 == rule.body2 && !is_soft(*model.bodies[rule.body1].body))
      return in_model("body '" + model.bodies[rule.body1].name + "' cannot touch itself: it does not deform",
                      "self-contact is for deformable bodies");
    if (!(rule.mu >= 0) || !std::isfinite(rule.mu))
      return in_model("mu is negative or not finite", "mu is 0 or more");
    if (!(rule.alarm_distance_m > 0) || !std::isfinite(rule.alarm_distance_m))
      return in_model("alarmDistance is not a positive number",
                      "a few per cent of the bodies' size is usual");
    if (!(rule.contact_distance_m >= 0) || !(rule.contact_distance_m < rule.alarm_distance_m + 1e300))
      return in_model("contactDistance is negative or not finite", "0 or a thickness in metres");
    if (rule.max_contacts < 1) return in_model("maxContacts is below 1", "leave it out for no bound");
  }
  for (size_t i = 0; i < model.attachments.size(); ++i) {
    const Attachment& a = model.attachments[i];
    const std::string what = "attachment " + std::to_string(i);
    if (a.body1 < 0 || a.body1 >= n || a.body2 >= n || a.body1 == a.body2)
      return in_model(what + " names a body that does not exist, or the same one twice", "check its bodies");
    if (auto r = check_point(model, a.body1, a.P, what); !r) return r;
    if (a.body2 >= 0)
      if (auto r = check_point(model, a.body2, a.Q, what); !r) return r;
    if (!(a.stiffness_N_per_m > 0) && !(a.damping_N_s_per_m > 0))
      return in_model(what + " has neither stiffness nor damping", "give it one of them");
    const bool slides = a.keeps == Attachment::Keeps::line || a.keeps == Attachment::Keeps::plane;
    if (slides && a.spring())
      return in_model(what + ": only points and distances give way", "leave out its stiffness");
    if (slides && a.body2 >= 0 && (a.Q.apex < 0 || a.Q2.apex < 0))
      return in_model(what + " slides along a body that is not rigid",
                      "slide along a rigid body or the world");
  }
  if (auto solver = make_solver(model.solver.name); !solver) return solver.error();
  return {};
}

State make_state(const Model& model) {
  State state;
  for (const auto& entry : model.bodies) {
    state.bodies.push_back(entry.body ? entry.body->rest_state() : BodyState{});
    if (entry.body && !(entry.velocity.isZero(0) && entry.spin.isZero(0)))
      entry.body->launch(entry.velocity, entry.spin, state.bodies.back());
  }
  state.attachments.resize(model.attachments.size());
  return state;
}

std::unique_ptr<TouchSurface> stages::make_touch(const Body& body) {
  const Skin& skin = body.skin();
  auto touch = std::make_unique<TouchSurface>(
      TouchTopology::make(skin.touching_vertices(), skin.touching_triangles(), skin.touching_segments()));
  touch->turned = skin.core.turned;
  if (is_soft(body) || skin.smooth) {
    std::vector<Vec3> rest(skin.vertices);
    body.skin_positions(body.rest_state(), VecX(), rest);
    touch->update(rest, rest);
    touch->at_rest = rest_shape(*touch);
  }
  return touch;
}

Workspace make_workspace(const Model& model) {
  Workspace ws;
  ws.fits = static_cast<bool>(check(model));
  for (const auto& entry : model.bodies) {
    Workspace::PerBody& w = ws.bodies.emplace_back();
    if (!entry.body) continue;  // as check() has found
    const Skin& skin = entry.body->skin();
    w.mechanics = entry.body->make_workspace();
    w.skin_start.resize(skin.vertices);
    w.free = entry.body->rest_state();
    w.skin_free.resize(skin.vertices);
    w.touch = stages::make_touch(*entry.body);
    const int number = static_cast<int>(ws.bodies.size()) - 1;
    for (const TouchRule& rule : model.rules)
      if (rule.body1 == number && rule.body2 == number)
        w.self = std::make_shared<SelfTouch>(
            *w.touch, half_turn * (rule.alarm_distance_m + 2 * skin.radius + rule.contact_distance_m));
    w.dx_c.setZero(entry.body->dof());
    w.next = entry.body->rest_state();
  }
  ws.group_of_root.resize(model.bodies.size());
  ws.passage = stages::make_passage(model);
  return ws;
}

}  // namespace palp
