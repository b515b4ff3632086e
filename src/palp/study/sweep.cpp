#include "palp/study/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "palp/base/clock.hpp"
#include "palp/study/measures.hpp"

namespace palp {
namespace {

/// The run itself; the result's values on success, otherwise why not.
void run_design(const Study& study, const StudyRow& row, const std::atomic<bool>* stop, double begin_us,
                RowResult& result) {
  SceneResult loaded = build_scene(scene_of(study, row));
  if (!loaded.scene) {
    result.reason = loaded.errors[0].text();
    return;
  }
  Scene& scene = *loaded.scene;
  for (const Measure& m : study.keep)
    if (auto ok = RunMeasures::knows(scene, m); !ok) {
      result.reason = ok.error().text();
      return;
    }
  SceneRun run(scene);
  RunMeasures measures(scene, study.keep);
  const double until_s = study.seconds > 0 ? study.seconds : scene.seconds;
  const long steps = static_cast<long>(std::ceil(until_s / run.step_s() - 1e-9));
  for (long i = 0; i < steps; ++i) {
    if (stop && *stop) return;
    if (study.time_limit_s > 0 && 1e-6 * (now_us() - begin_us) > study.time_limit_s) {
      result.reason = "step " + std::to_string(i) + " of " + std::to_string(steps) +
                      ": longer than timeLimit, " + as_yaml(study.time_limit_s) + " s";
      return;
    }
    if (!run.advance()) {
      result.reason = "step " + std::to_string(i) + " at " + as_yaml(run.state().time_s) +
                      " s: " + explain(scene, run.record().report);
      return;
    }
    measures.add(run);
  }
  result.values = measures.values();
  result.ok = true;
}

}  // namespace

RowResult run_row(const Study& study, const StudyRow& row, const std::string& build,
                  const std::atomic<bool>* stop) {
  RowResult result;
  result.build = build;
  const double begin = now_us();
  try {
    run_design(study, row, stop, begin, result);
  } catch (const std::bad_alloc&) {
    result.reason = "not enough memory";
  } catch (const std::exception& e) {
    result.reason = e.what();
  }
  result.seconds = 1e-6 * (now_us() - begin);
  return result;
}

std::vector<size_t> rows_to_run(const Study& study, const StudyFolder& folder,
                                const std::vector<StudyRow>& rows, bool keep_failed) {
  std::vector<size_t> out;
  for (size_t i = 0; i < rows.size(); ++i)
    if (const auto there = folder.read(study, rows[i]); !there || (!there->ok && !keep_failed))
      out.push_back(i);
  return out;
}

Result<SweepSummary> sweep(const Study& study, const StudyFolder& folder, const SweepOptions& options) {
  const double begin = now_us();
  std::vector<StudyRow> mine;
  {
    auto rows = study_rows(study);
    for (size_t i = static_cast<size_t>(options.task); i < rows.size(); i += static_cast<size_t>(options.of))
      mine.push_back(std::move(rows[i]));
  }
  const std::vector<size_t> todo = rows_to_run(study, folder, mine, options.keep_failed);
  SweepSummary summary;
  summary.rows = static_cast<long>(mine.size());
  summary.present = summary.rows - static_cast<long>(todo.size());

  std::atomic<size_t> next = 0;
  std::mutex telling;  // summary, trouble and progress
  std::optional<Error> trouble;
  const auto work = [&] {
    while (true) {
      const size_t k = next++;
      if (k >= todo.size() || (options.stop && *options.stop)) return;
      const StudyRow& row = mine[todo[k]];
      const RowResult result = run_row(study, row, options.build, options.stop);
      if (options.stop && *options.stop && !result.ok && result.reason.empty()) return;
      const auto written = folder.write(study, row, result);
      const std::lock_guard lock(telling);
      if (trouble) return;
      if (!written) {
        trouble = written.error();
        next = todo.size();
        return;
      }
      ++summary.ran;
      summary.failed += !result.ok;
      summary.seconds = 1e-6 * (now_us() - begin);
      if (options.progress) {
        const double each_s = summary.seconds / static_cast<double>(summary.ran);
        options.progress({summary.ran, static_cast<long>(todo.size()), summary.failed, summary.seconds,
                          each_s * static_cast<double>(static_cast<long>(todo.size()) - summary.ran)});
      }
    }
  };
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const size_t jobs = std::min(options.jobs > 0 ? static_cast<size_t>(options.jobs) : cores, todo.size());
  std::vector<std::thread> threads;
  for (size_t j = 1; j < jobs; ++j) threads.emplace_back(work);
  if (jobs > 0) work();
  for (std::thread& t : threads) t.join();
  if (trouble) return *trouble;
  summary.stopped = options.stop && *options.stop;
  summary.seconds = 1e-6 * (now_us() - begin);
  return summary;
}

}  // namespace palp
