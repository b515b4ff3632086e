// `haptics:` of a scene, and `rate: high` of its bodies: the two-rate scheme.
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

/// Fills scene.two_rate when there is a `haptics:`; bodies, devices and grips have been read. `bodies` and
/// `dt` are the scene's own entries; `steps_per_time` refines both rates. Errors go to the context.
void read_scene_haptics(const YamlValue& haptics, const YamlValue& bodies, const YamlValue& dt,
                        double steps_per_time, Scene& scene);

}  // namespace palp
