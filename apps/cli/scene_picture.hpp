// A picture of a scene as it stands: skins, beams, contact forces.
#pragma once
#include <vector>

#include "palp/draw/picture.hpp"
#include "palp/scene/run.hpp"

namespace palp {

/// Forces of the contacts that carry, in world axes on the first body of each pair, with their points.
struct WorldForces {
  std::vector<Vec3> at, force;
};
WorldForces contact_forces(const SceneRun& run);

/// All skins in the colours of the series, what cannot move in grey, contact forces as red arrows, the
/// longest three tenths of the largest movable body. A body may be left out, to show what it hides.
Picture draw_scene(const Scene& scene, const SceneRun& run, bool arrows = true, int hidden_body = -1);

}  // namespace palp
