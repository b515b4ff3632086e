// `coulomb` against its rivals at equal certificate: every stored problem, dense ones of 20 to 200 contacts
// thinned from one of them, and dense ones of deformable bodies of 12 to 230 contacts that Palp's own scenes
// come to; cold (from zero) and warm (δ_free moved by 1 %, from the old forces), at 1e-4 and 1e-8; then the
// cost of a sweep against one dense product W f; then how well a time budget is kept on the real clock.
// Ratios within one run. With --changes N instead: `coulomb` alone on every problem with N random changes of
// δ_free, since how long a solve takes is partly luck.
//
// What is timed: a solve, from the first guess to the certified answer, with the copy of the first guess.
// `coulomb`, textbook and tuned take turns, so that a busy moment of the machine meets all of them; each turn
// is a batch of solves that lasts 20 µs or more between two readings of the clock, and none reads it inside
// (.clock_us = nullptr; the textbook and tuned only from the sixteenth sweep on). The lower quartile of the
// turns counts on every side. Siconos is timed call by call, the least of five. Set-up (set_problem here, the
// constructor there, both with the memory of an earlier call where they keep any) is timed apart, and a
// second table has ratios with it. Siconos is given its matrix for nothing.
//
// The floor: W f + δ_free and its certificate once, which no certified answer can do without (Palp's own code
// for many contacts). A rival that takes less than three floors can hardly be beaten by a factor of three;
// for few contacts there is faster code than the floor's, and the bound is a rough one. A rival that does not
// arrive in its time counts with that time where this alone is ten times ours; elsewhere nobody knows, and
// the case is left out.
//
// Rivals (rivals.hpp): `textbook` and `tuned`, both Algorithm 1, and the best of Siconos' solvers.
//   bench_solvers [--data FOLDER] [--only PART_OF_NAME] [--contacts LEAST MOST] [--quick] [--no-siconos]
//                 [--changes N] [--json]
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <tuple>

#include "rivals.hpp"
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "palp/io/problem_json.hpp"
#include "palp/scene/run.hpp"
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
  bool dense = false, from_scene = false;
  double tolerance = 0, certificate = 0, us = INFINITY, prepare = 0;
  double textbook = INFINITY, tuned = INFINITY;
  double textbook_prepare = 0, tuned_prepare = 0, floor = 0;
  double limit = 0;  ///< what a rival is given
  Outcome siconos;  ///< no number of µs: it was not in the race
  double rival() const { return std::min({textbook, tuned, siconos.us}); }  // passes over what is no number
  /// A rival that takes this long is so many times slower; infinite when nobody knows.
  double times(double rival_us) const {
    if (std::isnan(rival_us)) return INFINITY;
    if (std::isfinite(rival_us)) return rival_us / us;
    return limit >= 10 * us ? limit / us : INFINITY;
  }
  double ratio() const { return std::isfinite(us) ? rival() / us : 0; }
};

struct Named {
  std::string name;
  Problem problem;
  bool from_scene = false;
};

/// RockPile_tob1's W is asymmetric by 2.5e-3.
std::array<double, 2> tolerances(const Named& named) {
  return {1e-4, named.name == "RockPile_tob1" ? 1e-7 : 1e-8};
}

