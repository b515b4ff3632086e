// A device holds several nodes of a body at once (D06 §7.1: the neighbourhood of the grabbed spot).
//
//   rigid    the body's driven nodes (Dirichlet conditions, Loads::prescribed), or an obstacle, follow the
//   device
//            exactly: node i goes to p + R r_i. The device receives the opposite of the force that drives
//            them.
//   springs  each of the n nodes hangs on a spring and damper at its own place p + R r_i of the device's
//   frame,
//            with 1/n of the stiffness, implicit like every coupling. Together they are a 6-DoF coupling for
//            bodies whose nodes have no rotation.
#pragma once
#include <span>
#include <vector>

#include "palp/hands/coupling.hpp"
#include "palp/sim/model.hpp"

namespace palp {

struct Grasp {
  int device = 0;
  int body = 0;
  bool rigid = true;
  std::vector<int> frames;    ///< rigid: driven frames of the body; springs: Body::frame numbers
  std::vector<Vec3> lever;    ///< r_i: place of each frame in the device's frame
  std::vector<Quat> turn;     ///< frame orientation = device orientation · turn
  CouplingSettings coupling;  ///< springs: of each frame
  Switch when = {};           ///< as in Grip
  bool on = true;

  /// The springs of all frames together.
  CouplingSettings whole() const {
    const auto n = static_cast<double>(frames.size());
    return {n * coupling.stiffness_N_per_m, n * coupling.damping_N_s_per_m,
            n * coupling.angular_stiffness_Nm_per_rad, n * coupling.angular_damping_Nm_s_per_rad};
  }
};

/// A grasp that holds the frames where they are when the device is at `pose`. Without `coupling` it is rigid;
/// with it, the settings are those of the whole grasp and are shared out among the frames.
Result<Grasp> grasp_here(const Model& model, const State& state, int body, std::vector<int> frames,
                         int device, const DevicePose& pose, const CouplingSettings* coupling = nullptr);

/// Puts the grasp into the loads of its body for a step that ends with the device at `pose`. The
/// caller has cleared loads.blocks; of loads.prescribed only the held frames are written.
void apply_grasp(const Grasp& grasp, const Body& body, const BodyState& state, const DevicePose& pose,
                 double h, Loads& loads);

/// What the grasp did to the body over the last step, torque about the device's position. `scratch` is
/// resized to the body's degrees of freedom once.
Wrench grasp_wrench(const Grasp& grasp, const Model& model, const State& state, const Workspace& ws,
                    const DevicePose& pose, VecX& scratch);

}  // namespace palp
