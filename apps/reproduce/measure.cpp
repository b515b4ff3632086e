#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

namespace palp::reproduce {

Result<Simulation> Simulation::start(const Context& context, const std::string& file,
                                     const std::vector<SceneOverride>& changes,
                                     const SceneRefinement& refinement) {
  auto scene = context.load(file, changes, refinement);
  if (!scene) return scene.error();
  Simulation s;
  s.scene = std::move(*scene);
  s.run = std::make_unique<SceneRun>(*s.scene);
  return s;
}

Result<void> Simulation::advance() {
  if (run->advance()) return {};
  std::string message = "step ";
  message.append(std::to_string(run->state().step))
      .append(": ")
      .append(explain(*scene, run->record().report));
  return Error{.message = message, .file = scene->spec.file};
}

Result<void> Simulation::advance_to(double time_s) {
  while (run->state().time_s < time_s - 0.5 * scene->model.h_s)
    if (auto ok = advance(); !ok) return ok;
  return {};
}

Result<void> Simulation::finish() {
  for (long n = steps(); n > 0; --n)
    if (auto ok = advance(); !ok) return ok;
  return {};
}

long Simulation::steps() const { return std::lround(std::ceil(scene->seconds / scene->model.h_s - 1e-9)); }

int Simulation::body(const std::string& name) const {
  for (size_t b = 0; b < scene->model.bodies.size(); ++b)
    if (scene->model.bodies[b].name == name) return static_cast<int>(b);
  return -1;
}

std::span<const ContactGroup> Simulation::groups() const {
  const Workspace& ws = run->workspace();
  return {ws.groups.data(), static_cast<size_t>(ws.group_count)};
}

const ContactGroup* Simulation::largest_group() const {
  const ContactGroup* best = nullptr;
  for (const ContactGroup& g : groups())
    if (!best || g.contacts.size() > best->contacts.size()) best = &g;
  return best;
}

Vec3 Simulation::contact_force_on(int b) const {
  Vec3 total = Vec3::Zero();
  for (const ContactGroup& g : groups())
    for (size_t i = 0; i < g.contacts.size(); ++i) {
      const Contact& c = g.contacts[i];
      const Vec3 f = c.frame.transpose() * g.f.segment<3>(3 * static_cast<int>(i));
      if (c.id.body1 == b) total += f;
      if (c.id.body2 == b) total -= f;
    }
  return total;
}

SceneOverride set(const std::string& key, double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return {key, text};
}

SceneOverride set(const std::string& key, const std::string& yaml) { return {key, yaml}; }

Problem rearranged(const Problem& problem, std::span<const int> order) {
  const int m = static_cast<int>(order.size());
  Problem p;
  p.W.is_dense = true;
  p.W.dense.resize(3 * m, 3 * m);
  p.delta_free.resize(3 * m);
  p.mu.resize(m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j)
      p.W.dense.block<3, 3>(3 * i, 3 * j) = problem.W.dense.block<3, 3>(3 * order[i], 3 * order[j]);
    p.delta_free.segment<3>(3 * i) = problem.delta_free.segment<3>(3 * order[i]);
    p.mu[i] = problem.mu[order[i]];
    if (!problem.kind.empty()) p.kind.push_back(problem.kind[order[i]]);
  }
  return p;
}

double processor_us() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

double mean(std::span<const double> v) {
  return v.empty() ? 0 : std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double deviation(std::span<const double> v) {
  const double m = mean(v);
  double sum = 0;
  for (double x : v) sum += (x - m) * (x - m);
  return v.empty() ? 0 : std::sqrt(sum / static_cast<double>(v.size()));
}

double largest(std::span<const double> v) { return v.empty() ? 0 : *std::max_element(v.begin(), v.end()); }

double slope(std::span<const double> x, std::span<const double> y) {
  const double mx = mean(x), my = mean(y);
  double xy = 0, xx = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
  }
  return xy / xx;
}

double Refined::last_change() const {
  const size_t n = value.size();
  return n < 2 ? 0 : std::abs(value[n - 2] / value[n - 1] - 1);
}

GridConvergence report_limit(Outcome& o, const std::string& what, const Refined& refined,
                             const std::string& unit, double formal_order) {
  const GridConvergence g = refined.limit(formal_order);
  o.rows.push_back({.what = what + (g.converged ? ", limit" : ", no order: finest value and spread"),
                    .value = g.value,
                    .unit = unit,
                    .error = g.error});
  if (g.order) o.report(what + ", order of convergence", *g.order, "");
  return g;
}

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, std::abs(value) >= 1000 && std::abs(value) < 1e7 ? "%.0f" : "%.3g", value);
  return text;
}

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

double Random::uniform(double low, double high) {
  return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
}

int Random::index(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }

}  // namespace palp::reproduce
