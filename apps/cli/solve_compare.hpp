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
  std::string picture;  ///< performance profile, .svg or .png
};

Result<void> compare_solvers(const CompareArguments& arguments);

const char* status_text(SolveStatus status);

}  // namespace palp::cli
