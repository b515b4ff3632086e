// The border of a condensed compliance: nothing to condense.
#include "palp/mechanics/condensed_compliance.hpp"

#include <gtest/gtest.h>

namespace palp {
namespace condensed_compliance_test {

TEST(CondensedCompliance, points_that_do_not_move_add_nothing_and_read_nothing) {
  for (const bool some_node : {false, true})
    for (const int points : {1, 4, 7}) {  // a part of four, four, more
      CondensedCompliance condensed;
      const std::vector<int> held{0, 1}, none, third{2};
      condensed.set_up(3, some_node ? third : none, 1 << 20, held);
      PointJacobian H;
      for (int i = 0; i < points; ++i) {
        H.add(i % 2, (1 + i) * Mat3::Identity());
        H.end_point();
      }
      MatX G = MatX::Constant(3 * points, 3 * points, 0.5);
      ASSERT_TRUE(condensed.project([](const PointJacobian&, MatX&) {}, H, G));
      EXPECT_TRUE((G.array() == 0.5).all());
      // Points without any node at all.
      PointJacobian empty;
      for (int i = 0; i < points; ++i) empty.end_point();
      ASSERT_TRUE(condensed.project([](const PointJacobian&, MatX&) {}, empty, G));
      EXPECT_TRUE((G.array() == 0.5).all());
    }
}

}  // namespace condensed_compliance_test
}  // namespace palp
