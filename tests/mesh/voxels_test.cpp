#include "palp/mesh/voxels.hpp"

#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "mesh/support.hpp"

#include "palp/mesh/cell_moments.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/triangle_geometry.hpp"

namespace palp {
namespace voxels_test {

Vec3 centre_of(const HexMesh& mesh, const Hex& hex) {
  Vec3 sum = Vec3::Zero();
  for (int n : hex) sum += mesh.nodes[n];
  return sum / 8;
}

/// The surface sits inside its cells, every cell touches the surface or its inside, all hang together, and
/// the body has the volume and the centre of what the surface encloses.
void expect_good_cover(const TriMesh& surface, const VoxelHexes& body) {
  EXPECT_TRUE(body.embedding.extrapolated.empty());
  std::vector<Vec3> out(surface.nodes.size());
  body.embedding.positions(body.mesh.nodes, out);
  for (size_t v = 0; v < out.size(); ++v) ASSERT_LT((out[v] - surface.nodes[v]).norm(), 1e-12);
  EXPECT_EQ(body.report.parts, 1);
  EXPECT_EQ(connected_components(body.mesh.hexes).count, 1);
  EXPECT_TRUE(check_mesh(body.mesh).ok());
  const Vec3 half = body.cell_m / 2 * (1 + 1e-6);
  // The lattice may be turned: its axes are those of any of its hexes.
  Mat3 axes;
  const Hex& any = body.mesh.hexes[0];
  for (int k = 0; k < 3; ++k) {
    const Vec3 edge = body.mesh.nodes[any[std::array{1, 3, 4}[k]]] - body.mesh.nodes[any[0]];
    axes.col(k) = edge.normalized();
    EXPECT_NEAR(edge.norm(), body.cell_m[k], 1e-9 * edge.norm());
  }
  EXPECT_NEAR((axes.transpose() * axes - Mat3::Identity()).norm(), 0, 1e-9);
  for (const Hex& hex : body.mesh.hexes) {
    const Vec3 c = centre_of(body.mesh, hex);
    const auto seen = [&](int n) -> Vec3 { return axes.transpose() * (surface.nodes[n] - c); };
    bool touched = winding_number(surface, c) > 0.5;
    for (size_t t = 0; t < surface.triangles.size() && !touched; ++t) {
      const Triangle& k = surface.triangles[t];
      touched = triangle_touches_box(seen(k[0]), seen(k[1]), seen(k[2]), Vec3::Zero(), half);
    }
    ASSERT_TRUE(touched);
  }
  EXPECT_NEAR(body.report.volume_m3 / enclosed_volume(surface), 1, 0.005);
  EXPECT_LT((body.report.centre_m - body.report.surface_centre_m).norm(),
            1e-3 * body.report.surface_diagonal_m);
}

/// Nodes of the elements that carry a point of the surface.
std::set<int> nodes_at(const TriMesh& surface, const VoxelHexes& body, const Vec3& p) {
  std::set<int> out;
  for (size_t v = 0; v < surface.nodes.size(); ++v)
    if ((surface.nodes[v] - p).norm() < 1e-9)
      for (int n : body.embedding.nodes_of(static_cast<int>(v))) out.insert(n);
  return out;
}

bool apart(const std::set<int>& a, const std::set<int>& b) {
  return std::none_of(a.begin(), a.end(), [&](int n) { return b.contains(n); });
}

/// A polygon, counter-clockwise and star-shaped around the origin, drawn out along z from 0.
TriMesh prism(const std::vector<Vec2>& polygon, double height) {
  TriMesh out;
  const int n = static_cast<int>(polygon.size());
  for (double z : {0.0, height})
    for (const Vec2& p : polygon) out.nodes.emplace_back(p.x(), p.y(), z);
  out.nodes.emplace_back(0, 0, 0);
  out.nodes.emplace_back(0, 0, height);
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    out.triangles.insert(out.triangles.end(),
                         {{i, j, n + j}, {i, n + j, n + i}, {2 * n, j, i}, {2 * n + 1, n + i, n + j}});
  }
  return out;
}

TriMesh turned(TriMesh mesh, double angle, const Vec3& axis) {
  const Mat3 turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  for (Vec3& p : mesh.nodes) p = turn * p;
  return mesh;
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

TEST(Voxels, a_ball_weighs_what_its_surface_encloses_at_any_size_of_cells) {
  const auto ball = icosphere({.radius_m = 0.05, .subdivisions = 3});
  for (double cell : {0.03, 0.0099, 0.005}) {
    const auto body = embed_in_voxel_hexes(*ball, {.cell_m = cell});
    ASSERT_TRUE(body);
    expect_good_cover(*ball, *body);
  }
}

TEST(Voxels, moments_of_a_cut_cell_are_those_of_a_tetrahedron) {
  // x + y + z < s in the first octant, in a lattice of one cell [0, s]³.
  for (double s : {1.0, 0.3}) {
    const TriMesh corner{{{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}},
                         {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    const BoxLattice lattice{Vec3::Zero(), Vec3::Constant(s), {1, 1, 1}};
    const EnclosedCells cells = enclosed_cells(corner, lattice);
    ASSERT_EQ(cells.moments.size(), 1u);
    double m[27] = {};
    for (const CellSample& q : fill_of(cells.moments[0])) {
      const Vec3 x = 0.5 * s * (q.xi + Vec3::Ones());
      for (int i = 0; i < 27; ++i)
        m[i] += q.weight * s * s * s / 8 * std::pow(x[0], i % 3) * std::pow(x[1], i / 3 % 3) *
                std::pow(x[2], i / 9);
    }
    // ∫ x^a y^b z^c = a! b! c! / (a + b + c + 3)! s^(a+b+c+3)
    for (int i = 0; i < 27; ++i) {
      const int a = i % 3, b = i / 3 % 3, c = i / 9;
      const double expected = std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) /
                              std::tgamma(a + b + c + 4) * std::pow(s, a + b + c + 3);
      EXPECT_NEAR(m[i], expected, 1e-14 * std::pow(s, a + b + c + 3)) << i;
    }
  }
}

TEST(Voxels, moments_add_up_over_any_lattice) {
  // A turned box: its volume and its second moments about the centre, whatever the cells.
  const Vec3 size(0.07, 0.03, 0.02);
  const TriMesh box =
      turned(extract_surface(*box_hexes({.size_m = size, .cells = {1, 1, 1}})).mesh, 0.8, {1, 2, -1});
  Eigen::AlignedBox3d around;
  for (const Vec3& p : box.nodes) around.extend(p);
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Mat3 expected =
      turn * Vec3(size.cwiseProduct(size) / 12).asDiagonal() * turn.transpose() * size.prod();
  for (double cell : {0.1, 0.013, 0.004}) {
    const BoxLattice lattice = BoxLattice::around(around, Vec3(cell, 1.3 * cell, 0.7 * cell));
    const EnclosedCells cells = enclosed_cells(box, lattice);
    double volume_sum = 0;
    Mat3 second = Mat3::Zero();
    for (size_t c = 0; c < cells.slot.size(); ++c) {
      if (cells.slot[c] == EnclosedCells::empty) continue;
      for (const CellSample& q :
           fill_of(cells.slot[c] == EnclosedCells::full ? full_moments() : cells.moments[cells.slot[c]])) {
        const Vec3 x = lattice.centre(lattice.at(c)) + 0.5 * lattice.cell().cwiseProduct(q.xi);
        volume_sum += q.weight * lattice.cell().prod() / 8;
        second += q.weight * lattice.cell().prod() / 8 * x * x.transpose();
      }
    }
    EXPECT_NEAR(volume_sum / size.prod(), 1, 1e-12);
    EXPECT_LT((second - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(Voxels, prongs_closer_than_a_cell_do_not_fuse) {
  // A fork: two prongs from y = 0 to 10, a third of a cell apart, on a back of height 3; in all attitudes.
  std::vector<Vec2> fork{{-3, -3},  {3, -3},    {3, 10},     {0.15, 10},
                         {0.15, 0}, {-0.15, 0}, {-0.15, 10}, {-3, 10}};
  TriMesh straight;
  for (double z : {0.0, 2.0})
    for (const Vec2& p : fork) straight.nodes.emplace_back(p.x(), p.y(), z);
  // The polygon in triangles: left prong, right prong, back.
  for (const auto& [a, b, c] :
       std::vector<Triangle>{{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 7}, {5, 6, 7}}) {
    straight.triangles.push_back({8 + a, 8 + b, 8 + c});
    straight.triangles.push_back({a, c, b});
  }
  for (int i = 0; i < 8; ++i) {
    const int j = (i + 1) % 8;
    straight.triangles.push_back({i, j, 8 + j});
    straight.triangles.push_back({i, 8 + j, 8 + i});
  }
  ASSERT_NEAR(enclosed_volume(straight), 2 * (6 * 13 - 0.3 * 10), 1e-12);
  for (double angle : {0.0, 0.2, 0.5, 1.1})
    for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(1, 2, 3)}) {
      const TriMesh surface = turned(straight, angle, axis);
      const auto body = embed_in_voxel_hexes(surface, {.cell_m = 0.9});
      ASSERT_TRUE(body);
      expect_good_cover(surface, *body);
      EXPECT_GT(body->report.doubled_cells, 0);
      for (int level : {0, 8})
        EXPECT_TRUE(apart(nodes_at(surface, *body, surface.nodes[3 + level]),
                          nodes_at(surface, *body, surface.nodes[6 + level])))
            << angle;
    }
}

TEST(Voxels, teeth_of_a_gear_stay_apart_and_the_gear_weighs_what_it_weighs) {
  const int teeth = 16;
  std::vector<Vec2> outline;
  for (int i = 0; i < teeth; ++i)
    for (const auto& [r, at] : {std::pair{16.0, 0.0}, {20.0, 0.1}, {20.0, 0.8}, {16.0, 0.9}}) {
      const double a = 2 * std::numbers::pi * (i + at) / teeth;
      outline.push_back(r * Vec2(std::cos(a), std::sin(a)));
    }
  const TriMesh gear = prism(outline, 5);
  const auto body =
      embed_in_voxel_hexes(gear, {.cell_m = 1.5});  // gaps from 0.6 at the roots to 2.4 at the tips
  ASSERT_TRUE(body);
  expect_good_cover(gear, *body);
  for (int i = 0; i < teeth; ++i)
    for (int level : {0, 4 * teeth})
      EXPECT_TRUE(apart(nodes_at(gear, *body, gear.nodes[4 * i + 2 + level]),
                        nodes_at(gear, *body, gear.nodes[(4 * i + 5) % (4 * teeth) + level])))
          << i;
}

TEST(Voxels, what_overlaps_counts_once_and_is_said) {
  TriMesh two = extract_surface(*box_hexes({.size_m = {3, 2, 2}, .cells = {3, 2, 2}})).mesh;
  const TriMesh other =
      extract_surface(*box_hexes({.size_m = {2, 2, 3}, .centre_m = {1.5, 0.3, 0.2}, .cells = {2, 2, 3}}))
          .mesh;
  const int offset = static_cast<int>(two.nodes.size());
  two.nodes.insert(two.nodes.end(), other.nodes.begin(), other.nodes.end());
  for (const auto& [a, b, c] : other.triangles) two.triangles.push_back({a + offset, b + offset, c + offset});
  const auto body = embed_in_voxel_hexes(two, {.cell_m = 0.3});
  ASSERT_TRUE(body);
  EXPECT_EQ(body->report.parts, 1);
  EXPECT_TRUE(body->report.overlaps);
  EXPECT_NEAR(body->report.volume_m3, 12 + 12 - 1 * 1.7 * 2, 0.3);
  ASSERT_FALSE(body->report.warnings().empty());
  EXPECT_NE(body->report.warnings()[0].find("runs through itself"), std::string::npos);
}

TEST(Voxels, the_wanted_number_is_about_met) {
  for (int wanted : {60, 300, 2000}) {
    for (const TriMesh& s :
         {*icosphere({.subdivisions = 3}), *tube_surface({}), extract_surface(*clip_tets({})).mesh,
          extract_surface(*table_tets({.reinforced_along_x = true})).mesh}) {
      const auto body = embed_in_voxel_hexes(s, {.wanted_cells = wanted});
      ASSERT_TRUE(body);
      EXPECT_GT(body->mesh.hexes.size(), 0.75 * wanted);
      EXPECT_LT(body->mesh.hexes.size(), 1.4 * wanted);
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
  EXPECT_EQ(connected_components(body->mesh.tets).count, 1);
  EXPECT_TRUE(body->embedding.extrapolated.empty());
  std::vector<Vec3> out(skin.nodes.size());
  body->embedding.positions(body->mesh.nodes, out);
  for (size_t v = 0; v < out.size(); ++v) EXPECT_LT((out[v] - skin.nodes[v]).norm(), 1e-14);
}

TEST(Voxels, a_sheet_thinner_than_a_cell_is_one_part_in_every_attitude) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const TriMesh plate =
      extract_surface(*box_hexes({.size_m = {0.1, 0.05, 0.001}, .cells = {20, 10, 1}})).mesh;
  std::vector<TriMesh> sheets{plate, turned(plate, 0.3, {0, 1, 0}),
                              turned(plate, std::numbers::pi / 4, {0, 1, 0})};
  for (int i = 0; i < 20; ++i)
    sheets.push_back(turned(plate, 3 * normal(random), {normal(random), normal(random), normal(random)}));
  for (const TriMesh& sheet : sheets)
    for (double cell : {0.02, 0.01, 0.004}) {
      const auto body = embed_in_voxel_hexes(sheet, {.cell_m = cell});
      ASSERT_TRUE(body);
      EXPECT_EQ(body->report.parts, 1);
      EXPECT_NEAR(body->report.volume_m3 / 5e-6, 1, 0.01);
      EXPECT_NEAR(body->report.thinnest_wall_m, 0.001, 1e-9);
      if (body->report.cells_through < 1) {
        EXPECT_FALSE(body->report.warnings().empty());
      }
    }
}

TEST(Voxels, a_hollow_ball_has_walls_of_its_thickness_and_enough_cells_through_them) {
  TriMesh shell = *icosphere({.radius_m = 0.05, .subdivisions = 4});
  const TriMesh hollow = *icosphere({.radius_m = 0.045, .subdivisions = 4});
  const int offset = static_cast<int>(shell.nodes.size());
  shell.nodes.insert(shell.nodes.end(), hollow.nodes.begin(), hollow.nodes.end());
  for (const auto& [a, b, c] : hollow.triangles)
    shell.triangles.push_back({a + offset, c + offset, b + offset});
  const auto body = embed_in_voxel_hexes(shell);
  ASSERT_TRUE(body);
  EXPECT_EQ(body->report.parts, 1);
  EXPECT_NEAR(body->report.thinnest_wall_m, 0.005, 5e-4);
  EXPECT_NEAR(body->report.volume_error(), 0, 0.005);
  EXPECT_GT(body->mesh.hexes.size(), 2500u);  // the walls ask for more than the budget of 4000
  EXPECT_LT(body->mesh.hexes.size(), 5000u);
}

TEST(Voxels, parts_that_touch_along_an_edge_only_are_two_and_the_report_says_so) {
  const auto cubes = lattice_hexes(
      {2, 2, 1}, [](int i, int j, int) { return i == j; }, [](int i, int j, int k) { return Vec3(i, j, k); });
  const TriMesh surface = extract_surface(cubes).mesh;
  const auto body = embed_in_voxel_hexes(surface, {.cell_m = 1});
  ASSERT_TRUE(body);
  EXPECT_EQ(body->mesh.hexes.size(), 2u);
  EXPECT_EQ(body->report.parts, 2);
  ASSERT_EQ(body->report.warnings().size(), 1u);
  EXPECT_NE(body->report.warnings()[0].find("2 parts"), std::string::npos);
}

TEST(Voxels, a_closed_surface_without_volume_is_refused) {
  const TriMesh flat{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {0, 2, 2}},
                     {{0, 1, 2}, {0, 2, 1}, {3, 4, 5}, {3, 5, 4}}};
  const auto body = embed_in_voxel_hexes(flat, {.cell_m = 1});
  ASSERT_FALSE(body);
  EXPECT_NE(body.error().text().find("encloses no volume"), std::string::npos) << body.error().text();
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

}  // namespace voxels_test
}  // namespace palp
