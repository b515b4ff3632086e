// From pose to force through each double: the device's pose makes a step, the loop answers with a force
// proportional to it. The double notes when it gave the new pose away and when the new force came, the loop
// when it saw the one and wrote the other:
//     in     until a tick sees the pose: transport, and waiting for the tick
//     tick   its own work: read, safety chain, write
//     out    until the force is there: waiting for the device's thread, and transport
// What the service or the vendor's calls take of it is the device's thread's to know (DeviceHealth); the rest
// is Palp's, nearly all of it waiting.
//     bench_devices [samples]
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include "palp/base/clock.hpp"
#include "palp/base/statistics.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/doubles/services.hpp"
#include "palp/safety/safety_chain.hpp"

using namespace palp;

namespace {

struct Figures {
  std::vector<double> latency_us, in_us, tick_us, out_us, exchange_us;
  int lost = 0;  ///< steps without an answer within 0.2 s
};

/// Ticks at 1 kHz as a haptic thread does.
class Loop {
 public:
  explicit Loop(Device& device) : device_(device) {
    thread_ = std::thread([this] { run(); });
  }
  ~Loop() {
    stop_ = true;
    thread_.join();
  }

  std::atomic<double> seen_us{0}, wrote_us{0};

 private:
  void run() {
    sched_param p{};
    p.sched_priority = 60;
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);
    const DevicePose start = device_.read(0).pose;
    DeviceProfile profile = device_.info().limits;
    profile.ramp_s = profile.decay_s;  // steps are to be seen, not ramps
    SafetyChain chain(profile, 1e-3, start);
    double last = now_us(), due = last, x = start.position.x();
    while (!stop_) {
      due = std::max(due + 1e3, now_us() - 1e3);
      if (const double left = due - now_us(); left > 0)
        std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(left));
      const double begin = now_us();
      const DeviceReading reading = device_.read(0);
      const DevicePose pose = chain.admit(reading.pose, reading.present, 1e-6 * (begin - last));
      last = begin;
      Wrench w;
      w.force = Vec3(0.5 + 100 * (pose.position.x() - start.position.x()), 0, 0);
      device_.write(chain.release(w), 1e-3);
      if (reading.pose.position.x() == x) continue;
      x = reading.pose.position.x();
      seen_us = begin;
      wrote_us = now_us();
    }
  }
  Device& device_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

Figures measure(Device& device, DoubleArm& arm, int samples) {
  Figures r;
  Loop loop(device);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  for (int i = 0; i < samples; ++i) {
    DevicePose p;
    p.position.x() = i % 2 ? 0 : 5e-4;
    const double wanted = 0.5 + 100 * p.position.x(), begin = now_us();
    arm.hold_at(p);
    ArmLog log = arm.log();
    for (; now_us() - begin < 2e5; log = arm.log()) {
      if (std::abs(log.last.force.x() - wanted) < 0.02 && log.changed_us > begin) break;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (log.changed_us > begin && log.told_us >= begin) {
      r.latency_us.push_back(log.changed_us - log.told_us);
      r.in_us.push_back(loop.seen_us - log.told_us);
      r.tick_us.push_back(loop.wrote_us - loop.seen_us);
      r.out_us.push_back(log.changed_us - loop.wrote_us);
      r.exchange_us.push_back(device.health().exchange_us);
    } else {
      ++r.lost;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + 37 * (i % 29)));
  }
  return r;
}

void row(const char* kind, DoubleArm& arm, const DeviceSpec& spec, int samples) {
  arm.hold_at({});
  auto device = make_device(spec);
  if (!device || !(*device)->open()) return void(std::printf("%-15s not to be opened\n", kind));
  const Figures t = measure(**device, arm, samples);
  (*device)->close();
  const auto q = [](const std::vector<double>& v, double share) {
    return v.empty() ? 0 : quantile(v, share);
  };
  const double total = q(t.latency_us, 0.5), vendor = q(t.exchange_us, 0.5);
  std::printf("%-15s %7.0f %7.0f %7.0f | %6.0f %6.1f %6.0f | %7.0f %5.0f %% | %d\n", kind, total,
              q(t.latency_us, 0.99), q(t.latency_us, 0.999), q(t.in_us, 0.5), q(t.tick_us, 0.5),
              q(t.out_us, 0.5), vendor, 100 * (total - vendor) / total, t.lost);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::printf("from pose to force, µs; %d steps each\n", samples);
  std::printf("%-15s %7s %7s %7s | %6s %6s %6s | %7s %7s | %s\n", "", "p50", "p99", "p99.9", "in", "tick",
              "out", "vendor", "Palp's", "lost");
  for (const std::string kind : {"haply", "udp"}) {
    DoubleArm arm;
    auto service = kind == "haply" ? start_haply_double(arm, 0) : start_udp_double(arm, 0);
    DeviceSpec spec;
    spec.kind = kind;
    spec.address = service ? (*service)->address() : "";
    row(kind.c_str(), arm, spec, samples);
  }
  for (const auto& [kind, file] : {std::pair{"forcedimension", "/libdrd.so"},
                                   {"openhaptics", "/libHD.so"},
                                   {"virtuose", "/libVirtuose.so"}}) {
    DeviceSpec spec;
    spec.kind = kind;
    spec.library = std::string(PALP_DOUBLES) + file;
    void* handle = dlopen(spec.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    using Get = DoubleArm*();
    auto* get = handle ? reinterpret_cast<Get*>(dlsym(handle, "palp_double_arm")) : nullptr;
    if (get) row(kind, *get(), spec, samples);
  }
}
