// What joins bodies, as bilateral rows of the contact problem (sim/attachment.hpp):
//
//     attachments: [{bodies: [a] | [a, b], at: [x, y, z], SWITCH}]
//     springs:     [{bodies: [a] | [a, b], at: [[x, y, z], [x, y, z]], stiffness, damping, length, SWITCH}]
//     joints:      [{type: ball | hinge | slider | cylinder | weld, bodies: [a] | [a, b], at: [x, y, z],
//     axis: [x, y, z],
//                    contact: false, SWITCH}]
//     SWITCH:      from, until, breakForce, button: {device, number}
#pragma once
#include "palp/scene/scene.hpp"
#include "palp/scene/scene_body.hpp"

namespace palp {

/// The keys of a switch. `devices`: names, for `button: {device: …}`; without them `button` is a number, and
/// the device is `holder`.
Switch read_switch(YamlMap& m, const std::vector<std::string>& devices, int holder = -1);

/// Reads all three lists. `devices`: the names of the scene's devices. Bodies that a joint holds do not touch
/// each other, unless it says so: their rule is taken away.
void read_scene_joints(YamlMap& m, const std::vector<std::string>& body_names,
                       const std::vector<std::string>& devices, Scene& scene);

}  // namespace palp
