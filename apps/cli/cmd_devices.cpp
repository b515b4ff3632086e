// palp devices: what is plugged in; palp devices test: how one of them is, and how it feels.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "run_realtime.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/base/statistics.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/safety/safety_chain.hpp"

namespace palp::cli {
namespace devices_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string spec;
  double seconds = 3;
  bool json = false, yes = false, no_force = false;
};

Json info_json(const DeviceInfo& i) {
  const auto v = [](const Vec3& x) { return Json{x.x(), x.y(), x.z()}; };
  return {{"name", i.name},
          {"serial", i.serial},
          {"senses", i.senses},
          {"feels", i.feels},
          {"buttons", i.buttons},
          {"gripper", i.gripper},
          {"workspace_low_m", v(i.workspace_low)},
          {"workspace_high_m", v(i.workspace_high)},
          {"max_force_N", i.limits.max_force_N},
          {"max_torque_Nm", i.limits.max_torque_Nm},
          {"damping_N_s_per_m", i.limits.damping_N_s_per_m}};
}

void print_info(const DeviceInfo& i) {
  const Vec3 size = 1e3 * (i.workspace_high - i.workspace_low);
  std::printf("%s%s%s: tells %d, renders %d degrees of freedom; %.0f x %.0f x %.0f mm", i.name.c_str(),
              i.serial.empty() ? "" : ", number ", i.serial.c_str(), i.senses, i.feels, size.x(), size.y(),
              size.z());
  if (i.feels > 0) std::printf("; at most %.3g N, %.3g N m", i.limits.max_force_N, i.limits.max_torque_Nm);
  std::printf("\n");
}

Json health_json(const DeviceHealth& h) {
  return {{"frames", h.frames}, {"refused", h.refused},   {"missed", h.missed}, {"skipped", h.skipped},
          {"losses", h.losses}, {"silences", h.silences}, {"unread", h.unread}, {"unsent", h.unsent}};
}

void print_health(const DeviceHealth& h) {
  const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
  std::printf("health       %llu poses, %llu refused, %llu missed, %llu skipped, lost %llu times\n",
              n(h.frames), n(h.refused), n(h.missed), n(h.skipped), n(h.losses));
}

void list(const Options& o) {
  Json all = Json::array();
  for (const DeviceKind& kind : device_kinds()) {
    DeviceSpec spec;
    spec.kind = kind.name;
    auto device = make_device(spec);
    const Result<void> opened = device ? (*device)->open() : Result<void>(device.error());
    Json entry{{"kind", kind.name}, {"what", kind.what}, {"found", static_cast<bool>(opened)}};
    if (!o.json) std::printf("%-15s ", kind.name);
    if (opened) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));  // some poses, to tell its health
      const DeviceHealth health = (*device)->health();
      entry["info"] = info_json((*device)->info());
      entry["health"] = health_json(health);
      if (!o.json) print_info((*device)->info());
      if (!o.json) std::printf("%-15s ", "");
      if (!o.json) print_health(health);
      (*device)->close();
    } else {
      entry["why"] = opened.error().text();
      if (!o.json) std::printf("-  %s\n", opened.error().text().c_str());
    }
    all.push_back(std::move(entry));
  }
  if (o.json) std::printf("%s\n", all.dump(2).c_str());
}

/// One second of reading: how often a new pose comes and how regularly.
struct Reading {
  double rate_Hz = 0;
  std::vector<double> gap_us;
};

Reading watch(Device& device, double seconds, const std::atomic<bool>& stop) {
  Reading r;
  const double begin = now_us(), end = begin + 1e6 * seconds;
  std::uint64_t seen = device.health().frames;
  const std::uint64_t first = seen;
  double last = begin;
  while (now_us() < end && !stop) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::uint64_t frames = device.health().frames;
    if (frames == seen) continue;
    const double now = now_us();
    // Several at once: the gaps in between were not seen, their mean was.
    for (std::uint64_t n = 0; n < frames - seen; ++n)
      r.gap_us.push_back((now - last) / static_cast<double>(frames - seen));
    seen = frames;
    last = now;
  }
  r.rate_Hz = 1e6 * static_cast<double>(seen - first) / (now_us() - begin);
  return r;
}

/// A wall below the hand, soft and behind the device's own limits: F = k d upwards within it.
struct Wall {
  double most_N = 0, deepest_m = 0;
  std::vector<double> late_us, pose_age_us, wrench_age_us, exchange_us;
};

/// Ticks for so long; without `force` every wrench is zero, and only the times are of interest.
Wall feel_wall(Device& device, double seconds, bool force, const std::atomic<bool>& stop) {
  Wall wall;
  const double h = 1e-3;
  DeviceProfile profile = device.info().limits;
  profile.max_force_N = std::min(profile.max_force_N, 2.0);  // gentle
  SafetyChain chain(profile, h, device.read(0).pose);
  const double top = device.read(0).pose.position.z() - 0.01;
  // Half of what is surely stable: K < 2 b/T.
  const double k = force ? std::min(300.0, profile.damping_N_s_per_m / h) : 0;
  const double begin = now_us();
  double last = begin;
  for (long n = 1; now_us() - begin < 1e6 * seconds && !stop; ++n) {
    const double planned = begin + 1e3 * static_cast<double>(n);
    if (const double left = planned - now_us(); left > 0)
      std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(left));
    const double now = now_us();
    wall.late_us.push_back(now - planned);
    const DeviceReading r = device.read(0);
    const DevicePose pose = chain.admit(r.pose, r.present, 1e-6 * (now - last));
    last = now;
    const double depth = std::max(0.0, top - pose.position.z());
    const Wrench w = chain.release({Vec3(0, 0, k * depth), Vec3::Zero()});
    device.write(w, h);
    wall.most_N = std::max(wall.most_N, w.force.norm());
    wall.deepest_m = std::max(wall.deepest_m, depth);
    const DeviceHealth health = device.health();
    wall.pose_age_us.push_back(health.pose_age_us);
    wall.wrench_age_us.push_back(health.wrench_age_us);
    wall.exchange_us.push_back(health.exchange_us);
  }
  device.write({}, h);
  return wall;
}

