#include "palp/safety/device_profile.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace palp {

DeviceProfile DeviceProfile::unlimited() {
  DeviceProfile p;
  p.max_force_N = p.max_torque_Nm = p.max_slew_N_per_s = p.max_torque_slew_Nm_per_s = no_limit;
  p.max_stiffness_N_per_m = p.damping_N_s_per_m = no_limit;
  p.max_speed_m_per_s = p.max_angular_speed_rad_per_s = no_limit;
  p.ramp_s = 0;
  p.stale_s = p.late_s = no_limit;
  return p;
}

Result<void> check(const DeviceProfile& p) {
  const auto positive = [](double v, const char* name) -> Result<void> {
    if (v > 0) return {};  // infinity is "no limit"; NaN is not
    return Error{.message = std::string("the device profile's ") + name + " is not positive",
                 .remedy = "leave it out to take the default"};
  };
  for (const auto& [value, name] : {std::pair{p.max_force_N, "maxForce"},
                                    {p.max_torque_Nm, "maxTorque"},
                                    {p.max_slew_N_per_s, "slew"},
                                    {p.max_torque_slew_Nm_per_s, "torqueSlew"},
                                    {p.max_stiffness_N_per_m, "maxStiffness"},
                                    {p.sample_time_s, "sampleTime"},
                                    {p.max_speed_m_per_s, "maxSpeed"},
                                    {p.max_angular_speed_rad_per_s, "maxAngularSpeed"},
                                    {p.decay_s, "decay"},
                                    {p.stale_s, "staleAfter"},
                                    {p.late_s, "lateAfter"}})
    if (auto ok = positive(value, name); !ok) return ok;
  if (!(p.damping_N_s_per_m >= 0) || !(p.ramp_s >= 0) || !std::isfinite(p.ramp_s) ||
      !std::isfinite(p.decay_s) || !std::isfinite(p.sample_time_s))
    return Error{.message = "the device profile's damping or ramp is negative, or a time is not finite",
                 .remedy = "leave it out to take the default"};
  // Letting a force in or out is a change of force too: it must fit under the slew limit (safety.hpp).
  const auto steep = [&](double most, double slew) {
    if (std::isinf(slew)) return false;
    const double fastest = p.ramp_s > 0 ? std::min(p.ramp_s, p.decay_s) : 0;
    return std::isinf(most) || !(most < slew * fastest);
  };
  if (steep(p.max_force_N, p.max_slew_N_per_s) || steep(p.max_torque_Nm, p.max_torque_slew_Nm_per_s))
    return Error{
        .message = "the device profile's ramp or decay is steeper than its slew limit",
        .remedy = "keep maxForce below slew times ramp and slew times decay, and likewise for the torque"};
  return {};
}

StableRange stable_range(const DeviceProfile& p, const CouplingSettings& c) {
  const double B = std::abs(c.damping_N_s_per_m);
  StableRange range;
  range.needed_damping_N_s_per_m = 0.5 * c.stiffness_N_per_m * p.sample_time_s + B;
  range.max_stiffness_N_per_m = std::max(0.0, 2 * (p.damping_N_s_per_m - B) / p.sample_time_s);
  range.stable = p.damping_N_s_per_m > range.needed_damping_N_s_per_m;
  return range;
}

}  // namespace palp
