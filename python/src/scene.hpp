// A scene as Python holds it: its text and overrides, from which every simulation builds its own bodies and
// devices.
#pragma once
#include "common.hpp"

#include "palp/scene/scene.hpp"

namespace palp::python {

class SceneSpec {
 public:
  /// Raises palp.Error when the scene cannot be built.
  SceneSpec(std::string text, std::string file, std::vector<SceneOverride> overrides,
            SceneRefinement refinement);

  /// A scene that nobody else has. The first is the one that was built to check the text.
  std::unique_ptr<Scene> build();
  SceneResult parse(const SceneRefinement& as_fine) const {
    return parse_scene(text, file, overrides, as_fine);
  }

  const std::string text, file;
  const std::vector<SceneOverride> overrides;
  const SceneRefinement refinement;
  std::vector<std::string> warnings, bodies, devices, quantities;
  double seconds = 0, h_s = 0;
  bool two_rates = false;

 private:
  std::unique_ptr<Scene> built_;  ///< until it is taken
};

using Overrides = std::vector<std::pair<std::string, std::string>>;
std::vector<SceneOverride> overrides(const Overrides& pairs);

}  // namespace palp::python
