// One entry of `bodies:` becomes a body model.
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/scene_mesh.hpp"

namespace palp {

struct SceneBody {
  std::shared_ptr<const Body> body;
  SceneNodes nodes;  ///< by which devices may hold it: its frames; none for bodies with a single frame
  BodyMesh made_of;
  int graspable = 0;     ///< driven frames that devices may carry: the first ones
  bool hardens = false;  ///< made of elements that are too stiff in bending where walls are one cell thick
  bool touches_itself = false;
  double one_cell = 0;  ///< share of the elements that reach from side to side
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};

/// The vertex of the skin that is closest to a point where the body starts.
int nearest_vertex(const Body& body, const Vec3& at);

/// No body on errors, which are in the context. What acts on it goes to `actions`, with its number.
SceneBody read_scene_body(const YamlValue& value, const MeshContext& context, int number, Actions& actions);

}  // namespace palp
