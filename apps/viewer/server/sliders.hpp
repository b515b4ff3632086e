// The numbers of a scene that viewers may turn: friction, stiffness of the bodies, stiffness of the couplings.
#pragma once
#include "simulation.hpp"

namespace palp::view {

std::vector<Slider> make_sliders(const Scene& scene);

/// Applies friction and coupling to the scene at once. Young's modulus needs the body to be built again: the
/// override to do it with is returned (its key is empty for the others).
SceneOverride apply(const Slider& slider, double value, Scene& scene);

}  // namespace palp::view
