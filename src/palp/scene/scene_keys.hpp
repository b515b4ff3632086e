// The tables of keys of a scene file: what the reader knows, and what docs/scene.md lists. Those of the
// generators are beside them (scene_generator.hpp).
#pragma once
#include "palp/scene/key.hpp"

namespace palp::scene_keys {

const Keys& scene();
const Keys& contact();  ///< for every pair of bodies
const Keys& pair();     ///< the same for one, and which
const Keys& solver();
const Keys& haptics();

/// The models of bodies in the order of their choice.
enum class BodyModel { linear, corotational, global_corotational, rigid, obstacle, beam, point };
inline constexpr int model_count = 7;
const Keys& any_body();             ///< `model` and `rate`
const Keys& body(BodyModel model);  ///< the others
const Keys& section();              ///< of a beam
const Keys& mesh();                 ///< beside the generator's own
const Keys& selection();
const Keys& support(BodyModel model);
const Keys& move(BodyModel model);
const Keys& load();
const Keys& material();  ///< of a part of a body

const Keys& attachment();
const Keys& spring();
const Keys& joint();
const Keys& button();  ///< that takes one of the three

enum class DeviceType { script, hand, replay };
const Keys& any_device();  ///< `type`, `holds`, `button` and `profile`
const Keys& device(DeviceType type);
const Keys& way_point();
const Keys& sine();
const Keys& hold();
const Keys& profile();

/// All tables, in the order of the page.
std::vector<KeySection> sections();

}  // namespace palp::scene_keys
