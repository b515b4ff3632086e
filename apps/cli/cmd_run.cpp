// palp run, palp check: scenes on the command line.
#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include "load_scene.hpp"
#include "progress_bar.hpp"
#include "run_files.hpp"
#include "run_realtime.hpp"
#include "run_safety.hpp"
#include "scene_devices.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/base/statistics.hpp"
#include "palp/scene/quantities.hpp"
#include "palp/scene/replay.hpp"
#include "palp/scene/run_recording.hpp"

namespace palp::cli {
namespace run_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string scene, record;
  RunFileOptions files;
  RecorderOptions recorder;
  std::vector<std::string> set, devices;
  double seconds = 0;
  bool json = false, realtime = false;
};

struct Totals {
  std::vector<double> total, stage[6], low;
  double h_s = 0;
  double worst_certificate = 0, penetration = 0, violation = 0, misfit = 0, given = 0;
  long steps = 0, unconverged = 0, late = 0, contacts = 0, most_contacts = 0, left_out_steps = 0,
       held_back = 0, low_failed = 0;

  void add(const StepRecord& r, double step_s) {
    const auto& t = r.report.times;
    h_s = step_s;
    if (r.low_step) low.push_back(r.low.times.total_us());
    total.push_back(t.total_us());
    late += t.total_us() > 1e6 * h_s;
    const double times[6] = {t.free_motion_us, t.proximity_us, t.contacts_us,
                             t.delassus_us,    t.solve_us,     t.motion_us};
    for (int k = 0; k < 6; ++k) stage[k].push_back(times[k]);
    worst_certificate = std::max(worst_certificate, r.report.certificate);
    penetration = std::max(penetration, r.report.penetration_m);
    violation = std::max(violation, r.report.violation_m);
    misfit = std::max(misfit, r.report.misfit_m);
    unconverged += !r.report.converged;
    contacts += r.report.contacts;
    most_contacts = std::max<long>(most_contacts, r.report.contacts);
    left_out_steps += r.report.left_out_contacts > 0 || (r.low_step && r.low.left_out_contacts > 0);
    held_back += r.held_back > 0;
    low_failed += r.low_failed;
    given = r.given_J;
    ++steps;
  }
};

const char* const stage_names[6] = {"free motion", "proximity", "contacts", "delassus", "solve", "motion"};

Json quantities_json(const std::vector<Quantity>& quantities) {
  Json out = Json::object();
  for (const Quantity& q : quantities) {
    out[q.name] = {{"value", q.value}, {"unit", q.unit}};
    if (q.at_s) out[q.name]["at_s"] = *q.at_s;
  }
  return out;
}

void print_quantities(const std::vector<Quantity>& quantities) {
  for (const Quantity& q : quantities) {
    std::printf("%-24s %.4g %s", q.name.c_str(), q.value, q.unit);
    if (q.at_s) std::printf(" at %.4g s", *q.at_s);
    std::printf("\n");
  }
}

Json summary_json(const Scene& scene, const SceneRun& run, const Totals& t,
                  const std::vector<Quantity>& quantities, double wall_s) {
  Json stages = Json::object();
  const auto row = [](const std::vector<double>& v) {
    return Json{{"p50", quantile(v, 0.5)},
                {"p99", quantile(v, 0.99)},
                {"p999", quantile(v, 0.999)},
                {"max", quantile(v, 1)}};
  };
  for (int k = 0; k < 6; ++k) stages[stage_names[k]] = row(t.stage[k]);
  stages["step"] = row(t.total);
  if (!t.low.empty()) stages["low step"] = row(t.low);
  return {{"scene", scene.spec.file},
          {"steps", t.steps},
          {"dt_s", t.h_s},
          {"wall_s", wall_s},
          {"realtime_factor", static_cast<double>(t.steps) * t.h_s / wall_s},
          {"contacts_mean", t.steps ? static_cast<double>(t.contacts) / static_cast<double>(t.steps) : 0},
          {"contacts_max", t.most_contacts},
          {"steps_with_contacts_left_out", t.left_out_steps},
          {"ticks_held_back", t.held_back},
          {"failed_low_steps", t.low_failed},
          {"certificate_max", t.worst_certificate},
          {"unconverged_steps", t.unconverged},
          {"late_steps", t.late},
          {"penetration_max_m", t.penetration},
          {"misfit_max_m", t.misfit},
          {"violation_max_m", t.violation},
          {"energy_given_J", t.given},
          {"quantities", quantities_json(quantities)},
          {"interventions", interventions_json(scene, counts_of(scene, run))},
          {"stages_us", stages}};
}

