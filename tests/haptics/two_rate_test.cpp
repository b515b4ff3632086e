#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

#include "palp/haptics/haptic_loop.hpp"

namespace palp {
namespace two_rate_test {

using namespace two_rate_test;

/// Largest distance between the bodies of a single-rate run and of the two-rate scheme at one rate.
double difference_at_equal_rates(Press press, double* largest_force) {
  press.model.solver.options.tolerance = 1e-11;
  press.model.solver.options.max_sweeps = 100000;
  const double h = 0.002;
  Model single = press.model;
  single.h_s = h;
  single.continuous = Continuous::off;  // the two rates do not follow bodies along their way
  State state = make_state(single);
  Workspace ws = make_workspace(single);
  HapticLoop loop(press.at_rates({.h_high_s = h, .low_every = 1}));
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
    HapticLoop loop(press.at_rates({.h_high_s = 1e-3, .low_every = 20, .delay_ticks = 7}));
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

/// Two mass points pressed 2 mm into a soft block, or stopped by a hard one, 1 cm apart.
struct TwoHands {
  Model model;
  std::vector<Grip> grips;
  static DevicePose hand(int d, double depth) {
    return at(Vec3(d == 0 ? -0.0051 : 0.0049, 0.0003, 0.001 - depth));
  }

  explicit TwoHands(bool hard) {
    model.gravity.setZero();
    model.bodies = {{"one", point(hand(0, 0).position)},
                    {"two", point(hand(1, 0).position)},
                    {"block", hard ? floor_at(0) : soft_block(Vec3(0.06, 0.06, 0.03), {6, 6, 3}, 2e4, true)}};
    model.rules = {rule(0, 2, 0.3), rule(1, 2, 0.3)};
    for (int d = 0; d < 2; ++d)
      grips.push_back(hold(model, d, 0, d, hand(d, 0), {.stiffness_N_per_m = 500, .damping_N_s_per_m = 4}));
  }
  /// Force on the first hand after `ticks`, when the second pushes on by `extra` in the last of them.
  double force_on_first(int ticks, double extra) const {
    HapticLoop loop(*TwoRateModel::make(
        model, {0, 1}, grips, 2, {.solve = {.tolerance = 1e-9, .max_sweeps = 10000, .warm_start = true}}));
    std::array<Wrench, 2> w;
    for (int i = 0; i < ticks; ++i) {
      const double depth = std::min(0.003, 0.003 * i / 100);
      const std::array poses{hand(0, depth), hand(1, depth + (i + 1 == ticks ? extra : 0))};
      EXPECT_EQ(loop.advance(poses, w).status, TickStatus::ok);
    }
    return w[0].force.z();
  }
};

TEST(TwoRate, one_hand_feels_the_other_through_a_soft_body_within_the_same_tick) {
  constexpr int ticks = 210;  // the last one is not one of the low rate's
  const TwoHands soft(false), hard(true);
  const double alone = soft.force_on_first(ticks, 0), pushed = soft.force_on_first(ticks, 0.001);
  EXPECT_GT(alone, 0.05);
  EXPECT_LT(pushed, alone - 1e-5 * alone);  // the surface sinks beside the second hand: the first feels less
  EXPECT_EQ(hard.force_on_first(ticks, 0.001),
            hard.force_on_first(ticks, 0));  // nothing passes through a rock
}

TEST(TwoRate, action_equals_reaction_between_two_beams_at_different_rates) {
  // P11 figure 3: two equal beams hinged end to end. The left one, at the low rate, is clamped; the right one
  // is held at its far end by the device. Half a turn about the joint maps one on the other: both bend
  // alike (the ends come nearer by less than the bending needs, so that nothing buckles).
  const double L = 0.1;
  const int n = 5;
  Model model;
  model.gravity.setZero();
  model.bodies = {{"low", beam(Vec3(-L, 0, 0), Vec3::Zero(), n, 0.002, 1e7, true, {0})},
                  {"high", beam(Vec3::Zero(), Vec3(L, 0, 0), n, 0.002, 1e7, true)}};
  Attachment joint;
  joint.body1 = 1;
  joint.P = {{0, 0, 0}, {1, 0, 0}};
  joint.body2 = 0;
  joint.Q = {{n, n, n}, {1, 0, 0}};
  model.attachments = {joint};
  model.solver.options.tolerance = 1e-9;
  const auto device = [&](double t) {  // up by 2 cm in one second, then still, never turned
    const double s = std::min(t, 1.0), v = t < 1 ? 1 : 0;
    return at(Vec3(L - 0.0005 * s, 0, 0.02 * s), Vec3(-0.0005 * v, 0, 0.02 * v));
  };
  const CouplingSettings stiff{.stiffness_N_per_m = 2000,
                               .damping_N_s_per_m = 2,
                               .angular_stiffness_Nm_per_rad = 5,
                               .angular_damping_Nm_s_per_rad = 0.01};
  const std::vector<Grip> grips{hold(model, 1, n, 0, device(0), stiff)};
  HapticLoop loop(
      *TwoRateModel::make(model, {1}, grips, 1,
                          {.low_every = 20,
                           .delay_ticks = 5,
                           .solve = {.tolerance = 1e-9, .max_sweeps = 5000, .warm_start = true}}));
  Wrench w;
  double worst = 0, bent = 0;
  for (int i = 0; i < 2000; ++i) {
    const DevicePose pose = device((i + 1) * 1e-3);
    ASSERT_EQ(loop.advance(std::span(&pose, 1), std::span(&w, 1)).status, TickStatus::ok);
    // The joint as each beam's clamp sees it.
    BodyFrame clamp1, tip1, clamp2, tip2;
    loop.model().model.bodies[0].body->frame(loop.state(0), 0, clamp1);
    loop.model().model.bodies[0].body->frame(loop.state(0), n, tip1);
    loop.model().model.bodies[1].body->frame(loop.state(1), n, clamp2);
    loop.model().model.bodies[1].body->frame(loop.state(1), 0, tip2);
    const double bend1 = (clamp1.orientation.conjugate() * (tip1.position - clamp1.position)).z();
    const double bend2 = (clamp2.orientation.conjugate() * (tip2.position - clamp2.position)).z();
    bent = std::max(bent, std::abs(bend1));
    if (i > 1500) {
      // The force that bends the low-rate beam, from its own elasticity, and the one that the hand feels.
      VecX f(loop.model().model.bodies[0].body->dof());
      loop.model().model.bodies[0].body->internal_force(loop.state(0), f);
      const Vec3 reaction = f.head<3>();
      worst = std::max(worst, (reaction - w.force).norm() / w.force.norm());
      EXPECT_NEAR(std::abs(bend1), std::abs(bend2), 0.01 * std::abs(bend1)) << i;
    }
  }
  EXPECT_GT(bent, 0.005);
  EXPECT_LT(worst, 0.01);
}

TEST(TwoRate, a_sticking_contact_keeps_its_anchor_across_low_rate_steps_and_delays) {
  // A point pressed on a soft block and dragged sideways by less than friction holds. At rest only the anchor
  // decides: the single-rate run, which never hands an anchor over, must end with the same force.
  const auto drag = [](double t) {
    const double down = std::min(t / 0.1, 1.0), aside = std::clamp((t - 0.15) / 0.3, 0.0, 1.0);
    return at(Vec3(0.003 + 0.0015 * aside, 0.002, 0.0061 - 0.009 * down));
  };
  Press press = point_press(1.5);
  press.model.bodies[1].body = soft_block(Vec3(0.06, 0.06, 0.03), {4, 4, 2}, 3e4, true);
  Model single = press.model;
  single.h_s = 1e-3;
  State state = make_state(single);
  Workspace ws = make_workspace(single);
  HapticLoop loop(press.at_rates({.low_every = 20, .delay_ticks = 13}));
  Wrench one, two;
  for (int i = 0; i < 900; ++i) {
    const DevicePose pose = drag((i + 1) * 1e-3);
    haptic_step(single, press.grips, std::span(&pose, 1), state, ws, std::span(&one, 1));
    loop.advance(std::span(&pose, 1), std::span(&two, 1));
  }
  EXPECT_GT(std::abs(one.force.x()), 0.1);
  EXPECT_NEAR(two.force.x(), one.force.x(), 0.02 * std::abs(one.force.x()));
  EXPECT_NEAR(two.force.z(), one.force.z(), 0.02 * one.force.z());
}

TEST(TwoRate, friction_opposes_the_slip_of_the_tick_also_right_after_a_reversal) {
  Press press = point_press(0.5);
  press.model.gravity.setZero();
  press.model.bodies[1].body = floor_at(0);
  TwoRateSettings settings{.low_every = 20, .delay_ticks = 11};
  settings.force = ForceSource::contact;
  HapticLoop loop(press.at_rates(settings));
  Wrench w;
  Vec3 before = Vec3::Zero();
  int sliding = 0;
  for (int i = 0; i < 600; ++i) {
    const double t = (i + 1) * 1e-3;
    const double x = t < 0.1 ? 0 : 0.01 * std::sin(2 * 3.14159 * 7 * (t - 0.1));
    const DevicePose pose = at(Vec3(0.003 + x, 0.002, 0.0061 - 0.009 * std::min(t / 0.1, 1.0)));
    loop.advance(std::span(&pose, 1), std::span(&w, 1));
    const Vec3 now = loop.state(0).x.head<3>(), slip = now - before;
    before = now;
    if (i < 150) continue;
    const Eigen::Vector2d friction = w.force.head<2>();
    EXPECT_LE(friction.norm(), 0.5 * w.force.z() * (1 + 1e-6));
    if (slip.head<2>().norm() < 1e-6) continue;
    ++sliding;
    EXPECT_LT(friction.dot(slip.head<2>()), -0.99 * friction.norm() * slip.head<2>().norm()) << i;
    EXPECT_NEAR(friction.norm(), 0.5 * w.force.z(), 1e-3 * w.force.z()) << i;
  }
  EXPECT_GT(sliding, 200);
}

/// Deepest geometric overlap at the start of the low-rate steps; without S0 the low rate gets no forces back
/// and goes on with its own, as in P11.
double overlap_while_pressing(bool with_s0) {
  Press press(0.3, false);
  const TwoRateModel m = press.at_rates({});
  LowRate low = make_low_rate(m);
  HighRate high(m);
  TripleBuffer<Snapshot> snapshots(empty_snapshot(m));
  TripleBuffer<ToolState> tools(empty_tool_state(m));
  Wrench w;
  double deepest = 0;
  for (int i = 0; i < 160; ++i) {
    const DevicePose pose = Press::path((i + 1) * 1e-3);
    publish_tools(high, std::span(&pose, 1), m.settings.h_high_s, tools);
    if (i % m.settings.low_every == 0) {
      tools.update();
      ToolState taken = tools.front();
      if (!with_s0) taken.sequence = 0;
      const LowReport r = low_step(m, taken, low, snapshots.back());
      EXPECT_EQ(r.status, StepStatus::ok);
      EXPECT_EQ(r.took_forces, with_s0 && i > 0);
      snapshots.publish();
    }
    snapshots.update();
    const TickReport r = tick(m, snapshots.front(), std::span(&pose, 1), high, std::span(&w, 1));
    EXPECT_EQ(r.status, TickStatus::ok);
    deepest = std::max(deepest, r.penetration_m);
  }
  return deepest;
}

TEST(TwoRate, low_rate_bodies_start_their_step_where_the_ticks_have_pushed_them) {
  const double with = overlap_while_pressing(true), without = overlap_while_pressing(false);
  EXPECT_GT(without, 1e-4);  // the tool goes on by up to 1 mm during a low-rate step
  EXPECT_LT(with, 0.05 * without);
}

TEST(TwoRate, ticks_go_on_while_the_low_rate_stalls_and_forces_return_when_it_is_back) {
  const Press press(0.3, true);
  const auto run = [&](bool stall) {
    HapticLoop loop(press.at_rates({.low_every = 20, .delay_ticks = 3}));
    Wrench w;
    long oldest = 0;
    for (int i = 0; i < 900; ++i) {
      const DevicePose pose = Press::path(std::min((i + 1) * 1e-3, 0.1));
      loop.stall_low_rate(stall && i > 50 && i < 550);
      const TickReport r = loop.advance(std::span(&pose, 1), std::span(&w, 1));
      EXPECT_EQ(r.status, TickStatus::ok);
      EXPECT_TRUE(w.force.allFinite());
      EXPECT_LT(w.force.norm(), 10);
      oldest = std::max(oldest, r.age_ticks);
    }
    EXPECT_EQ(oldest > 500, stall);
    return w.force;
  };
  const Vec3 calm = run(false), stalled = run(true);
  EXPECT_LT((calm - stalled).norm(), 0.05 * calm.norm());
}

TEST(TwoRate, contact_force_and_coupling_force_are_the_same_wrench_on_a_weightless_tool_at_rest) {
  Press press(0.3, true);
  press.model.gravity.setZero();
  const auto at_rest = [&](ForceSource source) {
    TwoRateSettings settings;
    settings.force = source;
    HapticLoop loop(press.at_rates(settings));
    Wrench w;
    for (int i = 0; i < 1500; ++i) {
      const DevicePose pose = Press::path(std::min((i + 1) * 1e-3, 0.1));
      loop.advance(std::span(&pose, 1), std::span(&w, 1));
    }
    return w;
  };
  const Wrench coupling = at_rest(ForceSource::coupling), contact = at_rest(ForceSource::contact);
  EXPECT_GT(coupling.force.z(), 0.3);
  EXPECT_LT((coupling.force - contact.force).norm(), 1e-3 * coupling.force.norm());
  EXPECT_LT((coupling.torque - contact.torque).norm(), 1e-3 * 0.01 * coupling.force.norm());
}

TEST(TwoRate, impossible_rates_and_grips_are_refused_with_a_remedy) {
  const Press press;
  const auto remedy = [&](std::vector<int> tools, const TwoRateSettings& s) {
    auto made = TwoRateModel::make(press.model, std::move(tools), press.grips, 1, s);
    return made ? std::string() : made.error().remedy;
  };
  EXPECT_EQ(remedy({0}, {}), "");
  EXPECT_NE(remedy({1}, {}), "");                                    // the held body is not a tool
  EXPECT_NE(remedy({0}, {.low_every = 20, .delay_ticks = 20}), "");  // arrives after the next one
  EXPECT_NE(remedy({0}, {.low_every = 0}), "");
  EXPECT_NE(remedy({0}, {.h_high_s = std::nan("")}), "");
}

}  // namespace two_rate_test
}  // namespace palp
