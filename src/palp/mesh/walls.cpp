#include "palp/mesh/walls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "palp/mesh/scan_lines.hpp"

namespace palp {

std::vector<Wall> find_walls(const TriMesh& surface) {
  Eigen::AlignedBox3d box;
  std::vector<Vec3> normal;
  normal.reserve(surface.triangles.size());
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &x = surface.nodes[a], &y = surface.nodes[b], &z = surface.nodes[c];
    box.extend(x).extend(y).extend(z);
    normal.push_back((y - x).cross(z - x).stableNormalized());
  }
  const Vec3 size = box.sizes();
  // Fine enough for features of a hundredth of the part; no direction has fewer than sixteen lines.
  Cells lines;
  for (int k = 0; k < 3; ++k)
    lines[k] = std::clamp(static_cast<int>(std::ceil(100 * size[k] / size.maxCoeff())), 16, 100);
  std::vector<Wall> walls;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    LineGrid grid{axis, {}, Vec2(size[u] / lines[u], size[v] / lines[v]), {lines[u], lines[v]}};
    grid.first = Vec2(box.min()[u], box.min()[v]) + 0.5 * grid.step;
    if (!(grid.step.minCoeff() > 0)) continue;
    const LineScan scan = scan_lines(surface, grid);
    for (int j = 0; j < lines[v]; ++j)
      for (int i = 0; i < lines[u]; ++i)
        for_stretches(scan.line(i, j), [&](const SurfaceCrossing& in, const SurfaceCrossing& out, int) {
          const Vec3 &n = normal[in.triangle], &m = normal[out.triangle];
          const double cosine = std::abs(n[axis]);
          // Every normal has an axis within 54.7° of it; flatter lines measure badly.
          if (cosine < 0.57 || n.dot(m) > -0.7 || !(out.at > in.at)) return;
          walls.push_back({cosine * (out.at - in.at), n, 2 * grid.step.prod() / cosine});
        });
  }
  return walls;
}

double thin_walls(std::vector<std::pair<double, double>> measure_and_area, double surface_area,
                  double share) {
  std::sort(measure_and_area.begin(), measure_and_area.end());
  double sum = 0;
  for (const auto& [measure, area] : measure_and_area)
    if ((sum += area) >= share * surface_area) return measure;
  return std::numeric_limits<double>::infinity();
}

}  // namespace palp
