#include "palp/mesh/voxels.hpp"

#include <limits>
#include <map>
#include <numbers>

#include "mesh/support.hpp"

#include "palp/mesh/generators.hpp"
#include "palp/mesh/triangle_geometry.hpp"

namespace palp {
namespace {

/// Parts of a hex mesh joined by whole faces.
int face_parts(const HexMesh& mesh) {
  std::map<std::array<int, 4>, std::vector<int>> owners;
  for (size_t h = 0; h < mesh.hexes.size(); ++h)
    for (const auto& f : hex_faces) {
      std::array<int, 4> key;
      for (int c = 0; c < 4; ++c) key[c] = mesh.hexes[h][f[c]];
      std::sort(key.begin(), key.end());
      owners[key].push_back(static_cast<int>(h));
    }
  std::vector<int> label(mesh.hexes.size());
  for (size_t h = 0; h < label.size(); ++h) label[h] = static_cast<int>(h);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [key, list] : owners)
      if (list.size() == 2 && label[list[0]] != label[list[1]]) {
        label[list[0]] = label[list[1]] = std::min(label[list[0]], label[list[1]]);
        changed = true;
      }
  }
  std::sort(label.begin(), label.end());
  return static_cast<int>(std::unique(label.begin(), label.end()) - label.begin());
}

Vec3 centre_of(const HexMesh& mesh, const Hex& hex) {
  Vec3 sum = Vec3::Zero();
  for (int n : hex) sum += mesh.nodes[n];
  return sum / 8;
}

/// The surface sits inside its cubes, every cube touches the surface or its inside, and all hang together.
void expect_good_cover(const TriMesh& surface, const VoxelHexes& body) {
  EXPECT_TRUE(body.embedding.extrapolated.empty());
  std::vector<Vec3> out(surface.nodes.size());
  body.embedding.positions(body.mesh.nodes, out);
  for (size_t v = 0; v < out.size(); ++v) ASSERT_LT((out[v] - surface.nodes[v]).norm(), 1e-12);
  EXPECT_EQ(face_parts(body.mesh), 1);
  const MeshReport report = check_mesh(body.mesh);
  EXPECT_TRUE(report.findings.empty()) << report.text();
  EXPECT_NEAR(report.worst_quality, 1, 1e-9);
  const Vec3 half = Vec3::Constant(body.cell_m / 2 * (1 + 1e-6));
  for (const Hex& hex : body.mesh.hexes) {
    const Vec3 c = centre_of(body.mesh, hex);
    bool touched = winding_number(surface, c) > 0.5;
    for (size_t t = 0; t < surface.triangles.size() && !touched; ++t) {
      const Triangle& k = surface.triangles[t];
      touched = triangle_touches_box(surface.nodes[k[0]], surface.nodes[k[1]], surface.nodes[k[2]], c, half);
    }
    ASSERT_TRUE(touched);
  }
}

TEST(Voxels, a_box_of_whole_cubes_is_filled_exactly) {
  const TriMesh box =
      extract_surface(*box_hexes({.size_m = {0.04, 0.03, 0.02}, .centre_m = {1, 2, 3}, .cells = {7, 3, 2}}))
          .mesh;
  const auto body = embed_in_voxel_hexes(box, {.cell_m = 0.01});
  ASSERT_TRUE(body);
  EXPECT_EQ(body->mesh.hexes.size(), 24u);
  EXPECT_NEAR(volume(body->mesh), 0.04 * 0.03 * 0.02, 1e-15);
  expect_good_cover(box, *body);
}

TEST(Voxels, cubes_cover_a_ball_and_shrink_onto_it) {
  const auto ball = icosphere({.radius_m = 0.05, .subdivisions = 3});
  double excess[2];
  for (int level = 0; level < 2; ++level) {
    const auto body = embed_in_voxel_hexes(*ball, {.cell_m = 0.0099 / (1 << level)});
    ASSERT_TRUE(body);
    expect_good_cover(*ball, *body);
    excess[level] = volume(body->mesh) - enclosed_volume(*ball);
    EXPECT_GT(excess[level], 0);
  }
  EXPECT_NEAR(excess[0] / excess[1], 2, 0.5);  // a layer as thick as a cube
}

TEST(Voxels, the_wanted_number_is_met_within_a_quarter) {
  for (int wanted : {60, 300, 2000}) {
    for (const TriMesh& s :
         {*icosphere({.subdivisions = 3}), *tube_surface({}), extract_surface(*clip_tets({})).mesh,
          extract_surface(*table_tets({.reinforced_along_x = true})).mesh}) {
      const auto body = embed_in_voxel_hexes(s, {.wanted_cells = wanted});
      ASSERT_TRUE(body);
      EXPECT_GT(body->mesh.hexes.size(), 0.75 * wanted);
      EXPECT_LT(body->mesh.hexes.size(), 1.33 * wanted);
      expect_good_cover(s, *body);
    }
  }
}

