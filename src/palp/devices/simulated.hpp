// Devices without hardware: a script that ignores the force, a replay of a recorded series, and a simulated
// human arm that is pushed back by the force, so that the loop through the user is closed.
#pragma once
#include <vector>

#include "palp/devices/path.hpp"

namespace palp {

/// Follows a path exactly.
class ScriptDevice final : public Device {
 public:
  explicit ScriptDevice(Path path) : path_(std::move(path)) {}
  DeviceReading read(double time_s) override { return {path_.at(time_s)}; }
  void write(const Wrench&, double) override {}

 private:
  Path path_;
};

/// Plays a recorded series back: the last sample not later than the asked time or, for series that are
/// coarser than the loop, the straight line between two samples (exact at the samples themselves).
class ReplayDevice final : public Device {
 public:
  struct Sample {
    double time_s = 0;
    DeviceReading reading;
  };
  static Result<ReplayDevice> make(std::vector<Sample> samples, bool interpolate = false);
  DeviceReading read(double time_s) override;
  void write(const Wrench&, double) override {}

 private:
  ReplayDevice(std::vector<Sample> samples, bool interpolate)
      : samples_(std::move(samples)), interpolate_(interpolate) {}
  std::vector<Sample> samples_;
  bool interpolate_ = false;
};

/// A human arm that aims at a path: a mass on a spring and damper whose far end follows the path,
///     m a = k (x_aim − x) + d (v_aim − v) + F_device,
/// and the same in rotation. Typical values of a relaxed to firm grasp.
struct HandSettings {
  double mass_kg = 0.5;
  double stiffness_N_per_m = 500;
  double damping_N_s_per_m = 10;
  double inertia_kg_m2 = 5e-4;
  double angular_stiffness_Nm_per_rad = 2;
  double angular_damping_Nm_s_per_rad = 0.04;
};

class HandDevice final : public Device {
 public:
  static Result<HandDevice> make(Path aim, const HandSettings& settings);
  DeviceReading read(double time_s) override;
  void write(const Wrench& wrench, double h_s) override;
  /// Force of the arm's own spring and damper: what the person does.
  const Vec3& effort() const { return effort_; }

 private:
  HandDevice(Path aim, const HandSettings& settings);
  void move(const Wrench& wrench, double end_s, double h_s);
  Path aim_;
  HandSettings settings_;
  DevicePose pose_;
  double time_s_ = 0;
  Vec3 effort_ = Vec3::Zero();
};

}  // namespace palp
