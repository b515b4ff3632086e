#include "run_files.hpp"

#include <filesystem>

#include "scene_picture.hpp"

#include "palp/draw/plot.hpp"
#include "palp/io/fclib.hpp"

namespace palp::cli {
namespace {

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

}  // namespace

Result<void> prepare_file(const std::string& path, std::initializer_list<const char*> extensions) {
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

void RunFileOptions::add_to(CLI::App& command) {
  command.add_option("--csv", csv, "Writes one row a step: hands, bodies, pairs, reactions");
  command.add_option("--vtu", vtu, "Writes frames for ParaView into this folder: volumes, skins, contacts");
  command.add_option("--fps", fps, "Frames per simulated second")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--picture", picture, "Writes a picture (PNG) of the last step");
  command.add_option("--picture-at", picture_at, "Time of the picture instead of the end, in seconds");
  command
      .add_option("--picture-from", picture_from, "X Y Z: from where the picture looks, seen from the middle")
      ->capture_default_str();
  command.add_option("--picture-size", picture_size, "WIDTH HEIGHT in pixels")
      ->capture_default_str()
      ->check(CLI::Range(16, 8192));
  command.add_option("--plot", plot, "Writes the hands' force over time (PNG or SVG)");
  command.add_option(
      "--problem-at", problem_at,
      "TIME FILE: the contact problem of the step that reaches this time (FCLIB, for palp solve)");
  command.add_option("--failed", failed, "Folder for the contact problems that missed the tolerance (FCLIB)");
}

Result<void> RunFileOptions::prepare() const {
  for (auto ok : {prepare_file(csv), prepare_file(picture, {".png"}), prepare_file(plot, {".png", ".svg"}),
                  prepare_file(problem_at.second), prepare_file(failed.empty() ? "" : failed + "/step.hdf5")})
    if (!ok) return ok;
  return {};
}

void RunFiles::ForceSeries::add(const StepRecord& r) {
  time.push_back(r.time_s);
  component.resize(3 * r.hands.size());
  for (size_t d = 0; d < r.hands.size(); ++d)
    for (int k = 0; k < 3; ++k) component[3 * d + k].push_back(r.hands[d].wrench.force[k]);
}

Result<void> RunFiles::ForceSeries::write(const Scene& scene, const std::string& path) const {
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

Result<void> RunFiles::begins(const Scene& scene, SceneRun& run) {
  scene_ = &scene;
  if (!o_.csv.empty()) {
    csv_.open(o_.csv);
    table_.emplace(scene);
    table_->write_header(csv_);
    table_->write_row(csv_, run);
  }
  if (!o_.vtu.empty()) {
    auto made = SceneFrames::create(o_.vtu, scene);
    if (!made) return made.error();
    frames_ = std::move(*made);
    return frames_->add(scene, run);
  }
  return {};
}

Result<void> RunFiles::stepped(SceneRun& run, bool last) {
  const double time_s = run.state().time_s;
  if (!o_.plot.empty()) forces_.add(run.record());
  if (!o_.failed.empty() && !run.record().report.converged)
    if (auto ok = write_failed(run, o_.failed); !ok) return ok;
  if (!o_.problem_at.second.empty() && !problem_written_ && time_s >= o_.problem_at.first - 1e-9) {
    problem_written_ = true;
    if (auto ok = write_problems(run, o_.problem_at.second); !ok) return ok;
  }
  if (csv_.is_open()) table_->write_row(csv_, run);
  if (frames_ && time_s * o_.fps >= static_cast<double>(frame_) - 1e-6) {
    if (auto ok = frames_->add(*scene_, run); !ok) return ok;
    frame_ = static_cast<long>(std::floor(time_s * o_.fps + 1e-6)) + 1;
  }
  if (!o_.picture.empty() && !drawn_ && (time_s >= o_.picture_at || last)) {
    drawn_ = true;
    const Camera camera{.from = Vec3(o_.picture_from[0], o_.picture_from[1], o_.picture_from[2])};
    const PictureStyle style{.width = o_.picture_size[0], .height = o_.picture_size[1]};
    return draw_scene(*scene_, run).write_png(o_.picture, camera, style);
  }
  return {};
}

Result<void> RunFiles::ended() {
  if (!o_.problem_at.second.empty() && !problem_written_)
    return Error{.message = "--problem-at " + std::to_string(o_.problem_at.first) + ": the run ends before",
                 .remedy = "lengthen it by --seconds"};
  if (!o_.plot.empty() && !scene_->devices.empty()) return forces_.write(*scene_, o_.plot);
  return {};
}

}  // namespace palp::cli
