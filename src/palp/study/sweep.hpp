// Runs a study: what is missing in its folder, on all cores of this machine, or a task's share of it on one
// of many.
#pragma once
#include <atomic>
#include <functional>

#include "palp/study/results.hpp"

namespace palp {

/// One run. Never fails: what went wrong is in the result. `stop`: gives up in the middle, result.reason is
/// empty then.
RowResult run_row(const Study& study, const StudyRow& row, const std::string& build,
                  const std::atomic<bool>* stop = nullptr);

struct SweepProgress {
  long done = 0, of = 0;  ///< runs of this call
  long failed = 0;
  double seconds = 0, left_s = 0;  ///< on the clock: since the start, and about to come
};

struct SweepOptions {
  int jobs = 0;              ///< threads; 0: as many as there are cores
  int task = 0, of = 1;      ///< task 0 … of − 1 takes every of-th row
  bool keep_failed = false;  ///< rows that failed are not run again
  std::string build;         ///< version of the program, kept with every result
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const SweepProgress&)> progress = {};  ///< after every run, from one thread at a time
};

struct SweepSummary {
  long rows = 0;     ///< of the study, or of the task
  long present = 0;  ///< were done before
  long ran = 0, failed = 0;
  double seconds = 0;
  bool stopped = false;
};

/// Errors: a result could not be written.
Result<SweepSummary> sweep(const Study& study, const StudyFolder& folder, const SweepOptions& options);

/// Numbers of the rows that have no result, or a failed one.
std::vector<size_t> rows_to_run(const Study& study, const StudyFolder& folder,
                                const std::vector<StudyRow>& rows, bool keep_failed);

}  // namespace palp
