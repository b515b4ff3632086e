#include "palp/mesh/quadratic.hpp"

#include <random>

#include "mesh/support.hpp"

#include "palp/mesh/generators.hpp"

namespace palp {
namespace quadratic_test {

TEST(Quadratic, every_edge_gets_one_node_in_its_middle_and_corners_keep_their_numbers) {
  const TetMesh linear = sphere_tets({}).value();
  const QuadraticTetMesh mesh = quadratic(linear);
  ASSERT_EQ(mesh.nodes.size(), linear.nodes.size() + unique_edges(linear.tets).size());
  for (size_t n = 0; n < linear.nodes.size(); ++n) EXPECT_EQ(mesh.nodes[n], linear.nodes[n]);
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    for (int i = 0; i < 4; ++i) EXPECT_EQ(mesh.tets[t][i], linear.tets[t][i]);
    for (int e = 0; e < 6; ++e) {
      const Vec3 middle =
          0.5 * (mesh.nodes[mesh.tets[t][kTetEdges[e][0]]] + mesh.nodes[mesh.tets[t][kTetEdges[e][1]]]);
      EXPECT_EQ((mesh.nodes[mesh.tets[t][4 + e]] - middle).norm(), 0);
    }
  }
}

TEST(Quadratic, the_skin_is_closed_and_encloses_the_same_volume_with_four_triangles_per_face) {
  const TetMesh linear = sphere_tets({}).value();
  const Surface coarse = extract_surface(linear), fine = extract_surface(quadratic(linear));
  EXPECT_EQ(fine.mesh.triangles.size(), 4 * coarse.mesh.triangles.size());
  EXPECT_EQ(orientation(fine.mesh), Orientation::outward);
  EXPECT_NEAR(enclosed_volume(fine.mesh), volume(linear), 1e-12 * volume(linear));
}

TEST(Quadratic, embedded_points_follow_quadratic_motions_inside_and_affine_ones_outside) {
  const TetMesh linear = box_tets({.cells = {2, 3, 2}}).value();
  const QuadraticTetMesh mesh = quadratic(linear);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-0.07, 0.07);  // the box reaches to 0.05
  std::vector<Vec3> points(200);
  for (Vec3& p : points) p = Vec3(u(random), u(random), u(random));
  const Embedding e = embed(points, mesh).value();
  ASSERT_EQ(e.nodes_per_element, 10);
  const auto affine = [](const Vec3& x) {
    return Vec3(1 + 2 * x.x() - x.y(), x.z() + 3 * x.y(), -x.x() + 0.5);
  };
  const auto bent = [](const Vec3& x) {
    return Vec3(x.x() * x.y(), x.z() * x.z() - x.x(), x.y() * x.z() + x.x() * x.x());
  };
  std::vector<Vec3> moved(mesh.nodes.size()), out(points.size());
  for (size_t n = 0; n < moved.size(); ++n) moved[n] = affine(mesh.nodes[n]);
  e.positions(moved, out);
  for (size_t v = 0; v < points.size(); ++v) EXPECT_LT((out[v] - affine(points[v])).norm(), 1e-12);
  for (size_t n = 0; n < moved.size(); ++n) moved[n] = bent(mesh.nodes[n]);
  e.positions(moved, out);
  int inside = 0;
  for (size_t v = 0; v < points.size(); ++v) {
    if (std::binary_search(e.extrapolated.begin(), e.extrapolated.end(), static_cast<int>(v))) continue;
    ++inside;
    EXPECT_LT((out[v] - bent(points[v])).norm(), 1e-14);
  }
  EXPECT_GT(inside, 20);
  EXPECT_LT(inside, 200);
}

TEST(Quadratic, a_set_of_corners_takes_the_middles_of_its_own_edges_along) {
  const QuadraticTetMesh mesh = quadratic(box_tets({.cells = {2, 2, 2}}).value());
  const auto on_side = [&](int n) { return mesh.nodes[n].x() > 0.05 - 1e-9; };
  std::vector<int> corners, expected;
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n) {
    if (on_side(n) && n < 27) corners.push_back(n);
    if (on_side(n)) expected.push_back(n);
  }
  ASSERT_EQ(corners.size(), 9u);
  EXPECT_EQ(with_middle_nodes(corners, mesh), expected);
}

}  // namespace quadratic_test
}  // namespace palp
