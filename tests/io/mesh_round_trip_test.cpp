// What is written comes back: every format and every flavour of it.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "palp/io/mesh_file.hpp"
#include "palp/io/pvd.hpp"

namespace palp {
namespace mesh_round_trip_test {

/// Every kind of cell, awkward numbers, regions, overlapping sets, data of both kinds.
MeshFile rich() {
  MeshFile m;
  m.nodes = {{0, 0, 0},         {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1},
             {1, 0, 1},         {1, 1, 1}, {0, 1, 1}, {2, 0, 0}, {1.0 / 3, -1e-17, 2},
             {1e300, 5e-324, 3}};
  m.segments = {{0, 9}, {9, 10}};
  m.triangles = {{0, 1, 2}, {8, 1, 5}};
  m.quads = {{0, 3, 2, 1}};
  m.tets = {{1, 8, 2, 5}};
  m.hexes = {{0, 1, 2, 3, 4, 5, 6, 7}};
  m.region = {4, 4, 5, 6, 6, 1, 2};
  m.node_sets = {{"fixed", {0, 3, 4}}, {"grip", {3, 10}}};
  m.cell_sets = {{"skin", {2, 3, 4}}, {"half", {3, 4, 6}}};
  m.point_data = {{"t", 1, {}}, {"u", 3, {}}};
  for (int i = 0; i < 11; ++i) m.point_data[0].values.push_back(0.1 * i - 1.0 / 7);
  for (int i = 0; i < 33; ++i) m.point_data[1].values.push_back(i * 1e-9);
  m.cell_data = {{"s", 1, {1, 2, 3, 4, 5, 6, 7}}, {"q", 3, std::vector<double>(21, -2.5)}};
  return m;
}

/// The same mesh without solids and segments, for surface formats.
MeshFile skin_of(const MeshFile& m) {
  MeshFile s;
  s.nodes = m.nodes;
  s.triangles = m.triangles;
  s.quads = m.quads;
  s.cell_sets = {{"skin", {0, 1, 2}}, {"half", {1, 2}}};
  return s;
}

MeshFile back(const std::string& name, const MeshFile& mesh, const WriteOptions& options) {
  std::string bytes;
  const auto notes = format_mesh(bytes, name, mesh, options);
  if (!notes) {
    ADD_FAILURE() << notes.error().text();
    return {};
  }
  EXPECT_TRUE(notes->empty()) << notes->front();
  auto again = parse_mesh(bytes, name);
  if (!again) {
    ADD_FAILURE() << again.error().text();
    return {};
  }
  EXPECT_TRUE(again->notes.empty());
  return *again;
}

void expect_sets(std::vector<NamedSet> a, std::vector<NamedSet> b) {
  const auto by_name = [](const NamedSet& x, const NamedSet& y) { return x.name < y.name; };
  std::sort(a.begin(), a.end(), by_name);
  std::sort(b.begin(), b.end(), by_name);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].items, b[i].items) << a[i].name;
  }
}

void expect_arrays(const std::vector<DataArray>& a, const std::vector<DataArray>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].components, b[i].components);
    EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
  }
}

void expect_geometry(const MeshFile& a, const MeshFile& b) {
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.segments, b.segments);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.quads, b.quads);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.hexes, b.hexes);
}

void expect_same(const MeshFile& a, const MeshFile& b) {
  expect_geometry(a, b);
  EXPECT_EQ(a.region, b.region);
  expect_sets(a.node_sets, b.node_sets);
  expect_sets(a.cell_sets, b.cell_sets);
  expect_arrays(a.point_data, b.point_data);
  expect_arrays(a.cell_data, b.cell_data);
}

TEST(MeshRoundTrip, gmsh_41_keeps_everything_in_text_and_binary) {
  for (bool ascii : {true, false}) {
    SCOPED_TRACE(ascii);
    expect_same(back("a.msh", rich(), {.ascii = ascii}), rich());
  }
}

