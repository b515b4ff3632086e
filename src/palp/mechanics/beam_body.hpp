// A chain of corotational beams with 6-DoF nodes (P11 §III.B, eq. 4): threads, clips, needles, catheters.
//
//     A = M/h² + (α M + β K_m)/h + K_m + K_t        (quasi-static, as in P11: M = 0, damping α M + β K_m
//     kept; mid-point rule: as in body.hpp, the nodes' spin as in frame_system.hpp)
// with the lumped mass M of the nodes (translation and section inertia), the material stiffness K_m = Σ Bᵀ k
// B and the stiffening K_t of stretched elements (beam_element.hpp). A is positive definite in every pose; it
// is the exact tangent at zero stress and in pure tension, and approximate by the dropped part of the
// geometric stiffness otherwise. f_int is exact, so repeated steps settle in the exact equilibrium. A is
// block tridiagonal: every step is O(n).
//
// Node i owns blocks 2i (translation) and 2i+1 (rotation). State: x holds 7 numbers a node (position,
// quaternion x y z w), v holds 6 (velocity, angular velocity in world axes).
#pragma once
#include <array>

#include "palp/base/result.hpp"
#include "palp/mechanics/beam_section.hpp"
#include "palp/mechanics/body.hpp"

namespace palp {

struct BeamSpec {
  Curve curve =
      {};  ///< open, at least two nodes; straight beams between the nodes, stress-free in this shape
  BeamSection section = {};
  /// Where the section's y axis points at the first node (made orthogonal to the curve, then carried along it
  /// without twist). Zero: any direction, enough for circular sections.
  Vec3 section_y = Vec3::Zero();
  double young_modulus_Pa = 1e6;
  double poisson_ratio = 0.3;
  double density_kg_per_m3 = 1000;
  bool quasi_static = false;           ///< leave inertia out (P11); damping below keeps A regular
  bool shear_flexible = false;         ///< Timoshenko instead of Euler-Bernoulli: for stocky beams
  double rayleigh_mass_per_s = 0;      ///< α
  double rayleigh_stiffness_s = 0;     ///< β
  std::vector<int> fixed_nodes = {};   ///< position and rotation held
  std::vector<int> pinned_nodes = {};  ///< position held, rotation free
  /// Position or rotation held along some of the world's axes: rollers, planes of symmetry.
  struct Axes {
    int node = 0;
    std::array<bool, 3> position{}, rotation{};
  };
  std::vector<Axes> supports = {};
  /// Moved by Loads::prescribed, two entries a node: displacement, then rotation vector.
  std::vector<int> driven_nodes = {};
  int skin_subdivisions = 1;  ///< segments of the skin per beam
  double skin_radius_m = 0;   ///< 0: the section's radius, or half its smaller width
};

class BeamBody final : public Body {
 public:
  static Result<std::unique_ptr<BeamBody>> make(BeamSpec spec);
  ~BeamBody() override;

  int nodes() const;

  int blocks() const override;
  BodyState rest_state() const override;
  void launch(const Vec3& velocity, const Vec3& spin, BodyState& state) const override;
  std::unique_ptr<BodyWorkspace> make_workspace() const override;
  const Skin& skin() const override;
  /// The axis as a cubic curve through the nodes with the nodes' own x axes as tangents (Hermite): smooth
  /// also where the rest shape is a polygon.
  void skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const override;
  void append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const override;
  bool free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const override;
  void project_compliance(const PointJacobian& H, BodyWorkspace& ws, MatRef G) const override;
  void response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& ws, VecRef dx_c) const override;
  void commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const override;
  bool frame(const BodyState& state, int index, BodyFrame& out) const override;
  int driven_frames() const override;
  BodyFrame driven_frame(const BodyState& state, int k) const override;
  void constraint_force(const BodyWorkspace& ws, const PointJacobian& H, ConstVecRef lambda, ConstVecRef dx_c,
                        VecRef out) const override;
  void apply_system(const BodyState& start, const BodyWorkspace& ws, ConstVecRef dx, VecRef M_dx, VecRef D_dx,
                    VecRef A_dx) const override;
  double relaxation_s() const override;
  MatX rigid_motions(const BodyState& state) const override;
  double mass() const override;
  double kinetic_energy(const BodyState& state) const override;  ///< zero when quasi-static
  double elastic_energy(const BodyState& state) const override;
  void internal_force(const BodyState& state, VecRef f) const override;
  /// Held degrees of freedom appear as decoupled rows with an immense diagonal (zero compliance).
  MatX dense_system(const BodyState& state, const Loads& loads, double h) const override;

 private:
  struct Impl;
  explicit BeamBody(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace palp
