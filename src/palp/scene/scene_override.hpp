// Changes to a scene's text before it is read: --set bodies.clip.mu=0.5, pairs.0.mu=0.8.
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

/// Applies one to the tree, through maps by names and through lists by numbers. Mistakes go to the context.
void apply_override(YAML::Node root, const SceneOverride& change, YamlContext& context);

/// The scene as one text that reads the same from any folder: changed, its files named by their full paths.
Result<std::string> whole_scene(const SceneSpec& spec);

}  // namespace palp
