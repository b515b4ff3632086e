// Plays a recording's readings back, tick by tick and bit for bit: also those that are faults (no number, a
// jump, a device that is gone), which ReplayDevice refuses. What a replay of a whole run needs.
#pragma once
#include <algorithm>
#include <vector>

#include "palp/devices/device.hpp"

namespace palp {

class RecordedDevice final : public Device {
 public:
  struct Sample {
    double time_s = 0;  ///< the time that the loop asks for, ascending
    DeviceReading reading;
  };
  /// `start`: the reading before the first sample.
  RecordedDevice(const DeviceReading& start, std::vector<Sample> samples)
      : start_(start), samples_(std::move(samples)) {}

  DeviceReading read(double time_s) override {
    // Half a nanosecond of slack: the recorded time may be the asked one but for rounding.
    const auto next = std::upper_bound(samples_.begin(), samples_.end(), time_s + 5e-10,
                                       [](double t, const Sample& s) { return t < s.time_s; });
    return next == samples_.begin() ? start_ : (next - 1)->reading;
  }
  void write(const Wrench&, double) override {}

 private:
  DeviceReading start_;
  std::vector<Sample> samples_;
};

}  // namespace palp
