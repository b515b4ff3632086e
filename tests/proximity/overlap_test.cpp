#include "palp/proximity/overlap.hpp"

#include <cmath>

#include "proximity/shapes.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace overlap_test {

using testing::bumpy_sphere;
using testing::cube;
using testing::touch;

TEST(Overlap, distance_from_a_cube_is_that_of_the_books) {
  const TouchSurface box = touch(cube(2, Vec3::Zero()));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-2.5, 2.5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p(u(random), u(random), u(random)), q = p.cwiseAbs() - Vec3::Ones();
    const double expected = q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
    EXPECT_NEAR(signed_distance(box, p, 100), expected, 1e-12) << p.transpose();
    EXPECT_NEAR(distance(box, p, 1), std::min(std::abs(expected), 1.0), 1e-12) << p.transpose();
  }
}

TEST(Overlap, spheres_overlap_by_what_their_radii_exceed_the_distance) {
  for (double apart : {1.5, 1.9, 1.999}) {
    const TouchSurface a = touch(bumpy_sphere(4, 1, Vec3::Zero(), 0, 1));
    const TouchSurface b = touch(bumpy_sphere(4, 1, Vec3(0, 0, apart), 0, 1));
    EXPECT_NEAR(deepest_overlap(a, b, 0), 2 - apart, 1e-2);  // vertices at the poles; facets elsewhere
  }
  const TouchSurface a = touch(bumpy_sphere(4, 1, Vec3::Zero(), 0, 1));
  EXPECT_LE(deepest_overlap(a, touch(bumpy_sphere(4, 1, Vec3(0, 0, 2.001), 0, 1)), 0), 0);
}

TEST(Overlap, aligned_boxes_and_crossed_bars_have_no_corner_inside_and_are_found_all_the_same) {
  EXPECT_NEAR(deepest_overlap(touch(cube(1, Vec3::Zero())), touch(cube(1, Vec3(0, 0, 0.85))), 0), 0.15,
              1e-12);
  testing::Shape along = cube(1, Vec3::Zero()), across = cube(1, Vec3::Zero());
  for (Vec3& x : along.x) x = x.cwiseProduct(Vec3(9, 1, 1));
  for (Vec3& x : across.x) x = x.cwiseProduct(Vec3(1, 9, 1)) + Vec3(0.1, -0.2, 0.7);
  EXPECT_NEAR(deepest_overlap(touch(along), touch(across), 0), 0.3, 1e-12);
}

TEST(Overlap, a_point_with_a_radius_is_deep_by_its_radius_and_what_lies_inside) {
  const TouchSurface box = touch(cube(2, Vec3::Zero()));
  const auto point = [](double z) { return touch({{Vec3(0, 0, z)}, {}, {}}); };
  EXPECT_NEAR(deepest_overlap(point(1.3), box, 0.5), 0.2, 1e-6);
  EXPECT_NEAR(deepest_overlap(point(0.9), box, 0.5), 0.6, 1e-6);
  EXPECT_LE(deepest_overlap(point(1.6), box, 0.5), 0);
}

TEST(Overlap, an_open_surface_has_no_inside) {
  testing::Shape open = cube(2, Vec3::Zero());
  open.triangles.pop_back();
  EXPECT_LE(deepest_overlap(touch(open), touch({{Vec3(0, 0, 0)}, {}, {}}), 0.1), 0);
}

}  // namespace overlap_test
}  // namespace palp
