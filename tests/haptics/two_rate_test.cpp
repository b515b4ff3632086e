#include "palp/haptics/two_rate.hpp"

#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace {

using namespace two_rate_test;

/// Largest distance between the bodies of a single-rate run and of the two-rate scheme at one rate.
double difference_at_equal_rates(Press press, double* largest_force) {
  press.model.solver.options.tolerance = 1e-11;
  press.model.solver.options.max_sweeps = 100000;
  const double h = 0.002;
  Model single = press.model;
  single.h_s = h;
  State state = make_state(single);
  Workspace ws = make_workspace(single);
  TwoRateLoop loop(press.at_rates({.h_high_s = h, .low_every = 1}));
  Wrench one, two;
  double difference = 0;
  for (int i = 0; i < 80; ++i) {
    const DevicePose pose = Press::path((i + 1) * h);
    const StepReport r1 =
        haptic_step(single, press.grips, std::span(&pose, 1), state, ws, std::span(&one, 1));
    const TickReport r2 = loop.advance(std::span(&pose, 1), std::span(&two, 1));
    EXPECT_EQ(r1.status, StepStatus::ok);
    EXPECT_EQ(r2.status, TickStatus::ok);
    EXPECT_EQ(r1.contacts, r2.contacts) << i;
    *largest_force = std::max(*largest_force, one.force.norm());
    for (int b = 0; b < 2; ++b)
      difference = std::max(difference, (state.bodies[b].x - loop.state(b).x).cwiseAbs().maxCoeff());
    EXPECT_LT((one.force - two.force).norm(), 1e-6 * std::max(1.0, one.force.norm())) << i;
  }
  return difference;
}

TEST(TwoRate, equal_rates_and_no_delay_equal_the_single_rate_step) {
  double force = 0;
  EXPECT_LT(difference_at_equal_rates(Press(0), &force), 1e-11);
  EXPECT_LT(difference_at_equal_rates(Press(0, true), &force), 1e-11);
  EXPECT_LT(difference_at_equal_rates(point_press(0.4), &force), 1e-11);
  // Many sliding contacts of a stiff tool: two solutions within the solver's tolerance are further apart than
  // rounding.
  EXPECT_LT(difference_at_equal_rates(Press(0.3), &force), 1e-7);
  EXPECT_GT(force, 0.5);  // they did press
}

TEST(TwoRate, a_run_repeats_bit_for_bit) {
  const Press press;
  const auto run = [&] {
    TwoRateLoop loop(press.at_rates({.h_high_s = 1e-3, .low_every = 20, .delay_ticks = 7}));
    std::vector<double> trace;
    Wrench w;
    for (int i = 0; i < 200; ++i) {
      const DevicePose pose = Press::path((i + 1) * 1e-3);
      loop.advance(std::span(&pose, 1), std::span(&w, 1));
      trace.insert(trace.end(),
                   {w.force.x(), w.force.y(), w.force.z(), w.torque.x(), w.torque.y(), w.torque.z()});
      trace.insert(trace.end(), loop.state(1).x.begin(), loop.state(1).x.end());
    }
    return trace;
  };
  const auto a = run(), b = run();
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
}

}  // namespace
}  // namespace palp
