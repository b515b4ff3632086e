// A scene on the real clock, in threads that never wait for Python. Python reads what they leave; a callback
// at the low rate and devices written in Python have threads of their own.
#include "palp/scene/live.hpp"

#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>

#include "contacts.hpp"
#include "device.hpp"
#include "scene.hpp"

#include "palp/scene/run_recording.hpp"

namespace palp::python {
namespace {

struct LiveMoment {
  LiveView view;
  std::vector<HandView> hands;
};

class Live {
 public:
  Live(CheckedScene& checked, const py::dict& devices, double seconds, py::object each,
       const std::string& record)
      : scene_(checked.build()), each_(std::move(each)), closed_(true) {
    for (SceneDevice& device : scene_->devices) {
      const py::str name(device.name);
      auto hand = devices.contains(name) ? std::make_unique<WatchedHand>(py::object(devices[name]))
                                         : std::make_unique<WatchedHand>(std::move(device.device));
      hands_.push_back(hand.get());
      device.device = std::move(hand);
    }
    for (const auto& entry : devices) device_number(*scene_, entry.first.cast<std::string>());
    if (!record.empty()) recorder_ = value(make_recorder(record, *scene_, PALP_BUILD, {}));
    live_ = value(LiveScene::start(*scene_, {.seconds = seconds}, recorder_.get()));
    closed_ = false;
    start_ = std::chrono::steady_clock::now();
    if (!each_.is_none()) watcher_ = std::thread([this] { watch(); });
    for (const WatchedHand* hand : hands_)
      if (hand->is_python() && !asker_.joinable()) asker_ = std::thread([this] { ask(); });
  }
  ~Live() {
    py::gil_scoped_release unlocked;
    end();
  }

  bool running() const { return live_->running(); }
  const Scene& scene() const { return *scene_; }

  LiveMoment moment() {
    py::gil_scoped_release unlocked;
    const std::lock_guard lock(reading_);
    LiveMoment now{live_->view(), {}};
    for (WatchedHand* hand : hands_) now.hands.push_back(hand->look());
    return now;
  }

  void set_friction(const std::string& body1, const std::string& body2, double mu) {
    if (!live_->set_friction(body1, body2, mu))
      raise({.message = "'" + body1 + "' and '" + body2 +
                        "' do not touch in this scene, or μ is not a number from 0",
             .file = scene_->spec.file});
  }

