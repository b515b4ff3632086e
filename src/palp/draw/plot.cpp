#include "palp/draw/plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "palp/draw/canvas.hpp"

namespace palp {
namespace {

const Color ink{0.18, 0.20, 0.24}, grid{0.89, 0.90, 0.92}, faint{0.945, 0.95, 0.96};
constexpr double small = 13, medium = 14, large = 17;  // letters

/// One axis: from values to places on the sheet.
struct Axis {
  double low = 0, high = 1, from = 0, to = 1;
  bool log = false;
  double operator()(double v) const {
    const double t =
        log ? (std::log(v) - std::log(low)) / (std::log(high) - std::log(low)) : (v - low) / (high - low);
    return from + t * (to - from);
  }
  bool usable(double v) const { return std::isfinite(v) && (!log || v > 0); }
  struct Tick {
    double value;
    std::string text;  ///< empty = a minor one
  };
  std::vector<Tick> ticks(int about) const {
    std::vector<Tick> out;
    const double decades = log ? std::log10(high) - std::log10(low) : 0;
    if (log && decades > 0.9) {
      const int every = std::max(1, static_cast<int>(std::ceil(decades / about)));
      for (int e = static_cast<int>(std::floor(std::log10(low))); e <= std::log10(high) + 1e-9; ++e)
        for (int m = 1; m <= (every == 1 ? 9 : 1); ++m) {
          const double v = m * std::pow(10.0, e);
          if (v < low * (1 - 1e-9) || v > high * (1 + 1e-9)) continue;
          const bool named = m == 1 && e % every == 0, plain = low >= 0.009 && high <= 1.1e4;
          // Few decades leave room for numbers between the powers.
          const bool between = decades < 1.7 && (m == 2 || m == 5);
          const std::string number = drawing::tick_text(v, std::pow(10.0, e));
          out.push_back({v, named ? (plain ? number : drawing::power_text(e)) : between ? number : ""});
        }
      return out;
    }
    const auto round = drawing::round_ticks(low, high, about);
    for (double v : round)
      out.push_back({v, drawing::tick_text(v, round.size() > 1 ? round[1] - round[0] : std::abs(v))});
    return out;
  }
};

void fit(Axis& axis, const std::vector<double>& values,
         const std::optional<std::pair<double, double>>& wanted, double pad) {
  if (wanted && wanted->second > wanted->first && (!axis.log || wanted->first > 0)) {
    axis.low = wanted->first, axis.high = wanted->second;
    return;
  }
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (double v : values)
    if (axis.usable(v)) low = std::min(low, v), high = std::max(high, v);
  if (!(low <= high)) low = axis.log ? 1 : 0, high = axis.log ? 10 : 1;
  if (axis.log) {
    // In logarithms: the ratio of the largest to the smallest double is not a double.
    const double extra = pad * std::max(std::log(high) - std::log(low), std::log(1.5));
    axis.low = std::max(std::exp(std::log(low) - extra), 1e-307);
    axis.high = std::min(std::exp(std::log(high) + extra), 1e307);
    if (!(axis.high > 1.01 * axis.low)) axis.low /= 1.5, axis.high *= 1.5;
  } else {
    const double extra = high > low ? pad * (high - low) : std::max(std::abs(high), 1.0) * 0.5;
    axis.low = low - extra, axis.high = high + extra;
    if (low >= 0 && axis.low < 0) axis.low = 0;
  }
}

}  // namespace

class PlotPainter {
 public:
  PlotPainter(const Plot& plot, drawing::Canvas& canvas) : plot_(plot), c_(canvas) {}

  void paint() {
    top_ = plot_.title.empty() ? 22 : 52;
    bottom_ = plot_.height - (plot_.x_label.empty() ? 36 : 58);
    left_ = 22, right_ = plot_.width - 24;
    if (plot_.heat_)
      heat_map(*plot_.heat_);
    else if (plot_.bars_)
      bars(*plot_.bars_);
    else
      curves();
    c_.color(ink);
    if (!plot_.title.empty()) {  // over the axes; a long one in the middle of the picture, smaller if need be
      const double room = plot_.width - 16, wide = c_.text_width(plot_.title, large, true);
      const double half = 0.5 * std::min(wide, room), middle = 0.5 * (left_ + right_);
      c_.text(plot_.title, std::clamp(middle, 8 + half, 8 + room - half), 26,
              large * std::min(room / wide, 1.0), drawing::Align::centre, true);
    }
    if (!plot_.x_label.empty())
      c_.text(plot_.x_label, 0.5 * (left_ + right_), plot_.height - 18, medium, drawing::Align::centre);
    if (!plot_.y_label.empty())
      c_.text(plot_.y_label, 18, 0.5 * (top_ + bottom_), medium, drawing::Align::centre, false, true);
  }

