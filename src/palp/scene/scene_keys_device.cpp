// The keys of devices (scene_keys.hpp).
#include "palp/devices/simulated.hpp"
#include "palp/safety/device_profile.hpp"
#include "palp/safety/hand.hpp"
#include "palp/scene/limits.hpp"
#include "palp/scene/scene_keys.hpp"

namespace palp::scene_keys {
namespace {

using namespace keys;

Key smooth(std::string help) { return flag("smooth", true, std::move(help)); }

Keys path() {
  return {list("path", "way-points").needed("way-points: path: [{time: 0, position: [0, 0, 0]}, …]"),
          list("sines", "added to the path"),
          smooth("way-points are passed without a kink; false: straight lines")};
}

}  // namespace

const Keys& any_device() {
  static const Keys table{
      choice("type", "", {"script", "hand", "replay"},
             "`script` moves along its path, whatever the force; `hand` like an arm that aims at the path "
             "and is "
             "pushed back; `replay` as a CSV series tells")
          .needed("script, hand or replay"),
      map("holds", "what it holds, or a list of that"),
      course("button", {0, 1}, "its first button is pressed where this is above a half").otherwise("never"),
      map("profile", "what limits its force: a map, `desktop` or `none`: [safety.md](safety.md)")
          .otherwise("none")};
  return table;
}

const Keys& device(DeviceType type) {
  static const Keys script = path();
  static const HandSettings arm;
  static const Keys hand =
      join({path(),
            {number("mass", arm.mass_kg, limits::mass_kg, "of the arm, kg"),
             number("stiffness", arm.stiffness_N_per_m, limits::coupling, "N/m towards the path"),
             number("damping", arm.damping_N_s_per_m, limits::coupling, "N·s/m"),
             number("inertia", arm.inertia_kg_m2, limits::inertia_kg_m2, "kg·m²"),
             number("angularStiffness", arm.angular_stiffness_Nm_per_rad, limits::coupling, "N·m/rad"),
             number("angularDamping", arm.angular_damping_Nm_s_per_rad, limits::coupling, "N·m·s/rad")}});
  static const Keys replay{word("file", "the series, relative to the scene")
                               .needed("a CSV series, e.g. one that palp run --csv wrote"),
                           word("name", "prefix of its columns"),
                           smooth("false holds each sample until the next")};
  return type == DeviceType::script ? script : type == DeviceType::hand ? hand : replay;
}

const Keys& way_point() {
  static const Keys table{
      number("time", 0, limits::time_s, "s").needed("seconds"),
      vector("position", Vec3::Zero(), limits::position_m, "m").needed("three numbers in metres"),
      vector("rotation", Vec3::Zero(), limits::angle_deg, "axis times degrees")};
  return table;
}

const Keys& sine() {
  static const Keys table{
      vector("amplitude", Vec3::Zero(), limits::position_m, "m").needed("three numbers in metres"),
      number("frequency", 1, limits::frequency_Hz, "Hz").needed("in hertz"),
      number("phase", 0, limits::angle_rad, "rad"),
      number("start", 0, limits::time_s, "s: it is still before")};
  return table;
}

const Keys& hold() {
  const CouplingSettings c;
  static const Keys table{
      word("body", "its name").needed("the name of a body"),
      integer("frame", 0, 0, limits::most_count, "node of a beam"),
      nodes("nodes", "a spring on each of these; of a rigid hold: which of the body's `grasp`"),
      flag("rigid", false,
           "the nodes of the body's `grasp`, or the obstacle, go exactly where the device goes")
          .otherwise("where there is no `stiffness`"),
      number("stiffness", c.stiffness_N_per_m, limits::stiffness_N_per_m, "N/m, of all nodes together"),
      number("damping", 1, limits::coupling, "N·s/m").otherwise("critical"),
      number("angularStiffness", 0, limits::coupling, "N·m/rad"),
      number("angularDamping", 0, limits::coupling, "N·m·s/rad").otherwise("as fast as `damping`"),
      number("from", 0, limits::time_s, "it holds from this time on, s; springs and obstacles, one rate")
          .otherwise("the start"),
      number("until", 0, limits::time_s, "and until this one, s").otherwise("the end"),
      number("breakForce", 0, limits::force_N, "N: a step with more than this lets go for good")
          .otherwise("it holds"),
      integer("button", 1, 1, 32, "it holds while this button of the device is pressed").otherwise("always")};
  return table;
}

const Keys& profile() {
  static const DeviceProfile p;
  static const Keys table{
      number("maxForce", p.max_force_N, limits::force_N, "N"),
      number("maxTorque", p.max_torque_Nm, limits::force_N, "N·m"),
      number("slew", p.max_slew_N_per_s, limits::force_N, "N/s"),
      number("torqueSlew", p.max_torque_slew_Nm_per_s, limits::force_N, "N·m/s"),
      number("maxStiffness", p.max_stiffness_N_per_m, limits::stiffness_N_per_m,
             "N/m; a stiffer coupling is warned about"),
      number("damping", p.damping_N_s_per_m, limits::coupling, "N·s/m, of the arm and a light grip"),
      number("sampleTime", p.sample_time_s, limits::duration_s, "s").otherwise("the tick"),
      number("maxSpeed", p.max_speed_m_per_s, limits::speed, "m/s; faster is a fault, not a hand"),
      number("maxAngularSpeed", p.max_angular_speed_rad_per_s, limits::speed, "rad/s"),
      number("ramp", p.ramp_s, limits::duration_s, "s, from nothing to everything"),
      number("decay", p.decay_s, limits::duration_s, "s, from everything to nothing"),
      number("staleAfter", p.stale_s, limits::duration_s, "s that the low rate may be silent"),
      number("lateAfter", p.late_s, limits::duration_s, "s that a tick may be late"),
      flag("passivity", p.passivity, "the passivity controller")};
  return table;
}

}  // namespace palp::scene_keys
