// The one interface behind which every haptic device stands, real or simulated. The loop asks where the hand
// is, then tells it what force to feel.
#pragma once
#include "palp/haptics/coupling.hpp"

namespace palp {

struct DeviceReading {
  DevicePose pose;
  unsigned buttons = 0;
  bool present = true;  ///< false: the device is gone; the pose is the last one known
};

class Device {
 public:
  virtual ~Device() = default;
  /// The reading at simulation time `time_s`. Never blocks, allocates or throws.
  virtual DeviceReading read(double time_s) = 0;
  /// The wrench that the user is to feel from now on, for the next `h_s`.
  virtual void write(const Wrench& wrench, double h_s) = 0;
};

}  // namespace palp
