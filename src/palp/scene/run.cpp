#include "palp/scene/run.hpp"

#include <cmath>
#include <utility>

#include "palp/sim/contact_wrench.hpp"

namespace palp {

SceneRun::SceneRun(Scene& scene)
    : scene_(scene),
      grips_(scene.grips),
      grasps_(scene.grasps),
      broken_(scene.grips.size() + scene.grasps.size(), 0),
      loop_(scene.two_rate ? std::make_unique<HapticLoop>(*scene.two_rate) : nullptr),
      energy_kinetic_(scene.model.bodies.size()),
      energy_elastic_(scene.model.bodies.size()),
      state_(make_state(scene.model)),
      ws_(make_workspace(scene.model)),
      poses_(scene.devices.size()),
      wrenches_(scene.devices.size()) {
  record_.hands.resize(scene.devices.size());
  for (size_t d = 0; d < scene.devices.size(); ++d)
    record_.hands[d].pose = scene.devices[d].device->read(0).pose;
  buttons_.resize(scene.devices.size());
  for (size_t d = 0; d < scene.devices.size(); ++d)
    safety_.emplace_back(scene.devices[d].profile, step_s(), record_.hands[d].pose);
  for (const Model::Entry& entry : scene.model.bodies)
    if (entry.body->movable()) mass_kg_ += entry.body->mass();
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
  loop_ ? tick() : step();
  // A step that fails moves nothing: what the hands feel grows as old as a snapshot would.
  failing_s_ = record_.report.status == StepStatus::ok ? 0 : failing_s_ + h;
  const double age_s = loop_ ? h * static_cast<double>(loop_->report().age_ticks) : failing_s_;
  for (size_t d = 0; d < scene_.devices.size(); ++d) {
    const std::uint32_t notes =
        loop_ ? tick_notes(*scene_.two_rate, loop_->report(), static_cast<int>(d)) : 0;
    wrenches_[d] = safety_[d].release(wrenches_[d], age_s, notes);
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
  const TickReport t = loop_->advance(poses_, wrenches_);
  record_.low_step = loop_->made_low_step();
  record_.moved = loop_->moved();
  record_.low = loop_->low_report();
  record_.held_back = t.held_back;
  StepReport r;
  r.contacts = t.contacts;
  r.active_contacts = t.active_contacts;
  r.groups = t.contacts > 0;
  r.sweeps = t.sweeps;
  r.certificate = t.certificate;
  r.converged = t.converged;
  r.penetration_m = std::max(t.penetration_m, record_.low.penetration_m);
  r.left_out_contacts = t.left_out;
  r.violation_m = t.violation_m;
  r.times.free_motion_us = t.times.free_motion_us;
  r.times.delassus_us = t.times.violations_us + t.times.compliance_us;
  r.times.solve_us = t.times.solve_us;
  r.times.motion_us = t.times.motion_us;
  r.status = step_status(t.status);
  r.body = t.body;
  // A low-rate step that fails leaves the ticks their snapshot, if there is any, and may succeed the next
  // time.
  if (record_.low_step) low_failures_ = record_.low.status == StepStatus::ok ? 0 : low_failures_ + 1;
  record_.low_failed = record_.low_step && record_.low.status != StepStatus::ok;
  if (low_failures_ >= most_low_failures || (low_failures_ > 0 && t.sequence == 0)) {
    r.status = record_.low.status;
    r.body = record_.low.body;
  }
  record_.report = r;
  for (size_t b = 0; b < state_.bodies.size(); ++b)
    if (record_.moved || scene_.two_rate->tool_of[b] >= 0)
      state_.bodies[b] = loop_->state(static_cast<int>(b));
  state_.time_s = loop_->time_s();
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
  if (loop_)
    loop_->constraint_force(body, constraint_force_);
  else
    constraint_force(scene_.model, ws_, body, constraint_force_);
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
  if (loop_) {
    fill(loop_->report(), step_s(), t);
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
  if (loop_) return loop_->contacts();
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