void print_summary(const Scene& scene, const SceneRun& run, const Totals& t,
                   const std::vector<Quantity>& quantities, double wall_s) {
  const double simulated = static_cast<double>(t.steps) * t.h_s;
  std::printf("%ld steps of %g s: %.3g s simulated in %.3g s (%.2g times real time)\n", t.steps, t.h_s,
              simulated, wall_s, simulated / wall_s);
  std::printf("deadline     %ld of %ld steps took longer than they simulate\n", t.late, t.steps);
  std::printf("contacts     mean %.1f, most %ld\n", t.steps ? double(t.contacts) / double(t.steps) : 0,
              t.most_contacts);
  if (t.left_out_steps > 0)
    std::printf(
        "             %ld steps left some out, beyond the bound of a pair (contact.maxContacts) or of a "
        "problem "
        "(solver.maxContacts, %d)\n",
        t.left_out_steps, scene.model.max_contacts);
  if (t.held_back > 0)
    std::printf(
        "             in %ld ticks a point was held at the border of its region (haptics.maxContacts, "
        "range)\n",
        t.held_back);
  std::printf(
      "certificate  worst %.2e; %ld of %ld steps above the tolerance %.0e\n", t.worst_certificate,
      t.unconverged, t.steps,
      scene.two_rate ? scene.two_rate->settings.solve.tolerance : scene.model.solver.options.tolerance);
  std::printf("penetration  %.3g m at most (%.3g m in the linearised problem)\n", t.penetration, t.violation);
  if (t.misfit > scene.model.misfit_m())
    std::printf(
        "             the contact law is missed by up to %.3g m: how forces are distributed is doubtful "
        "(hold or "
        "damp the\n             bodies more, a smaller dt, a smaller solver.tolerance)\n",
        t.misfit);
  if (!scene.devices.empty()) std::printf("energy       %.3g J given to the hands\n", t.given);
  print_quantities(quantities);
  print_interventions(scene, counts_of(scene, run));
  std::printf("%-12s %10s %10s %10s %10s  µs\n", "stage", "p50", "p99", "p99.9", "max");
  const auto row = [](const char* name, const std::vector<double>& v) {
    std::printf("%-12s %10.1f %10.1f %10.1f %10.1f\n", name, quantile(v, 0.5), quantile(v, 0.99),
                quantile(v, 0.999), quantile(v, 1));
  };
  for (int k = 0; k < 6; ++k) row(stage_names[k], t.stage[k]);
  row("step", t.total);
  if (!t.low.empty()) row("low step", t.low);
}

void fail(const std::string& text) {
  std::fprintf(stderr, "palp run: %s\n", text.c_str());
  exit_code = 1;
}

