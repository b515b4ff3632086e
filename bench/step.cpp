// What a step costs, stage by stage, as meshes and contacts grow: the two spheres of D04, the table and the
// snap-in of D06, each from its scene file. Printed are medians and the 99th percentile, shares of the step,
// the exponent with which each stage grows with the number of nodes, and how much the whole proximity stage
// costs against refitting the trees alone. Then the papers' own cases beside their figures. Ratios come from
// one run; times are for orientation.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "palp/base/clock.hpp"
#include "palp/scene/run.hpp"

namespace {
using namespace palp;

const char* const stage_names[] = {"free", "prox", "group", "W", "solve", "motion"};
constexpr int stages = 6;

double quantile(std::vector<double> v, double q) {
  if (v.empty()) return 0;
  const auto k = static_cast<std::ptrdiff_t>(q * static_cast<double>(v.size() - 1));
  std::nth_element(v.begin(), v.begin() + k, v.end());
  return v[static_cast<size_t>(k)];
}

struct Measured {
  int blocks = 0;  ///< of all bodies
  double contacts = 0;
  std::vector<double> stage[stages], total, refit;
  long unconverged = 0, steps = 0;
};

std::unique_ptr<Scene> load(const char* name, const std::vector<SceneOverride>& set) {
  SceneResult result = load_scene(std::string(PALP_SCENES "/") + name, set);
  for (const Error& e : result.errors) std::fprintf(stderr, "%s\n", e.text().c_str());
  if (!result.scene) std::exit(1);
  return std::move(result.scene);
}

/// Steps the scene through [from, until] of its time, measuring those with at least `least` contacts.
Measured run(const char* name, const std::vector<SceneOverride>& set, double from_s, double until_s,
             int least = 1) {
  auto scene = load(name, set);
  SceneRun loop(*scene);
  Measured m;
  for (const auto& entry : scene->model.bodies) m.blocks += entry.body->blocks();
  std::vector<TouchSurface> skins;
  for (const auto& entry : scene->model.bodies) {
    const Skin& skin = entry.body->skin();
    skins.emplace_back(TouchTopology::make(skin.touching_vertices(), skin.touching_triangles(), skin.touching_segments()));
  }
  while (loop.state().time_s < until_s - 1e-9) {
    if (!loop.advance()) {
      std::fprintf(stderr, "%s: %s\n", name, explain(*scene, loop.record().report).c_str());
      std::exit(1);
    }
    const StepReport& r = loop.record().report;
    if (loop.state().time_s < from_s || r.contacts < least) continue;
    const auto& t = r.times;
    const double us[stages] = {t.free_motion_us, t.proximity_us, t.contacts_us,
                               t.delassus_us,    t.solve_us,     t.motion_us};
    for (int k = 0; k < stages; ++k) m.stage[k].push_back(us[k]);
    m.total.push_back(t.total_us());
    m.contacts += r.contacts;
    m.unconverged += !r.converged;
    ++m.steps;
    // The trees alone, on the same positions.
    const double begin = now_us();
    for (size_t b = 0; b < skins.size(); ++b)
      skins[b].update(loop.workspace().bodies[b].skin_start, loop.workspace().bodies[b].skin_free);
    m.refit.push_back(now_us() - begin);
  }
  if (m.steps > 0) m.contacts /= static_cast<double>(m.steps);
  return m;
}

/// Exponent p of t ~ n^p between two measurements.
double exponent(double t1, double t2, double n1, double n2) {
  return t1 > 0 && t2 > 0 && n1 != n2 ? std::log(t2 / t1) / std::log(n2 / n1) : 0;
}

void print_growth(const char* title, const std::vector<Measured>& runs) {
  std::printf("\n%s\n%8s %8s %10s %10s", title, "nodes", "contacts", "step p50", "step p99");
  for (const char* name : stage_names) std::printf(" %8s", name);
  std::printf(" %10s %6s   µs p50; prox/refit; steps above the tolerance\n", "prox/refit", "above");
  for (const Measured& m : runs) {
    std::printf("%8d %8.1f %10.0f %10.0f", m.blocks, m.contacts, quantile(m.total, 0.5),
                quantile(m.total, 0.99));
    for (int k = 0; k < stages; ++k) std::printf(" %8.1f", quantile(m.stage[k], 0.5));
    std::printf(" %10.2f %6ld\n", quantile(m.stage[1], 0.5) / quantile(m.refit, 0.5), m.unconverged);
  }
  const Measured &first = runs.front(), &last = runs.back();
  std::printf("%39s", "share at the largest, %");
  double whole = 0;
  for (int k = 0; k < stages; ++k) whole += quantile(last.stage[k], 0.5);
  for (int k = 0; k < stages; ++k) std::printf(" %8.0f", 100 * quantile(last.stage[k], 0.5) / whole);
  std::printf("\n%39s", "grows as nodes to the power");
  for (int k = 0; k < stages; ++k)
    std::printf(" %8.2f", exponent(quantile(first.stage[k], 0.5), quantile(last.stage[k], 0.5), first.blocks,
                                   last.blocks));
  std::printf("\n");
}

void spheres(bool quick) {
  std::vector<Measured> runs;
  for (const char* n : {"6", "10", "14", "20"}) {
    if (quick && runs.size() == 2) break;
    runs.push_back(run("d04-spheres.yaml",
                       {{"bodies.upper.mesh.cellsAcross", n},
                        {"bodies.lower.mesh.cellsAcross", n},
                        {"solver.name", "coulomb"},
                        {"solver.tolerance", "1e-6"}},
                       0.2, 1));
  }
  print_growth("two spheres (D04, linear elements, frictionless)", runs);
}

void table(bool quick) {
  std::vector<Measured> runs;
  for (const char* cell : {"0.01", "0.005", "0.0034"}) {
    if (quick && runs.size() == 2) break;
    runs.push_back(run("d06-table.yaml", {{"bodies.table.mesh.cell", cell}}, 0.1, quick ? 0.2 : 0.5));
  }
  print_growth("table (D06, corotational elements, friction)", runs);
}

void snap_in(bool quick) {
  std::vector<Measured> runs;
  for (const auto& [around, wide] : {std::pair{"16", "3"}, {"24", "5"}, {"36", "8"}}) {
    if (quick && runs.size() == 2) break;
    runs.push_back(run("snap-in.yaml",
                       {{"bodies.clip.mesh.cellsAround", around}, {"bodies.clip.mesh.cellsWide", wide}}, 0,
                       quick ? 1.5 : 6));
  }
  print_growth("snap-in (D06, global corotational, friction)", runs);
  runs.clear();
  for (const char* most : {"10", "20", "40", "80"}) {
    if (quick && runs.size() == 2) break;
    runs.push_back(run("snap-in.yaml",
                       {{"contact.maxContacts", most},
                        {"contact.alarmDistance", "0.002"},
                        {"bodies.clip.mesh.cellsWide", "8"}},
                       0, quick ? 1.5 : 3, std::atoi(most)));
  }
  std::printf("\nsnap-in, the same mesh, a growing number of contacts\n%8s %10s %10s %8s %8s\n", "contacts",
              "step p50", "step p99", "W", "solve");
  for (const Measured& m : runs)
    std::printf("%8.1f %10.0f %10.0f %8.1f %8.1f\n", m.contacts, quantile(m.total, 0.5),
                quantile(m.total, 0.99), quantile(m.stage[3], 0.5), quantile(m.stage[4], 0.5));
  const auto grow = [&](int k) {
    return exponent(quantile(runs.front().stage[k], 0.5), quantile(runs.back().stage[k], 0.5),
                    runs.front().contacts, runs.back().contacts);
  };
  std::printf("grows as contacts to the power: W %.2f, solve %.2f\n", grow(3), grow(4));
}

/// D04 §IV: 70 contacts, 100 sweeps of Gauss-Seidel, solve time against the time to build W.
void paper_d04() {
  const Measured m = run("d04-spheres.yaml",
                         {{"bodies.upper.mesh.cellsAcross", "14"},
                          {"bodies.lower.mesh.cellsAcross", "14"},
                          {"contact.maxContacts", "70"},
                          {"contact.alarmDistance", "0.01"},
                          {"solver.tolerance", "1e-18"},
                          {"solver.maxIterations", "100"}},
                         0.2, 1, 70);
  std::printf(
      "D04: 70 contacts, 100 sweeps    build W %6.3f ms (paper: about 5)   solve %6.3f ms (paper: below 1)   "
      "%ld steps\n",
      1e-3 * quantile(m.stage[3], 0.5), 1e-3 * quantile(m.stage[4], 0.5), m.steps);
}

/// D06 §7.3: step times with 30 frictionless and 20 frictional contacts.
void paper_d06() {
  struct Case {
    const char *mu, *contacts;
    double paper_ms;
  };
  for (const Case& c : {Case{"0", "30", 3}, {"0.2", "20", 4}, {"0.8", "20", 4}}) {
    const Measured m = run("snap-in.yaml", {{"contact.mu", c.mu}, {"contact.maxContacts", c.contacts}}, 0, 6,
                           std::atoi(c.contacts));
    std::printf(
        "D06: %s contacts, mu %-3s          step p50 %6.3f ms, p99 %6.3f, max %6.3f (paper: %.0f)   %ld "
        "steps, %ld above the "
        "tolerance\n",
        c.contacts, c.mu, 1e-3 * quantile(m.total, 0.5), 1e-3 * quantile(m.total, 0.99),
        1e-3 * quantile(m.total, 1), c.paper_ms, m.steps, m.unconverged);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && !std::strcmp(argv[1], "--quick");
  spheres(quick);
  table(quick);
  snap_in(quick);
  std::printf("\nThe papers' cases (theirs: a PC of 2004 to 2006)\n");
  paper_d04();
  paper_d06();
  return 0;
}
