#include "palp/devices/simulated.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace palp {
namespace simulated_test {

Path line() {
  return *Path::make(
      {{0, Vec3(0, 0, 0), Quat::Identity()}, {2, Vec3(1, 0, 0), Quat(Eigen::AngleAxisd(1, Vec3::UnitZ()))}});
}

TEST(Path, velocities_are_the_derivatives_of_positions) {
  const Path path = *Path::make({{0, Vec3(0, 0, 0)},
                                 {1, Vec3(1, 2, 0), Quat(Eigen::AngleAxisd(0.7, Vec3::UnitX()))},
                                 {3, Vec3(0, 1, 1)}},
                                {{Vec3(0.1, 0, 0.2), 3, 0.4, 0.5}});
  for (double t : {0.2, 0.7, 1.5, 2.9, 4.0}) {
    const double e = 1e-6;
    const DevicePose pose = path.at(t), before = path.at(t - e), after = path.at(t + e);
    EXPECT_LT((pose.velocity - (after.position - before.position) / (2 * e)).norm(), 1e-6);
    const Quat turn = after.orientation * before.orientation.conjugate();
    EXPECT_LT((pose.angular_velocity - 2 * turn.vec() / (2 * e)).norm(), 1e-6);
  }
}

TEST(Path, passes_through_its_way_points_and_rests_outside) {
  const Path path = line();
  EXPECT_EQ(path.at(-1).position, Vec3(0, 0, 0));
  EXPECT_LT((path.at(1).position - Vec3(0.5, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(path.at(5).position, Vec3(1, 0, 0));
  EXPECT_EQ(path.at(5).velocity, Vec3(0, 0, 0));
  EXPECT_NEAR(path.at(2).orientation.angularDistance(Quat(Eigen::AngleAxisd(1, Vec3::UnitZ()))), 0, 1e-12);
}

TEST(Path, impossible_input_is_refused) {
  EXPECT_FALSE(Path::make({}));
  EXPECT_FALSE(Path::make({{1, Vec3::Zero()}, {1, Vec3::Ones()}}));
  EXPECT_FALSE(Path::make({{0, Vec3(0, NAN, 0)}}));
  EXPECT_FALSE(Path::make({{0, Vec3::Zero(), Quat(0, 0, 0, 0)}}));
}

TEST(Hand, settles_where_its_spring_balances_the_force) {
  auto hand = *HandDevice::make(*Path::make({{0, Vec3(0.1, 0, 0)}}), {});
  const Wrench push{Vec3(0, 2, 0), Vec3::Zero()};
  for (int i = 0; i < 5000; ++i) {
    hand.read(i * 1e-3);
    hand.write(push, 1e-3);
  }
  EXPECT_LT((hand.read(5).pose.position - Vec3(0.1, 2.0 / 500, 0)).norm(), 1e-9);
  EXPECT_LT((hand.effort() + push.force).norm(), 1e-6);
}

TEST(Hand, free_oscillation_has_the_period_of_its_mass_and_spring) {
  HandSettings s;
  s.damping_N_s_per_m = 0;
  // The aim jumps: after t = 0 the hand is 1 cm away from it.
  auto hand = *HandDevice::make(*Path::make({{0, Vec3(0.01, 0, 0)}, {1e-9, Vec3::Zero()}}), s);
  double crossing = 0, last = 0.01;
  const double h = 1e-5;
  for (int i = 0; crossing == 0 && i < 1000000; ++i) {
    const double x = hand.read(i * h).pose.position.x();
    if (last > 0 && x <= 0) crossing = i * h;
    last = x;
    hand.write({}, h);
  }
  const double period = 2 * std::numbers::pi * std::sqrt(s.mass_kg / s.stiffness_N_per_m);
  EXPECT_NEAR(crossing, period / 4, 0.002 * period);
}

TEST(Replay, gives_the_last_sample_not_later_than_the_time) {
  DeviceReading a, b;
  b.pose.position = Vec3(1, 0, 0);
  auto replay = *ReplayDevice::make({{0, a}, {1, b}});
  EXPECT_EQ(replay.read(0.999).pose.position, Vec3(0, 0, 0));
  EXPECT_EQ(replay.read(1).pose.position, Vec3(1, 0, 0));
  EXPECT_EQ(replay.read(7).pose.position, Vec3(1, 0, 0));
  EXPECT_FALSE(ReplayDevice::make({{1, a}, {0, b}}));
}

}  // namespace simulated_test
}  // namespace palp
