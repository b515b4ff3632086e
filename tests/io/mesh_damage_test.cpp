// Damaged files: cut at every length, with random bytes changed, with absurd counts. Never a crash, never an
// allocation out of proportion, always an error that says where and what to do.
#include <random>

#include "../fuzz/mesh_target.hpp"
#include "io/mesh_samples.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/io/mesh_file.hpp"

namespace palp {
namespace mesh_damage_test {

/// Reads `bytes`; whatever is wrong with them, the answer is a sound mesh or a useful error, within the
/// memory bound.
bool survives(const std::string& bytes, const std::string& name) {
  bool read = false;
  {
    const testing::PeakMemory peak;
    read = bool(parse_mesh(bytes, name));
    EXPECT_LE(peak.bytes(), 400 * bytes.size() + 100'000) << name;
  }
  const std::string broken = fuzz::broken_law(bytes, name);
  EXPECT_TRUE(broken.empty()) << name << ": " << broken;
  return read;
}

/// `text` with `count` bytes at `at` replaced.
std::string spliced(const std::string& text, std::size_t at, std::size_t count, const std::string& with) {
  std::string out = text.substr(0, at);
  out += with;
  return out += text.substr(std::min(at + count, text.size()));
}

/// The hand-written samples, and our own compressed ones.
std::vector<samples::Sample> all_samples() {
  auto all = samples::every();
  const auto mesh = parse_mesh(samples::gmsh22, "a.msh");
  for (const auto data : {VtuData::inline_base64, VtuData::appended_base64, VtuData::appended_raw})
    for (bool compress : {true, false}) {
      std::string bytes;
      EXPECT_TRUE(format_mesh(bytes, "a.vtu", *mesh, {.vtu_data = data, .vtu_compress = compress}));
      all.push_back(
          {std::string("own").append(std::to_string(int(data))).append(compress ? "z.vtu" : ".vtu"), bytes});
    }
  std::string vtp;
  EXPECT_TRUE(format_mesh(vtp, "a.vtp", *mesh));
  all.push_back({"own.vtp", vtp});
  return all;
}

TEST(MeshDamage, truncation_at_every_length_is_survived_and_noticed_where_the_format_counts) {
  for (const auto& s : all_samples()) {
    SCOPED_TRACE(s.name);
    ASSERT_TRUE(survives(s.bytes, s.name));
    // Behind the last value only closing words and white space are lost; and the last number of a text may
    // lose digits unseen. OBJ and VTK's data arrays have no counts or end marks that would tell.
    std::size_t must_fail = s.bytes.size() / 2;
    if (s.name.ends_with(".obj")) must_fail = 0;
    if (s.name.ends_with(".vtk")) must_fail = s.bytes.find(s.name == "poly.vtk" ? "\nLINES" : "CELL_TYPES");
    if (s.name.ends_with(".ply")) must_fail = s.bytes.size() - 6;
    if (s.name.ends_with(".stl")) must_fail = s.bytes.size() - 20;
    if (s.name.ends_with(".vtu") || s.name.ends_with(".vtp")) must_fail = s.bytes.size() - 40;
    if (s.name.ends_with(".msh")) must_fail = s.bytes.find("$EndElements");
    for (std::size_t n = 0; n < s.bytes.size(); ++n) {
      const bool read = survives(s.bytes.substr(0, n), s.name);
      EXPECT_FALSE(n < must_fail && read) << s.name << " cut to " << n << " of " << s.bytes.size();
    }
  }
}

TEST(MeshDamage, slow_thousands_of_random_changes_are_survived) {
  std::mt19937 random(20240607);
  const auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::vector<std::string> spice{"-1",
                                       "999999999999",
                                       "18446744073709551615",
                                       "4294967295",
                                       "nan",
                                       "inf",
                                       "1e999",
                                       "0",
                                       std::string(8, '\xff'),
                                       std::string(4, '\x7f'),
                                       std::string(8, '\0'),
                                       " ",
                                       "\n",
                                       "\"",
                                       "<",
                                       "2147483647"};
  for (const auto& s : all_samples())
    for (int round = 0; round < 4000; ++round) {
      std::string bytes = s.bytes;
      for (std::size_t k = 0; k <= pick(4); ++k) {
        const std::size_t at = pick(bytes.size());
        switch (pick(5)) {
          case 0:
            bytes[at] = static_cast<char>(pick(256));
            break;
          case 1:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8)));
            break;
          case 2:
            bytes = spliced(bytes, at, 0, spice[pick(spice.size())]);
            break;
          case 3: {
            const auto& what = spice[pick(spice.size())];
            bytes = spliced(bytes, at, what.size(), what);
            break;
          }
          default:
            bytes = spliced(bytes, at, 1 + pick(16), "");
            break;
        }
        if (bytes.empty()) bytes.push_back('x');
      }
      survives(bytes, s.name);
      if (HasFailure()) FAIL() << "round " << round << " of " << s.name;
    }
}

