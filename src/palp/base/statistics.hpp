// Percentiles for summaries and reports.
#pragma once
#include <algorithm>
#include <vector>

namespace palp {

/// The q-th quantile (0…1) of a sample; 0 when it is empty.
inline double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const size_t k = std::min(values.size() - 1, static_cast<size_t>(q * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k), values.end());
  return values[k];
}

}  // namespace palp
