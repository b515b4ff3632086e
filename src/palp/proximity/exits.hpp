// Inside or outside, decided by the whole surface and not by one face's plane; and one report per place.
#pragma once
#include "palp/proximity/pairs.hpp"

namespace palp {

class RestNeighbours;

/// The neighbourhood of an edge in its own skin, where contact is that of a skin with itself.
struct BesideEdge {
  const RestNeighbours* self = nullptr;
  Edge edge{};
};

/// Is p, at `depth` behind the edge, inside the surface, and no part of it away from the edge clearly nearer?
/// If not, a crossing of edges at that depth is not where the bodies overlap.
/// Faces beside the edge on which p lies do not count.
bool is_way_out(const TouchSurface& s, int edge, const Vec3& p, double depth, const BesideEdge& beside);

/// Vertices behind a face by more than `touching`: those that lie outside lose the pair, those inside keep
/// one way out. `faces` is cleared for what is dropped.
void choose_exits(const TouchSurface& s1, const TouchSurface& s2, std::span<const CameFrom> came_from,
                  double touching, ProximityScratch& scratch);

/// Of pairs at the same place with the same normal one is kept: that of the smallest features.
void merge_doubles(const TouchSurface& s1, const TouchSurface& s2, double touching, ProximityScratch& scratch,
                   std::vector<ProximityPair>& pairs);

}  // namespace palp
