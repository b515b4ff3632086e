// Devices written in Python: an object with read(time_s) and, if it wants to feel, write(force_N, torque_Nm,
// h_s); or a plain function of time. What read returns is
//     3 numbers    position, m
//     7 numbers    position and orientation (unit quaternion x y z w)
//     13 numbers   the same, velocity and angular velocity (world axes)
//     a dict       position, orientation, velocity, angular_velocity, buttons, present; all but position may
//     be left out
// Velocities that are not given are differences of readings.
#pragma once
#include <atomic>

#include "common.hpp"

#include "palp/base/triple_buffer.hpp"
#include "palp/devices/device.hpp"
#include "palp/scene/scene.hpp"

namespace palp::python {

/// Calls the Python object; the caller holds the interpreter lock.
class PythonHand {
 public:
  explicit PythonHand(py::object target);
  DeviceReading read(double time_s);
  void write(const Wrench& wrench, double h_s);

 private:
  py::object read_, write_;
  DeviceReading last_;
  double last_s_ = 0;
  bool seen_ = false;
};

/// On the virtual clock: asked at every step. What it raises is kept until the step is over.
class SteppedHand final : public Device {
 public:
  SteppedHand(py::object target, std::exception_ptr& fault) : hand_(std::move(target)), fault_(fault) {}
  DeviceReading read(double time_s) override;
  void write(const Wrench& wrench, double h_s) override;

 private:
  PythonHand hand_;
  DeviceReading last_;
  std::exception_ptr& fault_;
};

/// What a hand does and feels, for whoever looks.
struct HandView {
  DevicePose pose;
  Wrench wrench;
};

/// On the real clock: stands in front of a device of the scene, or of a Python object that another thread
/// asks
/// (`ask`). The haptic thread never waits for either.
class WatchedHand final : public Device {
 public:
  explicit WatchedHand(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}
  explicit WatchedHand(py::object target);
  DeviceReading read(double time_s) override;
  void write(const Wrench& wrench, double h_s) override;

  bool is_python() const { return hand_ != nullptr; }
  /// The Python thread, with the interpreter lock: one exchange with the object. Not called again once it
  /// raised.
  void ask(double time_s, double h_s);
  /// The object is gone: the safety chain lets the force decay.
  void lose();
  /// The newest; from one thread at a time.
  const HandView& look();

 private:
  std::unique_ptr<Device> inner_;
  std::unique_ptr<PythonHand> hand_;
  DeviceReading asked_;                   ///< the Python thread's
  TripleBuffer<DeviceReading> readings_;  ///< Python thread → haptic thread
  TripleBuffer<Wrench> felt_;             ///< haptic thread → Python thread
  TripleBuffer<HandView> views_;          ///< haptic thread → whoever looks
  DevicePose pose_;                       ///< the haptic thread's
};

/// The number of a device of the scene, or KeyError with the names that there are.
size_t device_number(const Scene& scene, const std::string& name);

}  // namespace palp::python
