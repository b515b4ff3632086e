// One entry of `bodies:` becomes a body model.
#pragma once
#include "palp/scene/scene_mesh.hpp"

namespace palp {

/// The body and the nodes by which devices may hold it: those of the mesh that are its frames (none for
/// bodies with a single frame).
struct SceneBody {
  std::shared_ptr<const Body> body;
  std::vector<Vec3> nodes;
  NodeSets node_sets;
};

/// No body on errors, which are in the context.
SceneBody read_scene_body(const YamlValue& value, const std::string& folder,
                          std::vector<std::string>& warnings);

}  // namespace palp
