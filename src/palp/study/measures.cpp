#include "palp/study/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "palp/scene/strict_yaml.hpp"

namespace palp {
namespace {

std::vector<std::string> columns_of(const std::vector<Measure>& measures) {
  std::vector<std::string> names;
  for (const Measure& m : measures)
    if (m.statistic) names.push_back(m.of);
  return names;
}

}  // namespace

Result<void> RunMeasures::knows(const Scene& scene, const Measure& measure) {
  const auto names = measure.statistic ? series_columns(scene) : quantity_names(scene);
  if (std::find(names.begin(), names.end(), measure.of) != names.end()) return {};
  const char* what = measure.statistic ? "column" : "quantity";
  const auto near = nearest_name(measure.of, names);
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  return Error{.message = std::string("the run has no ") + what + " '" + measure.of + "'",
               .remedy = (near ? "did you mean '" + *near + "'? " : std::string()) + "it has " + known +
                         (measure.statistic ? "" : "; a column needs a statistic, e.g. certificate.max")};
}

RunMeasures::RunMeasures(const Scene& scene, const std::vector<Measure>& measures)
    : measures_(measures),
      quantities_(scene),
      series_(scene, columns_of(measures)),
      courses_(measures.size()) {
  const auto& columns = series_.columns();
  for (size_t k = 0; k < measures.size(); ++k) {
    if (!measures[k].statistic)
      needs_quantities_ = true;
    else
      courses_[k].column =
          static_cast<size_t>(std::find(columns.begin(), columns.end(), measures[k].of) - columns.begin());
  }
}

void RunMeasures::Course::add(double x) {
  least = count == 0 ? x : std::min(least, x);
  most = count == 0 ? x : std::max(most, x);
  if (count == 0) first = x;
  last = x;
  sum += x;
  squares += x * x;
  ++count;
}

void RunMeasures::add(SceneRun& run) {
  if (needs_quantities_) quantities_.add(run);
  if (series_.columns().empty()) return;
  row_.clear();
  series_.add(run, row_);
  const double time_s = run.record().time_s;
  for (size_t k = 0; k < courses_.size(); ++k)
    if (measures_[k].statistic && time_s >= measures_[k].from_s && time_s <= measures_[k].to_s)
      courses_[k].add(row_[courses_[k].column]);
}

std::vector<double> RunMeasures::values() const {
  const auto quantities = quantities_.list();
  std::vector<double> out;
  for (size_t k = 0; k < measures_.size(); ++k) {
    const Course& c = courses_[k];
    const auto n = static_cast<double>(c.count);
    double value = std::numeric_limits<double>::quiet_NaN();
    if (!measures_[k].statistic) {
      for (const Quantity& q : quantities)
        if (q.name == measures_[k].of) value = q.value;
    } else if (c.count > 0) {
      switch (*measures_[k].statistic) {
        case Statistic::min:
          value = c.least;
          break;
        case Statistic::max:
          value = c.most;
          break;
        case Statistic::mean:
          value = c.sum / n;
          break;
        case Statistic::rms:
          value = std::sqrt(c.squares / n);
          break;
        case Statistic::first:
          value = c.first;
          break;
        case Statistic::last:
          value = c.last;
          break;
      }
    }
    out.push_back(value);
  }
  return out;
}

}  // namespace palp
