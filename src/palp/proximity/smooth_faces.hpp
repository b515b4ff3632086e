// A rigid mesh that stands for a round surface (`smooth` of a body): a soft vertex touches the patch over a
// facet instead of the facet. At the point p = Σ wᵢ vᵢ of a face whose corners have the normals nᵢ,
//     n = Σ wᵢ nᵢ / |…|,    patch = p + ½ Σ wᵢ ((vᵢ − p)·nᵢ) nᵢ
// (Phong tessellation, Boubekeur & Alexa 2008; one half makes it the parabola of a sphere's arc). Both go on
// smoothly from facet to facet. Normals are means over the faces that go on smoothly at rest: creases stay
// (curved_edges.hpp).
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Whether the skin is such a mesh.
bool is_smooth_mesh(const TouchSurface& rigid);

/// Lifts the pairs of vertices of skin `settings.leading` to the patches of the other skin, a smooth mesh.
void lift_to_patches(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                     std::vector<ProximityPair>& pairs);

}  // namespace palp
