// Pictures and plots: the pixels obey geometry, files are well formed, odd data is survived.
#include "palp/draw/picture.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>
#include <pugixml.hpp>
#include <unistd.h>

#include "palp/draw/plot.hpp"
#include "palp/draw/render.hpp"
#include "palp/draw/ticks.hpp"

// The font library that cairo uses keeps a cache until the end, which the leak checker of the asan preset
// reports.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }

namespace palp {
namespace picture_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

Picture::Facet facet(const Vec3& a, const Vec3& b, const Vec3& c, const Color& color) {
  const Vec3 n = (b - a).cross(c - a).normalized();
  return {{a, b, c}, {n, n, n}, {color, color, color}};
}

/// A square of half edge `half` in the plane y = depth, seen along +y.
std::vector<Picture::Facet> square(double half, double depth, const Color& color) {
  const Vec3 a(-half, depth, -half), b(half, depth, -half), c(half, depth, half), d(-half, depth, half);
  return {facet(a, b, c, color), facet(a, c, d, color)};
}

const Camera front{.from = {0, -1, 0}, .perspective = false, .margin = 2};
const PictureStyle tiny{.width = 100, .height = 100, .shadow = false};

struct Rgb {
  int r, g, b;
};
Rgb pixel(const std::vector<unsigned char>& p, int x, int y) {
  const unsigned char* at = &p[3 * (y * 100 + x)];
  return {at[0], at[1], at[2]};
}

TEST(Picture, a_square_with_margin_two_covers_a_quarter_of_the_frame) {
  const auto p = drawing::render(square(1, 0, {1, 0, 0}), front, tiny, 0);
  int covered = 0;
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x) {
      const auto c = pixel(p, x, y);
      const bool inside = x >= 25 && x < 75 && y >= 25 && y < 75;
      EXPECT_EQ(c.r > 2 * c.g, inside) << x << " " << y;
      covered += c.r > 2 * c.g;
    }
  EXPECT_EQ(covered, 2500);
}

TEST(Picture, the_nearer_surface_hides_the_farther_whatever_the_order) {
  for (const bool perspective : {false, true}) {
    Camera camera = front;
    camera.perspective = perspective;
    auto near_first = square(0.5, -1, {0, 0, 1});
    for (const auto& f : square(1, 1, {1, 0, 0})) near_first.push_back(f);
    const std::vector<Picture::Facet> far_first(near_first.rbegin(), near_first.rend());
    const auto p = drawing::render(near_first, camera, tiny, 0);
    EXPECT_EQ(p, drawing::render(far_first, camera, tiny, 0));
    EXPECT_GT(pixel(p, 50, 50).b, 2 * pixel(p, 50, 50).r);
    EXPECT_GT(pixel(p, 30, 50).r, 2 * pixel(p, 30, 50).b);
  }
}

