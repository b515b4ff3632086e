// Proximity pairs: points P on skin 1 and Q on skin 2 that are close or may come close during the step, each
// with the normal from Q's body into P's body (D06 §3.2). Kept are local minima of the distance between
// features:
//   vertex-face, edge-edge (between faces, D06 fig. 3), and vertex-edge, vertex-vertex where the skins are
//   sharp.
#pragma once
#include <cstdint>
#include <vector>

#include "palp/proximity/touch_surface.hpp"

namespace palp {

/// A point of a skin: Σ weight[k] · vertex[k]; unused slots repeat vertex 0 with weight 0.
struct SkinPoint {
  std::array<int, 3> vertex{0, 0, 0};
  Vec3 weight = Vec3::Zero();

  Vec3 at(std::span<const Vec3> x) const {
    return weight[0] * x[vertex[0]] + weight[1] * x[vertex[1]] + weight[2] * x[vertex[2]];
  }
};

enum class PairKind : std::uint8_t {
  vertex_face,
  face_vertex,
  edge_edge,
  vertex_edge,
  edge_vertex,
  vertex_vertex
};

struct ProximityPair {
  PairKind kind = PairKind::vertex_face;
  int feature1 = 0,
      feature2 = 0;  ///< numbers of the two features: with the kind, the pair's identity between steps
  SkinPoint P, Q;
  Vec3 normal = Vec3::UnitZ();
  double gap = 0;       ///< n·(P − Q) at the start of the step, thickness not subtracted
  double gap_free = 0;  ///< the same after the free motion, along the same normal

  std::uint64_t key() const {
    return (std::uint64_t(kind) << 61) ^ (std::uint64_t(std::uint32_t(feature1)) << 31) ^
           std::uint32_t(feature2);
  }
};

struct ProximitySettings {
  double range_m = 0;       ///< alarm distance plus thickness: pairs with gap or gap_free below it are kept
  double max_depth_m = 0;   ///< how far a vertex may already be behind a face and still be pushed back out
  int max_pairs = 1 << 20;  ///< the closest are kept; equal gaps are ordered by their features
  double flat_cosine =
      0.99985;  ///< an edge between faces with a larger n·n' (1°) is flat: its faces speak for it
};

/// Fills `pairs` (cleared first; keeps its capacity). Deterministic: sorted by gap, then by features.
void find_pairs(const TouchSurface& skin1, const TouchSurface& skin2, const ProximitySettings& settings,
                std::vector<ProximityPair>& pairs);

}  // namespace palp
