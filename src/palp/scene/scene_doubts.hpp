// What a scene says that is possible, but hardly meant: sizes in millimetres, a hand without a spring, walls
// of one cell of elements that lock. Warnings, each with what to do. (Surfaces that are inside out are found
// with the mesh.)
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/scene_body.hpp"

namespace palp {

/// `root`: the scene's map, for places in the file.
void warn_of_doubts(const Scene& scene, const std::vector<SceneBody>& bodies, YamlMap& root,
                    std::vector<std::string>& warnings);

}  // namespace palp
