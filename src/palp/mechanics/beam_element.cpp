#include "palp/mechanics/beam_element.hpp"

#include <cmath>

#include "palp/math/rotation.hpp"

namespace palp {

BeamPose beam_pose(const BeamElement& element, const Vec3& p1, const Quat& q1, const Vec3& p2,
                   const Quat& q2) {
  BeamPose pose;
  const Quat r1 = q1 * element.Q1, r2 = q2 * element.Q2;
  const Vec3 theta = vector_from_rotation(r1.conjugate() * r2);
  pose.Rm = (r1 * rotation_from_vector(0.5 * theta)).toRotationMatrix();
  pose.delta = p2 - p1;
  pose.l = pose.delta.norm();
  pose.t = pose.delta / pose.l;
  pose.e << pose.l - element.L, pose.Rm.col(1).dot(pose.delta), pose.Rm.col(2).dot(pose.delta), theta;
  return pose;
}

double beam_energy(const BeamElement& element, const BeamPose& pose) {
  return 0.5 * element.k.dot(pose.e.cwiseAbs2());
}

Eigen::Matrix<double, 6, 12> beam_strain_rows(const BeamPose& pose) {
  const Vec3 theta = pose.e.tail<3>();
  const double angle = theta.norm();
  // Series near zero; the next terms are O(angle⁴).
  const bool small = angle < 1e-3;
  const double T = small ? 0.25 + angle * angle / 192 : std::tan(0.25 * angle) / angle;
  const double beta = small ? 1 + angle * angle / 24 : 0.5 * angle / std::sin(0.5 * angle);
  const Vec3 Theta = pose.Rm * theta;

  Eigen::Matrix<double, 6, 12> B = Eigen::Matrix<double, 6, 12>::Zero();
  B.block<1, 3>(0, 0) = -pose.t.transpose();
  B.block<1, 3>(0, 6) = pose.t.transpose();
  for (int a = 1; a <= 2; ++a) {
    // δu_a = e_a·(δΔ + Δ×ω_m) = e_a·δΔ + c·ω_m with c = e_a×Δ, and ω_m = P1 ω1 + P2 ω2, P1,2 = ½(I ± T[Θ]×).
    const Vec3 axis = pose.Rm.col(a), c = axis.cross(pose.delta), cT = T * Theta.cross(c);
    B.block<1, 3>(a, 0) = -axis.transpose();
    B.block<1, 3>(a, 3) = 0.5 * (c - cT).transpose();
    B.block<1, 3>(a, 6) = axis.transpose();
    B.block<1, 3>(a, 9) = 0.5 * (c + cT).transpose();
  }
  Mat3 D = beta * Mat3::Identity();
  if (angle > 0) D += (1 - beta) / (angle * angle) * theta * theta.transpose();
  B.block<3, 3>(3, 9).noalias() = D * pose.Rm.transpose();
  B.block<3, 3>(3, 3) = -B.block<3, 3>(3, 9);
  return B;
}

void beam_material(const BeamElement& element, const BeamPose& pose, Mat12& K, Vec12& f) {
  const Eigen::Matrix<double, 6, 12> B = beam_strain_rows(pose);
  const Eigen::Matrix<double, 6, 12> kB = element.k.asDiagonal() * B;
  K.noalias() = B.transpose() * kB;
  f.noalias() = kB.transpose() * pose.e;
}

Mat3 beam_tension_stiffness(const BeamElement& element, const BeamPose& pose) {
  const double N = element.k[0] * pose.e[0];
  if (!(N > 0)) return Mat3::Zero();
  return N / pose.l * (Mat3::Identity() - pose.t * pose.t.transpose());
}

}  // namespace palp
