// The single-rate haptic loop (D06 §7): device poses → couplings → step → forces for the devices.
#pragma once
#include <span>
#include <vector>

#include "palp/hands/coupling.hpp"
#include "palp/hands/grasp.hpp"
#include "palp/sim/step.hpp"

namespace palp {

/// A device holds a frame of a body through a coupling.
struct Grip {
  int device = 0;
  int body = 0;
  int frame = 0;                 ///< Body::frame
  Vec3 lever = Vec3::Zero();     ///< the held point in that frame
  Quat turn = Quat::Identity();  ///< frame orientation = device orientation · turn when the spring is relaxed
  CouplingSettings coupling;
  Switch when = {};  ///< for whoever takes it and lets it go; the steps only ask `on`
  bool on = true;
};

/// A grip that holds the body where it is when the device is at `device`: lever and turn from the two poses.
Result<Grip> grip_here(const Model& model, const State& state, int body, int frame, int device,
                       const DevicePose& pose, const CouplingSettings& coupling);

/// The coupling's load on the body at `state` over a step h. False when there is nothing to hold on to or the
/// pose is not finite: the coupling lets go.
bool grip_load(const Grip& grip, const Body& body, const BodyState& state, const DevicePose& pose, double h,
               BlockLoad& load);
/// What the user feels through the grip at `state`; zero where grip_load would let go.
Wrench grip_wrench(const Grip& grip, const Body& body, const BodyState& state, const DevicePose& pose);

/// One step with hands on it. `poses`: where each device is at the end of the step. `wrenches`: what each
/// user feels, the reaction of its couplings at the new state and of its grasps over the step. A pose that is
/// not finite is left out of the step: its coupling lets go, its rigid grasp stands still.
StepReport haptic_step(const Model& model, std::span<const Grip> grips, std::span<const Grasp> grasps,
                       std::span<const DevicePose> poses, State& state, Workspace& ws,
                       std::span<Wrench> wrenches);

inline StepReport haptic_step(const Model& model, std::span<const Grip> grips,
                              std::span<const DevicePose> poses, State& state, Workspace& ws,
                              std::span<Wrench> wrenches) {
  return haptic_step(model, grips, {}, poses, state, ws, wrenches);
}

}  // namespace palp