/// On the clock, with the devices at the hands' end. What would hold up a tick is written afterwards, by the
/// same run once more with the recorded hands.
void run_with_devices(Options& o, Scene& scene, double seconds) {
  namespace fs = std::filesystem;
  const bool keep = !o.record.empty();
  if (!keep && o.files.any())
    o.record = (fs::temp_directory_path() / ("palp-run-" + std::to_string(getpid()) + ".h5")).string();
  {
    SignalStop signals;  // from before the devices are opened until they are closed
    SceneDevices devices;
    if (!devices.make(o.devices) || !devices.attach(scene)) return fail(devices.trouble());
    if (!run_on_the_clock(scene, seconds, o.json, o.record, o.recorder, signals.stop)) exit_code = 1;
  }
  if (!o.files.any()) return;
  RunFiles files(o.files);
  const auto recording = Recording::open(o.record);
  const auto repeated =
      recording ? replay(*recording, PALP_VERSION, {}, &files) : Result<ReplayReport>(recording.error());
  if (repeated)
    std::fprintf(
        stderr,
        "files: the run once more with the recorded hands, in %zu of %zu ticks; its forces differ from those "
        "felt by up to %.2g N\n",
        repeated->compared, repeated->rows, repeated->force_difference_N);
  else
    fail(repeated.error().text());
  std::error_code gone;
  if (!keep) fs::remove(o.record, gone);
}

void run_scene(Options& o) {
  auto scene = load_or_explain(o.scene, o.set);
  if (!scene) return;
  const double seconds = o.seconds > 0 ? o.seconds : scene->seconds;
  for (const auto& ready : {o.files.prepare(), prepare_file(o.record)})
    if (!ready) return fail(ready.error().text());
  if (o.realtime || !o.devices.empty()) return run_with_devices(o, *scene, seconds);
  SceneRun run(*scene);
  const long steps = static_cast<long>(std::ceil(seconds / run.step_s() - 1e-9));
  RunFiles files(o.files);
  if (auto ok = files.begins(*scene, run); !ok) return fail(ok.error().text());
  std::optional<RunRecording> recording;
  if (!o.record.empty()) {
    auto made = RunRecording::start(o.record, *scene, PALP_VERSION, o.files.fps, o.recorder);
    if (!made) return fail(made.error().text());
    recording = std::move(*made);
  }
  Totals totals;
  RunQuantities quantities(*scene);
  const double begin = now_us();
  std::optional<ProgressBar> bar(std::in_place);
  for (long i = 0; i < steps; ++i) {
    if (!run.advance()) {
      fail("step " + std::to_string(i) + " at " + std::to_string(run.state().time_s) +
           " s: " + explain(*scene, run.record().report));
      break;
    }
    totals.add(run.record(), run.step_s());
    if (run.record().low_failed && totals.low_failed == 1)
      fail("low-rate step at " + std::to_string(run.state().time_s) +
           " s: " + explain(*scene, run.record().low) + "; the ticks go on with the snapshot before");
    quantities.add(run);
    if (recording) recording->add(run);
    if (auto ok = files.stepped(run, i + 1 == steps); !ok) return fail(ok.error().text());
    bar->show(double(i + 1) / double(steps));
  }
  bar.reset();
  const double wall_s = 1e-6 * (now_us() - begin);
  if (recording)
    if (auto ok = recording->close(); !ok) return fail(ok.error().text());
  if (auto ok = files.ended(); !ok) fail(ok.error().text());
  for (size_t d = 0; d < scene->devices.size(); ++d)
    if (run.safety(static_cast<int>(d)).counts().of(intervention::force_not_finite) > 0)
      fail("the force on device '" + scene->devices[d].name +
           "' was not finite at times: its safety chain held the last good one (take a smaller dt or softer "
           "couplings)");
  if (o.json)
    std::printf("%s\n", summary_json(*scene, run, totals, quantities.list(), wall_s).dump(2).c_str());
  else
    print_summary(*scene, run, totals, quantities.list(), wall_s);
}

