#include "palp/devices/simulated.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "palp/math/rotation.hpp"

namespace palp {

Result<ReplayDevice> ReplayDevice::make(std::vector<Sample> samples, bool interpolate) {
  if (samples.empty()) return Error{.message = "a replay has no samples", .remedy = "record at least one"};
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!std::isfinite(samples[i].time_s) || !samples[i].reading.pose.finite())
      return Error{.message = "sample " + std::to_string(i) + " of the replay is not finite",
                   .remedy = "the recording is damaged: cut it before this sample"};
    if (i > 0 && samples[i].time_s < samples[i - 1].time_s)
      return Error{.message = "sample " + std::to_string(i) + " of the replay goes back in time",
                   .remedy = "order the samples by time"};
  }
  return ReplayDevice(std::move(samples), interpolate);
}

DeviceReading ReplayDevice::read(double time_s) {
  // Half a nanosecond of slack: a recorded time may be the asked one but for rounding.
  const auto next = std::upper_bound(samples_.begin(), samples_.end(), time_s + 5e-10,
                                     [](double t, const Sample& s) { return t < s.time_s; });
  if (next == samples_.begin()) return samples_.front().reading;
  const Sample& before = *(next - 1);
  if (!interpolate_ || next == samples_.end() || time_s <= before.time_s + 5e-10) return before.reading;
  const double span = next->time_s - before.time_s, s = (time_s - before.time_s) / span;
  const DevicePose &a = before.reading.pose, &b = next->reading.pose;
  const Vec3 turn = vector_from_rotation(b.orientation * a.orientation.conjugate());
  DeviceReading between = before.reading;
  between.pose.position = a.position + s * (b.position - a.position);
  between.pose.velocity = (b.position - a.position) / span;
  between.pose.orientation = rotation_from_vector(s * turn) * a.orientation;
  between.pose.angular_velocity = turn / span;
  return between;
}

Result<HandDevice> HandDevice::make(Path aim, const HandSettings& s) {
  for (double v : {s.mass_kg, s.stiffness_N_per_m, s.damping_N_s_per_m, s.inertia_kg_m2,
                   s.angular_stiffness_Nm_per_rad, s.angular_damping_Nm_s_per_rad})
    if (!std::isfinite(v) || v < 0)
      return Error{.message = "the hand has a setting that is negative or not finite",
                   .remedy = "all are 0 or more"};
  if (s.mass_kg <= 0 || s.inertia_kg_m2 <= 0)
    return Error{.message = "the hand has no mass or no inertia",
                 .remedy = "an arm moves about 0.5 kg at the device"};
  return HandDevice(std::move(aim), s);
}

HandDevice::HandDevice(Path aim, const HandSettings& settings)
    : aim_(std::move(aim)), settings_(settings), pose_(aim_.at(0)) {}

DeviceReading HandDevice::read(double time_s) {
  time_s_ = time_s;
  return {pose_};
}

void HandDevice::write(const Wrench& wrench, double h) {
  // An arm is continuous: a device that is served seldom must not make it sluggish. So it is stepped by at
  // most a millisecond while the force is held.
  constexpr double longest_s = 1e-3;
  const int steps = std::max(1, static_cast<int>(std::ceil(h / longest_s - 1e-9)));
  for (int i = 0; i < steps; ++i) move(wrench, time_s_ + (i + 1) * (h / steps), h / steps);
}

void HandDevice::move(const Wrench& wrench, double end_s, double h) {
  // Implicit Euler on the arm's own spring and damper, explicit in the device's force: that is how a real arm
  // meets a sampled device, and the arm itself must not add energy.
  const HandSettings& s = settings_;
  const DevicePose aim = aim_.at(end_s);
  const double a = s.mass_kg + h * s.damping_N_s_per_m + h * h * s.stiffness_N_per_m;
  pose_.velocity = (s.mass_kg * pose_.velocity + h * (s.stiffness_N_per_m * (aim.position - pose_.position) +
                                                      s.damping_N_s_per_m * aim.velocity + wrench.force)) /
                   a;
  pose_.position += h * pose_.velocity;
  effort_ = s.stiffness_N_per_m * (aim.position - pose_.position) +
            s.damping_N_s_per_m * (aim.velocity - pose_.velocity);

  const double b =
      s.inertia_kg_m2 + h * s.angular_damping_Nm_s_per_rad + h * h * s.angular_stiffness_Nm_per_rad;
  const Vec3 turn = vector_from_rotation(aim.orientation * pose_.orientation.conjugate());
  pose_.angular_velocity = (s.inertia_kg_m2 * pose_.angular_velocity +
                            h * (s.angular_stiffness_Nm_per_rad * turn +
                                 s.angular_damping_Nm_s_per_rad * aim.angular_velocity + wrench.torque)) /
                           b;
  pose_.orientation = (rotation_from_vector(h * pose_.angular_velocity) * pose_.orientation).normalized();
}

}  // namespace palp
