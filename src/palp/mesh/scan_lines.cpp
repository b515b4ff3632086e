#include "palp/mesh/scan_lines.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

struct Hit {
  int line;
  SurfaceCrossing crossing;
};

/// Whether p lies left of the edge from a to b.
bool left_of(const std::vector<Vec2>& x, int a, int b, const Vec2& p) {
  if (a > b) return !left_of(x, b, a, p);
  const Vec2 e = x[b] - x[a], r = p - x[a];
  return e.x() * r.y() - e.y() * r.x() >= 0;
}

}  // namespace

LineScan scan_lines(const TriMesh& surface, const LineGrid& grid) {
  const int u = (grid.axis + 1) % 3, v = (grid.axis + 2) % 3;
  std::vector<Vec2> flat(surface.nodes.size());
  for (size_t n = 0; n < flat.size(); ++n) flat[n] = {surface.nodes[n][u], surface.nodes[n][v]};

  std::vector<Hit> hits;
  for (size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [a, b, c] = surface.triangles[t];
    std::array<int, 2> from, to;
    for (int k = 0; k < 2; ++k) {
      const double low = std::min({flat[a][k], flat[b][k], flat[c][k]}),
                   high = std::max({flat[a][k], flat[b][k], flat[c][k]});
      from[k] = static_cast<int>(
          std::clamp(std::floor((low - grid.first[k]) / grid.step[k]), 0.0, grid.count[k] - 1.0));
      to[k] = static_cast<int>(
          std::clamp(std::ceil((high - grid.first[k]) / grid.step[k]), 0.0, grid.count[k] - 1.0));
    }
    const double x[3] = {surface.nodes[a][grid.axis], surface.nodes[b][grid.axis],
                         surface.nodes[c][grid.axis]};
    for (int j = from[1]; j <= to[1]; ++j)
      for (int i = from[0]; i <= to[0]; ++i) {
        const Vec2 p = grid.first + Vec2(i * grid.step.x(), j * grid.step.y());
        const bool left = left_of(flat, a, b, p);
        if (left_of(flat, b, c, p) != left || left_of(flat, c, a, p) != left) continue;
        const auto cross = [](const Vec2& e, const Vec2& r) { return e.x() * r.y() - e.y() * r.x(); };
        const double wa = cross(flat[c] - flat[b], p - flat[b]), wb = cross(flat[a] - flat[c], p - flat[c]),
                     wc = cross(flat[b] - flat[a], p - flat[a]), sum = wa + wb + wc;
        const double at = sum != 0 ? (wa * x[0] + wb * x[1] + wc * x[2]) / sum : x[0];
        // Counter-clockwise in the plane of the next two axes: the triangle looks along the line.
        hits.push_back({j * grid.count[0] + i,
                        {std::clamp(at, std::min({x[0], x[1], x[2]}), std::max({x[0], x[1], x[2]})),
                         static_cast<int>(t), left ? -1 : 1}});
      }
  }
  // Of crossings at the same place the way out comes first: solids that touch do not overlap.
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    if (a.line != b.line) return a.line < b.line;
    if (a.crossing.at != b.crossing.at) return a.crossing.at < b.crossing.at;
    if (a.crossing.turn != b.crossing.turn) return a.crossing.turn < b.crossing.turn;
    return a.crossing.triangle < b.crossing.triangle;
  });

  LineScan scan{grid, {0}, {}};
  const int lines = grid.count[0] * grid.count[1];
  size_t next = 0;
  for (int l = 0; l < lines; ++l) {
    const size_t begin = scan.crossings.size();
    int winding = 0;
    for (; next < hits.size() && hits[next].line == l; ++next) {
      scan.crossings.push_back(hits[next].crossing);
      winding += hits[next].crossing.turn;
    }
    if (winding != 0) scan.crossings.resize(begin);
    scan.start.push_back(static_cast<int>(scan.crossings.size()));
  }
  return scan;
}

}  // namespace palp