 private:
  /// Room at the left for the widest number of the vertical axis.
  void place_left(const std::vector<Axis::Tick>& ticks) {
    double widest = 0;
    for (const auto& t : ticks) widest = std::max(widest, c_.text_width(t.text, small));
    left_ = widest + (plot_.y_label.empty() ? 24 : 48);
  }

  void vertical_axis(const Axis& y, const std::vector<Axis::Tick>& ticks) {
    for (const auto& t : ticks) {
      c_.color(t.text.empty() ? faint : grid);
      c_.line(left_, y(t.value), right_, y(t.value), 1);
      c_.color(ink);
      if (!t.text.empty()) c_.text(t.text, left_ - 8, y(t.value), small, drawing::Align::right);
    }
  }

  void frame() {
    c_.color(Color{0.55, 0.58, 0.62});
    c_.line(left_, bottom_, right_, bottom_, 1.2);
    c_.line(left_, top_, left_, bottom_, 1.2);
  }

  void curves() {
    Axis x, y;
    x.log = plot_.log_x, y.log = plot_.log_y;
    std::vector<double> xs, ys;
    for (const auto& s : plot_.series_)
      for (std::size_t i = 0; i < s.x.size(); ++i)
        if (x.usable(s.x[i]) && y.usable(s.y[i])) xs.push_back(s.x[i]), ys.push_back(s.y[i]);
    const bool scatter = std::any_of(plot_.series_.begin(), plot_.series_.end(),
                                     [](const auto& s) { return s.radius > 0 || s.style.markers; });
    fit(x, xs, plot_.x_range, scatter ? 0.025 : 0);
    fit(y, ys, plot_.y_range, 0.05);
    const auto y_ticks = y.ticks(6);
    place_left(y_ticks);
    x.from = left_, x.to = right_;
    y.from = bottom_, y.to = top_;
    const std::vector<Entry> entries = entries_of_curves();
    const Spot spot = emptiest_spot(entries, x, y);
    // A legend that would cover curves stands above the frame, unless that leaves the frame no height.
    const double above = legend_lines(entries, 0, false);
    const bool inside = spot.covered == 0 || bottom_ - top_ - above < plot_.height / 3.0;
    if (!inside) y.to = top_ += above;
    vertical_axis(y, y_ticks);
    for (const auto& t : x.ticks(8)) {
      c_.color(t.text.empty() ? faint : grid);
      c_.line(x(t.value), top_, x(t.value), bottom_, 1);
      c_.color(ink);
      if (!t.text.empty()) c_.text(t.text, x(t.value), bottom_ + 16, small, drawing::Align::centre);
    }
    cairo_save(c_.cr());
    cairo_rectangle(c_.cr(), left_ - 1, top_ - 1, right_ - left_ + 2, bottom_ - top_ + 2);
    cairo_clip(c_.cr());
    for (const auto& s : plot_.series_) s.radius > 0 ? dots(s, x, y) : stroke(s, x, y);
    cairo_restore(c_.cr());
    frame();
    if (entries.empty()) return;
    if (inside)
      legend(entries, spot.x, spot.y, legend_width(entries));
    else
      legend_lines(entries, top_ - above - 10, true);
  }

