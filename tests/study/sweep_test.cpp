// Running a study: every row has its known answer, nothing is done twice, nothing is lost.
#include "palp/study/sweep.hpp"

#include <cmath>
#include <mutex>
#include <set>

#include "bar_study.hpp"
#include <hdf5.h>

#include "palp/study/report.hpp"

namespace palp {
namespace sweep_test {

class Sweep : public testing::BarStudy {
 protected:
  StudyFolder results() { return *StudyFolder::open((folder / "out").string()); }
};

TEST_F(Sweep, every_row_is_the_answer_to_its_own_design) {
  const Study s = study(grid());
  const StudyFolder out = results();
  const auto summary = sweep(s, out, {.jobs = 3, .build = "test"});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ran, 20);
  EXPECT_EQ(summary->failed, 0);
  const StudyTable table = merge(s, out);
  EXPECT_EQ(table.count(RowStatus::ok), 20);
  EXPECT_EQ(table.builds, std::vector<std::string>{"test"});
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const double expected =
        force(*as_number(table.rows[i].values[0]), *as_number(table.rows[i].values[1]) - 0.1);
    EXPECT_NEAR(table.results[i].values[0], expected, 1e-6 * expected);
    EXPECT_NEAR(table.results[i].values[1], expected, 1e-6 * expected);
    EXPECT_NEAR(table.results[i].values[3], -expected, 1e-6 * expected) << "the hand is pulled back";
  }
}

TEST_F(Sweep, the_bits_of_a_run_do_not_depend_on_what_runs_beside_it) {
  std::ofstream(folder / "block.yaml") << R"(dt: 0.01
seconds: 0.05
bodies:
  block:
    model: corotational
    mesh: {generator: box, size: [0.06, 0.06, 0.03], cells: [7, 7, 4]}
    youngModulus: 1e4
    fixed: {box: [[-1, -1, -1], [1, 1, -0.0149]]}
)";
  const Study s = study(
      "scene: block.yaml\nplan: grid\nparameters: {g: {key: bodies.block.density, values: [1000]}}\n"
      "repeats: 60\nkeep: [elastic_J.last, block.reaction]\n");
  const StudyFolder out = results();
  ASSERT_TRUE(sweep(s, out, {.jobs = 6, .build = ""}));
  std::set<std::vector<double>> different;
  for (const RowResult& r : merge(s, out).results) different.insert(r.values);
  EXPECT_EQ(different.size(), 1u);
}

TEST_F(Sweep, what_was_broken_off_is_completed_and_nothing_else) {
  const Study s = study(grid());
  const StudyFolder out = results();
  std::atomic<bool> stop = false;
  SweepOptions options{.jobs = 2, .build = "a", .stop = &stop};
  options.progress = [&](const SweepProgress& p) { stop = p.done >= 7; };
  const auto first = sweep(s, out, options);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->stopped);
  EXPECT_GE(first->ran, 7);
  EXPECT_LT(first->ran, 20);
  const auto second = sweep(s, out, {.jobs = 2, .build = "b"});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->present, first->ran);
  EXPECT_EQ(second->ran, 20 - first->ran);
  const StudyTable table = merge(s, out);
  EXPECT_EQ(std::count_if(table.results.begin(), table.results.end(), [](auto& r) { return r.build == "a"; }),
            first->ran);
  EXPECT_EQ(table.builds.size(), 2u) << "told in the report";
  EXPECT_EQ(sweep(s, out, {.jobs = 1, .build = "c"})->ran, 0);
}

TEST_F(Sweep, tasks_share_the_rows_without_overlap) {
  const Study s = study(grid());
  const StudyFolder out = results();
  long ran = 0;
  for (int task : {2, 0, 1}) {
    const auto summary = sweep(s, out, {.jobs = 1, .task = task, .of = 3, .build = ""});
    EXPECT_EQ(summary->present, 0);
    ran += summary->ran;
  }
  EXPECT_EQ(ran, 20);
  EXPECT_EQ(merge(s, out).count(RowStatus::ok), 20);
}

TEST_F(Sweep, a_damaged_result_is_missing) {
  const Study s = study(grid());
  const StudyFolder out = results();
  ASSERT_TRUE(sweep(s, out, {.build = ""}));
  int damaged = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "out" / "rows")) {
    if (!entry.is_regular_file() || damaged == 3) continue;
    std::filesystem::resize_file(entry.path(), static_cast<size_t>(damaged) * 40);  // empty, and cut off
    ++damaged;
  }
  EXPECT_EQ(merge(s, out).count(RowStatus::missing), 3);
  EXPECT_EQ(sweep(s, out, {.build = ""})->ran, 3);
  EXPECT_EQ(merge(s, out).count(RowStatus::ok), 20);
}

