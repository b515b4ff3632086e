// Geometrically limited constraints from the surfaces around a point proxy (K16 §3.3, §3.5, §6).
//
// Every triangle gives one GLC, whose patch is the triangle itself, with a depth of at most half the body's
// thickness; two triangles that make a flat quadrilateral share one. Below convex edges such regions overlap,
// which the solver's convex sets resolve (eq. 13). At concave edges they leave a wedge below the edge: a
// sharp one gets a GLC of its own along the bisector plane (figure 2 right), at a shallow one the patches of
// both triangles are widened until they meet. Where a corner is a pit, the patches around it are widened in
// the same way. None of these additions reaches into free space: a plane continued beyond a concave edge lies
// inside the body. Hence the law: every point of the body that is within the depth of its nearest surface
// point is in the region of some GLC.
// (K16's regions are rectangles, eq. 7. Around triangles they reach over the neighbours' neighbours, where
// their planes have no meaning: the proxy then leaves the surface by hundredths of the triangles' size.)
//
// The region: a cube around the proxy, half size `range`, inside which every feature has its GLC. When that
// asks for more constraints than the bound, the cube shrinks until the nearest `max_constraints` fill it (§6;
// the sphere of the paper measured with the cube's own distance, since the trust region is a cube).
//
// Geometry is that of the start of the low-rate step; p_free says where the centre goes in the body's free
// motion.
#pragma once
#include <span>
#include <vector>

#include "palp/contact/contact.hpp"
#include "palp/contact/glc_skin.hpp"
#include "palp/solvers/glc.hpp"

namespace palp {

struct GlcRegionSettings {
  double range_m = 0.02;         ///< half size of the cube (K16 §7: proximity threshold)
  double max_depth_m = 0.002;    ///< of a GLC; less where the body is thinner than twice this
  int max_constraints = 100;     ///< per proxy, as long as they reach as far as the hand may go
  int most_constraints = 400;    ///< per proxy, when it goes further
  double sharp_angle_rad = 0.5;  ///< concave edges sharper than this get a GLC of their own
};

/// One skin that proxies may touch, placed by TouchSurface::update.
struct GlcSurface {
  int body = 0;
  double mu = 0;
  const TouchSurface* touch = nullptr;
  const GlcSkin* skin = nullptr;
};

enum class GlcKind : std::uint8_t { face, edge, closest };

/// Features of a limited constraint: 6, which no pair of features has, its kind, the feature of the surface.
inline std::uint64_t limited_features(GlcKind kind, int feature) {
  return (std::uint64_t(6) << 61) | (std::uint64_t(kind) << 59) | std::uint64_t(std::uint32_t(feature));
}
inline bool is_limited(const ContactId& id) { return id.features >> 61 == 6; }
/// A patch that bears no force is no contact that anybody wants to see: there are hundreds.
inline bool is_idle_patch(const Contact& c, const Vec3& force) { return is_limited(c.id) && force.isZero(0); }

/// Beside each GLC: who it is, and the point of the body that moves with it. Parallel to GlcProblem::glc.
struct GlcPlaces {
  std::vector<Contact> contact;  ///< id.body1 = number of the proxy, id.body2 = body, Q, frame, mu
  std::vector<Vec3> p_free;      ///< centre after the body's free motion

  void clear() {
    contact.clear();
    p_free.clear();
  }
};

struct GlcRegion {
  Vec3 centre = Vec3::Zero();
  double half_m = 0;  ///< of the trust region
  int found = 0;      ///< features in reach
  int used = 0;       ///< of them, with a GLC
};

class GlcBuilder {
 public:
  explicit GlcBuilder(const GlcRegionSettings& settings) : settings_(settings) {}

  /// Appends the GLCs around proxy number `proxy` at x to problem.glc and places, ordered by identity, and
  /// sets its trust region. problem.proxy must already hold the proxy. `radius`: the proxy is a ball.
  /// `ahead`: by how much the region should lie before the proxy, in the direction of its motion (K16 §8).
  GlcRegion build(int proxy, const Vec3& x, const Vec3& ahead, double radius,
                  std::span<const GlcSurface> surfaces, GlcProblem& problem, GlcPlaces& places);

  /// The standard contact model in its place (K16 §7: the closest point only, an endless plane, no trust
  /// region).
  GlcRegion build_closest(int proxy, const Vec3& x, double radius, std::span<const GlcSurface> surfaces,
                          GlcProblem& problem, GlcPlaces& places);

  const GlcRegionSettings& settings() const { return settings_; }

 private:
  struct Candidate {
    double distance;  ///< Chebyshev, from the proxy to the feature's box
    int surface;
    GlcKind kind;
    int feature;
  };
  double nearest_candidates(const Vec3& centre, double radius, std::span<const GlcSurface> surfaces,
                            int bound, int& found);
  void find_candidates(const Vec3& x, double margin, std::span<const GlcSurface> surfaces);

  GlcRegionSettings settings_;
  std::vector<Candidate> candidates_;
  BoxTree query_;
};

}  // namespace palp
