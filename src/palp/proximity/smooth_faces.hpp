// A rigid mesh that stands for a round surface (`smooth` of a body): a soft vertex touches the patch over a
// facet instead of the facet. At the point p = Σ wᵢ vᵢ of a face whose corners have the normals nᵢ,
//     n = Σ wᵢ nᵢ / |…|,    patch = p + ½ Σ wᵢ ((vᵢ − p)·nᵢ) nᵢ
// (Phong tessellation, Boubekeur & Alexa 2008; one half makes it the parabola of a sphere's arc). Both go on
// smoothly from facet to facet. Normals are means over the faces that go on smoothly at rest: creases stay
// (curved_edges.hpp).
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// The patch over a point of face f: its normal, not of unit length, and how far it lies off the facet.
struct Patch {
  Vec3 normal = Vec3::Zero(), lift = Vec3::Zero();
};
Patch patch_over(const TouchSurface& mesh, const SkinPoint& on, int f);
/// What the point x sees of the patch over its foot on face f.
struct SeenPatch {
  Vec3 normal = Vec3::Zero();  ///< outwards; zero beside a crease or a rim, where the foot is not below x
  Vec3 lift = Vec3::Zero();    ///< of the patch over the facet
  double gap = 0;              ///< along the normal
};
SeenPatch seen_patch(const TouchSurface& mesh, const Vec3& x, const SkinPoint& foot, int f);
/// The same for the face that is nearest to x; `foot`: there. False when none is within `reach`.
bool nearest_patch(const TouchSurface& mesh, const Vec3& x, double reach, SkinPoint& foot, SeenPatch& out);
/// Whether vertex v lies inside a smooth part of the surface, on no crease and no rim.
bool is_smooth_vertex(const TouchSurface& mesh, int v);
/// The same for an edge.
bool is_smooth_edge(const TouchSurface& mesh, int e);

/// Whether the skin is such a mesh.
bool is_smooth_mesh(const TouchSurface& rigid);

/// Lifts the pairs of vertices of skin `settings.leading` to the patches of the other skin, a smooth mesh.
void lift_to_patches(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                     std::vector<ProximityPair>& pairs);

}  // namespace palp
