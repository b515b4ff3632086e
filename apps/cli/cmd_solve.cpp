// palp solve: one frictional contact problem, or a comparison of solvers over many.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "solve_compare.hpp"
#include <nlohmann/json.hpp>

#include "palp/io/problem_json.hpp"
#include "palp/solvers/certificate.hpp"
#include "palp/solvers/solver.hpp"

namespace palp::cli {
namespace solve_command {

struct SolveArguments {
  std::vector<std::string> problems;
  std::string solver = "coulomb";
  double tolerance = 1e-6;
  int max_sweeps = 0;    // 0: the default
  double budget_us = 0;  // 0: none
  std::string out;
  bool json = false, list = false, compare = false;
  CompareArguments comparison;
};

/// Like CLI::PositiveNumber, with a message for people.
CLI::Validator positive() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0
                   ? ""
                   : "'" + text + "' is not a positive number";
      },
      "> 0");
}

int fail(const Error& error) {
  std::fprintf(stderr, "palp solve: %s\n", error.text().c_str());
  return 1;
}

nlohmann::json answer(const Problem& problem, std::string_view solver, const SolveReport& report,
                      const VecX& f) {
  VecX u(f.size());
  multiply(problem, f, u);
  return {{"solver", solver},
          {"contacts", problem.contacts()},
          {"converged", report.converged()},
          {"status", status_text(report.status)},
          {"certificate", report.certificate},
          {"sweeps", report.sweeps},
          {"time_us", report.time_us},
          {"r", std::vector<double>(f.begin(), f.end())},
          {"u", std::vector<double>(u.begin(), u.end())}};
}

void print_answer(const std::string& file, const Problem& p, const ProblemInfo& info, const SolveArguments& a,
                  const SolveReport& report, const VecX& f) {
  std::printf("%s: %d contacts, W %s, asymmetric by %.1e\n", file.c_str(), p.contacts(),
              p.W.is_dense ? "dense" : "block-sparse", info.asymmetry);
  std::printf("%s: %s, certificate %.2e (tolerance %.0e), %d sweeps, %.1f µs\n", a.solver.c_str(),
              status_text(report.status), report.certificate, a.tolerance, report.sweeps, report.time_us);
  int open = 0, stick = 0, slip = 0, bilateral = 0;
  double largest = 0;
  for (int i = 0; i < p.contacts(); ++i) {
    const Vec3 f_i = f.segment<3>(3 * i);
    largest = std::max(largest, f_i.norm());
    if (p.bilateral(i))
      ++bilateral;
    else if (f_i[0] <= 0)
      ++open;
    else
      ++(f_i.tail<2>().norm() < (1 - 1e-9) * p.mu[i] * f_i[0] ? stick : slip);
  }
  std::printf("contacts: %d open, %d sticking, %d sliding", open, stick, slip);
  if (bilateral > 0) std::printf(", %d bilateral", bilateral);
  std::printf("; largest force %.4g\n", largest);
}

int solve_one(const SolveArguments& a) {
  const std::string& file = a.problems.front();
  std::error_code absent;
  if (std::filesystem::is_directory(file, absent))
    return fail({.message = "is a folder", .file = file, .remedy = "name one file, or add --compare"});
  const auto problem = read_problem(file);
  if (!problem) return fail(problem.error());
  auto solver = make_solver(a.solver);
  if (!solver) return fail(solver.error());
  if (auto ok = (*solver)->set_problem(*problem); !ok) {
    Error error = ok.error();
    error.file = file;
    return fail(error);
  }
  constexpr int enough = 1000000;  // the hardest stored problem needs a tenth of it
  SolveOptions options{.tolerance = a.tolerance, .max_sweeps = a.max_sweeps > 0 ? a.max_sweeps : enough};
  if (a.budget_us > 0) options.budget_us = a.budget_us;
  VecX f = VecX::Zero(3 * problem->contacts());
  SolveReport report = (*solver)->solve(options, f);
  // The printed certificate is the independent one, whatever the solver says.
  const Certificate judged = certificate(*problem, f);
  if (report.converged() && judged.value > a.tolerance * (1 + 1e-6) + 1e-14)
    report.status = SolveStatus::stalled;
  if (report.status != SolveStatus::not_applicable) report.certificate = judged.value;

  const nlohmann::json result = answer(*problem, a.solver, report, f);
  if (!a.out.empty()) {
    std::ofstream out(a.out);
    if (!(out << result.dump() << '\n') || !out.flush())
      return fail(
          {.message = "cannot be written", .file = a.out, .remedy = "check the folder and the free space"});
  }
  if (a.json)
    std::printf("%s\n", result.dump().c_str());
  else if (report.status != SolveStatus::not_applicable)
    print_answer(file, *problem, validate(*problem).value(), a, report, f);
  if (report.status == SolveStatus::not_applicable)
    return fail({.message = "'" + a.solver + "' cannot treat this problem (friction or bilateral rows)",
                 .file = file,
                 .remedy = "choose another with --solver; --list names them"});
  return report.converged() ? 0 : 1;
}

