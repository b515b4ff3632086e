// Plots for reports: lines, points, bars, heat maps and performance profiles, to SVG or PNG by the file's
// extension.
//     Plot plot;
//     plot.title = "Free fall";  plot.x_label = "time (s)";  plot.y_label = "height (m)";
//     plot.add_line("measured", t, z);
//     plot.write("fall.svg");
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/draw/color.hpp"
#include "palp/math/types.hpp"

namespace palp {

struct LineStyle {
  std::optional<Color> color = {};  ///< none = the next of series_color
  double width = 2;
  bool dashed = false;
  bool markers = false;  ///< a dot at every point
  bool steps = false;    ///< a staircase: y holds until the next x
};

class Plot {
 public:
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;                          ///< values ≤ 0 are then left out
  std::optional<std::pair<double, double>> x_range, y_range;  ///< none = from the data
  int width = 800, height = 500;                              ///< units; a PNG has two pixels per unit

  /// Values that are not finite break the line.
  void add_line(const std::string& name, std::span<const double> x, std::span<const double> y,
                const LineStyle& style = {});
  void add_points(const std::string& name, std::span<const double> x, std::span<const double> y,
                  std::optional<Color> color = {}, double radius = 3.5);
  /// Groups of bars: one group per category, one bar per series. Values[series][category].
  void set_bars(std::vector<std::string> categories, std::vector<std::string> series,
                std::vector<std::vector<double>> values);
  /// Cells of a matrix, row 0 at the top, with a colour bar; NaN stays grey. Rows and columns may have names.
  void set_heat_map(const MatX& values, const std::string& label, ColorMap map = ColorMap::sequential,
                    std::vector<std::string> rows = {}, std::vector<std::string> columns = {});

  Result<void> write(const std::string& path) const;

  struct Series {
    std::string name;
    std::vector<double> x, y;
    Color color;
    LineStyle style;
    double radius = 0;  ///< of points; 0 = a line
  };
  const std::vector<Series>& series() const { return series_; }

  struct Bars {
    std::vector<std::string> categories, series;
    std::vector<std::vector<double>> values;
  };
  struct HeatMap {
    MatX values;
    std::string label;
    ColorMap map;
    std::vector<std::string> rows, columns;
  };

 private:
  std::vector<Series> series_;
  std::optional<Bars> bars_;
  std::optional<HeatMap> heat_;
  friend class PlotPainter;
};

/// Performance profile (Dolan and Moré): for every solver the share of problems that it solves within τ times
/// the cost of the best solver. cost[solver][problem]; a failure is infinite, NaN or ≤ 0.
Plot performance_profile(const std::vector<std::string>& solvers,
                         const std::vector<std::vector<double>>& cost, double largest_ratio = 100);

}  // namespace palp
