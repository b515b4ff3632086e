// A run as a table, one row a step: what `palp run --csv` writes. A replay device reads the hands' columns
// back, so they are written in full: the same poses, to the last bit.
#pragma once
#include <ostream>

#include "palp/scene/run.hpp"

namespace palp {

void write_series_header(std::ostream& csv, const Scene& scene);
/// Columns: the step, the hands, then for every body its frame (bodies with one) or its centre of mass, for
/// every pair that may touch the force on the first body, for every supported body the force of its supports.
void write_series_row(std::ostream& csv, const Scene& scene, SceneRun& run);

}  // namespace palp
