#include "solve_compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/draw/plot.hpp"
#include "palp/io/problem_json.hpp"
#include "palp/solvers/certificate.hpp"

namespace palp::cli {
namespace {

namespace fs = std::filesystem;
constexpr double never = std::numeric_limits<double>::infinity();

struct Run {
  SolveReport report;
  bool applicable = true;
  bool solved = false;  ///< converged, and the independent certificate agrees
  double time() const { return solved ? report.time_us : never; }
};

/// One problem at one tolerance.
struct Case {
  std::string problem;
  int contacts = 0;
  double tolerance = 0;
  std::vector<Run> runs;  ///< per solver
  double best() const {
    double t = never;
    for (const Run& run : runs) t = std::min(t, run.time());
    return t;
  }
};

Result<std::vector<std::string>> list_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".hdf5" || ending == ".h5" || ending == ".json") inside.push_back(entry.path().string());
    }
    if (inside.empty())
      return Error{
          .message = "no problem in this folder", .file = path, .remedy = "files end in .hdf5, .h5 or .json"};
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

/// The fastest of `repeat` cold runs; failures are not repeated.
Run measure(Solver& solver, const Problem& problem, double tolerance, const CompareArguments& a) {
  Run best;
  VecX f(3 * problem.contacts());
  for (int k = 0; k < a.repeat; ++k) {
    f.setZero();
    const SolveReport report =
        solver.solve({.tolerance = tolerance, .max_sweeps = a.max_sweeps, .budget_us = a.budget_us}, f);
    if (k == 0 || report.time_us < best.report.time_us) best.report = report;
    if (!report.converged()) break;
  }
  best.applicable = best.report.status != SolveStatus::not_applicable;
  if (!best.applicable) return best;
  const double judged = certificate(problem, f).value;
  best.report.certificate = judged;
  best.solved = best.report.converged() && judged <= tolerance * (1 + 1e-6) + 1e-14;
  return best;
}

void show_progress(size_t done, size_t all, const std::string& what) {
  if (!isatty(STDERR_FILENO)) return;
  if (done == all)
    std::fprintf(stderr, "\r\033[K");
  else
    std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", done + 1, all, what.c_str());
  std::fflush(stderr);
}

struct Summary {
  int solved = 0, applicable = 0, fastest = 0;
  double median_ratio = never;  ///< time over the best, over the cases it solved
};

std::vector<Summary> summarise(const std::vector<Case>& cases, size_t solvers) {
  std::vector<Summary> out(solvers);
  for (size_t s = 0; s < solvers; ++s) {
    std::vector<double> ratios;
    for (const Case& c : cases) {
      out[s].applicable += c.runs[s].applicable;
      if (!c.runs[s].solved) continue;
      ++out[s].solved;
      ratios.push_back(c.runs[s].time() / c.best());
      out[s].fastest += c.runs[s].time() <= c.best();
    }
    if (ratios.empty()) continue;
    std::nth_element(ratios.begin(), ratios.begin() + static_cast<long>(ratios.size() / 2), ratios.end());
    out[s].median_ratio = ratios[ratios.size() / 2];
  }
  return out;
}

void print_table(const std::vector<Case>& cases, const std::vector<std::string>& solvers) {
  std::printf("time in µs (sweeps); a failure shows the certificate it reached\n%-34s %5s %7s", "problem",
              "m", "tol");
  for (const auto& name : solvers) std::printf(" %20s", name.c_str());
  std::printf("\n");
  for (const Case& c : cases) {
    std::printf("%-34.34s %5d %7.0e", c.problem.c_str(), c.contacts, c.tolerance);
    for (const Run& run : c.runs) {
      char cell[64];
      if (!run.applicable)
        std::snprintf(cell, sizeof cell, "-");
      else if (run.solved)
        std::snprintf(cell, sizeof cell, "%.1f (%d)", run.report.time_us, run.report.sweeps);
      else
        std::snprintf(cell, sizeof cell, "fails at %.1e", run.report.certificate);
      std::printf(" %20s", cell);
    }
    std::printf("\n");
  }
  std::printf("\n%-20s %10s %10s %24s\n", "solver", "solved", "fastest", "median time / best time");
  const auto summary = summarise(cases, solvers.size());
  for (size_t s = 0; s < solvers.size(); ++s)
    std::printf("%-20s %4d of %3d %10d %24.2f\n", solvers[s].c_str(), summary[s].solved,
                summary[s].applicable, summary[s].fastest, summary[s].median_ratio);
}

