// What pictures and plots share: colours, colour maps, and a cairo drawing that ends as a PNG or SVG file.
#pragma once
#include <memory>
#include <span>
#include <string>

#include <cairo.h>

#include "palp/base/result.hpp"
#include "palp/draw/color.hpp"
#include "palp/draw/ticks.hpp"

namespace palp::drawing {

enum class Align { left, centre, right };

/// A sheet of width × height units; PNG files have `scale` pixels per unit.
class Canvas {
 public:
  /// An image: `rgb` (top row first, 3 bytes per pixel) as background when given, otherwise white.
  Canvas(int width, int height, double scale, std::span<const unsigned char> rgb = {});
  /// A vector drawing.
  static Canvas svg(int width, int height);

  cairo_t* cr() const { return context_.get(); }
  void color(const Color& c, double opacity = 1) { cairo_set_source_rgba(cr(), c.r, c.g, c.b, opacity); }
  void line(double x0, double y0, double x1, double y1, double width);
  void fill_box(double x, double y, double w, double h);
  /// `y` is the middle of the letters' height; `turned`: reads upwards.
  void text(const std::string& utf8, double x, double y, double size, Align align, bool bold = false,
            bool turned = false);
  double text_width(const std::string& utf8, double size, bool bold = false);

  /// Writes the file and closes the canvas.
  Result<void> write(const std::string& path);

 private:
  struct Free {
    void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
    void operator()(cairo_t* c) const { cairo_destroy(c); }
  };
  Canvas() = default;
  bool vector_ = false;
  std::unique_ptr<std::string> bytes_ = std::make_unique<std::string>();  // what the SVG surface has written
  std::unique_ptr<cairo_surface_t, Free> surface_;
  std::unique_ptr<cairo_t, Free> context_;
};

}  // namespace palp::drawing
