#include "palp/mechanics/obstacle.hpp"

#include <limits>

#include "palp/mechanics/pose.hpp"

namespace palp {

Result<std::unique_ptr<Obstacle>> Obstacle::make(ObstacleSpec spec) {
  if (!spec.reference_m.allFinite()) return Error{.message = "obstacle: reference_m is not finite"};
  std::unique_ptr<Obstacle> body(new Obstacle);
  for (const Triangle& t : spec.surface.triangles)
    for (int i : t)
      if (i < 0 || i >= static_cast<int>(spec.surface.nodes.size()))
        return Error{.message = "obstacle: a triangle refers to a node that does not exist"};
  for (const Vec3& p : spec.surface.nodes) {
    if (!p.allFinite()) return Error{.message = "obstacle: a node of the surface is not finite"};
    body->local_.push_back(p - spec.reference_m);
  }
  body->reference_ = spec.reference_m;
  body->skin_.vertices = static_cast<int>(spec.surface.nodes.size());
  body->skin_.triangles = std::move(spec.surface.triangles);
  return body;
}

BodyState Obstacle::rest_state() const {
  BodyState state{VecX(7), VecX::Zero(6)};
  set_pose(state.x, 0, reference_, Quat::Identity());
  return state;
}

std::unique_ptr<BodyWorkspace> Obstacle::make_workspace() const {
  auto ws = std::make_unique<BodyWorkspace>();
  ws->dx_free = VecX::Zero(6);
  return ws;
}

void Obstacle::skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const {
  Vec3 p = pose_position(state.x, 0);
  Quat q = pose_rotation(state.x, 0);
  if (dx.size() != 0) {
    p += dx.head<3>();
    q = rotation_from_vector(dx.segment<3>(3)) * q;
  }
  const Mat3 R = q.toRotationMatrix();
  for (std::size_t i = 0; i < local_.size(); ++i) out[i] = p + R * local_[i];
}

void Obstacle::append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const {
  H.add(0, weight * Mat3::Identity());
  H.add(1, -weight * cross_matrix(pose_rotation(state.x, 0) * local_[vertex]));
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
