// The study of a scene against beam theory: a bar between two clamps, one of which is moved sideways.
#include "palp/scene/converge.hpp"

#include <cmath>

#include "scene/scene_text.hpp"
#include <gtest/gtest.h>

#include "palp/io/mesh_file.hpp"
#include "palp/mesh/generators.hpp"

namespace palp {
namespace converge_test {

using testing::TextFile;

const char* const bar = R"(dt: 0.1
seconds: 0.2
gravity: [0, 0, 0]
bodies:
  bar:
    model: linear
    mesh: {generator: bar, length: 0.2, width: 0.02, height: 0.02, cellsAlong: 16, cellsWide: 2, cellsHigh: 2, elements: trilinearHexes}
    youngModulus: 1e6
    poissonRatio: 0
    quasiStatic: true
    fixed: {box: [[-1, -1, -1], [1e-6, 1, 1]]}
    grasp: {box: [[0.1999, -1, -1], [1, 1, 1]]}
devices:
  arm: {type: script, holds: {body: bar}, path: [{time: 0, position: [0.2, 0, 0]}, {time: 0.1, position: [0.2, 0, 1e-4]}]}
)";

TEST(Converge, a_bar_of_elements_that_lock_is_extrapolated_to_beam_theory) {
  std::vector<double> told;
  const auto study = converge({"bar.yaml", bar}, {.quantity = "bar.reaction"},
                              [&](const ConvergeLevel& l) { told.push_back(l.value); });
  ASSERT_TRUE(study) << study.error().text();
  const double E = 1e6, I = std::pow(0.02, 4) / 12, L = 0.2, A = 4e-4;
  const double phi = 12 * E * I / (5.0 / 6 * E / 2 * A * L * L);  // Timoshenko, ν = 0
  const double theory = 12 * E * I * 1e-4 / (L * L * L * (1 + phi));
  EXPECT_GT(study->as_written, 1.1 * theory);
  EXPECT_NEAR(study->limit, theory, 0.015 * theory);
  EXPECT_GT(study->error, 0);
  EXPECT_LT(study->error, 0.05 * theory);
  EXPECT_GT(study->distance_percent(), 10);
  EXPECT_TRUE(study->converged);
  ASSERT_TRUE(study->mesh.limit.order);
  EXPECT_NEAR(*study->mesh.limit.order, 2, 0.3);
  ASSERT_EQ(study->mesh.levels.size(), 4u);
  const long cells[] = {16 * 2 * 2, 24 * 3 * 3, 32 * 4 * 4, 48 * 6 * 6};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(study->mesh.levels[k].cells, cells[k]);
  EXPECT_EQ(study->mesh.levels[3].unknowns, 3 * 49 * 7 * 7);
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(study->mesh.levels[k].size, 1 / refinement_factors()[k], 1e-12);  // here all counts are whole
  // Statics know no time: finer steps change nothing.
  EXPECT_FALSE(study->time.limit.order);
  EXPECT_NEAR(study->time.levels[3].dt_s, 0.1 / 3, 1e-15);
  EXPECT_EQ(told.size(), 7u);
}

TEST(Converge, unknown_quantities_are_refused_with_the_list_of_known_ones) {
  const auto study = converge({"bar.yaml", bar}, {.quantity = "arm.peekForce"});
  ASSERT_FALSE(study);
  EXPECT_NE(study.error().message.find("arm.peekForce"), std::string::npos);
  for (const char* name : {"arm.peakForce", "arm.meanTorque", "bar.reaction", "bar.peakReaction"})
    EXPECT_NE(study.error().remedy.find(name), std::string::npos) << study.error().text();
  const SceneSpec nothing{"ball.yaml", "bodies: {ball: {model: rigid, mesh: {generator: icosphere}}}\n"};
  EXPECT_NE(converge(nothing, {}).error().message.find("nothing to follow"), std::string::npos);
  EXPECT_FALSE(converge({"bar.yaml", bar}, {.levels = 2}));
  EXPECT_FALSE(converge({"empty.yaml", ""}, {}));
}

TEST(Converge, a_mesh_from_a_file_is_named_and_stays_as_it_is) {
  const TextFile mesh("", ".vtu");
  const BarShape shape{
      .length_m = 0.2, .width_m = 0.02, .height_m = 0.02, .cells_along = 8, .cells_wide = 1, .cells_high = 1};
  ASSERT_TRUE(write_mesh(mesh.path, mesh_file(*bar_tets(shape))));
  const auto study =
      converge({"bar.yaml", bar, {{"bodies.bar.mesh", "{file: " + mesh.path + ", elements: quadraticTets}"}}},
               {.quantity = "arm.peakForce", .levels = 3});
  ASSERT_TRUE(study) << study.error().text();
  EXPECT_EQ(study->not_refined, std::vector<std::string>{"bar"});
  EXPECT_EQ(study->mesh.levels.size(), 1u);
  EXPECT_FALSE(study->mesh.ended_by.empty());
  EXPECT_FALSE(study->converged);
}

TEST(Converge, both_rates_are_refined) {
  const std::string two = std::string(PALP_SOURCE_DIR) + "/scenes/two-hands.yaml";
  const SceneResult once = load_scene(two), finer = load_scene(two, {}, {.time = 1.5});
  ASSERT_TRUE(once.scene && finer.scene);
  EXPECT_NEAR(finer.scene->two_rate->settings.h_high_s, once.scene->two_rate->settings.h_high_s / 1.5, 1e-15);
  EXPECT_NEAR(finer.scene->model.h_s, once.scene->model.h_s / 1.5, 1e-15);
}

TEST(Converge, finer_meshes_of_a_large_one_stay_below_thirty_thousand_cells) {
  EXPECT_EQ(mesh_factors(4, 400), (std::vector<double>{1, 1.5, 2, 3}));
  for (int levels : {3, 4, 7})
    for (long cells : {1L, 1000L, 4000L, 8000L}) {
      const std::vector<double> f = mesh_factors(levels, cells);
      ASSERT_EQ(f.size(), static_cast<size_t>(levels));
      EXPECT_EQ(f[0], 1);
      for (size_t k = 1; k < f.size(); ++k) EXPECT_GT(f[k], f[k - 1]);
      EXPECT_LE(static_cast<double>(cells) * std::pow(f.back(), 3), 30500) << levels << " " << cells;
    }
  EXPECT_EQ(mesh_factors(3, 1000000).back(), 1.5);  // an order needs some distance
}

}  // namespace converge_test
}  // namespace palp
