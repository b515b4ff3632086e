// The one interface behind which every body model stands (algorithm: free motion, compliance, response,
// commit).
//
// A body is constant. What changes lives in BodyState (positions and velocities, written only by commit) and
// in BodyWorkspace (factors, free motion: scratch of the current step, owned by the caller, made once).
//
// Implicit Euler over the body's own step h, on the increment Δx of its degrees of freedom:
//     A Δx = f_ext − f_int(x) + (M/h) v,        A = M/h² + D/h + K(x)
// (quasi-static: M = 0). Contact forces λ at points of the body move it by Δx_c = A⁻¹ Hᵀ λ, where H maps
// increments of the degrees of freedom to displacements of the points, in world axes.
//
// The mid-point rule (Scheme::midpoint) takes the forces in the middle of the step, second order in h:
//     A = 2M/h² + D/h + K/2,   right-hand side f_ext − f_int(x) + (2M/h) v,   v ← 2Δx/h − v.
// It neither damps nor feeds a vibration. The step in which a contact pushes the body ends as implicit Euler
// does, v ← Δx/h: what hits stays, and does not bounce back by the rule's own symmetry.
//
// Degrees of freedom come in blocks of three: a node's translation, or a rotation vector in world axes
// (left increment: R ← exp(ω) R). So every row block of H is a short list of 3×3 blocks.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "palp/math/point_jacobian.hpp"
#include "palp/math/types.hpp"
#include "palp/mesh/rounded.hpp"

namespace palp {

/// Generalised positions and velocities of one body. The layout of x is the model's own
/// (a rotation takes four numbers, a quaternion x y z w, in x, and three in v).
struct BodyState {
  VecX x;
  VecX v;  ///< dof() entries, the time derivative of the increments
};

/// From forces to motion over one step.
enum class Scheme : unsigned char { euler, midpoint };

/// A spring-damper (virtual coupling) or any other linearised load on one or two neighbouring blocks of
/// degrees of freedom, e.g. a frame's translation and rotation: adds `stiffness` to A and `force` to the
/// right-hand side. A 3-DoF load (points) leaves the rotational parts zero.
struct BlockLoad {
  int block = 0;  ///< first block; the rotation, if any, is block + 1
  bool has_rotation = false;
  Mat6 stiffness = Mat6::Zero();  ///< k + d/h: symmetric positive semi-definite
  Vec6 force = Vec6::Zero();
};

/// Everything outside the body that acts during one step.
struct Loads {
  Vec3 gravity = Vec3::Zero();
  VecX force = {};  ///< generalised force, dof() entries; empty = none
  std::vector<Vec3> prescribed =
      {};  ///< displacement over the step of each driven node; empty = all held
           ///< still. Nodes with a rotation take two: displacement, rotation vector
  std::vector<BlockLoad> blocks = {};  ///< couplings
  Scheme scheme = Scheme::euler;       ///< bodies without inertia know one only
};

/// Scratch of one body for one step; each model derives its own.
struct BodyWorkspace {
  virtual ~BodyWorkspace() = default;
  VecX dx_free;                   ///< free_motion fills: Δx without contact, dof() entries
  double h = 0;                   ///< free_motion fills: the step it was computed with
  Scheme scheme = Scheme::euler;  ///< free_motion fills
  bool pushed = false;            ///< the caller, before commit: a unilateral contact pushes the body
  /// Whether the velocity after the step is that of the mid-point rule.
  bool reflects() const { return scheme == Scheme::midpoint && !pushed; }
};

/// The part of a body that touches. Vertices are carried by the degrees of freedom (append_vertex);
/// triangles for surfaces, segments for curves, neither for a point.
struct Skin {
  int vertices = 0;
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
  double radius = 0;  ///< thickness of the skin: of a beam, of a point proxy, of a rounded shape
  /// A mesh that stands for a round surface (proximity/smooth_faces.hpp); of a soft one the contacts with
  /// such and with exact shapes stand for areas (proximity/areas.hpp).
  bool smooth = false;

  /// What touches where it is not the surface that is drawn: the core of a rounded shape. Its vertices come
  /// first among the skin's, followed by four that span the body's axes (origin, x, y, z): they carry the
  /// points at `radius` from the core, where the contact is.
  struct Core {
    int vertices = 0;  ///< 0: the whole skin touches
    std::vector<Triangle> triangles;
    std::vector<Edge> segments;
    std::optional<TurnedCore> turned;  ///< what the triangles stand for
  } core;
  bool rounded() const { return core.vertices > 0; }
  int touching_vertices() const { return rounded() ? core.vertices : vertices; }
  const std::vector<Triangle>& touching_triangles() const { return rounded() ? core.triangles : triangles; }
  const std::vector<Edge>& touching_segments() const { return rounded() ? core.segments : segments; }
};

/// A frame that degrees of freedom carry: a rigid body's, a beam node's, a point's. Couplings hold on to it.
struct BodyFrame {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  ///< world axes
  int block = 0;                         ///< translation; the rotation, if any, is block + 1
  bool has_rotation = false;
};

class Body {
 public:
  virtual ~Body() = default;

