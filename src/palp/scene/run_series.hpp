// A run as a table, one row a step: what `palp run --csv` writes. A replay device reads the hands' columns
// back, so they are written in full: the same poses, to the last bit.
#pragma once
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "palp/scene/run.hpp"

namespace palp {

/// The columns by name: of the step, of each device, of every body its frame (bodies with one) or its centre
/// of mass, of every pair that may touch the force on the first body, of every supported body the force of
/// its supports.
std::vector<std::string> series_columns(const Scene& scene);

/// What is computed together: the step, a device, the frame or the middle of a body, a pair, supports.
enum class SeriesPart { step, device, pose, middle, pair, support };

/// All of them, or some: what nobody asked for is not computed. (The scene outlives it.)
class RunSeries {
 public:
  explicit RunSeries(const Scene& scene);
  /// Those of the columns whose names are in the list.
  RunSeries(const Scene& scene, const std::vector<std::string>& wanted);

  const std::vector<std::string>& columns() const { return columns_; }
  /// Their values after the last step, added to `out`.
  void add(SceneRun& run, std::vector<double>& out);

  void write_header(std::ostream& csv) const;
  void write_row(std::ostream& csv, SceneRun& run);

 private:
  struct Part {
    SeriesPart kind;
    int number = 0;
    std::vector<size_t> wanted = {};  ///< which of its values
  };
  void fill(const Part& part, SceneRun& run, std::vector<double>& values);
  void sum_pairs(const SceneRun& run);
  Vec3 middle(SceneRun& run, int body);

  const Scene& scene_;
  std::vector<std::string> columns_;
  std::vector<char> exact_;  ///< by column: written to the last bit
  std::vector<Part> parts_;
  /// Wanted pairs: where the force on the first body from the second is summed, and that of the other order.
  std::map<std::pair<int, int>, size_t> sum_of_;
  std::vector<Vec3> sums_;
  std::vector<double> values_, row_;  ///< of a part; of a row of the file
  std::vector<Vec3> skin_;
};

}  // namespace palp
