#include "experiment.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

namespace palp::reproduce {

std::string bar_text(double value, double error) {
  // As many decimals as show two digits of the error bar.
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 9);
  char text[80];
  std::snprintf(text, sizeof text, "%.*f ± %.*f", decimals, value, decimals, error);
  return text;
}

const char* text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::does_not_hold:
      return "does not hold";
    case Verdict::not_applicable:
      return "not applicable";
  }
  return "unknown";
}

std::string Measured::value_text() const {
  if (error > 0) return bar_text(value, error) + (unit.empty() ? "" : " " + unit);
  char number[40];
  // Counts and large numbers without decimals, everything else with three digits.
  if (std::abs(value) < 1e7 && (value == std::round(value) || std::abs(value) >= std::pow(10, digits)))
    std::snprintf(number, sizeof number, "%.0f", value);
  else
    std::snprintf(number, sizeof number, "%.*g", digits, value);
  return unit.empty() ? number : std::string(number).append(" ").append(unit);
}

void Outcome::report(std::string what, double value, std::string unit, std::string paper) {
  rows.push_back({std::move(what), value, std::move(unit), std::move(paper)});
}

void Outcome::require(std::string what, double value, std::string unit, std::string paper, std::string want,
                      bool ok) {
  rows.push_back({std::move(what), value, std::move(unit), std::move(paper), std::move(want), ok});
}

Verdict Outcome::verdict() const {
  if (!applicable) return Verdict::not_applicable;
  const bool all = std::all_of(rows.begin(), rows.end(), [](const Measured& m) { return m.ok; });
  return all ? Verdict::holds : Verdict::does_not_hold;
}

Result<std::unique_ptr<Scene>> Context::load(const std::string& file,
                                             const std::vector<SceneOverride>& changes,
                                             const SceneRefinement& refinement) const {
  SceneResult result = load_scene((std::filesystem::path(scenes) / file).string(), changes, refinement);
  if (!result.scene) return result.errors.front();
  return std::move(result.scene);
}

void Context::progress(double share, const std::string& what) const {
  if (on_progress) on_progress(share, what);
}

std::string Context::path(const std::string& name, const char* extension) const {
  return std::string(id).append("-").append(name).append(extension);
}

void Context::write(const Table& table, const std::string& name, Outcome& outcome) {
  const std::string file = path(name, ".csv");
  outcome.tables.push_back(file);
  if (tables.empty() || !failure_) return;
  std::ofstream csv(std::filesystem::path(tables) / file);
  csv.precision(9);
  const auto line = [&](const auto& cells) {
    for (size_t i = 0; i < cells.size(); ++i) csv << (i ? "," : "") << cells[i];
    csv << '\n';
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  if (!csv)
    failure_ = Error{.message = "cannot be written", .file = file, .remedy = "is --out a folder with room?"};
}

void Context::write(Plot plot, const std::string& name, const std::string& caption, Outcome& outcome) {
  plot.width = 480;
  plot.height = 300;
  outcome.images.push_back({path(name, ".png"), caption});
  if (pictures.empty() || !failure_) return;
  failure_ = plot.write((std::filesystem::path(pictures) / outcome.images.back().file).string());
}

void Context::write(const Picture& picture, const std::string& name, const std::string& caption,
                    Outcome& outcome, const Camera& camera) {
  outcome.images.push_back({path(name, ".png"), caption});
  if (pictures.empty() || !failure_) return;
  failure_ = picture.write_png((std::filesystem::path(pictures) / outcome.images.back().file).string(),
                               camera, {.width = 600, .height = 400});
}

std::vector<Experiment> all_experiments() {
  std::vector<Experiment> all;
  for (const auto& paper : {d04_experiments(), d06_experiments(), h08_experiments(), p11_experiments(),
                            k16_experiments(), truth_experiments(), c_experiments(), v_experiments()})
    all.insert(all.end(), paper.begin(), paper.end());
  return all;
}

}  // namespace palp::reproduce
