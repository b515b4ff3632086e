#include "palp/scene/run.hpp"

#include <cmath>
#include <utility>

#include "palp/haptics/glc_tick_report.hpp"
#include "palp/haptics/tick_contacts.hpp"
#include "palp/sim/contact_wrench.hpp"

namespace palp {

SceneRun::SceneRun(Scene& scene)
    : scene_(scene),
      grips_(scene.grips),
      grasps_(scene.grasps),
      broken_(scene.grips.size() + scene.grasps.size(), 0),
      two_rates_(scene.two_rate && !scene.glc ? std::make_unique<TwoRateLoop>(*scene.two_rate) : nullptr),
      energy_kinetic_(scene.model.bodies.size()),
      energy_elastic_(scene.model.bodies.size()),
      state_(make_state(scene.model)),
      ws_(make_workspace(scene.model)),
      poses_(scene.devices.size()),
      wrenches_(scene.devices.size()) {
  if (scene.glc)  // load_scene has made one before: it cannot fail
    glc_ = std::make_unique<GlcLoop>(
        *GlcLoop::make(scene.model, scene.glc->hands, scene.glc->settings, scene.glc->delay_ticks));
  record_.hands.resize(scene.devices.size());
  for (size_t d = 0; d < scene.devices.size(); ++d)
    record_.hands[d].pose = scene.devices[d].device->read(0).pose;
  buttons_.resize(scene.devices.size());
  for (size_t d = 0; d < scene.devices.size(); ++d)
    safety_.emplace_back(scene.devices[d].profile, step_s(), record_.hands[d].pose);
  for (const Model::Entry& entry : scene.model.bodies)
    if (entry.body->movable()) mass_kg_ += entry.body->mass();
}

void SceneRun::stall_low_rate(bool stalled) {
  if (two_rates_) two_rates_->stall_low_rate(stalled);
  if (glc_) glc_->stall_low_rate(stalled);
}

Loads* SceneRun::loads(int body) {
  const int tool = scene_.two_rate ? scene_.two_rate->tool_of[body] : -1;
  if (glc_) return tool < 0 ? &glc_->loads(body) : nullptr;
  if (two_rates_)
    return tool < 0 ? &two_rates_->low().ws.bodies[body].loads : &two_rates_->high().tools[tool].loads;
  return &ws_.bodies[body].loads;
}

bool SceneRun::advance(double dt_s) {
  const double h = step_s();
  for (size_t d = 0; d < scene_.devices.size(); ++d) {
    const DeviceReading reading = scene_.devices[d].device->read(state_.time_s + h);
    poses_[d] = safety_[d].admit(reading.pose, reading.present, dt_s);
    buttons_[d] = reading.buttons;
    const Course<double>& button = scene_.devices[d].button;
    if (!button.empty() && button.at(state_.time_s + h) > 0.5) buttons_[d] |= 1u;
  }
  record_.given_J = 0;
  for (const SafetyChain& chain : safety_) record_.given_J += chain.given_J();
  if (glc_)
    glc_tick();
  else if (two_rates_)
    tick();
  else
    step();
  // A step that fails moves nothing: what the hands feel grows as old as a snapshot would.
  failing_s_ = record_.report.status == StepStatus::ok ? 0 : failing_s_ + h;
  const double age_s = scene_.two_rate ? h * static_cast<double>(tick_.age_ticks) : failing_s_;
  for (size_t d = 0; d < scene_.devices.size(); ++d) {
    wrenches_[d] = safety_[d].release(wrenches_[d], age_s);
    scene_.devices[d].device->write(wrenches_[d], h);
    record_.hands[d] = {poses_[d], wrenches_[d]};
  }
  if (record_.report.status != StepStatus::ok) return false;
  record_.time_s = state_.time_s;
  return measure_energy();
}

void SceneRun::step() {
  ws_.buttons = buttons_;
  take_holds(state_.time_s + scene_.model.h_s);
  record_.report = haptic_step(scene_.model, grips_, grasps_, poses_, state_, ws_, wrenches_);
  break_holds();
}

/// Holds are taken in the relative pose of that moment.
void SceneRun::take_holds(double end_s) {
  const auto take = [&](auto& hold, size_t number, const auto& here) {
    const bool was_on = std::exchange(hold.on, hold.when.on(end_s, buttons_) && !broken_[number]);
    if (!hold.on || was_on || state_.step == 0) return;
    if (auto made = here()) {
      made->when = hold.when;
      hold = std::move(*made);
    }
  };
  const auto pose = [&](int device) { return record_.hands[static_cast<size_t>(device)].pose; };
  for (size_t i = 0; i < grips_.size(); ++i) {
    Grip& g = grips_[i];
    if (g.when.always()) continue;
    take(g, i, [&] {
      return grip_here(scene_.model, state_, g.body, g.frame, g.device, pose(g.device), g.coupling);
    });
  }
  for (size_t i = 0; i < grasps_.size(); ++i) {
    Grasp& g = grasps_[i];
    if (g.when.always()) continue;
    const CouplingSettings whole = g.whole();
    take(g, grips_.size() + i, [&] {
      return grasp_here(scene_.model, state_, g.body, g.frames, g.device, pose(g.device),
                        g.rigid ? nullptr : &whole);
    });
  }
}

/// Holds that carried more than they can bear in this step are gone for good.
void SceneRun::break_holds() {
  if (record_.report.status != StepStatus::ok) return;
  for (size_t i = 0; i < grips_.size(); ++i) {
    const Grip& g = grips_[i];
    const auto b = static_cast<size_t>(g.body), d = static_cast<size_t>(g.device);
    if (grip_wrench(g, *scene_.model.bodies[b].body, state_.bodies[b], poses_[d]).force.norm() >
        g.when.break_N)
      broken_[i] = 1;
  }
  for (size_t i = 0; i < grasps_.size(); ++i) {
    const Grasp& g = grasps_[i];
    if (!g.on || std::isinf(g.when.break_N)) continue;
    if (grasp_wrench(g, scene_.model, state_, ws_, poses_[static_cast<size_t>(g.device)], constraint_force_)
            .force.norm() > g.when.break_N)
      broken_[grips_.size() + i] = 1;
  }
}

void SceneRun::tick() {
  const TickReport t = tick_ = two_rates_->advance(poses_, wrenches_);
  record_.low_step = two_rates_->made_low_step();
  record_.moved = two_rates_->moved();
  record_.low = two_rates_->low_report();
  StepReport r;
  r.contacts = t.contacts;
  r.active_contacts = t.active_contacts;
  r.groups = t.contacts > 0;
  r.sweeps = t.sweeps;
  r.certificate = t.certificate;
  r.converged = t.converged;
  r.penetration_m = record_.low.penetration_m;
  r.violation_m = t.violation_m;
  r.times.free_motion_us = t.times.free_motion_us;
  r.times.delassus_us = t.times.violations_us + t.times.compliance_us;
  r.times.solve_us = t.times.solve_us;
  r.times.motion_us = t.times.motion_us;
  r.status = step_status(t.status);
  r.body = t.body;
  if (record_.low.status != StepStatus::ok) {
    r.status = record_.low.status;
    r.body = record_.low.body;
  }
  record_.report = r;
  for (size_t b = 0; b < state_.bodies.size(); ++b)
    if (record_.moved || scene_.two_rate->tool_of[b] >= 0)
      state_.bodies[b] = two_rates_->state(static_cast<int>(b));
  state_.time_s = two_rates_->time_s();
  ++state_.step;
}

void SceneRun::glc_tick() {
  const bool ok = glc_->tick(poses_, wrenches_);
  const GlcLowReport& low = glc_->low_report();
  const GlcTickReport& t = glc_->tick_report();
  tick_ = tick_report(glc_->high(), t, state_.step);
  record_.held_back = tick_.held_back;
  record_.low_step = glc_->stepped();
  record_.moved = glc_->moved();
  static_cast<StepReport&>(record_.low) = low.step;
  record_.low.shared = low.glcs;
  record_.low.left_out = low.found - low.glcs;
  StepReport r;
  r.contacts = t.glcs;
  r.active_contacts = t.solve.carriers;
  r.groups = t.glcs > 0;
  r.sweeps = t.solve.sweeps;
  r.certificate = t.solve.certificate;
  r.converged = t.solve.converged();
  r.times.solve_us = t.solve.time_us;
  r.times.motion_us = t.total_us - t.solve.time_us;
  r.status = step_status(tick_.status);
  r.body = tick_.body;
  if (!ok) {
    r.status = low.step.status == StepStatus::ok ? StepStatus::bad_problem : low.step.status;
    r.body = low.step.body;
  }
  record_.report = r;
  if (record_.moved) state_.bodies = glc_->state().bodies;
  for (const GlcHand& hand : glc_->high().hands()) state_.bodies[hand.body] = glc_->state().bodies[hand.body];
  state_.time_s = glc_->time_s();
  ++state_.step;
}

/// False: some body's is not finite. The step has seen to the kinetic energy itself.
bool SceneRun::measure_energy() {
  record_.kinetic_J = record_.elastic_J = 0;
  for (size_t b = 0; b < scene_.model.bodies.size(); ++b) {
    if (stepped(static_cast<int>(b))) {
      energy_kinetic_[b] = scene_.model.bodies[b].body->kinetic_energy(state_.bodies[b]);
      energy_elastic_[b] = scene_.model.bodies[b].body->elastic_energy(state_.bodies[b]);
    }
    record_.kinetic_J += energy_kinetic_[b];
    record_.elastic_J += energy_elastic_[b];
    if (std::isfinite(record_.kinetic_J + record_.elastic_J)) continue;
    record_.report.status = StepStatus::not_finite;
    record_.report.body = static_cast<int>(b);
    return false;
  }
  // No explosive holds as much (about 5e6 J/kg): a run that gets there has lost its meaning, however finite
  // it is.
  constexpr double absurd_J_per_kg = 1e8;
  if (record_.kinetic_J + record_.elastic_J > absurd_J_per_kg * mass_kg_) {
    record_.report.status = StepStatus::absurd_energy;
    return false;
  }
  return true;
}

Vec3 SceneRun::support_force(int body) {
  return held_force(body, scene_.meshes[static_cast<size_t>(body)].supports);
}
Vec3 SceneRun::moving_force(int body) {
  return held_force(body, scene_.meshes[static_cast<size_t>(body)].moved);
}

Vec3 SceneRun::held_force(int body, const std::vector<BodyMesh::Held>& at) {
  Vec3 sum = Vec3::Zero();
  if (at.empty() || state_.step == 0) return sum;
  const int tool = scene_.two_rate ? scene_.two_rate->tool_of[body] : -1;
  if (glc_) {
    glc_->low().constraint_force(body, constraint_force_);
  } else if (two_rates_ && tool >= 0) {
    const Body& b = *scene_.model.bodies[body].body;
    const HighRate::Tool& t = two_rates_->high().tools[tool];
    constraint_force_.resize(b.dof());
    b.constraint_force(*t.mechanics, t.rows.H, t.rows.lambda.head(3 * t.rows.H.points()), t.dx_c,
                       constraint_force_);
  } else {
    constraint_force(scene_.model, workspace(), body, constraint_force_);
  }
  for (const BodyMesh::Held& held : at) sum += held.directions * constraint_force_.segment<3>(3 * held.block);
  return sum;
}

TriMesh SceneRun::skin(int body) const {
  const Body& b = *scene_.model.bodies[body].body;
  TriMesh mesh;
  mesh.nodes.resize(b.skin().vertices);
  b.skin_positions(state_.bodies[body], VecX(), mesh.nodes);
  mesh.triangles = b.skin().triangles;
  return mesh;
}

TickRecord SceneRun::tick_record() const {
  const StepReport& r = record_.report;
  TickRecord t;
  if (scene_.two_rate) {
    fill(tick_, step_s(), t);
  } else {
    t.contacts = r.contacts;
    t.active_contacts = r.active_contacts;
    t.sweeps = r.sweeps;
    t.converged = r.converged ? 1 : 0;
    t.certificate = r.certificate;
    t.penetration_m = r.penetration_m;
    t.stage_us = {r.times.free_motion_us, r.times.proximity_us, r.times.contacts_us,
                  r.times.delassus_us,    r.times.solve_us,     r.times.motion_us};
  }
  t.sequence = static_cast<std::uint64_t>(std::max(0L, state_.step - 1));
  t.time_s = record_.time_s;
  t.state_hash = hash_bits({});
  for (const BodyState& b : state_.bodies)
    for (const VecX* v : {&b.x, &b.v})
      t.state_hash = hash_bits({v->data(), static_cast<size_t>(v->size())}, t.state_hash);
  t.devices = static_cast<std::int32_t>(std::min<size_t>(safety_.size(), max_devices));
  for (int d = 0; d < t.devices; ++d) {
    TickDevice& device = t.device[static_cast<size_t>(d)];
    safety_[static_cast<size_t>(d)].fill(device);
    device.buttons = buttons_[static_cast<size_t>(d)];
    t.interventions |= device.interventions;
    t.given_J += device.given_J;
  }
  BodyFrame held;
  for (const Grip& grip : scene_.grips)
    if (grip.device < t.devices &&
        scene_.model.bodies[grip.body].body->frame(state_.bodies[grip.body], grip.frame, held)) {
      t.device[static_cast<size_t>(grip.device)].proxy_position = plain(held.position);
      t.device[static_cast<size_t>(grip.device)].proxy_orientation = plain(held.orientation);
    }
  return t;
}

ContactView SceneRun::contacts() {
  if (glc_) return tick_contacts(glc_->high());
  if (two_rates_) return tick_contacts(two_rates_->snapshot(), two_rates_->high());
  delta_free_.clear();
  lambda_.clear();
  for (int g = 0; g < ws_.group_count; ++g) {
    const ContactGroup& group = ws_.groups[g];
    delta_free_.insert(delta_free_.end(), group.problem.delta_free.begin(), group.problem.delta_free.end());
    lambda_.insert(lambda_.end(), group.f.begin(), group.f.end());
  }
  ContactView view{static_cast<int>(lambda_.size() / 3), delta_free_, lambda_};
  if (ws_.group_count == 1 && ws_.groups[0].problem.W.is_dense) {
    const auto& W = ws_.groups[0].problem.W.dense;
    view.W = {W.data(), static_cast<size_t>(W.size())};
    view.W_stride = static_cast<int>(W.outerStride());
  }
  return view;
}

std::string explain(const Scene& scene, StepStatus status, int number) {
  const std::string body = number >= 0 ? "body '" + scene.model.bodies[number].name + "'" : "a body";
  switch (status) {
    case StepStatus::ok:
      return "the step succeeded";
    case StepStatus::free_motion_failed:
      return body +
             " could not be moved: its system matrix is not positive definite or its state is not finite "
             "(fix some nodes, give it damping, or take a smaller dt)";
    case StepStatus::bad_problem:
      return "the contact problem of " + body +
             " is not finite or not solvable (look at the bodies' compliance)";
    case StepStatus::not_finite:
      return "the motion or the energy of " + body +
             " is not finite (look for absurd masses, stiffnesses and forces; take a smaller dt or softer "
             "couplings)";
    case StepStatus::absurd_energy:
      return "the bodies have more energy than any explosive of their mass: the motion has blown up (take a "
             "smaller dt, "
             "softer springs and couplings, or look for absurd masses and forces)";
    case StepStatus::bad_model:
      return "the model has not passed its check: a solver, a body or a rule that does not exist";
  }
  return "unknown";
}

}  // namespace palp
