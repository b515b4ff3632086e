#include "run_realtime.hpp"

#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>

#include "run_safety.hpp"
#include <nlohmann/json.hpp>

#include "palp/scene/realtime_run.hpp"
#include "palp/scene/run.hpp"
#include "palp/scene/run_recording.hpp"

namespace palp::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json(const TimeQuantiles& q) {
  return {{"p50", q.p50}, {"p99", q.p99}, {"p999", q.p999}, {"max", q.max}};
}

double tick_s(const Scene& scene) {
  return scene.two_rate ? scene.two_rate->settings.h_high_s : scene.model.h_s;
}

/// How the real devices were, by name.
Json devices_json(const Scene& scene) {
  Json out = Json::object();
  for (const SceneDevice& d : scene.devices) {
    const DeviceInfo info = d.device->info();
    if (info.kind == "simulated") continue;
    const DeviceHealth h = d.device->health();
    out[d.name] = {{"kind", info.kind},    {"name", info.name},      {"serial", info.serial},
                   {"present", h.present}, {"frames", h.frames},     {"refused", h.refused},
                   {"missed", h.missed},   {"skipped", h.skipped},   {"losses", h.losses},
                   {"opened", h.opened},   {"silences", h.silences}, {"unread", h.unread},
                   {"unsent", h.unsent}};
  }
  return out;
}

void print_devices(const Scene& scene) {
  for (const SceneDevice& d : scene.devices) {
    const DeviceInfo info = d.device->info();
    if (info.kind == "simulated") continue;
    const DeviceHealth h = d.device->health();
    const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("device       %s: %s, %llu poses, %llu refused, %llu missed, %llu skipped; lost %llu times\n",
                d.name.c_str(), info.name.c_str(), n(h.frames), n(h.refused), n(h.missed), n(h.skipped),
                n(h.losses));
  }
}

/// What the safety chains and the recorder did.
struct Safety {
  std::vector<InterventionCounts> counts;
  std::optional<RecorderStatus> recorded;
};

void print_json(const Scene& scene, const RealTimeReport& r, const Safety& safety) {
  Json out{{"scene", scene.spec.file},
           {"wall_s", r.wall_s},
           {"rate_wanted_Hz", 1 / tick_s(scene)},
           {"rate_Hz", r.tick_rate_Hz()},
           {"low_rate_wanted_Hz", scene.two_rate ? Json(1 / scene.two_rate->settings.h_low_s()) : Json()},
           {"low_rate_Hz", r.low_rate_Hz()},
           {"ticks", r.ticks},
           {"missed_periods", r.missed_periods},
           {"long_ticks", r.long_ticks},
           {"failed_ticks", r.failed_ticks},
           {"unconverged_ticks", r.unconverged_ticks},
           {"unconverged_by_budget", r.late_solves},
           {"ticks_held_back", r.held_back_ticks},
           {"certificate_max", r.worst_certificate},
           {"contacts_max", r.most_contacts},
           {"snapshot_age_max_ticks", r.oldest_snapshot_ticks},
           {"low_steps", r.low_steps},
           {"late_low_steps", r.late_low_steps},
           {"failed_low_steps", r.failed_low_steps},
           {"realtime_priority", r.has_priority},
           {"memory_locked", r.memory_is_locked},
           {"start_late_us", json(r.late_us)},
           {"tick_us", json(r.cost_us)},
           {"low_step_us", json(r.low_cost_us)}};
  out["interventions"] = interventions_json(scene, safety.counts);
  out["devices"] = devices_json(scene);
  if (safety.recorded)
    out["recording"] = {{"ticks", safety.recorded->ticks},
                        {"dropped_ticks", safety.recorded->dropped_ticks},
                        {"frames", safety.recorded->frames},
                        {"dropped_frames", safety.recorded->dropped_frames}};
  std::printf("%s\n", out.dump(2).c_str());
}

/// The result in words. Single ticks that are missing cannot be felt, bursts of them can.
std::string verdict(const RealTimeReport& r) {
  if (r.ticks == 0) return "nothing ran";
  if (r.missed_periods == 0) return "every period had its tick";
  const double share =
      static_cast<double>(r.missed_periods) / static_cast<double>(r.missed_periods + r.ticks);
  char percent[32];
  std::snprintf(percent, sizeof(percent), "%.2g %%", 100 * share);
  return std::string(share < 0.01 ? "nearly: " : "too slow: ")
      .append(percent)
      .append(" of the periods had no tick ")
      .append(r.long_ticks > 0 ? "(ticks too long: fewer contacts, a smaller budget)"
                               : "(the machine was busy: palp doctor)");
}

