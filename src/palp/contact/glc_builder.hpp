// Geometrically limited constraints from the surfaces around the points of a tool (K16 §3.3, §3.5, §6).
//
// Every triangle gives one GLC, whose patch is the triangle itself, with a depth of at most half the body's
// thickness; on ground that no force moves two triangles that make a flat quadrilateral share one. Below
// convex edges such regions overlap, which the solver's convex sets resolve (eq. 13). At concave edges they
// leave a wedge below the edge: a sharp one gets a GLC of its own along the bisector plane (figure 2 right),
// at a shallow one the patches of both triangles are widened until they meet. Where a corner is a pit, the
// patches around it are widened in the same way. None of these additions reaches into free space: a plane
// continued beyond a concave edge lies inside the body. Hence the law: every point of the body that is within
// the depth of its nearest surface point is in the region of some GLC. (K16's regions are rectangles, eq. 7.
// Around triangles they reach over the neighbours' neighbours, where their planes have no meaning: the proxy
// then leaves the surface by hundredths of the triangles' size.)
//
// The region: every point of the tool has a box along the way that it is expected to make, wider than that by
// one margin for the whole tool, inside which every feature has its GLC. The margin is `range`, less half the
// way (for tools with a shape also no more than the way and a bit: they have many points); when that asks for
// more constraints than the bound, or for more points, it shrinks until the nearest `max_constraints` fill
// the boxes (§6; the sphere of the paper measured with the box's own distance). Points that come near nothing
// are no proxies, except the outermost ones: their boxes hold a tool that would come from too far away.
//
// Who meets whom (algorithms of K16 for more than points). A vertex of the tool is a point among the
// triangles of the surface. A corner of the surface is a point among the tool's triangles, which move: seen
// from the tool as a whole, each is a patch mirrored at the corner. Two sharp edges that cross make a patch
// in the plane of both, a parallelogram as long as they are. Only vertices, corners and edges count that come
// first in the direction of the patch, or will when the tool turns a little: others are behind their
// neighbours. Vertices of a tool that deforms count as if they were as much further away.
//
// Geometry is that of the start of the low-rate step. Where forces move what is touched, the corners of the
// patches are its nodes (solvers/glc.hpp), and follow_nodes (glc_features.hpp) takes a patch along with them;
// elsewhere p_free says where the centre goes.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "palp/contact/contact.hpp"
#include "palp/contact/glc_skin.hpp"
#include "palp/solvers/glc.hpp"

namespace palp {

struct GlcRegionSettings {
  double range_m = 0.02;         ///< largest half size of a box (K16 §7: proximity threshold)
  double max_depth_m = 0.002;    ///< of a GLC; less where the body is thinner than twice this
  int max_constraints = 100;     ///< per tool, as long as they reach as far as the hand may go
  int most_constraints = 400;    ///< per tool, when it goes further: each costs a column of W at the low rate
  int most_still = 1600;         ///< the same on ground that no force moves: a tick looks at them, no more
  int most_proxies = 100;        ///< points of a tool
  double sharp_angle_rad = 0.5;  ///< concave edges sharper than this get a GLC of their own
  double ridge_angle_rad = 0.3;  ///< convex edges sharper than this may cross a tool's
};

/// How many constraints one tool may have.
inline int most_constraints(const GlcRegionSettings& s, bool gives_way) {
  return std::max(s.max_constraints, gives_way ? s.most_constraints : s.most_still);
}

/// One skin that proxies may touch, placed by TouchSurface::update.
struct GlcSurface {
  int body = 0;
  double mu = 0;
  const TouchSurface* touch = nullptr;
  const GlcSkin* skin = nullptr;
  bool gives_way = false;  ///< forces move it: it has nodes
  double turn = 0;         ///< of a tool: the sine of the angle by which it may turn until the next snapshot
};

enum class GlcKind : std::uint8_t {
  face,
  edge,
  closest,   ///< a vertex of the tool on a triangle or in a concave edge of the surface; on a plane
  corner,    ///< a vertex of the surface on a triangle of the tool
  crossing,  ///< an edge of the tool on an edge of the surface
  node,      ///< none of them: a vertex of the surface that bears forces of the others
};

/// Features of a limited constraint: 6, which no pair of features has, its kind, who is the proxy, the
/// feature that it touches.
inline std::uint64_t limited_features(GlcKind kind, int proxy, int feature) {
  return (std::uint64_t(6) << 61) | (std::uint64_t(kind) << 58) | (std::uint64_t(proxy) << 29) |
         std::uint64_t(feature);
}
inline bool is_limited(const ContactId& id) { return id.features >> 61 == 6; }
inline GlcKind limited_kind(const ContactId& id) { return static_cast<GlcKind>(id.features >> 58 & 7); }
inline int limited_feature(const ContactId& id) { return static_cast<int>(id.features & ((1u << 29) - 1)); }
/// A patch that bears no force is no contact that anybody wants to see: there are hundreds.
inline bool is_idle_patch(const Contact& c, const Vec3& force) {
  return (is_limited(c.id) || c.id.body2 < -1) &&
         force.isZero(0);  // -1: the world; below: points of two rates
}

/// A point of the tool.
struct GlcPoint {
  SkinPoint P{{0, 0, 0}, {1, 0, 0}};
  Vec3 x = Vec3::Zero();
  Vec3 ahead = Vec3::Zero();  ///< half of the way that it will make (K16 §8)
  int name = 0;               ///< of its proxy: a vertex of the tool or of the surface, an edge of the tool
};

/// A vertex of a surface, near a tool.
struct GlcNode {
  int tool = 0, body = 0, vertex = 0;
  auto operator<=>(const GlcNode&) const = default;
};

/// Beside each GLC: who it is, and the points of the bodies that move with it. Parallel to GlcProblem::glc.
struct GlcPlaces {
  std::vector<Contact> contact;  ///< id.body1 = the tool's number, id.body2 = body, P, Q, frame, mu
  std::vector<Vec3> p_free;      ///< centre after the body's free motion
  std::vector<GlcPoint> proxy;   ///< parallel to GlcProblem::proxy
  std::vector<GlcNode> node;     ///< of GlcProblem::nodes

