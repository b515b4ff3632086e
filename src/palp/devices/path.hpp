// A prescribed motion: way-points in time, sines on top. What a script plays, and what a simulated hand aims
// at.
#pragma once
#include <vector>

#include "palp/base/result.hpp"
#include "palp/devices/device.hpp"

namespace palp {

struct WayPoint {
  double time_s = 0;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

struct Sine {
  Vec3 amplitude_m = Vec3::Zero();
  double frequency_Hz = 1;
  double phase_rad = 0;
  double start_s = 0;  ///< before it the sine is silent
};

/// Between way-points the motion has zero velocity at both ends and no kink (the 3s² − 2s³ blend); linear
/// when `smooth` is false. Before the first and after the last it stays there.
class Path {
 public:
  static Result<Path> make(std::vector<WayPoint> points, std::vector<Sine> sines = {}, bool smooth = true);
  DevicePose at(double time_s) const;

 private:
  std::vector<WayPoint> points_;
  std::vector<Sine> sines_;
  bool smooth_ = true;
};

}  // namespace palp
