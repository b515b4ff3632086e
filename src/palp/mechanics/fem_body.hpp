// Volume finite elements behind the Body interface: linear (D04, H08) and per-element corotational (P11
// §III.A, K16 §4) bodies of tets, hexes or quadratic tets. One block of degrees of freedom per mesh node.
//
// Implicit Euler with Rayleigh damping D = αM + βK:
//     dynamic:       A = M (1/h² + α/h) + K (1 + β/h),   right-hand side f_ext − f_int(x) + (M/h) v
//     quasi-static:  A = M α/h + K (1 + β/h),            right-hand side f_ext − f_int(x)
//     mid-point:     A = M (2/h² + α/h) + K (1/2 + β/h), right-hand side f_ext − f_int(x) + (2M/h) v
// so that in the quasi-static case αM is P11's regularising damping, "similar to a lumped mass": it is needed
// when nothing holds the body. The corotational models make one Newton step per time step; quasi-static ones
// therefore reach equilibrium over a few steps.
//
// Fixed and driven nodes keep their blocks: Δx is given there, the rest of the system is solved, forces on
// them do not move them (their compliance is zero), and constraint_force() tells what holds them. A node may
// be held or driven along some directions only (a roller, a plane of symmetry). With the projector P on those
// in which it is free, the system is P A P + s (I − P): its answers stay in P, whatever s > 0, and H counts
// as H P.
//
// linear:       K is constant: A is factored once per h and condensed on the skin's nodes
// (condensed_compliance.hpp),
//               so that project_compliance is a gather. A coupling (BlockLoad) changes A: it costs a new
//               factor when its stiffness changes, and compliances by sparse forward solves as long as it is
//               there.
// corotational: K is the tangent at x (corotational_elements.hpp), factored in every free_motion.
#pragma once
#include <string>
#include <variant>

#include "palp/base/result.hpp"
#include "palp/mechanics/body.hpp"
#include "palp/mechanics/corotational_elements.hpp"
#include "palp/mechanics/hex_element.hpp"
#include "palp/mesh/quadratic.hpp"

namespace palp {

enum class FemModel { linear, corotational };

/// A node that is held along some directions: `held` projects on them.
struct NodeSupport {
  int node = 0;
  Mat3 held = Mat3::Identity();
};

/// Parts of a body that are made of something else. Damping is the body's own everywhere.
struct MaterialParts {
  std::vector<Material> materials = {};
  std::vector<int> of_element = {};  ///< 0: the body's own, k: materials[k − 1]; empty: all its own
};

/// A skin that is not the mesh's own surface: vertex v = Σ weight[k] · node[k] over k = start[v] … start[v+1]
/// (D04 §III.B: collision mesh embedded in a coarser one). Weights of a vertex sum to one.
struct SkinEmbedding {
  std::vector<Triangle> triangles = {};
  std::vector<int> start{0};
  std::vector<int> node = {};
  std::vector<double> weight = {};
  int vertices() const { return static_cast<int>(start.size()) - 1; }
};

/// From an embedding of the vertices of a surface (mesh/embedding.hpp).
SkinEmbedding embedded_skin(const Embedding& embedding, std::vector<Triangle> triangles);

using VolumeMesh = std::variant<TetMesh, HexMesh, QuadraticTetMesh>;

struct FemSpec {
  VolumeMesh mesh = {};
  HexModes hex_modes = HexModes::inner;
  std::vector<CellFill> hex_fill = {};  ///< per hex, what of it is material; empty: all are full
  FemModel model = FemModel::corotational;
  Tangent tangent = Tangent::consistent;  ///< in A; corotational only
  double young_modulus_Pa = 1e5;
  double poisson_ratio = 0.3;
  double density_kg_per_m3 = 1000;
  MaterialParts parts = {};
  double rayleigh_mass_per_s = 0;   ///< α
  double rayleigh_stiffness_s = 0;  ///< β
  bool quasi_static = false;
  bool lumped_mass = true;  ///< false: consistent
  std::vector<int> fixed_nodes = {};
  std::vector<NodeSupport> supports = {};    ///< beside fixed_nodes
  std::vector<int> driven_nodes = {};        ///< in the order of Loads::prescribed; a grasp
  std::vector<Mat3> driven_directions = {};  ///< projector for each of them; empty: driven all the way
  SkinEmbedding skin = {};                   ///< no vertices: the mesh's own surface
  bool smooth_skin = false;                  ///< Skin::smooth
  size_t condensation_bound_bytes = size_t{64} << 20;  ///< linear only: the most that C_ss may take
};

class FemBody final : public Body {
 public:
  /// Checks the specification; errors name the element or node.
  static Result<std::unique_ptr<FemBody>> make(const FemSpec& spec);