TEST(MeshRoundTrip, gmsh_22_keeps_all_but_overlapping_groups_and_says_so) {
  for (bool ascii : {true, false}) {
    SCOPED_TRACE(ascii);
    std::string bytes;
    const auto notes = format_mesh(bytes, "a.msh", rich(), {.ascii = ascii, .gmsh_version = 22});
    ASSERT_TRUE(notes);
    EXPECT_EQ(notes->size(),
              2u);  // skin cuts through a region, grip shares a point; half is two whole regions
    auto mesh = rich();
    mesh.cell_sets = {{"line", {0, 1}}, {"hex", {6}}};  // exactly regions 4 and 2
    mesh.node_sets.pop_back();
    expect_same(back("a.msh", mesh, {.ascii = ascii, .gmsh_version = 22}), mesh);
  }
}

TEST(MeshRoundTrip, legacy_vtk_keeps_everything_in_four_flavours) {
  for (bool ascii : {true, false})
    for (bool offsets : {true, false}) {
      SCOPED_TRACE(::testing::Message() << ascii << offsets);
      expect_same(back("a.vtk", rich(), {.ascii = ascii, .vtk_offsets = offsets}), rich());
    }
}

TEST(MeshRoundTrip, vtu_keeps_everything_in_all_flavours) {
  for (const auto data :
       {VtuData::ascii, VtuData::inline_base64, VtuData::appended_base64, VtuData::appended_raw})
    for (bool compress : {true, false})
      for (bool wide : {true, false})
        for (bool big : {true, false}) {
          SCOPED_TRACE(::testing::Message() << int(data) << compress << wide << big);
          const WriteOptions o{
              .big_endian = big, .vtu_data = data, .vtu_compress = compress, .vtu_wide_header = wide};
          expect_same(back("a.vtu", rich(), o), rich());
        }
}

TEST(MeshRoundTrip, vtu_blocks_longer_than_one_zlib_block_come_back) {
  MeshFile m;
  for (int i = 0; i < 16384; ++i)
    m.nodes.emplace_back(std::sin(i), i, std::cos(3 * i));  // exactly 3 blocks of 2^17 bytes
  for (int i = 0; i + 1 < 16384; ++i) m.segments.push_back({i, i + 1});
  for (const auto data : {VtuData::inline_base64, VtuData::appended_raw})
    expect_same(back("a.vtu", m, {.vtu_data = data}), m);
}

TEST(MeshRoundTrip, surface_formats_keep_the_surface) {
  const auto skin = skin_of(rich());
  expect_same(back("a.vtp", skin, {}), skin);
  expect_same(back("a.vtp", skin, {.vtu_data = VtuData::ascii}), skin);
  expect_same(back("a.obj", skin, {}), skin);
  for (bool ascii : {true, false})
    for (bool big : {true, false}) {
      auto with_data = skin;
      with_data.point_data = rich().point_data;
      with_data.point_data.push_back({"normal", 3, std::vector<double>(33, 0.5)});
      with_data.cell_data = {{"w", 1, {1, 2, 3}}};
      with_data.region = {3, 0, 1};
      expect_same(back("a.ply", with_data, {.ascii = ascii, .big_endian = big}), with_data);
    }
}

TEST(MeshRoundTrip, ply_keeps_segments_beside_faces) {
  auto m = skin_of(rich());
  m.segments = {{0, 9}, {9, 10}};
  m.cell_sets.clear();
  for (bool ascii : {true, false}) expect_same(back("a.ply", m, {.ascii = ascii}), m);
}

TEST(MeshRoundTrip, stl_keeps_triangles_exactly_in_text_and_to_single_precision_in_binary) {
  MeshFile m;
  m.nodes = {{0, 0, 0}, {0.1, 0, 0}, {0, 1.0 / 3, 0}, {0, 0, 7e-5}};
  m.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 3, 2}};
  expect_geometry(back("a.stl", m, {.ascii = true}), m);
  const auto binary = back("a.stl", m, {});
  EXPECT_EQ(binary.triangles, m.triangles);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(binary.nodes[i], m.nodes[i].cast<float>().cast<double>());
}

