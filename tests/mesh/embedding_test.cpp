#include "palp/mesh/embedding.hpp"

#include <limits>
#include <random>

#include "mesh/support.hpp"

#include "palp/mesh/generators.hpp"
#include "palp/mesh/triangle_geometry.hpp"

namespace palp {
namespace embedding_test {

Vec3 random_in(std::mt19937& rng, double low, double high) {
  std::uniform_real_distribution<double> d(low, high);
  const double x = d(rng), y = d(rng), z = d(rng);
  return {x, y, z};
}

/// The three laws of every embedding: weights sum to one, reproduce the points, and follow any affine motion.
void expect_invariants(const Embedding& e, std::span<const Vec3> points, const std::vector<Vec3>& nodes,
                       double scale) {
  ASSERT_EQ(e.vertices(), static_cast<int>(points.size()));
  std::vector<Vec3> moved_nodes = nodes, out(points.size());
  Mat3 F;
  F << 1.3, 0.4, -0.2, 0.1, 0.7, 0.5, -0.6, 0.2, 1.1;
  const Vec3 shift = scale * Vec3(1, -2, 3);
  for (Vec3& p : moved_nodes) p = F * p + shift;
  for (int v = 0; v < e.vertices(); ++v) {
    double sum = 0;
    for (double w : e.weights_of(v)) sum += w;
    ASSERT_NEAR(sum, 1, 1e-12);
  }
  e.positions(nodes, out);
  for (size_t v = 0; v < points.size(); ++v) ASSERT_LT((out[v] - points[v]).norm(), 1e-12 * scale) << v;
  e.positions(moved_nodes, out);
  for (size_t v = 0; v < points.size(); ++v)
    ASSERT_LT((out[v] - (F * points[v] + shift)).norm(), 1e-11 * scale) << v;
}

void expect_inside_weights(const Embedding& e) {
  for (int v = 0; v < e.vertices(); ++v) {
    if (std::binary_search(e.extrapolated.begin(), e.extrapolated.end(), v)) continue;
    for (double w : e.weights_of(v)) {
      ASSERT_GE(w, -1e-7);
      ASSERT_LE(w, 1 + 1e-7);
    }
  }
}

TEST(Embedding, points_inside_curved_meshes_are_found_inside_and_reproduced) {
  std::mt19937 rng(7);
  const auto hexes = sphere_hexes({.radius_m = 1, .cells_across = 6});
  const TetMesh tets = split_hexes(*hexes);
  // All corners of a sphere's facets are on it; its flat facets stay outside of the ball of radius 0.9.
  std::vector<Vec3> points;
  while (points.size() < 3000)
    if (const Vec3 p = random_in(rng, -1, 1); p.norm() < 0.9) points.push_back(p);
  const auto in_tets = embed(points, tets);
  ASSERT_TRUE(in_tets);
  EXPECT_TRUE(in_tets->extrapolated.empty());
  expect_invariants(*in_tets, points, tets.nodes, 1);
  expect_inside_weights(*in_tets);
  const auto in_hexes = embed(points, *hexes);
  ASSERT_TRUE(in_hexes);
  EXPECT_TRUE(in_hexes->extrapolated.empty());
  expect_invariants(*in_hexes, points, hexes->nodes, 1);
  expect_inside_weights(*in_hexes);
}

TEST(Embedding, trilinear_weights_are_those_of_a_cube_in_closed_form) {
  const auto cube = box_hexes({.size_m = {2, 4, 6}, .cells = {1, 1, 1}});
  const Vec3 p(0.3, -1.2, 2.5);
  const auto e = embed(std::vector{p}, *cube);
  ASSERT_TRUE(e);
  for (int k = 0; k < 8; ++k) {
    const Vec3& x = cube->nodes[e->nodes_of(0)[k]];
    const double expected = (1 + p.x() * x.x() / 1) * (1 + p.y() * x.y() / 4) * (1 + p.z() * x.z() / 9) / 8;
    EXPECT_NEAR(e->weights_of(0)[k], expected, 1e-14);
  }
}

TEST(Embedding, points_outside_take_the_nearest_element_and_are_flagged) {
  std::mt19937 rng(11);
  const auto tets = sphere_tets({.radius_m = 1, .cells_across = 4});
  const auto hexes = sphere_hexes({.radius_m = 1, .cells_across = 4});
  std::vector<Vec3> points;
  for (int k = 0; k < 400; ++k) points.push_back(random_in(rng, -1.5, 1.5));
  const Surface skin = extract_surface(*tets);
  const auto e = embed(points, *tets);
  ASSERT_TRUE(e);
  expect_invariants(*e, points, tets->nodes, 1);
  double farthest = 0;
  for (int v = 0; v < 400; ++v) {
    const bool outside = winding_number(skin.mesh, points[v]) < 0.5;
    const bool flagged = std::binary_search(e->extrapolated.begin(), e->extrapolated.end(), v);
    EXPECT_EQ(outside, flagged) << v;
    if (!outside) continue;
    // Brute force over the whole skin: the chosen tet is as near as anything.
    double nearest = 1e9, chosen = 1e9;
    const auto distance = [&](const std::vector<Vec3>& x, int a, int b, int c) {
      return (nearest_on_triangle(points[v], x[a], x[b], x[c]) - points[v]).norm();
    };
    for (const Triangle& t : skin.mesh.triangles)
      nearest = std::min(nearest, distance(skin.mesh.nodes, t[0], t[1], t[2]));
    const Tet& t = tets->tets[e->element[v]];
    for (int skip = 0; skip < 4; ++skip)
      chosen =
          std::min(chosen, distance(tets->nodes, t[(skip + 1) % 4], t[(skip + 2) % 4], t[(skip + 3) % 4]));
    EXPECT_NEAR(chosen, nearest, 1e-12);
    farthest = std::max(farthest, nearest);
  }
  EXPECT_NEAR(e->farthest_m, farthest, 1e-12);
  const auto eh = embed(points, *hexes);
  ASSERT_TRUE(eh);
  expect_invariants(*eh, points, hexes->nodes, 1);
}

TEST(Embedding, nodes_and_faces_of_the_mesh_itself_count_as_inside) {
  const auto hexes = clip_hexes({});
  const TetMesh tets = split_hexes(*hexes);
  EXPECT_TRUE(embed(hexes->nodes, *hexes)->extrapolated.empty());
  EXPECT_TRUE(embed(tets.nodes, tets)->extrapolated.empty());
  std::vector<Vec3> face_centres;
  const TriMesh skin = extract_surface(tets).mesh;
  for (const Triangle& t : skin.triangles)
    face_centres.push_back((skin.nodes[t[0]] + skin.nodes[t[1]] + skin.nodes[t[2]]) / 3);
  const auto e = embed(face_centres, tets);
  ASSERT_TRUE(e);
  EXPECT_TRUE(e->extrapolated.empty());
  expect_invariants(*e, face_centres, tets.nodes, 0.1);
}

TEST(Embedding, invariants_hold_for_strongly_distorted_hexes_near_and_far) {
  std::mt19937 rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    auto mesh = box_hexes({.size_m = {1, 1, 1}, .cells = {2, 2, 2}});
    for (Vec3& p : mesh->nodes) p += random_in(rng, -0.12, 0.12);
    if (!check_mesh(*mesh).ok()) continue;
    std::vector<Vec3> points;
    for (int k = 0; k < 20; ++k) points.push_back(random_in(rng, -1, 1));
    points.push_back(random_in(rng, -30, 30));
    const auto e = embed(points, *mesh);
    ASSERT_TRUE(e);
    expect_invariants(*e, points, mesh->nodes, 100);
  }
}

TEST(Embedding, unfit_input_is_an_error_and_not_a_crash) {
  const std::vector<Vec3> points{{0, 0, 0}};
  EXPECT_FALSE(embed(points, TetMesh{}));
  EXPECT_FALSE(embed(points, HexMesh{}));
  EXPECT_FALSE(embed(points, TetMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}}));
  EXPECT_FALSE(embed(points, TetMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 4}}}));
  const std::vector<Vec3> bad{{0, std::numeric_limits<double>::quiet_NaN(), 0}};
  const auto result = embed(bad, *box_tets({}));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find("vertex 0"), std::string::npos);
  EXPECT_TRUE(embed(std::span<const Vec3>{}, *box_tets({})));
}

