// The field's stored contact problems: the folder in PALP_DATA, or ../shared/data/fc beside the project.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace palp::testing {

inline std::filesystem::path stored_problem_folder() {
  if (const char* given = std::getenv("PALP_DATA")) return given;
  return std::filesystem::path(PALP_SOURCE_DIR) / "../shared/data/fc";
}

/// All stored problems in order of name; empty when the folder is not there.
inline std::vector<std::string> stored_problems() {
  std::vector<std::string> out;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(stored_problem_folder(), absent))
    if (entry.path().extension() == ".hdf5") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace palp::testing

/// First line of a test that needs them.
#define PALP_NEEDS_STORED_PROBLEMS()                                                          \
  if (palp::testing::stored_problems().empty())                                               \
  GTEST_SKIP() << "no stored problems in " << palp::testing::stored_problem_folder().string() \
               << "; set PALP_DATA to the folder that holds the FCLIB files"
