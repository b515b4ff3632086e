// A closed triangle surface of a shape given by a function that is negative inside, and a statue made this
// way.
//
// Marching tetrahedra: a grid of cubes, each split in six tets (lattice.hpp); where a tet's corners differ in
// sign, one or two triangles separate them. Tets share faces, so the result is always a closed manifold. Its
// slivers are then relaxed: every vertex moves to the middle of its neighbours and back to the shape along
// the gradient.
#pragma once
#include <functional>

#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

struct ImplicitGrid {
  Vec3 low_m = Vec3::Constant(-0.1), high_m = Vec3::Constant(0.1);  ///< the shape lies strictly inside
  double cell_m = 0.005;                                            ///< details smaller than this may vanish
  int relaxations = 4;
};

/// f must be continuous, negative inside, and about as large as the distance to the shape near it.
Result<TriMesh> implicit_surface(const std::function<double(const Vec3&)>& f, const ImplicitGrid& grid);

/// A statue for rendering tests like those of K16 §7 (figure 8): two rings on each other on a flat base with
/// sharp edges, and two thin arms from the upper ring to the base. The rings and joints have saddles, convex
/// one way and concave the other. It stands on z = 0 and has four holes.
struct StatueShape {
  double height_m = 0.1;
  double cell_m = 0.002;  ///< of the grid; at most a fiftieth of the height, so that the arms are resolved
};
Result<TriMesh> statue_surface(const StatueShape& shape);

}  // namespace palp
