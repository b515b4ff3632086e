// Every reader against files written by hand.
#include <clocale>
#include <fstream>

#include "io/mesh_samples.hpp"
#include <gtest/gtest.h>

#include "palp/io/mesh_file.hpp"

namespace palp {
namespace mesh_read_test {

MeshFile parsed(const std::string& bytes, const std::string& name) {
  auto mesh = parse_mesh(bytes, name);
  if (!mesh) {
    ADD_FAILURE() << mesh.error().text();
    return {};
  }
  EXPECT_TRUE(check(*mesh)) << name;
  return *mesh;
}

const DataArray* find(const std::vector<DataArray>& arrays, const std::string& name) {
  for (const auto& a : arrays)
    if (a.name == name) return &a;
  return nullptr;
}

void expect_two_tets(const MeshFile& mesh, const std::string& name) {
  SCOPED_TRACE(name);
  const std::vector<Vec3> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  EXPECT_EQ(mesh.nodes, nodes);
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 2, 1}}));
  EXPECT_EQ(mesh.cells(), 3u);
}

TEST(MeshRead, solid_samples_of_every_format_say_the_same) {
  for (const auto& s : samples::every())
    if (s.name.find("msh") != s.name.npos ||
        (s.name.find("vt") != s.name.npos && s.name != "poly.vtk" && s.name != "base64.vtu"))
      expect_two_tets(parsed(s.bytes, s.name), s.name);
}

TEST(MeshRead, gmsh_groups_become_regions_and_named_sets) {
  for (const auto& text : {samples::gmsh22, samples::gmsh41}) {
    const auto mesh = parsed(text, "a.msh");
    EXPECT_EQ(mesh.region, (std::vector<int>{7, 1, 1}));  // triangle, then tets
    ASSERT_EQ(mesh.cell_sets.size(), 2u);
    EXPECT_EQ(mesh.cell_sets[0].name, "base");
    EXPECT_EQ(mesh.cell_sets[0].items, std::vector<int>{0});
    EXPECT_EQ(mesh.cell_sets[1].name, "solid body");
    EXPECT_EQ(mesh.cell_sets[1].items, (std::vector<int>{1, 2}));
    ASSERT_EQ(mesh.node_sets.size(), 1u);
    EXPECT_EQ(mesh.node_sets[0].name, "tip");
    EXPECT_EQ(mesh.node_sets[0].items, std::vector<int>{4});
    EXPECT_EQ(nodes_of_set(mesh, "base").value(), (std::vector<int>{0, 1, 2}));
    const auto unknown = nodes_of_set(mesh, "bse");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().remedy.find("base"), std::string::npos);
  }
}

TEST(MeshRead, gmsh_22_elements_repeated_for_a_second_group_are_one_cell_in_two_sets) {
  std::string text = samples::gmsh22;
  const auto change = [&](const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    ASSERT_NE(at, text.npos) << from;
    text = text.substr(0, at) + to + text.substr(at + from.size());
  };
  change("$PhysicalNames\n3\n", "$PhysicalNames\n4\n2 8 \"wall\"\n");
  change("$Elements\n4\n", "$Elements\n5\n5 2 2 8 1 10 12 11\n");
  const auto mesh = parsed(text, "a.msh");
  expect_two_tets(mesh, "one triangle");
  EXPECT_EQ(nodes_of_set(mesh, "wall").value(), nodes_of_set(mesh, "base").value());
}

