// A table of numbers with named columns, as CSV: the series that `palp run --csv` writes and that a replay
// reads.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "palp/base/result.hpp"

namespace palp {

struct NumberTable {
  std::string file;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< one per name, equally long

  size_t rows() const { return columns.empty() ? 0 : columns[0].size(); }
  /// Null when there is no such column.
  const std::vector<double>* find(std::string_view name) const;
};

/// The first line holds the names, every other one a finite number for each. Empty lines and lines that start
/// with # are skipped. Errors name file, line and column.
Result<NumberTable> read_number_table(const std::string& file);
/// The same from memory.
Result<NumberTable> parse_number_table(std::string_view text, const std::string& file);

}  // namespace palp
