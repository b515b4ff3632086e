#include <algorithm>
#include <cmath>
#include <cstdio>

#include "solve_compare.hpp"

namespace palp::cli {
namespace {

template <class... T>
std::string format(const char* pattern, T... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// Colours that stay apart for colour-blind readers (Okabe and Ito), and dashes when they repeat.
const char* const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

struct Frame {
  double left = 60, top = 40, width = 560, height = 320, octaves = 1;
  double x(double ratio) const { return left + width * std::min(1.0, std::log2(ratio) / octaves); }
  double y(double share) const { return top + height * (1 - share); }
};

std::string axes(const Frame& F, const std::string& title) {
  std::string svg = format(R"(<rect x="%g" y="%g" width="%g" height="%g" fill="none" stroke="#444"/>)",
                           F.left, F.top, F.width, F.height);
  for (int k = 0; k <= 4; ++k)
    svg +=
        format(R"(<text x="%g" y="%g" text-anchor="end">%d %%</text>)", F.left - 6, F.y(k / 4.0) + 4, 25 * k);
  const int step = F.octaves > 8 ? 2 : 1;
  for (int k = 0; k <= F.octaves; k += step) {
    const double x = F.x(std::exp2(k));
    svg += format(R"(<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#ddd"/>)", x, F.top, x, F.top + F.height);
    svg += format(R"(<text x="%g" y="%g" text-anchor="middle">%g</text>)", x, F.top + F.height + 16,
                  std::exp2(k));
  }
  svg += format(R"(<text x="%g" y="%g" text-anchor="middle">time over the fastest solver's time</text>)",
                F.left + F.width / 2, F.top + F.height + 34);
  return svg + format(R"(<text x="%g" y="22" font-weight="bold">Share of cases solved: %s</text>)", F.left,
                      title.c_str());
}

}  // namespace

std::string performance_profile_svg(const std::vector<ProfileCurve>& curves, const std::string& title) {
  Frame F;
  for (const ProfileCurve& c : curves)
    for (double ratio : c.ratios)
      if (std::isfinite(ratio)) F.octaves = std::clamp(std::ceil(std::log2(ratio)), F.octaves, 14.0);
  std::string svg =
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="820" height="410" font-family="sans-serif" font-size="12">)"
      R"(<rect width="820" height="410" fill="white"/>)";
  svg += axes(F, title);
  for (size_t s = 0; s < curves.size(); ++s) {
    std::vector<double> ratios = curves[s].ratios;
    std::sort(ratios.begin(), ratios.end());
    const char* colour = colours[s % std::size(colours)];
    const char* dash = s < std::size(colours) ? "none" : "6 3";
    double share = 0;
    std::string path = format("M %g %g", F.x(1), F.y(0));
    for (size_t k = 0; k < ratios.size() && std::isfinite(ratios[k]); ++k) {
      share = static_cast<double>(k + 1) / static_cast<double>(ratios.size());
      path += format(" H %.2f V %.2f", F.x(ratios[k]), F.y(share));
    }
    path += format(" H %.2f", F.left + F.width);
    svg += "<path d=\"" + path + "\"" +
           format(R"( fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>)", colour, dash);
    const double y = F.top + 12 + 18 * static_cast<double>(s), x = F.left + F.width + 16;
    svg += format(
        R"(<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>)", x, y,
        x + 24, y, colour, dash);
    svg += format(R"(<text x="%g" y="%g">%s (%.0f %%)</text>)", x + 30, y + 4, curves[s].name.c_str(),
                  100 * share);
  }
  return svg + "</svg>\n";
}

}  // namespace palp::cli
