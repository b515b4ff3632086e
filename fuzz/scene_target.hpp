// Scene files: a scene, or errors with file and message. Meshes and series that a scene names are not there.
#pragma once
#include "target.hpp"

#include "palp/scene/scene.hpp"

namespace palp::fuzz {

/// Whole numbers from 13 to 10⁵: as counts of cells they are permitted and only cost time.
inline bool names_a_large_count(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    long value = 0;
    std::size_t end = i;
    for (; end < text.size() && text[end] >= '0' && text[end] <= '9'; ++end)
      value = std::min(10 * value + (text[end] - '0'), 1'000'000L);
    const bool fraction = i > 0 && (text[i - 1] == '.' || text[i - 1] == '-' || text[i - 1] == 'e');
    if (!fraction && value > 12 && value <= 100'000) return true;
    if (end < text.size() && text[end] == 'e')
      return end + 1 < text.size() && text[end + 1] >= '2' && text[end + 1] <= '4';
    i = end;
  }
  return false;
}

inline std::string scene_law(std::string_view bytes) {
  if (names_a_large_count(bytes)) return {};
  const std::string name = "/nowhere/fuzz.yaml";
  const SceneResult result = build_scene({name, std::string(bytes)});
  if (!result.scene && result.errors.empty()) return "refused without an error";
  for (const Error& e : result.errors)
    if (e.message.empty() || e.file != name) return "an error without message or file: " + e.text();
  return {};
}

inline const Target scene{"scene", scene_law};

}  // namespace palp::fuzz
