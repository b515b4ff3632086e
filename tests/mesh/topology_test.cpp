#include "palp/mesh/topology.hpp"

#include <random>
#include <set>

#include "mesh/support.hpp"

#include "palp/mesh/generators.hpp"

namespace palp {
namespace topology_test {

TEST(Topology, hex_volume_is_exact_for_warped_hexes) {
  // The trilinear map x = ξ + a ηζ e_x + b ξζ e_y (ξ in [0, 1]³) has the Jacobian 1 − a b ζ²: volume 1 − a b
  // / 3.
  const double a = 0.4, b = 0.3;
  const auto mesh = lattice_hexes(
      {1, 1, 1}, [](int, int, int) { return true; },
      [&](int i, int j, int k) { return Vec3(i + a * j * k, j + b * i * k, k); });
  EXPECT_NEAR(volume(mesh), 1 - a * b / 3, 1e-15);
}

TEST(Topology, skin_of_a_block_has_the_block_s_area_and_volume) {
  const auto hexes = box_hexes({.size_m = {3, 2, 1}, .centre_m = {100, -50, 7}, .cells = {6, 5, 4}});
  const Surface skin = extract_surface(*hexes);
  EXPECT_NEAR(area(skin.mesh), 2 * (6 + 3 + 2), 1e-10);
  EXPECT_NEAR(enclosed_volume(skin.mesh), 6, 1e-10);
  EXPECT_EQ(skin.mesh.triangles.size(), 4u * (30 + 24 + 20));
  EXPECT_EQ(skin.mesh.nodes.size(), 7u * 6 * 5 - 5u * 4 * 3);
  EXPECT_EQ(euler_characteristic(skin.mesh.triangles), 2);
}

TEST(Topology, edges_of_a_block_are_counted_in_closed_form) {
  const int x = 3, y = 4, z = 2;
  const auto hexes = box_hexes({.cells = {x, y, z}});
  const int along = x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z;
  EXPECT_EQ(unique_edges(hexes->hexes).size(), static_cast<size_t>(along));
  // The Kuhn split adds a diagonal to every quad and one to every cell.
  const int quads = x * y * (z + 1) + x * (y + 1) * z + (x + 1) * y * z;
  EXPECT_EQ(unique_edges(split_hexes(*hexes).tets).size(), static_cast<size_t>(along + quads + x * y * z));
}

TEST(Topology, split_is_conforming_for_any_numbering_of_the_nodes) {
  std::mt19937 rng(4);
  for (int trial = 0; trial < 20; ++trial) {
    auto mesh = box_hexes({.cells = {3, 2, 2}});
    std::vector<int> name(mesh->nodes.size());
    for (size_t n = 0; n < name.size(); ++n) name[n] = static_cast<int>(n);
    std::shuffle(name.begin(), name.end(), rng);
    HexMesh shuffled = *mesh;
    for (size_t n = 0; n < name.size(); ++n) shuffled.nodes[name[n]] = mesh->nodes[n];
    for (Hex& h : shuffled.hexes)
      for (int& n : h) n = name[n];
    expect_sound_solid(shuffled, 0.999, 0.3);
    EXPECT_NEAR(volume(split_hexes(shuffled)), 1e-3, 1e-16);
  }
}

TEST(Topology, neighbours_are_mutual_and_share_the_edge) {
  const auto ball = icosphere({.subdivisions = 2});
  const auto neighbours = triangle_neighbours(ball->triangles);
  for (size_t t = 0; t < neighbours.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int other = neighbours[t][k];
      ASSERT_GE(other, 0);
      const auto& back = neighbours[other];
      EXPECT_EQ(std::count(back.begin(), back.end(), static_cast<int>(t)), 1);
      for (int node : {ball->triangles[t][k], ball->triangles[t][(k + 1) % 3]})
        EXPECT_EQ(std::count(ball->triangles[other].begin(), ball->triangles[other].end(), node), 1);
    }
}

TEST(Topology, holes_appear_as_loops_that_run_along_their_triangles) {
  TriMesh ball = *icosphere({.subdivisions = 2});
  EXPECT_TRUE(boundary_loops(ball.triangles).empty());
  // Remove the fans of two vertices that share no neighbour: the fan's outer ring becomes a loop.
  std::set<std::set<int>> expected;
  std::vector<Triangle> kept;
  std::set<int> ring0, ring1;
  for (const Triangle& t : ball.triangles) {
    const bool at0 = std::count(t.begin(), t.end(), 0), at1 = std::count(t.begin(), t.end(), 3);
    for (int n : t) {
      if (at0 && n != 0) ring0.insert(n);
      if (at1 && n != 3) ring1.insert(n);
    }
    if (!at0 && !at1) kept.push_back(t);
  }
  const auto loops = boundary_loops(kept);
  ASSERT_EQ(loops.size(), 2u);
  std::set<std::set<int>> found;
  for (const auto& loop : loops) {
    found.insert(std::set<int>(loop.begin(), loop.end()));
    EXPECT_EQ(loop.size(), 5u);
    for (size_t k = 0; k < loop.size(); ++k) {
      const int a = loop[k], b = loop[(k + 1) % loop.size()];
      EXPECT_TRUE(std::any_of(kept.begin(), kept.end(), [&](const Triangle& t) {
        return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
      }));
    }
  }
  EXPECT_EQ(found, (std::set<std::set<int>>{ring0, ring1}));
  EXPECT_EQ(euler_characteristic(kept), 0);  // a sphere without two discs
  EXPECT_EQ(orientation({ball.nodes, kept}), Orientation::open);
}

TEST(Topology, orientation_tells_flipped_and_mixed_surfaces) {
  TriMesh ball = *icosphere({.subdivisions = 1});
  EXPECT_EQ(orientation(ball), Orientation::outward);
  for (Triangle& t : ball.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(orientation(ball), Orientation::inward);
  std::swap(ball.triangles[7][0], ball.triangles[7][1]);
  EXPECT_EQ(orientation(ball), Orientation::inconsistent);
  EXPECT_EQ(orientation({}), Orientation::open);
}

TEST(Topology, parts_are_those_that_share_no_node) {
  const auto mesh = lattice_hexes(
      {5, 1, 1}, [](int i, int, int) { return i != 2; }, [](int i, int j, int k) { return Vec3(i, j, k); });
  const Components parts = connected_components(mesh.hexes);
  EXPECT_EQ(parts.count, 2);
  EXPECT_EQ(parts.of_element, (std::vector{0, 0, 1, 1}));
  EXPECT_EQ(connected_components(split_hexes(mesh).tets).count, 2);
  EXPECT_EQ(connected_components(extract_surface(mesh).mesh.triangles).count, 2);
  EXPECT_EQ(connected_components(std::span<const Tet>{}).count, 0);
}

TEST(Topology, unused_nodes_are_dropped_without_moving_an_element) {
  auto mesh = box_tets({.cells = {2, 2, 2}});
  TetMesh padded = *mesh;
  std::vector<int> name;
  padded.nodes.clear();
  for (size_t n = 0; n < mesh->nodes.size(); ++n) {
    padded.nodes.push_back(Vec3::Constant(-9));  // unused
    name.push_back(static_cast<int>(padded.nodes.size()));
    padded.nodes.push_back(mesh->nodes[n]);
  }
  for (Tet& t : padded.tets)
    for (int& n : t) n = name[n];
  EXPECT_EQ(nodes_used(padded.tets), name);
  EXPECT_EQ(drop_unused_nodes(padded), name);
  EXPECT_EQ(padded.nodes, mesh->nodes);
  EXPECT_EQ(padded.tets, mesh->tets);
}

}  // namespace topology_test
}  // namespace palp
