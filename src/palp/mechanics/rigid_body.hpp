// A rigid body with six degrees of freedom (D06 eq. 28): mass, inertia, gyroscopic term; a tool or a tossed
// object. Blocks: 0 translation of the centre of mass, 1 rotation. State: x = centre, quaternion x y z w of
// the body axes; v = velocity of the centre, angular velocity in world axes.
#pragma once
#include <optional>

#include "palp/base/result.hpp"
#include "palp/mechanics/mass_properties.hpp"
#include "palp/mechanics/rigid_skin.hpp"

namespace palp {

struct RigidSpec {
  TriMesh surface = {};                      ///< the skin, where the body starts
  std::optional<RoundedShape> rounded = {};  ///< instead of the surface: an exact shape
  bool smooth = false;  ///< the surface stands for a round one (proximity/smooth_faces.hpp)
  /// Mass properties of the closed surface filled with this density; 0: take `given`.
  double density_kg_per_m3 = 0;
  MassProperties given = {};
  double rayleigh_mass_per_s = 0;  ///< α: drag proportional to mass and inertia
};

class RigidBody final : public Body {
 public:
  static Result<std::unique_ptr<RigidBody>> make(RigidSpec spec);

  const MassProperties& mass_properties() const { return mass_; }

  int blocks() const override { return 2; }
  BodyState rest_state() const override { return skin_.rest_state(); }
  void launch(const Vec3& velocity, const Vec3& spin, BodyState& state) const override {
    state.v << velocity, spin;
  }
  std::unique_ptr<BodyWorkspace> make_workspace() const override;
  const Skin& skin() const override { return skin_.skin(); }
  void skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const override {
    skin_.positions(state, dx, out);
  }
  void append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const override {
    skin_.append_vertex(state, vertex, weight, H);
  }
  bool free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const override;
  void project_compliance(const PointJacobian& H, BodyWorkspace& ws, MatRef G) const override;
  void response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& ws, VecRef dx_c) const override;
  void commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const override;
  bool frame(const BodyState& state, int index, BodyFrame& out) const override;
  void apply_system(const BodyState& start, const BodyWorkspace& ws, ConstVecRef dx, VecRef M_dx, VecRef D_dx,
                    VecRef A_dx) const override;
  MatX rigid_motions(const BodyState&) const override { return MatX::Identity(6, 6); }
  double mass() const override { return mass_.mass_kg; }
  double kinetic_energy(const BodyState& state) const override;
  double elastic_energy(const BodyState&) const override { return 0; }
  void internal_force(const BodyState&, VecRef f) const override { f.setZero(); }
  MatX dense_system(const BodyState& state, const Loads& loads, double h) const override;

 private:
  RigidBody() = default;
  MassProperties mass_;
  double mass_damping_ = 0;
  RigidSkin skin_;
};

}  // namespace palp