/// What the way through Palp takes, and what the device takes of it.
void print_times(const Wall& wall) {
  const auto row = [](const char* name, const std::vector<double>& v, const char* what) {
    std::printf("%-12s %.0f µs (median), %.0f (99 %%), %.0f (99.9 %%): %s\n", name, quantile(v, 0.5),
                quantile(v, 0.99), quantile(v, 0.999), what);
  };
  row("jitter", wall.late_us, "how late a tick of 1 kHz began");
  row("latency", wall.pose_age_us, "how old a pose is when a tick reads it");
  row("", wall.wrench_age_us, "how old a force is when the device is told it");
  if (quantile(wall.exchange_us, 1) > 0)
    row("", wall.exchange_us, "what the service or the vendor's calls take of it");
}

bool agreed(const Options& o, const DeviceInfo& info) {
  if (o.yes) return true;
  if (!isatty(0)) {
    std::printf("No force: standard input is no terminal (--yes says that a hand holds the device).\n");
    return false;
  }
  std::printf("Next a soft wall 1 cm below the hand, at most %.3g N. Hold %s and type yes: ",
              std::min(info.limits.max_force_N, 2.0), info.name.c_str());
  std::fflush(stdout);
  char answer[16] = {};
  return std::fgets(answer, sizeof(answer), stdin) && std::string(answer) == "yes\n";
}

void test(const Options& o) {
  const auto fail = [](const Error& e) {
    std::fprintf(stderr, "palp devices: %s\n", e.text().c_str());
    exit_code = 1;
  };
  auto spec = DeviceSpec::parse(o.spec);
  if (!spec) return fail(spec.error());
  auto device = make_device(*spec);
  if (!device) return fail(device.error());
  SignalStop signals;
  if (auto ok = (*device)->open(); !ok) return fail(ok.error());
  const DeviceInfo info = (*device)->info();
  if (!o.json) print_info(info);
  const Reading r = watch(**device, o.seconds, signals.stop);
  Json out{{"kind", spec->kind}, {"info", info_json(info)}, {"rate_Hz", r.rate_Hz}};
  const auto quantiles = [](const std::vector<double>& v) {
    return Json{{"p50", quantile(v, 0.5)},
                {"p99", quantile(v, 0.99)},
                {"p999", quantile(v, 0.999)},
                {"max", quantile(v, 1)}};
  };
  if (r.gap_us.empty()) return fail({.message = "no pose came", .remedy = "move it; look at its lamp"});
  out["gap_us"] = quantiles(r.gap_us);
  const Vec3 at = (*device)->read(0).pose.position;
  if (!o.json)
    std::printf(
        "poses        %.0f a second; between two %.0f µs (median), %.0f (99 %%), %.0f (99.9 %%), %.0f at "
        "most\n",
        r.rate_Hz, quantile(r.gap_us, 0.5), quantile(r.gap_us, 0.99), quantile(r.gap_us, 0.999),
        quantile(r.gap_us, 1));
  if (!o.json)
    std::printf("hand         moved by %.1f, %.1f, %.1f mm since it was opened\n", 1e3 * at.x(), 1e3 * at.y(),
                1e3 * at.z());
  const bool force = info.feels > 0 && !o.no_force && !signals.stop && agreed(o, info);
  const Wall wall = feel_wall(**device, o.seconds, force, signals.stop);
  if (!wall.late_us.empty()) {
    out["tick_late_us"] = quantiles(wall.late_us);
    out["latency_us"] = {{"pose_age", quantiles(wall.pose_age_us)},
                         {"wrench_age", quantiles(wall.wrench_age_us)},
                         {"exchange", quantiles(wall.exchange_us)}};
    if (!o.json) print_times(wall);
  }
  if (force) {
    out["wall"] = {{"most_N", wall.most_N}, {"deepest_m", wall.deepest_m}};
    if (!o.json)
      std::printf("wall         %.2f N at most, %.1f mm deep\n", wall.most_N, 1e3 * wall.deepest_m);
  }
  (*device)->close();
  const DeviceHealth h = (*device)->health();
  out["health"] = health_json(h);
  o.json ? void(std::printf("%s\n", out.dump(2).c_str())) : print_health(h);
}

}  // namespace devices_command

void add_devices(CLI::App& app) {
  using namespace devices_command;
  auto o = std::make_shared<Options>();
  auto* devices = app.add_subcommand("devices", "Lists haptic devices, or tests one");
  devices->footer("Example:  palp devices test haply");
  devices->add_flag("--json", o->json, "For machines");
  auto* one = devices->add_subcommand("test", "Reads a device, then, when you agree, renders a soft wall");
  one->add_option("device", o->spec, "KIND[,option…], as behind --device")->required();
  one->add_option("--seconds", o->seconds, "Of reading, and of the wall")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 600.0));
  one->add_flag("--yes", o->yes, "A hand holds the device: render the wall without asking");
  one->add_flag("--no-force", o->no_force, "Only reads");
  one->add_flag("--json", o->json, "For machines");
  one->callback([o] { test(*o); });
  devices->callback([o, devices] {
    if (devices->get_subcommands().empty()) list(*o);
  });
}

}  // namespace palp::cli
