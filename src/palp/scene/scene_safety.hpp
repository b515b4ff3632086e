// `profile:` of a device: what it can do and what it may be asked for (safety/device_profile.hpp).
//
//   devices: name: {profile: desktop}                     a desktop arm's limits
//                  {profile: {maxForce, maxTorque, slew, torqueSlew, maxStiffness, damping, sampleTime,
//                  maxSpeed,
//                             maxAngularSpeed, ramp, decay, staleAfter, lateAfter, passivity}}   changes of
//                             it
//                  {profile: none}, or nothing            no limits: simulated devices need none
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

/// The time between two forces: 1/rate with `haptics:`, so many times finer, dt as it is without.
double tick_s(const YamlValue& haptics, double dt_s, double steps_per_time = 1);

/// `h_s`: the tick; it is the sample time unless the profile says otherwise.
DeviceProfile read_scene_profile(const YamlValue& value, double h_s);

/// Couplings that the devices' profiles do not render stably: a sentence each.
void warn_unstable(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace palp
