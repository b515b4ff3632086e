#include "palp/io/number_table.hpp"

#include <algorithm>
#include <cmath>

#include "palp/io/cursor.hpp"

namespace palp {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The comma-separated cells of a line, trimmed, with the column where each begins (1-based).
std::vector<std::pair<std::string_view, int>> cells_of(std::string_view line) {
  std::vector<std::pair<std::string_view, int>> cells;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(',', begin), line.size());
    cells.emplace_back(trimmed(line.substr(begin, end - begin)), static_cast<int>(begin) + 1);
    begin = end + 1;
  }
  return cells;
}

}  // namespace

const std::vector<double>* NumberTable::find(std::string_view name) const {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &columns[i];
  return nullptr;
}

Result<NumberTable> read_number_table(const std::string& file) {
  const auto text = io::read_bytes(file);
  if (!text) return text.error();
  return parse_number_table(*text, file);
}

Result<NumberTable> parse_number_table(std::string_view text, const std::string& file) {
  NumberTable table;
  table.file = file;
  for (long number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    const auto cells = cells_of(line);
    if (table.names.empty()) {
      for (const auto& [name, column] : cells) table.names.emplace_back(name);
      table.columns.resize(cells.size());
      continue;
    }
    if (cells.size() != table.names.size())
      return Error{.message = std::to_string(cells.size()) + " values where the first line names " +
                              std::to_string(table.names.size()) + " columns",
                   .file = file,
                   .line = number,
                   .remedy = "give one number for each column"};
    for (size_t i = 0; i < cells.size(); ++i) {
      const auto value = io::parse_double(cells[i].first);
      if (!value || !std::isfinite(*value))
        return Error{.message = std::string("'").append(cells[i].first).append("' is not a finite number"),
                     .file = file,
                     .line = number,
                     .column = cells[i].second,
                     .remedy = std::string("column '").append(table.names[i]).append("' holds numbers only")};
      table.columns[i].push_back(*value);
    }
  }
  if (table.rows() == 0)
    return Error{
        .message = "holds no numbers", .file = file, .remedy = "a line of names, then lines of numbers"};
  return table;
}

}  // namespace palp
