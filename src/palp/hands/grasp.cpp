#include "palp/hands/grasp.hpp"

#include "palp/math/rotation.hpp"
#include "palp/sim/contact_wrench.hpp"

namespace palp {
namespace {

bool held_frame(const Grasp& grasp, const Body& body, const BodyState& state, size_t i, BodyFrame& out) {
  if (!grasp.rigid) return body.frame(state, grasp.frames[i], out);
  out = body.driven_frame(state, grasp.frames[i]);
  return true;
}

/// Where frame i should be: the device's frame moved to its place.
DevicePose place(const Grasp& grasp, size_t i, const DevicePose& device) {
  const Vec3 arm = device.orientation * grasp.lever[i];
  DevicePose at = device;
  at.position += arm;
  at.velocity += device.angular_velocity.cross(arm);
  at.orientation = device.orientation * grasp.turn[i];
  return at;
}

}  // namespace

Result<Grasp> grasp_here(const Model& model, const State& state, int body, std::vector<int> frames,
                         int device, const DevicePose& pose, const CouplingSettings* coupling) {
  const Body& b = *model.bodies[body].body;
  Grasp grasp;
  grasp.device = device;
  grasp.body = body;
  grasp.rigid = coupling == nullptr;
  grasp.frames = std::move(frames);
  if (grasp.frames.empty())
    return Error{.message = "the grasp of body '" + model.bodies[body].name + "' holds nothing",
                 .remedy = "name at least one node"};
  BodyFrame held;
  for (size_t i = 0; i < grasp.frames.size(); ++i) {
    const bool known = grasp.rigid ? grasp.frames[i] >= 0 && grasp.frames[i] < b.driven_frames() &&
                                         held_frame(grasp, b, state.bodies[body], i, held)
                                   : held_frame(grasp, b, state.bodies[body], i, held);
    if (!known)
      return Error{.message = "body '" + model.bodies[body].name + "' has no " +
                              (grasp.rigid ? "driven " : "") + "frame " + std::to_string(grasp.frames[i]) +
                              " to hold",
                   .remedy = grasp.rigid ? "name the nodes in the body's grasp" : "name nodes of its mesh"};
    grasp.lever.push_back(pose.orientation.conjugate() * (held.position - pose.position));
    grasp.turn.push_back(pose.orientation.conjugate() * held.orientation);
  }
  if (coupling) {
    const double share = 1.0 / static_cast<double>(grasp.frames.size());
    grasp.coupling.stiffness_N_per_m = share * coupling->stiffness_N_per_m;
    grasp.coupling.damping_N_s_per_m = share * coupling->damping_N_s_per_m;
    grasp.coupling.angular_stiffness_Nm_per_rad = share * coupling->angular_stiffness_Nm_per_rad;
    grasp.coupling.angular_damping_Nm_s_per_rad = share * coupling->angular_damping_Nm_s_per_rad;
  }
  return grasp;
}

void apply_grasp(const Grasp& grasp, const Body& body, const BodyState& state, const DevicePose& pose,
                 double h, Loads& loads) {
  BodyFrame held;
  for (size_t i = 0; i < grasp.frames.size(); ++i) {
    if (!held_frame(grasp, body, state, i, held)) continue;
    const DevicePose target = place(grasp, i, pose);
    if (!grasp.rigid) {
      loads.blocks.push_back(coupling_load(grasp.coupling, held, Vec3::Zero(), target, h));
      continue;
    }
    // Measured from where the node is: rounding does not build up over the steps.
    const size_t per_frame = held.has_rotation ? 2 : 1, at = per_frame * grasp.frames[i];
    if (loads.prescribed.empty()) loads.prescribed.assign(per_frame * body.driven_frames(), Vec3::Zero());
    loads.prescribed[at] = target.position - held.position;
    if (held.has_rotation)
      loads.prescribed[at + 1] = vector_from_rotation(target.orientation * held.orientation.conjugate());
  }
}

Wrench grasp_wrench(const Grasp& grasp, const Model& model, const State& state, const Workspace& ws,
                    const DevicePose& pose, VecX& scratch) {
  const Body& body = *model.bodies[grasp.body].body;
  Wrench sum;
  if (grasp.rigid && !body.movable()) {
    // An obstacle is in balance: its driver carries what the contacts put on it.
    contact_wrench(ws, grasp.body, pose.position, sum.force, sum.torque);
    return {-sum.force, -sum.torque};
  }
  if (grasp.rigid) constraint_force(model, ws, grasp.body, scratch);
  BodyFrame held;
  for (size_t i = 0; i < grasp.frames.size(); ++i) {
    if (!held_frame(grasp, body, state.bodies[grasp.body], i, held)) continue;
    Wrench on_node;
    if (grasp.rigid) {
      on_node.force = scratch.segment<3>(3 * held.block);
      if (held.has_rotation) on_node.torque = scratch.segment<3>(3 * held.block + 3);
    } else {
      on_node = coupling_wrench(grasp.coupling, held, Vec3::Zero(), place(grasp, i, pose));
      if (!held.has_rotation) on_node.torque.setZero();
    }
    sum.force += on_node.force;
    sum.torque += on_node.torque + (held.position - pose.position).cross(on_node.force);
  }
  return sum;
}

}  // namespace palp
