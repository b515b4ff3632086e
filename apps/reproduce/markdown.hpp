// docs/experiments: one page per experiment and a table of verdicts, written from the measured numbers.
#pragma once
#include "experiment.hpp"

namespace palp::reproduce {

/// FOLDER/ID.md. Pictures are those of the last run, referred to as ../pictures/FILE.
Result<void> write_page(const std::string& folder, const Experiment& experiment, const Outcome& outcome);

/// FOLDER/README.md: the verdicts of every page that is there, also of those written by earlier runs.
Result<void> write_index(const std::string& folder, std::span<const Experiment> experiments);

}  // namespace palp::reproduce
