// The ways of bodies through a step: how far they go against each other, where they are on the way, and what
// they would pass through there. For passage.cpp, which makes contacts of it.
#pragma once
#include "palp/sim/passage.hpp"
#include "palp/sim/stages.hpp"

namespace palp::stages {

// Parts of the size of the smaller body that the two move against each other in a step. Less than `at_rest`:
// they miss nothing. More than `near`: they are looked at along their way; what enters less deep is found by
// ordinary contact and goes back the way it came (kept_depth). Less than `led`: soft skins touch at their
// vertices, as in ordinary contact. More than `far`: only what touches already is an ordinary contact, the
// others' planes would be those of another place.
constexpr double at_rest = 1e-3, near = 0.01, led = 0.02, far = 0.1;
/// Where only fast bodies are followed: more than this in their free motion (half of its diameter for a ball)
/// is `far` there.
constexpr double passing = 1.0 / 6;

inline bool follows_all(const Model& model) { return model.continuous == Continuous::all; }
inline bool is_rigid(const BodyState& state) { return state.x.size() == 7; }
/// A body that touches itself is not followed along its way.
inline bool touches(const Workspace& ws, const TouchRule& rule) {
  return rule.body1 != rule.body2 && ws.bodies[rule.body1].touch && ws.bodies[rule.body2].touch;
}

/// Size of the smaller body of the two. Before a sheet, whose sides are asked for anew in every step, with
/// the way of the step: what lies on it and moves fast is then taken to touch it from further away.
double size_of(const TouchRule& rule, const Workspace& ws);
/// The motion of two bodies against each other in a step up to which ordinary contact holds them: `near`, or
/// as deep as it looks inside a body. When all are followed, as far as it looks around.
double held_motion(const Model& model, const TouchRule& rule, const Workspace& ws);
/// The same for where contact forces have let them go: rigid bodies may have been turned by a contact at one
/// end so that the other meets what was not sought, further away than the search looks around.
double sought_motion(const Model& model, const TouchRule& rule, const Workspace& ws);
/// How far the vertices of two skins move against each other at most in their free motion, at a glance.
inline double largest_motion_of(const TouchRule& rule, const Workspace& ws) {
  return ws.bodies[rule.body1].touch->largest_motion() + ws.bodies[rule.body2].touch->largest_motion();
}
/// The same looked at.
double free_motion_of(const TouchRule& rule, Workspace& ws);
/// The body after a part of its motion; no velocities.
void make_part(const Model& model, const State& state, Workspace& ws, int b, double part, BodyState& out);
/// All crossings of all fast pairs on the way to where the bodies are now to end: Passage::found, left.
void look_along_ways(const Model& model, const State& state, Workspace& ws);

}  // namespace palp::stages
