// palp mesh, run as a user runs it.
#include <filesystem>
#include <fstream>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace mesh_command_test {

class MeshCommand : public ::testing::Test {
 protected:
  std::filesystem::path dir = std::filesystem::path(::testing::TempDir()) /
                              std::string("palp_mesh_").append(std::to_string(getpid()));
  void SetUp() override {
    std::filesystem::create_directories(dir);
    // A closed box of 20 × 10 × 5 mm, in millimetres, of quads.
    std::ofstream(dir / "box.obj")
        << "v 0 0 0\nv 20 0 0\nv 20 10 0\nv 0 10 0\nv 0 0 5\nv 20 0 5\nv 20 10 5\nv 0 10 5\n"
           "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  }
  void TearDown() override { std::filesystem::remove_all(dir); }
  std::string path(const char* name) { return (dir / name).string(); }

  static palp::testing::Outcome palp_command(const std::string& arguments) {
    return palp::testing::palp_program("mesh " + arguments);
  }
};

TEST_F(MeshCommand, info_gives_the_volume_and_surface_of_a_box) {
  const auto answer = palp_command("info --json --scale 0.001 " + path("box.obj"));
  ASSERT_EQ(answer.code, 0) << answer.text;
  const auto json = nlohmann::json::parse(answer.text);
  EXPECT_EQ(json["nodes"], 8);
  EXPECT_EQ(json["quads"], 6);
  EXPECT_NEAR(json["volume_m3"].get<double>(), 20e-3 * 10e-3 * 5e-3, 1e-15);
  EXPECT_NEAR(json["surface_m2"].get<double>(), 2 * (20 * 10 + 10 * 5 + 20 * 5) * 1e-6, 1e-12);
  EXPECT_TRUE(json["quality"][0]["ok"]);
  EXPECT_EQ(palp_command("info " + path("box.obj")).code, 0);
}

TEST_F(MeshCommand, convert_and_embed_make_files_that_info_reads) {
  ASSERT_EQ(palp_command("convert --scale 0.001 " + path("box.obj") + " " + path("box.ply")).code, 0);
  for (const char* flags : {"", "--tets"}) {
    const auto answer = palp_command(std::string("embed --cells 500 ") + flags + " " + path("box.ply") + " " +
                                     path("box.msh"));
    ASSERT_EQ(answer.code, 0) << answer.text;
    const auto info = palp_command("info --check --json " + path("box.msh"));
    ASSERT_EQ(info.code, 0) << info.text;
    const auto json = nlohmann::json::parse(info.text);
    EXPECT_NEAR(json["volume_m3"].get<double>(), 1e-6, 1e-12) << "whole cells fill the box";
  }
  ASSERT_EQ(palp_command("picture " + path("box.msh") + " " + path("box.png")).code, 0);
  EXPECT_GT(std::filesystem::file_size(path("box.png")), 1000u);
}

TEST_F(MeshCommand, repair_turns_an_inside_out_box_and_says_so) {
  ASSERT_EQ(palp_command("convert --scale 0.001 " + path("box.obj") + " " + path("box.stl")).code, 0);
  std::ofstream(dir / "out.obj")
      << "v 0 0 0\nv 20 0 0\nv 20 10 0\nv 0 10 0\nv 0 0 5\nv 20 0 5\nv 20 10 5\nv 0 10 5\nv 20 10 5.000001\n"
         "f 1 2 3 4\nf 5 8 9 6\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\nf 4 8 5 1\n";
  const auto answer = palp_command("repair --json --scale 0.001 " + path("out.obj") + " " + path("good.stl"));
  ASSERT_EQ(answer.code, 0) << answer.text;
  const auto json = nlohmann::json::parse(answer.text);
  EXPECT_EQ(json["welded_nodes"], 1);
  EXPECT_EQ(json["flipped"], 12);
  EXPECT_EQ(json["duplicates"], 2);
  EXPECT_EQ(json["open_edges"], 0);
  const auto info = nlohmann::json::parse(palp_command("info --check --json " + path("good.stl")).text);
  EXPECT_NEAR(info["volume_m3"].get<double>(), 1e-6, 1e-11);
}

TEST_F(MeshCommand, tets_fill_a_surface_where_gmsh_is_installed_and_say_so_where_it_is_not) {
  const auto answer =
      palp_command("tets --json --scale 0.001 --size 0.004 " + path("box.obj") + " " + path("box.msh"));
  if (std::system("command -v gmsh > /dev/null 2>&1") != 0) {
    EXPECT_EQ(answer.code, 1);
    EXPECT_NE(answer.text.find("gmsh is not installed"), std::string::npos) << answer.text;
    return;
  }
  ASSERT_EQ(answer.code, 0) << answer.text;
  const auto json = nlohmann::json::parse(answer.text);
  EXPECT_GT(json["tets"], 50);
  EXPECT_NEAR(json["volume_m3"].get<double>(), 1e-6, 1e-10);
  const auto info = palp_command("info --check " + path("box.msh"));
  EXPECT_EQ(info.code, 0) << info.text;
}

TEST_F(MeshCommand, failures_have_an_exit_code_and_a_message_with_the_file) {
  std::ofstream(dir / "bad.obj") << "v 0 0 0\nf 1 2 3\n";
  const auto bad = palp_command("info " + path("bad.obj"));
  EXPECT_NE(bad.code, 0);
  EXPECT_NE(bad.text.find("bad.obj:2"), std::string::npos) << bad.text;
  EXPECT_NE(palp_command("info " + path("none.vtu")).code, 0);
  EXPECT_NE(palp_command("convert " + path("box.obj") + " " + path("box.docx")).code, 0);
  EXPECT_NE(palp_command("embed " + path("bad.obj") + " " + path("x.vtu")).code, 0);
  EXPECT_NE(palp_command("").code, 0);
  const auto json = palp_command("info --json " + path("none.vtu") + " 2>/dev/null");
  EXPECT_NE(json.code, 0);
}

TEST_F(MeshCommand, help_shows_an_example) {
  for (const char* command : {"--help", "info --help", "convert --help", "embed --help", "repair --help",
                              "tets --help", "picture --help"}) {
    const auto answer = palp_command(command);
    EXPECT_EQ(answer.code, 0);
    EXPECT_NE(answer.text.find("Example: palp mesh"), std::string::npos) << command;
  }
}

}  // namespace mesh_command_test
