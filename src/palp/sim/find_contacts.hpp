// Pairs become contacts: what the ordinary way (find_contacts.cpp) and crossings (passage.cpp) have in
// common.
#pragma once
#include "palp/sim/step.hpp"

namespace palp::stages {

/// The point of a rounded body's surface that is at `offset` from a point of its core, carried by the body:
/// where it touches and turns with it. `skin`: the skin's vertices, then.
SkinPoint on_rounded_surface(const Skin& skin, std::span<const Vec3> at, const SkinPoint& on_core,
                             const Vec3& offset);
/// μ of a contact whose points and frame are known. `rows`: scratch.
double friction(const Contact& contact, const TouchRule& rule, const Model& model, const State& state,
                PointJacobian& rows);
/// What the skins' vertices, edges and faces keep between them: the rule's thickness and the skins' own
/// radii.
double thickness_of(const TouchRule& rule, const Model& model);
/// Two skins that are tied together cannot also keep their distance there: a pair nearer to the knot than to
/// any other vertex is left to the attachment.
bool beside_attachment(const Model& model, const State& state, const TouchRule& rule,
                       const ProximityPair& pair);

/// How far a search looks: outwards and inwards; how much it may find.
struct SearchBounds {
  double alarm_m = 0, depth_m = 0;
  size_t candidates = ProximitySettings{}.max_candidates;
};
/// Pairs of one rule, added to ws.contacts.
void find_pairs_of(const Model& model, size_t rule, const SearchBounds& bounds, const State& state,
                   Workspace& ws, StepReport& report);
/// What touches of a body, not yet placed.
std::unique_ptr<TouchSurface> make_touch(const Body& body);

}  // namespace palp::stages
