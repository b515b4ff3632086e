// A device in the place of a scene's own: limits, place, couplings.
#include "palp/scene/attach_device.hpp"

#include <gtest/gtest.h>

#include "palp/scene/run.hpp"

namespace palp {
namespace attach_device_test {

/// A device that says what it is told to say, and remembers what it was asked for.
class Puppet final : public Device {
 public:
  DeviceReading read(double) override { return {.pose = pose}; }
  void write(const Wrench& w, double) override {
    most = std::max(most, w.force.norm());
    last = w;
  }
  DeviceInfo info() const override { return about; }
  void place(const DevicePose& p) override { pose = p; }

  DeviceInfo about{.kind = "puppet", .limits = DeviceProfile{}};
  DevicePose pose;
  double most = 0;
  Wrench last;
};

std::unique_ptr<Scene> load(const std::string& name, const std::vector<SceneOverride>& overrides = {}) {
  return load_scene(std::string(PALP_SOURCE_DIR) + "/scenes/" + name, overrides).scene;
}

TEST(AttachDevice, a_real_device_has_limits_and_a_stable_coupling_without_asking) {
  auto scene = load("snap-in.yaml");
  ASSERT_TRUE(scene);
  EXPECT_TRUE(std::isinf(scene->devices[0].profile.max_force_N));
  const DevicePose start = scene->devices[0].device->read(0).pose;
  const CouplingSettings had = scene->grips[0].coupling;
  auto puppet = std::make_shared<Puppet>();
  auto attached = attach_device(*scene, "hand", puppet);
  ASSERT_TRUE(attached) << attached.error().text();
  const DeviceProfile& p = scene->devices[0].profile;
  EXPECT_EQ(p.max_force_N, 8);
  EXPECT_EQ(p.sample_time_s, scene->model.h_s);
  EXPECT_EQ(puppet->pose.position, start.position);
  ASSERT_EQ(attached->notices.size(), 1u);
  EXPECT_LT(scene->grips[0].coupling.stiffness_N_per_m, had.stiffness_N_per_m);
  EXPECT_GT(scene->grips[0].coupling.stiffness_N_per_m, 0);
  EXPECT_TRUE(stable_range(p, scene->grips[0].coupling).stable);
}

TEST(AttachDevice, a_recording_of_the_run_builds_the_same_scene_again) {
  auto scene = load("snap-in.yaml");
  auto attached = attach_device(*scene, "", std::make_shared<Puppet>());
  ASSERT_TRUE(attached);
  const auto again = build_scene(scene->spec).scene;
  ASSERT_TRUE(again);
  const CouplingSettings &a = scene->grips[0].coupling, &b = again->grips[0].coupling;
  EXPECT_EQ(a.stiffness_N_per_m, b.stiffness_N_per_m);
  EXPECT_EQ(a.damping_N_s_per_m, b.damping_N_s_per_m);
  EXPECT_EQ(a.angular_stiffness_Nm_per_rad, b.angular_stiffness_Nm_per_rad);
  EXPECT_EQ(a.angular_damping_Nm_s_per_rad, b.angular_damping_Nm_s_per_rad);
  EXPECT_EQ(scene->devices[0].profile.max_slew_N_per_s, again->devices[0].profile.max_slew_N_per_s);
  EXPECT_EQ(scene->devices[0].profile.sample_time_s, again->devices[0].profile.sample_time_s);
}

TEST(AttachDevice, who_insists_keeps_the_coupling_and_is_warned) {
  auto scene = load("snap-in.yaml");
  const double had = scene->grips[0].coupling.stiffness_N_per_m;
  auto attached = attach_device(*scene, "hand", std::make_shared<Puppet>(), true);
  ASSERT_TRUE(attached);
  EXPECT_EQ(scene->grips[0].coupling.stiffness_N_per_m, had);
  EXPECT_EQ(attached->notices.size(), 1u);
}

TEST(AttachDevice, the_tighter_limit_of_scene_and_device_holds) {
  auto scene =
      load("snap-in.yaml", {{"devices.hand.profile", "{maxForce: 3, maxTorque: 0.9, passivity: true}"}});
  ASSERT_TRUE(scene);
  auto puppet = std::make_shared<Puppet>();
  puppet->about.limits.max_torque_Nm = 0.1;
  ASSERT_TRUE(attach_device(*scene, "hand", puppet));
  EXPECT_EQ(scene->devices[0].profile.max_force_N, 3);
  EXPECT_EQ(scene->devices[0].profile.max_torque_Nm, 0.1);
  EXPECT_TRUE(scene->devices[0].profile.passivity);
}

TEST(AttachDevice, an_unknown_name_is_told_with_those_that_there_are) {
  auto scene = load("two-hands.yaml");
  ASSERT_TRUE(scene);
  auto wrong = attach_device(*scene, "foot", std::make_shared<Puppet>());
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().remedy.find(scene->devices[1].name), std::string::npos);
  auto bare = load("falling-ball.yaml");
  EXPECT_FALSE(attach_device(*bare, "", std::make_shared<Puppet>()));
}

TEST(AttachDevice, two_rates_and_points_are_lowered_where_they_run) {
  for (const char* file : {"two-hands.yaml", "k16-sine.yaml"}) {
    auto scene = load(file);
    ASSERT_TRUE(scene && scene->two_rate) << file;
    auto puppet = std::make_shared<Puppet>();
    puppet->about.limits.damping_N_s_per_m = 1e-3;  // next to nothing is stable
    ASSERT_TRUE(attach_device(*scene, "", puppet));
    const DeviceProfile& p = scene->devices[0].profile;
    EXPECT_EQ(p.sample_time_s, scene->two_rate->settings.h_high_s);
    for (const Grip& grip : scene->two_rate->grips)
      if (grip.device == 0) {
        EXPECT_TRUE(stable_range(p, grip.coupling).stable);
      }
  }
}

TEST(AttachDevice, what_is_given_stays_within_the_limits_from_the_first_tick) {
  auto scene = load("snap-in.yaml");
  auto puppet = std::make_shared<Puppet>();
  ASSERT_TRUE(attach_device(*scene, "", puppet));
  SceneRun run(*scene);
  puppet->pose.position.y() -= 0.03;  // far off at once: a hard pull on the spring
  Vec3 before = Vec3::Zero();
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(run.advance());
    EXPECT_LE((puppet->last.force - before).norm(), 4000 * scene->model.h_s * (1 + 1e-9));
    before = puppet->last.force;
  }
  EXPECT_LE(puppet->most, 8 * (1 + 1e-12));
  EXPECT_GT(puppet->most, 0);
}

}  // namespace attach_device_test
}  // namespace palp
