// Colours of pictures and plots.
#pragma once

namespace palp {

/// Red, green, blue from 0 to 1.
struct Color {
  double r = 0, g = 0, b = 0;
};

enum class ColorMap {
  sequential,  ///< dark blue to light yellow: amounts
  diverging,   ///< blue, white, red: signed values, white in the middle
};

/// The colour at t from 0 to 1; values outside are clamped.
Color color_at(ColorMap map, double t);
/// The n-th colour for curves and bodies: distinct, also for most colour-blind people; repeats after eight.
Color series_color(int n);

}  // namespace palp
