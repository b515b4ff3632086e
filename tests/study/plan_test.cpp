// Plans: every parameter where it should be, and the same rows on every machine.
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "palp/study/sobol.hpp"
#include "palp/study/study.hpp"

namespace palp {
namespace plan_test {

Study study_of(PlanKind plan, std::vector<StudyParameter> parameters, int designs = 0) {
  Study s;
  s.plan = plan;
  s.parameters = std::move(parameters);
  s.designs = designs;
  return s;
}

StudyParameter range(const char* name, double from, double to, int steps = 0) {
  return {.name = name, .keys = {name}, .values = {}, .from = from, .to = to, .steps = steps};
}

TEST(Sobol, every_coordinate_visits_every_interval_once) {
  for (const std::uint64_t seed : {1u, 77u}) {
    SobolSequence sequence(SobolSequence::most_dimensions, seed);
    std::vector<std::vector<double>> points;
    for (int n = 0; n < 256; ++n) points.push_back(sequence.next());
    for (int k = 1; k <= 8; ++k)
      for (size_t j = 0; j < SobolSequence::most_dimensions; ++j) {
        std::set<int> seen;
        for (int n = 0; n < 1 << k; ++n)
          seen.insert(static_cast<int>(points[static_cast<size_t>(n)][j] * (1 << k)));
        EXPECT_EQ(seen.size(), 1u << k) << "coordinate " << j << " of the first 2^" << k;
      }
  }
}

TEST(Sobol, the_first_two_coordinates_fill_every_box_of_equal_area) {
  SobolSequence sequence(2, 5);
  constexpr int m = 8;
  std::vector<std::vector<double>> points;
  for (int n = 0; n < 1 << m; ++n) points.push_back(sequence.next());
  for (int a = 0; a <= m; ++a) {  // boxes of 2^-a times 2^-(m-a): one point each
    std::set<std::pair<int, int>> boxes;
    for (const auto& p : points)
      boxes.insert({static_cast<int>(p[0] * (1 << a)), static_cast<int>(p[1] * (1 << (m - a)))});
    EXPECT_EQ(boxes.size(), 1u << m) << a;
  }
}

TEST(Plan, a_grid_is_the_product_of_its_levels_with_exact_ends) {
  Study s = study_of(PlanKind::grid, {range("a", 0.1, 0.7, 4), range("b", 1e-3, 1e3, 3)});
  s.parameters[1].logarithmic = true;
  s.parameters.push_back({.name = "c", .keys = {"c"}, .values = {"hexes", "[1, 2]"}});
  const auto rows = study_rows(s);
  ASSERT_EQ(rows.size(), 24u);
  EXPECT_EQ(rows[0].values, (std::vector<std::string>{"0.1", "0.001", "hexes"}));
  EXPECT_EQ(rows[1].values[2], "[1, 2]");
  EXPECT_EQ(rows[23].values, (std::vector<std::string>{"0.7", "1000", "[1, 2]"}));
  EXPECT_NEAR(*as_number(rows[2].values[1]), 1, 1e-12);
  std::set<std::vector<std::string>> all;
  for (const StudyRow& row : rows) all.insert(row.values);
  EXPECT_EQ(all.size(), 24u);
}

TEST(Plan, a_latin_hypercube_visits_every_part_of_every_range_once) {
  const auto rows =
      study_rows(study_of(PlanKind::latin_hypercube, {range("a", -1, 1), range("b", 0, 10)}, 50));
  for (const size_t p : {0u, 1u}) {
    std::set<int> seen;
    for (const StudyRow& row : rows) {
      const double x = *as_number(row.values[p]);
      seen.insert(static_cast<int>(p == 0 ? (x + 1) * 25 : x * 5));
    }
    EXPECT_EQ(seen.size(), 50u);
  }
}

TEST(Plan, random_values_fill_the_range_and_follow_the_seed) {
  Study s = study_of(PlanKind::random, {range("a", 2, 4), range("n", 1, 6), range("l", 1, 1e4)}, 6000);
  s.parameters[1].integer = true;
  s.parameters[2].logarithmic = true;
  const auto rows = study_rows(s);
  double sum = 0, logs = 0;
  std::map<std::string, int> dice;
  for (const StudyRow& row : rows) {
    const double a = *as_number(row.values[0]);
    EXPECT_TRUE(a >= 2 && a <= 4);
    sum += a;
    ++dice[row.values[1]];
    logs += std::log10(*as_number(row.values[2]));
  }
  EXPECT_NEAR(sum / 6000, 3, 5 * 2 / std::sqrt(12.0 * 6000));
  EXPECT_NEAR(logs / 6000, 2, 5 * 4 / std::sqrt(12.0 * 6000));
  EXPECT_EQ(dice.size(), 6u);
  for (const auto& [face, count] : dice) EXPECT_NEAR(count, 1000, 150) << face;
  EXPECT_EQ(study_rows(s)[17].values, rows[17].values);
  s.seed = 2;
  EXPECT_NE(study_rows(s)[17].values, rows[17].values);
}

TEST(Plan, repeats_scatter_around_their_design) {
  Study s = study_of(PlanKind::list, {range("a", 0, 0), range("b", 0, 0)});
  s.list = {{"5", "1"}, {"7", "2"}};
  s.repeats = 4000;
  s.parameters[0].spread = 0.1;
  const auto rows = study_rows(s);
  ASSERT_EQ(rows.size(), 8000u);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < 4000; ++i) {
    EXPECT_EQ(rows[i].design, 0);
    EXPECT_EQ(rows[i].values[1], "1") << "no spread";
    const double d = *as_number(rows[i].values[0]) - 5;
    sum += d;
    squares += d * d;
  }
  EXPECT_NEAR(sum / 4000, 0, 5 * 0.1 / std::sqrt(4000));
  EXPECT_NEAR(std::sqrt(squares / 4000), 0.1, 0.01);
}

TEST(Plan, a_number_in_yaml_keeps_its_bits) {
  for (const double x : {0.1, 1.0 / 3, 1e-300, -7e22, 5.0}) EXPECT_EQ(*as_number(as_yaml(x)), x);
  for (const char* text : {"", "abc", "1 2", "nan", "[1]", "0x"}) EXPECT_FALSE(as_number(text)) << text;
}

}  // namespace plan_test
}  // namespace palp
