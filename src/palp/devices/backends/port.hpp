// The hand-over between the loop's tick and the device's own thread: the newest pose one way, the newest
// wrench the other, through wait-free triple buffers. Neither side ever waits for the other.
//
//     loop     write(wrench) ──►  wanted()   device     zero when the loop has been silent for too long
//     loop     read()        ◄──  got(frame) device     not present when the device has been
//
// Times are given, not taken: the whole of it can be tried on a virtual clock.
#pragma once
#include <atomic>

#include "palp/base/triple_buffer.hpp"
#include "palp/devices/backends/force_gate.hpp"
#include "palp/devices/device.hpp"

namespace palp {

/// What a device says of itself at one moment: metres, x to the right, y away from the user, z up, in its own
/// workspace.
struct DeviceFrame {
  DevicePose pose;
  unsigned buttons = 0;
  double gripper_m = 0;
};

class DevicePort {
 public:
  /// The loop may be silent for so long, or for three of its steps.
  static constexpr double silence_s = 0.02;

  // The loop's thread.
  struct Reading {
    DeviceFrame frame;
    bool present = false;
    long opened = 0;  ///< how often the device was opened when it gave this frame
  };
  Reading read(double now_us);
  void write(const Wrench& wrench, double h_s, double now_us);

  // The device's thread, or the vendor's.
  /// The device is open: forces start from zero, frames are good for `stale_s`.
  void opened(const DeviceInfo& info, double stale_s);
  /// The device is gone.
  void lost();
  /// A frame; false when no hand can be there: then the device counts as not present.
  bool got(const DeviceFrame& frame, double now_us);
  void refuse();  ///< a frame that could not even be read
  void missed() { missed_.fetch_add(1, std::memory_order_relaxed); }
  void skipped(std::uint64_t count) { skipped_.fetch_add(count, std::memory_order_relaxed); }
  /// What the device is to render now.
  Wrench wanted(double now_us);
  /// From now on nothing is wanted.
  void let_go() { letting_go_.store(true, std::memory_order_relaxed); }
  /// What was wanted last is nothing. From any thread.
  bool resting() const { return resting_.load(std::memory_order_relaxed); }

  /// From any thread.
  DeviceHealth health() const;

 private:
  struct Command {
    Wrench wrench;
    double h_s = 0, time_us = 0;  ///< 0: nothing has been written yet
    std::uint64_t number = 0;
  };
  struct Slot {
    DeviceFrame frame;
    bool present = false;
    double good_until_us = 0, time_us = 0;
    long opened = 0;
    std::uint64_t number = 0;  ///< how many good frames there have been, this one included
  };
  void publish(const DeviceFrame& frame, bool present, double good_until_us);

  TripleBuffer<Command> commands_;
  TripleBuffer<Slot> frames_;
  std::uint64_t written_ = 0, read_ = 0;  ///< the loop's: wrenches given, the newest good frame seen
  std::uint64_t taken_ = 0;               ///< the device's: the newest wrench seen
  // The device's thread.
  ForceGate gate_;
  DeviceInfo info_;
  DeviceFrame last_;
  double stale_s_ = 0.03, good_until_us_ = 0, good_us_ = 0, wanted_us_ = 0;
  bool present_ = false, silent_ = true;
  std::atomic<bool> letting_go_{false}, there_{false}, resting_{true};
  std::atomic<std::uint64_t> good_{0}, refused_{0}, missed_{0}, skipped_{0}, losses_{0}, opened_{0},
      silences_{0}, unread_{0}, unsent_{0};
  std::atomic<double> pose_age_us_{0}, wrench_age_us_{0};
};

}  // namespace palp
