// Proximity pairs: points P on skin 1 and Q on skin 2 that are close or may come close during the step, each
// with the normal from Q's body into P's body (D06 §3.2). What becomes a pair (docs/contact.md):
//   vertex-face, vertex-edge, vertex-vertex   where the feature holds a local minimum of the distance to the
//                                             vertex; regions are closed, so that a vertex above a border
//                                             belongs to somebody, and what two features report is merged
//   edge-edge                                 where the two closest points are inside both edges
// A vertex that lies behind a face counts as inside only when no other part of the surface is nearer, and is
// then pushed out through one feature: the one it came through, otherwise the nearest.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "palp/proximity/cover.hpp"
#include "palp/proximity/touch_surface.hpp"

namespace palp {

/// What a vertex counts in the mean over an area of a skin.
struct SkinShare {
  int vertex = 0;
  double weight = 0;
};

/// A point of a skin: Σ weight[k] · vertex[k]; unused slots repeat vertex 0 with weight 0. A fourth vertex,
/// the apex, is for points off the triangles: of a rounded shape, given by the four points of its frame.
struct SkinPoint {
  std::array<int, 3> vertex{0, 0, 0};
  Vec3 weight = Vec3::Zero();
  int apex = -1;
  double apex_weight = 0;
  /// Of a contact that stands for an area (areas.hpp): the mean over it, Σ weight · vertex, instead of the
  /// point, which is one in its middle. Who keeps these shares says how long they live.
  std::span<const SkinShare> area = {};

  SkinPoint middle() const { return {vertex, weight, apex, apex_weight, {}}; }
  Vec3 at(std::span<const Vec3> x) const {
    if (!area.empty()) {
      Vec3 mean = Vec3::Zero();
      for (const SkinShare& share : area) mean += share.weight * x[share.vertex];
      return mean;
    }
    const Vec3 p = weight[0] * x[vertex[0]] + weight[1] * x[vertex[1]] + weight[2] * x[vertex[2]];
    return apex < 0 ? p : Vec3(p + apex_weight * x[apex]);
  }
};

enum class PairKind : std::uint8_t {
  vertex_face,
  face_vertex,
  edge_edge,
  vertex_edge,
  edge_vertex,
  vertex_vertex,
  area = 7  ///< features: the number of its place (areas.hpp); 6 in a key is a limited constraint
};

struct ProximityPair {
  /// In the place of an edge: the patches of a smooth mesh, whichever is nearest (curved_edges.hpp).
  static constexpr int patches = 0x3fffffff;

  PairKind kind = PairKind::vertex_face;
  int feature1 = 0,
      feature2 = 0;  ///< numbers of the two features: with the kind, the pair's identity between steps
  SkinPoint P, Q;
  Vec3 normal = Vec3::UnitZ();
  double gap = 0;       ///< n·(P − Q) at the start of the step, thickness not subtracted
  double gap_free = 0;  ///< the same after the free motion, along the same normal
  /// What P − Q gains where a curve or a patch touches instead of its chord (curved_edges.hpp,
  /// smooth_faces.hpp).
  Vec3 bulge = Vec3::Zero();
  /// From P and from Q, which are on the axis then, to the points of turned cores that touch
  /// (turned_pairs.hpp).
  std::array<Vec3, 2> arm{Vec3::Zero(), Vec3::Zero()};

  std::uint64_t key() const {
    return (std::uint64_t(kind) << 61) ^ (std::uint64_t(std::uint32_t(feature1)) << 31) ^
           std::uint32_t(feature2);
  }
  /// The vertex of skin 1 (skin = 0) or 2 (skin = 1) that the pair is about; −1 when that side is an edge or
  /// a face.
  int vertex(int skin) const {
    const bool first = kind == PairKind::vertex_face || kind == PairKind::vertex_edge,
               second = kind == PairKind::face_vertex || kind == PairKind::edge_vertex;
    if (skin == 0) return first || kind == PairKind::vertex_vertex ? feature1 : -1;
    return second || kind == PairKind::vertex_vertex ? feature2 : -1;
  }
  /// Kind and features of a key.
  static ProximityPair from_key(std::uint64_t key) {
    ProximityPair pair;
    pair.kind = static_cast<PairKind>(key >> 61);
    pair.feature1 = static_cast<int>(key >> 31 & 0x3fffffff);
    pair.feature2 = static_cast<int>(key & 0x7fffffff);
    return pair;
  }
};

class SelfTouch;

/// What the last step knew of a vertex near the other skin: the side it came from.
struct CameFrom {
  int skin = 0;  ///< 0: the vertex is of skin 1, 1: of skin 2
  int vertex = 0;
  Vec3 normal = Vec3::UnitZ();  ///< into skin 1's body
  bool touched = false;         ///< a force acted there