  void stroke(const Plot::Series& s, const Axis& x, const Axis& y) {
    cairo_t* cr = c_.cr();
    c_.color(s.color);
    cairo_set_line_width(cr, s.style.width);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    const double dash[2] = {3.5 * s.style.width, 2.5 * s.style.width};
    cairo_set_dash(cr, dash, s.style.dashed ? 2 : 0, 0);
    bool down = false;
    double last_y = 0;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!x.usable(s.x[i]) || !y.usable(s.y[i])) {
        down = false;
        continue;
      }
      // Far outside the frame is far enough: cairo's coordinates have 24 bits.
      const double px = std::clamp(x(s.x[i]), -1e5, 1e5), py = std::clamp(y(s.y[i]), -1e5, 1e5);
      if (down && s.style.steps) cairo_line_to(cr, px, last_y);
      down ? cairo_line_to(cr, px, py) : cairo_move_to(cr, px, py);
      down = true, last_y = py;
    }
    cairo_stroke(cr);
    cairo_set_dash(cr, nullptr, 0, 0);
    if (s.style.markers) dots(s, x, y);
  }

  void dots(const Plot::Series& s, const Axis& x, const Axis& y) {
    const double r = s.radius > 0 ? s.radius : 1.6 * s.style.width;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!x.usable(s.x[i]) || !y.usable(s.y[i])) continue;
      const double px = x(s.x[i]), py = y(s.y[i]);
      if (std::abs(px) > 1e5 || std::abs(py) > 1e5) continue;
      cairo_arc(c_.cr(), px, py, r, 0, 6.283185307179586);
      c_.color(s.color, s.radius > 0 ? 0.8 : 1);
      cairo_fill_preserve(c_.cr());
      c_.color({1, 1, 1});
      cairo_set_line_width(c_.cr(), 0.8);
      cairo_stroke(c_.cr());
    }
  }

  struct Entry {
    std::string name;
    Color color;
    char kind;  // line, dashed, point, box
  };
  void legend(const std::vector<Entry>& entries, double x, double y, double w) {
    const double row = 21, h = row * static_cast<double>(entries.size()) + 10;
    c_.color({1, 1, 1}, 0.88);
    c_.fill_box(x, y, w, h);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double mid = y + 5 + row * (static_cast<double>(i) + 0.5);
      c_.color(entries[i].color);
      if (entries[i].kind == 'b') {
        c_.fill_box(x + 12, mid - 6, 18, 12);
      } else if (entries[i].kind == 'p') {
        cairo_arc(c_.cr(), x + 21, mid, 4, 0, 6.283185307179586);
        cairo_fill(c_.cr());
      } else {
        const double dash[2] = {6, 4};
        cairo_set_dash(c_.cr(), dash, entries[i].kind == 'd' ? 2 : 0, 0);
        c_.line(x + 8, mid, x + 34, mid, 2.5);
        cairo_set_dash(c_.cr(), nullptr, 0, 0);
      }
      c_.color(ink);
      c_.text(entries[i].name, x + 42, mid, small, drawing::Align::left);
    }
  }
  double legend_width(const std::vector<Entry>& entries) {
    double w = 0;
    for (const auto& e : entries) w = std::max(w, c_.text_width(e.name, small));
    return w + 54;
  }

  /// Entries side by side, in as many lines as the frame is wide for. Returns the height they take.
  double legend_lines(const std::vector<Entry>& entries, double y, bool draw) {
    double x = left_, height = entries.empty() ? 0 : 21 + 6;
    for (const Entry& e : entries) {
      const double w = legend_width({e});
      if (x > left_ && x + w > right_ + 12) x = left_, y += 21, height += 21;
      if (draw) legend({e}, x, y, w);
      x += w + 6;
    }
    return height;
  }

  std::vector<Entry> entries_of_curves() const {
    std::vector<Entry> entries;
    for (const auto& s : plot_.series_)
      if (!s.name.empty())
        entries.push_back({s.name, s.color, s.radius > 0 ? 'p' : s.style.dashed ? 'd' : 'l'});
    return entries;
  }

  struct Spot {
    double x = 0, y = 0, covered = HUGE_VAL;  ///< covered: points of the curves below it
  };
  /// Where the legend covers the fewest points; in a corner if that is as good.
  Spot emptiest_spot(const std::vector<Entry>& entries, const Axis& x, const Axis& y) {
    const double w = legend_width(entries), h = 21.0 * static_cast<double>(entries.size()) + 10;
    Spot best;
    // Places between the corners, from 0 to 1: the corners first.
    for (double down : {0.0, 1.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875})
      for (double across : {1.0, 0.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875}) {
        const double cy = top_ + 4 + down * (bottom_ - top_ - h - 8);
        const double cx = left_ + 6 + across * (right_ - left_ - w - 10);
        double covered = 0;
        for (const auto& s : plot_.series_)
          for (std::size_t i = 0; i < s.x.size(); ++i) {
            if (!x.usable(s.x[i]) || !y.usable(s.y[i])) continue;
            // A curve is judged between its points too.
            const std::size_t next = std::min(i + 1, s.x.size() - 1);
            const bool on = s.radius == 0 && x.usable(s.x[next]) && y.usable(s.y[next]);
            for (int k = 0; k < (on ? 8 : 1); ++k) {
              const double t = k / 8.0;
              const double px = x(s.x[i]) + (on ? t * (x(s.x[next]) - x(s.x[i])) : 0);
              const double py = y(s.y[i]) + (on ? t * (y(s.y[next]) - y(s.y[i])) : 0);
              covered += px > cx - 6 && px < cx + w + 6 && py > cy - 6 && py < cy + h + 6;
            }
          }
        if (covered < best.covered) best = {cx, cy, covered};
      }
    return best;
  }

  void bars(const Plot::Bars& b) {
    Axis y;
    y.log = plot_.log_y;
    std::vector<double> all;
    for (const auto& row : b.values) all.insert(all.end(), row.begin(), row.end());
    if (!y.log) all.push_back(0);
    fit(y, all, plot_.y_range, 0.06);
    std::vector<Entry> entries;
    for (std::size_t s = 0; s < b.series.size(); ++s)
      entries.push_back({b.series[s], series_color(static_cast<int>(s)), 'b'});
    if (entries.size() < 2) entries.clear();
    const auto ticks = y.ticks(6);
    place_left(ticks);
    const double above = legend_lines(entries, 0, false);
    y.from = bottom_, y.to = top_ += above;
    vertical_axis(y, ticks);
    const double group =
        (right_ - left_) / static_cast<double>(std::max<std::size_t>(b.categories.size(), 1));
    const double width =
        std::min(0.78 * group / static_cast<double>(std::max<std::size_t>(b.values.size(), 1)), 64.0);
    const double base = y.log ? bottom_ : y(std::clamp(0.0, y.low, y.high));
    for (std::size_t k = 0; k < b.categories.size(); ++k) {
      const double mid = left_ + group * (static_cast<double>(k) + 0.5);
      for (std::size_t s = 0; s < b.values.size(); ++s) {
        if (k >= b.values[s].size() || !y.usable(b.values[s][k])) continue;
        const double at = std::clamp(y(b.values[s][k]), top_, bottom_);
        const double x = mid + width * (static_cast<double>(s) - 0.5 * static_cast<double>(b.values.size()));
        c_.color(series_color(static_cast<int>(s)));
        c_.fill_box(x + 1, std::min(at, base), width - 2, std::abs(base - at));
      }
      c_.color(ink);
      c_.text(b.categories[k], mid, bottom_ + 16, small, drawing::Align::centre);
    }
    frame();
    legend_lines(entries, top_ - above - 10, true);
  }

  void heat_map(const Plot::HeatMap& h) {
    const auto rows = h.values.rows(), columns = h.values.cols();
    double low = HUGE_VAL, high = -HUGE_VAL, widest = 0;
    for (Eigen::Index i = 0; i < h.values.size(); ++i) {
      const double v = h.values.data()[i];
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    }
    if (!(low <= high)) low = 0, high = 1;
    if (h.map == ColorMap::diverging) high = std::max({std::abs(low), std::abs(high), 1e-300}), low = -high;
    if (low == high) high = low + 1;
    for (const auto& name : h.rows) widest = std::max(widest, c_.text_width(name, small));
    left_ = widest + (plot_.y_label.empty() ? 24 : 48);
    right_ -= 104;
    const double dx = (right_ - left_) / static_cast<double>(std::max<Eigen::Index>(columns, 1));
    const double dy = (bottom_ - top_) / static_cast<double>(std::max<Eigen::Index>(rows, 1));
    for (Eigen::Index r = 0; r < rows; ++r)
      for (Eigen::Index k = 0; k < columns; ++k) {
        const double v = h.values(r, k);
        c_.color(std::isfinite(v) ? color_at(h.map, (v - low) / (high - low)) : Color{0.8, 0.8, 0.8});
        // A little overlap hides the seams that antialiasing leaves.
        c_.fill_box(left_ + dx * static_cast<double>(k), top_ + dy * static_cast<double>(r), dx + 0.4,
                    dy + 0.4);
      }
    c_.color(ink);
    for (std::size_t r = 0; r < h.rows.size() && r < static_cast<std::size_t>(rows); ++r)
      c_.text(h.rows[r], left_ - 8, top_ + dy * (static_cast<double>(r) + 0.5), small, drawing::Align::right);
    for (std::size_t k = 0; k < h.columns.size() && k < static_cast<std::size_t>(columns); ++k)
      c_.text(h.columns[k], left_ + dx * (static_cast<double>(k) + 0.5), bottom_ + 16, small,
              drawing::Align::centre);
    const double x = right_ + 22, w = 16;
    const int slices = 200;
    for (int i = 0; i < slices; ++i) {
      c_.color(color_at(h.map, 1 - (i + 0.5) / slices));
      c_.fill_box(x, top_ + (bottom_ - top_) * i / slices, w, (bottom_ - top_) / slices + 0.4);
    }
    c_.color(ink);
    const auto ticks = drawing::round_ticks(low, high, 5);
    for (double t : ticks) {
      const double at = bottom_ - (bottom_ - top_) * (t - low) / (high - low);
      c_.line(x + w, at, x + w + 4, at, 1);
      c_.text(drawing::tick_text(t, ticks.size() > 1 ? ticks[1] - ticks[0] : 1), x + w + 8, at, small,
              drawing::Align::left);
    }
    c_.text(h.label, plot_.width - 14, 0.5 * (top_ + bottom_), small, drawing::Align::centre, false, true);
  }

  const Plot& plot_;
  drawing::Canvas& c_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

