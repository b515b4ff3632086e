// `coulomb` against its rivals at equal certificate: every stored problem and dense ones of 20 to 200
// contacts, cold (from zero) and warm (δ_free moved by 1 %, from the old forces), at 1e-4 and 1e-8; then the
// cost of a sweep against one dense product W f. Ratios within one run.
//   bench_solvers [--data FOLDER] [--only PART_OF_NAME] [--quick] [--json]
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "rivals.hpp"
#include <nlohmann/json.hpp>

#include "palp/io/problem_json.hpp"
#include "palp/solvers/fast_sweep.hpp"
#include "palp/solvers/solver.hpp"

using namespace palp;
using namespace palp::bench;
using nlohmann::json;

namespace {

double percentile(std::vector<double> v, double p) {
  if (v.empty()) return INFINITY;
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, static_cast<std::size_t>(p * v.size()))];
}

struct Row {
  std::string name, start;
  int contacts = 0, sweeps = 0;
  bool dense = false;
  double tolerance = 0, certificate = 0, p50 = INFINITY, p99 = INFINITY, prepare = 0, textbook = INFINITY;
  Outcome siconos;
  double rival() const { return std::min(textbook, siconos.us); }
  double ratio() const { return std::isfinite(p50) ? rival() / p50 : 0; }
};

struct Named {
  std::string name;
  Problem problem;
};

/// k contacts of a dense problem, evenly chosen.
Problem thinned(const Problem& p, int k) {
  const int m = p.contacts();
  Problem out;
  out.W.dense.resize(3 * k, 3 * k);
  out.delta_free.resize(3 * k);
  out.mu.resize(k);
  for (int a = 0; a < k; ++a) {
    const int i = a * m / k;
    out.delta_free.segment<3>(3 * a) = p.delta_free.segment<3>(3 * i);
    out.mu[a] = p.mu[i];
    for (int b = 0; b < k; ++b)
      out.W.dense.block<3, 3>(3 * a, 3 * b) = p.W.dense.block<3, 3>(3 * i, 3 * (b * m / k));
  }
  return out;
}

void measure(const Named& named, double tolerance, bool quick, std::vector<Row>& rows) {
  const Problem& p = named.problem;
  const int n = 3 * p.contacts();
  auto solver = std::move(make_solver("coulomb")).value();
  TextbookGaussSeidel textbook(p);
  Siconos siconos(p);
  const double limit_us = quick ? 2e5 : 2e6;

  // The next step of a simulation: the bodies have moved a little, by W g with random g, 1 % of |δ_free|.
  // (Random changes of δ_free itself would leave the range of a singular W: rigid bodies cannot move like
  // that.)
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  VecX g(n), moved(n);
  for (double& x : g) x = normal(random);
  multiply(p, g, moved);
  moved -= p.delta_free;
  moved = p.delta_free + 0.01 * p.delta_free.norm() / moved.norm() * moved;
  VecX old_force(n);
  for (const bool warm : {false, true}) {
    Row row;
    row.name = named.name;
    row.start = warm ? "warm" : "cold";
    row.contacts = p.contacts();
    row.dense = p.W.is_dense;
    row.tolerance = tolerance;
    const VecX& delta_free = warm ? moved : p.delta_free;
    if (!warm) {
      const double before = now_us();
      if (!solver->set_problem(p)) return;
      row.prepare = now_us() - before;
      old_force.setZero();
    }
    solver->set_delta_free(delta_free);
    std::vector<double> times;
    VecX f(n);
    SolveReport r;
    for (double total = 0; times.empty() || (times.size() < 200 && total < 5e4); total += r.time_us) {
      f = old_force;
      r = solver->solve({.tolerance = tolerance, .max_sweeps = 200000, .warm_start = warm}, f);
      times.push_back(r.time_us);
    }
    row.sweeps = r.sweeps;
    row.certificate = r.certificate;
    if (r.converged()) {
      row.p50 = percentile(times, 0.5);
      row.p99 = percentile(times, 0.99);
    }
    for (int run = 0; run < 5; ++run) {
      VecX h = old_force;
      const double us = textbook.solve(delta_free, tolerance, 1000000, limit_us, h);
      row.textbook = std::min(row.textbook, us);
      if (us > 1e4) break;
    }
    row.siconos = siconos.best(delta_free, old_force, tolerance, limit_us);
    if (!warm) old_force = f;
    rows.push_back(row);
  }
}

/// A sweep in which every contact moves, against W f in double on the same W: µs each.
std::pair<double, double> sweep_against_product(const Problem& p) {
  Prepared prepared;
  if (!prepared.set(p)) return {0, 0};
  FastSweep sweeper;
  sweeper.set(prepared);
  const int n = 3 * p.contacts();
  VecX f = VecX::Zero(n), out(n);
  VecX deep = p.delta_free;
  for (int i = 0; i < p.contacts(); ++i)
    deep[3 * i] = -std::abs(deep[3 * i]) - 1e-3 * deep.cwiseAbs().maxCoeff();
  prepared.set_delta_free(deep);
  double sweep = INFINITY, product = INFINITY;
  for (int k = 0; k < 200; ++k) {
    f.setZero();
    sweeper.refresh(f);
    double before = now_us();
    sweeper.sweep(f, 0);
    sweep = std::min(sweep, now_us() - before);
    before = now_us();
    out.noalias() = p.W.dense * f;
    product = std::min(product, now_us() - before);
  }
  return {sweep, product};
}

