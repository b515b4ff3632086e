#include "run_realtime.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "palp/scene/realtime_run.hpp"

namespace palp::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json(const TimeQuantiles& q) {
  return {{"p50", q.p50}, {"p99", q.p99}, {"p999", q.p999}, {"max", q.max}};
}

void print_json(const Scene& scene, const RealTimeReport& r) {
  const TwoRateSettings& s = scene.two_rate->settings;
  const Json out{{"scene", scene.file},
                 {"wall_s", r.wall_s},
                 {"rate_wanted_Hz", 1 / s.h_high_s},
                 {"rate_Hz", r.tick_rate_Hz()},
                 {"low_rate_wanted_Hz", 1 / s.h_low_s()},
                 {"low_rate_Hz", r.low_rate_Hz()},
                 {"ticks", r.ticks},
                 {"missed_periods", r.missed_periods},
                 {"long_ticks", r.long_ticks},
                 {"failed_ticks", r.failed_ticks},
                 {"unconverged_ticks", r.unconverged_ticks},
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
  std::printf("%s\n", out.dump(2).c_str());
}

void print_text(const Scene& scene, const RealTimeReport& r) {
  const TwoRateSettings& s = scene.two_rate->settings;
  std::printf("%.3g s on the clock; real-time priority %s, memory %s\n", r.wall_s,
              r.has_priority ? "granted" : "not granted", r.memory_is_locked ? "locked" : "not locked");
  std::printf(
      "haptic rate  %.1f Hz of %.4g: %ld ticks, %ld periods missed, %ld ticks longer than their period\n",
      r.tick_rate_Hz(), 1 / s.h_high_s, r.ticks, r.missed_periods, r.long_ticks);
  std::printf(
      "low rate     %.1f Hz of %.4g: %ld steps, %ld longer than their period; oldest snapshot %ld ticks\n",
      r.low_rate_Hz(), 1 / s.h_low_s(), r.low_steps, r.late_low_steps, r.oldest_snapshot_ticks);
  std::printf("certificate  worst %.2e; %ld ticks above the tolerance %.0e, %d contacts at most\n",
              r.worst_certificate, r.unconverged_ticks, s.solve.tolerance, r.most_contacts);
  if (r.failed_ticks + r.failed_low_steps > 0)
    std::printf("failed       %ld ticks, %ld low-rate steps\n", r.failed_ticks, r.failed_low_steps);
  std::printf("%-12s %10s %10s %10s %10s  µs\n", "", "p50", "p99", "p99.9", "max");
  const auto row = [](const char* name, const TimeQuantiles& q) {
    std::printf("%-12s %10.1f %10.1f %10.1f %10.1f\n", name, q.p50, q.p99, q.p999, q.max);
  };
  row("start late", r.late_us);
  row("tick", r.cost_us);
  row("low step", r.low_cost_us);
}

}  // namespace

bool run_on_the_clock(Scene& scene, double seconds, bool json) {
  auto report = run_scene_realtime(scene, {.seconds = seconds});
  if (!report) {
    std::fprintf(stderr, "palp run: %s\n", report.error().text().c_str());
    return false;
  }
  json ? print_json(scene, *report) : print_text(scene, *report);
  return report->failed_ticks == 0 && report->failed_low_steps == 0;
}

}  // namespace palp::cli