/// The largest contact problem of a scene after so much of its time; its name gets the number of contacts.
struct FromScene {
  const char *name, *scene;
  double time_s;
  std::vector<SceneOverride> changes;
};
const FromScene from_scenes[] = {
    {"ball_on_cylinder", "d04-ball-on-cylinder", 0.25, {{"contact.mu", "0.4"}, {"solver.name", "coulomb"}}},
    {"ball_on_cylinder", "d04-ball-on-cylinder", 0.5, {{"contact.mu", "0.4"}, {"solver.name", "coulomb"}}},
    {"ball_on_cylinder",
     "d04-ball-on-cylinder",
     1,
     {{"contact.mu", "0.4"},
      {"solver.name", "coulomb"},
      {"bodies.ball.mesh.cellsAcross", "18"},
      {"bodies.cylinder.mesh.cellsAcross", "16"},
      {"bodies.cylinder.mesh.cellsAlong", "32"}}},
    {"ball_on_cylinder",
     "d04-ball-on-cylinder",
     1,
     {{"contact.mu", "0.4"},
      {"solver.name", "coulomb"},
      {"bodies.ball.mesh.cellsAcross", "24"},
      {"bodies.cylinder.mesh.cellsAcross", "20"},
      {"bodies.cylinder.mesh.cellsAlong", "40"}}},
    {"blocks", "h08-blocks", 8, {}},
    {"blocks",
     "h08-blocks",
     8,
     {{"bodies.upper.mesh.cells", "[8,3,2]"}, {"bodies.lower.mesh.cells", "[20,5,4]"}}},
    {"blocks",
     "h08-blocks",
     8,
     {{"bodies.upper.mesh.cells", "[12,5,3]"}, {"bodies.lower.mesh.cells", "[28,7,5]"}}},
    {"table", "d06-table", 0.2, {{"solver.name", "coulomb"}}},
    {"table", "d06-table", 0.2, {{"solver.name", "coulomb"}, {"bodies.table.mesh.cell", "0.004"}}},
    {"clip", "d06-clip", 0.5, {{"contact.mu", "0.2"}}},
    {"clip", "d06-clip", 0.8, {{"contact.mu", "0.2"}}},
    {"clip", "d06-clip", 1.1, {{"contact.mu", "0.2"}}},
    {"soft_ball", "soft-ball-on-table", 1.2, {}},
    {"soft_ball", "soft-ball-on-table", 1.2, {{"bodies.ball.mesh.cellsAcross", "10"}}},
    {"stiff", "d06-stiff", 0.5, {}},
};

std::optional<Named> problem_of(const FromScene& from) {
  const SceneResult loaded = load_scene(std::string(PALP_SCENES "/") + from.scene + ".yaml", from.changes);
  for (const Error& e : loaded.errors) std::fprintf(stderr, "%s\n", e.text().c_str());
  if (!loaded.scene) return {};
  SceneRun run(*loaded.scene);
  while (run.state().time_s < from.time_s - 1e-9)
    if (!run.advance()) return {};
  const Workspace& ws = run.workspace();
  const Problem* largest = nullptr;
  for (int g = 0; g < ws.group_count; ++g)
    if (!largest || ws.groups[g].problem.contacts() > largest->contacts()) largest = &ws.groups[g].problem;
  if (!largest) return {};
  return Named{std::string(from.name) + "_" + std::to_string(largest->contacts()), *largest, true};
}

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

/// Solves in turns. Each entry: does one solve from the first guess, true when it reached the tolerance.
/// Returns µs per solve, infinite where a solver did not reach it.
template <std::size_t n>
std::array<double, n> in_turns(const std::array<std::function<bool()>, n>& solvers) {
  constexpr double turn_us = 20, total_us = 6e4;
  constexpr int most_turns = 60;
  std::array<int, n> batch{};
  std::array<std::vector<double>, n> times;
  const auto turn = [](const std::function<bool()>& solve, int count) {
    bool reached = true;
    const double before = now_us();
    for (int k = 0; k < count; ++k) reached = solve() && reached;
    const double us = (now_us() - before) / count;
    return reached ? us : INFINITY;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double once = std::min(turn(solvers[i], 1), turn(solvers[i], 1));
    batch[i] = std::isfinite(once) ? static_cast<int>(std::clamp(turn_us / once, 1.0, 1000.0)) : 0;
    if (once > 0.5 * total_us) times[i].push_back(once);  // also when it is infinite
  }
  const double begin = now_us();
  for (int k = 0; k < most_turns && (k == 0 || now_us() - begin < total_us); ++k)
    for (std::size_t i = 0; i < n; ++i)
      if (times[i].empty() || std::max(times[i].front(), times[i].back()) < 0.5 * total_us)
        times[i].push_back(turn(solvers[i], batch[i]));
  std::array<double, n> out{};
  for (std::size_t i = 0; i < n; ++i) out[i] = percentile(times[i], 0.25);
  return out;
}

