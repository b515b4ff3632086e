#include "palp/scene/attach_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "palp/devices/passing.hpp"

namespace palp {
namespace {

constexpr double in_hand = 0.9;

double tick_of(const Scene& scene) {
  return scene.two_rate ? scene.two_rate->settings.h_high_s : scene.model.h_s;
}

/// Both limits hold: the device's, and the scene's where it has some.
DeviceProfile tighter(const DeviceProfile& device, const DeviceProfile& scene) {
  DeviceProfile p = device;
  if (std::isinf(scene.max_force_N)) return p;
  p.max_force_N = std::min(p.max_force_N, scene.max_force_N);
  p.max_torque_Nm = std::min(p.max_torque_Nm, scene.max_torque_Nm);
  p.max_stiffness_N_per_m = std::min(p.max_stiffness_N_per_m, scene.max_stiffness_N_per_m);
  p.damping_N_s_per_m = std::min(p.damping_N_s_per_m, scene.damping_N_s_per_m);
  p.max_speed_m_per_s = std::min(p.max_speed_m_per_s, scene.max_speed_m_per_s);
  p.max_angular_speed_rad_per_s = std::min(p.max_angular_speed_rad_per_s, scene.max_angular_speed_rad_per_s);
  p.ramp_s = std::max(p.ramp_s, scene.ramp_s);
  p.stale_s = std::min(p.stale_s, scene.stale_s);
  p.late_s = std::min(p.late_s, scene.late_s);
  p.passivity = p.passivity || scene.passivity;
  DeviceProfile slower = p;
  slower.max_slew_N_per_s = std::min(p.max_slew_N_per_s, scene.max_slew_N_per_s);
  slower.max_torque_slew_Nm_per_s = std::min(p.max_torque_slew_Nm_per_s, scene.max_torque_slew_Nm_per_s);
  return check(slower) ? slower : p;
}

std::string number(double v) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.17g", v);
  return text;
}

SceneOverride profile_override(const std::string& name, const DeviceProfile& p) {
  std::string text = "{";
  for (const auto& [key, value] : {std::pair{"maxForce", p.max_force_N},
                                   {"maxTorque", p.max_torque_Nm},
                                   {"slew", p.max_slew_N_per_s},
                                   {"torqueSlew", p.max_torque_slew_Nm_per_s},
                                   {"maxStiffness", p.max_stiffness_N_per_m},
                                   {"damping", p.damping_N_s_per_m},
                                   {"sampleTime", p.sample_time_s},
                                   {"maxSpeed", p.max_speed_m_per_s},
                                   {"maxAngularSpeed", p.max_angular_speed_rad_per_s},
                                   {"ramp", p.ramp_s},
                                   {"decay", p.decay_s},
                                   {"staleAfter", p.stale_s},
                                   {"lateAfter", p.late_s}})
    text.append(key).append(": ").append(number(value)).append(", ");
  text.append("passivity: ").append(p.passivity ? "true}" : "false}");
  return {"devices." + name + ".profile", text};
}

bool same(const CouplingSettings& a, const CouplingSettings& b) {
  return a.stiffness_N_per_m == b.stiffness_N_per_m && a.damping_N_s_per_m == b.damping_N_s_per_m &&
         a.angular_stiffness_Nm_per_rad == b.angular_stiffness_Nm_per_rad &&
         a.angular_damping_Nm_s_per_rad == b.angular_damping_Nm_s_per_rad;
}

/// Lowers the couplings of one device, and tells.
class Lowering {
 public:
  Lowering(const std::string& name, const DeviceProfile& profile, bool insist, bool only_hold,
           AttachedDevice& out, std::vector<SceneOverride>& changes)
      : name_(name),
        profile_(profile),
        insist_(insist),
        only_hold_(only_hold),
        out_(out),
        changes_(changes) {}

  /// `shares`: how many springs of this sort the hand holds together.
  void visit(CouplingSettings& coupling, double shares = 1) {
    CouplingSettings whole = scaled(coupling, shares);
    const CouplingSettings stable = stable_coupling(profile_, whole);
    if (same(whole, stable)) return;
    if (!told_) tell(whole, stable);
    if (!insist_) coupling = scaled(stable, 1 / shares);
  }

