// A scene as Python holds it: what it is built from, of which every simulation makes bodies and devices of
// its own.
#pragma once
#include "common.hpp"

#include "palp/scene/scene.hpp"

namespace palp::python {

class CheckedScene {
 public:
  /// Raises palp.Error when the scene cannot be built.
  CheckedScene(SceneSpec spec, SceneRefinement refinement);

  /// A scene that nobody else has. The first is the one that was built to check the text.
  std::unique_ptr<Scene> build();

  const SceneSpec spec;
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
