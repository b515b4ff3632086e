// Where an axis has its marks and how their numbers are written.
#pragma once
#include <string>
#include <vector>

namespace palp::drawing {

/// Round numbers that cover [low, high]: about `about` of them.
std::vector<double> round_ticks(double low, double high, int about);
/// A tick's number as people write it: 0.25, 1500, 2×10⁻⁶.
std::string tick_text(double value, double step);
/// 10ᵏ.
std::string power_text(int exponent);

}  // namespace palp::drawing
