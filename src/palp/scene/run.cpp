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
}

bool SceneRun::advance() {
  const double h = scene_.model.h_s;
  for (size_t d = 0; d < scene_.devices.size(); ++d)
    poses_[d] = scene_.devices[d].device->read(state_.time_s + h).pose;
  record_.report = haptic_step(scene_.model, scene_.grips, scene_.grasps, poses_, state_, ws_, wrenches_);
  for (size_t d = 0; d < scene_.devices.size(); ++d) {
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
