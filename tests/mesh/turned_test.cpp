#include <gtest/gtest.h>

#include "palp/mesh/rounded.hpp"

namespace palp {
namespace mesh_turned_test {

TEST(TurnedShapes, what_cannot_be_is_refused) {
  EXPECT_TRUE(round_cylinder(0.02, 0.1, 0.001, Vec3::Zero()));
  EXPECT_FALSE(round_cylinder(0.02, 0.1, 0.02, Vec3::Zero()));
  EXPECT_FALSE(round_cylinder(0.02, 0.1, 0, Vec3::Zero()));
  EXPECT_FALSE(round_cylinder(0.2, 0.001, 0.001, Vec3::Zero()));
  EXPECT_FALSE(round_cylinder(std::nan(""), 0.1, 0.001, Vec3::Zero()));
  EXPECT_TRUE(round_tube(0.01, 0.02, 0.1, 0.001, Vec3::Zero()));
  EXPECT_FALSE(round_tube(0.01, 0.012, 0.1, 0.001, Vec3::Zero()));
  EXPECT_FALSE(round_tube(0, 0.012, 0.1, 0.001, Vec3::Zero()));
}

TEST(TurnedShapes, the_prism_of_the_search_lies_inside_the_core) {
  const auto shape = *round_tube(0.01, 0.02, 0.1, 0.001, Vec3::Zero());
  const RoundedCore core = core_of(shape);
  for (const Triangle& t : core.triangles)
    for (const Vec3& w : {Vec3(1, 0, 0), Vec3(0.5, 0.5, 0), Vec3(1, 1, 1).eval()}) {
      const Vec3 p = (w[0] * core.nodes[t[0]] + w[1] * core.nodes[t[1]] + w[2] * core.nodes[t[2]]) / w.sum();
      EXPECT_GE(p.head<2>().norm(), 0.011 - 1e-12);
      EXPECT_LE(p.head<2>().norm(), 0.019 + 1e-12);
    }
}

}  // namespace mesh_turned_test
}  // namespace palp
