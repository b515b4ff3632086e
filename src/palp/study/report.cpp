#include "palp/study/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numeric>

#include "palp/draw/plot.hpp"
#include "palp/io/cursor.hpp"

namespace palp {
namespace {

constexpr size_t most_levels = 12, parts = 8;

std::string html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", x);
  return text;
}

/// For every row the number of its level: a value, or a part of the range. −1: the row has no result.
struct Levels {
  std::vector<int> of_row;
  std::vector<double> middle;
  std::vector<std::string> names;
};

Levels levels_of(const StudyTable& t, size_t parameter, size_t measure) {
  Levels out;
  const bool numeric = is_numeric(t, parameter);
  const auto usable = [&](size_t i) { return std::isfinite(t.results[i].values[measure]); };
  std::map<double, size_t> numbers;
  std::map<std::string, size_t> texts;
  std::vector<double> sorted;
  for (size_t i = 0; i < t.rows.size(); ++i) {
    if (!usable(i)) continue;
    if (numeric) {
      numbers.emplace(*as_number(t.rows[i].values[parameter]), 0);
      sorted.push_back(*as_number(t.rows[i].values[parameter]));
    } else {
      texts.emplace(t.rows[i].values[parameter], 0);
    }
  }
  std::sort(sorted.begin(), sorted.end());
  const bool by_parts = numeric && numbers.size() > most_levels;
  size_t k = 0;
  for (auto& [x, level] : numbers) level = k++;
  for (auto& [x, level] : texts) level = k++;
  const auto part = [&](double x) {  // equally filled
    const auto rank = static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
    return std::min(rank * parts / sorted.size(), parts - 1);
  };
  const size_t count = by_parts ? parts : k;
  std::vector<double> sum(count);
  std::vector<long> n(count);
  for (size_t i = 0; i < t.rows.size(); ++i) {
    if (!usable(i)) {
      out.of_row.push_back(-1);
      continue;
    }
    const auto x = numeric ? as_number(t.rows[i].values[parameter]) : std::nullopt;
    const size_t level = !numeric   ? texts.at(t.rows[i].values[parameter])
                         : by_parts ? part(*x)
                                    : numbers.at(*x);
    out.of_row.push_back(static_cast<int>(level));
    sum[level] += numeric ? *x : static_cast<double>(level);
    ++n[level];
  }
  for (size_t l = 0; l < count; ++l) out.middle.push_back(n[l] > 0 ? sum[l] / static_cast<double>(n[l]) : 0);
  for (const auto& [text, level] : texts) out.names.push_back(text);
  return out;
}

struct Page {
  const Study& study;
  const StudyTable& table;
  const std::filesystem::path folder;
  std::string body = {};

  Result<void> picture(const Plot& plot, const std::string& name) {
    body += "<img src=\"" + html(name) + "\" alt=\"" + html(plot.title) + "\">\n";
    return plot.write((folder / name).string());
  }

  std::string design_line(size_t i) const {
    std::string line = "<tr><td>" + std::to_string(table.rows[i].design);
    for (const std::string& v : table.rows[i].values) {
      const auto x = as_number(v);
      line += "<td>" + (x ? number(*x) : html(v));
    }
    for (const double v : table.results[i].values)
      line += "<td>" + (std::isfinite(v) ? number(v) : std::string("–"));
    return line + "</tr>\n";
  }
  std::string header(const char* first) const {
    std::string line = std::string("<table><tr><th>") + first;
    for (const StudyParameter& p : study.parameters) line += "<th>" + html(p.name);
    for (const Measure& m : study.keep) line += "<th>" + html(m.name);
    return line + "</tr>\n";
  }

  Result<void> effects(size_t k, const std::vector<MainEffect>& effect) {
    Plot plot;
    plot.title = study.keep[k].name + ": mean over each parameter";
    plot.x_label = "parameter, from its least to its greatest value";
    plot.y_label = study.keep[k].name;
    for (size_t p = 0; p < effect.size(); ++p) {
      const MainEffect& e = effect[p];
      if (e.x.size() < 2) continue;
      const auto [lo, hi] = std::minmax_element(e.x.begin(), e.x.end());
      std::vector<double> share;
      for (const double x : e.x) share.push_back(*hi > *lo ? (x - *lo) / (*hi - *lo) : 0.5);
      plot.add_line(study.parameters[p].name, share, e.mean, {.markers = true});
    }
    return picture(plot, "effects-" + std::to_string(k) + ".svg");
  }

