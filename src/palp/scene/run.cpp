#include "palp/scene/run.hpp"

namespace palp {

SceneRun::SceneRun(Scene& scene)
    : scene_(scene),
      state_(make_state(scene.model)),
      ws_(make_workspace(scene.model)),
      poses_(scene.devices.size()),
      wrenches_(scene.devices.size()) {
  record_.hands.resize(scene.devices.size());
  for (size_t d = 0; d < scene.devices.size(); ++d)
    record_.hands[d].pose = scene.devices[d].device->read(0).pose;
  buttons_.resize(scene.devices.size());
  for (size_t d = 0; d < scene.devices.size(); ++d)
    safety_.emplace_back(scene.devices[d].profile, scene.model.h_s, record_.hands[d].pose);
}

bool SceneRun::advance() {
  const double h = scene_.model.h_s;
  for (size_t d = 0; d < scene_.devices.size(); ++d) {
    const DeviceReading reading = scene_.devices[d].device->read(state_.time_s + h);
    poses_[d] = safety_[d].admit(reading.pose, reading.present);
    buttons_[d] = reading.buttons;
  }
  record_.report = haptic_step(scene_.model, scene_.grips, scene_.grasps, poses_, state_, ws_, wrenches_);
  for (size_t d = 0; d < scene_.devices.size(); ++d) {
    wrenches_[d] = safety_[d].release(wrenches_[d]);
    scene_.devices[d].device->write(wrenches_[d], h);
    record_.given_J += h * (wrenches_[d].force.dot(poses_[d].velocity) +
                            wrenches_[d].torque.dot(poses_[d].angular_velocity));
    record_.hands[d] = {poses_[d], wrenches_[d]};
  }
  if (record_.report.status != StepStatus::ok) return false;
  record_.time_s = state_.time_s;
  record_.kinetic_J = record_.elastic_J = 0;
  for (size_t b = 0; b < scene_.model.bodies.size(); ++b) {
    record_.kinetic_J += scene_.model.bodies[b].body->kinetic_energy(state_.bodies[b]);
    record_.elastic_J += scene_.model.bodies[b].body->elastic_energy(state_.bodies[b]);
  }
  return true;
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
  t.sequence = static_cast<std::uint64_t>(std::max(0L, state_.step - 1));
  t.time_s = record_.time_s;
  t.contacts = r.contacts;
  t.active_contacts = r.active_contacts;
  t.sweeps = r.sweeps;
  t.converged = r.converged ? 1 : 0;
  t.certificate = r.certificate;
  t.penetration_m = r.penetration_m;
  t.state_hash = hash_bits({});
  for (const BodyState& b : state_.bodies)
    for (const VecX* v : {&b.x, &b.v})
      t.state_hash = hash_bits({v->data(), static_cast<size_t>(v->size())}, t.state_hash);
  t.stage_us = {r.times.free_motion_us, r.times.proximity_us, r.times.contacts_us,
                r.times.delassus_us,    r.times.solve_us,     r.times.motion_us};
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
  delta_free_.clear();
  lambda_.clear();
  for (int g = 0; g < ws_.group_count; ++g) {
    const ContactGroup& group = ws_.groups[g];
    delta_free_.insert(delta_free_.end(), group.problem.delta_free.begin(), group.problem.delta_free.end());
    lambda_.insert(lambda_.end(), group.f.begin(), group.f.end());
  }
  ContactView view{static_cast<int>(lambda_.size() / 3), delta_free_, lambda_};
  if (ws_.group_count == 1 && ws_.groups[0].problem.W.is_dense) {
    const MatX& W = ws_.groups[0].problem.W.dense;
    view.W = {W.data(), static_cast<size_t>(W.size())};
    view.W_stride = static_cast<int>(W.outerStride());
  }
  return view;
}

std::string explain(const Scene& scene, const StepReport& report) {
  const std::string body =
      report.body >= 0 ? "body '" + scene.model.bodies[report.body].name + "'" : "a body";
  switch (report.status) {
    case StepStatus::ok:
      return "the step succeeded";
    case StepStatus::free_motion_failed:
      return body +
             " could not be moved: its system matrix is not positive definite or its state is not finite "
             "(fix some nodes, give it damping, or take a smaller dt)";
    case StepStatus::bad_problem:
      return "the contact problem is not finite or not solvable (look at the bodies' compliance)";
    case StepStatus::not_finite:
      return "the motion of " + body + " is not finite (take a smaller dt or softer couplings)";
  }
  return "unknown";
}

}  // namespace palp
