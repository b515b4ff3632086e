// Contact problems in JSON and CSV series: read, or refused with a useful error.
#pragma once
#include "target.hpp"

#include "palp/io/number_table.hpp"
#include "palp/io/problem_json.hpp"

namespace palp::fuzz {

inline std::string problem_json_law(std::string_view bytes) {
  const auto problem = parse_problem_json(std::string(bytes), "fuzz.json");
  if (!problem)
    return problem.error().message.empty() || problem.error().file != "fuzz.json" ? "useless error" : "";
  return validate(*problem) ? "" : "an unsound problem";
}

inline std::string series_law(std::string_view bytes) {
  const auto table = parse_number_table(bytes, "fuzz.csv");
  if (!table) return useless(table.error(), "fuzz.csv");
  for (const auto& column : table->columns) {
    if (column.size() != table->rows()) return "columns of different lengths";
    for (double v : column)
      if (!std::isfinite(v)) return "a number that is not finite";
  }
  return table->columns.size() == table->names.size() ? "" : "columns without names";
}

inline const Target problem_json{"problem_json", problem_json_law};
inline const Target series{"series", series_law};

}  // namespace palp::fuzz
