#include "palp/proximity/distance.hpp"

#include <random>

#include <gtest/gtest.h>

namespace palp {
namespace distance_test {

struct Random {
  std::mt19937 engine{7};
  double number() { return std::uniform_real_distribution<>(-1, 1)(engine); }
  Vec3 point() { return {number(), number(), number()}; }
};

/// Smallest distance found by scanning the triangle: never below the true one.
double scanned_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  double best = 1e300;
  constexpr int n = 60;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; i + j <= n; ++j)
      best = std::min(best, (p - (a * (n - i - j) + b * i + c * j) / n).norm());
  return best;
}

TEST(Distance, no_point_of_the_triangle_is_closer) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    const Vec3 a = random.point(), b = random.point(), c = random.point(), p = 2 * random.point();
    const Vec3 w = closest_on_triangle(p, a, b, c);
    EXPECT_NEAR(w.sum(), 1, 1e-12);
    EXPECT_GE(w.minCoeff(), 0);
    const double distance = (p - w[0] * a - w[1] * b - w[2] * c).norm();
    EXPECT_LE(distance, scanned_distance(p, a, b, c) + 1e-12);
  }
}

TEST(Distance, degenerate_triangles_still_give_the_closest_point) {
  Random random;
  for (int round = 0; round < 100; ++round) {
    const Vec3 a = random.point(), b = random.point(), p = random.point();
    const double t = 0.5 + 0.4 * random.number();
    for (const Vec3& c : {a, b, Vec3(a + t * (b - a))}) {
      const Vec3 w = closest_on_triangle(p, a, b, c);
      ASSERT_TRUE(w.allFinite());
      const double distance = (p - w[0] * a - w[1] * b - w[2] * c).norm();
      EXPECT_NEAR(distance, (p - a - closest_on_segment(p, a, b) * (b - a)).norm(), 1e-6);
    }
    EXPECT_TRUE(closest_on_triangle(p, a, a, a).isApprox(Vec3(1, 0, 0)));
  }
}

TEST(Distance, no_pair_of_points_on_two_segments_is_closer) {
  Random random;
  for (int round = 0; round < 1000; ++round) {
    const Vec3 a = random.point(), b = random.point(), c = random.point();
    // Every third pair is parallel or nearly so, every seventh has no length.
    Vec3 d = random.point();
    if (round % 3 == 0) d = c + random.number() * (b - a) + (round % 2 ? 1e-9 : 0) * random.point();
    if (round % 7 == 0) d = c;
    const auto [s, t] = closest_between_segments(a, b, c, d);
    EXPECT_TRUE(s >= 0 && s <= 1 && t >= 0 && t <= 1);
    const double distance = (a + s * (b - a) - c - t * (d - c)).norm();
    double scanned = 1e300;
    for (int i = 0; i <= 200; ++i) {
      const Vec3 p = a + i / 200.0 * (b - a);
      scanned = std::min(scanned, (p - c - closest_on_segment(p, c, d) * (d - c)).norm());
    }
    EXPECT_LE(distance, scanned + 1e-7);
  }
}

}  // namespace distance_test
}  // namespace palp
