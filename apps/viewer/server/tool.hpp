// Makes a scene touchable: its devices become visitor devices, and a scene without a device is given a round
// tool to touch things with.
#pragma once
#include <memory>
#include <span>

#include "palp/devices/visitor.hpp"
#include "palp/scene/scene.hpp"

namespace palp::view {

/// `channels`: one per device that visitors can take; devices beyond them keep their own motion. `resting`:
/// names of devices that have no motion of their own either, until a visitor takes them.
Result<void> make_touchable(Scene& scene, std::span<const std::shared_ptr<VisitorChannel>> channels,
                            std::span<const std::string> resting = {});

}  // namespace palp::view
