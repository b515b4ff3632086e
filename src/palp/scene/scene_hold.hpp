// `holds:` of a device: the virtual coupling to a frame of a body, springs on several nodes of it, or a rigid
// grasp.
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/scene_body.hpp"

namespace palp {

/// Reads one map or a list of them for device number `device` of the scene; `bodies` are those of
/// scene.model, in the same order. Errors go to the context.
void read_scene_holds(const YamlValue& value, int device, const std::vector<SceneBody>& bodies,
                      const std::vector<std::string>& body_names, Scene& scene);

}  // namespace palp