  Result<void> scatter(size_t k, size_t p, const MainEffect& e) {
    std::vector<double> x, y;
    const bool numeric = is_numeric(table, p);
    const Levels levels = levels_of(table, p, k);
    for (size_t i = 0; i < table.rows.size(); ++i) {
      if (levels.of_row[i] < 0) continue;
      x.push_back(numeric ? *as_number(table.rows[i].values[p]) : levels.of_row[i]);
      y.push_back(table.results[i].values[k]);
    }
    Plot plot;
    plot.title = study.keep[k].name + " over " + study.parameters[p].name;
    plot.x_label = study.parameters[p].name;
    plot.y_label = study.keep[k].name;
    plot.add_points("designs", x, y);
    plot.add_line("mean", e.x, e.mean, {.markers = true});
    return picture(plot, "scatter-" + std::to_string(k) + ".svg");
  }

  /// Means over the two parameters that decide most.
  Result<void> map(size_t k, size_t p, size_t q) {
    const Levels rows = levels_of(table, p, k), columns = levels_of(table, q, k);
    if (rows.middle.size() < 2 || columns.middle.size() < 2) return {};
    MatX sum = MatX::Zero(static_cast<int>(rows.middle.size()), static_cast<int>(columns.middle.size())),
         n = sum;
    const int last =
        static_cast<int>(rows.middle.size()) - 1;  // row 0 is drawn at the top: the greatest value
    for (size_t i = 0; i < table.rows.size(); ++i)
      if (rows.of_row[i] >= 0) {
        sum(last - rows.of_row[i], columns.of_row[i]) += table.results[i].values[k];
        n(last - rows.of_row[i], columns.of_row[i]) += 1;
      }
    const auto names = [](const Levels& l) {
      std::vector<std::string> out = l.names;
      if (out.empty())
        for (const double x : l.middle) out.push_back(number(x));
      return out;
    };
    auto row_names = names(rows);
    std::reverse(row_names.begin(), row_names.end());
    Plot plot;
    plot.title =
        study.keep[k].name + " over " + study.parameters[q].name + " and " + study.parameters[p].name;
    plot.x_label = study.parameters[q].name;
    plot.y_label = study.parameters[p].name;
    plot.set_heat_map((sum.array() / n.array()).matrix(), study.keep[k].name, ColorMap::sequential, row_names,
                      names(columns));
    return picture(plot, "map-" + std::to_string(k) + ".svg");
  }

  void best(size_t k) {
    std::vector<size_t> order;
    for (size_t i = 0; i < table.rows.size(); ++i)
      if (std::isfinite(table.results[i].values[k])) order.push_back(i);
    const auto less = [&](size_t a, size_t b) {
      return table.results[a].values[k] < table.results[b].values[k];
    };
    std::stable_sort(order.begin(), order.end(), less);
    const size_t shown = std::min<size_t>(5, order.size());
    body += "<p>Least and greatest:</p>\n" + header("design");
    for (size_t i = 0; i < shown; ++i) body += design_line(order[i]);
    if (order.size() > shown) body += "<tr><td>…</tr>\n";
    for (size_t i = std::max(shown, order.size() - shown); i < order.size(); ++i)
      body += design_line(order[i]);
    body += "</table>\n";
  }

  Result<void> measure(size_t k) {
    body += "<h2>" + html(study.keep[k].name) + "</h2>\n";
    std::vector<MainEffect> effect;
    for (size_t p = 0; p < study.parameters.size(); ++p) effect.push_back(main_effect(table, p, k));
    std::vector<size_t> order(effect.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return effect[a].share > effect[b].share; });
    body += "<table><tr><th>parameter<th>share of the scatter</tr>\n";
    for (const size_t p : order)
      body +=
          "<tr><td>" + html(study.parameters[p].name) + "<td>" + number(100 * effect[p].share) + " %</tr>\n";
    body += "</table>\n";
    if (auto ok = effects(k, effect); !ok) return ok;
    if (!order.empty())
      if (auto ok = scatter(k, order[0], effect[order[0]]); !ok) return ok;
    if (order.size() > 1)
      if (auto ok = map(k, std::min(order[0], order[1]), std::max(order[0], order[1])); !ok) return ok;
    best(k);
    return {};
  }