int run(const SolveArguments& a) {
  if (a.list) {
    for (std::string_view name : solver_names())
      std::printf("%.*s\n", static_cast<int>(name.size()), name.data());
    return 0;
  }
  if (a.problems.empty())
    return fail({.message = "no problem given", .remedy = "give an FCLIB HDF5 or JSON file; see --help"});
  if (a.compare) {
    CompareArguments c = a.comparison;
    c.paths = a.problems;
    if (a.max_sweeps > 0) c.max_sweeps = a.max_sweeps;
    c.budget_us = a.budget_us > 0 ? a.budget_us : 2e6;
    c.json = a.json;
    c.out = a.out;
    if (auto ok = compare_solvers(c); !ok) return fail(ok.error());
    return 0;
  }
  if (a.problems.size() > 1)
    return fail({.message = "one problem at a time", .remedy = "add --compare to run solvers on several"});
  return solve_one(a);
}

}  // namespace solve_command

const char* status_text(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::sweep_limit:
      return "sweep limit";
    case SolveStatus::budget_spent:
      return "budget spent";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::not_applicable:
      return "not applicable";
  }
  return "?";
}

void add_solve(CLI::App& app) {
  using namespace solve_command;
  auto* cmd = app.add_subcommand("solve", "Solves a frictional contact problem and proves the answer");
  auto a = std::make_shared<SolveArguments>();
  cmd->add_option("problem", a->problems,
                  "FCLIB HDF5 or JSON file; with --compare any number of files and folders");
  cmd->add_option("--solver", a->solver, "Which solver; --list names them")->capture_default_str();
  cmd->add_option("--tol", a->tolerance, "Certificate to reach")->check(positive())->capture_default_str();
  cmd->add_option("--max-sweeps", a->max_sweeps, "Gives up after so many [1000000; with --compare 10000]")
      ->check(positive());
  cmd->add_option("--budget-us", a->budget_us, "Stops on the clock, in microseconds")->check(positive());
  cmd->add_option("--out", a->out, "Writes the answer (or the comparison) as JSON to this file");
  cmd->add_flag("--json", a->json, "Prints JSON instead of text");
  cmd->add_flag("--list", a->list, "Names the solvers");
  cmd->add_flag("--compare", a->compare, "Runs several solvers on all problems and prints a table");
  cmd->add_option("--solvers", a->comparison.solvers, "With --compare: which; all by default")
      ->delimiter(',');
  cmd->add_option("--tols", a->comparison.tolerances, "With --compare: certificates to reach")
      ->delimiter(',')
      ->check(positive())
      ->capture_default_str();
  cmd->add_option("--repeat", a->comparison.repeat, "With --compare: the fastest of so many runs counts")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  cmd->add_option("--picture", a->comparison.picture, "With --compare: performance profile, .svg or .png");
  cmd->footer(
      "Example:\n"
      "  palp solve problem.hdf5 --tol 1e-8 --out answer.json\n"
      "  palp solve --compare problems/ --solvers coulomb,coulomb_gs --tols 1e-4,1e-8 --picture profile.svg\n"
      "JSON problem: {\"mu\":[m], \"q\":[3m], \"W\":{\"rows\":3m,\"i\":[...],\"j\":[...],\"v\":[...]}}, (n, "
      "t1, t2) per "
      "contact.\nExit code 0 only when the certificate was reached.");
  cmd->callback([a] { exit_code = run(*a); });
}

}  // namespace palp::cli