nlohmann::json as_json(const std::vector<Case>& cases, const std::vector<std::string>& solvers) {
  nlohmann::json runs = nlohmann::json::array(), summary = nlohmann::json::array();
  for (const Case& c : cases)
    for (size_t s = 0; s < solvers.size(); ++s) {
      const Run& run = c.runs[s];
      runs.push_back({{"problem", c.problem},
                      {"contacts", c.contacts},
                      {"tolerance", c.tolerance},
                      {"solver", solvers[s]},
                      {"status", status_text(run.report.status)},
                      {"converged", run.solved},
                      {"certificate", run.report.certificate},
                      {"sweeps", run.report.sweeps},
                      {"time_us", run.report.time_us}});
    }
  const auto sums = summarise(cases, solvers.size());
  for (size_t s = 0; s < solvers.size(); ++s)
    summary.push_back({{"solver", solvers[s]},
                       {"solved", sums[s].solved},
                       {"applicable", sums[s].applicable},
                       {"fastest", sums[s].fastest},
                       {"median_ratio", sums[s].median_ratio}});
  return {{"runs", runs}, {"summary", summary}};
}

Result<void> write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  if (!(out << text) || !out.flush())
    return Error{
        .message = "cannot be written", .file = path, .remedy = "check the folder and the free space"};
  return {};
}

}  // namespace

Result<void> compare_solvers(const CompareArguments& a) {
  const auto files = list_files(a.paths);
  if (!files) return files.error();
  std::vector<std::string> names = a.solvers;
  if (names.empty())
    for (std::string_view name : solver_names()) names.emplace_back(name);
  std::vector<std::unique_ptr<Solver>> solvers;
  for (const auto& name : names) {
    auto solver = make_solver(name);
    if (!solver) return solver.error();
    solvers.push_back(std::move(*solver));
  }

  std::vector<Case> cases;
  for (size_t k = 0; k < files->size(); ++k) {
    const std::string& file = (*files)[k];
    const auto problem = read_problem(file);
    if (!problem) return problem.error();
    show_progress(k, files->size(), fs::path(file).stem().string());
    std::vector<bool> taken;
    for (auto& solver : solvers) taken.push_back(static_cast<bool>(solver->set_problem(*problem)));
    for (double tolerance : a.tolerances) {
      Case c{fs::path(file).stem().string(), problem->contacts(), tolerance, {}};
      for (size_t s = 0; s < solvers.size(); ++s) {
        Run declined;
        declined.applicable = false;
        declined.report.status = SolveStatus::not_applicable;
        c.runs.push_back(taken[s] ? measure(*solvers[s], *problem, tolerance, a) : declined);
      }
      cases.push_back(std::move(c));
    }
  }
  show_progress(files->size(), files->size(), "");

  // A solver that applies to nothing here would only widen the table.
  for (size_t s = names.size(); s-- > 0;) {
    const bool used =
        std::any_of(cases.begin(), cases.end(), [s](const Case& c) { return c.runs[s].applicable; });
    if (used || !a.solvers.empty()) continue;
    names.erase(names.begin() + static_cast<long>(s));
    for (Case& c : cases) c.runs.erase(c.runs.begin() + static_cast<long>(s));
  }

  const std::string json = as_json(cases, names).dump();
  if (a.json)
    std::printf("%s\n", json.c_str());
  else
    print_table(cases, names);
  if (!a.out.empty())
    if (auto ok = write_text(a.out, json + "\n"); !ok) return ok;
  if (!a.picture.empty()) {
    std::vector<std::vector<double>> cost(names.size());
    for (size_t s = 0; s < names.size(); ++s)
      for (const Case& c : cases) cost[s].push_back(c.runs[s].time());
    Plot plot = performance_profile(names, cost);
    plot.title = std::to_string(files->size()) + " problems, " + std::to_string(cases.size()) + " cases";
    return plot.write(a.picture);
  }
  return {};
}

}  // namespace palp::cli
