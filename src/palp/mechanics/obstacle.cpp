#include "palp/mechanics/obstacle.hpp"

#include <limits>

#include "palp/mechanics/pose.hpp"

namespace palp {

Result<std::unique_ptr<Obstacle>> Obstacle::make(ObstacleSpec spec) {
  if (!spec.reference_m.allFinite()) return Error{.message = "obstacle: reference_m is not finite"};
  std::unique_ptr<Obstacle> body(new Obstacle);
  auto skin = spec.rounded ? RigidSkin::make(*spec.rounded, spec.reference_m, "obstacle")
                           : RigidSkin::make(std::move(spec.surface), spec.reference_m, "obstacle");
  if (!skin) return skin.error();
  body->skin_ = std::move(*skin);
  body->skin_.set_smooth(spec.smooth);
  return body;
}

std::unique_ptr<BodyWorkspace> Obstacle::make_workspace() const {
  auto ws = std::make_unique<BodyWorkspace>();
  ws->dx_free = VecX::Zero(6);
  return ws;
}

bool Obstacle::free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& ws) const {
  ws.h = h;
  if (!(h > 0) || state.x.size() != 7 || !state.x.allFinite() || !state.v.allFinite()) return false;
  ws.dx_free.setZero();
  if (loads.prescribed.empty()) return true;
  if (loads.prescribed.size() != 2) return false;
  ws.dx_free.head<3>() = loads.prescribed[0];
  ws.dx_free.tail<3>() = loads.prescribed[1];
  return ws.dx_free.allFinite();
}

void Obstacle::commit(const BodyWorkspace& ws, ConstVecRef, BodyState& state) const {
  advance_pose(state.x, 0, ws.dx_free.head<3>(), ws.dx_free.tail<3>());
  state.v = ws.dx_free / ws.h;
}

BodyFrame Obstacle::driven_frame(const BodyState& state, int) const { return pose_frame(state, 0); }

double Obstacle::mass() const { return std::numeric_limits<double>::infinity(); }

MatX Obstacle::dense_system(const BodyState&, const Loads&, double) const {
  return 1e30 * MatX::Identity(6, 6);
}

}  // namespace palp