TEST(Voxels, hollows_stay_empty_and_inside_out_surfaces_are_understood) {
  TriMesh shell = *icosphere({.radius_m = 0.05, .subdivisions = 3});
  const TriMesh hollow = *icosphere({.radius_m = 0.03, .subdivisions = 3});
  const int offset = static_cast<int>(shell.nodes.size());
  shell.nodes.insert(shell.nodes.end(), hollow.nodes.begin(), hollow.nodes.end());
  for (const auto& [a, b, c] : hollow.triangles)
    shell.triangles.push_back({a + offset, c + offset, b + offset});
  const auto body = embed_in_voxel_hexes(shell, {.cell_m = 0.005});
  ASSERT_TRUE(body);
  for (const Hex& hex : body->mesh.hexes)
    EXPECT_GT(centre_of(body->mesh, hex).norm(), 0.03 - 0.005 * std::sqrt(3));
  EXPECT_TRUE(body->embedding.extrapolated.empty());

  TriMesh flipped = hollow;
  for (Triangle& t : flipped.triangles) std::swap(t[1], t[2]);
  EXPECT_EQ(embed_in_voxel_hexes(flipped, {.cell_m = 0.005})->mesh.hexes,
            embed_in_voxel_hexes(hollow, {.cell_m = 0.005})->mesh.hexes);
}

TEST(Voxels, tets_carry_the_surface_as_well) {
  const TriMesh skin = extract_surface(*clip_tets({})).mesh;
  const auto body = embed_in_voxel_tets(skin, {.cell_m = 0.003});
  ASSERT_TRUE(body);
  expect_sound_solid(body->mesh, 0.5);
  EXPECT_TRUE(body->embedding.extrapolated.empty());
  std::vector<Vec3> out(skin.nodes.size());
  body->embedding.positions(body->mesh.nodes, out);
  for (size_t v = 0; v < out.size(); ++v) EXPECT_LT((out[v] - skin.nodes[v]).norm(), 1e-14);
}

TEST(Voxels, a_sheet_thinner_than_a_cube_gives_one_connected_layer) {
  for (double angle : {0.0, 0.3, std::numbers::pi / 4}) {
    TriMesh plate = extract_surface(*box_hexes({.size_m = {0.1, 0.05, 0.001}, .cells = {20, 10, 1}})).mesh;
    const Mat3 turn = Eigen::AngleAxisd(angle, Vec3(0, 1, 0)).toRotationMatrix();
    for (Vec3& p : plate.nodes) p = turn * p;
    const auto body = embed_in_voxel_hexes(plate, {.cell_m = 0.01});
    ASSERT_TRUE(body);
    expect_good_cover(plate, *body);
  }
}

TEST(Voxels, cubes_that_would_hang_together_by_an_edge_only_are_joined_by_faces) {
  // Two unit cubes on the grid with a common edge: without the cubes that merely graze the surface they would
  // be a hinge.
  const auto cubes = lattice_hexes(
      {2, 2, 1}, [](int i, int j, int) { return i == j; }, [](int i, int j, int k) { return Vec3(i, j, k); });
  const TriMesh surface = extract_surface(cubes).mesh;
  const auto body = embed_in_voxel_hexes(surface, {.cell_m = 1});
  ASSERT_TRUE(body);
  EXPECT_GT(body->mesh.hexes.size(), 2u);
  EXPECT_EQ(face_parts(body->mesh), 1);
}

TEST(Voxels, a_closed_surface_without_volume_is_covered_all_the_same) {
  // Two doubly covered triangles on opposite sides of the grid: they graze cubes and cross none.
  const TriMesh flat{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {0, 2, 2}},
                     {{0, 1, 2}, {0, 2, 1}, {3, 4, 5}, {3, 5, 4}}};
  const auto body = embed_in_voxel_hexes(flat, {.cell_m = 1});
  ASSERT_TRUE(body);
  EXPECT_TRUE(body->embedding.extrapolated.empty());
}

TEST(Voxels, surfaces_without_an_inside_are_errors_that_say_where) {
  const auto message = [](const TriMesh& s, const VoxelOptions& o = {}) {
    const auto result = embed_in_voxel_hexes(s, o);
    return result ? std::string() : result.error().text();
  };
  TriMesh ball = *icosphere({.subdivisions = 1});
  TriMesh open = ball;
  open.triangles.pop_back();
  EXPECT_NE(message(open).find("3 open edges"), std::string::npos) << message(open);
  TriMesh twisted = ball;
  std::swap(twisted.triangles[17][0], twisted.triangles[17][1]);
  EXPECT_NE(message(twisted).find("opposite senses at 3 edges"), std::string::npos) << message(twisted);
  TriMesh wild = ball;
  wild.triangles[3][1] = 4000;
  EXPECT_NE(message(wild).find("triangle 3"), std::string::npos);
  TriMesh nan = ball;
  nan.nodes[5].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(nan).find("node 5"), std::string::npos);
  EXPECT_NE(message({}), "");
  EXPECT_NE(message(ball, {.cell_m = 1e-9}), "");
  EXPECT_NE(message(ball, {.cell_m = -1}), "");
  TriMesh point = ball;
  for (Vec3& p : point.nodes) p.setZero();
  EXPECT_NE(message(point), "");
}

}  // namespace
}  // namespace palp
