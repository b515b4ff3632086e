#include "palp/mesh/repair.hpp"

#include <random>

#include "mesh/support.hpp"

#include "palp/mesh/generators.hpp"

namespace palp {
namespace repair_test {

/// Every triangle with corners of its own, as STL files have them.
TriMesh exploded(const TriMesh& mesh, double noise) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-noise, noise);
  TriMesh out;
  for (const Triangle& t : mesh.triangles) {
    Triangle own;
    for (int k = 0; k < 3; ++k) {
      own[k] = static_cast<int>(out.nodes.size());
      out.nodes.push_back(mesh.nodes[t[k]] + Vec3(u(random), u(random), u(random)));
    }
    out.triangles.push_back(own);
  }
  return out;
}

TEST(Repair, a_sound_surface_stays_as_it_is) {
  const TriMesh ball = *icosphere({.radius_m = 0.05, .subdivisions = 2});
  const Repaired r = repair(ball);
  EXPECT_EQ(r.mesh.triangles, ball.triangles);
  EXPECT_EQ(r.welded_nodes + r.degenerate + r.duplicates + r.flipped + r.open_edges + r.knotted_edges, 0);
}

TEST(Repair, a_soup_of_triangles_with_mixed_senses_becomes_the_ball_again) {
  const TriMesh ball = *icosphere({.radius_m = 0.05, .subdivisions = 3});
  TriMesh soup = exploded(ball, 1e-9);
  std::mt19937 random(7);
  for (Triangle& t : soup.triangles)
    if (random() % 2) std::swap(t[0], t[1]);
  for (int k = 0; k < 20; ++k) soup.triangles.push_back(soup.triangles[k]);
  const Repaired r = repair(soup);
  EXPECT_EQ(r.mesh.nodes.size(), ball.nodes.size());
  EXPECT_EQ(r.mesh.triangles.size(), ball.triangles.size());
  EXPECT_EQ(orientation(r.mesh), Orientation::outward);
  EXPECT_NEAR(enclosed_volume(r.mesh) / enclosed_volume(ball), 1, 1e-6);
  EXPECT_TRUE(check_mesh(r.mesh).findings.empty()) << check_mesh(r.mesh).text();
}

TEST(Repair, a_triangle_without_area_is_taken_out_without_a_crack) {
  // A box one of whose edges has a node in its middle that only one side knows: a flat triangle closes the
  // gap.
  TriMesh box = extract_surface(*box_hexes({.size_m = {1, 1, 1}, .cells = {1, 1, 1}})).mesh;
  const double enclosed = enclosed_volume(box);
  const auto [a, b, c] = box.triangles[0];
  const int middle = static_cast<int>(box.nodes.size());
  box.nodes.push_back(0.5 * (box.nodes[a] + box.nodes[b]));
  box.triangles[0] = {a, middle, c};
  box.triangles.push_back({middle, b, c});
  box.triangles.push_back({a, b, middle});
  ASSERT_EQ(orientation(box), Orientation::outward);
  const Repaired r = repair(box);
  EXPECT_EQ(r.degenerate, 1);
  EXPECT_EQ(r.open_edges, 0);
  EXPECT_EQ(orientation(r.mesh), Orientation::outward);
  EXPECT_NEAR(enclosed_volume(r.mesh), enclosed, 1e-12);
  for (const Triangle& t : r.mesh.triangles) EXPECT_GT(triangle_quality(r.mesh.nodes, t), 0.1);
}

TEST(Repair, hollows_look_inwards_and_inside_out_parts_outwards) {
  TriMesh shell = *icosphere({.radius_m = 0.05, .subdivisions = 2});
  const TriMesh hollow = *icosphere({.radius_m = 0.03, .subdivisions = 2});
  const double volume = enclosed_volume(shell) - enclosed_volume(hollow);
  const int offset = static_cast<int>(shell.nodes.size());
  for (Triangle& t : shell.triangles) std::swap(t[0], t[1]);
  shell.nodes.insert(shell.nodes.end(), hollow.nodes.begin(), hollow.nodes.end());
  for (const auto& [a, b, c] : hollow.triangles)
    shell.triangles.push_back({a + offset, b + offset, c + offset});
  const Repaired r = repair(shell);
  EXPECT_EQ(r.flipped, static_cast<int>(shell.triangles.size()));
  EXPECT_NEAR(enclosed_volume(r.mesh), volume, 1e-12);
}

TEST(Repair, holes_are_counted_and_left) {
  TriMesh ball = *icosphere({.subdivisions = 1});
  ball.triangles.pop_back();
  EXPECT_EQ(repair(ball).open_edges, 3);
}

}  // namespace repair_test
}  // namespace palp
