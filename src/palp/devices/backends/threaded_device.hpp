// A backend as a device: its thread, the hand-over to the loop, the way from its workspace to the scene, the
// clutch. When the device is gone it is opened again, and the hand goes on from where it was.
//
// Zero force is what the device is told at last, however it ends: close(), the destructor (and so every
// exception that unwinds), a loop that falls silent, a device that comes back.
#pragma once
#include <memory>
#include <thread>

#include "palp/devices/backends/backend.hpp"
#include "palp/devices/backends/workspace_map.hpp"

namespace palp {

struct WorkspaceOptions {
  double scale = 1;                  ///< scene metres per metre of the hand
  Quat rotation = Quat::Identity();  ///< from the device's axes to the scene's
  /// While this button is held the hand moves and the tool does not, without force; then it goes on from
  /// there. 1: the first button; 0: no clutch.
  int clutch_button = 0;
};

class ThreadedDevice final : public Device {
 public:
  explicit ThreadedDevice(std::unique_ptr<Backend> backend, const WorkspaceOptions& options = {});
  ~ThreadedDevice() override;
  ThreadedDevice(const ThreadedDevice&) = delete;

  Result<void> open() override;
  void close() override;
  DeviceReading read(double time_s) override;
  void write(const Wrench& wrench, double h_s) override;
  DeviceInfo info() const override { return info_; }
  DeviceHealth health() const override;
  void place(const DevicePose& scene) override;

 private:
  struct Inside;
  static void run(Inside& inside);
  void abandon();

  std::shared_ptr<Inside> inside_;  ///< the thread's too: a vendor's call that never returns may outlive us
  std::thread thread_;
  DeviceInfo info_;
  // The loop's thread.
  WorkspaceMap map_;
  WorkspaceOptions options_;
  ForceGain clutch_gain_;
  DeviceReading last_;
  DevicePose place_;
  long opened_ = 0;
  bool clutched_ = false, indexed_ = false;
};

}  // namespace palp
