// Where a family of parallel lines goes in and out of a closed surface.
//
// A line hits a triangle when it passes its three edges on the same side. The side of an edge is computed
// from the edge alone, in the order of its node numbers, and a line exactly on it counts as on its left: the
// two triangles at an edge always disagree, so that no line slips through between them or hits both.
#pragma once
#include <span>

#include "palp/mesh/meshes.hpp"

namespace palp {

/// Lines along `axis`; line (i, j) passes first + (i, j)·step in the plane of the next two axes.
struct LineGrid {
  int axis = 0;
  Vec2 first = Vec2::Zero(), step = Vec2::Ones();
  std::array<int, 2> count{0, 0};
};

struct SurfaceCrossing {
  double at = 0;  ///< coordinate along the line
  int triangle = -1;
  int turn = 0;  ///< +1: the line goes in, −1: out
};

struct LineScan {
  LineGrid grid;
  std::vector<int> start;  ///< [lines + 1]
  std::vector<SurfaceCrossing> crossings;

  /// Ascending; ins and outs balance (a line on which rounding spoils that has none).
  std::span<const SurfaceCrossing> line(int i, int j) const {
    const int l = j * grid.count[0] + i;
    return {crossings.data() + start[l], crossings.data() + start[l + 1]};
  }
};

LineScan scan_lines(const TriMesh& surface, const LineGrid& grid);

/// Calls visit(in, out, winding) for every stretch of a line inside, `in` and `out` its two crossings,
/// `winding` the number of times it is inside that is farthest from 1.
template <class Visit>
void for_stretches(std::span<const SurfaceCrossing> line, const Visit& visit) {
  int winding = 0, oddest = 1;
  const SurfaceCrossing* in = nullptr;
  for (const SurfaceCrossing& c : line) {
    if (winding == 0) {
      in = &c;
      oddest = 1;
    }
    winding += c.turn;
    if (winding == 0)
      visit(*in, c, oddest);
    else if (winding != 1)
      oddest = winding;
  }
}

}  // namespace palp
