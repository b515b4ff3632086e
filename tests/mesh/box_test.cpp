#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "palp/mesh/generators.hpp"

namespace palp {
namespace box_test {

double volume(const std::vector<Vec3>& x, const Tet& t) {
  return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).dot(x[t[3]] - x[t[0]]) / 6.0;
}

TEST(Box, tets_are_positive_and_fill_the_box) {
  auto mesh = box_tets({.size_m = {0.3, 0.2, 0.1}, .centre_m = {1, 2, 3}, .cells = {3, 4, 2}});
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->nodes.size(), 4u * 5 * 3);
  EXPECT_EQ(mesh->tets.size(), 6u * 3 * 4 * 2);
  double sum = 0;
  for (const Tet& t : mesh->tets) {
    // Each of the six tets of a Kuhn split holds a sixth of its cell.
    EXPECT_NEAR(volume(mesh->nodes, t), 0.1 * 0.05 * 0.05 / 6, 1e-15);
    sum += volume(mesh->nodes, t);
  }
  EXPECT_NEAR(sum, 0.3 * 0.2 * 0.1, 1e-15);
}

TEST(Box, every_triangle_belongs_to_one_or_two_tets) {
  auto mesh = box_tets({.cells = {3, 2, 4}});
  ASSERT_TRUE(mesh);
  std::map<std::array<int, 3>, int> uses;
  for (const Tet& t : mesh->tets)
    for (int skip = 0; skip < 4; ++skip) {
      std::array<int, 3> face;
      for (int c = 0, f = 0; c < 4; ++c)
        if (c != skip) face[f++] = t[c];
      std::sort(face.begin(), face.end());
      ++uses[face];
    }
  int outer = 0;
  for (const auto& [face, count] : uses) {
    EXPECT_LE(count, 2);
    outer += count == 1;
  }
  EXPECT_EQ(outer, 2 * 2 * (3 * 2 + 2 * 4 + 3 * 4));  // two triangles per outer quad: conforming inside
}

TEST(Bar, spans_from_the_origin_along_x) {
  auto mesh = bar_hexes({.length_m = 0.4,
                         .width_m = 0.02,
                         .height_m = 0.06,
                         .cells_along = 8,
                         .cells_wide = 2,
                         .cells_high = 3});
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->hexes.size(), 48u);
  Vec3 low = mesh->nodes[0], high = low;
  for (const Vec3& p : mesh->nodes) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  EXPECT_LT((low - Vec3(0, -0.01, -0.03)).norm(), 1e-15);
  EXPECT_LT((high - Vec3(0.4, 0.01, 0.03)).norm(), 1e-15);
}

TEST(Box, impossible_values_are_named_in_the_error) {
  auto bad_size = box_tets({.size_m = {0.1, -1, 0.1}});
  ASSERT_FALSE(bad_size);
  EXPECT_NE(bad_size.error().text().find("size_m[1]"), std::string::npos);
  auto bad_cells = box_hexes({.cells = {2, 0, 2}});
  ASSERT_FALSE(bad_cells);
  EXPECT_NE(bad_cells.error().text().find("cells"), std::string::npos);
  EXPECT_FALSE(box_hexes({.size_m = {std::numeric_limits<double>::quiet_NaN(), 1, 1}}));
  EXPECT_FALSE(box_hexes({.centre_m = {std::numeric_limits<double>::infinity(), 1, 1}}));
  EXPECT_FALSE(box_hexes({.cells = {9999, 9999, 9999}}));
  EXPECT_FALSE(bar_tets({.length_m = 0}));
  EXPECT_FALSE(bar_hexes({.cells_along = -3}));
}

}  // namespace box_test
}  // namespace palp