TEST(MeshRead, data_arrays_follow_their_nodes_and_cells) {
  for (const auto& s :
       {samples::gmsh22, samples::vtk, samples::vtu, samples::vtk_binary(false), samples::vtk_binary(true)}) {
    const auto mesh = parsed(s, "by-content");
    const auto* t = find(mesh.point_data, "temperature");
    ASSERT_TRUE(t);
    EXPECT_EQ(t->values, (std::vector<double>{100, 200, 300, 400, 500}));
  }
  const auto mesh = parsed(samples::vtk, "a.vtk");
  ASSERT_TRUE(find(mesh.point_data, "push"));
  EXPECT_EQ(find(mesh.point_data, "push")->components, 3);
  EXPECT_EQ(find(mesh.point_data, "push")->values[14], 5);
  // The file lists tet, triangle, tet; the mesh numbers the triangle first.
  ASSERT_TRUE(find(mesh.cell_data, "two words"));
  EXPECT_EQ(find(mesh.cell_data, "two words")->values, (std::vector<double>{8, 7, 9}));
}

TEST(MeshRead, polydata_strips_and_polygons_become_triangles_of_the_same_area) {
  const auto mesh = parsed(samples::vtk_poly, "a.vtk");
  EXPECT_EQ(mesh.segments, (std::vector<Edge>{{0, 5}, {5, 1}}));
  ASSERT_EQ(mesh.triangles.size(), 3u + 1u + 2u);
  const auto* kind = find(mesh.cell_data, "kind");
  ASSERT_TRUE(kind);
  EXPECT_EQ(kind->values, (std::vector<double>{1, 1, 2, 2, 2, 3, 4, 4}));
  double area[5] = {};
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& t = mesh.triangles[i];
    const Vec3 n = (mesh.nodes[t[1]] - mesh.nodes[t[0]]).cross(mesh.nodes[t[2]] - mesh.nodes[t[0]]);
    area[static_cast<int>(kind->values[i + 2])] += 0.5 * n.z();  // signed: the strip alternates its sense
  }
  EXPECT_DOUBLE_EQ(area[2], 1.5);
  EXPECT_DOUBLE_EQ(area[4], 1.0);
}

TEST(MeshRead, base64_arrays_decode) {
  const auto mesh = parsed(samples::vtu_base64, "a.vtu");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(MeshRead, obj_understands_every_face_form_and_cuts_concave_polygons_by_ears) {
  const auto mesh = parsed(samples::obj, "roof.obj");
  ASSERT_EQ(mesh.nodes.size(), 6u);
  EXPECT_EQ(mesh.quads, (std::vector<Quad>{{0, 1, 2, 3}}));
  EXPECT_EQ(mesh.segments, (std::vector<Edge>{{0, 4}, {4, 2}}));
  ASSERT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 4}));
  double sum = 0;
  for (int i = 1; i < 4; ++i) {
    const auto& t = mesh.triangles[i];
    const double z = (mesh.nodes[t[1]] - mesh.nodes[t[0]]).cross(mesh.nodes[t[2]] - mesh.nodes[t[0]]).z();
    EXPECT_GT(z, 0) << "a fan would give one triangle of negative area";
    sum += 0.5 * z;
  }
  EXPECT_DOUBLE_EQ(sum, 0.9);  // the unit square without the notch of 0.5 · 1 · 0.2
  ASSERT_EQ(mesh.cell_sets.size(), 3u);
  EXPECT_EQ(mesh.cell_sets[0].name, "floor");
  EXPECT_EQ(mesh.cell_sets[0].items,
            std::vector<int>{6});  // the quad comes behind 2 segments and 4 triangles
  EXPECT_EQ(mesh.cell_sets[1].items, mesh.cell_sets[2].items);
}

TEST(MeshRead, stl_corners_are_welded_in_both_kinds_even_when_binary_begins_with_solid) {
  for (const auto& bytes : {samples::stl, samples::stl_binary(), samples::stl_binary("made by hand")}) {
    const auto mesh = parsed(bytes, "a.stl");
    EXPECT_EQ(mesh.nodes.size(), 4u);
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(mesh.nodes[3], Vec3(0, 0, 1));
  }
}

