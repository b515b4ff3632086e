// A run as a table, one row a step: what `palp run --csv` writes. A replay device reads the hands' columns
// back, so they are written in full: the same poses, to the last bit.
#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "palp/scene/run.hpp"

namespace palp {

/// The columns by name: of the step, then of each device with its name in front.
std::vector<std::string> series_columns(const Scene& scene);
/// The columns of one step, into as many numbers.
void series_values(const StepRecord& record, std::span<double> out);

void write_series_header(std::ostream& csv, const Scene& scene);
void write_series_row(std::ostream& csv, const StepRecord& record);

}  // namespace palp
