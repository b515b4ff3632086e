// Study files: what is read, what is refused, what names a result.
#include <set>

#include "bar_study.hpp"

namespace palp {
namespace study_test {

using StudyFile = testing::BarStudy;

TEST_F(StudyFile, is_read_with_its_defaults) {
  const Study s = study(grid("seconds: 0.1\nset: {bodies.bar.density: 500}\n"));
  EXPECT_EQ(study_rows(s).size(), 20u);
  EXPECT_EQ(s.repeats, 1);
  const auto overrides = scene_of(s, study_rows(s)[5]).changes;
  ASSERT_EQ(overrides.size(), 3u);
  EXPECT_EQ(overrides[0].key, "bodies.bar.density");
  EXPECT_EQ(overrides[1].value, "2e+06");
  EXPECT_EQ(overrides[2].value, "0.1002");
}

TEST_F(StudyFile, without_keep_all_quantities_and_the_certificate_are_kept) {
  const Study s = study(
      "scene: bar.yaml\nplan: sobol\ndesigns: 8\nparameters: {E: {key: bodies.bar.youngModulus, from: 1e5, "
      "to: 1e6, scale: log}}\n");
  std::set<std::string> names;
  for (const Measure& m : s.keep) names.insert(m.name);
  EXPECT_TRUE(names.count("arm.peakForce") && names.count("bar.reaction") && names.count("certificate.max"));
}

TEST_F(StudyFile, mistakes_have_their_line_and_a_remedy) {
  const struct {
    std::string text, expected;
    long line;
  } cases[] = {
      {"scene: bar.yaml\nplan: gird\nparameters: {a: {key: dt, values: [1]}}\n", "grid", 2},
      {"scene: bar.yaml\nplan: grid\nparameters:\n  a: {key: dt, from: 1, to: 2}\n", "steps", 4},
      {"scene: bar.yaml\nplan: grid\nparameters:\n  a: {key: dt, from: 2, to: 1, steps: 3}\n",
       "range is empty", 4},
      {"scene: bar.yaml\nplan: grid\nparameters:\n  a: {from: 1, to: 2, steps: 3}\n", "changes nothing", 4},
      {"scene: bar.yaml\nplan: random\nparameters:\n  a: {key: dt, from: 1, to: 2}\n", "designs", 0},
      {"scene: bar.yaml\nplan: grid\nparameters:\n  status: {key: dt, values: [0.1]}\n", "already a column",
       4},
      {"scene: bar.yaml\nplan: grid\nparameters:\n  a/b: {key: dt, values: [0.1]}\n", "no name", 4},
      {"scene: bar.yaml\nplan: random\ndesigns: 10\nrepeats: 100000\nparameters:\n  a: {key: dt, from: 0.1, "
       "to: 0.2}\nsed: 3\n",
       "seed", 7},
      {"scene: bar.yaml\nplan: random\ndesigns: 1000000\nrepeats: 2\nparameters:\n  a: {key: dt, from: 0.1, "
       "to: 0.2}\n",
       "million", 0},
      {"scene: bar.yaml\nplan: grid\nparameters:\n  a: {key: dt, values: [0.1, fast], spread: 0.1}\n",
       "no spread", 4},
      {"scene: bar.yaml\nplan: list\nparameters:\n  a: {key: dt, spread: 1}\ndesigns:\n  - {a: slow}\n",
       "no spread", 6},
      {"scene: none.yaml\nplan: grid\nparameters: {a: {key: dt, values: [0.1]}}\n", "none.yaml", 0},
      {"scene: bar.yaml\nplan: list\nparameters: {a: {key: dt}}\ndesigns:\n  - {b: 1}\n", "every parameter",
       5},
      {grid("").replace(grid("").find("arm.peakForce"), 13, "arm.peekForce"), "arm.peakForce", 6},
      {grid("").replace(grid("").find("certificate.max"), 15, "certificat.max"), "certificate", 6},
      {"scene: bar.yaml\nplan: grid\nparameters: {a: {key: bodies.bar.model, values: [rigd]}}\n", "rigid", 0},
  };
  for (const auto& c : cases) {
    const StudyResult r = parse_study(c.text, file);
    EXPECT_FALSE(r.study) << c.text;
    std::string all;
    bool at_line = c.line == 0;
    for (const Error& e : r.errors) {
      all += e.text() + "\n";
      at_line = at_line || e.line == c.line;
    }
    EXPECT_NE(all.find(c.expected), std::string::npos) << c.text << all;
    EXPECT_TRUE(at_line) << c.text << all;
  }
}

TEST_F(StudyFile, a_fingerprint_is_what_decides_the_outcome) {
  const Study s = study(grid());
  std::set<std::string> names;
  for (const StudyRow& row : study_rows(s)) names.insert(fingerprint(s, row));
  EXPECT_EQ(names.size(), 20u);
  // A study with more designs, in another order, has the same names for the same designs.
  std::string wider = grid();
  wider.replace(wider.find("from: 1e6, to: 5e6, steps: 5"), 28, "values: [9e6, 3e+06]");
  const Study more = study(wider);
  int shared = 0;
  for (const StudyRow& row : study_rows(more))
    shared += static_cast<int>(names.count(fingerprint(more, row)));
  EXPECT_EQ(shared, 4);
  // Another scene, another length of the run, another measure: other names.
  EXPECT_FALSE(names.count(fingerprint(study(grid("seconds: 0.1\n")), study_rows(s)[0])));
  std::ofstream(scene, std::ios::app) << "# a comment\n";
  EXPECT_FALSE(names.count(fingerprint(study(grid()), study_rows(s)[0])));
}

TEST_F(StudyFile, a_mesh_file_that_changes_makes_other_rows) {
  const auto write = [&](double size) {
    std::ofstream(folder / "part.obj")
        << "v 0 0 0\nv " << size << " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  };
  std::ofstream(folder / "part.yaml")
      << "seconds: 0.1\nbodies: {part: {model: rigid, mesh: {file: part.obj}}}\n";
  const std::string text =
      "scene: part.yaml\nplan: grid\nparameters: {g: {key: bodies.part.density, values: [1000, "
      "2000]}}\nkeep: [kinetic_J.last]\n";
  write(1);
  const Study before = study(text);
  const std::string name = fingerprint(before, study_rows(before)[0]);
  write(2);
  const Study after = study(text);
  EXPECT_NE(fingerprint(after, study_rows(after)[0]), name);
}

}  // namespace study_test
}  // namespace palp
