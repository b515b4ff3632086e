#include "palp/mesh/quality.hpp"

#include <limits>
#include <random>

#include "mesh/support.hpp"

#include "palp/mesh/generators.hpp"
#include "palp/mesh/voxels.hpp"

namespace palp {
namespace quality_test {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

/// The defect is found with exactly these numbers, and they stand in the text.
void expect_found(const MeshReport& report, Defect defect, const std::vector<int>& items, bool fatal) {
  const Finding* finding = report.find(defect);
  ASSERT_NE(finding, nullptr) << name(defect) << " not found in\n" << report.text();
  EXPECT_EQ(finding->items, items) << report.text();
  EXPECT_EQ(finding->fatal, fatal);
  EXPECT_FALSE(finding->remedy.empty());
  if (fatal) {
    EXPECT_FALSE(report.ok());
  }
  for (size_t k = 0; k < std::min<size_t>(items.size(), 5); ++k)
    EXPECT_NE(report.text().find(std::to_string(items[k])), std::string::npos) << report.text();
}

TEST(Quality, measures_are_one_for_regular_elements_and_known_for_others) {
  const std::vector<Vec3> regular{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
  EXPECT_NEAR(std::abs(tet_quality(regular, {0, 1, 2, 3})), 1, 1e-14);
  EXPECT_NEAR(tet_quality(regular, {0, 1, 2, 3}), -tet_quality(regular, {1, 0, 2, 3}), 1e-15);
  // The corner of a cube: V = 1/6, Σ l² = 9; 12 · 2^(−2/3) / 9.
  const std::vector<Vec3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_NEAR(tet_quality(corner, {0, 1, 2, 3}), 12 * std::pow(2, -2.0 / 3) / 9, 1e-14);
  EXPECT_NEAR(triangle_quality(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}}, {0, 1, 2}),
              1, 1e-14);
  EXPECT_NEAR(triangle_quality(corner, {0, 1, 2}), std::sqrt(3) / 2, 1e-14);  // 4√3 · ½ / 4
  const auto cube = box_hexes({.size_m = {1, 5, 20}, .cells = {1, 1, 1}});
  EXPECT_NEAR(hex_quality(cube->nodes, cube->hexes[0]), 1, 1e-14);
  // A parallelepiped sheared by 60°: the sine of the remaining angle.
  const auto sheared = lattice_hexes(
      {1, 1, 1}, [](int, int, int) { return true; },
      [](int i, int j, int k) { return Vec3(i + k * std::sqrt(3), j, k); });
  EXPECT_NEAR(hex_quality(sheared.nodes, sheared.hexes[0]), 0.5, 1e-14);
}

TEST(Quality, is_independent_of_scale_even_at_the_ends_of_the_range) {
  const std::vector<Vec3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (double scale : {1e-150, 1e-9, 1e150}) {
    std::vector<Vec3> scaled;
    for (const Vec3& p : corner) scaled.push_back(scale * p);
    EXPECT_NEAR(tet_quality(scaled, {0, 1, 2, 3}), tet_quality(corner, {0, 1, 2, 3}), 1e-12);
    EXPECT_NEAR(triangle_quality(scaled, {0, 1, 2}), triangle_quality(corner, {0, 1, 2}), 1e-12);
  }
}

TEST(Quality, each_defect_of_a_tet_mesh_is_found_with_its_number) {
  const TetMesh good = *box_tets({.cells = {3, 3, 3}});
  EXPECT_TRUE(check_mesh(good).findings.empty());
  EXPECT_NE(check_mesh(good).text().find("no defects"), std::string::npos);

  TetMesh mesh = good;
  std::swap(mesh.tets[17][0], mesh.tets[17][1]);
  std::swap(mesh.tets[40][2], mesh.tets[40][1]);
  expect_found(check_mesh(mesh), Defect::inverted, {17, 40}, true);
  EXPECT_LT(check_mesh(mesh).worst_quality, 0);

  mesh = good;
  mesh.tets[9][2] = mesh.tets[9][1];
  expect_found(check_mesh(mesh), Defect::repeated_node, {9}, true);

  mesh = good;
  mesh.tets[5][3] = 64;  // nodes are 0 … 63
  mesh.tets[6][0] = -1;
  expect_found(check_mesh(mesh), Defect::index_out_of_range, {5, 6}, true);

  mesh = good;
  mesh.nodes[12].y() = nan_value;
  mesh.nodes[30].z() = std::numeric_limits<double>::infinity();
  expect_found(check_mesh(mesh), Defect::not_finite, {12, 30}, true);

  mesh = good;
  mesh.nodes.push_back({0.01, 0.01, 0.01});
  expect_found(check_mesh(mesh), Defect::unused_node, {64}, false);

  mesh = good;
  mesh.nodes.push_back(mesh.nodes[20]);
  expect_found(check_mesh(mesh), Defect::duplicate_node, {64}, false);

  mesh = good;
  mesh.tets.push_back(mesh.tets[3]);
  expect_found(check_mesh(mesh), Defect::duplicate_element, {static_cast<int>(good.tets.size())}, true);

  mesh = good;
  const int first = static_cast<int>(mesh.nodes.size());
  mesh.nodes.insert(mesh.nodes.end(), {{1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {1 + 1e-7, 1, 1}});
  mesh.tets.push_back({first, first + 1, first + 2, first + 3});
  expect_found(check_mesh(mesh), Defect::degenerate, {static_cast<int>(good.tets.size())}, true);
  expect_found(check_mesh(mesh), Defect::several_parts, {static_cast<int>(good.tets.size())}, false);

  expect_found(check_mesh(TetMesh{}), Defect::empty, {}, true);
}

TEST(Quality, size_in_millimetres_raises_suspicion_and_metres_do_not) {
  EXPECT_EQ(check_mesh(*box_tets({.size_m = {0.1, 0.1, 0.1}})).find(Defect::suspicious_units), nullptr);
  expect_found(check_mesh(*box_tets({.size_m = {100, 100, 100}})), Defect::suspicious_units, {}, false);
  expect_found(check_mesh(*box_tets({.size_m = {1e-5, 1e-5, 1e-5}})), Defect::suspicious_units, {}, false);
}

TEST(Quality, bent_hexes_are_found_with_their_number) {
  HexMesh mesh = *box_hexes({.size_m = {1, 1, 1}, .cells = {3, 3, 3}});
  // Pull the node in the middle of the block beyond the opposite corner of one of its cells.
  const int middle = mesh.hexes[13][0];
  mesh.nodes[middle] = mesh.nodes[mesh.hexes[13][6]] + Vec3(0.1, 0.1, 0.1);
  const MeshReport report = check_mesh(mesh);
  const Finding* inverted = report.find(Defect::inverted);
  ASSERT_NE(inverted, nullptr);
  EXPECT_TRUE(std::binary_search(inverted->items.begin(), inverted->items.end(), 13));
  for (int h : inverted->items) EXPECT_EQ(std::count(mesh.hexes[h].begin(), mesh.hexes[h].end(), middle), 1);
}

TEST(Quality, defects_of_a_surface_are_found_with_their_triangles) {
  const TriMesh good = *icosphere({.subdivisions = 2});
  EXPECT_TRUE(check_mesh(good).findings.empty());
  const auto neighbours = triangle_neighbours(good.triangles);

  TriMesh mesh = good;  // the last triangle missing: its three neighbours lie at a rim
  std::vector<int> around(neighbours.back().begin(), neighbours.back().end());
  std::sort(around.begin(), around.end());
  mesh.triangles.pop_back();
  expect_found(check_mesh(mesh), Defect::open_edge, around, true);
  EXPECT_TRUE(check_mesh(mesh, false).ok());  // allowed for a sheet

  mesh = good;
  std::swap(mesh.triangles[50][0], mesh.triangles[50][1]);
  around.assign(neighbours[50].begin(), neighbours[50].end());
  around.push_back(50);
  std::sort(around.begin(), around.end());
  expect_found(check_mesh(mesh), Defect::orientation, around, true);

  mesh = good;
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  expect_found(check_mesh(mesh), Defect::inside_out, {}, true);

  // A fin on the edge of triangle 10: that triangle, its neighbour and the fin meet there.
  mesh = good;
  mesh.nodes.push_back(2 * mesh.nodes[mesh.triangles[10][0]]);
  mesh.triangles.push_back(
      {mesh.triangles[10][0], mesh.triangles[10][1], static_cast<int>(good.nodes.size())});
  around = {10, neighbours[10][0], static_cast<int>(good.triangles.size())};
  std::sort(around.begin(), around.end());
  expect_found(check_mesh(mesh), Defect::non_manifold_edge, around, true);

  // Two balls that share one vertex.
  mesh = good;
  const int offset = static_cast<int>(good.nodes.size());
  for (const Vec3& p : good.nodes) mesh.nodes.push_back(2 * good.nodes[4] - p);
  for (const auto& [a, b, c] : good.triangles) {
    Triangle t{a + offset, c + offset, b + offset};  // mirrored, so reversed
    for (int& n : t)
      if (n == 4 + offset) n = 4;
    mesh.triangles.push_back(t);
  }
  const MeshReport touching = check_mesh(mesh);
  expect_found(touching, Defect::non_manifold_vertex, {4}, false);
  EXPECT_EQ(touching.find(Defect::non_manifold_edge), nullptr);
  EXPECT_EQ(touching.find(Defect::several_parts), nullptr);
}

TEST(Quality, many_offenders_are_summarised_in_the_text_and_listed_in_full) {
  TetMesh mesh = *box_tets({.cells = {5, 5, 5}});
  for (Tet& t : mesh.tets) std::swap(t[0], t[1]);
  const MeshReport report = check_mesh(mesh);
  const Finding* inverted = report.find(Defect::inverted);
  ASSERT_NE(inverted, nullptr);
  EXPECT_EQ(inverted->items.size(), 750u);
  EXPECT_NE(inverted->message.find("750"), std::string::npos);
  EXPECT_NE(inverted->message.find("(742 more)"), std::string::npos) << inverted->message;
  EXPECT_LT(report.text().size(), 600u);
}

TEST(Quality, curves_are_checked_too) {
  EXPECT_TRUE(check_mesh(*straight_curve({})).findings.empty());
  Curve curve = *straight_curve({.segments = 4});
  curve.nodes[2] = curve.nodes[1];
  expect_found(check_mesh(curve), Defect::degenerate, {1}, true);
  expect_found(check_mesh(curve), Defect::duplicate_node, {2}, false);
  curve.nodes[3].x() = nan_value;
  expect_found(check_mesh(curve), Defect::not_finite, {3}, true);
  expect_found(check_mesh(Curve{}), Defect::empty, {}, true);
  expect_found(check_mesh(Curve{{Vec3(1, 2, 3)}, false}), Defect::empty, {}, true);
}

TEST(Quality, random_damage_never_crashes_and_never_passes_for_sound_when_indices_or_numbers_are_broken) {
  std::mt19937 rng(2024);
  const auto pick = [&](size_t n) { return static_cast<size_t>(rng() % n); };
  const double poison[] = {nan_value, std::numeric_limits<double>::infinity(), 1e308, -1e308, 5e-324, 0, 1e9};
  const int wrong_index[] = {-1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), 27,
                             1000000};
  for (int trial = 0; trial < 600; ++trial) {
    TetMesh tets = *box_tets({.cells = {2, 2, 2}});
    HexMesh hexes = *box_hexes({.cells = {2, 2, 2}});
    TriMesh skin = extract_surface(hexes).mesh;
    for (size_t k = 0, damages = 1 + pick(4); k < damages; ++k) {
      const double value = poison[pick(7)];
      const int index = wrong_index[pick(5)];
      if (trial % 2) {
        for (auto* nodes : {&tets.nodes, &hexes.nodes, &skin.nodes})
          (*nodes)[pick(nodes->size())][pick(3)] = value;
      } else {
        tets.tets[pick(tets.tets.size())][pick(4)] = index;
        hexes.hexes[pick(hexes.hexes.size())][pick(8)] = index;
        skin.triangles[pick(skin.triangles.size())][pick(3)] = index;
      }
    }
    const auto broken = [](const auto& nodes, const auto& elements) {
      return std::any_of(nodes.begin(), nodes.end(), [](const Vec3& p) { return !p.allFinite(); }) ||
             std::any_of(elements.begin(), elements.end(), [&](const auto& e) {
               return std::any_of(e.begin(), e.end(),
                                  [&](int n) { return n < 0 || n >= static_cast<int>(nodes.size()); });
             });
    };
    const auto expect_told = [](const MeshReport& report, bool is_broken) {
      EXPECT_FALSE(report.text().empty());
      if (is_broken) {
        EXPECT_FALSE(report.ok()) << report.text();
      }
    };
    expect_told(check_mesh(tets), broken(tets.nodes, tets.tets));
    expect_told(check_mesh(hexes), broken(hexes.nodes, hexes.hexes));
    expect_told(check_mesh(skin), broken(skin.nodes, skin.triangles));
    // What the checks refuse, the embedding refuses as well.
    if (broken(tets.nodes, tets.tets)) {
      EXPECT_FALSE(embed(std::vector<Vec3>{Vec3::Zero()}, tets));
    }
    const auto body = embed_in_voxel_hexes(skin, {.wanted_cells = 10});
    if (broken(skin.nodes, skin.triangles)) {
      EXPECT_FALSE(body);
    }
  }
}

TEST(Quality, random_soup_of_triangles_never_crashes) {
  std::mt19937 rng(99);
  for (int trial = 0; trial < 500; ++trial) {
    TriMesh soup;
    const int nodes = 1 + static_cast<int>(rng() % 9);
    for (int n = 0; n < nodes; ++n) soup.nodes.emplace_back(rng() % 3, rng() % 3, rng() % 3);
    for (int t = 0, count = static_cast<int>(rng() % 20); t < count; ++t)
      soup.triangles.push_back({static_cast<int>(rng() % nodes), static_cast<int>(rng() % nodes),
                                static_cast<int>(rng() % nodes)});
    EXPECT_FALSE(check_mesh(soup).text().empty());
    boundary_loops(soup.triangles);
    triangle_neighbours(soup.triangles);
    orientation(soup);
    if (const auto body = embed_in_voxel_tets(soup, {.wanted_cells = 20})) {
      EXPECT_TRUE(check_mesh(body->mesh).ok());
    }
  }
}

}  // namespace quality_test
}  // namespace palp
