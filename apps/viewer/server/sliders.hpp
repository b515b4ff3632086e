// The numbers of a scene that viewers may turn: friction, stiffness of the bodies, stiffness of the
// couplings.
#pragma once
#include "simulation.hpp"

namespace palp::view {

std::vector<Slider> make_sliders(const Scene& scene);

/// Applies friction and coupling to the scene. Young's modulus needs the body to be built again: the override
/// to do it with is returned (its key is empty for the others). A running two-rate loop has its own copy of
/// the model: it hears of all this when it starts again.
SceneOverride apply(const Slider& slider, double value, Scene& scene);

}  // namespace palp::view