  void failures() {
    std::map<std::string, std::pair<long, int>> reasons;  // how often, first design
    for (size_t i = 0; i < table.rows.size(); ++i)
      if (table.status[i] == RowStatus::failed) {
        auto& r = reasons[table.results[i].reason];
        if (r.first++ == 0) r.second = table.rows[i].design;
      }
    if (reasons.empty()) return;
    body += "<h2>Designs that failed</h2>\n<table><tr><th>runs<th>first design<th>reason</tr>\n";
    for (const auto& [reason, r] : reasons)
      body += "<tr><td>" + std::to_string(r.first) + "<td>" + std::to_string(r.second) + "<td>" +
              html(reason) + "</tr>\n";
    body += "</table>\n";
  }
};

constexpr const char* style =
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:.2em "
    ".6em;text-align:right}"
    "img{max-width:100%}";

}  // namespace

MainEffect main_effect(const StudyTable& t, size_t parameter, size_t measure) {
  const Levels levels = levels_of(t, parameter, measure);
  MainEffect e;
  e.x = levels.middle;
  e.names = levels.names;
  e.mean.assign(e.x.size(), 0);
  e.count.assign(e.x.size(), 0);
  double sum = 0, n = 0;
  for (size_t i = 0; i < t.rows.size(); ++i) {
    if (levels.of_row[i] < 0) continue;
    e.mean[static_cast<size_t>(levels.of_row[i])] += t.results[i].values[measure];
    ++e.count[static_cast<size_t>(levels.of_row[i])];
    sum += t.results[i].values[measure];
    ++n;
  }
  for (size_t l = 0; l < e.x.size(); ++l) e.mean[l] /= static_cast<double>(std::max(1L, e.count[l]));
  double between = 0, all = 0;
  for (size_t i = 0; i < t.rows.size(); ++i)
    if (levels.of_row[i] >= 0) all += std::pow(t.results[i].values[measure] - sum / n, 2);
  for (size_t l = 0; l < e.x.size(); ++l)
    between += static_cast<double>(e.count[l]) * std::pow(e.mean[l] - sum / n, 2);
  e.share = all > 0 ? between / all : 0;
  return e;
}

Result<void> write_report(const Study& study, const StudyTable& table, const std::string& folder) {
  Page page{study, table, folder};
  page.body = "<h1>" + html(std::filesystem::path(study.file).filename().string()) + "</h1>\n<p>" +
              std::to_string(table.rows.size()) + " runs of " + html(study.scene.file) + ": " +
              std::to_string(table.count(RowStatus::ok)) + " done, " +
              std::to_string(table.count(RowStatus::failed)) + " failed, " +
              std::to_string(table.count(RowStatus::missing)) + " missing. The table is results.csv.</p>\n";
  if (table.builds.size() > 1) {
    page.body += "<p><b>The results come from different builds of the program:</b>";
    for (const std::string& build : table.builds) page.body += " " + html(build) + ";";
    page.body += "</p>\n";
  }
  if (table.count(RowStatus::ok) > 1)
    for (size_t k = 0; k < study.keep.size(); ++k)
      if (auto ok = page.measure(k); !ok) return ok;
  page.failures();
  return io::write_bytes(
      (page.folder / "report.html").string(),
      std::string("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Study</title><style>") +
          style + "</style>\n" + page.body + "</html>\n");
}

Result<void> write_outcome(const Study& study, const StudyTable& table, const std::string& folder) {
  const std::filesystem::path path(folder);
  if (auto ok = io::write_bytes((path / "results.csv").string(), table_csv(study, table)); !ok) return ok;
  if (auto ok = write_table_hdf5(study, table, (path / "results.h5").string()); !ok) return ok;
  return write_report(study, table, folder);
}

}  // namespace palp
