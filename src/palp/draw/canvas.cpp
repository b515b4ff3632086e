#include "palp/draw/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <cairo-svg.h>

#include "palp/io/cursor.hpp"

namespace palp {
namespace {

template <std::size_t N>
Color between(const std::array<Color, N>& anchors, double t) {
  t = std::clamp(std::isfinite(t) ? t : 0.0, 0.0, 1.0) * (N - 1);
  const auto i = std::min(static_cast<std::size_t>(t), N - 2);
  const double f = t - static_cast<double>(i);
  const auto mix = [&](double a, double b) { return (1 - f) * a + f * b; };
  return {mix(anchors[i].r, anchors[i + 1].r), mix(anchors[i].g, anchors[i + 1].g),
          mix(anchors[i].b, anchors[i + 1].b)};
}

}  // namespace

Color color_at(ColorMap map, double t) {
  static const std::array<Color, 6> sequential{{{0.20, 0.25, 0.52},
                                                {0.17, 0.43, 0.68},
                                                {0.14, 0.56, 0.62},
                                                {0.32, 0.73, 0.54},
                                                {0.68, 0.85, 0.45},
                                                {0.98, 0.93, 0.55}}};
  static const std::array<Color, 5> diverging{
      {{0.13, 0.30, 0.60}, {0.52, 0.70, 0.86}, {0.96, 0.96, 0.95}, {0.93, 0.62, 0.50}, {0.70, 0.13, 0.18}}};
  return map == ColorMap::sequential ? between(sequential, t) : between(diverging, t);
}

Color series_color(int n) {
  static const std::array<Color, 8> colors{{{0.16, 0.41, 0.69},
                                            {0.90, 0.49, 0.18},
                                            {0.17, 0.60, 0.45},
                                            {0.78, 0.22, 0.29},
                                            {0.48, 0.37, 0.70},
                                            {0.30, 0.70, 0.82},
                                            {0.83, 0.44, 0.66},
                                            {0.42, 0.45, 0.50}}};
  return colors[static_cast<std::size_t>(n) % colors.size()];
}

}  // namespace palp

namespace palp::drawing {
namespace {

cairo_status_t append_bytes(void* to, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Canvas::Canvas(int width, int height, double scale, std::span<const unsigned char> rgb) {
  const int w = static_cast<int>(std::lround(width * scale)),
            h = static_cast<int>(std::lround(height * scale));
  surface_.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24, w, h));
  if (rgb.size() == static_cast<std::size_t>(w) * h * 3 &&
      cairo_surface_status(surface_.get()) == CAIRO_STATUS_SUCCESS) {
    unsigned char* pixels = cairo_image_surface_get_data(surface_.get());
    const int stride = cairo_image_surface_get_stride(surface_.get());
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        const unsigned char* from = rgb.data() + 3 * (static_cast<std::size_t>(y) * w + x);
        const std::uint32_t pixel = static_cast<std::uint32_t>(from[0]) << 16 | from[1] << 8 | from[2];
        std::memcpy(pixels + static_cast<std::size_t>(y) * stride + 4 * x, &pixel, 4);
      }
    cairo_surface_mark_dirty(surface_.get());
  }
  context_.reset(cairo_create(surface_.get()));
  cairo_scale(cr(), scale, scale);
  if (rgb.empty()) color({1, 1, 1}), cairo_paint(cr());
}

Canvas Canvas::svg(int width, int height) {
  Canvas canvas;
  canvas.vector_ = true;
  canvas.surface_.reset(
      cairo_svg_surface_create_for_stream(append_bytes, canvas.bytes_.get(), width, height));
  canvas.context_.reset(cairo_create(canvas.surface_.get()));
  canvas.color({1, 1, 1});
  cairo_paint(canvas.cr());
  return canvas;
}

void Canvas::line(double x0, double y0, double x1, double y1, double width) {
  cairo_set_line_width(cr(), width);
  cairo_move_to(cr(), x0, y0);
  cairo_line_to(cr(), x1, y1);
  cairo_stroke(cr());
}

void Canvas::fill_box(double x, double y, double w, double h) {
  cairo_rectangle(cr(), x, y, w, h);
  cairo_fill(cr());
}

void Canvas::text(const std::string& utf8, double x, double y, double size, Align align, bool bold,
                  bool turned) {
  cairo_select_font_face(cr(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr(), size);
  cairo_text_extents_t extent;
  cairo_text_extents(cr(), utf8.c_str(), &extent);
  cairo_save(cr());
  cairo_translate(cr(), x, y);
  if (turned) cairo_rotate(cr(), -1.5707963267948966);
  const double shift = align == Align::left     ? 0
                       : align == Align::centre ? -0.5 * extent.x_advance
                                                : -extent.x_advance;
  cairo_move_to(cr(), shift, 0.36 * size);
  cairo_show_text(cr(), utf8.c_str());
  cairo_restore(cr());
}

double Canvas::text_width(const std::string& utf8, double size, bool bold) {
  cairo_select_font_face(cr(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr(), size);
  cairo_text_extents_t extent;
  cairo_text_extents(cr(), utf8.c_str(), &extent);
  return extent.x_advance;
}

Result<void> Canvas::write(const std::string& path) {
  cairo_status_t status = cairo_status(cr());
  if (status == CAIRO_STATUS_SUCCESS && !vector_) {
    cairo_surface_flush(surface_.get());
    status = cairo_surface_write_to_png_stream(surface_.get(), append_bytes, bytes_.get());
  }
  if (status == CAIRO_STATUS_SUCCESS && vector_) {
    cairo_surface_finish(surface_.get());
    status = cairo_surface_status(surface_.get());
  }
  if (status != CAIRO_STATUS_SUCCESS)
    return Error{std::string("the picture could not be drawn: ") + cairo_status_to_string(status), path, 0, 0,
                 "choose a smaller size"};
  return io::write_bytes(path, *bytes_);
}

}  // namespace palp::drawing
