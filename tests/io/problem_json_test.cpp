#include "palp/io/problem_json.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace palp {
namespace problem_json_test {

const char* const one_contact =
    R"({"mu":[0.5], "q":[-1,2,3], "W":{"rows":3,"i":[0,1,2,0,1],"j":[0,1,2,1,0],"v":[2,3,4,0.5,0.5]}})";

TEST(ProblemJson, the_documented_form_is_read) {
  auto p = parse_problem_json(one_contact);
  ASSERT_TRUE(p) << p.error().text();
  EXPECT_EQ(p->contacts(), 1);
  Mat3 expected;
  expected << 2, 0.5, 0, 0.5, 3, 0, 0, 0, 4;
  EXPECT_EQ(p->W.dense, expected);
  EXPECT_EQ(p->delta_free[2], 3);
  EXPECT_EQ(p->mu[0], 0.5);
}

TEST(ProblemJson, bilateral_contacts_are_named_by_index) {
  auto p = parse_problem_json(
      R"({"mu":[0,0], "q":[0,0,0,0,0,0], "W":{"rows":6,"i":[],"j":[],"v":[]}, "bilateral":[1]})");
  ASSERT_TRUE(p) << p.error().text();
  EXPECT_FALSE(p->bilateral(0));
  EXPECT_TRUE(p->bilateral(1));
}

TEST(ProblemJson, an_empty_problem_is_a_problem) {
  EXPECT_TRUE(parse_problem_json(R"({"mu":[], "q":[], "W":{"rows":0,"i":[],"j":[],"v":[]}})"));
}

TEST(ProblemJson, errors_name_file_line_and_remedy) {
  const auto expect_error = [](const std::string& text, const char* about) {
    auto p = parse_problem_json(text, "bad.json");
    ASSERT_FALSE(p) << text;
    EXPECT_EQ(p.error().file, "bad.json");
    EXPECT_NE(p.error().text().find(about), std::string::npos) << p.error().text();
  };
  auto p = parse_problem_json("{\n\"mu\": [1,\n oops]}", "bad.json");
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().line, 3);
  expect_error("", "JSON");
  expect_error("[1, 2]", "not a contact problem");
  expect_error("{}", "\"mu\" is missing");
  expect_error(R"({"mu":1,"q":[],"W":{}})", "\"mu\" is not an array");
  expect_error(R"({"mu":["x"],"q":[],"W":{}})", "\"mu\"[0] is not a number");
  expect_error(R"({"mu":[0],"q":[0,0,0]})", "\"W\" is missing");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[0.5],"j":[0],"v":[1]}})",
               "\"i\"[0] is not a whole");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[-1],"j":[0],"v":[1]}})",
               "\"i\"[0] is not a whole");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[99999999999],"j":[0],"v":[1]}})",
               "\"i\"[0] is not a whole");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[3],"j":[0],"v":[1]}})", "outside");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[0],"j":[0],"v":[]}})", "1 row indices");
  expect_error(R"({"mu":[0],"q":[0,0],"W":{"rows":3,"i":[],"j":[],"v":[]}})", "\"q\" 2");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":6,"i":[],"j":[],"v":[]}})", "\"rows\" is 6");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"i":[],"j":[],"v":[]}})", "\"rows\" is missing");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[],"j":[],"v":[]},"bilaterl":[]})", "bilaterl");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[],"j":[],"v":[]},"bilateral":[1]})",
               "contact 1 of 1");
  expect_error(R"({"mu":[-1],"q":[0,0,0],"W":{"rows":3,"i":[],"j":[],"v":[]}})", "negative");
  expect_error(R"({"mu":[0],"q":[0,0,1e999],"W":{"rows":3,"i":[],"j":[],"v":[]}})", "out of range");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[0],"j":[0],"v":[-1]}})", "indefinite");
  expect_error(R"({"mu":[0],"q":[0,0,0],"W":{"rows":3,"i":[0,1,2,0],"j":[0,1,2,1],"v":[1,1,1,0.5]}})",
               "asymmetric");
  EXPECT_FALSE(read_problem(std::string(PALP_BINARY_DIR) + "/no_such_file.json"));
}

}  // namespace problem_json_test
}  // namespace palp
