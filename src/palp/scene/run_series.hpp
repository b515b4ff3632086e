// A run as a table, one row a step: what `palp run --csv` writes. A replay device reads the hands' columns
// back, so they are written in full: the same poses, to the last bit.
#pragma once
#include <ostream>

#include "palp/scene/run.hpp"

namespace palp {

void write_series_header(std::ostream& csv, const Scene& scene);
void write_series_row(std::ostream& csv, const StepRecord& record);

}  // namespace palp
