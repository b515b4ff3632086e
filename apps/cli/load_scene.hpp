// A scene file with its overrides, as commands take it: warnings and mistakes go to standard error.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"

#include "palp/scene/scene.hpp"

namespace palp::cli {

/// `set`: key=value each. Null, with the exit code set, when the scene cannot be had.
inline std::unique_ptr<Scene> load_or_explain(const std::string& file, const std::vector<std::string>& set) {
  std::vector<SceneOverride> changes;
  for (const auto& text : set) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      std::fprintf(stderr, "palp: --set %s: expected key=value, e.g. bodies.clip.youngModulus=7e8\n",
                   text.c_str());
      exit_code = 2;
      return nullptr;
    }
    changes.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  SceneResult result = load_scene(file, changes);
  for (const auto& warning : result.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  for (const auto& error : result.errors) std::fprintf(stderr, "error: %s\n", error.text().c_str());
  if (!result.scene) exit_code = 1;
  return std::move(result.scene);
}

}  // namespace palp::cli