  int blocks() const override { return static_cast<int>(rest_.size() / 3); }
  BodyState rest_state() const override;
  void launch(const Vec3& velocity, const Vec3& spin, BodyState& state) const override;
  std::unique_ptr<BodyWorkspace> make_workspace() const override;
  const Skin& skin() const override { return skin_; }
  void skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const override;
  void append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const override;
  bool free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const override;
  void project_compliance(const PointJacobian& H, BodyWorkspace& ws, MatRef G) const override;
  void response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& ws, VecRef dx_c) const override;
  void commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const override;
  void apply_system(const BodyState& start, const BodyWorkspace& ws, ConstVecRef dx, VecRef M_dx, VecRef D_dx,
                    VecRef A_dx) const override;
  double relaxation_s() const override { return beta_; }
  MatX rigid_motions(const BodyState& state) const override;
  double mass() const override { return node_mass_.sum(); }
  double kinetic_energy(const BodyState& state) const override;
  double elastic_energy(const BodyState& state) const override;
  void internal_force(const BodyState& state, VecRef f) const override;
  /// Fixed and driven nodes are decoupled and 10²⁰ times stiffer than the rest.
  MatX dense_system(const BodyState& state, const Loads& loads, double h) const override;

  /// Frames are mesh nodes: they have no rotation.
  bool frame(const BodyState& state, int index, BodyFrame& out) const override;
  int driven_frames() const override { return static_cast<int>(driven_.size()); }
  BodyFrame driven_frame(const BodyState& state, int k) const override;
  void constraint_force(const BodyWorkspace& ws, const PointJacobian& H, ConstVecRef lambda, ConstVecRef dx_c,
                        VecRef out) const override;
  /// The first part of free_motion alone: A and the right-hand side, not factored. For benchmarks.
  bool assemble(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const;
  /// ∂f_int/∂x of the chosen kind, without fixing nodes.
  BlockSymmetric tangent_stiffness(const BodyState& state, Tangent kind) const;
  const std::vector<int>& driven_nodes() const { return driven_; }
  const VecX& node_mass() const { return node_mass_; }  ///< per node: M times a unit acceleration

 private:
  friend struct FemBuilder;
  struct Workspace;
  FemBody() = default;

  void add_elements(Tangent kind, double stiffness_factor, ConstVecRef x, VecRef f, BlockSymmetric* K) const;
  void add_mass(double factor, BlockSymmetric& A) const;
  void multiply_mass(double factor, ConstVecRef v, VecRef out) const;
  bool build_system(const BodyState& state, const Loads& loads, double h, Workspace& ws) const;
  bool factor_system(const Loads& loads, double h, Workspace& ws) const;
  void gather_free(ConstVecRef full, VecRef free) const;
  void restrict(VecRef free) const;
  void restrict(BlockSymmetric& A_free) const;
  void reduce(const PointJacobian& H, PointJacobian& free) const;
  /// linear: vertices of the skin are fewer than the nodes that carry them.
  bool condensed_by_vertex() const {
    return model_ == FemModel::linear && skin_.vertices < static_cast<int>(contact_nodes_.size());
  }

  FemModel model_ = FemModel::corotational;
  Tangent tangent_ = Tangent::consistent;
  double alpha_ = 0, beta_ = 0;
  bool quasi_static_ = false, lumped_ = true;
  size_t condensation_bound_ = 0;

  VecX rest_;         // 3 · nodes
  Elements<4> tets_;  // one of the three kinds has elements
  Elements<8> hexes_;
  Elements<10> quadratic_tets_;
  BlockSymmetric pattern_;    // over all nodes; linear: holds K
  std::vector<double> mass_;  // consistent only: mass of each entry of the pattern
  VecX node_mass_;            // per node: lumped mass, or the sum of its row of the consistent one

  std::vector<int> driven_;
  std::vector<Mat3> driven_directions_;  // one per driven node
  std::vector<int> free_of_node_;        // −1: fixed or driven
  std::vector<int> node_of_free_;
  BlockSymmetric free_pattern_;   // over free nodes; empty when all are free in all directions
  std::vector<int> partly_free_;  // free indices of nodes that are held along some directions, ascending …
  std::vector<Mat3> free_projector_;  // … and P of each
  std::vector<int> partly_;         // per free index: its number among them, −1; empty when there are none
  std::vector<int> contact_nodes_;  // free indices of the nodes that carry the skin, ascending

  Skin skin_;
  SkinEmbedding embedding_;
};

}  // namespace palp