 private:
  static CouplingSettings scaled(CouplingSettings c, double by) {
    c.stiffness_N_per_m *= by;
    c.damping_N_s_per_m *= by;
    c.angular_stiffness_Nm_per_rad *= by;
    c.angular_damping_Nm_s_per_rad *= by;
    return c;
  }
  void tell(const CouplingSettings& had, const CouplingSettings& stable) {
    told_ = true;
    char text[600];
    std::snprintf(
        text, sizeof(text),
        "devices.%s: a coupling of %.4g N/m, %.3g N s/m (%.3g Nm/rad) cannot be rendered stably with "
        "%.3g N s/m of damping and a tick of %.3g ms; %s %.4g N/m, %.3g N s/m (%.3g Nm/rad)%s",
        name_.c_str(), had.stiffness_N_per_m, had.damping_N_s_per_m, had.angular_stiffness_Nm_per_rad,
        profile_.damping_N_s_per_m, 1e3 * profile_.sample_time_s, insist_ ? "advised is" : "lowered to",
        stable.stiffness_N_per_m, stable.damping_N_s_per_m, stable.angular_stiffness_Nm_per_rad,
        insist_ ? "" : " (insist takes it as it is)");
    out_.notices.emplace_back(text);
    if (insist_ || !only_hold_) return;
    const std::string holds = "devices." + name_ + ".holds.";
    changes_.push_back({holds + "stiffness", number(stable.stiffness_N_per_m)});
    changes_.push_back({holds + "damping", number(stable.damping_N_s_per_m)});
    if (had.angular_stiffness_Nm_per_rad > 0) {
      changes_.push_back({holds + "angularStiffness", number(stable.angular_stiffness_Nm_per_rad)});
      changes_.push_back({holds + "angularDamping", number(stable.angular_damping_Nm_s_per_rad)});
    }
  }

  std::string name_;
  const DeviceProfile& profile_;
  bool insist_, only_hold_, told_ = false;
  AttachedDevice& out_;
  std::vector<SceneOverride>& changes_;
};

}  // namespace

CouplingSettings stable_coupling(const DeviceProfile& p, CouplingSettings c) {
  if (p.passivity) return c;  // the controller takes away what leaks
  // The same rule in rotation, about the lever arm at which the largest force makes the largest torque.
  const double T = p.sample_time_s, lever = p.max_torque_Nm / p.max_force_N;
  const auto lower = [T](double b, double most_K, double& K, double& B) {
    if (b > 0.5 * K * T + std::abs(B) && K <= most_K) return;
    B = std::min(std::abs(B), 0.5 * in_hand * b);
    K = std::min({K, most_K, in_hand * 2 * (b - B) / T});
  };
  const double b = p.damping_N_s_per_m;
  lower(b, p.max_stiffness_N_per_m, c.stiffness_N_per_m, c.damping_N_s_per_m);
  if (c.angular_stiffness_Nm_per_rad > 0 && std::isfinite(lever))
    lower(b * lever * lever, p.max_stiffness_N_per_m * lever * lever, c.angular_stiffness_Nm_per_rad,
          c.angular_damping_Nm_s_per_rad);
  return c;
}

Result<AttachedDevice> attach_device(Scene& scene, const std::string& name, std::shared_ptr<Device> device,
                                     bool insist) {
  AttachedDevice out;
  const auto found = std::find_if(scene.devices.begin(), scene.devices.end(),
                                  [&](const SceneDevice& d) { return name.empty() || d.name == name; });
  if (found == scene.devices.end()) {
    std::string known;
    for (const SceneDevice& d : scene.devices) known.append(known.empty() ? "" : ", ").append(d.name);
    return Error{
        .message = name.empty() ? "the scene has no device" : "the scene has no device '" + name + "'",
        .file = scene.spec.file,
        .remedy =
            known.empty() ? "give it one that holds something: devices: {hand: {…}}" : "it has " + known};
  }
  out.device = static_cast<int>(found - scene.devices.begin());
  const DeviceInfo info = device->info();
  DeviceProfile profile = tighter(info.limits, found->profile);
  profile.sample_time_s = std::max(tick_of(scene), info.period_s);
  if (auto ok = check(profile); !ok) return ok.error();
  device->place(found->device->read(0).pose);
  found->device = std::make_unique<PassingDevice>(std::move(device));
  found->profile = profile;
  scene.spec.changes.push_back(profile_override(found->name, profile));

  if (info.feels == 0) return out;  // nobody feels whether it is stable
  const auto held = [&](const auto& holds) {
    return std::count_if(holds.begin(), holds.end(), [&](const auto& h) { return h.device == out.device; });
  };
  Lowering lowering(found->name, profile, insist, held(scene.grips) + held(scene.grasps) == 1, out,
                    scene.spec.changes);
  for (Grip& grip : scene.grips)
    if (grip.device == out.device) lowering.visit(grip.coupling);
  if (scene.two_rate)
    for (Grip& grip : scene.two_rate->grips)
      if (grip.device == out.device) lowering.visit(grip.coupling);
  for (Grasp& grasp : scene.grasps) {
    if (grasp.device != out.device) continue;
    if (!grasp.rigid)
      lowering.visit(grasp.coupling, static_cast<double>(grasp.frames.size()));
    else
      out.notices.push_back("devices." + found->name +
                            ": holds a body rigidly, which no device renders stably; give it "
                            "holds: {stiffness: …} instead");
  }
  return out;
}

}  // namespace palp
