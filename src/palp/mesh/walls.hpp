// How thin is a part? Lines along the three axes go in and out of its surface; where the two faces look away
// from each other, the stretch between them is a wall: its thickness is the stretch times the cosine between
// line and normal. Wedges, where the faces meet, are none.
#pragma once
#include <utility>

#include "palp/mesh/lattice.hpp"

namespace palp {

struct Wall {
  double thickness_m = 0;
  Vec3 normal = Vec3::UnitZ();
  double area_m2 = 0;  ///< that this sample stands for, of both sides
};

/// Samples of all walls of a closed surface.
std::vector<Wall> find_walls(const TriMesh& surface);

/// Of pairs (measure, area): the measure below which `share` of the surface's area lies; infinite when there
/// is not as much.
double thin_walls(std::vector<std::pair<double, double>> measure_and_area, double surface_area, double share);

}  // namespace palp
