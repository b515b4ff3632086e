#include "palp/devices/backends/force_gate.hpp"

#include <algorithm>

namespace palp {

ForceGate::ForceGate(const DeviceProfile& limits)
    : limits_(limits), gain_(limits), force_clamp_(limits.max_force_N), torque_clamp_(limits.max_torque_Nm) {}

Wrench ForceGate::pass(const Wrench& wanted, bool healthy, double dt_s) {
  std::uint32_t done = 0;
  const double dt = dt_s > 0 ? dt_s : 0;  // NaN counts as no time
  const double step = std::min(dt, longest_step_s);
  Wrench w;
  if (wanted.force.allFinite() && wanted.torque.allFinite())
    w = wanted;
  else
    healthy = false;
  const double gain = gain_.update(healthy, step, dt, done);
  given_.force = SlewLimit(limits_.max_slew_N_per_s * step)
                     .limit(gain * force_clamp_.limit(w.force, done), given_.force, Vec3::Zero(), done);
  given_.torque = SlewLimit(limits_.max_torque_slew_Nm_per_s * step)
                      .limit(gain * torque_clamp_.limit(w.torque, done), given_.torque, Vec3::Zero(), done);
  return given_;
}

}  // namespace palp
