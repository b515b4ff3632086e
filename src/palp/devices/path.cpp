#include "palp/devices/path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "palp/math/rotation.hpp"

namespace palp {

Result<Path> Path::make(std::vector<WayPoint> points, std::vector<Sine> sines, bool smooth) {
  if (points.empty()) return Error{.message = "a path has no way-point", .remedy = "give at least one"};
  for (size_t i = 0; i < points.size(); ++i) {
    WayPoint& p = points[i];
    const bool unit = std::abs(p.orientation.norm() - 1) < 1e-3;
    if (!std::isfinite(p.time_s) || !p.position.allFinite() || !unit)
      return Error{
          .message = "way-point " + std::to_string(i) + " is not a finite time, position and unit quaternion",
          .remedy = "correct its numbers"};
    p.orientation.normalize();
    if (i > 0 && !(p.time_s > points[i - 1].time_s))
      return Error{.message = "way-point " + std::to_string(i) + " is not later than the one before",
                   .remedy = "order the way-points by time"};
  }
  for (size_t i = 0; i < sines.size(); ++i) {
    const Sine& s = sines[i];
    if (!s.amplitude_m.allFinite() || !std::isfinite(s.frequency_Hz) || !std::isfinite(s.phase_rad) ||
        !std::isfinite(s.start_s))
      return Error{.message = "sine " + std::to_string(i) + " is not finite",
                   .remedy = "correct its numbers"};
  }
  Path path;
  path.points_ = std::move(points);
  path.sines_ = std::move(sines);
  path.smooth_ = smooth;
  return path;
}

DevicePose Path::at(double time_s) const {
  DevicePose pose;
  const auto next = std::upper_bound(points_.begin(), points_.end(), time_s,
                                     [](double t, const WayPoint& p) { return t < p.time_s; });
  if (next == points_.begin() || next == points_.end()) {
    const WayPoint& rest = next == points_.end() ? points_.back() : points_.front();
    pose.position = rest.position;
    pose.orientation = rest.orientation;
  } else {
    const WayPoint &a = *(next - 1), &b = *next;
    const double span = b.time_s - a.time_s, s = (time_s - a.time_s) / span;
    const double blend = smooth_ ? s * s * (3 - 2 * s) : s;
    const double rate = (smooth_ ? 6 * s * (1 - s) : 1.0) / span;
    const Vec3 turn = vector_from_rotation(b.orientation * a.orientation.conjugate());
    pose.position = a.position + blend * (b.position - a.position);
    pose.velocity = rate * (b.position - a.position);
    pose.orientation = rotation_from_vector(blend * turn) * a.orientation;
    pose.angular_velocity = rate * turn;
  }
  for (const Sine& sine : sines_) {
    if (time_s < sine.start_s) continue;
    const double w = 2 * std::numbers::pi * sine.frequency_Hz,
                 angle = w * (time_s - sine.start_s) + sine.phase_rad;
    pose.position += (std::sin(angle) - std::sin(sine.phase_rad)) * sine.amplitude_m;
    pose.velocity += w * std::cos(angle) * sine.amplitude_m;
  }
  return pose;
}

}  // namespace palp
