#include "device.hpp"

#include <cmath>

namespace palp::python {
namespace {

Quat orientation(const double* q) {
  const Quat turn(q[3], q[0], q[1], q[2]);
  if (!(std::abs(turn.norm() - 1) < 1e-6))
    throw py::value_error("the orientation of a device is a unit quaternion x y z w");
  return turn.normalized();
}

/// Rotation vector from one orientation to the next, per second.
Vec3 angular_velocity(const Quat& from, const Quat& to, double dt_s) {
  Quat turn = to * from.conjugate();
  if (turn.w() < 0) turn.coeffs() *= -1;
  const double sine = turn.vec().norm();
  if (sine == 0) return Vec3::Zero();
  return turn.vec() * (2 * std::atan2(sine, turn.w()) / (sine * dt_s));
}

}  // namespace

PythonHand::PythonHand(py::object target) {
  if (py::hasattr(target, "read")) {
    read_ = target.attr("read");
    if (py::hasattr(target, "write")) write_ = target.attr("write");
  } else if (PyCallable_Check(target.ptr())) {
    read_ = std::move(target);
  } else {
    throw py::type_error("a device has read(time_s), or is a function of time that returns a position");
  }
}

DeviceReading PythonHand::read(double time_s) {
  const py::object answer = read_(time_s);
  DeviceReading r;
  bool has_velocity = false, has_spin = false;
  if (py::isinstance<py::dict>(answer)) {
    const auto given = answer.cast<py::dict>();
    for (const auto& [key, part] : given) {
      const auto name = key.cast<std::string>();
      if (name == "position") {
        r.pose.position = vec3(part.cast<Doubles>(), "position");
      } else if (name == "orientation") {
        const auto q = part.cast<Doubles>();
        if (q.size() != 4) throw py::value_error("orientation has four numbers: x y z w");
        r.pose.orientation = orientation(q.data());
      } else if (name == "velocity") {
        r.pose.velocity = vec3(part.cast<Doubles>(), "velocity");
        has_velocity = true;
      } else if (name == "angular_velocity") {
        r.pose.angular_velocity = vec3(part.cast<Doubles>(), "angular_velocity");
        has_spin = true;
      } else if (name == "buttons") {
        r.buttons = part.cast<unsigned>();
      } else if (name == "present") {
        r.present = part.cast<bool>();
      } else {
        throw py::key_error("a device reading has no '" + name +
                            "': position, orientation, velocity, angular_velocity, buttons, present");
      }
    }
    if (!given.contains("position")) throw py::key_error("a device reading needs a position");
  } else {
    const auto numbers = answer.cast<Doubles>();
    const double* n = numbers.data();
    if (numbers.size() != 3 && numbers.size() != 7 && numbers.size() != 13)
      throw py::value_error(
          "a device returns 3 numbers (position), 7 (and orientation) or 13 (and velocities), not " +
          std::to_string(numbers.size()));
    r.pose.position = {n[0], n[1], n[2]};
    if (numbers.size() > 3) r.pose.orientation = orientation(n + 3);
    if (numbers.size() > 7) {
      r.pose.velocity = {n[7], n[8], n[9]};
      r.pose.angular_velocity = {n[10], n[11], n[12]};
      has_velocity = has_spin = true;
    }
  }
  const double dt_s = time_s - last_s_;
  if (seen_ && dt_s > 0) {
    if (!has_velocity) r.pose.velocity = (r.pose.position - last_.pose.position) / dt_s;
    if (!has_spin)
      r.pose.angular_velocity = angular_velocity(last_.pose.orientation, r.pose.orientation, dt_s);
  }
  last_ = r;
  last_s_ = time_s;
  seen_ = true;
  return r;
}

void PythonHand::write(const Wrench& wrench, double h_s) {
  if (write_) write_(copied(wrench.force), copied(wrench.torque), h_s);
}

DeviceReading SteppedHand::read(double time_s) {
  if (fault_) return last_;
  const py::gil_scoped_acquire locked;
  try {
    last_ = hand_.read(time_s);
  } catch (...) {
    fault_ = std::current_exception();
    last_.present = false;
  }
  return last_;
}

void SteppedHand::write(const Wrench& wrench, double h_s) {
  if (fault_) return;
  const py::gil_scoped_acquire locked;
  try {
    hand_.write(wrench, h_s);
  } catch (...) {
    fault_ = std::current_exception();
  }
}

WatchedHand::WatchedHand(py::object target) : hand_(std::make_unique<PythonHand>(std::move(target))) {
  asked_ = hand_->read(0);
  readings_.back() = asked_;
  readings_.publish();
}

DeviceReading WatchedHand::read(double time_s) {
  if (inner_) {
    const DeviceReading r = inner_->read(time_s);
    pose_ = r.pose;
    return r;
  }
  readings_.update();
  pose_ = readings_.front().pose;
  return readings_.front();
}

void WatchedHand::write(const Wrench& wrench, double h_s) {
  if (inner_) {
    inner_->write(wrench, h_s);
  } else {
    felt_.back() = wrench;
    felt_.publish();
  }
  views_.back() = {pose_, wrench};
  views_.publish();
}

void WatchedHand::ask(double time_s, double h_s) {
  asked_ = hand_->read(time_s);
  readings_.back() = asked_;
  readings_.publish();
  if (felt_.update()) hand_->write(felt_.front(), h_s);
}

void WatchedHand::lose() {
  asked_.present = false;
  readings_.back() = asked_;
  readings_.publish();
}

const HandView& WatchedHand::look() {
  views_.update();
  return views_.front();
}

size_t device_number(const Scene& scene, const std::string& name) {
  std::string known;
  for (size_t d = 0; d < scene.devices.size(); ++d) {
    if (scene.devices[d].name == name) return d;
    known += (d > 0 ? ", " : "") + scene.devices[d].name;
  }
  throw py::key_error("the scene has no device '" + name + "'" + (known.empty() ? "" : "; it has " + known));
}

}  // namespace palp::python
