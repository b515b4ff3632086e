// Ticks and low-rate steps that cannot be made: a status with the body, nothing moved, no force.
#include "haptics/glc_cases.hpp"
#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace failed_ticks_test {

using namespace two_rate_test;

TEST(FailedTicks, a_tool_of_infinite_energy_stands_still_is_named_and_gives_no_force) {
  Press press;
  press.model.gravity.z() = -1e300;
  HapticLoop loop(press.at_rates({.h_high_s = 1e-3, .low_every = 20}));
  const BodyState before = loop.high().tools[0].state;
  const DevicePose pose = Press::path(0);
  Wrench wrench{Vec3::Ones(), Vec3::Ones()};
  const TickReport report = loop.advance({&pose, 1}, {&wrench, 1});
  EXPECT_EQ(report.status, TickStatus::not_finite);
  EXPECT_EQ(report.body, 0);
  EXPECT_EQ(loop.high().tools[0].state.x, before.x);
  EXPECT_EQ(loop.high().tools[0].state.v, before.v);
  EXPECT_EQ(wrench.force, Vec3::Zero());
  EXPECT_EQ(wrench.torque, Vec3::Zero());
  // The low rate has failed for itself and handed nothing over.
  EXPECT_NE(loop.low_report().status, StepStatus::ok);
  EXPECT_EQ(loop.snapshot().sequence, 0);
  EXPECT_EQ(loop.low().state.step, 0);
}

TEST(FailedTicks, a_loop_goes_on_when_the_blow_is_over) {
  Press press;
  HapticLoop loop(press.at_rates({.h_high_s = 1e-3, .low_every = 20}));
  const DevicePose pose = Press::path(0);
  Wrench wrench;
  for (int i = 0; i < 100; ++i) {
    auto& tool = loop.high().tools[0].loads.force;
    auto& block = loop.low().ws.bodies[1].loads.force;
    const bool blow = i >= 30 && i < 60;
    tool.setConstant(blow ? 6 : 0, 1e300);
    block.setConstant(blow ? press.model.bodies[1].body->dof() : 0, 1e305);
    const TickReport report = loop.advance({&pose, 1}, {&wrench, 1});
    EXPECT_EQ(report.status == TickStatus::ok, !blow) << i;
    EXPECT_TRUE(loop.state(0).x.allFinite() && loop.state(1).x.allFinite());
    EXPECT_TRUE(wrench.force.allFinite());
    if (loop.made_low_step()) {
      EXPECT_EQ(loop.low_report().status == StepStatus::ok, !blow) << i;
    }
  }
  EXPECT_EQ(loop.snapshot().sequence, 4);  // of ticks 0, 20, 60 and 80
}

TEST(FailedTicks, a_point_stays_where_numbers_are_whatever_finite_pose_pulls_it) {
  using namespace cases;
  const Vec3 start(0, 0, 0.011);
  Model model = touch_model(soft_bar({6, 2, 2}).body, {start}, 0.1);
  HapticLoop loop(*touch_rates(model));
  DevicePose pose, wild;
  pose.position = start;
  Wrench wrench;
  for (int i = 0; i < 200; ++i) {
    wild = pose;
    if (i % 50 == 20) wild.velocity.x() = 1e303;
    if (i % 50 == 30) wild.position.setConstant(1.7e308);
    if (i % 50 == 40) wild.position.y() = -1e200, wild.velocity.z() = 1.7e308;
    const Vec3 before = proxy_of(loop, 0);
    const TickReport report = loop.advance({&wild, 1}, {&wrench, 1});
    const BodyState& proxy = loop.high().tools[0].state;
    ASSERT_TRUE(proxy.x.allFinite() && proxy.v.allFinite()) << i;
    if (report.status != TickStatus::ok) {
      EXPECT_EQ(report.body, 1);
      EXPECT_EQ(proxy.x, before);
      EXPECT_EQ(wrench.force, Vec3::Zero());
    }
    if (i % 50 < 20) {
      EXPECT_EQ(report.status, TickStatus::ok) << i;
    }
  }
}

TEST(FailedTicks, attachments_beyond_the_bound_of_a_tick_are_refused_not_dropped) {
  Press press;
  std::vector<Vec3> x(press.model.bodies[1].body->skin().vertices);
  press.model.bodies[1].body->skin_positions(press.model.bodies[1].body->rest_state(), VecX(), x);
  for (int v = 0; v < 5; ++v) {
    Attachment a;
    a.body1 = 1;
    a.P = {{v, v, v}, {1, 0, 0}};
    a.anchor = x[v];
    press.model.attachments.push_back(a);
  }
  TwoRateSettings settings;
  settings.max_contacts = 4;
  const auto made = TwoRateModel::make(press.model, press.tools, press.grips, 1, settings);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().text().find("5 attachments"), std::string::npos);

  using namespace cases;
  Model model = touch_model(soft_bar({6, 2, 2}).body, {Vec3(0, 0, 0.011)}, 0.1);
  Attachment a;
  a.anchor = Vec3(-0.06, 0, 0);
  a.P = {{0, 0, 0}, {1, 0, 0}};
  model.attachments.assign(3, a);
  TwoRateSettings glc = glc_settings();
  glc.max_contacts = 2;
  EXPECT_FALSE(touch_rates(model, glc));
  glc.max_contacts = 3;
  EXPECT_TRUE(touch_rates(model, glc));
}

TEST(FailedTicks, an_unknown_solver_is_refused_or_a_status) {
  Press press;
  press.model.solver.name = "oracle";
  EXPECT_FALSE(TwoRateModel::make(press.model, press.tools, press.grips, 1, {}));
  TwoRateModel changed = Press().at_rates({.h_high_s = 1e-3, .low_every = 20});
  changed.model.solver.name = "oracle";
  HapticLoop loop(std::move(changed));
  const DevicePose pose = Press::path(0);
  Wrench wrench;
  loop.advance({&pose, 1}, {&wrench, 1});
  EXPECT_EQ(loop.low_report().status, StepStatus::bad_model);
  // One rate, hands on it.
  State state = make_state(press.model);
  Workspace ws = make_workspace(press.model);
  wrench.force.setOnes();
  EXPECT_EQ(haptic_step(press.model, press.grips, {&pose, 1}, state, ws, {&wrench, 1}).status,
            StepStatus::bad_model);
  EXPECT_EQ(wrench.force, Vec3::Zero());
}

}  // namespace failed_ticks_test
}  // namespace palp