TEST(TriangleGeometry, nearest_point_beats_every_sample_of_the_triangle) {
  std::mt19937 rng(5);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 a = random_in(rng, -1, 1), b = random_in(rng, -1, 1), p = random_in(rng, -2, 2);
    const Vec3 c = trial % 5 == 0 ? Vec3(0.3 * a + 0.7 * b) : random_in(rng, -1, 1);  // some are segments
    const double found = (nearest_on_triangle(p, a, b, c) - p).norm();
    double sampled = 1e9;
    const int n = 60;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j)
        sampled = std::min(sampled, ((a * i + b * j + c * (n - i - j)) / n - p).norm());
    EXPECT_LE(found, sampled + 1e-12);
    EXPECT_GE(found, sampled - 0.06);  // the sampling's own resolution
  }
}

TEST(TriangleGeometry, box_overlap_agrees_with_dense_sampling) {
  std::mt19937 rng(9);
  int hits = 0, misses = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 a = random_in(rng, -2, 2), b = random_in(rng, -2, 2), c = random_in(rng, -2, 2);
    const auto touches = [&](double half) {
      return triangle_touches_box(a, b, c, Vec3::Zero(), Vec3::Constant(half));
    };
    double reach = 1e9;  // smallest half size of a cube around the origin that holds a sample
    const int n = 80;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j)
        reach = std::min(reach, ((a * i + b * j + c * (n - i - j)) / n).cwiseAbs().maxCoeff());
    EXPECT_TRUE(touches(reach * (1 + 1e-12)));
    const double spacing = 4.0 / n * 1.5;  // no point of the triangle is farther from a sample
    if (reach > spacing + 0.3) {
      EXPECT_FALSE(touches(0.3)) << trial;
    }
    (touches(0.3) ? hits : misses)++;
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(misses, 100);
}

TEST(TriangleGeometry, winding_number_is_one_inside_and_zero_outside) {
  const auto ball = icosphere({.radius_m = 1, .subdivisions = 2});
  std::mt19937 rng(1);
  for (int k = 0; k < 200; ++k) {
    const Vec3 p = random_in(rng, -1.5, 1.5);
    if (p.norm() < 0.95) {
      EXPECT_NEAR(winding_number(*ball, p), 1, 1e-10);
    } else if (p.norm() > 1) {
      EXPECT_NEAR(winding_number(*ball, p), 0, 1e-10);
    }
  }
}

}  // namespace embedding_test
}  // namespace palp
