// Geometrically limited constraints (K16 §3.3): a contact of a proxy with one feature of a surface (triangle,
// edge), valid only near that feature. A proxy is a point of a tool: the whole tool in K16; a vertex, a point
// of an edge or of a face of a tool with a shape. With frame n, t1, t2 and centre p on the surface, the proxy
// at x has the coordinates ψ = n·(x − p), τ = t·(x − p); the constraint ψ ≥ 0 acts only while (eq. 7, 8)
//     |τ_1| ≤ s_1,   |τ_2| ≤ s_2,   −d ≤ ψ ≤ 0.
// Positions, not velocities: with δ = W f + δ_free (algorithms: one formulation for all papers),
//     ψ = δ_n,   τ = τ_start + δ_t,
// where δ_t is the slip over the step (friction) and τ_start the offset from the centre at its start
// (extent). What is touched answers at its nodes, the corners of the patches: a GLC bears on its nodes with
// the weights E of the place where its proxy is, so that the answer is the same on both sides of an edge and
// a surface stays closed under load. W, in metres per newton, has three rows (world axes) for each node, then
// three for each other constraint; the tools answer by C, three rows for each proxy, world axes. With N the
// frames, the matrix of the contact problem (A_ψ, A_τ of eq. 10, 12 and the friction response) is
// N (E W Eᵀ + C) Nᵀ: few of its blocks are ever needed.
//
// The rectangle may be cut further by straight sides, so that the patch is the triangle or quadrilateral
// below which it acts: rectangles around triangles would reach over their neighbours.
//
// Where surfaces are convex, GLCs overlap (figure 3). The active ones are therefore split into convex sets,
// each of one proxy (eq. 18); of a set only the largest ψ has to be ≥ 0 (eq. 13).
#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/solvers/problem.hpp"

namespace palp {

struct Glc {
  int proxy = 0;
  Vec3 n = Vec3::UnitX(), t1 = Vec3::UnitY(), t2 = Vec3::UnitZ();  ///< right-handed, orthonormal
  Vec3 p = Vec3::Zero();                                           ///< centre
  double s1 = 0, s2 = 0;                                           ///< half extents, m
  double d = 0;                                                    ///< depth, m
  double mu = 0;
  std::array<int, 3> node{-1, -1, -1};  ///< that bear its force, −1: fewer; none: nothing gives way
  Vec3 weight = Vec3::Zero();           ///< their shares
  double radius = 0;                    ///< of the proxy: p is so far above the surface
  std::array<double, 3> strip{};        ///< of a triangle: how far the patch reaches beyond its sides

  /// The patch is where a·τ ≤ b as well; |a| = 1, b > 0 in m.
  struct Side {
    double a1 = 0, a2 = 0, b = 0;
  };
  static constexpr int most_sides = 4;
  std::array<Side, most_sides> side{};
  int sides = 0;

  /// Eq. 7 with all extents multiplied by `scale`.
  bool in_range(double tau1, double tau2, double scale = 1) const {
    if (!(tau1 <= s1 * scale && -tau1 <= s1 * scale && tau2 <= s2 * scale && -tau2 <= s2 * scale))
      return false;
    for (int k = 0; k < sides; ++k)
      if (side[k].a1 * tau1 + side[k].a2 * tau2 > side[k].b * scale) return false;
    return true;
  }
};

/// Any constraint beside the GLCs: an ordinary contact or an attachment.
struct OtherConstraint {
  ContactKind kind = ContactKind::unilateral;
  double mu = 0;
  int proxy = -1;                 ///< the proxy it acts on, −1 when it touches none
  Mat3 frame = Mat3::Identity();  ///< change of its three coordinates with that proxy's position
  int second = -1;                ///< another proxy whose position adds to them in the same way
};

/// A proxy and its outer trust region, the box that the GLCs describe completely (eq. 14).
struct GlcProxy {
  double compliance = 0;  ///< of a point, 1/(m/h² + d/h + k) (K16 eq. 2), m/N: what set_rigid_response takes
  int tool = 0;           ///< the tool that it is a point of; ascending
  Vec3 trust_centre = Vec3::Zero();
  Vec3 trust_half = Vec3::Constant(std::numeric_limits<double>::infinity());  ///< r/2, m
};

/// What stays the same between two snapshots of the low rate; but for the places of GLCs whose nodes move.
struct GlcProblem {
  std::vector<Glc> glc;                ///< m
  std::vector<OtherConstraint> other;  ///< o
  std::vector<GlcProxy> proxy;
  int nodes = 0;    ///< n
  GrowingMatrix W;  ///< 3(n+o) × 3(n+o): of what is touched
  GrowingMatrix C;  ///< 3p × 3p: of the tools at their proxies; nothing between two tools is read

  int size() const { return static_cast<int>(glc.size() + other.size()); }
  int rows() const { return nodes + static_cast<int>(other.size()); }
};

/// What changes with every step.
struct GlcMotion {
  GrowingVector delta_free;  ///< 3(m+o): (ψ, slip₁, slip₂) after the free motion, of the nodes too
  GrowingVector tau_start;   ///< 2m: (τ₁, τ₂) where the slip is counted from
  std::vector<Vec3> x_old;   ///< per proxy: where the step starts
  std::vector<Vec3> x_free;  ///< per proxy: where it would end without constraint forces
};

/// Sizes, indices, frames, finite numbers, symmetry of W and C. For the low rate: costs one pass over W.
Result<void> validate(const GlcProblem& problem);

/// W and C of points on ground that no force moves: nothing, and their compliance.
void set_rigid_response(GlcProblem& problem);

/// Rows n, t1, t2.
inline Mat3 frame_of(const Glc& g) {
  return (Mat3() << g.n.transpose(), g.t1.transpose(), g.t2.transpose()).finished();
}

/// Length of the patch, m: that of a rectangle, about that of a triangle around its centroid.
inline double glc_extent(const Glc& g) { return (g.sides > 0 ? 1.5 : 2.0) * std::max(g.s1, g.s2); }

/// Whether two GLCs can belong to one convex surface: each centre lies behind the other's plane (within
/// slack, m).
bool convex_pair(const Glc& a, const Glc& b, double slack);

}  // namespace palp