  bool before(const CameFrom& other) const {
    return skin != other.skin ? skin < other.skin : vertex < other.vertex;
  }
};

struct ProximitySettings {
  double range_m = 0;       ///< alarm distance plus thickness: pairs with gap or gap_free below it are kept
  double max_depth_m = 0;   ///< how far a vertex may already be inside and still be pushed back out
  double thickness_m = 0;   ///< gaps below it are overlaps
  int max_pairs = 1 << 20;  ///< chosen to cover the patch (cover.hpp)
  size_t max_candidates = 1 << 24;  ///< what is found after so many is not looked at
  double flat_cosine =
      0.99985;  ///< an edge between faces with a larger n·n' (1°) is flat: its faces speak for it
  std::span<const CameFrom> came_from = {};  ///< sorted by skin and vertex
  int leading = 0;  ///< 1 or 2: that skin is pressed at its vertices (leading.hpp); 0: none
  std::array<bool, 2> rounded{false, false};  ///< the skin is the core of a rounded shape
  SelfTouch* self = nullptr;                  ///< both skins are the same one, which may touch itself
  /// Contacts of the leading skin stand for areas, whose shares are kept here (areas.hpp); null: for points.
  std::vector<SkinShare>* areas = nullptr;
  int max_areas = 1 << 20;  ///< beyond, each stands for more
};

/// A pair on trial, and what decides.
struct PairCandidate {
  ProximityPair pair;
  double distance2 = 0;  ///< |P − Q|²
  bool faces = false;    ///< the vertex looks towards the other skin there
};

/// The other skin as a vertex of the leading one sees it: its nearest normal, zero when it is further than
/// `reach`.
struct OverVertex {
  Vec3 normal = Vec3::Zero();
  double reach = -1;
};

/// A point of the soft skin of which areas are made, and where a rigid skin is nearest to it (areas.hpp).
struct AreaSample {
  SkinPoint on;
  Vec3 place = Vec3::Zero();   ///< on the rigid skin
  Vec3 normal = Vec3::Zero();  ///< of the rigid skin, outwards; zero: it is sharp there
  double gap = 0, area_m2 = 0;
  double cell_m = 0;  ///< size of the soft skin's cells there, at rest
};

struct AreaScratch {
  std::vector<AreaSample> sample;  ///< sorted by place.x()
  std::vector<std::array<int, 3>> cell;
  std::vector<char> seen;                     ///< by primitive of the soft skin
  std::vector<double> weight;                 ///< by vertex of the soft skin
  std::vector<int> vertices;                  ///< of one area
  std::vector<char> covered;                  ///< by vertex of the soft skin: areas speak for it
  std::vector<std::array<size_t, 2>> shares;  ///< by area: first and end
};

/// Scratch of a search; grows to the largest search it has served.
struct ProximityScratch {
  std::vector<PairCandidate> candidates;
  std::vector<std::pair<int, int>> sunk;           ///< skin and vertex: near a fold, behind one of its sides
  std::array<std::vector<int>, 2> last_of_vertex;  ///< by skin and vertex: last candidate, −1 = none
  std::array<std::vector<int>, 2> previous;        ///< by skin and candidate
  std::vector<int> order;                          ///< of the pairs along x
  std::vector<int> edges;                          ///< of the leading skin near a smooth mesh
  std::vector<Vec3> place;  ///< their points P; of turned cores: place and normal of rims on faces
  std::vector<char> doubled;
  std::vector<OverVertex> over;  ///< by vertex of the leading skin
  CoverScratch cover;
  AreaScratch area;
};

/// Fills `pairs` (cleared first; keeps its capacity). Deterministic: sorted by gap, then by features. Returns
/// how many that would overlap were left out because of max_pairs.
int find_pairs(const TouchSurface& skin1, const TouchSurface& skin2, const ProximitySettings& settings,
               ProximityScratch& scratch, std::vector<ProximityPair>& pairs);

}  // namespace palp
