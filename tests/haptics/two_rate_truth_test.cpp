// Two-rate forces against the truth: analytic answers, and the same scene stepped whole with the tick's step.
#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

namespace palp::truth_test {
namespace two_rate_truth_test {

using namespace two_rate_test;

constexpr double h = 1e-3;

TwoRateSettings at_low_rate(int low_every, int delay = 0, HandOver hand_over = HandOver::reduced) {
  TwoRateSettings s{.h_high_s = h, .low_every = low_every, .delay_ticks = delay};
  s.hand_over = hand_over;
  s.solve = {.tolerance = 1e-9, .max_sweeps = 5000, .warm_start = true};
  return s;
}

/// A small rigid block, held by a spring, beside a box of 0.1 kg: on a table with μ = 0.5, or floating.
struct Push {
  static constexpr double mass = 0.1;
  Model model;
  std::vector<Grip> grips;

  explicit Push(bool on_table) {
    if (!on_table) model.gravity.setZero();
    model.bodies = {{"tip", rigid_box(Vec3(0.006, 0.006, 0.006), start(on_table))},
                    {"box", rigid_box(Vec3(0.05, 0.05, 0.04), Vec3(0, 0, 0.02))}};
    model.rules = {rule(0, 1, 0)};
    if (on_table) {
      model.bodies.push_back({"table", floor_at(0)});
      model.rules.push_back(rule(1, 2, 0.5));
    }
    model.solver.options.tolerance = 1e-9;
    model.solver.options.max_sweeps = 5000;
    grips = {hold(model, 0, 0, 0, at(start(on_table)),
                  {.stiffness_N_per_m = 1000,
                   .damping_N_s_per_m = 10,
                   .angular_stiffness_Nm_per_rad = 0.1,
                   .angular_damping_Nm_s_per_rad = 1e-4})};
  }
  static Vec3 start(bool on_table = true) { return Vec3(-0.0285, 0, on_table ? 0.01 : 0.02); }
  HapticLoop loop(TwoRateSettings s) const {
    return HapticLoop(*TwoRateModel::make(model, {0}, grips, 1, s));
  }
};

class EveryLowRate : public ::testing::TestWithParam<std::pair<int, int>> {};  // ticks of a step, delay
INSTANTIATE_TEST_SUITE_P(Truth, EveryLowRate,
                         ::testing::Values(std::pair{50, 0}, std::pair{20, 0}, std::pair{5, 0},
                                           std::pair{20, 10}, std::pair{50, 25}));

TEST_P(EveryLowRate, a_box_pushed_over_a_table_resists_with_mu_m_g) {
  HapticLoop loop = Push(true).loop(at_low_rate(GetParam().first, GetParam().second));
  Wrench w;
  double mean = 0, least = 1e9, most = 0;
  for (int i = 0; i < 600; ++i) {
    const double t = (i + 1) * h;
    const DevicePose pose = at(Push::start() + Vec3(0.1 * t, 0, 0), Vec3(0.1, 0, 0));
    ASSERT_EQ(loop.advance(std::span(&pose, 1), std::span(&w, 1)).status, TickStatus::ok);
    if (i < 300) continue;
    mean -= w.force.x() / 300;
    least = std::min(least, -w.force.x());
    most = std::max(most, -w.force.x());
  }
  const double expected = 0.5 * Push::mass * 9.81;
  EXPECT_NEAR(mean, expected, 0.01 * expected);
  EXPECT_GT(least, 0.97 * expected);
  EXPECT_LT(most, 1.03 * expected);
}

TEST_P(EveryLowRate, a_free_body_resists_with_mass_times_acceleration) {
  HapticLoop loop = Push(false).loop(at_low_rate(GetParam().first, GetParam().second));
  const double a = 1.8, expected = Push::mass * a;
  const double tip = loop.model().model.bodies[0].body->mass() * a;  // the hand accelerates the tip as well
  Wrench w;
  double mean = 0;
  for (int i = 0; i < 400; ++i) {
    const double t = (i + 1) * h;
    const DevicePose pose = at(Push::start(false) + Vec3(0.0005 + 0.5 * a * t * t, 0, 0), Vec3(a * t, 0, 0));
    ASSERT_EQ(loop.advance(std::span(&pose, 1), std::span(&w, 1)).status, TickStatus::ok);
    if (i >= 250) mean -= w.force.x() / 150;
  }
  EXPECT_NEAR(mean, expected + tip, 0.03 * expected);
}

TEST_P(EveryLowRate, after_an_impact_the_body_has_the_momentum_that_the_hand_gave) {
  TwoRateSettings s = at_low_rate(GetParam().first, GetParam().second);
  s.force = ForceSource::contact;
  HapticLoop loop = Push(false).loop(s);
  Wrench w;
  Vec3 impulse = Vec3::Zero();
  for (int i = 0; i < 400; ++i) {
    const double t = (i + 1) * h, way = std::min(0.2 * t, 0.004);
    const DevicePose pose = at(Push::start(false) + Vec3(way, 0, 0), Vec3(0.2 * t < 0.004 ? 0.2 : 0, 0, 0));
    ASSERT_EQ(loop.advance(std::span(&pose, 1), std::span(&w, 1)).status, TickStatus::ok);
    impulse -= w.force * h;  // on the body
  }
  const Vec3 momentum = Push::mass * loop.state(1).v.head<3>();
  EXPECT_GT(momentum.x(), 0.005);
  EXPECT_LT((momentum - impulse).norm(), 0.01 * impulse.norm());
}

TEST(Truth, seen_at_the_end_of_its_step_a_moving_body_resists_too_little) {  // what the hand-over is for
  HapticLoop loop = Push(true).loop(at_low_rate(20, 0, HandOver::end));
  Wrench w;
  double mean = 0;
  for (int i = 0; i < 600; ++i) {
    const DevicePose pose = at(Push::start() + Vec3(1e-4 * (i + 1), 0, 0), Vec3(0.1, 0, 0));
    loop.advance(std::span(&pose, 1), std::span(&w, 1));
    if (i >= 300) mean -= w.force.x() / 300;
  }
  EXPECT_LT(mean, 0.8 * 0.5 * Push::mass * 9.81);
}

/// Down by 4 mm within 0.1 s, then 1 mm at 3 Hz and 0.3 mm at 11 Hz.
DevicePose press(double t) {
  const auto z = [](double s) {
    const double w = 6 * 3.14159265, swing = s > 0.2 ? 0.001 * std::sin(w * (s - 0.2)) +
                                                           0.0003 * std::sin(11. / 3 * w * (s - 0.2))
                                                     : 0;
    return 0.0061 - 0.004 * std::min(s / 0.1, 1.0) + swing;
  };
  return at(Vec3(0.003, 0.002, z(t)), Vec3(0, 0, (z(t) - z(t - h)) / h));
}

struct Errors {
  double rms = 0, jump = 0;  ///< over the truth's
};

Errors against_the_truth(const Press& scene, const TwoRateSettings& settings) {
  Model single = scene.model;
  single.h_s = h;
  State state = make_state(single);
  Workspace ws = make_workspace(single);
  HapticLoop loop(scene.at_rates(settings));
  Wrench one, two;
  Vec3 before_one = Vec3::Zero(), before_two = Vec3::Zero();
  double sum = 0, error = 0, jump_one = 0, jump_two = 0;
  for (int i = 0; i < 700; ++i) {
    const DevicePose pose = press((i + 1) * h);
    haptic_step(single, scene.grips, std::span(&pose, 1), state, ws, std::span(&one, 1));
    EXPECT_EQ(loop.advance(std::span(&pose, 1), std::span(&two, 1)).status, TickStatus::ok);
    sum += one.force.squaredNorm();
    error += (one.force - two.force).squaredNorm();
    jump_one = std::max(jump_one, (one.force - before_one).norm());
    jump_two = std::max(jump_two, (two.force - before_two).norm());
    before_one = one.force;
    before_two = two.force;
  }
  return {std::sqrt(error / sum), jump_two / jump_one};
}

TEST(Truth, a_soft_block_pressed_by_a_point_feels_as_if_it_were_stepped_with_the_tick) {
  for (double beta : {0.0, 0.02, 0.04})
    for (int delay : {0, 10}) {
      Press scene = point_press(0.3);
      scene.model.bodies[1].body = damped_block(beta);
      const Errors e = against_the_truth(scene, {.low_every = 20, .delay_ticks = delay});
      EXPECT_LT(e.rms, 0.01) << beta << " " << delay;
      EXPECT_LT(e.jump, 1.2) << beta << " " << delay;
    }
}

TEST(Truth, a_soft_block_that_nothing_holds_is_pushed_away_as_the_truth_says) {
  Press scene = point_press(0);
  scene.model.gravity.setZero();
  scene.model.bodies[1].body = damped_block(0.002, 5, false);
  const Errors e = against_the_truth(scene, {.low_every = 20});
  EXPECT_LT(e.rms, 0.02);
}

}  // namespace two_rate_truth_test
}  // namespace palp::truth_test
