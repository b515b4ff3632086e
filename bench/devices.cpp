// From pose to force through each double: the device's pose makes a step, the loop answers with a force
// proportional to it, the double notes when that force arrives. Once with a loop that ticks at 1 kHz as a
// haptic thread does, once with one that never sleeps: the difference is the waiting for the tick, the rest
// is transport and the device's own thread. The tick's own work (read, safety chain, write) is Palp's share.
//     bench_devices [samples]
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <dlfcn.h>

#include "palp/base/clock.hpp"
#include "palp/base/statistics.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/doubles/services.hpp"
#include "palp/haptics/safety.hpp"

using namespace palp;

namespace {

struct Figures {
  std::vector<double> latency_us, tick_us;
};

Figures measure(Device& device, DoubleArm& arm, bool sleeps, int samples) {
  std::atomic<bool> stop{false};
  Figures r;
  std::thread loop([&] {
    const DevicePose start = device.read(0).pose;
    DeviceProfile profile = device.info().limits;
    profile.ramp_s = profile.decay_s;  // steps are to be seen, not ramps
    SafetyChain chain(profile, 1e-3, start);
    double last = now_us(), due = last;
    while (!stop) {
      if (sleeps) {
        due += 1e3;
        if (const double left = due - now_us(); left > 0)
          std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(left));
        else
          due = now_us();
      }
      const double begin = now_us();
      const DeviceReading reading = device.read(0);
      const DevicePose pose = chain.admit(reading.pose, reading.present, 1e-6 * (begin - last));
      last = begin;
      Wrench w;
      w.force = Vec3(0.5 + 100 * (pose.position.x() - start.position.x()), 0, 0);
      device.write(chain.release(w), 1e-3);
      r.tick_us.push_back(now_us() - begin);
      if (!sleeps) std::this_thread::yield();
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  for (int i = 0; i < samples; ++i) {
    DevicePose p;
    p.position.x() = i % 2 ? 0 : 5e-4;
    const double wanted = 0.5 + 100 * p.position.x(), begin = now_us();
    arm.hold_at(p);
    bool came = false;
    while (now_us() - begin < 2e5 && !(came = std::abs(arm.log().last.force.x() - wanted) < 0.02))
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    if (came) r.latency_us.push_back(now_us() - begin);
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + 37 * (i % 29)));
  }
  stop = true;
  loop.join();
  return r;
}

void row(const char* kind, DoubleArm& arm, const DeviceSpec& spec, int samples) {
  arm.hold_at({});
  auto device = make_device(spec);
  if (!device || !(*device)->open()) return void(std::printf("%-15s not to be opened\n", kind));
  const Figures ticking = measure(**device, arm, true, samples);
  const Figures free = measure(**device, arm, false, samples);
  (*device)->close();
  std::printf("%-15s %9.0f %9.0f %9.0f %9.0f | %9.0f %9.0f | %7.2f %7.2f   %5.2f\n", kind,
              quantile(ticking.latency_us, 0.5), quantile(ticking.latency_us, 0.99),
              quantile(ticking.latency_us, 0.999), quantile(ticking.latency_us, 1),
              quantile(free.latency_us, 0.5), quantile(free.latency_us, 0.99), quantile(ticking.tick_us, 0.5),
              quantile(ticking.tick_us, 0.999),
              quantile(free.latency_us, 0.5) / quantile(ticking.latency_us, 0.5));
}

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::printf("from pose to force, µs\n");
  std::printf("%-15s %9s %9s %9s %9s | %9s %9s | %7s %7s   %s\n", "", "p50", "p99", "p99.9", "max",
              "free p50", "p99", "tick", "p99.9", "share of transport");
  {
    DoubleArm arm;
    auto service = start_haply_double(arm, 0);
    DeviceSpec spec{.kind = "haply", .address = service ? (*service)->address() : ""};
    row("haply", arm, spec, samples);
  }
  {
    DoubleArm arm;
    auto service = start_udp_double(arm, 0);
    DeviceSpec spec{.kind = "udp", .address = service ? (*service)->address() : ""};
    row("udp", arm, spec, samples);
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
