// The virtual coupling between a device and a body (D06 §7.1; K16 eq. 2): a spring and damper in translation
// and rotation, taken implicitly at the end of the step,
//     F = −k (p + Δp − p_dev) − d (Δp/h − v_dev),      p = x + R r the point of the body that is held,
// so that its stiffness k + d/h joins A and any stiffness is stable on the simulation's side. The device is
// given −F.
//
// The held point turns with the body, R r → exp(Δθ) R r. It is linearised where the body's own rotation
// would take it, not where it is:
//     Δp = Δx + r' − r + (Δθ − θ) × r',      r' = exp(θ) R r,   θ = h ω,
// so that a body in steady rotation is held where the device is. With θ = 0 the point would be off by |r|
// Δθ²/2 after every step, and the hand would feel k times that.
#pragma once
#include "palp/mechanics/body.hpp"
#include "palp/safety/hand.hpp"

namespace palp {

/// Critical damping of the mass m that hangs on the spring: d = 2 √(k m).
double critical_damping(double stiffness, double mass);

/// The load that the coupling puts on blocks `block` (translation) and block + 1 (rotation, when
/// has_rotation) of a body. `lever` is the held point in the body's frame; `device` is where the device is at
/// the end of the step.
BlockLoad coupling_load(const CouplingSettings& settings, const BodyFrame& held, const Vec3& lever,
                        const DevicePose& device, double h);

/// The coupling's wrench on the body at a given instant; the device receives its opposite.
Wrench coupling_wrench(const CouplingSettings& settings, const BodyFrame& held, const Vec3& lever,
                       const DevicePose& device);

}  // namespace palp
