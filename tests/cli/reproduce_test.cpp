// palp reproduce, run as a user runs it.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace reproduce_test {

using Json = nlohmann::json;

class ReproduceCommand : public ::testing::Test {
 protected:
  std::filesystem::path dir = std::filesystem::path(::testing::TempDir()) /
                              std::string("palp_reproduce_").append(std::to_string(getpid()));
  void SetUp() override { std::filesystem::create_directories(dir); }
  void TearDown() override { std::filesystem::remove_all(dir); }
  std::string path(const char* name) { return (dir / name).string(); }
  static std::string content(const std::string& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }

  static palp::testing::Outcome palp_command(const std::string& arguments) {
    return palp::testing::palp_program("reproduce " + arguments, "");
  }
};

TEST_F(ReproduceCommand, list_names_every_experiment_once_with_its_claim) {
  const auto plain = palp_command("--list");
  ASSERT_EQ(plain.code, 0);
  const auto answer = palp_command("--list --json");
  ASSERT_EQ(answer.code, 0);
  std::vector<std::string> ids;
  for (const Json& e : Json::parse(answer.text)) {
    ids.push_back(e["id"]);
    EXPECT_NE(plain.text.find(ids.back()), std::string::npos);
    for (const char* key : {"title", "source", "claim", "paper_reports"})
      EXPECT_FALSE(e[key].get<std::string>().empty()) << ids.back() << ' ' << key;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(PALP_SOURCE_DIR "/scenes") / e["scene"]))
        << ids.back();
  }
  auto unique = ids;
  std::sort(unique.begin(), unique.end());
  EXPECT_EQ(std::unique(unique.begin(), unique.end()), unique.end());
  for (const char* id : {"D04.1", "D04.2", "D04.3", "D04.4", "D04.5", "D06.1", "D06.2", "D06.3", "D06.4",
                         "D06.5", "D06.6", "D06.7", "D06.8", "D06.9", "H08.1", "H08.2", "H08.3"})
    EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id;
}

TEST_F(ReproduceCommand, a_paper_selects_its_experiments_only) {
  const auto answer = palp_command("--list --json D06");
  ASSERT_EQ(answer.code, 0);
  for (const Json& e : Json::parse(answer.text)) EXPECT_EQ(e["id"].get<std::string>().substr(0, 4), "D06.");
}

TEST_F(ReproduceCommand, one_experiment_gives_rows_a_verdict_that_follows_from_them_and_its_files) {
  const auto answer = palp_command("D06.1 --json --out " + path("out"));
  ASSERT_EQ(answer.code, 0);
  const Json all = Json::parse(answer.text);
  ASSERT_EQ(all.size(), 1u);
  const Json& e = all[0];
  bool every = true;
  for (const Json& row : e["measured"])
    if (row.contains("ok")) every = every && row["ok"].get<bool>();
  EXPECT_EQ(e["verdict"], every ? "holds" : "does not hold");
  // A pyramid inscribed in the cone has the cone as its limit: more sides, smaller gap.
  std::vector<double> gamma;
  for (const Json& row : e["measured"])
    if (row["what"].get<std::string>().starts_with("mean γ with ") && row["unit"] == "%")
      gamma.push_back(row["value"]);
  ASSERT_GE(gamma.size(), 3u);
  for (size_t i = 1; i < gamma.size(); ++i) EXPECT_LT(gamma[i], gamma[i - 1]);
  ASSERT_FALSE(e["images"].empty());
  for (const Json& image : e["images"])
    EXPECT_GT(std::filesystem::file_size(dir / "out" / image["file"].get<std::string>()), 1000u);
  ASSERT_FALSE(e["tables"].empty());
  for (const Json& table : e["tables"])
    EXPECT_NE(content(dir / "out" / table.get<std::string>()).find('\n'), std::string::npos);
}

TEST_F(ReproduceCommand, a_limit_is_richardsons_of_the_three_finest_values) {
  const auto answer = palp_command("P11.2 --json");
  ASSERT_EQ(answer.code, 0);
  const Json experiment = Json::parse(answer.text)[0];
  const auto row = [&](const std::string& what) {
    for (const Json& r : experiment["measured"])
      if (r["what"] == what) return r;
    return Json{{"value", 0.0}};
  };
  // Beams of 5, 10 and 20 segments: f + C hᵖ through three points with h halved each time.
  const double f1 = row("force felt at the end")["value"],
               f2 = row("10 segments each: force felt at the end")["value"],
               f3 = row("20 segments each: force felt at the end")["value"];
  ASSERT_GT(f1 * f2 * f3, 0);
  const double ratio = (f1 - f2) / (f2 - f3), order = std::log2(ratio);
  ASSERT_GT(order, 0);
  ASSERT_LT(order, 2) << "beyond the formal order the limit is another one";
  const Json limit = row("force felt at the end, limit");
  EXPECT_NEAR(row("force felt at the end, order of convergence")["value"].get<double>(), order, 1e-6);
  const double beyond = (f3 - f2) / (ratio - 1);
  EXPECT_NEAR(limit["value"].get<double>(), f3 + beyond, 1e-9);
  EXPECT_NEAR(limit["error"].get<double>(), 1.25 * std::abs(beyond), 1e-9);
}

TEST_F(ReproduceCommand, slow_two_runs_of_an_experiment_without_times_give_the_same_digits) {
  const auto first = palp_command("D06.5 --json"), second = palp_command("D06.5 --json");
  ASSERT_EQ(first.code, 0);
  EXPECT_EQ(Json::parse(first.text)[0]["measured"], Json::parse(second.text)[0]["measured"]);
}

TEST_F(ReproduceCommand, the_index_keeps_pages_of_earlier_runs) {
  std::filesystem::create_directories(dir / "docs/experiments");
  std::ofstream(dir / "docs/experiments/D06.4.md")
      << "**In short:** earlier.\n\n**Verdict: does not hold.**\n";
  ASSERT_EQ(palp_command("D06.1 --markdown " + path("docs/experiments")).code, 0);
  const std::string index = content(path("docs/experiments/README.md"));
  EXPECT_NE(index.find("[D06.1](D06.1.md)"), std::string::npos);
  EXPECT_NE(index.find("| earlier. | **does not hold** |"), std::string::npos) << index;
  EXPECT_EQ(index.find("D06.2.md"), std::string::npos);
  EXPECT_NE(content(path("docs/experiments/D06.1.md")).find("(../pictures/D06.1-gamma.png)"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(dir / "docs/pictures/D06.1-gamma.png"));
}

TEST_F(ReproduceCommand, unknown_names_and_missing_scenes_are_told) {
  const auto unknown = palp_command("D06.99 2>&1");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.text.find("D06.99"), std::string::npos);
  EXPECT_NE(unknown.text.find("D06.1 "), std::string::npos) << "the known ones are listed";
  EXPECT_EQ(palp_command("D0 2>&1").code, 2) << "half a name is not a paper";
  const auto missing = palp_command("D06.1 --scenes " + path("nowhere") + " 2>&1");
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.text.find("d06-table.yaml"), std::string::npos) << missing.text;
  EXPECT_NE(palp_command("--help").text.find("Exit code"), std::string::npos);
}

}  // namespace reproduce_test