  /// Number of blocks of three degrees of freedom.
  virtual int blocks() const = 0;
  int dof() const { return 3 * blocks(); }
  /// False for an obstacle: contact forces do not move it, so it does not couple the bodies that touch it.
  virtual bool movable() const { return true; }

  /// Rest configuration, zero velocity.
  virtual BodyState rest_state() const = 0;
  /// Sets the velocities of a rigid motion: of the centre of mass, and about it. What is held stays at rest.
  virtual void launch(const Vec3& /*velocity*/, const Vec3& /*spin*/, BodyState& /*state*/) const {}
  virtual std::unique_ptr<BodyWorkspace> make_workspace() const = 0;

  virtual const Skin& skin() const = 0;
  /// Skin vertices in world coordinates at state ⊕ dx (dx empty = at the state itself).
  virtual void skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const = 0;
  /// Appends weight · ∂(vertex position)/∂(Δx) to the point under construction in H.
  virtual void append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const = 0;

  /// Builds and factors A, solves the motion without contact into ws.dx_free. False: A is not positive
  /// definite or the state is not finite.
  virtual bool free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const = 0;
  /// G += H A⁻¹ Hᵀ, 3·H.points() square, symmetric positive semi-definite.
  virtual void project_compliance(const PointJacobian& H, BodyWorkspace& ws, MatRef G) const = 0;
  /// dx_c = A⁻¹ Hᵀ λ with λ a world-axes force per point.
  virtual void response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& ws, VecRef dx_c) const = 0;
  /// state ← state ⊕ (dx_free + dx_c), v = (dx_free + dx_c)/h.
  virtual void commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const = 0;

  /// Frame number `index` at the state; false when the body has no such frame.
  virtual bool frame(const BodyState& /*state*/, int /*index*/, BodyFrame& /*out*/) const { return false; }

  /// Number of driven frames, the nodes of a grasp (D06 §7.1): Loads::prescribed moves them, in their order.
  virtual int driven_frames() const { return 0; }
  /// Driven frame number k at the state.
  virtual BodyFrame driven_frame(const BodyState& /*state*/, int /*k*/) const { return {}; }
  /// The generalised force that holds or drives the fixed and driven nodes over the step (dof() entries, zero
  /// elsewhere):   A (Δx_free + Δx_c) − right-hand side − Hᵀλ.   To be asked before the next free_motion.
  virtual void constraint_force(const BodyWorkspace& /*ws*/, const PointJacobian& /*H*/,
                                ConstVecRef /*lambda*/, ConstVecRef /*dx_c*/, VecRef out) const {
    out.setZero();
  }

  // What a model of the body with few degrees of freedom is made of (mechanics/reduced_body.hpp).
  /// M dx, D dx and A dx with A = M/h² + D/h + K of the last free_motion, which started at `start`; M dx = 0
  /// when the body is quasi-static. dx leaves held nodes where they are.
  virtual void apply_system(const BodyState& start, const BodyWorkspace& ws, ConstVecRef dx, VecRef M_dx,
                            VecRef D_dx, VecRef A_dx) const = 0;
  /// β of D = αM + βK: the time in which a deformation without inertia follows its load.
  virtual double relaxation_s() const { return 0; }
  /// Motions without deformation, dof() × up to 6; none when supports hold the body.
  virtual MatX rigid_motions(const BodyState& /*state*/) const { return MatX(dof(), 0); }

  // What tests and reports ask for; never part of the step.
  virtual double mass() const = 0;
  virtual double kinetic_energy(const BodyState& state) const = 0;
  virtual double elastic_energy(const BodyState& state) const = 0;
  /// Internal (elastic) generalised force f_int(x), dof() entries.
  virtual void internal_force(const BodyState& state, VecRef f) const = 0;
  /// A as a dense matrix: the independent answer that tests compare compliances with.
  virtual MatX dense_system(const BodyState& state, const Loads& loads, double h) const = 0;
};

/// Does it deform? Rigid bodies and points have one or two blocks.
inline bool is_soft(const Body& body) { return body.blocks() > 2; }

}  // namespace palp
