// palp solve as a user meets it: the program is run, its output and exit code are read.
#include <filesystem>
#include <fstream>
#include <random>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace solve_test {

namespace fs = std::filesystem;
using nlohmann::json;
using palp::testing::Outcome;
using palp::testing::palp_program;

class SolveCommand : public ::testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / std::to_string(std::random_device{}());
  void SetUp() override {
    fs::create_directories(folder);
    // W = I/4, q = (−2, 3, 4), μ = 1/2: slides with f = (8, −2.4, −3.2), u = (0, 2.4, 3.2).
    write("slides.json",
          R"({"mu":[0.5],"q":[-2,3,4],"W":{"rows":3,"i":[0,1,2],"j":[0,1,2],"v":[0.25,0.25,0.25]}})");
    write("open.json", R"({"mu":[0],"q":[1,0,0],"W":{"rows":3,"i":[0,1,2],"j":[0,1,2],"v":[1,1,1]}})");
  }
  void TearDown() override { fs::remove_all(folder); }
  void write(const char* name, const char* text) { std::ofstream(folder / name) << text; }
  std::string file(const char* name) const { return (folder / name).string(); }
};

TEST_F(SolveCommand, prints_and_writes_the_answer_as_documented) {
  const Outcome run = palp_program("solve " + file("slides.json") +
                                   " --solver coulomb_nsgs --tol 1e-10 --json --out " + file("a.json"));
  ASSERT_EQ(run.code, 0) << run.text;
  const json answer = json::parse(run.text);
  EXPECT_EQ(answer, json::parse(std::ifstream(folder / "a.json")));
  EXPECT_EQ(answer["solver"], "coulomb_nsgs");
  EXPECT_EQ(answer["contacts"], 1);
  EXPECT_EQ(answer["converged"], true);
  EXPECT_LE(answer["certificate"].get<double>(), 1e-10);
  EXPECT_GE(answer["sweeps"].get<int>(), 1);
  EXPECT_GE(answer["time_us"].get<double>(), 0);
  const double r[] = {8, -2.4, -3.2}, u[] = {0, 2.4, 3.2};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(answer["r"][k].get<double>(), r[k], 1e-9);
    EXPECT_NEAR(answer["u"][k].get<double>(), u[k], 1e-9);
  }
}

TEST_F(SolveCommand, human_output_names_state_and_certificate) {
  const Outcome run = palp_program("solve " + file("slides.json") + " --solver coulomb_gs");
  EXPECT_EQ(run.code, 0);
  for (const char* word : {"1 contacts", "converged", "certificate", "1 sliding"})
    EXPECT_NE(run.text.find(word), std::string::npos) << run.text;
}

TEST_F(SolveCommand, exit_code_is_zero_only_when_converged) {
  write("coupled.json",
        R"({"mu":[0.5],"q":[-2,3,4],"W":{"rows":3,"i":[0,1,2,0,1],"j":[0,1,2,1,0],"v":[1,1,0.1,0.5,0.5]}})");
  const Outcome run =
      palp_program("solve " + file("coupled.json") + " --solver coulomb_gs --tol 1e-12 --max-sweeps 1");
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.text.find("sweep limit"), std::string::npos) << run.text;
}

TEST_F(SolveCommand, errors_name_file_and_remedy) {
  const auto expect_error = [](const std::string& arguments, const std::vector<std::string>& words) {
    const Outcome run = palp_program("solve " + arguments);
    EXPECT_NE(run.code, 0) << arguments;
    for (const auto& word : words) EXPECT_NE(run.text.find(word), std::string::npos) << run.text;
  };
  write("bad.json", "{\n nonsense");
  expect_error("", {"no problem given"});
  expect_error(file("absent.json"), {"absent.json", "check the path"});
  expect_error(file("bad.json"), {"bad.json:2", "JSON"});
  expect_error(file("slides.json") + " --solver coulomp", {"unknown solver 'coulomp'", "coulomb_gs"});
  expect_error(file("slides.json") + " --solver signorini_gs", {"slides.json", "friction"});
  expect_error(file("slides.json") + " --tol -1", {"'-1' is not a positive number"});
  expect_error(folder.string(), {"folder", "--compare"});
  expect_error(file("slides.json") + " --solver coulomb_gs --out " + file("no/folder.json"),
               {"cannot be written"});
}

TEST_F(SolveCommand, list_names_solvers_that_all_exist) {
  const Outcome list = palp_program("solve --list");
  ASSERT_EQ(list.code, 0);
  std::istringstream names(list.text);
  int count = 0;
  for (std::string name; names >> name; ++count)
    EXPECT_EQ(palp_program("solve " + file("open.json") + " --solver " + name).code, 0) << name;
  EXPECT_GE(count, 3);
}

TEST_F(SolveCommand, comparison_gives_table_json_and_picture) {
  const std::string solvers = " --solvers signorini_gs,coulomb_gs,coulomb_nsgs --tols 1e-3,1e-9 --repeat 2 ";
  const Outcome table =
      palp_program("solve --compare " + folder.string() + solvers + "--picture " + file("p.svg"));
  ASSERT_EQ(table.code, 0) << table.text;
  for (const char* word : {"slides", "open", "coulomb_nsgs", "median time"})
    EXPECT_NE(table.text.find(word), std::string::npos) << table.text;
  const Outcome run =
      palp_program("solve --compare " + file("slides.json") + " " + file("open.json") + solvers + "--json");
  ASSERT_EQ(run.code, 0) << run.text;
  const json all = json::parse(run.text);
  EXPECT_EQ(all["runs"].size(), 2u * 2 * 3);
  int declined = 0;
  for (const json& r : all["runs"]) {
    declined += r["status"] == "not applicable";
    if (r["converged"]) {
      EXPECT_LE(r["certificate"].get<double>(), r["tolerance"].get<double>() * 1.001);
    }
  }
  EXPECT_EQ(declined, 2) << "the frictionless solver on the sliding contact, at two tolerances";
  EXPECT_EQ(all["summary"][1]["solved"], 4);
  std::stringstream picture;
  picture << std::ifstream(folder / "p.svg").rdbuf();
  EXPECT_NE(picture.str().find("<svg"), std::string::npos);
  const Outcome refused =
      palp_program("solve --compare " + file("open.json") + solvers + "--picture " + file("no/p.svg"));
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.text.find("p.svg"), std::string::npos) << refused.text;
}

}  // namespace solve_test
