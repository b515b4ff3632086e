// Poses inside a state vector: seven numbers each, position then unit quaternion x y z w.
#pragma once
#include "palp/math/rotation.hpp"
#include "palp/math/types.hpp"
#include "palp/mechanics/body.hpp"

namespace palp {

inline Vec3 pose_position(const VecX& x, int i) { return x.segment<3>(7 * i); }

inline Quat pose_rotation(const VecX& x, int i) {
  return Quat(x[7 * i + 6], x[7 * i + 3], x[7 * i + 4], x[7 * i + 5]);
}

inline void set_pose(VecX& x, int i, const Vec3& p, const Quat& q) {
  x.segment<3>(7 * i) = p;
  x.segment<4>(7 * i + 3) = q.coeffs();
}

/// p ← p + dp, R ← exp(ω) R.
inline void advance_pose(VecX& x, int i, const Vec3& dp, const Vec3& omega) {
  set_pose(x, i, pose_position(x, i) + dp, (rotation_from_vector(omega) * pose_rotation(x, i)).normalized());
}

/// The frame of pose i: blocks 2i and 2i + 1.
inline BodyFrame pose_frame(const BodyState& state, int i) {
  BodyFrame frame;
  frame.position = pose_position(state.x, i);
  frame.orientation = pose_rotation(state.x, i);
  frame.velocity = state.v.segment<3>(6 * i);
  frame.angular_velocity = state.v.segment<3>(6 * i + 3);
  frame.block = 2 * i;
  frame.has_rotation = true;
  return frame;
}

}  // namespace palp
