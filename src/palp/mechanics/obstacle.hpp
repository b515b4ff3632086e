// A rigid surface that nothing can push: the floor, a fixed pipe, a wall on rails. Zero compliance; it stands
// still or follows a prescribed motion. The surface may be open. Blocks: 0 translation of the reference
// point, 1 rotation about it. State as for a rigid body.
#pragma once
#include <optional>

#include "palp/base/result.hpp"
#include "palp/mechanics/rigid_skin.hpp"

namespace palp {

struct ObstacleSpec {
  TriMesh surface = {};
  std::optional<RoundedShape> rounded = {};  ///< instead of the surface: an exact shape
  bool smooth = false;              ///< the surface stands for a round one (proximity/smooth_faces.hpp)
  Vec3 reference_m = Vec3::Zero();  ///< the point that prescribed rotations turn about
};

/// Loads::prescribed holds two entries: displacement of the reference point and rotation vector over the
/// step; empty = at rest. All forces and couplings are ignored.
class Obstacle final : public Body {
 public:
  static Result<std::unique_ptr<Obstacle>> make(ObstacleSpec spec);

  int blocks() const override { return 2; }
  bool movable() const override { return false; }
  BodyState rest_state() const override { return skin_.rest_state(); }
  std::unique_ptr<BodyWorkspace> make_workspace() const override;
  const Skin& skin() const override { return skin_.skin(); }
  void skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const override {
    skin_.positions(state, dx, out);
  }
  void append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const override {
    skin_.append_vertex(state, vertex, weight, H);
  }
  bool free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const override;
  void project_compliance(const PointJacobian&, BodyWorkspace&, MatRef) const override {}
  void response(const PointJacobian&, ConstVecRef, BodyWorkspace&, VecRef dx_c) const override {
    dx_c.setZero();
  }
  void commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const override;
  int driven_frames() const override { return 1; }
  BodyFrame driven_frame(const BodyState& state, int k) const override;
  /// Nothing moves it: there is no motion to apply it to.
  void apply_system(const BodyState&, const BodyWorkspace&, ConstVecRef, VecRef M_dx, VecRef D_dx,
                    VecRef A_dx) const override {
    M_dx.setZero();
    D_dx.setZero();
    A_dx.setZero();
  }
  double mass() const override;  ///< infinite
  double kinetic_energy(const BodyState&) const override { return 0; }
  double elastic_energy(const BodyState&) const override { return 0; }
  void internal_force(const BodyState&, VecRef f) const override { f.setZero(); }
  /// An immense diagonal: its inverse is zero for every purpose.
  MatX dense_system(const BodyState& state, const Loads& loads, double h) const override;

 private:
  Obstacle() = default;
  RigidSkin skin_;
};

}  // namespace palp
