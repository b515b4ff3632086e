// A backend with its double, and a loop between them as a haptic thread would run it.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/doubles/services.hpp"
#include "palp/safety/safety_chain.hpp"

namespace palp {

/// Waits for something that other threads bring about, generously: the machine may be busy.
template <class Condition>
bool eventually(const Condition& condition, double seconds = 10) {
  for (const double until = now_us() + 1e6 * seconds; now_us() < until;) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return condition();
}

inline void wait_s(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

struct Rig {
  std::string kind;
  DoubleArm* arm = nullptr;
  std::unique_ptr<DoubleArm> own;
  std::unique_ptr<DoubleService> service;
  DeviceSpec spec;

  /// "haply", "haply 3.1", "udp", "spacenav", "forcedimension", "openhaptics", "virtuose", "gamepad".
  /// `rate_Hz`: of doubles that set the pace themselves.
  explicit Rig(const std::string& what, double rate_Hz = 1000) : kind(what.substr(0, what.find(' '))) {
    spec.kind = kind;
    const auto take = [this](Result<std::unique_ptr<DoubleService>> started) {
      if (!started) throw std::runtime_error(started.error().text());
      service = std::move(*started);
      spec.address = service->address();
    };
    if (kind == "haply" || kind == "udp" || kind == "spacenav") {
      own = std::make_unique<DoubleArm>();
      arm = own.get();
      arm->set_rate(rate_Hz);
    }
    if (kind == "haply") take(start_haply_double(*arm, 0, what == "haply 3.1" ? "3.1" : "3.5"));
    if (kind == "udp") take(start_udp_double(*arm, 0));
    if (kind == "spacenav")
      take(start_spacenav_double(*arm, "/tmp/palp-spnav-" + std::to_string(getpid()) + ".sock"));
    if (!own) {
      const char* file = kind == "forcedimension" ? "/libdrd.so"
                         : kind == "openhaptics"  ? "/libHD.so"
                         : kind == "gamepad"      ? "/libSDL2.so"
                                                  : "/libVirtuose.so";
      spec.library = std::string(PALP_DOUBLES) + file;
      void* handle = dlopen(spec.library.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays: the arm lives in it
      if (!handle) throw std::runtime_error(dlerror());
      using Get = DoubleArm*();
      auto* get = reinterpret_cast<Get*>(dlsym(handle, "palp_double_arm"));
      if (!get) throw std::runtime_error(spec.library + " is no double");
      arm = get();
      arm->set(Fault::none);
      arm->press(0);
      arm->set_rate(rate_Hz);
      arm->hold_at({});
      arm->clear_log();
    } else {
      arm->hold_at({});
    }
  }
  std::unique_ptr<Device> device() const {
    auto made = make_device(spec);
    return made ? std::move(*made) : nullptr;
  }
};

/// A haptic thread at about 1 kHz that wants a constant wrench, with the safety chain of every device.
/// `told`: no tick begins before this arm has heard of the last one's force, so that a busy machine makes the
/// run longer, not the steps that the arm sees.
class Loop {
 public:
  Loop(Device& device, const DeviceProfile& profile, const Wrench& wanted, const DoubleArm* told = nullptr)
      : device_(device), wanted_(wanted), told_(told) {
    thread_ = std::thread([this, profile] { run(profile); });
  }
  ~Loop() { stop(); }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  /// The thread goes on but says nothing.
  void fall_silent(bool silent) { silent_ = silent; }

  std::atomic<double> force{0}, longest_tick_us{0}, largest_pose_step_m{0};
  std::atomic<long> ticks{0}, not_finite{0}, absent{0};
  std::atomic<bool> present{false};

 private:
  void run(DeviceProfile profile) {
    const double h = 1e-3;
    profile.late_s = 1;  // a busy machine is no fault here: late ticks are tried on the virtual clock
    SafetyChain chain(profile, h, device_.read(0).pose);
    double last = now_us();
    DevicePose before;
    bool first = true;
    while (!stop_) {
      std::this_thread::sleep_for(std::chrono::microseconds(900));
      if (silent_) continue;
      const double begin = now_us();
      const DeviceReading r = device_.read(0);
      const DevicePose pose = chain.admit(r.pose, r.present, 1e-6 * (begin - last));
      last = begin;
      const Wrench w = chain.release(wanted_);
      device_.write(w, h);
      while (told_ && !stop_ && (told_->log().last.force - w.force).norm() > 1e-5 && now_us() < begin + 1e6) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        device_.write(w, h);
      }
      const double cost = now_us() - begin;
      if (cost > longest_tick_us) longest_tick_us = cost;
      if (!first && (pose.position - before.position).norm() > largest_pose_step_m)
        largest_pose_step_m = (pose.position - before.position).norm();
      before = pose;
      first = false;
      not_finite += !pose.finite() || !w.force.allFinite() || !w.torque.allFinite();
      force = w.force.norm();
      present = r.present;
      absent += !r.present;
      ++ticks;
    }
  }
  Device& device_;
  Wrench wanted_;
  const DoubleArm* told_;
  std::atomic<bool> stop_{false}, silent_{false};
  std::thread thread_;
};

}  // namespace palp
