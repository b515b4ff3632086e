// The small vectors and matrices of the whole engine. Double precision; SI units.
#pragma once
#include <Eigen/Dense>
#include <span>
#include <vector>

#include "palp/math/layout.hpp"

namespace palp {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using VecRef = Eigen::Ref<VecX>;
using MatRef = Eigen::Ref<MatX>;
using ConstVecRef = Eigen::Ref<const VecX>;
using ConstMatRef = Eigen::Ref<const MatX>;

}  // namespace palp
