// The tables of keys of a study file: what the reader knows, and what docs/studies.md lists.
#pragma once
#include "palp/scene/key.hpp"

namespace palp::study_keys {

const Keys& study();
const Keys& parameter();
const Keys& measure();  ///< an entry of `keep` that is a map

std::vector<KeySection> sections();

}  // namespace palp::study_keys
