// The table of a run: the whole and its parts agree, and forces keep Newton's third law.
#include "palp/scene/run_series.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace palp {
namespace run_series_test {

const char* const text = R"(dt: 0.005
gravity: [0, 0, -9.81]
contact: {mu: 0.3, alarmDistance: 0.005}
bodies:
  block:
    model: linear
    mesh: {generator: box, size: [0.06, 0.06, 0.03], cells: [3, 3, 2]}
    youngModulus: 1e5
    rayleighStiffness: 0.01
    fixed: {box: [[-1, -1, -0.016], [1, 1, -0.0149]]}
  weight: {model: rigid, mesh: {generator: box, size: [0.03, 0.03, 0.01], cells: [2, 2, 1]}, position: [0, 0, 0.021]}
)";

struct Table {
  std::vector<std::string> names;
  std::vector<double> values;  ///< row by row
  double at(size_t row, const std::string& name) const {
    const auto column = std::find(names.begin(), names.end(), name);
    EXPECT_NE(column, names.end()) << name;
    return values[row * names.size() + static_cast<size_t>(column - names.begin())];
  }
};

TEST(RunSeries, some_columns_are_those_of_all_and_forces_balance) {
  SceneResult loaded = build_scene({"series", text});
  ASSERT_TRUE(loaded.scene);
  SceneRun run(*loaded.scene);
  RunSeries all(*loaded.scene);
  RunSeries some(*loaded.scene,
                 {"weight_z_m", "block-weight_fz_N", "time_s", "block_reaction_z_N", "no_such_m"});
  EXPECT_EQ(all.columns(), series_columns(*loaded.scene));
  EXPECT_EQ(some.columns(), (std::vector<std::string>{"time_s", "weight_z_m", "block-weight_fz_N",
                                                      "block_reaction_z_N"}));  // in the order of the table
  Table whole{all.columns(), {}}, part{some.columns(), {}};
  const size_t steps = 400;
  for (size_t i = 0; i < steps; ++i) {
    ASSERT_TRUE(run.advance());
    all.add(run, whole.values);
    some.add(run, part.values);
    for (const std::string& name : part.names) EXPECT_EQ(part.at(i, name), whole.at(i, name)) << name;
  }
  // At rest: the block is pushed down by the weight, and its supports carry both.
  const double g = 9.81, weight = g * loaded.scene->model.bodies[1].body->mass(),
               block = g * loaded.scene->model.bodies[0].body->mass();
  EXPECT_NEAR(part.at(steps - 1, "block-weight_fz_N"), -weight, 1e-3 * weight);
  EXPECT_NEAR(part.at(steps - 1, "block_reaction_z_N"), weight + block, 1e-3 * (weight + block));
}

}  // namespace run_series_test
}  // namespace palp
