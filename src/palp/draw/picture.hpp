// Still pictures of meshes, drawn in software: a z-buffer with soft light, shaded corners and a shadow on the
// ground.
//     Picture picture;
//     picture.add(surface, {.values = displacement, .label = "displacement (m)"});
//     picture.add_arrows(points, forces, {0.8, 0.2, 0.2}, 0.01);
//     picture.write_png("out.png");
#pragma once
#include <span>
#include <string>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/draw/color.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

struct SurfaceStyle {
  Color color{0.55, 0.66, 0.80};
  std::span<const double> values = {};  ///< one per node: coloured by the map instead of `color`
  double low = 0, high = 0;             ///< range of the map; equal = from the values
  ColorMap map = ColorMap::sequential;
  std::string label = {};  ///< with it, a colour bar is drawn
  bool edges = false;      ///< shows the triangles
  bool flat = false;       ///< no smoothing over edges (edges sharper than 35° are never smoothed)
};

struct Camera {
  Vec3 from{1.0, -1.7,
            0.9};  ///< where the eye is, seen from the middle of the scene; only the direction counts
  Vec3 up{0, 0, 1};
  bool perspective = true;
  double field_of_view_deg = 25;
  double margin = 1.08;  ///< 1 = the scene touches the frame
};

struct PictureStyle {
  int width = 1200, height = 800;  ///< pixels
  bool shadow = true;              ///< on a ground under the scene, when the camera looks down
  std::string title = {};
};

class Picture {
 public:
  void add(const TriMesh& mesh, const SurfaceStyle& style = {});
  /// A tube along the points; `radius_m` 0 = a thin one that suits the scene.
  void add_line(std::span<const Vec3> points, const Color& color, double radius_m = 0);
  void add_points(std::span<const Vec3> points, const Color& color, double radius_m = 0);
  /// Arrows from `at` along scale · `vector`; vectors too short to be seen are left out.
  void add_arrows(std::span<const Vec3> at, std::span<const Vec3> vector, const Color& color,
                  double scale = 1, double radius_m = 0);

  Result<void> write_png(const std::string& path, const Camera& camera = {},
                         const PictureStyle& style = {}) const;

  /// A triangle ready for drawing.
  struct Facet {
    Vec3 corner[3], normal[3];
    Color color[3];
    bool edges = false;
  };

 private:
  struct Stroke {  ///< a line or an arrow, made into facets when the size of the scene is known
    std::vector<Vec3> points;
    Color color;
    double radius;
    char kind;  ///< 'l'ine, 'p'oint, 'a'rrow
  };
  std::vector<Facet> facets_;
  std::vector<Stroke> strokes_;
  struct Bar {
    std::string label;
    ColorMap map;
    double low, high;
  };
  std::vector<Bar> bars_;
};

}  // namespace palp
