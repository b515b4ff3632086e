// The meshes of the engine: plain arrays, positions in metres, 0-based indices.
#pragma once
#include <array>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

using Triangle = std::array<int, 3>;  ///< counter-clockwise seen from outside
using Edge = std::array<int, 2>;
using Tet = std::array<int, 4>;  ///< positive volume: (x1−x0)×(x2−x0)·(x3−x0) > 0
using Hex = std::array<int, 8>;  ///< VTK/Gmsh order: bottom 0-3 counter-clockwise seen from above, then top 4-7

struct TetMesh {
  std::vector<Vec3> nodes;
  std::vector<Tet> tets;
};

struct HexMesh {
  std::vector<Vec3> nodes;
  std::vector<Hex> hexes;
};

/// A triangle surface: a body's skin, an obstacle, or a picture's subject.
struct TriMesh {
  std::vector<Vec3> nodes;
  std::vector<Triangle> triangles;
};

/// A chain of beams: node i is joined to node i+1, and the last to the first when closed.
struct Curve {
  std::vector<Vec3> nodes;
  bool closed = false;
};

}  // namespace palp
