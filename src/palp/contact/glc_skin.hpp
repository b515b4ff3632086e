// What never changes about a skin that GLCs are built on (K16 §3.3): who meets at its edges and corners, and
// how thick the body is below each triangle. The thickness bounds the depth of a GLC (eq. 8): regions of
// opposite sides must not reach into each other.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "palp/proximity/touch_surface.hpp"

namespace palp {

struct GlcSkin {
  std::vector<std::array<int, 3>> edge;  ///< per triangle: its edges (v0 v1), (v1 v2), (v2 v0)
  /// Per triangle: the one with which it makes a quadrilateral, on either side of the longest edge of both;
  /// −1 = none. While they are in one plane they share a GLC.
  std::vector<int> partner;
  std::vector<int> ring_start, ring;  ///< triangles at each vertex
  std::vector<double> thickness;  ///< per triangle, straight below its centre at rest; +∞ beyond `reach`

  /// `reach`: thicknesses above it do not matter, m.
  static GlcSkin make(const TouchTopology& topology, std::span<const Vec3> rest, double reach);
};

}  // namespace palp
