// palp run, palp check: scenes on the command line.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "load_scene.hpp"
#include "run_realtime.hpp"
#include "run_safety.hpp"
#include "scene_devices.hpp"
#include "scene_frames.hpp"
#include "scene_picture.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/base/statistics.hpp"
#include "palp/draw/plot.hpp"
#include "palp/io/fclib.hpp"
#include "palp/scene/quantities.hpp"
#include "palp/scene/run_recording.hpp"
#include "palp/scene/run_series.hpp"

namespace palp::cli {
namespace run_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string scene, csv, vtu, picture, plot, failed, record;
  RecorderOptions recorder;
  std::vector<std::string> set, devices;
  std::vector<SceneOverride> overrides;  ///< from `set`
  double seconds = 0, fps = 50, picture_at = 1e300;
  std::array<double, 3> picture_from{1.0, -1.7, 0.9};
  std::array<int, 2> picture_size{1200, 800};
  std::pair<double, std::string> problem_at;  ///< no file: not wanted
  bool json = false, realtime = false;
};

/// Makes the folder of a file that is to be written and tries whether it can be: before the run, not after
/// it.
Result<void> prepare(const std::string& path, std::initializer_list<const char*> extensions) {
  namespace fs = std::filesystem;
  if (path.empty()) return {};
  const auto is = [&](const char* e) { return fs::path(path).extension() == e; };
  if (extensions.size() > 0 && std::none_of(extensions.begin(), extensions.end(), is)) {
    std::string names;
    for (const char* e : extensions) names += (names.empty() ? "" : " or ") + std::string(e);
    return Error{"the name must end in " + names, path, 0, 0, "the ending names the format"};
  }
  std::error_code code;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, code);
  if (code) return Error{"its folder cannot be made: " + code.message(), path, 0, 0, "choose another path"};
  const bool is_new = !fs::exists(path, code);
  if (!std::ofstream(path, std::ios::app))
    return Error{"cannot be written", path, 0, 0, "choose another path, or see its permissions"};
  if (is_new) fs::remove(path, code);
  return {};
}

/// The contact problem of this tick; with one rate those of this step: F.hdf5 and, when separate groups of
/// bodies touch, F-1.hdf5, F-2.hdf5, …
Result<void> write_problems(const SceneRun& run, const std::string& path) {
  if (run.loop()) {
    const Problem problem = run.loop()->problem();
    std::fprintf(stderr, "%s: %d contacts at %g s, tick %ld\n", path.c_str(), problem.contacts(),
                 run.state().time_s, run.state().step);
    if (problem.contacts() > 0) return write_fclib(problem, path);
  }
  const Workspace& ws = run.workspace();
  if (run.loop() || ws.group_count == 0)
    return Error{.message = "nothing touches at " + std::to_string(run.state().time_s) + " s",
                 .remedy = "choose another time; --csv lists the contacts of every step"};
  for (int g = 0; g < ws.group_count; ++g) {
    std::filesystem::path file(path);
    if (g > 0)
      file.replace_filename(
          file.stem().string().append("-").append(std::to_string(g)).append(file.extension().string()));
    if (auto ok = write_fclib(ws.groups[g].problem, file.string()); !ok) return ok;
    std::fprintf(stderr, "%s: %zu contacts at %g s, step %ld\n", file.string().c_str(),
                 ws.groups[g].contacts.size(), run.state().time_s, run.state().step);
  }
  return {};
}

/// The contact problems of this step that were not solved to tolerance, for `palp solve` and for bug reports.
Result<void> write_failed(const SceneRun& run, const std::string& folder) {
  if (run.loop())
    return write_fclib(run.loop()->problem(), folder + "/tick" + std::to_string(run.state().step) + ".hdf5");
  for (int g = 0; g < run.workspace().group_count; ++g) {
    const ContactGroup& group = run.workspace().groups[g];
    if (group.report.converged()) continue;
    std::string path = folder;
    path.append("/step")
        .append(std::to_string(run.state().step))
        .append("-")
        .append(std::to_string(g))
        .append(".hdf5");
    if (auto ok = write_fclib(group.problem, path); !ok) return ok;
  }
  return {};
}

