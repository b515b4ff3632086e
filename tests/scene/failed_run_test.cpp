// A run that leaves the numbers behind ends: with the body's name, and with a force that goes away.
#include <gtest/gtest.h>

#include "palp/scene/run.hpp"

namespace palp {
namespace failed_run_test {

class EveryRate : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(EveryRate, a_failed_step_names_the_body_and_lets_the_force_go) {
  auto loaded = load_scene(std::string(PALP_SOURCE_DIR).append("/scenes/").append(GetParam().first));
  ASSERT_TRUE(loaded.scene);
  Scene& scene = *loaded.scene;
  scene.model.gravity.z() = -1e300;  // no file asks for that; a program may
  if (scene.two_rate) scene.two_rate->model.gravity.z() = -1e300;
  DeviceProfile profile;
  for (SceneDevice& d : scene.devices) d.profile = profile;
  SceneRun run(scene);
  const std::vector<BodyState> before = run.state().bodies;
  ASSERT_FALSE(run.advance());
  EXPECT_NE(run.record().report.status, StepStatus::ok);
  const std::string why = explain(scene, run.record().report);
  EXPECT_NE(why.find(GetParam().second), std::string::npos) << why;
  for (size_t b = 0; b < before.size(); ++b) {
    EXPECT_EQ(run.state().bodies[b].x, before[b].x);
    EXPECT_EQ(run.state().bodies[b].v, before[b].v);
  }
  const long ticks = std::lround((profile.stale_s + profile.decay_s) / run.step_s()) + 3;
  for (long i = 0; i < ticks; ++i) run.advance();
  for (const auto& hand : run.record().hands) {
    EXPECT_EQ(hand.wrench.force, Vec3::Zero());
    EXPECT_EQ(hand.wrench.torque, Vec3::Zero());
  }
}

INSTANTIATE_TEST_SUITE_P(FailedRun, EveryRate,
                         ::testing::Values(std::pair{"soft-ball-on-table.yaml", "'ball'"},
                                           std::pair{"two-hands.yaml", "'bar'"},
                                           std::pair{"k16-two-hands.yaml", "'bar'"}),
                         [](const auto& one) { return "scene" + std::to_string(one.index); });

}  // namespace failed_run_test
}  // namespace palp
