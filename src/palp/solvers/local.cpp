#include "palp/solvers/local.hpp"

#include <cmath>
#include <limits>

#include "palp/math/dense.hpp"

namespace palp {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

LocalBlock LocalBlock::of(const Mat3& W) {
  LocalBlock B;
  B.W_nn = W(0, 0);
  if (!(B.W_nn > std::numeric_limits<double>::min())) {
    B.W_nn = 0;
    return B;
  }
  B.inverse_nn = 1 / B.W_nn;
  const Vec2 W_tn = W.block<2, 1>(1, 0), W_nt = W.block<1, 2>(0, 1).transpose();
  const Mat2 S = W.block<2, 2>(1, 1) - W_tn * W_nt.transpose() / B.W_nn;
  const double mean = 0.5 * (S(0, 0) + S(1, 1));
  const double difference = 0.5 * (S(0, 0) - S(1, 1)), coupling = 0.5 * (S(0, 1) + S(1, 0));
  const double radius = std::hypot(difference, coupling);
  const double angle = radius > 0 ? 0.5 * std::atan2(coupling, difference) : 0;
  B.cos = std::cos(angle);
  B.sin = std::sin(angle);
  B.nt_1 = (B.cos * W_nt[0] + B.sin * W_nt[1]) / B.W_nn;
  B.nt_2 = (B.cos * W_nt[1] - B.sin * W_nt[0]) / B.W_nn;
  B.tn_1 = (B.cos * W_tn[0] + B.sin * W_tn[1]) / B.W_nn;
  B.tn_2 = (B.cos * W_tn[1] - B.sin * W_tn[0]) / B.W_nn;
  const double rounding = 8 * eps * W.cwiseAbs().maxCoeff();  // S inherits the rounding of all of W_ii
  const auto above_rounding = [&](double x) { return std::abs(x) > rounding ? x / B.W_nn : 0; };
  B.s_1 = std::max(0.0, above_rounding(mean + radius));
  B.s_2 = std::max(0.0, above_rounding(mean - radius));
  B.skew = above_rounding(0.5 * (S(0, 1) - S(1, 0)));
  if (B.s_2 == 0) B.alpha_0 = rounding / B.W_nn;
  return B;
}

Mat3 bilateral_inverse(const Mat3& W_ii) {
  const SymmetricEigen eigen = symmetric_eigen(0.5 * (W_ii + W_ii.transpose()));
  const double largest = eigen.values[2];
  if (!(largest > std::numeric_limits<double>::min())) return Mat3::Zero();
  if (eigen.values[0] > 1e-12 * largest) return W_ii.inverse();
  Vec3 inverse = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.values[k] > 1e-12 * largest) inverse[k] = 1 / eigen.values[k];
  return eigen.vectors * inverse.asDiagonal() * eigen.vectors.transpose();
}

}  // namespace palp
