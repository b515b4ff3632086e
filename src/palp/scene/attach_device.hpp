// A real device in the place of a scene's own: the scene, written for a simulated hand, runs unchanged. The
// device takes over where the scene's hand starts, with its own limits whether the scene asks for any or not,
// and with couplings that it renders stably,
//     b > K T/2 + |B|,      T: the longer of the tick and the device's own period,
// lowered where they are not. What was changed is told, and joins the changes that the scene was built with,
// so that a recording of the run builds the same scene again.
#pragma once
#include <memory>

#include "palp/scene/scene.hpp"

namespace palp {

struct AttachedDevice {
  int device = 0;                    ///< its number in the scene
  std::vector<std::string> notices;  ///< what was lowered, for people
};

/// `device` is open. `name`: of the scene's device; empty: the first one. `insist`: couplings stay as they
/// are, and the notice only warns.
Result<AttachedDevice> attach_device(Scene& scene, const std::string& name, std::shared_ptr<Device> device,
                                     bool insist = false);

/// The stiffest coupling of this sort that the device renders stably, with a tenth in hand; `coupling` itself
/// when it is stable.
CouplingSettings stable_coupling(const DeviceProfile& profile, CouplingSettings coupling);

}  // namespace palp
