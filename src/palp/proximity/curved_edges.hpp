// A soft skin is made of facets; the surface that it stands for is round. Vertices alone touch a round tool
// in jumps: it sits between two rows of them, falls over the next one, and the force has teeth (the snap-in's
// push was a third too high). So where an exact shape (ball, capsule: rounded.hpp) is nearest to a soft skin
// between two vertices, the edge between them touches as well, as the curve that leaves both vertices at
// right angles to the normals there:
//     c(t) = Hermite(a, b; e − (e·n_a) n_a, e − (e·n_b) n_b),    e = b − a
// Normals are means over the faces that go on smoothly at rest from the one that looks at the tool; creases
// stay. The contact then moves along the skin with the tool instead of from vertex to vertex.
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

/// What is smooth and what is round is decided once, on the skin at rest: were it decided anew in every step,
/// a curve would come and go with the deformation, and push.
TouchSurface::RestShape rest_shape(const TouchSurface& at_rest);

/// Adds the pairs of such edges of skin `settings.leading` with the other skin, the core of an exact shape.
void add_curved_edges(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                      std::vector<ProximityPair>& pairs);

/// The same with a rigid mesh that stands for a round surface: the curve is nearest to the patches of its
/// facets (smooth_faces.hpp). They take the place of the facets' own pairs with such edges. `edges`: scratch.
void add_curved_edges_on_patches(const TouchSurface& s1, const TouchSurface& s2,
                                 const ProximitySettings& settings, std::vector<int>& edges,
                                 std::vector<ProximityPair>& pairs);

/// The pair of one such edge with the axis of a turned core (turned_pairs.hpp), the soft skin first; false
/// where there is none, or where it is at an end of the axis. `touches`: the chord is a contact already, so
/// that any place of the curve will do.
bool curved_edge_on_axis(const TouchSurface& soft, int edge, const TouchSurface& core, const Edge& axis,
                         double range_m, bool touches, ProximityPair& pair);

}  // namespace palp
