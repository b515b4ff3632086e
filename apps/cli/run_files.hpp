// The files that a run leaves behind besides its recording: series, frames, picture, plot, contact problems.
// The same for `palp run`, on the virtual clock or after a run on the real one, and for `palp replay`.
#pragma once
#include <array>
#include <fstream>
#include <optional>

#include "scene_frames.hpp"
#include <CLI/CLI.hpp>

#include "palp/scene/run.hpp"
#include "palp/scene/run_series.hpp"

namespace palp::cli {

struct RunFileOptions {
  std::string csv, vtu, picture, plot, failed;
  double fps = 50, picture_at = 1e300;
  std::array<double, 3> picture_from{1.0, -1.7, 0.9};
  std::array<int, 2> picture_size{1200, 800};
  std::pair<double, std::string> problem_at;  ///< no file: not wanted

  void add_to(CLI::App& command);
  bool any() const {
    return !(csv.empty() && vtu.empty() && picture.empty() && plot.empty() && failed.empty() &&
             problem_at.second.empty());
  }
  /// Makes the folders and tries whether the files can be written: before the run, not after it.
  Result<void> prepare() const;
};

/// Makes the folder of a file that is to be written and tries whether it can be.
Result<void> prepare_file(const std::string& path, std::initializer_list<const char*> extensions = {});

class RunFiles final : public RunWatcher {
 public:
  explicit RunFiles(const RunFileOptions& options) : o_(options) {}
  Result<void> begins(const Scene& scene, SceneRun& run) override;
  Result<void> stepped(SceneRun& run, bool last) override;
  Result<void> ended() override;

 private:
  /// What the hands felt: the components of the force that amount to something, over time.
  struct ForceSeries {
    std::vector<double> time;
    std::vector<std::vector<double>> component;  ///< three per device
    void add(const StepRecord& r);
    Result<void> write(const Scene& scene, const std::string& path) const;
  };

  const RunFileOptions& o_;
  const Scene* scene_ = nullptr;
  std::ofstream csv_;
  std::optional<RunSeries> table_;
  std::optional<SceneFrames> frames_;
  ForceSeries forces_;
  long frame_ = 1;  ///< the next one; that of the start is written
  bool drawn_ = false, problem_written_ = false;
};

}  // namespace palp::cli
