#include "palp/mechanics/polar.hpp"

#include <random>

#include "support/dense.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace polar_test {

void expect_signed_svd(const Mat3& F) {
  const SignedSvd svd = signed_svd(F);
  const double scale = F.norm() + 1e-300;
  EXPECT_LT((svd.U * svd.s.asDiagonal() * svd.V.transpose() - F).norm(), 1e-7 * scale) << F;
  EXPECT_LT((svd.U.transpose() * svd.U - Mat3::Identity()).norm(), 1e-13) << F;
  EXPECT_LT((svd.V.transpose() * svd.V - Mat3::Identity()).norm(), 1e-13) << F;
  EXPECT_NEAR(svd.rotation().determinant(), 1, 1e-13) << F;
  EXPECT_GE(svd.s[0] + 1e-12 * scale, svd.s[1]);
  EXPECT_GE(svd.s[1] + 1e-7 * scale, std::abs(svd.s[2]));
  EXPECT_LT((svd.s.cwiseAbs() - testing::singular_values(F)).norm(), 1e-7 * scale) << F;
}

TEST(Polar, random_matrices_of_either_orientation_split_into_rotation_and_signed_stretch) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    Mat3 F;
    for (int k = 0; k < 9; ++k) F(k) = normal(random);
    const SignedSvd svd = signed_svd(F);
    expect_signed_svd(F);
    EXPECT_LT((svd.U * svd.s.asDiagonal() * svd.V.transpose() - F).norm(), 1e-12 * F.norm());
    EXPECT_EQ(svd.s[2] < 0, F.determinant() < 0);
  }
}

TEST(Polar, rotation_near_identity_stretch_is_exact_to_rounding) {
  for (double angle : {0.0, 1e-9, 0.1, 1.0, 3.0, 3.14159265358979}) {
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3(0.3, -1, 2).normalized()).toRotationMatrix();
    EXPECT_LT((signed_svd(R).rotation() - R).norm(), 1e-14);
    Mat3 S;
    S << 1.001, 2e-4, -1e-4, 2e-4, 0.998, 3e-4, -1e-4, 3e-4, 1.0005;
    EXPECT_LT((signed_svd(Mat3(R * S)).rotation() - R).norm(), 1e-14);
  }
}

TEST(Polar, flat_and_vanished_elements_still_get_a_rotation) {
  const Mat3 R = Eigen::AngleAxisd(0.8, Vec3(1, 1, -1).normalized()).toRotationMatrix();
  for (const Vec3& s : {Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 0, 0), Vec3(1, 1e-9, 1e-12), Vec3(1, 1, -1e-9),
                        Vec3(1e-200, 0, 0), Vec3(1, 1, -1)})
    expect_signed_svd(R * s.asDiagonal());
}

TEST(Polar, an_element_pushed_through_itself_keeps_its_rotation) {
  // Squash along one axis to −0.5: the rotation must stay the identity, so that forces push the element back
  // out.
  const SignedSvd svd = signed_svd(Mat3(Vec3(1, 1.1, -0.5).asDiagonal()));
  EXPECT_LT((svd.rotation() - Mat3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(svd.s[2], -0.5, 1e-14);
}

}  // namespace polar_test
}  // namespace palp
