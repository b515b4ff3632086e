// What a study keeps of a run, gathered step by step.
#pragma once
#include "palp/scene/quantities.hpp"
#include "palp/scene/run_series.hpp"
#include "palp/study/study.hpp"

namespace palp {

class RunMeasures {
 public:
  /// An error that lists what the scene has, when it does not have this.
  static Result<void> knows(const Scene& scene, const Measure& measure);

  /// All of them must be known. (Scene and list outlive this.)
  RunMeasures(const Scene& scene, const std::vector<Measure>& measures);
  /// After every step that succeeded.
  void add(SceneRun& run);
  /// In the order of the list; NaN where no step fell into the part of the time.
  std::vector<double> values() const;

 private:
  struct Course {
    size_t column = 0;
    long count = 0;
    double least = 0, most = 0, sum = 0, squares = 0, first = 0, last = 0;
    void add(double x);
  };
  const std::vector<Measure>& measures_;
  RunQuantities quantities_;
  RunSeries series_;  ///< the columns that a measure is of, no others
  bool needs_quantities_ = false;
  std::vector<Course> courses_;  ///< one per measure; of quantities unused
  std::vector<double> row_;      ///< of the series
};

}  // namespace palp
