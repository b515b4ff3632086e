#include "palp/devices/backends/threaded_device.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <exception>
#include <future>

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "palp/base/clock.hpp"

namespace palp {
namespace {

constexpr double first_frame_s = 2;     ///< how long open() waits for a pose
constexpr double close_patience_s = 2;  ///< how long close() waits for a vendor
constexpr double reopen_every_s = 0.25;
constexpr double letting_go_s = 0.5;  ///< at most, until the force is zero

void sleep_until_us(double time_us) {
  timespec t;
  t.tv_sec = static_cast<time_t>(time_us * 1e-6);
  t.tv_nsec = static_cast<long>((time_us - 1e6 * static_cast<double>(t.tv_sec)) * 1e3);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

/// Signals are the program's main thread's; priority is asked for and not required.
void settle_thread() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  sched_param p{};
  p.sched_priority = 55;
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);
}

/// In the place of a backend whose vendor has not returned.
class NoBackend final : public Backend {
 public:
  Result<DeviceInfo> open() override {
    return Error{.message = "the device's driver has not returned from its last call",
                 .remedy = "start the program again"};
  }
  Exchange exchange(DevicePort&) override { return Exchange::gone; }
  void close() override {}
};

}  // namespace

struct ThreadedDevice::Inside {
  std::unique_ptr<Backend> backend;
  DevicePort port;
  std::promise<Result<DeviceInfo>> opened;
  std::atomic<bool> stop{false}, over{false};
  std::atomic<double> exchange_us{0};

  /// What a vendor throws is a device that is gone.
  Result<DeviceInfo> open() {
    try {
      return backend->open();
    } catch (const std::exception& e) {
      return Error{.message = std::string("the device could not be opened: ") + e.what()};
    }
  }
  Exchange exchange() {
    try {
      const double begin = now_us();
      const Exchange result = backend->exchange(port);
      if (backend->period_s() > 0) exchange_us.store(now_us() - begin, std::memory_order_relaxed);
      return result;
    } catch (const std::exception&) {
      return Exchange::gone;
    }
  }
  void close() {
    try {
      backend->close();
    } catch (const std::exception&) {
    }
  }
  /// Until the next exchange is due.
  void pace(double& due_us) const {
    const double period_us = 1e6 * backend->period_s(), now = now_us();
    if (period_us <= 0) return;
    due_us = std::max(due_us + period_us, now - period_us);
    if (due_us > now) sleep_until_us(due_us);
  }
};

ThreadedDevice::ThreadedDevice(std::unique_ptr<Backend> backend, const WorkspaceOptions& options)
    : inside_(std::make_shared<Inside>()),
      map_(options.scale, options.rotation),
      options_(options),
      clutch_gain_(DeviceProfile{}) {
  inside_->backend = std::move(backend);
}

ThreadedDevice::~ThreadedDevice() { close(); }

void ThreadedDevice::run(Inside& in) {
  settle_thread();
  Result<DeviceInfo> info = in.open();
  bool is_open = static_cast<bool>(info);
  if (is_open) in.port.opened(*info, in.backend->stale_s());
  in.opened.set_value(info);
  double due_us = now_us();
  for (double retry_us = 0; is_open || retry_us > 0;) {
    if (in.stop) break;
    if (!is_open) {
      sleep_until_us(now_us() + 2e4);
      if (now_us() < retry_us) continue;
      info = in.open();
      is_open = static_cast<bool>(info);
      retry_us = now_us() + 1e6 * reopen_every_s;
      if (is_open) in.port.opened(*info, in.backend->stale_s());
      due_us = now_us();
    } else if (in.exchange() == Exchange::gone) {
      in.close();  // also ends the vendor's thread, if there is one
      in.port.lost();
      is_open = false;
      retry_us = now_us() + 1e6 * reopen_every_s;
    } else {
      in.pace(due_us);
    }
  }
  if (is_open) {
    in.port.let_go();
    for (const double until = now_us() + 1e6 * letting_go_s; now_us() < until;) {
      const bool resting = in.port.resting();  // and the device is told so once more
      if (in.exchange() == Exchange::gone || resting) break;
      in.pace(due_us);
    }
    in.close();
  }
  in.over.store(true, std::memory_order_release);
  in.over.notify_all();
}

Result<void> ThreadedDevice::open() {
  if (thread_.joinable()) return {};
  inside_->opened = {};
  inside_->stop = inside_->over = false;
  auto opened = inside_->opened.get_future();
  thread_ = std::thread([inside = inside_] { run(*inside); });
  Result<DeviceInfo> info = opened.get();
  if (!info) {
    thread_.join();
    return info.error();
  }
  info_ = *info;
  info_.limits = seen_by_scene(info_.limits, options_.scale);
  clutch_gain_ = ForceGain(info_.limits);
  for (const double until = now_us() + 1e6 * first_frame_s; !inside_->port.read(now_us()).present;) {
    if (now_us() > until) {
      close();
      return Error{
          .message = "device '" + info_.kind + "' is open but tells no pose",
          .remedy = "look at its lamp, its cable and its calibration; palp devices test " + info_.kind};
    }
    sleep_until_us(now_us() + 1e3);
  }
  return {};
}

void ThreadedDevice::close() {
  if (!thread_.joinable()) return;
  inside_->stop = true;
  for (const double until = now_us() + 1e6 * close_patience_s; !inside_->over && now_us() < until;)
    sleep_until_us(now_us() + 1e3);
  if (inside_->over)
    thread_.join();
  else
    abandon();
}

/// The vendor's call has not returned: the thread closes the device when it does. There is no backend left to
/// open again.
void ThreadedDevice::abandon() {
  thread_.detach();
  auto mute = std::make_shared<Inside>();
  mute->backend = std::make_unique<NoBackend>();
  inside_ = std::move(mute);
}

void ThreadedDevice::place(const DevicePose& scene) {
  place_ = scene;
  last_.pose = scene;
  last_.pose.velocity.setZero();
  last_.pose.angular_velocity.setZero();
  indexed_ = false;
}

DeviceReading ThreadedDevice::read(double) {
  const DevicePort::Reading r = inside_->port.read(now_us());
  last_.present = r.present && thread_.joinable();
  last_.pose.velocity.setZero();
  last_.pose.angular_velocity.setZero();
  if (!last_.present) return last_;
  last_.buttons = r.frame.buttons;
  last_.gripper_m = r.frame.gripper_m;
  const bool was_clutched = clutched_;
  clutched_ = options_.clutch_button > 0 && (r.frame.buttons >> (options_.clutch_button - 1) & 1u);
  if (clutched_) return last_;
  if (!indexed_ || was_clutched || r.opened != opened_) map_.index(r.frame.pose, last_.pose);
  indexed_ = true;
  opened_ = r.opened;
  last_.pose = map_.to_scene(r.frame.pose);
  return last_;
}

void ThreadedDevice::write(const Wrench& wrench, double h_s) {
  std::uint32_t done = 0;
  const double gain = clutch_gain_.update(!clutched_, h_s, h_s, done);
  const Wrench w = map_.to_device(wrench);
  inside_->port.write({gain * w.force, gain * w.torque}, h_s, now_us());
}

DeviceHealth ThreadedDevice::health() const {
  DeviceHealth h = inside_->port.health();
  h.open = thread_.joinable() && !inside_->over.load(std::memory_order_acquire);
  h.present = h.present && h.open;
  h.exchange_us = inside_->exchange_us.load(std::memory_order_relaxed);
  return h;
}

}  // namespace palp
