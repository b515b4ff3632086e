// palp solve --compare: every solver on every problem, as table, JSON and performance profile.
#pragma once
#include <string>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/solvers/solver.hpp"

namespace palp::cli {

struct CompareArguments {
  std::vector<std::string> paths;    ///< files and folders
  std::vector<std::string> solvers;  ///< empty: all
  std::vector<double> tolerances{1e-4, 1e-8};
  int repeat = 3;
  int max_sweeps = 10000;
  double budget_us = 2e6;  ///< per run, so that a stalled solver does not hold up the rest
  bool json = false;
  std::string out;      ///< JSON file
  std::string picture;  ///< SVG file
};

Result<void> compare_solvers(const CompareArguments& arguments);

const char* status_text(SolveStatus status);

/// One solver's curve in a performance profile: for every case its time over the best time; ∞ where it
/// failed.
struct ProfileCurve {
  std::string name;
  std::vector<double> ratios;
};

/// Performance profile (Dolan and Moré): share of cases solved within a factor of the fastest solver.
std::string performance_profile_svg(const std::vector<ProfileCurve>& curves, const std::string& title);

}  // namespace palp::cli
