// The axes in which a part is made. Elements bend best when the lattice runs along a part's faces: a bar laid
// in it askew is too stiff by several percent. Of the axes of the world, of the part's own spread and of
// pairs of its large faces those are taken to which its faces are most parallel,
//     Σ area (n_x⁴ + n_y⁴ + n_z⁴) / Σ area,    1 for a box in its own axes, 3/5 for a ball;
// those of the world unless others are better by 2 %, or halve what is missing to 1: a bar tilted by few
// degrees.
#pragma once
#include "palp/mesh/meshes.hpp"

namespace palp {

/// A rotation; its columns are the axes.
Mat3 part_axes(const TriMesh& surface);

}  // namespace palp