  void clear() {
    contact.clear();
    p_free.clear();
    proxy.clear();
    node.clear();
  }
};

struct GlcRegion {
  double half_m = 0;  ///< of the largest box
  int found = 0;      ///< features in reach
  int used = 0;       ///< of them, with a GLC
};

class GlcBuilder {
 public:
  explicit GlcBuilder(const GlcRegionSettings& settings) : settings_(settings) {}

  /// Appends the GLCs around the vertices of tool number `tool` to problem.glc and places, ordered by
  /// identity, and its proxies to problem.proxy. `radius`: the vertices are balls. `shape`: the tool's own
  /// skin, when its faces and edges touch, too.
  GlcRegion build(int tool, std::span<const GlcPoint> vertices, double radius,
                  std::span<const GlcSurface> surfaces, GlcProblem& problem, GlcPlaces& places,
                  const GlcSurface* shape = nullptr);

  /// The standard contact model in its place (K16 §7: the closest point only, an endless plane, no trust
  /// region), of one point.
  GlcRegion build_closest(int tool, const Vec3& x, double radius, std::span<const GlcSurface> surfaces,
                          GlcProblem& problem, GlcPlaces& places);

  const GlcRegionSettings& settings() const { return settings_; }

 private:
  struct Candidate {
    double distance;           ///< Chebyshev, from the way of the point to the feature's box
    std::array<int, 4> point;  ///< of the tool: the proxy, then whose boxes have to hold it; −1: none
    int surface;
    GlcKind kind;
    int feature;
    bool late = false;  ///< a vertex behind its neighbours, on a skin that deforms
  };
  struct Kept {
    int candidates, points, nodes;
    double margin;  ///< up to the first that is not kept, +∞ when all are
  };
  void find_faces(int vertex, double margin, std::span<const GlcSurface> surfaces, const GlcSurface* shape);
  void find_corners(const GlcSurface& shape, double margin, std::span<const GlcSurface> surfaces);
  void find_crossings(const GlcSurface& shape, double margin, std::span<const GlcSurface> surfaces);
  bool make_glc(const Candidate& c, double radius, std::span<const GlcSurface> surfaces,
                const GlcSurface* shape, Glc& glc, SkinPoint& Q) const;
  Kept keep_nearest(int bound, std::span<const GlcSurface> surfaces);
  void name_nodes(int tool, size_t first_glc, std::span<const GlcSurface> surfaces, GlcProblem& problem,
                  GlcPlaces& places);

  GlcRegionSettings settings_;
  std::vector<Candidate> candidates_;
  std::vector<GlcPoint> points_;  ///< the tool's vertices, then the proxies of corners and crossings
  std::vector<char> used_;        ///< per point: it is a proxy
  std::vector<std::vector<char>> is_node_;  ///< keep_nearest: per surface and vertex
  std::vector<int> corner_point_;           ///< find_corners: per vertex of a surface, −1: none
  std::vector<double> corner_distance_;     ///< the same: of its point
  BoxTree query_;
};

}  // namespace palp