TEST(MeshDamage, garbage_under_every_extension_is_survived) {
  std::mt19937 random(7);
  for (const char* e : {"msh", "vtk", "vtu", "vtp", "obj", "stl", "ply", "xyz", ""})
    for (int round = 0; round < 200; ++round) {
      std::string bytes(random() % 300, '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      survives(bytes, std::string("garbage.") + e);
    }
}

struct Bad {
  const char* name;
  std::string bytes;
  const char* says;  // part of the message
  long line;         // 0 = a byte offset or no place
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return spliced(text, at, what.size(), with);
}

TEST(MeshDamage, each_mistake_is_named_with_its_place_and_a_remedy) {
  const std::vector<Bad> cases{
      {"empty.msh", "", "empty", 0},
      {"huge.msh", replaced(samples::gmsh22, "$Nodes\n5", "$Nodes\n1000000000"), "1000000000", 11},
      {"overflow.msh", replaced(samples::gmsh22, "$Nodes\n5", "$Nodes\n99999999999999999999"), "whole number",
       11},
      {"negative.msh", replaced(samples::gmsh22, "$Nodes\n5", "$Nodes\n-5"), "negative", 11},
      {"fewer.msh", replaced(samples::gmsh22, "$Nodes\n5", "$Nodes\n4"), "$EndNodes", 16},
      {"more.msh", replaced(samples::gmsh22, "$Nodes\n5", "$Nodes\n6"), "node's number", 17},
      {"nan.msh", replaced(samples::gmsh22, "11 1 0 0", "11 1 nan 0"), "NaN", 13},
      {"inf.msh", replaced(samples::gmsh22, "11 1 0 0", "11 1 -inf 0"), "infinite", 13},
      {"range.msh", replaced(samples::gmsh22, "11 12 13 20", "11 12 13 21"), "node 21", 22},
      {"twice.msh", replaced(samples::gmsh22, "11 1 0 0", "10 1 0 0"), "twice", 13},
      {"prism.msh", replaced(samples::gmsh22, "2 4 2 1 1 10 11 12 13", "2 6 2 1 1 10 11 12 13 20 10"),
       "prism", 21},
      {"old.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n", "version", 2},
      {"range41.msh", replaced(samples::gmsh41, "3 2 3 4 5", "3 2 3 4 6"), "node 6", 39},
      {"huge41.msh", replaced(samples::gmsh41, "2 5 1 5", "2 4000000000 1 5"), "4000000000", 17},
      {"nan.vtk", replaced(samples::vtk, "1 1 1", "1 1 nan"), "point 4", 0},
      {"range.vtk", replaced(samples::vtk, "4 1 2 3 4", "4 1 2 3 5"), "node 5", 0},
      {"huge.vtk", replaced(samples::vtk, "POINTS 5", "POINTS 1000000000"), "1000000000", 5},
      {"grid.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n", "STRUCTURED_POINTS",
       4},
      {"counts.vtk", replaced(samples::vtk, "CELLS 3 14", "CELLS 3 13"), "overruns", 11},
      {"range.vtu", replaced(samples::vtu, "1 2 3 4</", "1 2 3 5</"), "node 5", 9},
      {"nan.vtu", replaced(samples::vtu, "1 1 1", "1 1 NaN"), "point 4", 5},
      {"count.vtu", replaced(samples::vtu, "Points=\"5\"", "Points=\"6\""), "6 points", 5},
      {"word.vtu", replaced(samples::vtu, "4 7 11", "4 x 11"), "'x'", 10},
      {"lz4.vtu", replaced(samples::vtu, "byte_order", "compressor=\"vtkLZ4DataCompressor\" byte_order"),
       "LZ4", 2},
      {"xml.vtu", "<VTKFile><a></b></VTKFile>", "XML", 1},
      {"range.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "vertex 3", 3},
      {"zero.obj", "v 0 0 0\nf 0 1 1\n", "vertex number", 2},
      {"back.obj", "v 0 0 0\nf -2 1 1\n", "vertex -2", 2},
      {"nan.obj", "v 0 0 0\nv 1 nan 0\n", "NaN", 2},
      {"short.obj", "v 0 0\n", "three numbers", 1},
      {"two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "3 nodes", 3},
      {"nan.stl", replaced(samples::stl, "vertex 0 1 0", "vertex 0 nan 0"), "NaN", 5},
      {"word.stl", replaced(samples::stl, "outer loop", "outer lop"), "loop", 3},
      {"short.stl", samples::stl_binary("made by hand").substr(0, 150), "promises 2 triangles", 0},
      {"huge.ply", replaced(samples::ply, "vertex 4", "vertex 1000000000"), "1000000000", 0},
      {"range.ply", replaced(samples::ply, "3 0 1 2 0.5", "3 0 1 4 0.5"), "node 4", 20},
      {"nan.ply", replaced(samples::ply, "1 1 0 30", "1 inf 0 30"), "infinite", 18},
      {"type.ply", replaced(samples::ply, "property float y", "property flot y"), "known type", 6},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto mesh = parse_mesh(c.bytes, c.name);
    ASSERT_FALSE(mesh);
    const Error& e = mesh.error();
    EXPECT_NE(e.message.find(c.says), std::string::npos) << e.text();
    EXPECT_EQ(e.file, c.name);
    EXPECT_FALSE(e.remedy.empty()) << e.text();
    EXPECT_EQ(c.line > 0 ? e.line : 0, c.line) << e.text();
  }
}

TEST(MeshDamage, binary_mistakes_are_placed_by_byte_offset) {
  auto bytes = samples::stl_binary("x");
  bytes = spliced(bytes, 84 + 12, 4, samples::bytes_of(std::nanf("")));  // first corner of the first triangle
  const auto stl = parse_mesh(bytes, "a.stl");
  ASSERT_FALSE(stl);
  EXPECT_NE(stl.error().message.find("at byte 100"), std::string::npos) << stl.error().text();
  const auto cut = parse_mesh(samples::gmsh22_binary().substr(0, 200), "a.msh");
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().text().find("byte"), std::string::npos) << cut.error().text();
}

TEST(MeshDamage, a_gigabyte_count_in_a_hundred_bytes_allocates_next_to_nothing) {
  using samples::bytes_of;
  const std::string one = bytes_of<std::int32_t>(1);
  std::string stl(80, 'x');
  stl += bytes_of<std::uint32_t>(20'000'000);
  const std::uint64_t many = 1'000'000'000;
  const std::vector<samples::Sample> files{
      {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1000000000\n1 0 0 0\n"},
      {"b.msh", std::string("$MeshFormat\n4.1 1 8\n") + one + "\n$EndMeshFormat\n$Nodes\n" + bytes_of(many) +
                    bytes_of(many) + bytes_of(many) + bytes_of(many)},
      {"a.vtk", "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\nPOINTS 1000000000 float\n0000"},
      {"b.vtk",
       "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 "
       "1000000000\n"},
      {"c.vtk",
       "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nFIELD f 1\nx 1000000 4000000000000 "
       "float\n1\n"},
      {"a.stl", stl},
      {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n1\n"},
      {"b.ply",
       "ply\nformat ascii 1.0\nelement nothing 1000000000000\nelement vertex 9000000000000000000\nproperty "
       "float "
       "x\nend_header\n1\n"},
      {"a.vtu", replaced(samples::vtu_base64, "DAAAAAAAAAABAAAAAgAAAA==", "AAAAQAAAAAABAAAAAgAAAA==")},
  };
  for (const auto& f : files) {
    const testing::PeakMemory peak;
    const auto mesh = parse_mesh(f.bytes, f.name);
    EXPECT_LT(peak.bytes(), 100'000u) << f.name;
    EXPECT_FALSE(mesh) << f.name;
  }
}

TEST(MeshDamage, a_zlib_bomb_is_refused) {
  // Many arrays that all point at one block of zeros, which unpacks to a thousand times its size.
  MeshFile mesh;
  mesh.nodes.assign(200'000, Vec3::Zero());
  std::string bytes;
  ASSERT_TRUE(format_mesh(bytes, "a.vtu", mesh));
  const std::string again =
      "<DataArray type=\"Float64\" Name=\"x\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>";
  std::string many;
  for (int i = 0; i < 2000; ++i) many += again;
  bytes = spliced(bytes, bytes.find("<PointData>") + 11, 0, many);
  const testing::PeakMemory peak;
  const auto bomb = parse_mesh(bytes, "a.vtu");
  EXPECT_LT(peak.bytes(), 400 * bytes.size());  // unpacked: 9.6 GB
  EXPECT_FALSE(bomb);
}

}  // namespace mesh_damage_test
}  // namespace palp