/// The median time of five calls.
double median_of_five_us(auto&& call) {
  std::vector<double> times;
  for (int run = 0; run < 5; ++run) {
    const double before = now_us();
    call();
    times.push_back(now_us() - before);
  }
  return percentile(times, 0.5);
}

/// δ_free of the next step of a simulation: the bodies have moved a little, by W g with random g, 1 % of
/// |δ_free|. (Random changes of δ_free itself would leave the range of a singular W: rigid bodies cannot move
/// like that.)
VecX moved_delta_free(const Problem& p, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  VecX g(3 * p.contacts()), moved(3 * p.contacts());
  for (double& x : g) x = normal(random);
  multiply(p, g, moved);
  moved -= p.delta_free;
  return p.delta_free + 0.01 * p.delta_free.norm() / moved.norm() * moved;
}

void measure(const Named& named, double tolerance, bool quick, bool with_siconos, std::vector<Row>& rows) {
  const Problem& p = named.problem;
  const int n = 3 * p.contacts();
  auto solver = std::move(make_solver("coulomb")).value();
  Textbook textbook(p);
  TunedGaussSeidel tuned(p);
  Siconos siconos(p);
  const double limit_us = quick ? 1e5 : 2e6;
  const double textbook_prepare = median_of_five_us([&] { Textbook once(p); });
  const double tuned_prepare = median_of_five_us([&] { TunedGaussSeidel once(p); });
  Prepared prepared;
  if (!solver->set_problem(p) || !prepared.set(p)) return;
  const double prepare = median_of_five_us([&] { (void)solver->set_problem(p); });

  const VecX moved = moved_delta_free(p, 1);
  VecX old_force(n);
  for (const bool warm : {false, true}) {
    Row row;
    row.name = named.name;
    row.start = warm ? "warm" : "cold";
    row.contacts = p.contacts();
    row.dense = p.W.is_dense;
    row.from_scene = named.from_scene;
    row.limit = limit_us;
    row.tolerance = tolerance;
    const VecX delta_free = warm ? moved : VecX(p.delta_free);
    row.prepare = prepare;
    row.textbook_prepare = textbook_prepare;
    row.tuned_prepare = tuned_prepare;
    if (!warm) old_force.setZero();
    solver->set_delta_free(delta_free);
    prepared.set_delta_free(delta_free);
    VecX f(n), answer(n), delta(n);
    SolveReport r;
    const SolveOptions options{
        .tolerance = tolerance, .max_sweeps = 1000000, .warm_start = warm, .clock_us = nullptr};
    const std::function<bool()> ours = [&] {
      answer = old_force;
      r = solver->solve(options, answer);
      return r.converged();
    };
    const std::function<bool()> theirs = [&] {
      f = old_force;
      return textbook.solve(delta_free, tolerance, limit_us, f);
    };
    const std::function<bool()> tuned_ones = [&] {
      f = old_force;
      return tuned.solve(delta_free, tolerance, limit_us, f);
    };
    const std::function<bool()> judged = [&] {
      f = old_force;
      prepared.residual(f, delta);
      return prepared.judge(f, delta).value >= 0;
    };
    const auto us = in_turns<4>({ours, theirs, tuned_ones, judged});
    row.sweeps = r.sweeps;
    row.certificate = r.certificate;
    row.us = us[0];
    row.textbook = us[1];
    row.tuned = us[2];
    row.floor = us[3];
    row.siconos.us = NAN;
    if (with_siconos) row.siconos = siconos.best(delta_free, old_force, tolerance, limit_us);
    if (!warm) old_force = answer;
    rows.push_back(row);
  }
}

/// How often this thread has been interrupted in favour of another.
long interruptions() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

