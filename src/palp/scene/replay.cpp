#include "palp/scene/replay.hpp"

#include <bit>
#include <cmath>
#include <cstdio>

#include "palp/scene/realtime_run.hpp"
#include "palp/scene/recorded_scene.hpp"
#include "palp/scene/run.hpp"

namespace palp {
namespace {

std::string text(double v) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "%.17g", v);
  return buffer;
}

/// Compares field after field and keeps the first difference.
struct Comparison {
  std::optional<ReplayDifference> found;

  void number(const std::string& name, double a, double b) {
    if (!found && std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b))
      found = ReplayDifference{.quantity = name, .recorded = text(a), .replayed = text(b)};
  }
  template <class Int>
  void integer(const std::string& name, Int a, Int b) {
    if (!found && a != b)
      found =
          ReplayDifference{.quantity = name, .recorded = std::to_string(a), .replayed = std::to_string(b)};
  }
  template <std::size_t n>
  void numbers(const std::string& name, const std::array<double, n>& a, const std::array<double, n>& b) {
    for (std::size_t k = 0; k < n; ++k) number(name + ", " + "xyzw"[k], a[k], b[k]);
  }
};

}  // namespace

std::optional<ReplayDifference> first_difference(const TickRecord& a, const TickRecord& b,
                                                 const std::vector<std::string>& devices) {
  Comparison c;
  c.number("time", a.time_s, b.time_s);
  c.integer("snapshot", a.snapshot_sequence, b.snapshot_sequence);
  c.number("age of the snapshot", a.snapshot_age_s, b.snapshot_age_s);
  c.integer("contacts", a.contacts, b.contacts);
  c.number("penetration", a.penetration_m, b.penetration_m);
  c.integer("sweeps", a.sweeps, b.sweeps);
  c.number("certificate", a.certificate, b.certificate);
  c.integer("active contacts", a.active_contacts, b.active_contacts);
  c.integer("converged", a.converged, b.converged);
  for (std::size_t d = 0; d < devices.size() && d < static_cast<std::size_t>(max_devices); ++d) {
    const TickDevice &x = a.device[d], &y = b.device[d];
    const std::string of = " of device '" + devices[d] + "'";
    c.numbers("pose" + of + ": position", x.position, y.position);
    c.numbers("pose" + of + ": orientation", x.orientation, y.orientation);
    c.numbers("pose" + of + ": velocity", x.velocity, y.velocity);
    c.numbers("pose" + of + ": angular velocity", x.angular_velocity, y.angular_velocity);
    c.integer("buttons" + of, x.buttons, y.buttons);
    c.integer("presence" + of, x.present, y.present);
    c.numbers("proxy position" + of, x.proxy_position, y.proxy_position);
    c.numbers("proxy orientation" + of, x.proxy_orientation, y.proxy_orientation);
    c.numbers("force of the coupling" + of, x.raw_force, y.raw_force);
    c.numbers("torque of the coupling" + of, x.raw_torque, y.raw_torque);
    c.integer("interventions" + of, x.interventions, y.interventions);
    c.numbers("force" + of, x.force, y.force);
    c.numbers("torque" + of, x.torque, y.torque);
    c.number("energy given" + of, x.given_J, y.given_J);
  }
  if (a.state_hash != 0 && b.state_hash != 0)  // 0: not taken
    c.integer("state (hash)", a.state_hash, b.state_hash);
  if (c.found) {
    c.found->tick = a.sequence;
    c.found->time_s = a.time_s;
  }
  return c.found;
}

Result<ReplayReport> replay(const Recording& recording, const std::string& program_version,
                            const std::function<void(double)>& progress, RunWatcher* watcher) {
  const RecordingSetup& setup = recording.setup();
  ReplayReport report;
  report.rows = recording.ticks();
  if (report.rows == 0)
    return Error{.message = "the recording has no ticks", .remedy = "record at least one step"};
  auto ticks = recording.read_ticks(0, report.rows);
  if (!ticks) return ticks.error();
  // Poses between drops are unknown: the comparison ends at the first gap.
  std::size_t usable = 0;
  while (usable < ticks->size() && (*ticks)[usable].sequence == usable) ++usable;
  if (usable < ticks->size()) {
    report.notes.push_back("the recorder dropped ticks: the comparison ends before tick " +
                           std::to_string(usable));
    ticks->resize(usable);
  }
  if (!recording.finished())
    report.notes.push_back("the recording was broken off: what was saved is compared");
  if (setup.program_version != program_version)
    report.notes.push_back("recorded by version " + setup.program_version + ", replayed by " +
                           program_version);
  const std::string *clock = setup.setting("clock"), *runner = setup.setting("runner");
  if (clock && *clock == "real")
    report.notes.push_back(
        runner && *runner == "single rate"
            ? "recorded on the real clock: a contact problem that was cut off there is solved to its end here"
            : "recorded on the real clock: the threads' timing is not repeated, only the hands are");

  auto recorded = RecordedScene::build(setup, *ticks);
  if (!recorded) return recorded.error();
  Scene& scene = recorded->scene();
  if (std::isfinite(scene.model.solver.options.budget_us) && scene.model.solver.options.budget_us > 0)
    report.notes.push_back("the solver has a time budget: how far it gets depends on the machine");
  SceneRun run(scene);
  TickClock between;
  if (watcher)
    if (auto ok = watcher->begins(scene, run); !ok) return ok.error();
  for (std::size_t i = 0; i < ticks->size(); ++i) {
    if (!run.advance(between.since_last_s((*ticks)[i].clock_us))) {
      report.difference = ReplayDifference{.tick = (*ticks)[i].sequence,
                                           .time_s = (*ticks)[i].time_s,
                                           .quantity = "the step",
                                           .recorded = "succeeded",
                                           .replayed = explain(scene, run.record().report)};
      return report;
    }
    ++report.compared;
    const TickRecord replayed = run.tick_record();
    if (!report.difference) report.difference = first_difference((*ticks)[i], replayed, setup.devices);
    if (report.difference && !watcher) return report;
    for (std::size_t d = 0; d < setup.devices.size(); ++d)
      report.force_difference_N =
          std::max(report.force_difference_N, (Eigen::Map<const Vec3>((*ticks)[i].device[d].force.data()) -
                                               Eigen::Map<const Vec3>(replayed.device[d].force.data()))
                                                  .norm());
    if (watcher)
      if (auto ok = watcher->stepped(run, i + 1 == ticks->size()); !ok) return ok.error();
    if (progress) progress(double(i + 1) / double(ticks->size()));
  }
  if (watcher)
    if (auto ok = watcher->ended(); !ok) return ok.error();
  return report;
}

}  // namespace palp
