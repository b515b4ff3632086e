// One entry of `bodies:` becomes a body model.
#pragma once
#include "palp/scene/scene_mesh.hpp"

namespace palp {

/// Nothing on errors, which are in the context.
std::shared_ptr<const Body> read_scene_body(const YamlValue& value, const std::string& folder,
                                            std::vector<std::string>& warnings);

}  // namespace palp
