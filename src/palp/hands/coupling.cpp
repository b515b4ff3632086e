#include "palp/hands/coupling.hpp"

#include <cmath>

#include "palp/math/rotation.hpp"

namespace palp {
namespace {

constexpr double largest_guess = 0.5;  // rad in a step

}  // namespace

double critical_damping(double stiffness, double mass) { return 2 * std::sqrt(stiffness * mass); }

BlockLoad coupling_load(const CouplingSettings& s, const BodyFrame& held, const Vec3& lever,
                        const DevicePose& device, double h) {
  // Where the held point will be if the body turns on as it does. A guess, hence bounded.
  Vec3 turning = Vec3::Zero();
  if (held.has_rotation) turning = h * held.angular_velocity;
  if (const double angle = turning.norm(); !(angle < largest_guess)) turning *= largest_guess / angle;
  const Vec3 r = rotation_from_vector(turning) * (held.orientation * lever);
  const Vec3 force = -s.stiffness_N_per_m * (held.position + r - turning.cross(r) - device.position) +
                     s.damping_N_s_per_m * device.velocity;
  const double k = s.stiffness_N_per_m + s.damping_N_s_per_m / h;
  BlockLoad load;
  load.block = held.block;
  load.has_rotation = held.has_rotation;
  load.force.head<3>() = force;
  load.stiffness.topLeftCorner<3, 3>() = k * Mat3::Identity();
  if (held.has_rotation) {
    // Δp = … + Δx − [r]× Δθ: the translation spring acts on both blocks through the lever arm.
    const Mat3 cross = cross_matrix(r);
    load.stiffness.topRightCorner<3, 3>() = -k * cross;
    load.stiffness.bottomLeftCorner<3, 3>() = k * cross;
    load.stiffness.bottomRightCorner<3, 3>() =
        k * cross * cross.transpose() +
        (s.angular_stiffness_Nm_per_rad + s.angular_damping_Nm_s_per_rad / h) * Mat3::Identity();
    const Vec3 turn = vector_from_rotation(held.orientation * device.orientation.conjugate());
    load.force.tail<3>() = r.cross(force) - s.angular_stiffness_Nm_per_rad * turn +
                           s.angular_damping_Nm_s_per_rad * device.angular_velocity;
  }
  return load;
}

Wrench coupling_wrench(const CouplingSettings& s, const BodyFrame& held, const Vec3& lever,
                       const DevicePose& device) {
  const Vec3 r = held.orientation * lever;
  const Vec3 velocity = held.velocity + held.angular_velocity.cross(r);
  Wrench w;
  w.force = -s.stiffness_N_per_m * (held.position + r - device.position) -
            s.damping_N_s_per_m * (velocity - device.velocity);
  w.torque = -s.angular_stiffness_Nm_per_rad *
                 vector_from_rotation(held.orientation * device.orientation.conjugate()) -
             s.angular_damping_Nm_s_per_rad * (held.angular_velocity - device.angular_velocity);
  return w;
}

}  // namespace palp
