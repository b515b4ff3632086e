// The one interface behind which every haptic device stands, real or simulated. The loop asks where the hand
// is, then tells it what force to feel. Only open() and close() touch hardware; read() and write() pass
// numbers to and from whoever does (backends/).
#pragma once
#include <cstdint>
#include <string>

#include "palp/safety/device_profile.hpp"
#include "palp/safety/hand.hpp"

namespace palp {

struct DeviceReading {
  DevicePose pose;
  unsigned buttons = 0;  ///< bit 0: the first one
  bool present = true;   ///< false: the device is gone; the pose is the last one known
  double gripper_m = 0;  ///< opening of the gripper; 0 without one
};

/// What is known of a device once it is open.
struct DeviceInfo {
  std::string kind = "simulated";  ///< the name of its backend
  std::string name = {}, serial = {};
  // Where its handle can go: metres, x to the user's right, y away from the user, z up. Empty: anywhere.
  Vec3 workspace_low = Vec3::Zero(), workspace_high = Vec3::Zero();
  int senses = 6;  ///< degrees of freedom of its pose: 3 or 6
  int feels = 6;   ///< of its force: 0, 3 or 6
  int buttons = 0;
  bool gripper = false;
  double period_s = 0;  ///< between two poses; 0: whenever it is asked
  /// What it may be asked for, in the scene's metres: its own limits where it tells them, cautious ones
  /// otherwise.
  DeviceProfile limits = DeviceProfile::unlimited();
};

/// How it has been since it was opened.
struct DeviceHealth {
  bool open = true, present = true;
  std::uint64_t frames = 0;    ///< good poses
  std::uint64_t refused = 0;   ///< poses that no hand can have: no number, out of the workspace, malformed
  std::uint64_t missed = 0;    ///< exchanges without an answer in time
  std::uint64_t skipped = 0;   ///< poses that were lost on the way to Palp, or overtaken by a newer one
  std::uint64_t losses = 0;    ///< times that it was gone
  std::uint64_t opened = 0;    ///< times that it was opened
  std::uint64_t silences = 0;  ///< times that the loop said nothing for too long while it was to be felt
  // What the newest-value hand-over leaves out, which is as it should be when one side is the faster one:
  // every good pose is read or counted here, and so is every wrench.
  std::uint64_t unread = 0;  ///< poses that a newer one replaced before the loop asked
  std::uint64_t unsent = 0;  ///< wrenches that a newer one replaced before the device asked
  // Of the newest exchange: what the way through Palp takes.
  double pose_age_us = 0;    ///< how old the pose was when the loop read it
  double wrench_age_us = 0;  ///< how old the wrench was when the device was told
  double exchange_us = 0;    ///< how long service or vendor took; 0: the device sets the pace itself
};

class Device {
 public:
  virtual ~Device() = default;
  /// The reading at simulation time `time_s`. Never blocks, allocates or throws.
  virtual DeviceReading read(double time_s) = 0;
  /// The wrench that the user is to feel from now on, for the next `h_s`. Never blocks, allocates or throws.
  virtual void write(const Wrench& wrench, double h_s) = 0;

  // A device without hardware needs none of these.
  /// Finds and opens the hardware; an error says in one sentence what is missing.
  virtual Result<void> open() { return {}; }
  /// Zero force, then lets go of the hardware. May be called at any time and twice.
  virtual void close() {}
  virtual DeviceInfo info() const { return {}; }
  virtual DeviceHealth health() const { return {}; }
  /// The next reading is to be this pose of the scene: the device is moved over, not the hand.
  virtual void place(const DevicePose&) {}
};

}  // namespace palp