/// What the hands felt: the components of the force that amount to something, over time.
struct ForceSeries {
  std::vector<double> time;
  std::vector<std::vector<double>> component;  ///< three per device

  void add(const StepRecord& r) {
    time.push_back(r.time_s);
    component.resize(3 * r.hands.size());
    for (size_t d = 0; d < r.hands.size(); ++d)
      for (int k = 0; k < 3; ++k) component[3 * d + k].push_back(r.hands[d].wrench.force[k]);
  }

  Result<void> write(const Scene& scene, const std::string& path) const {
    const auto largest = [](const std::vector<double>& v) {
      double m = 0;
      for (double x : v) m = std::max(m, std::abs(x));
      return m;
    };
    double top = 0;
    for (const auto& c : component) top = std::max(top, largest(c));
    Plot plot;
    plot.title = "Force on the hand";
    plot.x_label = "time (s)";
    plot.y_label = "force (N)";
    for (size_t i = 0; i < component.size(); ++i)
      if (largest(component[i]) >= 0.05 * top)
        plot.add_line(scene.devices[i / 3].name + ", " + "xyz"[i % 3], time, component[i]);
    return plot.write(path);
  }
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
  return {{"scene", scene.file},
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

void show_progress(double share, double since_s) {
  if (since_s < 1 || !isatty(2)) return;
  const int filled = static_cast<int>(40 * share);
  std::fprintf(stderr, "\r[%-40.*s] %3.0f %%", filled, "########################################",
               100 * share);
}

void fail(const std::string& text) {
  std::fprintf(stderr, "palp run: %s\n", text.c_str());
  exit_code = 1;
}

void run_scene(Options& o) {
  auto scene = load_or_explain(o.scene, o.set, o.overrides);
  if (!scene) return;
  const double seconds = o.seconds > 0 ? o.seconds : scene->seconds;
  std::optional<SignalStop> signals;  // from before the devices are opened until they are closed
  if (o.realtime || !o.devices.empty()) signals.emplace();
  SceneDevices devices;  // before anything that could throw, after the scene that borrows them
  if (!devices.make(o.devices) || !devices.attach(*scene, o.overrides)) return fail(devices.trouble());
  if (signals) {
    for (const auto& [option, path] : {std::pair{"--csv", o.csv},
                                       {"--vtu", o.vtu},
                                       {"--picture", o.picture},
                                       {"--plot", o.plot},
                                       {"--problem-at", o.problem_at.second},
                                       {"--failed", o.failed}})
      if (!path.empty())
        return fail(std::string(option) +
                    " is for runs on the virtual clock: record with --record, then palp "
                    "replay, or run without --realtime and --device");
    if (!run_on_the_clock(*scene, seconds, o.json, o.record, o.recorder, o.overrides, signals->stop))
      exit_code = 1;
    return;
  }
  SceneRun run(*scene);
  const long steps = static_cast<long>(std::ceil(seconds / run.step_s() - 1e-9));
  for (const auto& ready :
       {prepare(o.csv, {}), prepare(o.picture, {".png"}), prepare(o.plot, {".png", ".svg"}),
        prepare(o.record, {}), prepare(o.problem_at.second, {}),
        prepare(o.failed.empty() ? "" : o.failed + "/step.hdf5", {})})
    if (!ready) return fail(ready.error().text());
  std::ofstream csv;
  RunSeries table(*scene);
  if (!o.csv.empty()) {
    csv.open(o.csv);
    table.write_header(csv);
    table.write_row(csv, run);
  }
  std::optional<SceneFrames> series;
  if (!o.vtu.empty()) {
    auto made = SceneFrames::create(o.vtu, *scene);
    if (!made) return fail(made.error().text());
    series = std::move(*made);
    if (auto ok = series->add(*scene, run); !ok) return fail(ok.error().text());
  }
  std::optional<RunRecording> recording;
  if (!o.record.empty()) {
    auto made = RunRecording::start(o.record, *scene, o.overrides, PALP_VERSION, o.fps, o.recorder);
    if (!made) return fail(made.error().text());
    recording = std::move(*made);
  }
  Totals totals;
  RunQuantities quantities(*scene);
  ForceSeries forces;
  const double begin = now_us();
  double last_shown = begin;
  long frame = 1;  // that of the start is written
  bool drawn = false, problem_written = o.problem_at.second.empty();
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
    if (!o.plot.empty()) forces.add(run.record());
    if (!o.failed.empty() && !run.record().report.converged)
      if (auto ok = write_failed(run, o.failed); !ok) return fail(ok.error().text());
    if (!problem_written && run.state().time_s >= o.problem_at.first - 1e-9) {
      problem_written = true;
      if (auto ok = write_problems(run, o.problem_at.second); !ok) return fail(ok.error().text());
    }
    if (csv.is_open()) table.write_row(csv, run);
    if (series && run.state().time_s * o.fps >= static_cast<double>(frame) - 1e-6) {
      if (auto ok = series->add(*scene, run); !ok) return fail(ok.error().text());
      frame = static_cast<long>(std::floor(run.state().time_s * o.fps + 1e-6)) + 1;
    }
    if (!o.picture.empty() && !drawn && (run.state().time_s >= o.picture_at || i + 1 == steps)) {
      drawn = true;
      const Camera camera{.from = Vec3(o.picture_from[0], o.picture_from[1], o.picture_from[2])};
      const PictureStyle style{.width = o.picture_size[0], .height = o.picture_size[1]};
      if (auto ok = draw_scene(*scene, run).write_png(o.picture, camera, style); !ok)
        return fail(ok.error().text());
    }
    if (now_us() - last_shown > 1e5) {
      last_shown = now_us();
      show_progress(double(i + 1) / double(steps), 1e-6 * (last_shown - begin));
    }
  }
  const double wall_s = 1e-6 * (now_us() - begin);
  if (wall_s > 1 && isatty(2)) std::fprintf(stderr, "\n");
  if (recording)
    if (auto ok = recording->close(); !ok) return fail(ok.error().text());
  if (!problem_written)
    fail("--problem-at " + std::to_string(o.problem_at.first) +
         ": the run ends before (lengthen it by --seconds)");
  if (!o.plot.empty() && !scene->devices.empty())
    if (auto ok = forces.write(*scene, o.plot); !ok) return fail(ok.error().text());
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
  auto scene = load_or_explain(o.scene, o.set, o.overrides);
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
  run->add_option("--csv", o->csv, "Writes one row a step: hands, bodies, pairs, reactions");
  run->add_option("--vtu", o->vtu, "Writes frames for ParaView into this folder: volumes, skins, contacts");
  run->add_option("--fps", o->fps, "Frames per simulated second")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  run->add_option("--record", o->record, "Writes a recording (HDF5) for palp replay");
  run->add_option("--record-w", o->recorder.max_W_contacts, "Contacts up to which the recording keeps W")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  run->add_option("--picture", o->picture, "Writes a picture (PNG) of the last step");
  run->add_option("--picture-at", o->picture_at, "Time of the picture instead of the end, in seconds");
  run->add_option("--picture-from", o->picture_from,
                  "X Y Z: from where the picture looks, seen from the middle")
      ->capture_default_str();
  run->add_option("--picture-size", o->picture_size, "WIDTH HEIGHT in pixels")
      ->capture_default_str()
      ->check(CLI::Range(16, 8192));
  run->add_option("--plot", o->plot, "Writes the hands' force over time (PNG or SVG)");
  run->add_option(
      "--problem-at", o->problem_at,
      "TIME FILE: the contact problem of the step that reaches this time (FCLIB, for palp solve)");
  run->add_option("--failed", o->failed, "Folder for the contact problems that missed the tolerance (FCLIB)");
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