void print_text(const Scene& scene, const RealTimeReport& r, const Safety& safety) {
  std::printf("%.3g s in real time: %s\n", r.wall_s, verdict(r).c_str());
  std::printf("system       real-time priority %s, memory %s\n", r.has_priority ? "granted" : "not granted",
              r.memory_is_locked ? "locked" : "not locked");
  std::printf("haptic rate  %.1f of %.4g Hz: %ld ticks, %ld missed, %ld longer than their period\n",
              r.tick_rate_Hz(), 1 / tick_s(scene), r.ticks, r.missed_periods, r.long_ticks);
  if (scene.two_rate)
    std::printf(
        "low rate     %.1f of %.4g Hz: %ld steps, %ld longer than their period; a snapshot was at most %ld "
        "ticks old\n",
        r.low_rate_Hz(), 1 / scene.two_rate->settings.h_low_s(), r.low_steps, r.late_low_steps,
        r.oldest_snapshot_ticks);
  std::printf(
      "contacts     %d at most; %ld of %ld ticks above the tolerance %.0e (certificate at worst %.2e)\n",
      r.most_contacts, r.unconverged_ticks, r.ticks,
      scene.two_rate ? scene.two_rate->settings.solve.tolerance : scene.model.solver.options.tolerance,
      r.worst_certificate);
  if (r.unconverged_ticks > 0)
    std::printf(
        "             %ld of them by their budget, %ld by their iterations (haptics.budget, maxIterations)\n",
        r.late_solves, r.unconverged_ticks - r.late_solves);
  if (r.held_back_ticks > 0)
    std::printf(
        "             in %ld ticks a point was held at the border of its region (haptics.maxContacts, "
        "range)\n",
        r.held_back_ticks);
  if (r.failed_ticks + r.failed_low_steps > 0)
    std::printf("failed       %ld ticks, %ld low-rate steps\n", r.failed_ticks, r.failed_low_steps);
  print_interventions(scene, safety.counts);
  print_devices(scene);
  if (safety.recorded)
    std::printf("recording    %llu ticks and %llu frames, %llu and %llu dropped\n",
                static_cast<unsigned long long>(safety.recorded->ticks),
                static_cast<unsigned long long>(safety.recorded->frames),
                static_cast<unsigned long long>(safety.recorded->dropped_ticks),
                static_cast<unsigned long long>(safety.recorded->dropped_frames));
  std::printf("%-12s %10s %10s %10s %10s  µs\n", "", "median", "99 %", "99.9 %", "max");
  const auto row = [](const char* name, const TimeQuantiles& q) {
    std::printf("%-12s %10.1f %10.1f %10.1f %10.1f\n", name, q.p50, q.p99, q.p999, q.max);
  };
  row("starts late", r.late_us);
  row("tick takes", r.cost_us);
  if (scene.two_rate) row("step takes", r.low_cost_us);
}

}  // namespace

sigset_t ending_signals() {
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, SIGINT);
  sigaddset(&all, SIGTERM);
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) != 0 || hangup.sa_handler != SIG_IGN) sigaddset(&all, SIGHUP);
  return all;
}

struct SignalStop::Inside {
  sigset_t signals, before;
  std::atomic<bool> over{false};
  std::thread thread;
};

SignalStop::SignalStop() : inside_(std::make_unique<Inside>()) {
  inside_->signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &inside_->signals, &inside_->before);
  inside_->thread = std::thread([this] {
    const timespec patience{0, 50'000'000};
    while (!inside_->over && !stop)
      if (sigtimedwait(&inside_->signals, nullptr, &patience) > 0) stop = true;
  });
}

SignalStop::~SignalStop() {
  inside_->over = true;
  inside_->thread.join();
  pthread_sigmask(SIG_SETMASK, &inside_->before, nullptr);
}

bool run_on_the_clock(Scene& scene, double seconds, bool json, const std::string& record,
                      const RecorderOptions& recorder_options, const std::atomic<bool>& stop) {
  const auto fail = [](const Error& error) {
    std::fprintf(stderr, "palp run: %s\n", error.text().c_str());
    return false;
  };
  std::unique_ptr<Recorder> recorder;
  if (!record.empty()) {
    auto made = make_recorder(record, scene, PALP_VERSION, recorder_options);
    if (!made) return fail(made.error());
    recorder = std::move(*made);
  }
  Safety safety;
  auto report = run_scene_realtime(scene, {.seconds = seconds, .lock_memory = true, .stop = &stop},
                                   recorder.get(), &safety.counts);
  if (!report) return fail(report.error());
  if (recorder) {
    if (auto ok = recorder->close(); !ok) return fail(ok.error());
    safety.recorded = recorder->status();
  }
  json ? print_json(scene, *report, safety) : print_text(scene, *report, safety);
  for (const FirstFailure& f : {report->failed_tick, report->failed_low_step})
    if (f.status != StepStatus::ok)
      std::fprintf(stderr, "palp run: at %g s: %s\n", f.time_s, explain(scene, f.status, f.body).c_str());
  return report->failed_ticks == 0 && report->failed_low_steps == 0;
}

}  // namespace palp::cli
