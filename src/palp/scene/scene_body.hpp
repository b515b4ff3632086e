// One entry of `bodies:` becomes a body model.
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/scene_mesh.hpp"

namespace palp {

struct SceneBody {
  std::shared_ptr<const Body> body;
  SceneNodes nodes;  ///< by which devices may hold it: its frames; none for bodies with a single frame
  BodyMesh made_of;
};

/// No body on errors, which are in the context.
SceneBody read_scene_body(const YamlValue& value, const MeshContext& context);

}  // namespace palp
