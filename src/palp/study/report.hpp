// What a study shows, in pictures: how much each parameter decides, the course of every measure over it, maps
// over two parameters, and the best designs. One page (HTML) with its pictures beside it.
//
// The share of a parameter in the scatter of a measure is Var(E[y|x]) / Var(y), its first-order index (Sobol
// 1993), estimated from the means over the parameter's values, or over eight equally filled parts of its
// range.
#pragma once
#include "palp/study/table.hpp"

namespace palp {

/// The mean of a measure over the values, or parts of the range, of a parameter.
struct MainEffect {
  std::vector<double> x;  ///< middle of each part; its number where the parameter is no number
  std::vector<double> mean;
  std::vector<long> count;
  std::vector<std::string> names;  ///< of values that are no numbers
  double share = 0;                ///< of the variance, 0 … 1
};
MainEffect main_effect(const StudyTable& table, size_t parameter, size_t measure);

/// Writes FOLDER/report.html and its pictures.
Result<void> write_report(const Study& study, const StudyTable& table, const std::string& folder);
/// The same with results.csv and results.h5.
Result<void> write_outcome(const Study& study, const StudyTable& table, const std::string& folder);

}  // namespace palp