TEST(MeshRead, stl_weld_distance_joins_corners_that_rounding_has_parted) {
  const std::string text =
      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
      "facet normal 0 0 1\nouter loop\nvertex 1.0000001 0 0\nvertex 1 1 0\nvertex 0 0.9999999 "
      "0\nendloop\nendfacet\nendsolid\n";
  EXPECT_EQ(parse_mesh(text, "a.stl")->nodes.size(), 6u);
  EXPECT_EQ(parse_mesh(text, "a.stl", {1e-5})->nodes.size(), 4u);
}

TEST(MeshRead, ply_reads_lists_extra_properties_and_both_byte_orders) {
  for (const auto& bytes : {samples::ply, samples::ply_binary(false), samples::ply_binary(true)}) {
    const auto mesh = parsed(bytes, "a.ply");
    EXPECT_EQ(mesh.nodes, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
    EXPECT_EQ(mesh.quads, (std::vector<Quad>{{0, 1, 2, 3}}));
    ASSERT_TRUE(find(mesh.point_data, "red") && find(mesh.cell_data, "weight"));
    EXPECT_EQ(find(mesh.point_data, "red")->values, (std::vector<double>{10, 20, 30, 40}));
    EXPECT_EQ(find(mesh.cell_data, "weight")->values, (std::vector<double>{0.5, 0.25}));
  }
}

TEST(MeshRead, second_order_cells_are_reduced_and_their_middle_nodes_go) {
  // A second-order tet: nodes 5 to 10 lie on its edges; node 11 belongs to nothing and stays.
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n11\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
  for (int i = 5; i <= 11; ++i) text += std::to_string(i) + " 0.5 0 " + std::to_string(i) + "\n";
  text += "$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  const auto mesh = parsed(text, "a.msh");
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  ASSERT_EQ(mesh.nodes.size(), 5u);
  EXPECT_EQ(mesh.nodes[4].z(), 11);
  ASSERT_EQ(mesh.notes.size(), 1u);
  EXPECT_NE(mesh.notes[0].find("second-order"), std::string::npos);
}

TEST(MeshRead, voxels_and_pixels_are_turned_into_hexes_and_quads_of_positive_size) {
  const std::string text =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 int\n0 0 0 1 0 0 0 1 0 1 1 "
      "0 0 0 1 1 0 1 "
      "0 1 1 1 1 1\nCELLS 2 14\n8 0 1 2 3 4 5 6 7\n4 0 1 2 3\nCELL_TYPES 2\n11 8\n";
  const auto mesh = parsed(text, "a.vtk");
  EXPECT_EQ(mesh.hexes, (std::vector<Hex>{{0, 1, 3, 2, 4, 5, 7, 6}}));
  EXPECT_EQ(mesh.quads, (std::vector<Quad>{{0, 1, 3, 2}}));
}

TEST(MeshRead, numbers_do_not_depend_on_the_locale) {
  const char* before = std::setlocale(LC_ALL, nullptr);
  const std::string keep = before ? before : "C";
  // Where no comma locale is installed this checks the default one only.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    std::setlocale(LC_ALL, name);
    EXPECT_EQ(parse_mesh("v 1.5 +2.25 -1e-3\n", "a.obj")->nodes[0], Vec3(1.5, 2.25, -1e-3));
  }
  std::setlocale(LC_ALL, keep.c_str());
}

TEST(MeshRead, vtu_pieces_are_joined) {
  std::string piece = samples::vtu.substr(samples::vtu.find("<Piece"));
  piece = piece.substr(0, piece.find("</Piece>") + 8);
  std::string text = samples::vtu;
  text.insert(text.find("<Piece"), piece);
  const auto mesh = parsed(text, "a.vtu");
  EXPECT_EQ(mesh.nodes.size(), 10u);
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {1, 2, 3, 4}, {5, 6, 7, 8}, {6, 7, 8, 9}}));
  ASSERT_EQ(mesh.point_data.size(), 1u);
  EXPECT_EQ(mesh.point_data[0].values.size(), 10u);
}

}  // namespace mesh_read_test
}  // namespace palp
