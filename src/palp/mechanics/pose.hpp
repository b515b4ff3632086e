// Poses inside a state vector: seven numbers each, position then unit quaternion x y z w.
#pragma once
#include "palp/math/rotation.hpp"
#include "palp/math/types.hpp"

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

}  // namespace palp