TEST(Picture, edges_are_smoothed) {
  const std::vector<Picture::Facet> half{facet({-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {0, 0, 0})};
  const auto p = drawing::render(half, front, tiny, 0);
  int grey = 0;
  for (int i = 25; i < 75; ++i) grey += pixel(p, i, 99 - i).g > 60 && pixel(p, i, 99 - i).g < 240;
  EXPECT_GT(grey, 40) << "pixels on the diagonal are half covered";
}

TEST(Picture, everything_added_stays_in_the_frame) {
  // Whatever the view, no facet touches the border of the picture.
  std::vector<Picture::Facet> facets = square(1, 3, {1, 0, 0});
  facets.push_back(facet({5, 0, 0}, {5, 0.1, 0}, {5, 0, 0.1}, {0, 1, 0}));
  for (const Vec3& from : {Vec3(1, -2, 1), Vec3(0, 0, 1), Vec3(-3, 1, -2), Vec3(0, 1, 0)})
    for (const bool perspective : {true, false}) {
      const auto p =
          drawing::render(facets, {.from = from, .perspective = perspective, .margin = 1.2}, tiny, 0);
      for (int i = 0; i < 100; ++i)
        for (const auto& c : {pixel(p, i, 0), pixel(p, i, 99), pixel(p, 0, i), pixel(p, 99, i)})
          EXPECT_GT(std::min({c.r, c.g, c.b}), 200);
    }
}

class Files : public testing::Test {
 protected:
  std::filesystem::path dir =
      std::filesystem::path(testing::TempDir()) / std::string("palp_pic_").append(std::to_string(getpid()));
  void SetUp() override { std::filesystem::create_directories(dir); }
  void TearDown() override { std::filesystem::remove_all(dir); }
  std::string text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};
using PictureFiles = Files;
using PlotFiles = Files;

TEST_F(PictureFiles, png_has_the_size_asked_for_and_odd_data_is_survived) {
  Picture picture;
  TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 0, 0}}, {{0, 1, 2}, {0, 0, 1}, {0, 1, 3}}};
  const std::vector<double> values{1, nan, infinity, 2};
  picture.add(mesh, {.values = values, .label = "x"});
  const std::vector<Vec3> points{{0, 0, 0}, {0, 0, 0}, {infinity, 0, 0}};
  picture.add_line(points, {1, 0, 0});
  picture.add_points(points, {1, 0, 0});
  picture.add_arrows(points, points, {1, 0, 0});
  const std::string path = (dir / "a.png").string();
  ASSERT_TRUE(picture.write_png(path, {}, {.width = 120, .height = 90}));
  const std::string png = text(path);
  ASSERT_GT(png.size(), 24u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(static_cast<unsigned char>(png[19]), 120);
  EXPECT_EQ(static_cast<unsigned char>(png[23]), 90);
  EXPECT_TRUE(Picture{}.write_png(path, {}, {.width = 64, .height = 64})) << "an empty scene";
  EXPECT_FALSE(picture.write_png(path, {}, {.width = 0, .height = 90}));
  EXPECT_FALSE(picture.write_png((dir / "no" / "a.png").string(), {}, {.width = 64, .height = 64}));
}

TEST_F(PlotFiles, every_kind_writes_well_formed_svg_and_png_even_with_odd_data) {
  const std::vector<double> x{1, 2, nan, 4, 1e300}, y{1, infinity, 3, -4, 1e-300};
  std::vector<Plot> plots(5);
  for (const bool log : {false, true}) {
    plots[log].log_x = plots[log].log_y = log;
    plots[log].title = "a <title> & \"more\"";
    plots[log].add_line("line", x, y, {.dashed = true, .markers = true, .steps = true});
    plots[log].add_points("points", x, y);
  }
  plots[2].set_bars({"a", "b"}, {"s", "t"}, {{1, nan}, {-2, 3, 4}});
  plots[3].set_heat_map(MatX{{1, nan}, {2, 3}}, "u", ColorMap::diverging, {"r"}, {"c", "d", "e"});
  for (const auto& plot : plots) {
    const std::string svg = (dir / "a.svg").string(), png = (dir / "a.png").string();
    const auto written = plot.write(svg);
    ASSERT_TRUE(written) << &plot - plots.data() << ": " << written.error().text();
    ASSERT_TRUE(plot.write(png));
    pugi::xml_document document;
    EXPECT_TRUE(document.load_file(svg.c_str()));
    EXPECT_TRUE(document.child("svg"));
    EXPECT_EQ(text(svg).find("nan"), std::string::npos);
    EXPECT_EQ(text(png).substr(1, 3), "PNG");
  }
  EXPECT_FALSE(plots[0].write((dir / "a.pdf").string()));
}

