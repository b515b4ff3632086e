#include "palp/scene/scene_safety.hpp"

#include <cstdio>

#include "palp/scene/scene_keys.hpp"

namespace palp {

double tick_s(const YamlValue& haptics, double dt_s, double steps_per_time) {
  if (!haptics.exists()) return dt_s;
  // A rate that is no number is reported where the rates are read.
  const double rate = haptics.is_map() ? haptics.node()["rate"].as<double>(1000) : 1000;
  return rate > 0 ? 1 / (rate * steps_per_time) : dt_s;
}

DeviceProfile read_scene_profile(const YamlValue& value, double h_s) {
  if (!value.exists()) return DeviceProfile::unlimited();
  DeviceProfile p;
  p.sample_time_s = h_s;
  if (value.is_scalar()) return value.choice(0, {"none", "desktop"}) == 0 ? DeviceProfile::unlimited() : p;
  YamlMap m(value, scene_keys::profile());
  const auto read = [&m](const char* key, double& into) { into = m.get(key).number(into); };
  read("maxForce", p.max_force_N);
  read("maxTorque", p.max_torque_Nm);
  read("slew", p.max_slew_N_per_s);
  read("torqueSlew", p.max_torque_slew_Nm_per_s);
  read("maxStiffness", p.max_stiffness_N_per_m);
  read("damping", p.damping_N_s_per_m);
  read("sampleTime", p.sample_time_s);
  read("maxSpeed", p.max_speed_m_per_s);
  read("maxAngularSpeed", p.max_angular_speed_rad_per_s);
  read("ramp", p.ramp_s);
  read("decay", p.decay_s);
  read("staleAfter", p.stale_s);
  read("lateAfter", p.late_s);
  p.passivity = m.get("passivity").boolean();
  if (auto ok = check(p); !ok) value.fail(ok.error().message, ok.error().remedy);
  return p;
}

void warn_unstable(const Scene& scene, std::vector<std::string>& warnings) {
  for (const Grip& grip : scene.grips) {
    const SceneDevice& device = scene.devices[grip.device];
    const DeviceProfile& p = device.profile;
    if (std::isinf(p.damping_N_s_per_m)) continue;
    char text[400];
    const StableRange range = stable_range(p, grip.coupling);
    if (!range.stable) {
      std::snprintf(
          text, sizeof(text),
          "devices.%s: a coupling of %.4g N/m and %.3g N s/m needs a device with more than %.3g N s/m of "
          "damping, this one has %.3g (stable up to %.4g N/m with this damping; lower the coupling's "
          "stiffness or damping, or set profile.passivity)",
          device.name.c_str(), grip.coupling.stiffness_N_per_m, grip.coupling.damping_N_s_per_m,
          range.needed_damping_N_s_per_m, p.damping_N_s_per_m, range.max_stiffness_N_per_m);
      warnings.emplace_back(text);
    }
    if (grip.coupling.stiffness_N_per_m > p.max_stiffness_N_per_m) {
      std::snprintf(text, sizeof(text),
                    "devices.%s: a coupling of %.4g N/m is stiffer than the device's %.4g N/m",
                    device.name.c_str(), grip.coupling.stiffness_N_per_m, p.max_stiffness_N_per_m);
      warnings.emplace_back(text);
    }
  }
}

}  // namespace palp
