// palp sweep: a study of many designs, here or on a cluster.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "commands.hpp"
#include "progress_bar.hpp"
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "palp/io/cursor.hpp"
#include "palp/study/report.hpp"
#include "palp/study/sweep.hpp"
#include "palp/study/table.hpp"

namespace palp::cli {
namespace sweep_command {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
  std::string study, out;
  int jobs = 0, task = 0, of = 0;
  bool slurm = false, wait = false, keep_failed = false, status = false, merge = false, json = false;
  std::vector<std::string> slurm_options;
};

std::atomic<bool> interrupted = false;

void fail(const std::string& text) {
  std::fprintf(stderr, "palp sweep: %s\n", text.c_str());
  exit_code = 1;
}

std::string clock_text(double seconds) {
  char text[32];
  const auto s = static_cast<long>(seconds + 0.5);
  if (s >= 3600)
    std::snprintf(text, sizeof text, "%ld h %02ld min", s / 3600, s / 60 % 60);
  else if (s >= 60)
    std::snprintf(text, sizeof text, "%ld min %02ld s", s / 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%ld s", s);
  return text;
}

/// One line on a terminal; elsewhere (the log of a task) a line now and then.
class Progress {
 public:
  void operator()(const SweepProgress& p) {
    const bool terminal = isatty(STDERR_FILENO), last = p.done == p.of;
    const double now = now_us();
    if (!last && now - shown_ < (terminal ? 2e5 : 30e6)) return;
    shown_ = now;
    std::fprintf(stderr, "%s%ld of %ld runs, %ld failed, %s left   %s", terminal ? "\r" : "", p.done, p.of,
                 p.failed, clock_text(p.left_s).c_str(), terminal && !last ? "" : "\n");
  }

 private:
  double shown_ = now_us();
};

/// A word that a shell takes as it is.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The table and what it counts; the exit code tells whether the study is complete.
void conclude(const Options& o, const Study& study, const StudyFolder& folder, const SweepSummary* summary) {
  const StudyTable table = merge(study, folder);
  if (!o.status)
    if (auto ok = write_outcome(study, table, folder.path()); !ok) return fail(ok.error().text());
  const long ok = table.count(RowStatus::ok), failed = table.count(RowStatus::failed),
             missing = table.count(RowStatus::missing);
  if (missing > 0) exit_code = 3;
  if (o.json) {
    Json json{{"study", study.file}, {"folder", folder.path()}, {"rows", table.rows.size()}, {"ok", ok},
              {"failed", failed},    {"missing", missing},      {"builds", table.builds}};
    if (summary) {
      json["ran"] = summary->ran;
      json["present"] = summary->present;
      json["wall_s"] = summary->seconds;
    }
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  if (summary && summary->present > 0)
    std::printf("%ld of %ld runs were there, %ld were made now\n", summary->present, summary->rows,
                summary->ran);
  std::printf("%zu runs: %ld done, %ld failed, %ld missing\n", table.rows.size(), ok, failed, missing);
  if (table.builds.size() > 1) {
    std::printf("warning: the results come from %zu different builds of the program\n", table.builds.size());
  }
  for (size_t i = 0, told = 0; i < table.rows.size() && told < 3; ++i)
    if (table.status[i] == RowStatus::failed) {
      std::printf("design %d failed: %s\n", table.rows[i].design, table.results[i].reason.c_str());
      ++told;
    }
  if (!o.status) std::printf("%s: results.csv, results.h5, report.html\n", folder.path().c_str());
}

/// A job array: each task takes every of-th row; tasks with nothing to do are not asked for.
void submit(const Options& o, const Study& study, const StudyFolder& folder) {
  const auto rows = study_rows(study);
  const auto todo = rows_to_run(study, folder, rows, o.keep_failed);
  if (todo.empty()) return conclude(o, study, folder, nullptr);
  const size_t of = o.of > 0 ? static_cast<size_t>(o.of) : std::min<size_t>(todo.size(), 100);
  std::vector<bool> busy(of);
  for (const size_t i : todo) busy[i % of] = true;
  std::string array;
  for (size_t t = 0; t < of; ++t) {  // 1-4,7,9-12
    if (!busy[t]) continue;
    size_t last = t;
    while (last + 1 < of && busy[last + 1]) ++last;
    array +=
        (array.empty() ? "" : ",") + std::to_string(t + 1) + (last > t ? "-" + std::to_string(last + 1) : "");
    t = last;
  }
  const std::string program = fs::read_symlink("/proc/self/exe").string(), log = folder.path() + "/slurm";
  fs::create_directories(log);
  std::string script = "#!/bin/sh\n#SBATCH --job-name=palp-sweep\n#SBATCH --array=" + array +
                       "\n#SBATCH --output=" + fs::absolute(log).string() + "/%A_%a.log\n";
  for (const std::string& option : o.slurm_options) script += "#SBATCH " + option + "\n";
  script += "exec " + quoted(program) + " sweep " + quoted(fs::absolute(study.file).string()) + " --out " +
            quoted(fs::absolute(folder.path()).string()) + " --task \"$SLURM_ARRAY_TASK_ID\" --of " +
            std::to_string(of) + " --jobs \"${SLURM_CPUS_PER_TASK:-1}\"" +
            (o.keep_failed ? " --keep-failed" : "") + "\n";
  const std::string file = folder.path() + "/slurm/job.sh";
  if (auto ok = io::write_bytes(file, script); !ok) return fail(ok.error().text());
  std::printf("%zu of %zu runs in tasks %s of %zu\n", todo.size(), rows.size(), array.c_str(), of);
  std::fflush(stdout);
  const int status = std::system(("sbatch " + std::string(o.wait ? "--wait " : "") + quoted(file)).c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (o.wait) return conclude(o, study, folder, nullptr);  // tasks that were killed show as missing
  if (code != 0) return fail("sbatch did not take the job (is Slurm here? The script is " + file + ")");
  std::printf("When they are done:  palp sweep %s --out %s --merge\n", study.file.c_str(),
              folder.path().c_str());
}

void run(const Options& o) {
  StudyResult loaded = load_study(o.study);
  for (const Error& error : loaded.errors) std::fprintf(stderr, "error: %s\n", error.text().c_str());
  if (!loaded.study) {
    exit_code = 1;
    return;
  }
  const Study& study = *loaded.study;
  if (o.task > 0 && o.task > std::max(o.of, 1)) return fail("--task counts from 1 to --of");
  const auto folder = StudyFolder::open(o.out.empty() ? StudyFolder::default_path(study) : o.out);
  if (!folder) return fail(folder.error().text());
  if (o.status || o.merge) return conclude(o, study, *folder, nullptr);
  if (o.slurm) return submit(o, study, *folder);
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  SweepOptions options{
      .jobs = o.jobs, .keep_failed = o.keep_failed, .build = PALP_VERSION, .stop = &interrupted};
  if (o.task > 0) {
    options.task = o.task - 1;
    options.of = std::max(o.of, 1);
  }
  Progress progress;
  options.progress = [&](const SweepProgress& p) { progress(p); };
  const auto summary = sweep(study, *folder, options);
  if (!summary) return fail(summary.error().text());
  if (o.task > 0) {  // the table is made when all tasks are done
    std::printf("task %d of %d: %ld runs, %ld were there, %ld made now, %ld failed\n", o.task,
                std::max(o.of, 1), summary->rows, summary->present, summary->ran, summary->failed);
    if (summary->stopped) exit_code = 3;
    return;
  }
  conclude(o, study, *folder, &*summary);
}

}  // namespace sweep_command

void add_sweep(CLI::App& app) {
  using namespace sweep_command;
  auto o = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("sweep", "Runs a study: many designs of a scene, one table, a report with pictures");
  command->footer(
      "Runs what is missing or failed, so a second call completes a first. Exit code 3: some runs are "
      "missing.\n"
      "Example:  palp sweep clip.yaml\n"
      "          palp sweep clip.yaml --slurm --of 50 --slurm-option=--time=1:00:00 --wait\n"
      "          parallel palp sweep clip.yaml --task {} --of 8 ::: $(seq 8); palp sweep clip.yaml --merge");
  command->add_option("study", o->study, "Study file (YAML): docs/studies.md")->required();
  command->add_option("--out", o->out, "Folder of results; default: beside the study, NAME.results");
  command->add_option("--jobs", o->jobs, "Runs at a time; default: as many as there are cores")
      ->check(CLI::Range(1, 4096));
  command->add_option("--task", o->task, "Runs only this share, 1 … --of; for any scheduler")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--of", o->of, "Number of tasks")->check(CLI::Range(1, 1000000));
  command->add_flag("--keep-failed", o->keep_failed, "Does not run failed designs again");
  command->add_flag("--status", o->status, "Counts what is there and runs nothing");
  command->add_flag("--merge", o->merge, "Makes table and report of what is there and runs nothing");
  command->add_flag("--slurm", o->slurm, "Submits a job array that runs what is missing");
  command
      ->add_option("--slurm-option", o->slurm_options,
                   "Further option of sbatch, e.g. --slurm-option=--partition=long")
      ->take_all();
  command->add_flag("--wait", o->wait, "With --slurm: waits for the array, then makes table and report");
  command->add_flag("--json", o->json, "Answer for machines");
  command->callback([o] { run(*o); });
}

}  // namespace palp::cli