TEST_F(Sweep, a_design_that_fails_is_a_row_with_its_reason) {
  const Study s = study(R"(scene: bar.yaml
plan: list
parameters: {nu: {key: bodies.bar.poissonRatio}, elements: {key: bodies.bar.mesh.elements}}
designs: [{nu: 0, elements: hexes}, {nu: 0.7, elements: hexes}, {nu: 0, elements: bricks}, {nu: 0, elements: quadraticTets}]
)");
  const StudyFolder out = results();
  const auto summary = sweep(s, out, {.build = ""});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->failed, 2);
  const StudyTable table = merge(s, out);
  EXPECT_EQ(table.status,
            (std::vector<RowStatus>{RowStatus::ok, RowStatus::failed, RowStatus::failed, RowStatus::ok}));
  EXPECT_NE(table.results[1].reason.find("poissonRatio"), std::string::npos) << table.results[1].reason;
  EXPECT_TRUE(std::isnan(table.results[1].values[0]));
  EXPECT_NEAR(table.results[3].values[0], force(1e6, 1e-4), 1e-6);
  EXPECT_EQ(sweep(s, out, {.build = ""})->ran, 2) << "failed ones are tried again";
  EXPECT_EQ(sweep(s, out, {.keep_failed = true, .build = ""})->ran, 0);
  const std::string csv = table_csv(s, table);
  EXPECT_NE(csv.find("\n1,0,0.7,hexes,,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",failed,"), std::string::npos);
}

TEST_F(Sweep, a_run_that_takes_too_long_is_ended) {
  const Study s = study(grid("seconds: 100000\ntimeLimit: 0.02\n"));
  const RowResult r = run_row(s, study_rows(s)[0], "");
  EXPECT_FALSE(r.ok);
  EXPECT_NE(r.reason.find("timeLimit"), std::string::npos) << r.reason;
}

TEST_F(Sweep, statistics_of_columns_over_a_part_of_the_time) {
  // The hand goes 0.1 mm in 0.1 s and stays: positions 0.1001, 0.1001 after the two steps.
  const Study s = study(R"(scene: bar.yaml
plan: grid
parameters: {dt: {key: dt, values: [0.05]}}
keep:
  - {name: early, of: arm_x_m, statistic: max, to: 0.06}
  - {name: late, of: arm_x_m, statistic: min, from: 0.06}
  - {name: never, of: arm_x_m, statistic: mean, from: 5}
  - time_s.mean
  - time_s.rms
  - time_s.first
)");
  const RowResult r = run_row(s, study_rows(s)[0], "");
  ASSERT_TRUE(r.ok) << r.reason;
  EXPECT_LT(r.values[0], 0.1001 - 1e-6);
  EXPECT_NEAR(r.values[1], 0.1001, 1e-12);
  EXPECT_TRUE(std::isnan(r.values[2]));
  EXPECT_NEAR(r.values[3], (0.05 + 0.1 + 0.15 + 0.2) / 4, 1e-12);
  EXPECT_NEAR(r.values[4], std::sqrt((0.0025 + 0.01 + 0.0225 + 0.04) / 4), 1e-12);
  EXPECT_NEAR(r.values[5], 0.05, 1e-12);
  EXPECT_TRUE(parse_row(s, format_row(s, study_rows(s)[0], r))->ok);
}

TEST_F(Sweep, the_table_in_hdf5_is_the_table) {
  const Study s = study(grid());
  const StudyFolder out = results();
  ASSERT_TRUE(sweep(s, out, {.build = ""}));
  const StudyTable table = merge(s, out);
  const std::string path = (folder / "t.h5").string();
  ASSERT_TRUE(write_table_hdf5(s, table, path));
  const hid_t file_id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file_id, 0);
  for (const auto& [name, of] : std::map<std::string, int>{{"E", 0}, {"arm.peakForce", 1}}) {
    const hid_t set = H5Dopen2(file_id, name.c_str(), H5P_DEFAULT);
    std::vector<double> values(20);
    ASSERT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    for (size_t i = 0; i < 20; ++i)
      EXPECT_EQ(values[i], of == 0 ? *as_number(table.rows[i].values[0]) : table.results[i].values[0]);
    H5Dclose(set);
  }
  H5Fclose(file_id);
}

TEST_F(Sweep, the_report_shows_effects_maps_and_best_designs) {
  const Study s = study(grid());
  const StudyFolder out = results();
  ASSERT_TRUE(sweep(s, out, {.build = ""}));
  const StudyTable table = merge(s, out);
  ASSERT_TRUE(write_report(s, table, out.path()));
  for (const char* name : {"report.html", "effects-0.svg", "scatter-0.svg", "map-0.svg"})
    EXPECT_GT(std::filesystem::file_size(folder / "out" / name), 500u) << name;
}

TEST(MainEffect, shares_of_a_sum_are_those_of_its_terms) {
  StudyTable t;  // y = 3 a + b over a full grid of −1, 0, 1: variances 9 : 1
  for (int a : {-1, 0, 1})
    for (int b : {-1, 0, 1}) {
      t.rows.push_back({0, 0, {as_yaml(a), b < 0 ? "low" : b > 0 ? "top" : "mid"}});
      t.status.push_back(RowStatus::ok);
      t.results.push_back({true, "", {3.0 * a + b}, 0, ""});
    }
  const MainEffect a = main_effect(t, 0, 0), b = main_effect(t, 1, 0);
  EXPECT_NEAR(a.share, 0.9, 1e-12);
  EXPECT_NEAR(b.share, 0.1, 1e-12);
  EXPECT_EQ(a.mean, (std::vector<double>{-3, 0, 3}));
  EXPECT_EQ(b.names, (std::vector<std::string>{"low", "mid", "top"}));
}

}  // namespace sweep_test
}  // namespace palp
