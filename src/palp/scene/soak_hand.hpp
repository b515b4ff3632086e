// The hand of a soak (soak.hpp): a simulated arm that wanders along a way, and a device that lies about it.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "palp/devices/simulated.hpp"

namespace palp {

/// Random numbers that are the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  /// Every order of magnitude as likely.
  double logarithmic(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  bool chance(double p) { return uniform(0, 1) < p; }
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937_64 engine_;
};

/// What the device tells in place of the truth.
struct SoakLie {
  bool not_finite = false, jumps = false, gone = false;
  Vec3 away = Vec3::Zero();     ///< jumps: from the truth
  Vec3 turned = Vec3::Zero();   ///< jumps: rotation vector
  double too_fast_m_per_s = 0;  ///< jumps: with a velocity of this
  int which = 0;                ///< not finite: number of pose, 0 to 12
  double number = 0;            ///< … and what it is
};

class SoakHand final : public Device {
 public:
  /// `way`: the places it wanders between, `seconds` from end to end; `stray_m`: how far beside it.
  SoakHand(std::vector<DevicePose> way, double seconds, double stray_m);

  DeviceReading read(double time_s) override;
  /// Keeps the wrench; the arm moves when the tick is over (pass).
  void write(const Wrench& wrench, double h_s) override;
  void pass(double dt_s);
  /// Back to where it began.
  void restart();

  SoakLie lie;
  unsigned buttons = 0;
  const DeviceReading& told() const { return told_; }  ///< last
  const Wrench& given() const { return given_; }       ///< last

 private:
  DevicePose aim() const;

  std::vector<DevicePose> way_;
  double seconds_, stray_m_;
  HandSettings arm_;
  DevicePose pose_;
  DeviceReading told_;
  Wrench given_;
  double time_s_ = 0;
};

}  // namespace palp
