// A run as a table, one row a step: what `palp run --csv` writes. A replay device reads the hands' columns
// back, so they are written in full: the same poses, to the last bit.
#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "palp/scene/run.hpp"

namespace palp {

/// The columns by name: of the step, of each device, of every body its frame (bodies with one) or its centre
/// of mass, of every pair that may touch the force on the first body, of every supported body the force of
/// its supports.
std::vector<std::string> series_columns(const Scene& scene);
/// Their values after the last step, added to `out`.
void series_values(const Scene& scene, SceneRun& run, std::vector<double>& out);

void write_series_header(std::ostream& csv, const Scene& scene);
void write_series_row(std::ostream& csv, const Scene& scene, SceneRun& run);

}  // namespace palp
