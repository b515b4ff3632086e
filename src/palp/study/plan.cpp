#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "palp/safety/tick_record.hpp"
#include "palp/study/sobol.hpp"
#include "palp/study/study.hpp"

namespace palp {
namespace {

/// Uniform in (0, 1), the same on every machine.
double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; }

/// The value of a parameter at the share u ∈ (0, 1) of its range.
std::string value_at(const StudyParameter& p, double u) {
  if (!p.values.empty())
    return p
        .values[std::min(static_cast<size_t>(u * static_cast<double>(p.values.size())), p.values.size() - 1)];
  if (p.integer) return as_yaml(std::min(p.to, p.from + std::floor(u * (p.to - p.from + 1))));
  return as_yaml(p.logarithmic ? p.from * std::pow(p.to / p.from, u) : p.from + u * (p.to - p.from));
}

/// Level i of a grid; the ends are hit exactly.
std::string level(const StudyParameter& p, size_t i) {
  if (!p.values.empty()) return p.values[i];
  if (i == 0) return as_yaml(p.from);
  if (i + 1 == static_cast<size_t>(p.steps)) return as_yaml(p.to);
  const double u = static_cast<double>(i) / (p.steps - 1);
  const double x = p.logarithmic ? p.from * std::pow(p.to / p.from, u) : p.from + u * (p.to - p.from);
  return as_yaml(p.integer ? std::round(x) : x);
}

using Designs = std::vector<std::vector<std::string>>;

Designs grid(const Study& s) {
  std::vector<size_t> sizes;
  size_t all = 1;
  for (const StudyParameter& p : s.parameters) {
    sizes.push_back(p.values.empty() ? static_cast<size_t>(p.steps) : p.values.size());
    all *= sizes.back();
  }
  Designs out(all);
  for (size_t d = 0; d < all; ++d) {
    out[d].resize(sizes.size());
    for (size_t k = sizes.size(), rest = d; k-- > 0; rest /= sizes[k])  // the last parameter changes fastest
      out[d][k] = level(s.parameters[k], rest % sizes[k]);
  }
  return out;
}

Designs drawn(const Study& s) {
  const auto n = static_cast<size_t>(s.designs), k = s.parameters.size();
  std::mt19937_64 random(s.seed);
  std::vector<std::vector<double>> u(n, std::vector<double>(k));
  if (s.plan == PlanKind::sobol) {
    SobolSequence sequence(static_cast<int>(k), s.seed);
    for (auto& point : u) point = sequence.next();
  } else if (s.plan == PlanKind::latin_hypercube) {
    // Every parameter visits each n-th part of its range once, in an order of its own.
    std::vector<size_t> order(n);
    for (size_t p = 0; p < k; ++p) {
      std::iota(order.begin(), order.end(), size_t{0});
      for (size_t i = n; i-- > 1;) std::swap(order[i], order[random() % (i + 1)]);
      for (size_t d = 0; d < n; ++d)
        u[d][p] = (static_cast<double>(order[d]) + uniform(random)) / static_cast<double>(n);
    }
  } else {
    for (auto& point : u)
      for (double& x : point) x = uniform(random);
  }
  Designs out(n, std::vector<std::string>(k));
  for (size_t d = 0; d < n; ++d)
    for (size_t p = 0; p < k; ++p) out[d][p] = value_at(s.parameters[p], u[d][p]);
  return out;
}

/// A normal deviate for one parameter of one row, whatever was drawn before (Box and Muller).
double deviate(const Study& s, const StudyRow& row, size_t parameter) {
  std::mt19937_64 random(s.seed + 0x9e3779b97f4a7c15u *
                                      (static_cast<std::uint64_t>(row.design) * 1000003u +
                                       static_cast<std::uint64_t>(row.repeat) * 1009u + parameter + 1));
  const double u = uniform(random), v = uniform(random);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

}  // namespace

std::vector<StudyRow> study_rows(const Study& s) {
  const Designs designs = s.plan == PlanKind::grid ? grid(s) : s.plan == PlanKind::list ? s.list : drawn(s);
  std::vector<StudyRow> rows;
  for (size_t d = 0; d < designs.size(); ++d)
    for (int r = 0; r < s.repeats; ++r) {
      StudyRow row{static_cast<int>(d), r, designs[d]};
      for (size_t p = 0; p < s.parameters.size(); ++p)
        if (const auto x = as_number(row.values[p]); x && s.parameters[p].spread > 0)
          row.values[p] = as_yaml(*x + s.parameters[p].spread * deviate(s, row, p));
      rows.push_back(std::move(row));
    }
  return rows;
}

SceneSpec scene_of(const Study& s, const StudyRow& row) {
  SceneSpec out = s.scene;
  for (size_t p = 0; p < s.parameters.size(); ++p)
    for (const std::string& key : s.parameters[p].keys) out.changes.push_back({key, row.values[p]});
  return out;
}

std::optional<double> as_number(const std::string& yaml) {
  double x = 0;
  const char* const end = yaml.data() + yaml.size();
  const auto read = std::from_chars(yaml.data(), end, x);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(x)) return {};
  return x;
}

std::string as_yaml(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

const std::vector<std::string>& statistic_names() {
  static const std::vector<std::string> names{"min", "max", "mean", "rms", "first", "last"};
  return names;
}

}  // namespace palp
