// Scenes with `haptics:`: the experiments of P11 that are laws, and the keys.
#include "scene/scene_text.hpp"
#include <gtest/gtest.h>

#include "palp/scene/realtime_run.hpp"
#include "palp/scene/run.hpp"

namespace palp {
namespace two_rate_scene_test {

std::unique_ptr<Scene> load(const std::string& name, const std::vector<SceneOverride>& changes = {}) {
  SceneResult r = load_scene(std::string(PALP_SOURCE_DIR) + "/scenes/" + name, changes);
  for (const Error& e : r.errors) ADD_FAILURE() << e.text();
  return std::move(r.scene);
}

/// What the hand got in the last second, when its aim stands still.
struct LastSecond {
  double given_J = 0, largest_speed = 0, mean_force_N = 0;
  bool finished = true;
};

LastSecond last_second(const std::string& name, double rate) {
  LastSecond out;
  auto scene = load(name, {{"haptics.rate", std::to_string(rate)}});
  if (!scene) return out;
  SceneRun run(*scene);
  double given = 0;
  long n = 0;
  while (run.state().time_s < scene->seconds - 1e-9) {
    if (!run.advance()) {
      out.finished = false;
      break;
    }
    const StepRecord& r = run.record();
    if (r.time_s < scene->seconds - 1) {
      given = r.given_J;
      continue;
    }
    out.given_J = r.given_J - given;
    out.largest_speed = std::max(out.largest_speed, r.hands[0].pose.velocity.norm());
    out.mean_force_N += r.hands[0].wrench.force.norm();
    ++n;
  }
  if (n > 0) out.mean_force_N /= static_cast<double>(n);
  return out;
}

// P11 §V: the same thread, hand and coupling; only the thread's rate differs. The hand's aim stands still, so
// whatever energy the loop gives it can only come from the sampling.
void expect_stable_at_1_kHz_only(const std::string& scene) {
  const LastSecond high = last_second(scene, 1000), low = last_second(scene, 50);
  EXPECT_TRUE(high.finished);
  EXPECT_LT(high.given_J, 1e-6);
  EXPECT_LT(high.largest_speed, 1e-3);
  EXPECT_GT(high.mean_force_N, 1);  // it is being pulled
  EXPECT_TRUE(!low.finished || low.given_J > 1e-3) << low.given_J;
  EXPECT_TRUE(!low.finished || low.largest_speed > 0.02) << low.largest_speed;
}

TEST(TwoRateScene, a_thread_pulled_straight_is_stable_at_1_kHz_and_unstable_at_50_Hz) {
  expect_stable_at_1_kHz_only("p11-thread-wall.yaml");
}

TEST(TwoRateScene, a_thread_tied_to_a_cylinder_is_stable_at_1_kHz_and_unstable_at_50_Hz) {
  expect_stable_at_1_kHz_only("p11-thread.yaml");
}

TEST(TwoRateScene, every_body_has_its_own_step_and_a_step_of_the_run_is_a_tick) {
  auto scene = load("two-hands.yaml");
  ASSERT_TRUE(scene && scene->two_rate);
  EXPECT_EQ(scene->two_rate->tools, (std::vector<int>{1, 2}));
  EXPECT_DOUBLE_EQ(scene->two_rate->model.h_of(0), 0.02);
  EXPECT_DOUBLE_EQ(scene->two_rate->model.h_of(1), 0.001);
  SceneRun run(*scene);
  EXPECT_DOUBLE_EQ(run.step_s(), 0.001);
  int low_steps = 0;
  for (int i = 0; i < 41; ++i) {
    ASSERT_TRUE(run.advance());
    low_steps += run.record().low_step;
  }
  EXPECT_EQ(low_steps, 3);
  EXPECT_NEAR(run.record().time_s, 0.041, 1e-12);
}

/// Errors of two-hands.yaml with changes, all in one text.
std::string errors_with(const std::vector<SceneOverride>& changes) {
  const SceneResult r = load_scene(std::string(PALP_SOURCE_DIR) + "/scenes/two-hands.yaml", changes);
  std::string text;
  for (const Error& e : r.errors) text += e.text() + "\n";
  return text;
}

TEST(TwoRateScene, contradictory_rates_are_errors_that_say_what_to_do) {
  EXPECT_EQ(errors_with({}), "");
  EXPECT_NE(errors_with({{"haptics.lowRate", "33"}}).find("whole multiple"), std::string::npos);
  EXPECT_NE(errors_with({{"dt", "0.01"}}).find("leave dt out"), std::string::npos);
  EXPECT_NE(errors_with({{"bodies.upper.rate", "low"}}).find("rate: high"), std::string::npos);
  EXPECT_NE(errors_with({{"bodies.upper.rate", "hihg"}}).find("high"), std::string::npos);
  EXPECT_NE(errors_with({{"haptics.delay", "20"}}).find("0 to 19"), std::string::npos);
  EXPECT_NE(errors_with({{"haptics.ratio", "2"}}).find("ratio"), std::string::npos);
  EXPECT_NE(errors_with({{"haptics", "~"}}).find("needs the two-rate scheme"), std::string::npos);
}

TEST(TwoRateScene, a_scene_of_one_rate_keeps_to_the_clock_in_one_thread) {
  auto scene = load("falling-ball.yaml");
  ASSERT_TRUE(scene);
  const auto r = run_scene_realtime(*scene, {.seconds = 0.2});
  ASSERT_TRUE(r);
  EXPECT_GT(r->ticks, 0);
  EXPECT_EQ(r->failed_ticks, 0);
  EXPECT_EQ(r->low_steps, 0);
  // Every period had its tick or is counted as missed, and none was made early.
  EXPECT_EQ(r->ticks + r->missed_periods, std::lround(std::floor(0.2 / scene->model.h_s)));
  EXPECT_GE(r->wall_s, 0.2 - 2 * scene->model.h_s);
}

// A block at the low rate flies past a plate by 1 mm, 2 m in a step. By default, and with `continuous: true`,
// it does not touch it; with `continuous: false` it is pushed off its way. Thrown at the plate it stays above
// it.
TEST(TwoRateScene, bodies_of_the_low_rate_are_followed_along_their_way) {
  const std::string text = R"(
seconds: 1
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 20}
bodies:
  plate: {model: obstacle, mesh: {generator: box, size: [1, 1, 0.002]}}
  block: {model: rigid, mesh: {generator: box, size: [0.03, 0.04, 0.02]}, density: 1000, position: [0.516, 0, 0.5], velocity: [0, 0, -40]}
  tip: {model: point, rate: high, mass: 0.01, position: [0, 0, 5]}
devices:
  hand: {type: hand, path: [{time: 0, position: [0, 0, 5]}], holds: {body: tip, stiffness: 500, damping: 1}}
)";
  const auto fly = [&](std::vector<SceneOverride> changes) {
    SceneResult r = build_scene({"thrown.yaml", text, changes});
    for (const Error& e : r.errors) ADD_FAILURE() << e.text();
    SceneRun run(*r.scene);
    for (int i = 0; i < 500; ++i) EXPECT_TRUE(run.advance());
    return run.state().bodies[1];
  };
  for (const std::vector<SceneOverride>& followed :
       {std::vector<SceneOverride>{}, {{"continuous", "true"}}}) {
    const BodyState past = fly(followed);
    EXPECT_LT(past.x[2], -10);
    EXPECT_NEAR(past.v[2], -40, 1e-9);
    auto at_it = followed;
    at_it.push_back({"bodies.block.position", "[0.1, 0, 0.5]"});
    EXPECT_GT(fly(at_it).x[2], 0.001);
  }
  EXPECT_GT(fly({{"continuous", "false"}}).v[2], -39);
}

}  // namespace two_rate_scene_test
}  // namespace palp