/// Budgets: how far a solve that cannot converge oversteps its budget on the real clock. A solve during which
/// the thread was interrupted says nothing about the solver and is left out.
void print_budgets(const Named& named) {
  auto solver = std::move(make_solver("coulomb")).value();
  if (!solver->set_problem(named.problem)) return;
  VecX f(3 * named.problem.contacts());
  std::printf("\ntime / budget, %s\n  %9s %8s %8s %8s %8s %22s\n", named.name.c_str(), "budget us", "p50",
              "p99", "max", "runs", "within 1.05 of it");
  for (double budget : {30.0, 100.0, 300.0, 1000.0, 3000.0}) {
    std::vector<double> ratios;
    int within = 0;
    for (double total = 0; ratios.size() < 500 && total < 4e5; total += budget) {
      const long interrupted = interruptions();
      const double before = now_us();
      solver->solve({.tolerance = -1, .max_sweeps = 1000000000, .budget_us = budget}, f);
      const double ratio = (now_us() - before) / budget;
      if (interruptions() != interrupted) continue;
      ratios.push_back(ratio);
      within += ratio <= 1.05;
    }
    std::printf("  %9.0f %8.3f %8.3f %8.3f %8zu %20.1f %%\n", budget, percentile(ratios, 0.5),
                percentile(ratios, 0.99), percentile(ratios, 1), ratios.size(),
                100.0 * within / static_cast<double>(ratios.size()));
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
    sweeper.sweep(0);
    sweep = std::min(sweep, now_us() - before);
    sweeper.store(f);
    before = now_us();
    out.noalias() = p.W.dense * f;
    product = std::min(product, now_us() - before);
  }
  return {sweep, product};
}

/// `coulomb` alone on `count` random changes of δ_free by 1 %, within 20 000 sweeps: how long it takes is
/// partly luck.
void print_changes(const Named& named, int count) {
  auto solver = std::move(make_solver("coulomb")).value();
  if (!solver->set_problem(named.problem)) return;
  for (double tolerance : tolerances(named)) {
    VecX old_force = VecX::Zero(3 * named.problem.contacts()), f;
    solver->set_delta_free(named.problem.delta_free);
    const SolveOptions options{.tolerance = tolerance, .max_sweeps = 20000};
    solver->solve(options, old_force);
    for (const bool warm : {false, true}) {
      std::vector<double> us;
      double sum = 0;
      int failures = 0;
      for (int k = 1; k <= count; ++k) {
        solver->set_delta_free(moved_delta_free(named.problem, k));
        const auto once = [&] {
          f = warm ? old_force : VecX::Zero(old_force.size());
          SolveOptions chosen = options;
          chosen.warm_start = warm;
          const double before = now_us();
          failures += !solver->solve(chosen, f).converged();
          return now_us() - before;
        };
        us.push_back(std::min(once(), once()));
        sum += std::log(us.back());
      }
      std::printf("%-44s %4d %-4s %5.0e %12.2f %12.2f %12.2f %8d of %d\n", named.name.c_str(),
                  named.problem.contacts(), warm ? "warm" : "cold", tolerance, percentile(us, 0),
                  std::exp(sum / count), percentile(us, 1), failures / 2, count);
      std::fflush(stdout);
    }
  }
}

json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

/// How many solves miss the aim of a factor of three over textbook and Siconos, and in how many of these the
/// rival takes less than three floors.
void print_below_three(const std::vector<Row>& rows) {
  for (const auto& [title, least, most] :
       {std::tuple("1 contact", 1, 1), std::tuple("2 to 10 contacts", 2, 10), std::tuple("more", 11, 1 << 30),
        std::tuple("all", 1, 1 << 30)}) {
    int all = 0, below = 0, hopeless = 0;
    std::vector<double> ratios;
    for (const Row& r : rows) {
      if (r.contacts < least || r.contacts > most || !std::isfinite(r.us)) continue;
      const double rival = std::min(r.textbook, r.siconos.us), times = r.times(rival);
      if (!std::isfinite(times)) continue;
      ++all;
      ratios.push_back(times);
      below += times < 3;
      hopeless += times < 3 && rival < 3 * r.floor;
    }
    std::printf(
        "  %-18s %3d cases, median %5.1f, least %4.1f; below 3: %d, of these with a rival below 3 floors: "
        "%d\n",
        title, all, percentile(ratios, 0.5), percentile(ratios, 0), below, hopeless);
  }
}

