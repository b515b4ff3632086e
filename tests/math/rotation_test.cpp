#include "palp/math/rotation.hpp"

#include <gtest/gtest.h>

namespace palp {
namespace rotation_test {

TEST(Rotation, exponential_matches_the_axis_angle_formula) {
  for (double angle : {1e-9, 1e-5, 0.3, 2.0, 3.1}) {
    const Vec3 axis = Vec3(1, -2, 0.5).normalized();
    const Mat3 expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LT((rotation_from_vector(angle * axis).toRotationMatrix() - expected).norm(), 1e-14);
    EXPECT_LT((vector_from_rotation(rotation_from_vector(angle * axis)) - angle * axis).norm(),
              1e-13 + 1e-14 * angle);
  }
}

TEST(Rotation, cross_matrix_is_the_cross_product) {
  const Vec3 a(1, 2, 3), b(-2, 0.5, 4);
  EXPECT_LT((cross_matrix(a) * b - a.cross(b)).norm(), 1e-15);
}

}  // namespace rotation_test
}  // namespace palp
