#include "palp/hands/single_rate.hpp"

#include <algorithm>

namespace palp {
namespace {

/// The device's pose as the held frame should see it.
DevicePose aligned(const Grip& grip, DevicePose pose) {
  pose.orientation = pose.orientation * grip.turn;
  return pose;
}

}  // namespace

Result<Grip> grip_here(const Model& model, const State& state, int body, int frame, int device,
                       const DevicePose& pose, const CouplingSettings& coupling) {
  BodyFrame held;
  if (!model.bodies[body].body->frame(state.bodies[body], frame, held))
    return Error{.message = "body '" + model.bodies[body].name + "' has no frame " + std::to_string(frame) +
                            " to hold",
                 .remedy = "rigid, globalCorotational, beam and point bodies have frames"};
  Grip grip;
  grip.device = device;
  grip.body = body;
  grip.frame = frame;
  grip.lever = held.orientation.conjugate() * (pose.position - held.position);
  grip.turn = pose.orientation.conjugate() * held.orientation;
  grip.coupling = coupling;
  return grip;
}

bool grip_load(const Grip& grip, const Body& body, const BodyState& state, const DevicePose& pose, double h,
               BlockLoad& load) {
  BodyFrame held;
  if (!grip.on || !pose.finite() || !body.frame(state, grip.frame, held)) return false;
  load = coupling_load(grip.coupling, held, grip.lever, aligned(grip, pose), h);
  return true;
}

Wrench grip_wrench(const Grip& grip, const Body& body, const BodyState& state, const DevicePose& pose) {
  BodyFrame held;
  if (!grip.on || !pose.finite() || !body.frame(state, grip.frame, held)) return {};
  const Wrench on_body = coupling_wrench(grip.coupling, held, grip.lever, aligned(grip, pose));
  return {-on_body.force, -on_body.torque};
}

StepReport haptic_step(const Model& model, std::span<const Grip> grips, std::span<const Grasp> grasps,
                       std::span<const DevicePose> poses, State& state, Workspace& ws,
                       std::span<Wrench> wrenches) {
  std::fill(wrenches.begin(), wrenches.end(), Wrench{});
  if (!ws.fits) return step(model, state, ws);  // which says why
  BlockLoad load;
  for (auto& body : ws.bodies) {
    body.loads.blocks.clear();
    std::fill(body.loads.prescribed.begin(), body.loads.prescribed.end(), Vec3::Zero());
  }
  for (const Grip& grip : grips)
    if (grip_load(grip, *model.bodies[grip.body].body, state.bodies[grip.body], poses[grip.device],
                  model.h_of(grip.body), load))
      ws.bodies[grip.body].loads.blocks.push_back(load);
  for (const Grasp& grasp : grasps)
    if (grasp.on && poses[grasp.device].finite())
      apply_grasp(grasp, *model.bodies[grasp.body].body, state.bodies[grasp.body], poses[grasp.device],
                  model.h_s, ws.bodies[grasp.body].loads);
  const StepReport report = step(model, state, ws);
  for (const Grip& grip : grips) {
    const Wrench felt =
        grip_wrench(grip, *model.bodies[grip.body].body, state.bodies[grip.body], poses[grip.device]);
    wrenches[grip.device].force += felt.force;
    wrenches[grip.device].torque += felt.torque;
  }
  for (const Grasp& grasp : grasps) {
    if (!grasp.on || !poses[grasp.device].finite() || (grasp.rigid && report.status != StepStatus::ok))
      continue;
    const Wrench on_body =
        grasp_wrench(grasp, model, state, ws, poses[grasp.device], ws.bodies[grasp.body].constraint_force);
    wrenches[grasp.device].force -= on_body.force;
    wrenches[grasp.device].torque -= on_body.torque;
  }
  return report;
}

}  // namespace palp
