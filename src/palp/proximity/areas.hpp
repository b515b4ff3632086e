// Contacts that stand for an area. A soft skin that is held at its vertices feels a round tool in jumps: what
// the tool meets depends on where it is among them. Here contact i stands for the skin around a place yᵢ of
// the tool, by the mean gap (mortar, D04 §II.C)
//     gᵢ = Σ_q w_iq g(q),   Hᵢ = Σ_q w_iq H(q),   w_iq ∝ A_q K(|y(q) − yᵢ| / ρ),   Σ_q w_iq = 1
// over points q of the skin's faces, each with its part A_q of the area, its gap g(q) between the patch that
// the facets stand for (smooth_faces.hpp) and the tool, and y(q), the tool's nearest point. Places lie 0.5 to
// 0.7 cells apart around the middle of what is near: they go with the contact over both skins, and none comes
// or goes where it bears. ρ is 1.6 cells, or one where the tool turns too much: a force that is spread as wide
// meets the same compliance wherever it is among the nodes. K(r) = (1 − r²)².
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Adds the areas of skin `settings.leading` that the other skin, an exact shape or a smooth mesh, presses,
/// and leaves out the pairs that these stand for. Where either skin is sharp, or the tool turns away within
/// an area, there are none, and the pairs stay.
void make_areas(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                AreaScratch& scratch, std::vector<ProximityPair>& pairs);

}  // namespace palp
