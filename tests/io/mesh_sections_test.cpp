// Sections that come twice or in the wrong order. Every reader refuses them by name and line, and what a
// reader lets through is checked once more where the mesh is finished: no index is ever used on the file's
// word.
#include "../fuzz/mesh_target.hpp"
#include "io/mesh_samples.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/io/mesh_builder.hpp"
#include "palp/io/mesh_file.hpp"

namespace palp {
namespace mesh_sections_test {

const std::string vtk_head = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";

/// Refused at `line`, with a message that says `says`.
void expect_refused(const std::string& name, const std::string& bytes, const std::string& says, long line) {
  EXPECT_EQ(fuzz::broken_law(bytes, name), "");
  const auto mesh = parse_mesh(bytes, name);
  ASSERT_FALSE(mesh) << name;
  EXPECT_NE(mesh.error().message.find(says), std::string::npos) << mesh.error().text();
  EXPECT_EQ(mesh.error().file, name);
  EXPECT_EQ(mesh.error().line, line) << mesh.error().text();
  EXPECT_FALSE(mesh.error().remedy.empty());
}

TEST(MeshSections, points_after_point_data_are_refused_in_vtk) {
  // The second-order cell makes the reader move the data of the nodes that it keeps.
  expect_refused("points.vtk",
                 vtk_head +
                     "POINTS 3 float\n0 0 0 1 0 0 0.5 0 0\nCELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n21\n"
                     "POINT_DATA 3\nSCALARS s float\nLOOKUP_TABLE default\n1 2 3\n"
                     "POINTS 9 float\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 2 0 0 2 1 0 2 0 1 2 2 2\n",
                 "POINTS", 15);
}

TEST(MeshSections, fewer_points_after_the_cells_are_refused_in_vtk) {
  expect_refused("fewer.vtk",
                 vtk_head +
                     "POINTS 3 float\n0 0 0 1 0 0 0.5 0 0\nCELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n21\n"
                     "POINT_DATA 3\nPOINTS 1 float\n0 0 0\n",
                 "POINTS", 12);
}

TEST(MeshSections, cells_after_cell_data_are_refused_in_vtk) {
  const std::string cells = "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n";
  expect_refused("cells.vtk",
                 vtk_head + "POINTS 3 float\n0 0 0 1 0 0 0 1 0\n" + cells +
                     "CELL_DATA 1\nSCALARS s float\nLOOKUP_TABLE default\n7\n" + cells + cells,
                 "CELLS", 15);
}

TEST(MeshSections, polygons_after_cell_data_are_refused_in_vtk) {
  expect_refused("polygons.vtk",
                 "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
                 "POLYGONS 1 4\n3 0 1 2\nCELL_DATA 1\nSCALARS s float\nLOOKUP_TABLE default\n7\n"
                 "TRIANGLE_STRIPS 1 4\n3 0 1 2\n",
                 "TRIANGLE_STRIPS", 13);
}

TEST(MeshSections, elements_after_their_data_are_refused_in_gmsh) {
  const std::string head =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n";
  const std::string some = "$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n";
  const std::string data = "$ElementData\n1\n\"s\"\n0\n3\n0\n1\n1\n1 5\n$EndElementData\n";
  const std::string more = "$Elements\n2\n2 2 2 0 1 1 2 3\n3 2 2 0 1 2 3 1\n$EndElements\n";
  expect_refused("elements.msh", head + some + data + more, "$Elements", 24);
  expect_refused("early.msh", head + data + some, "$ElementData", 10);
}

TEST(MeshSections, a_block_of_nodes_of_a_dimension_that_there_is_not_is_refused_at_once_in_gmsh) {
  // Parametric nodes have one more number for each dimension.
  expect_refused(
      "dimension.msh",
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n2147483647 1 1 1\n1\n0 0 0\n$EndNodes\n",
      "dimension", 6);
}

TEST(MeshSections, a_second_element_of_a_kind_is_refused_in_ply) {
  // The parts of a normal, spread over elements of different lengths.
  const std::string vertex = "\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string face = "\nproperty list uchar int vertex_indices\n", end = "end_header\n";
  const std::string head = "ply\nformat ascii 1.0\n", rows = "0 0 0\n1 0 0\n0 1 0\n";
  expect_refused("vertex.ply",
                 head + "element vertex 3" + vertex + "property float nx\nelement vertex 1" + vertex +
                     "property float ny\nproperty float nz\n" + end +
                     "0 0 0 1\n1 0 0 2\n0 1 0 3\n0 0 1 4 5\n",
                 "'vertex'", 8);
  expect_refused("face.ply",
                 head + "element vertex 3" + vertex + "element face 2" + face +
                     "property float nx\nelement face 1" + face + "property float ny\nproperty float nz\n" +
                     end + rows + "3 0 1 2 5\n3 0 1 2 6\n3 0 1 2 7 8\n",
                 "'face'", 10);
}

TEST(MeshSections, other_repetitions_are_refused_by_name_and_line) {
  const std::string points = "POINTS 3 float\n0 0 0 1 0 0 0 1 0\n";
  expect_refused("two.vtk", vtk_head + points + points, "POINTS", 7);
  expect_refused("dataset.vtk", vtk_head + "DATASET POLYDATA\n" + points, "DATASET", 5);
  expect_refused("types.vtk", vtk_head + points + "CELL_TYPES 1\n5\nCELL_TYPES 1\n5\n", "CELL_TYPES", 9);
  const std::string& good = samples::gmsh22;
  const auto twice = [&](const std::string& name) {
    const auto begin = good.find("$" + name), end = good.find("$End" + name) + 5 + name.size();
    return good.substr(0, end) + good.substr(begin);
  };
  expect_refused("names.msh", twice("PhysicalNames"), "$PhysicalNames", 10);
  expect_refused("nodes.msh", twice("Nodes"), "$Nodes", 18);
  expect_refused("elements.msh", twice("Elements"), "$Elements", 25);
  const auto& xml = samples::vtu;
  const auto begin = xml.find("<Cells"), end = xml.find("</Cells>") + 8;
  ASSERT_NE(begin, xml.npos);
  expect_refused("cells.vtu", xml.substr(0, end) + xml.substr(begin), "Cells", 12);
}

TEST(MeshSections, whatever_a_reader_did_the_finished_mesh_is_sound_or_refused) {
  const auto refused = [](auto&& change) {
    io::MeshBuilder b;
    b.mesh.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    EXPECT_EQ(b.add_cell(io::vtk_triangle, std::array<long long, 3>{0, 1, 2}), "");
    b.region = {1};
    b.add_data(true, {"c", 1, {5}});
    b.add_data(false, {"p", 3, std::vector<double>(9)});
    b.cell_sets = {{"s", {0}}};
    change(b);
    const auto made = std::move(b).finish();
    return !made && !made.error().remedy.empty();
  };
  EXPECT_FALSE(refused([](auto&) {}));
  EXPECT_TRUE(refused([](auto& b) { b.mesh.nodes.pop_back(); }));
  EXPECT_TRUE(refused([](auto& b) { b.mesh.nodes.emplace_back(0, 0, 0); }));  // the data are too short now
  EXPECT_TRUE(refused([](auto& b) { b.mesh.nodes[0].x() = std::nan(""); }));
  EXPECT_TRUE(refused([](auto& b) { b.region.clear(), b.region = {1, 2}; }));
  EXPECT_TRUE(refused([](auto& b) { b.cell_data[0].values.clear(); }));
  EXPECT_TRUE(refused([](auto& b) { b.cell_data[0].values = {HUGE_VAL}; }));
  EXPECT_TRUE(refused([](auto& b) { b.cell_sets[0].items = {1}; }));
  EXPECT_TRUE(refused([](auto& b) { b.cell_sets[0].items = {-1}; }));
  EXPECT_TRUE(refused([](auto& b) { b.mesh.node_sets = {{"n", {3}}}; }));
  EXPECT_TRUE(refused([](auto& b) { b.mesh.point_data[0].components = 2; }));
  EXPECT_TRUE(refused([](auto& b) { b.add_cell(io::vtk_line, std::array<long long, 2>{0, 1}); }));
}

TEST(MeshSections, memory_and_time_grow_with_the_file_not_with_the_product_of_its_parts) {
  // Many groups times many faces; many solids; many physical tags of one entity times many elements.
  std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng";
  for (int i = 0; i < 5000; ++i) obj += " g" + std::to_string(i);
  for (int i = 0; i < 5000; ++i) obj += "\nf 1 2 3";
  std::string stl;
  for (int i = 0; i < 20'000; ++i) stl += "solid s" + std::to_string(i) + "\nendsolid\n";
  std::string msh = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 0\n1 0 0 0 1 1 0 5000";
  for (int i = 1; i <= 5000; ++i) msh += " " + std::to_string(i);
  msh +=
      " 0\n$EndEntities\n$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n$Elements\n1 "
      "5000 1 5000\n"
      "2 1 2 5000\n";
  for (int i = 1; i <= 5000; ++i) msh += std::to_string(i) + " 1 2 3\n";
  msh += "$EndElements\n";
  // A polygon that crosses itself everywhere has no ears: every search for one is in vain.
  std::string star;
  for (int i = 0; i < 1999; ++i)
    star += "v " + std::to_string(std::cos(2.4 * i)) + " " + std::to_string(std::sin(2.4 * i)) + " 0\n";
  star += "f";
  for (int i = 1; i < 2000; ++i) star += " " + std::to_string(i);
  for (const auto& [name, bytes] :
       {std::pair("a.obj", &obj), {"a.stl", &stl}, {"a.msh", &msh}, {"star.obj", &star}}) {
    const testing::PeakMemory peak;
    (void)parse_mesh(*bytes, name);
    EXPECT_LE(peak.bytes(), 400 * bytes->size() + 100'000) << name;
  }
}

}  // namespace mesh_sections_test
}  // namespace palp