TEST(MeshRoundTrip, losses_are_told_and_solids_are_skinned_for_surface_formats) {
  std::string bytes;
  for (const char* name : {"a.stl", "a.obj", "a.ply", "a.vtp"})
    EXPECT_FALSE(format_mesh(bytes, name, rich())->empty()) << name;
  HexMesh cube{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
               {{0, 1, 2, 3, 4, 5, 6, 7}}};
  const auto notes = format_mesh(bytes, "a.stl", mesh_file(cube));
  ASSERT_TRUE(notes);
  EXPECT_EQ(notes->size(), 1u);
  EXPECT_EQ(parse_mesh(bytes, "a.stl")->triangles.size(), 12u);
}

TEST(MeshRoundTrip, empty_meshes_and_empty_arrays_survive) {
  MeshFile m;
  m.nodes = {{1, 2, 3}};
  m.point_data = {{"v", 3, {1, 2, 3}}};
  for (const char* name : {"a.msh", "a.vtk", "a.vtu", "a.vtp", "a.ply"})
    for (bool ascii : {true, false}) {
      SCOPED_TRACE(name);
      expect_same(
          back(name, m, {.ascii = ascii, .vtu_data = ascii ? VtuData::ascii : VtuData::inline_base64}), m);
    }
}

TEST(MeshRoundTrip, writers_refuse_what_no_reader_would_accept) {
  std::string bytes;
  auto bad = rich();
  bad.nodes[3].y() = std::nan("");
  EXPECT_FALSE(format_mesh(bytes, "a.vtu", bad));
  bad = rich();
  bad.tets[0][2] = 11;
  EXPECT_FALSE(format_mesh(bytes, "a.vtu", bad));
  bad = rich();
  bad.cell_data[0].values.pop_back();
  EXPECT_FALSE(format_mesh(bytes, "a.vtu", bad));
  bad = rich();
  bad.node_sets[0].items.push_back(-1);
  EXPECT_FALSE(format_mesh(bytes, "a.vtu", bad));
  const auto unknown = format_mesh(bytes, "a.docx", rich());
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().remedy.find(".vtu"), std::string::npos);
}

class Folder : public ::testing::Test {
 protected:
  std::filesystem::path dir = std::filesystem::path(::testing::TempDir()) /
                              std::string("palp_io_").append(std::to_string(::getpid()));
  void SetUp() override { std::filesystem::create_directories(dir); }
  void TearDown() override { std::filesystem::remove_all(dir); }
  std::string text(const std::filesystem::path& p) {
    std::ifstream in(p);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};
using MeshFiles = Folder;

TEST_F(MeshFiles, files_on_disk_are_replaced_whole_and_leave_nothing_behind) {
  const std::string path = (dir / "a.vtu").string();
  ASSERT_TRUE(write_mesh(path, rich()));
  ASSERT_TRUE(write_mesh(path, rich()));
  const auto mesh = read_mesh(path);
  ASSERT_TRUE(mesh) << mesh.error().text();
  expect_same(*mesh, rich());
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir)) files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
}

TEST_F(MeshFiles, pvd_series_is_complete_after_every_step) {
  auto series = PvdSeries::create((dir / "run.pvd").string());
  ASSERT_TRUE(series);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(series->add(0.1 * i, rich()));
    const std::string pvd = text(dir / "run.pvd");
    EXPECT_NE(pvd.find("</VTKFile>"), std::string::npos);
    std::size_t entries = 0;
    for (auto at = pvd.find("<DataSet"); at != pvd.npos; at = pvd.find("<DataSet", at + 1)) ++entries;
    EXPECT_EQ(entries, static_cast<std::size_t>(i) + 1);
    EXPECT_TRUE(read_mesh((dir / std::string("run_000").append(std::to_string(i)).append(".vtu")).string()));
  }
  EXPECT_FALSE(series->add(0.1, rich())) << "time runs backwards";
}

TEST_F(MeshFiles, bad_places_give_errors_with_the_path_and_a_remedy) {
  for (const std::string& path : {(dir / "none.vtu").string(), dir.string(), std::string("/dev/null")}) {
    const auto mesh = read_mesh(path);
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().file, path);
    EXPECT_FALSE(mesh.error().remedy.empty());
  }
  EXPECT_FALSE(write_mesh((dir / "no/such/folder/a.vtu").string(), rich()));
  EXPECT_FALSE(write_mesh(dir.string() + ".vtu/", rich()));
}

}  // namespace mesh_round_trip_test
}  // namespace palp