  bool wait(double seconds) {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::duration<double>(std::min(seconds, 1e8));
    while (running() && std::chrono::steady_clock::now() < until) {
      {
        py::gil_scoped_release unlocked;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return !running();
  }

  RealTimeReport stop() {
    {
      py::gil_scoped_release unlocked;
      end();
    }
    if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
    check(recorded_);
    return value(live_->stop());
  }

  py::object picture(const LiveMoment& now) const;

 private:
  void end() {
    if (closed_) return;
    closed_ = true;
    over_ = true;
    (void)live_->stop();
    if (watcher_.joinable()) watcher_.join();
    if (asker_.joinable()) asker_.join();
    if (recorder_) recorded_ = recorder_->close();
  }

  /// The callback's thread: after every low-rate step that it sees in time.
  void watch() {
    const auto pause = std::chrono::duration<double>(std::clamp(scene_->model.h_s / 4, 2e-4, 0.02));
    double last_s = 0;
    while (!over_ && live_->running()) {
      std::this_thread::sleep_for(pause);
      LiveMoment now;
      {
        const std::lock_guard lock(reading_);
        const LiveView& newest = live_->view();
        if (newest.time_s == last_s) continue;
        now.view = newest;
        for (WatchedHand* hand : hands_) now.hands.push_back(hand->look());
      }
      last_s = now.view.time_s;
      const py::gil_scoped_acquire locked;
      try {
        each_(picture(now));
      } catch (...) {
        note_fault();
        return;
      }
    }
  }

  /// The Python devices' thread: about as often as the haptic one, as far as Python keeps up.
  void ask() {
    const double h_s = scene_->two_rate->settings.h_high_s;
    while (!over_ && live_->running()) {
      const double time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      {
        const py::gil_scoped_acquire locked;
        for (WatchedHand* hand : hands_) {
          if (!hand->is_python()) continue;
          try {
            hand->ask(time_s, h_s);
          } catch (...) {
            note_fault();
            hand->lose();
            return;
          }
        }
      }
      std::this_thread::sleep_for(std::chrono::duration<double>(h_s));
    }
  }

  /// With the interpreter lock, which orders the threads that may come here.
  void note_fault() {
    if (!fault_) fault_ = std::current_exception();
  }

  const std::unique_ptr<Scene> scene_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<LiveScene> live_;
  std::vector<WatchedHand*> hands_;
  py::object each_;
  std::mutex reading_;  ///< one reader at a time for what the haptic threads leave
  std::atomic<bool> over_ = false;
  bool closed_;
  std::exception_ptr fault_;
  Result<void> recorded_;
  std::chrono::steady_clock::time_point start_;
  std::thread watcher_, asker_;
};

py::object Live::picture(const LiveMoment& now) const {
  py::dict skins, hands;
  for (size_t b = 0; b < now.view.skins.size(); ++b)
    skins[py::str(scene_->model.bodies[b].name)] = copied_points(now.view.skins[b]);
  for (size_t d = 0; d < now.hands.size(); ++d) {
    const HandView& h = now.hands[d];
    hands[py::str(scene_->devices[d].name)] =
        py::dict("position"_a = copied(h.pose.position), "force"_a = copied(h.wrench.force),
                 "torque"_a = copied(h.wrench.torque));
  }
  return py::module_::import("types").attr("SimpleNamespace")(
      "time_s"_a = now.view.time_s, "skins"_a = skins,
      "contacts"_a = contact_arrays(*scene_, now.view.contacts), "certificate"_a = now.view.certificate,
      "hands"_a = hands);
}

py::dict report(const RealTimeReport& r) {
  const auto times = [](const TimeQuantiles& t) {
    return py::dict("p50"_a = t.p50, "p99"_a = t.p99, "p999"_a = t.p999, "max"_a = t.max);
  };
  return py::dict("wall_s"_a = r.wall_s, "ticks"_a = r.ticks, "low_steps"_a = r.low_steps,
                  "missed_periods"_a = r.missed_periods, "long_ticks"_a = r.long_ticks,
                  "failed_ticks"_a = r.failed_ticks, "failed_low_steps"_a = r.failed_low_steps,
                  "unconverged_ticks"_a = r.unconverged_ticks, "worst_certificate"_a = r.worst_certificate,
                  "most_contacts"_a = r.most_contacts, "late_us"_a = times(r.late_us),
                  "cost_us"_a = times(r.cost_us), "low_cost_us"_a = times(r.low_cost_us),
                  "has_priority"_a = r.has_priority);
}

}  // namespace

void add_live(py::module_& m) {
  py::class_<Live>(m, "Live",
                   "A scene with `haptics:` on the real clock, in the background. Made by palp.live().")
      .def(py::init([](CheckedScene& scene, const py::dict& devices, double seconds, py::object each,
                       const std::string& record) {
             return std::make_unique<Live>(scene, devices, seconds, std::move(each), record);
           }),
           "scene"_a, "devices"_a, "seconds"_a, "each"_a, "record"_a)
      .def_property_readonly("running", &Live::running, "False when it has ended or was stopped.")
      .def(
          "read", [](Live& l) { return l.picture(l.moment()); },
          "The newest moment: time_s, skins (by body, (n, 3), m), contacts (position, normal, force in N), "
          "certificate, "
          "hands (position m, force N, torque N·m, as of the newest tick).")
      .def("set_friction", &Live::set_friction, "body1"_a, "body2"_a, "mu"_a,
           "μ between two bodies, from the next low-rate step on.")
      .def("wait", &Live::wait, "seconds"_a = 1e8,
           "Waits until the run is over, at most so long, s; whether it is.")
      .def(
          "stop", [](Live& l) { return report(l.stop()); },
          "Ends the run: the devices are given zero force. Returns how it went (times in µs). What a device "
          "or a "
          "callback raised is raised here.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](Live& l, const py::object& type, const py::object&, const py::object&) {
        if (type.is_none()) {
          (void)l.stop();
        } else {  // something else is already on its way
          try {
            (void)l.stop();
          } catch (py::error_already_set&) {
          }
        }
      });
}

}  // namespace palp::python