/// Bodies that were laid in a lattice: do they weigh what their surface weighs?
Json lattices_json(const Scene& scene) {
  Json out = Json::object();
  for (size_t b = 0; b < scene.meshes.size(); ++b) {
    if (!scene.meshes[b].lattice) continue;
    const VoxelReport& r = *scene.meshes[b].lattice;
    const double mass = scene.model.bodies[b].body->mass();
    const auto vector = [](const Vec3& v) { return Json{v.x(), v.y(), v.z()}; };
    out[scene.model.bodies[b].name] = {{"cells", scene.meshes[b].cells},
                                       {"volume_m3", r.volume_m3},
                                       {"surface_volume_m3", r.surface_volume_m3},
                                       {"mass_kg", mass},
                                       {"surface_mass_kg", mass / (1 + r.volume_error())},
                                       {"centre_m", vector(r.centre_m)},
                                       {"surface_centre_m", vector(r.surface_centre_m)},
                                       {"thinnest_wall_m", r.thinnest_wall_m},
                                       {"cells_through", r.cells_through}};
  }
  return out;
}

void print_lattices(const Scene& scene) {
  for (size_t b = 0; b < scene.meshes.size(); ++b) {
    if (!scene.meshes[b].lattice) continue;
    const VoxelReport& r = *scene.meshes[b].lattice;
    std::printf("  %s: %d cells, %.3g through its thinnest walls (%.3g m)\n",
                scene.model.bodies[b].name.c_str(), scene.meshes[b].cells, r.cells_through,
                r.thinnest_wall_m);
    std::printf(
        "    volume %.5g m³, mass %.5g kg: %+.2g %% against its surface; centre of gravity %.2g m off\n",
        r.volume_m3, scene.model.bodies[b].body->mass(), 100 * r.volume_error(),
        (r.centre_m - r.surface_centre_m).norm());
  }
}

void check_scene(Options& o) {
  auto scene = load_or_explain(o.scene, o.set);
  if (o.json) {
    Json answer{{"scene", o.scene}, {"ok", scene != nullptr}};
    if (scene) answer["lattices"] = lattices_json(*scene);
    std::printf("%s\n", answer.dump(2).c_str());
    return;
  }
  if (!scene) return;
  std::printf(
      "%s: fine. %zu bodies, %zu pairs that may touch, %zu attachments, %zu devices; %g s in steps of %g s\n",
      o.scene.c_str(), scene->model.bodies.size(), scene->model.rules.size(), scene->model.attachments.size(),
      scene->devices.size(), scene->seconds, scene->model.h_s);
  print_lattices(*scene);
}

}  // namespace run_command

void add_run(CLI::App& app) {
  using namespace run_command;
  auto o = std::make_shared<Options>();
  auto* run = app.add_subcommand("run", "Simulates a scene file");
  run->footer(
      "Example:  palp run scenes/snap-in.yaml --csv out/snap-in.csv --vtu out/snap-in --set pairs.0.mu=0.8");
  run->add_option("scene", o->scene, "Scene file (YAML)")->required();
  run->add_option("--seconds", o->seconds, "Simulated time; default: the scene's own")
      ->check(CLI::PositiveNumber);
  o->files.add_to(*run);
  run->add_option("--record", o->record, "Writes a recording (HDF5) for palp replay");
  run->add_option("--record-w", o->recorder.max_W_contacts, "Contacts up to which the recording keeps W")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  run->add_option("--set", o->set, "Overrides a value of the scene: key=value")->take_all();
  run->add_flag("--json", o->json, "Summary for machines");
  run->add_option("--device", o->devices,
                  "NAME=KIND[,option…]: a real device in the place of the scene's; keeps to the clock "
                  "(docs/devices.md; palp devices lists the kinds)");
  run->add_flag("--realtime", o->realtime, "Keeps to the clock; in two threads with haptics:");
  run->callback([o] { run_scene(*o); });

  auto* check = app.add_subcommand("check", "Validates a scene file without running it");
  check->footer("Example:  palp check scenes/snap-in.yaml");
  check->add_option("scene", o->scene, "Scene file (YAML)")->required();
  check->add_option("--set", o->set, "Overrides a value of the scene: key=value")->take_all();
  check->add_flag("--json", o->json, "Answer for machines");
  check->callback([o] { check_scene(*o); });
}

}  // namespace palp::cli
