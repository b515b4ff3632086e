#include "palp/devices/visitor.hpp"

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

namespace palp {
namespace visitor_test {

constexpr double h = 1e-3;

std::unique_ptr<Device> script() {
  return std::make_unique<ScriptDevice>(*Path::make({{0, Vec3(0.1, 0, 0)}, {1, Vec3(0.3, 0, 0)}}));
}

struct Visited {
  std::shared_ptr<VisitorChannel> channel = std::make_shared<VisitorChannel>();
  VisitorDevice device{channel, script(), {}};
  double time = 0;

  /// The loop of the simulation for some seconds against a constant wrench or a wall of stiffness k at x = 0.
  DevicePose run(double seconds, const Wrench& wrench, double wall = 0) {
    DevicePose pose;
    for (const double end = time + seconds; time < end; time += h) {
      pose = device.read(time).pose;
      Wrench felt = wrench;
      if (pose.position.x() < 0) felt.force.x() -= wall * pose.position.x();
      device.write(felt, h);
    }
    return pose;
  }
};

TEST(Visitor, until_somebody_takes_hold_the_scene_moves_the_hand) {
  Visited v;
  auto alone = script();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(v.device.read(i * h).pose.position, alone->read(i * h).pose.position);
    v.device.write({}, h);
  }
  EXPECT_FALSE(v.device.taken());
}

TEST(Visitor, the_hand_is_taken_over_where_it_is_and_comes_to_rest_at_the_visitors_pose) {
  Visited v;
  const DevicePose before = v.run(0.5, {});
  const Quat turned(Eigen::AngleAxisd(0.6, Vec3::UnitY()));
  ASSERT_TRUE(v.channel->hold(Vec3(0, 0.2, 0.1), turned));
  EXPECT_LT((v.device.read(v.time).pose.position - before.position).norm(), 1e-12);
  const DevicePose after = v.run(3, {});
  EXPECT_TRUE(v.device.held());
  EXPECT_LT((after.position - Vec3(0, 0.2, 0.1)).norm(), 1e-6);
  EXPECT_LT(after.orientation.angularDistance(turned), 1e-6);
  EXPECT_LT(after.velocity.norm(), 1e-6);
}

TEST(Visitor, a_constant_force_moves_the_hand_by_force_over_stiffness) {
  Visited v;
  v.channel->hold(Vec3::Zero(), Quat::Identity());
  const Vec3 force(1, -2, 3);
  const DevicePose pose = v.run(4, {force, Vec3::Zero()});
  EXPECT_LT((pose.position - force / HandSettings{}.stiffness_N_per_m).norm(), 1e-6);
}

TEST(Visitor, when_let_go_the_hand_moves_to_where_nothing_pushes_and_stays) {
  Visited v;
  v.channel->hold(Vec3(-0.05, 0, 0), Quat::Identity());
  v.run(3, {}, 1000);
  EXPECT_GT(v.channel->felt().force.x(), 1);  // pressed into the wall
  v.channel->let_go();
  const DevicePose free = v.run(3, {}, 1000);
  EXPECT_FALSE(v.device.held());
  EXPECT_TRUE(v.device.taken());
  EXPECT_LT(std::abs(v.channel->felt().force.x()), 1e-3);
  EXPECT_LT(free.velocity.norm(), 1e-3);
}

TEST(Visitor, poses_that_are_no_poses_are_refused_and_change_nothing) {
  Visited v;
  EXPECT_FALSE(v.channel->hold(Vec3(NAN, 0, 0), Quat::Identity()));
  EXPECT_FALSE(v.channel->hold(Vec3(0, INFINITY, 0), Quat::Identity()));
  EXPECT_FALSE(v.channel->hold(Vec3::Zero(), Quat(0, 0, 0, 0)));
  EXPECT_FALSE(v.channel->hold(Vec3::Zero(), Quat(NAN, 0, 0, 1)));
  v.run(0.1, {});
  EXPECT_FALSE(v.device.taken());
  EXPECT_TRUE(v.channel->hold(Vec3::Zero(), Quat(2, 0, 0, 0)));  // any length but zero
  EXPECT_LT(v.run(3, {}).orientation.angularDistance(Quat::Identity()), 1e-6);
}

TEST(Visitor, what_was_said_before_the_device_was_made_is_not_heeded) {
  auto channel = std::make_shared<VisitorChannel>();
  channel->hold(Vec3::Ones(), Quat::Identity());
  VisitorDevice device(channel, script(), {});
  device.read(0);
  EXPECT_FALSE(device.taken());
  channel->hold(Vec3::Ones(), Quat::Identity());
  device.read(0);
  EXPECT_TRUE(device.taken());
}

TEST(Visitor, the_loop_never_sees_half_a_pose) {
  Visited v;
  std::atomic<bool> stop{false};
  std::thread visitor([&] {
    for (int i = 0; !stop; ++i) v.channel->hold(Vec3::Constant(1e-4 * (i % 1000)), Quat::Identity());
  });
  // Every pose lies on the diagonal, so a hand that starts there never leaves it.
  while (!v.device.taken()) v.device.read(0);
  v.channel->felt();
  v.run(3, {});
  bool on_diagonal = true;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 x = v.device.read(v.time).pose.position;
    on_diagonal = on_diagonal && std::abs(x[1] - x[2]) < 1e-12;
    v.device.write({}, h);
  }
  stop = true;
  visitor.join();
  EXPECT_TRUE(on_diagonal);
}

}  // namespace visitor_test
}  // namespace palp
