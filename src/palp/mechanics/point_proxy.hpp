// The point proxy (K16 §3.1 eq. 2): a mass point that a spring-damper ties to the device,
//     (m/h² + d/h + k) Δx = f_ext + (m/h) v + k (x_device − x) + d v_device,
// where k, d and the device arrive as a BlockLoad on block 0 (proxy_coupling). K16 uses 1 g, 1000 N/m, 0.8
// N·s/m. State: x = position, v = velocity.
#pragma once
#include "palp/base/result.hpp"
#include "palp/mechanics/body.hpp"

namespace palp {

struct PointProxySpec {
  Vec3 position_m = Vec3::Zero();
  double mass_kg = 1e-3;
  double damping_N_s_per_m = 0;  ///< against the world, apart from the coupling's
  double radius_m = 0;           ///< thickness of the skin; K16's proxies have none
};

/// Spring k and damper d between the point and the device over a step h; x_device and v_device are those at
/// its end.
BlockLoad proxy_coupling(const BodyState& proxy, double stiffness_N_per_m, double damping_N_s_per_m,
                         const Vec3& x_device, const Vec3& v_device, double h);

class PointProxy final : public Body {
 public:
  static Result<std::unique_ptr<PointProxy>> make(const PointProxySpec& spec);

  const PointProxySpec& spec() const { return spec_; }
  int blocks() const override { return 1; }
  BodyState rest_state() const override { return {spec_.position_m, VecX::Zero(3)}; }
  void launch(const Vec3& velocity, const Vec3&, BodyState& state) const override { state.v = velocity; }
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
  MatX rigid_motions(const BodyState&) const override { return MatX::Identity(3, 3); }
  double mass() const override { return spec_.mass_kg; }
  double kinetic_energy(const BodyState& state) const override {
    return 0.5 * spec_.mass_kg * state.v.squaredNorm();
  }
  double elastic_energy(const BodyState&) const override { return 0; }
  void internal_force(const BodyState&, VecRef f) const override { f.setZero(); }
  MatX dense_system(const BodyState& state, const Loads& loads, double h) const override;

 private:
  explicit PointProxy(const PointProxySpec& spec);
  PointProxySpec spec_;
  Skin skin_;
};

}  // namespace palp
