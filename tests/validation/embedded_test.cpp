// Parts given by their surfaces alone weigh, bend and twist like beams, with default settings and in any
// attitude.
#include <random>

#include "validation/embedded_bar.hpp"

namespace palp {
namespace embedded_test {

using test::EmbeddedBar;

Mat3 some_attitude(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const Vec3 axis(normal(random), normal(random), normal(random));
  return Eigen::AngleAxisd(2 * normal(random), axis.normalized()).toRotationMatrix();
}

TEST(Embedded, bars_bend_twist_and_weigh_like_beams_with_default_settings_in_every_attitude) {
  for (unsigned seed = 0; seed < 4; ++seed)
    for (const auto& [width, height] : {std::pair{0.01, 0.004}, {0.01, 0.001}, {0.006, 0.006}}) {
      const EmbeddedBar bar{0.1, width, height, seed == 0 ? Mat3(Mat3::Identity()) : some_attitude(seed)};
      const auto a = bar.measure();
      EXPECT_NEAR(a.bend_y, 1, 0.03) << seed << ' ' << height;
      EXPECT_NEAR(a.bend_z, 1, 0.03) << seed << ' ' << height;
      EXPECT_NEAR(a.twist, 1, 0.06) << seed << ' ' << height;
      EXPECT_NEAR(a.report.volume_error(), 0, 0.005);
      EXPECT_EQ(a.report.parts, 1);
    }
}

}  // namespace embedded_test
}  // namespace palp
