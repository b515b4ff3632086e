#include "palp/draw/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace palp::drawing {

std::vector<double> round_ticks(double low, double high, int about) {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double raw = (high - low) / std::max(about, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (double m : {1.0, 2.0, 2.5, 5.0})
    if (m * power >= raw * 0.999) {
      step = m * power;
      break;
    }
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && ticks.size() < 100; ++k)
    ticks.push_back(k * step);
  return ticks;
}

std::string power_text(int exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  std::string out = exponent < 0 ? "10⁻" : "10";
  for (char c : std::to_string(std::abs(exponent))) out += digits[c - '0'];
  return out;
}

std::string tick_text(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  const double size = std::abs(value);
  char b[48];
  std::string out;
  if (size >= 1e5 || size < 1e-3) {
    int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-12));
    std::snprintf(b, sizeof b, "%.3g", size / std::pow(10.0, exponent));
    out = std::string(b) == "1" ? power_text(exponent) : std::string(b) + "×" + power_text(exponent);
  } else {
    int decimals = 0;  // as many as the step needs
    for (double scaled = std::abs(step);
         decimals < 6 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled; scaled *= 10)
      ++decimals;
    std::snprintf(b, sizeof b, "%.*f", decimals, size);
    out = b;
    if (out.find('.') != out.npos) {
      while (out.back() == '0') out.pop_back();
      if (out.back() == '.') out.pop_back();
    }
  }
  return value < 0 ? "−" + out : out;
}

}  // namespace palp::drawing