void Plot::add_line(const std::string& name, std::span<const double> x, std::span<const double> y,
                    const LineStyle& style) {
  const std::size_t n = std::min(x.size(), y.size());
  const Color color = style.color.value_or(series_color(static_cast<int>(series_.size())));
  series_.push_back({name, {x.begin(), x.begin() + n}, {y.begin(), y.begin() + n}, color, style});
}

void Plot::add_points(const std::string& name, std::span<const double> x, std::span<const double> y,
                      std::optional<Color> color, double radius) {
  const std::size_t n = std::min(x.size(), y.size());
  series_.push_back({name,
                     {x.begin(), x.begin() + n},
                     {y.begin(), y.begin() + n},
                     color.value_or(series_color(static_cast<int>(series_.size()))),
                     {},
                     radius});
}

void Plot::set_bars(std::vector<std::string> categories, std::vector<std::string> series,
                    std::vector<std::vector<double>> values) {
  bars_ = Bars{std::move(categories), std::move(series), std::move(values)};
}

void Plot::set_heat_map(const MatX& values, const std::string& label, ColorMap map,
                        std::vector<std::string> rows, std::vector<std::string> columns) {
  heat_ = HeatMap{values, label, map, std::move(rows), std::move(columns)};
}

Result<void> Plot::write(const std::string& path) const {
  if (width < 100 || height < 80 || width > 4000 || height > 4000)
    return Error{"a plot must be 100 to 4000 units wide and 80 to 4000 high", path, 0, 0,
                 "choose another size"};
  if (path.ends_with(".svg")) {
    auto canvas = drawing::Canvas::svg(width, height);
    PlotPainter(*this, canvas).paint();
    return canvas.write(path);
  }
  if (!path.ends_with(".png"))
    return Error{"a plot is written as .svg or .png", path, 0, 0, "choose one of them"};
  drawing::Canvas canvas(width, height, 2);
  PlotPainter(*this, canvas).paint();
  return canvas.write(path);
}

