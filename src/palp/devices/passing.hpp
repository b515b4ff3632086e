// A device that passes everything on to another, which others may own too: a scene that is built again goes
// on with the same hand. Whoever wants to look at what passes, or to change it, overrides that.
#pragma once
#include <memory>
#include <utility>

#include "palp/devices/device.hpp"

namespace palp {

class PassingDevice : public Device {
 public:
  explicit PassingDevice(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  DeviceReading read(double time_s) override { return device_->read(time_s); }
  void write(const Wrench& wrench, double h_s) override { device_->write(wrench, h_s); }
  Result<void> open() override { return device_->open(); }
  void close() override { device_->close(); }
  DeviceInfo info() const override { return device_->info(); }
  DeviceHealth health() const override { return device_->health(); }
  void place(const DevicePose& pose) override { device_->place(pose); }

 protected:
  Device& passed() const { return *device_; }

 private:
  std::shared_ptr<Device> device_;
};

}  // namespace palp