json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

void print_summary(const std::vector<Row>& rows, const char* title, auto&& keep) {
  std::vector<double> ratios;
  int unanswered = 0;
  for (const Row& r : rows)
    if (keep(r) && std::isfinite(r.p50))
      std::isfinite(r.ratio()) ? ratios.push_back(r.ratio()) : void(++unanswered);
  if (ratios.empty()) return;
  std::sort(ratios.begin(), ratios.end());
  std::printf(
      "  %-38s median %6.1f   least %5.1f   (%zu compared, %d where no rival reached the tolerance)\n", title,
      percentile(ratios, 0.5), ratios.front(), ratios.size(), unanswered);
}

}  // namespace

int main(int argc, char** argv) {
  std::string data = "../shared/data/fc", only;
  bool quick = false, as_json = false;
  if (const char* given = std::getenv("PALP_DATA")) data = given;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--quick"))
      quick = true;
    else if (!std::strcmp(argv[i], "--json"))
      as_json = true;
    else if (!std::strcmp(argv[i], "--data") && i + 1 < argc)
      data = argv[++i];
    else if (!std::strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else
      return std::fprintf(stderr, "usage: bench_solvers [--data FOLDER] [--only NAME] [--quick] [--json]\n"),
             2;
  }
  std::vector<std::string> files;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(data, absent))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path().string());
  if (files.empty())
    return std::fprintf(stderr, "no problems in %s: give --data or PALP_DATA\n", data.c_str()), 1;
  std::sort(files.begin(), files.end());
  std::vector<Named> problems;
  for (const std::string& file : files) {
    auto p = read_problem(file);
    if (!p) return std::fprintf(stderr, "%s\n", p.error().text().c_str()), 1;
    const std::string name = std::filesystem::path(file).stem().string();
    if (name == "syn_fem_qs_200")
      for (int k : {20, 50, 100})
        problems.push_back({"dense_of_qs_200_" + std::to_string(k), thinned(*p, k)});
    problems.push_back({name, std::move(*p)});
  }

  std::vector<Row> rows;
  if (!as_json) {
    std::printf("Siconos: %s\n", have_siconos ? "linked" : "not installed, left out");
    std::printf("%-44s %4s %-4s %5s %10s %10s %7s %8s %10s %10s %-15s %7s %9s\n", "problem", "m", "", "tol",
                "p50 us", "p99 us", "sweeps", "cert", "textbook", "Siconos", "(which)", "ratio", "prepare");
  }
  for (const Named& named : problems) {
    if (named.name.find(only) == std::string::npos) continue;
    for (double tolerance : {1e-4, 1e-8}) {
      if (named.name == "RockPile_tob1" && tolerance < 1e-7)
        tolerance = 1e-7;  // its W is asymmetric by 2.5e-3
      const std::size_t first = rows.size();
      measure(named, tolerance, quick, rows);
      for (std::size_t k = first; k < rows.size() && !as_json; ++k) {
        const Row& r = rows[k];
        std::printf("%-44s %4d %-4s %5.0e %10.1f %10.1f %7d %8.1e %10.1f %10.1f %-15s %7.1f %9.1f\n",
                    r.name.c_str(), r.contacts, r.start.c_str(), r.tolerance, r.p50, r.p99, r.sweeps,
                    r.certificate, r.textbook, r.siconos.us, r.siconos.who.c_str(), r.ratio(), r.prepare);
        std::fflush(stdout);
      }
    }
  }
  json sweeps = json::array();
  if (!as_json) std::printf("\nratio = best rival / p50\n");
  for (const Named& named : problems) {
    if (!named.problem.W.is_dense || named.problem.contacts() < 20 ||
        named.name.find(only) == std::string::npos)
      continue;
    const auto [sweep, product] = sweep_against_product(named.problem);
    sweeps.push_back({{"problem", named.name}, {"sweep_us", sweep}, {"product_us", product}});
    if (!as_json)
      std::printf("  sweep %8.2f us, W f %8.2f us, ratio %.2f  %s\n", sweep, product, sweep / product,
                  named.name.c_str());
  }
  if (as_json) {
    json out = json::array();
    for (const Row& r : rows)
      out.push_back({{"problem", r.name},
                     {"contacts", r.contacts},
                     {"start", r.start},
                     {"tolerance", r.tolerance},
                     {"p50_us", number(r.p50)},
                     {"p99_us", number(r.p99)},
                     {"sweeps", r.sweeps},
                     {"certificate", r.certificate},
                     {"textbook_us", number(r.textbook)},
                     {"siconos_us", number(r.siconos.us)},
                     {"siconos_solver", r.siconos.who},
                     {"ratio", number(r.ratio())},
                     {"prepare_us", r.prepare}});
    std::printf("%s\n", json{{"solves", out}, {"sweeps", sweeps}}.dump(1).c_str());
    return 0;
  }
  print_summary(rows, "all", [](const Row&) { return true; });
  for (const char* start : {"cold", "warm"})
    for (bool tight : {false, true})
      print_summary(rows, (std::string(start) + (tight ? ", 1e-8" : ", 1e-4")).c_str(),
                    [&](const Row& r) { return r.start == start && (r.tolerance < 1e-5) == tight; });
  print_summary(rows, "10 contacts and more", [](const Row& r) { return r.contacts >= 10; });
  print_summary(rows, "dense, 100 contacts and more",
                [](const Row& r) { return r.dense && r.contacts >= 100; });
}
