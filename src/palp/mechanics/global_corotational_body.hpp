// The global corotational body (D06 §6.2): a rigid frame that carries mass and inertia, and a linear
// deformation u in the axes of that frame. Position of node i:  x_i = p + R (X_i + u_i).
//
//     frame         A(q) q̈ + b(q, q̇) = Γ                        (eq. 28; frame_system.hpp)
//     deformation   (K + βK/h) Δu = Rᵀf − K u                    (stiffness, optional damping D = βK; no
//     inertia) compliance    W = R H C Hᵀ Rᵀ/(1 + β/h) + J_c (A/h²)⁻¹ J_cᵀ   (eq. 30), C = K⁻¹ on the
//     touching nodes, constant
//
// Mass and stiffness meet nowhere: any E is stable with any mass at any step. The price, as in D06: the
// deformation has no inertia of its own, so it does not ring, and the frame's inertia is that of the
// undeformed body. The kinetic energy and both momenta are the frame's.
//
// K alone would let the body move rigidly a second time, inside its frame. Two ways to forbid it:
//   Dirichlet   `frame_nodes` do not deform: they move with the frame. D06 §7.1, for a tool: nodes around the
//   grasp. mean axes   Φᵀ M u = 0 (Φ: the six rigid motions, M: lumped mass), for a body that nobody holds.
//   Then
//               C = P K⁺ Pᵀ with P = I − Φ (ΦᵀMΦ)⁻¹ ΦᵀM: the load is balanced by the inertia of the rigid
//               motion it causes. So a body lying on the floor sags under its weight and a falling one does
//               not.
//
// Quasi-static (H08, P11): A = 0 in eq. 28, of which the drag αA/h and the couplings remain. A body that
// neither holds is refused by free_motion: nothing would say where it is. Loads are then balanced by the drag
// instead of the inertia, which is spread over the body in the same way.
//
// Blocks: 0 translation of the centre of mass, 1 rotation, 2 + i deformation of node i in the frame's axes.
// State: x = centre, quaternion x y z w, u; v likewise with the angular velocity in world axes.
// Couplings (BlockLoad) act on the frame, blocks 0 and 1; on other blocks free_motion refuses them.
#pragma once
#include "palp/math/sparse_cholesky.hpp"
#include "palp/mechanics/condensed_compliance.hpp"
#include "palp/mechanics/fem_body.hpp"

namespace palp {

struct GlobalCorotationalSpec {
  VolumeMesh mesh = {};
  HexModes hex_modes = HexModes::inner;
  std::vector<CellFill> hex_fill = {};  ///< as in FemSpec
  double young_modulus_Pa = 1e6;
  double poisson_ratio = 0.3;
  double density_kg_per_m3 = 1000;
  MaterialParts parts = {};           ///< as in FemSpec
  double rayleigh_stiffness_s = 0;    ///< β, of the deformation
  double rayleigh_mass_per_s = 0;     ///< α, of the frame
  bool quasi_static = false;          ///< leave inertia out: α > 0 or a coupling must hold the frame
  std::vector<int> frame_nodes = {};  ///< at least three, not in a line: Dirichlet; empty: mean axes
  SkinEmbedding skin = {};            ///< no vertices: the mesh's own surface
  bool smooth_skin = false;           ///< Skin::smooth
  size_t condensation_bound_bytes = size_t{64} << 20;  ///< the most that C may take
};

class GlobalCorotationalBody final : public Body {
 public:
  /// Computes C, if it fits its bound: a factorisation and one forward solve per touching node, done once.
  /// Otherwise its columns are, when that takes seconds at most, or else on first touch
  /// (condensed_compliance.hpp).
  static Result<std::unique_ptr<GlobalCorotationalBody>> make(const GlobalCorotationalSpec& spec);

  int nodes() const { return static_cast<int>(node_mass_.size()); }
  bool mean_axes() const { return frame_nodes_.empty(); }
  const Mat3& inertia() const { return inertia_; }  ///< about the centre, frame axes, undeformed
  const Vec3& centre() const { return centre_; }
  /// World position of a mesh node.
  Vec3 node_position(const BodyState& state, int node) const;

  int blocks() const override { return 2 + nodes(); }
  BodyState rest_state() const override;
  void launch(const Vec3& velocity, const Vec3& spin, BodyState& state) const override {
    state.v.head<6>() << velocity, spin;
  }
  std::unique_ptr<BodyWorkspace> make_workspace() const override;
  const Skin& skin() const override { return skin_; }
  void skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const override;
  void append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const override;
  bool free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const override;
  void project_compliance(const PointJacobian& H, BodyWorkspace& ws, MatRef G) const override;
  void response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& ws, VecRef dx_c) const override;
  void commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const override;
  bool frame(const BodyState& state, int index, BodyFrame& out) const override;
  void apply_system(const BodyState& start, const BodyWorkspace& ws, ConstVecRef dx, VecRef M_dx, VecRef D_dx,
                    VecRef A_dx) const override;
  double relaxation_s() const override { return beta_; }
  MatX rigid_motions(const BodyState&) const override { return MatX::Identity(dof(), 6); }
  double mass() const override { return node_mass_.sum(); }
  double kinetic_energy(const BodyState& state) const override;
  double elastic_energy(const BodyState& state) const override;
  void internal_force(const BodyState& state, VecRef f) const override;
  /// Dirichlet: frame nodes are decoupled rows with an immense diagonal. Mean axes: six rows and columns
  /// more, which hold Φᵀ M Δu = 0 by Lagrange multipliers; the compliance is the leading dof() square of the
  /// inverse.
  MatX dense_system(const BodyState& state, const Loads& loads, double h) const override;

 private:
  struct Workspace;
  struct Builder;
  GlobalCorotationalBody() = default;

  Vec6 rigid_resultant(ConstVecRef f) const;  ///< Φᵀ f
  void remove_rigid(VecRef u) const;          ///< mean axes: u ← P u
  void remove_load_response(const Vec6& a, VecRef u) const;
  void solve(const SparseCholesky& K, VecRef f) const;                         ///< f ← u
  void solve(const SparseCholesky& K, const PointJacobian& H, MatX& U) const;  ///< U ← u of all rows of H
  double softening(double h) const { return 1 / (1 + beta_ / h); }
  bool begin_frame(const BodyState& state, const Loads& loads, double h, Workspace& ws) const;

  std::vector<Vec3> local_;  // X_i
  VecX node_mass_;           // lumped
  Vec3 centre_ = Vec3::Zero();
  Mat3 inertia_ = Mat3::Zero();
  Mat6 rigid_mass_inverse_ = Mat6::Zero();  // (ΦᵀMΦ)⁻¹
  double alpha_ = 0, beta_ = 0;
  bool quasi_static_ = false;
  std::vector<int> frame_nodes_;
  std::vector<char> held_;    // per node: a frame node
  BlockSymmetric stiffness_;  // K, all nodes
  BlockSymmetric supported_;  // K with the frame nodes held, or on a statically determinate support
  Eigen::Matrix<double, Eigen::Dynamic, 6> rigid_load_response_;  // mean axes: K⁻¹ MΦ on the support
  Eigen::MatrixX3d
      weight_response_;  // Dirichlet: K⁻¹ M e_k, the sag under unit gravity along the frame's axes
  CondensedCompliance compliance_;  // C on the nodes of the skin that can deform, or on its vertices
  Skin skin_;
  PointJacobian skin_nodes_;  // skin vertex → mesh nodes; blocks are weights times I
};

}  // namespace palp
