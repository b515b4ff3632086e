// One entry of `devices:` becomes a device without hardware: script, hand or replay.
#pragma once
#include <memory>

#include "palp/devices/device.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

/// Reads all keys of a device but `holds`. Null on errors, which are in the context. `folder`: paths in the
/// file are relative to it.
std::unique_ptr<Device> read_scene_device(YamlMap& device, const std::string& folder);

}  // namespace palp