Plot performance_profile(const std::vector<std::string>& solvers,
                         const std::vector<std::vector<double>>& cost, double largest_ratio) {
  const auto failed = [](double c) { return !std::isfinite(c) || c <= 0; };
  std::size_t problems = 0;
  for (const auto& row : cost) problems = std::max(problems, row.size());
  std::vector<double> best(problems, std::numeric_limits<double>::infinity());
  for (const auto& row : cost)
    for (std::size_t p = 0; p < row.size(); ++p)
      if (!failed(row[p])) best[p] = std::min(best[p], row[p]);
  Plot plot;
  plot.log_x = true;
  plot.x_range = {{1.0, largest_ratio}};
  plot.y_range = {{0.0, 1.02}};
  plot.x_label = "τ: cost relative to the best solver";
  plot.y_label = "share of problems solved within τ";
  for (std::size_t s = 0; s < std::min(solvers.size(), cost.size()); ++s) {
    std::vector<double> ratios;
    for (std::size_t p = 0; p < cost[s].size(); ++p)
      if (!failed(cost[s][p])) ratios.push_back(cost[s][p] / best[p]);
    std::sort(ratios.begin(), ratios.end());
    std::vector<double> x{1}, y{0};
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      x.push_back(ratios[i]);
      y.push_back(static_cast<double>(i + 1) / static_cast<double>(problems));
    }
    x.push_back(largest_ratio * 10), y.push_back(y.back());
    plot.add_line(solvers[s], x, y, {.steps = true});
  }
  return plot;
}

}  // namespace palp
