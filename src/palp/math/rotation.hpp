// Rotations: the exponential map, its inverse, and the cross-product matrix.
#pragma once
#include <cmath>

#include "palp/math/types.hpp"

namespace palp {

/// [r]× with [r]× a = r × a.
inline Mat3 cross_matrix(const Vec3& r) {
  Mat3 m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

/// exp(w): the unit quaternion of the rotation by |w| about w.
inline Quat rotation_from_vector(const Vec3& w) {
  const double angle = w.norm();
  // sin(a/2)/a by its series near zero: exact to rounding for a < 1e-4.
  const double s = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  return Quat(std::cos(0.5 * angle), s * w.x(), s * w.y(), s * w.z()).normalized();
}

/// log(q): the rotation vector of q with angle in [0, π].
inline Vec3 vector_from_rotation(const Quat& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const Vec3 v = sign * q.vec();
  const double s = v.norm();
  if (s < 1e-12) return 2.0 * v;
  return 2.0 * std::atan2(s, sign * q.w()) / s * v;
}

/// The shortest rotation that takes the direction of a to that of b; of opposite ones, about any axis across them.
/// (Eigen's own has a singular value decomposition for the last case, which costs seconds to compile.)
inline Quat rotation_between(const Vec3& a, const Vec3& b) {
  const Vec3 from = a.normalized(), to = b.normalized();
  const double c = from.dot(to);
  Quat q;
  if (c > -1 + 1e-12) {
    const double s = std::sqrt(2 * (1 + c));
    q.w() = 0.5 * s;
    q.vec() = from.cross(to) / s;
  } else {
    q.w() = 0;
    q.vec() = from.unitOrthogonal();
  }
  return q;
}

}  // namespace palp