/// Median and least ratio to each rival and to the best of all, over the rows that `keep` selects.
void print_summary(const std::vector<Row>& rows, const char* title, auto&& keep) {
  const auto ratios = [&](auto&& rival) {
    std::vector<double> out;
    for (const Row& r : rows)
      if (keep(r) && std::isfinite(r.us) && std::isfinite(r.times(rival(r))))
        out.push_back(r.times(rival(r)));
    return out;
  };
  std::printf("  %-30s", title);
  for (const auto& v :
       {ratios([](const Row& r) { return r.textbook; }), ratios([](const Row& r) { return r.tuned; }),
        ratios([](const Row& r) { return r.siconos.us; }), ratios([](const Row& r) { return r.rival(); })})
    v.empty() ? std::printf("  %7s %6s %4d", "-", "-", 0)
              : std::printf("  %7.1f %6.1f %4zu", percentile(v, 0.5), percentile(v, 0), v.size());
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::string data = "../shared/data/fc", only;
  int least = 0, most = 1000000, changes = 0;
  bool quick = false, as_json = false, with_siconos = have_siconos;
  if (const char* given = std::getenv("PALP_DATA")) data = given;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--quick"))
      quick = true;
    else if (!std::strcmp(argv[i], "--no-siconos"))
      with_siconos = false;
    else if (!std::strcmp(argv[i], "--json"))
      as_json = true;
    else if (!std::strcmp(argv[i], "--data") && i + 1 < argc)
      data = argv[++i];
    else if (!std::strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (!std::strcmp(argv[i], "--changes") && i + 1 < argc)
      changes = std::max(std::atoi(argv[++i]), 1);
    else if (!std::strcmp(argv[i], "--contacts") && i + 2 < argc)
      least = std::atoi(argv[++i]), most = std::atoi(argv[++i]);
    else
      return std::fprintf(
                 stderr,
                 "usage: bench_solvers [--data FOLDER] [--only NAME] [--contacts LEAST MOST] [--quick] "
                 "[--no-siconos] [--changes N] [--json]\n"),
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
  for (const FromScene& from : from_scenes) {
    auto made = problem_of(from);
    if (!made) return std::fprintf(stderr, "%s: no contact problem at %g s\n", from.scene, from.time_s), 1;
    problems.push_back(std::move(*made));
  }
  std::erase_if(problems, [&](const Named& named) {
    return named.name.find(only) == std::string::npos || named.problem.contacts() < least ||
           named.problem.contacts() > most;
  });

  if (changes > 0) {
    std::printf("%-44s %4s %-4s %5s %12s %12s %12s %8s\n", "problem", "m", "", "tol", "least us",
                "mean (geom.)", "most", "not done");
    for (const Named& named : problems) print_changes(named, changes);
    return 0;
  }
  std::vector<Row> rows;
  if (!as_json) {
    std::printf("Siconos: %s\n", with_siconos ? "linked" : "left out");
    std::printf("%-44s %4s %-4s %5s %10s %7s %8s %10s %10s %10s %-15s %7s %9s %7s\n", "problem", "m", "",
                "tol", "us", "sweeps", "cert", "textbook", "tuned", "Siconos", "(which)", "ratio", "prepare",
                "floor");
  }
  for (const Named& named : problems) {
    for (double tolerance : tolerances(named)) {
      const std::size_t first = rows.size();
      measure(named, tolerance, quick, with_siconos, rows);
      for (std::size_t k = first; k < rows.size() && !as_json; ++k) {
        const Row& r = rows[k];
        char siconos_us[32] = "-";
        if (with_siconos) std::snprintf(siconos_us, sizeof(siconos_us), "%.1f", r.siconos.us);
        std::printf("%-44s %4d %-4s %5.0e %10.3f %7d %8.1e %10.3f %10.3f %10s %-15s %7.1f %9.1f %7.3f\n",
                    r.name.c_str(), r.contacts, r.start.c_str(), r.tolerance, r.us, r.sweeps, r.certificate,
                    r.textbook, r.tuned, siconos_us, r.siconos.who.c_str(), r.ratio(), r.prepare, r.floor);
        std::fflush(stdout);
      }
    }
  }
  json sweeps = json::array();
  if (!as_json) std::printf("\nratio = best rival / coulomb\n");
  for (const Named& named : problems) {
    if (!named.problem.W.is_dense || named.problem.contacts() < 20) continue;
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
                     {"us", number(r.us)},
                     {"sweeps", r.sweeps},
                     {"certificate", r.certificate},
                     {"textbook_us", number(r.textbook)},
                     {"tuned_us", number(r.tuned)},
                     {"siconos_us", number(r.siconos.us)},
                     {"siconos_solver", r.siconos.who},
                     {"ratio", number(r.ratio())},
                     {"prepare_us", r.prepare},
                     {"floor_us", r.floor}});
    std::printf("%s\n", json{{"solves", out}, {"sweeps", sweeps}}.dump(1).c_str());
    return 0;
  }
  std::printf("\nrival / coulomb: median, least, cases compared\n  %-30s  %-19s  %-19s  %-19s  %-19s\n", "",
              "textbook", "tuned", "Siconos", "best of them");
  print_summary(rows, "all", [](const Row&) { return true; });
  for (const char* start : {"cold", "warm"})
    for (bool tight : {false, true})
      print_summary(rows, (std::string(start) + (tight ? ", 1e-8" : ", 1e-4")).c_str(),
                    [&](const Row& r) { return r.start == start && (r.tolerance < 1e-5) == tight; });
  print_summary(rows, "dense, 100 contacts and more",
                [](const Row& r) { return r.dense && r.contacts >= 100; });
  print_summary(rows, "dense, 11 to 99 contacts",
                [](const Row& r) { return r.dense && r.contacts > 10 && r.contacts < 100; });
  print_summary(rows, "sparse, more than 10 contacts",
                [](const Row& r) { return !r.dense && r.contacts > 10; });
  print_summary(rows, "2 to 10 contacts", [](const Row& r) { return r.contacts > 1 && r.contacts <= 10; });
  print_summary(rows, "1 contact", [](const Row& r) { return r.contacts == 1; });
  print_summary(rows, "from scenes, 100 and more",
                [](const Row& r) { return r.from_scene && r.contacts >= 100; });
  print_summary(rows, "from scenes, 12 to 99", [](const Row& r) { return r.from_scene && r.contacts < 100; });
  print_summary(rows, "all but those from scenes", [](const Row& r) { return !r.from_scene; });
  std::printf("\n%s / coulomb\n", with_siconos ? "the better of textbook and Siconos" : "textbook");
  print_below_three(rows);
  for (Row& r : rows) {
    r.us += r.prepare;
    r.textbook += r.textbook_prepare;
    r.tuned += r.tuned_prepare;
    r.siconos.us = NAN;
    r.limit = 0;
  }
  std::printf("\nthe same with set-up on both sides\n");
  print_summary(rows, "dense, 100 contacts and more",
                [](const Row& r) { return r.dense && r.contacts >= 100; });
  print_summary(rows, "dense, 11 to 99 contacts",
                [](const Row& r) { return r.dense && r.contacts > 10 && r.contacts < 100; });
  print_summary(rows, "sparse, more than 10 contacts",
                [](const Row& r) { return !r.dense && r.contacts > 10; });
  print_summary(rows, "up to 10 contacts", [](const Row& r) { return r.contacts <= 10; });
  for (const Named& named : problems) {
    for (const char* chosen : {"syn_fem_qs_200", "syn_fem_hyp_100", "Capsules-i122-1617", "syn_fem_hyp_010"})
      if (named.name == chosen) print_budgets(named);
  }
}