TEST_F(PlotFiles, a_legend_without_a_free_place_stands_above_the_curves) {
  // A zigzag that fills the frame: wherever inside, a legend would cover it.
  std::vector<double> x, y;
  for (int i = 0; i < 200; ++i) x.push_back(i), y.push_back(i % 2);
  for (const bool filled : {true, false}) {
    Plot plot;
    plot.width = 480, plot.height = 300;
    plot.add_line("a name of some length", x, filled ? y : std::vector<double>(200, 0.0));
    plot.add_line("", std::vector<double>{0, 1}, std::vector<double>{0, 1});
    plot.add_line("another", x, std::vector<double>(200, 0.0));
    const std::string svg = (dir / "legend.svg").string();
    ASSERT_TRUE(plot.write(svg));
    pugi::xml_document document;
    ASSERT_TRUE(document.load_file(svg.c_str()));
    // Heights of what a path spans; the legend's boxes are the white ones that let a little through.
    const auto span = [](const std::string& path) {
      std::istringstream in(path);
      std::pair<double, double> out{infinity, -infinity};
      double numbers[2];
      int n = 0;
      for (std::string word; in >> word;)
        if (std::isdigit(word[0]) || word[0] == '-') {
          numbers[n++ % 2] = std::stod(word);
          if (n % 2 == 0) out = {std::min(out.first, numbers[1]), std::max(out.second, numbers[1])};
        }
      return out;
    };
    // Versions of cairo differ in where they write a property: an attribute of its own, or a list of all.
    const auto property = [](const pugi::xml_node& node, const std::string& name) -> std::string {
      if (const auto own = node.attribute(name.c_str())) return own.value();
      const std::string style = node.attribute("style").value();
      const size_t at = style.find(name + ":");
      if (at == std::string::npos) return "";
      const size_t begin = at + name.size() + 1;
      return style.substr(begin, style.find(';', begin) - begin);
    };
    double boxes_end = -infinity, highest_curve = infinity;
    for (const auto& found : document.select_nodes("//*[local-name()='path']")) {
      const pugi::xml_node path = found.node();
      const auto [top, bottom] = span(path.attribute("d").value());
      if (property(path, "fill-opacity").starts_with("0.88")) boxes_end = std::max(boxes_end, bottom);
      if (property(path, "stroke-width") == "2") highest_curve = std::min(highest_curve, top);
    }
    ASSERT_GT(boxes_end, 0) << "the legend was not found";
    ASSERT_LT(highest_curve, 300) << "the curves were not found";
    if (filled)
      EXPECT_LE(boxes_end, highest_curve + 8);
    else
      EXPECT_GT(boxes_end, highest_curve) << "there is room inside";
  }
}

TEST(Plot, performance_profile_counts_problems_within_a_ratio_of_the_best) {
  // Three problems; best costs 1, 2, 5. A: ratios 1, 2, failed. B: 3, 1, 1.
  const auto plot = performance_profile({"A", "B"}, {{1, 4, infinity}, {3, 2, 5}}, 10);
  const auto share = [&](int s, double tau) {
    double y = 0;
    for (std::size_t i = 0; i < plot.series()[s].x.size(); ++i)
      if (plot.series()[s].x[i] <= tau) y = plot.series()[s].y[i];
    return y;
  };
  EXPECT_DOUBLE_EQ(share(0, 1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(share(0, 2), 2.0 / 3);
  EXPECT_DOUBLE_EQ(share(0, 10), 2.0 / 3);
  EXPECT_DOUBLE_EQ(share(1, 1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(share(1, 2.99), 2.0 / 3);
  EXPECT_DOUBLE_EQ(share(1, 3), 1);
}

TEST(Plot, ticks_are_round_lie_inside_and_read_as_people_write) {
  for (const auto& [low, high] :
       {std::pair{0.0, 1.0}, {-3.7, 12.2}, {1e-7, 3e-7}, {1e9, 5e9}, {0.1, 0.1000001}}) {
    const auto ticks = drawing::round_ticks(low, high, 6);
    ASSERT_GE(ticks.size(), 3u);
    ASSERT_LE(ticks.size(), 13u);
    const double slack = 1e-6 * (high - low);
    EXPECT_GE(ticks.front(), low - slack);
    EXPECT_LE(ticks.back(), high + slack);
    // The step is 1, 2, 2.5 or 5 times a power of ten.
    const double step = ticks[1] - ticks[0],
                 mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    double nearest = 1;
    for (double m : {1.0, 2.0, 2.5, 5.0}) nearest = std::min(nearest, std::abs(mantissa / m - 1));
    EXPECT_LT(nearest, 1e-4) << low;
  }
  EXPECT_EQ(drawing::tick_text(0.25, 0.25), "0.25");
  EXPECT_EQ(drawing::tick_text(-1.5, 0.5), "−1.5");
  EXPECT_EQ(drawing::tick_text(0, 0.5), "0");
  EXPECT_EQ(drawing::tick_text(2e-6, 1e-6), "2×10⁻⁶");
  EXPECT_EQ(drawing::power_text(-12), "10⁻¹²");
}

}  // namespace picture_test
}  // namespace palp
