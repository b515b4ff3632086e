#include "palp/mechanics/rigid_body.hpp"

#include <cmath>

#include "palp/mechanics/frame_system.hpp"
#include "palp/mechanics/pose.hpp"

namespace palp {
namespace {

struct RigidWorkspace final : BodyWorkspace {
  FrameSystem frame;  ///< free_motion fills
};

Mat3 world(const Mat3& inertia, const Quat& q) {
  const Mat3 R = q.toRotationMatrix();
  return R * inertia * R.transpose();
}

}  // namespace

Result<std::unique_ptr<RigidBody>> RigidBody::make(RigidSpec spec) {
  std::unique_ptr<RigidBody> body(new RigidBody);
  if (spec.density_kg_per_m3 != 0) {
    auto computed = spec.rounded ? palp::mass_properties(*spec.rounded, spec.density_kg_per_m3)
                                 : palp::mass_properties(spec.surface, spec.density_kg_per_m3);
    if (!computed) {
      Error error = computed.error();
      error.message = "rigid body: " + error.message;
      return error;
    }
    body->mass_ = *computed;
  } else {
    body->mass_ = spec.given;
    if (!(spec.given.mass_kg > 0) || !std::isfinite(spec.given.mass_kg) || !spec.given.centre_m.allFinite() ||
        !valid_inertia(spec.given.inertia_kg_m2))
      return Error{.message =
                       "rigid body: needs a density, or a positive mass with the inertia of a real solid "
                       "(symmetric, positive, no moment above the sum of the other two)"};
  }
  if (!(spec.rayleigh_mass_per_s >= 0) || !std::isfinite(spec.rayleigh_mass_per_s))
    return Error{.message = "rigid body: rayleigh_mass_per_s must not be negative"};
  auto skin = spec.rounded ? RigidSkin::make(*spec.rounded, body->mass_.centre_m, "rigid body")
                           : RigidSkin::make(std::move(spec.surface), body->mass_.centre_m, "rigid body");
  if (!skin) return skin.error();
  body->mass_damping_ = spec.rayleigh_mass_per_s;
  body->skin_ = std::move(*skin);
  body->skin_.set_smooth(spec.smooth);
  return body;
}

std::unique_ptr<BodyWorkspace> RigidBody::make_workspace() const {
  auto ws = std::make_unique<RigidWorkspace>();
  ws->dx_free = VecX::Zero(6);
  return ws;
}

bool RigidBody::free_motion(const BodyState& state, const Loads& loads, double h,
                            BodyWorkspace& workspace) const {
  auto& ws = static_cast<RigidWorkspace&>(workspace);
  ws.h = h;
  ws.scheme = loads.scheme;
  if (!(h > 0) || state.x.size() != 7 || !state.x.allFinite() || !state.v.allFinite()) return false;
  ws.frame.begin(mass_.mass_kg, world(mass_.inertia_kg_m2, pose_rotation(state.x, 0)), mass_damping_, state.v,
                 h, false, loads.scheme);
  ws.frame.rhs.head<3>() += mass_.mass_kg * loads.gravity;
  if (loads.force.size() != 0 && loads.force.size() != 6) return false;
  if (loads.force.size() == 6) ws.frame.rhs += loads.force;
  for (const BlockLoad& load : loads.blocks)
    if (!ws.frame.add(load)) return false;
  if (!ws.frame.factor()) return false;
  ws.dx_free.noalias() = ws.frame.inverse * ws.frame.rhs;
  return true;
}

void RigidBody::project_compliance(const PointJacobian& H, BodyWorkspace& ws, MatRef G) const {
  project_frame(H, static_cast<RigidWorkspace&>(ws).frame.inverse, G);
}

void RigidBody::response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& ws, VecRef dx_c) const {
  Vec6 wrench = Vec6::Zero();
  for (int i = 0; i < H.points(); ++i) wrench += frame_rows(H, i).transpose() * lambda.segment<3>(3 * i);
  dx_c.noalias() = static_cast<RigidWorkspace&>(ws).frame.inverse * wrench;
}

void RigidBody::commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const {
  // One after the other, as H counts contact forces: from the pose after the free motion.
  advance_pose(state.x, 0, ws.dx_free.head<3>(), ws.dx_free.tail<3>());
  Vec6 dq = ws.dx_free;
  if (dx_c.size() > 0) {
    advance_pose(state.x, 0, dx_c.head<3>(), dx_c.tail<3>());
    dq += dx_c;
  }
  state.v = static_cast<const RigidWorkspace&>(ws).frame.velocity(
      ws, dq, world(mass_.inertia_kg_m2, pose_rotation(state.x, 0)));
}

void RigidBody::apply_system(const BodyState& start, const BodyWorkspace& ws, ConstVecRef dx, VecRef M_dx,
                             VecRef D_dx, VecRef A_dx) const {
  M_dx.head<3>() = mass_.mass_kg * dx.head<3>();
  M_dx.tail<3>() = world(mass_.inertia_kg_m2, pose_rotation(start.x, 0)) * dx.tail<3>();
  D_dx = mass_damping_ * M_dx;
  A_dx.noalias() = static_cast<const RigidWorkspace&>(ws).frame.A * dx;
}

double RigidBody::kinetic_energy(const BodyState& state) const {
  const Vec3 w = state.v.tail<3>();
  return 0.5 * mass_.mass_kg * state.v.head<3>().squaredNorm() +
         0.5 * w.dot(world(mass_.inertia_kg_m2, pose_rotation(state.x, 0)) * w);
}

MatX RigidBody::dense_system(const BodyState& state, const Loads& loads, double h) const {
  const Mat3 J = world(mass_.inertia_kg_m2, pose_rotation(state.x, 0));
  MatX A = MatX::Zero(6, 6);
  A.topLeftCorner<3, 3>() = mass_.mass_kg * Mat3::Identity();
  A.bottomRightCorner<3, 3>() = J;
  A *= 1 / (h * h) + mass_damping_ / h;
  for (const BlockLoad& load : loads.blocks) {
    const int n = load.has_rotation ? 6 : 3;
    A.block(3 * load.block, 3 * load.block, n, n) += load.stiffness.topLeftCorner(n, n);
  }
  return A;
}

bool RigidBody::frame(const BodyState& state, int index, BodyFrame& out) const {
  if (index < 0 || index >= 1) return false;
  out = pose_frame(state, index);
  return true;
}

}  // namespace palp
