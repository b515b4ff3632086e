// Sliding, rolling, tipping, standing, turning: the scenes of V.1 and V.5 (palp reproduce).
#include <cmath>
#include <numbers>

#include "scene/analytic.hpp"

namespace palp {
namespace known_motion_test {

using testing::Ran;

constexpr double degree = std::numbers::pi / 180, g = 9.81;

std::unique_ptr<Scene> shipped(const std::string& name, const std::vector<SceneOverride>& changes = {}) {
  SceneResult result = load_scene(PALP_SOURCE_DIR "/scenes/" + name, changes);
  for (const Error& e : result.errors) ADD_FAILURE() << e.text();
  return std::move(result.scene);
}

std::string rotation(const Quat& q) {
  const Eigen::AngleAxisd turn(q);
  const Vec3 v = turn.angle() / degree * turn.axis();
  char text[120];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v.x(), v.y(), v.z());
  return text;
}

/// Of the block's middle, down the slope, from 0.6 s to a second.
struct Slid {
  double way_m = 0, acceleration_m_per_s2 = 0;
};

Slid slid(const std::string& model, double mu) {
  const Quat tilt(Eigen::AngleAxisd(10 * degree, Vec3(std::cos(0.3), std::sin(0.3), 0)));
  const Quat block = tilt * Quat(Eigen::AngleAxisd(31 * degree, Vec3::UnitZ()));
  Ran r(
      shipped("v1-incline.yaml",
              {{"contact.mu", std::to_string(mu)},
               {"bodies.slope.rotation", rotation(tilt)},
               {"bodies.block", "{" + model +
                                    ", mesh: {generator: box, size: [0.1, 0.07, 0.04], centre: [0, 0, 0.02], "
                                    "cells: [3, 3, 2]}, rotation: " +
                                    rotation(block) + "}"}}));
  if (!r) return {};
  const Vec3 n = tilt * Vec3::UnitZ(), down = (n.z() * n - Vec3::UnitZ()).normalized();
  const auto place = [&] {
    const std::vector<Vec3> nodes = r.run->skin(r.body("block")).nodes;
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : nodes) sum += x;
    return down.dot(sum) / static_cast<double>(nodes.size());
  };
  double x[3];
  for (int k = 0; k < 3; ++k) {
    r.until(0.6 + 0.2 * k);
    x[k] = place();
  }
  return {x[2] - x[0], (x[2] - 2 * x[1] + x[0]) / 0.04};
}

TEST(KnownMotion, a_block_slides_when_mu_is_below_the_tangent_of_the_slope) {
  const double limit = std::tan(10 * degree);
  for (const std::string model :
       {"model: rigid", "model: globalCorotational, youngModulus: 1e7, rayleighStiffness: 0.002",
        "model: corotational, youngModulus: 1e6, rayleighStiffness: 0.002"}) {
    EXPECT_LT(std::abs(slid(model, limit + 1e-3).way_m), 1e-6) << model;
    const double slow = g * std::cos(10 * degree) * 1e-3, without = g * std::sin(10 * degree);
    EXPECT_NEAR(slid(model, limit - 1e-3).acceleration_m_per_s2, slow, 0.02 * slow) << model;
    EXPECT_NEAR(slid(model, 0).acceleration_m_per_s2, without, 0.01 * without) << model;
  }
}

TEST(KnownMotion, a_ball_rolls_with_five_sevenths_of_g_sine) {
  Ran r(shipped("v5-ball.yaml"));
  ASSERT_TRUE(r);
  r.to_the_end();
  const double expected = 5.0 / 7 * g * std::sin(15 * degree);
  EXPECT_NEAR(r.state("ball").v.head<3>().norm(), expected, 0.01 * expected);
}

TEST(KnownMotion, a_tall_box_tips_when_its_centre_is_beyond_its_edge) {
  const double limit = std::atan(0.02 / 0.06) / degree;
  for (double off : {-0.1, 0.1}) {
    const std::string tilt = "[0, " + std::to_string(limit + off) + ", 0]";
    Ran r(shipped("v5-tipping.yaml", {{"bodies.box.rotation", tilt}, {"bodies.slope.rotation", tilt}}));
    ASSERT_TRUE(r);
    r.to_the_end();
    const double turned = 2 * std::acos(std::min(1.0, std::abs(r.state("box").x[6]))) / degree;
    EXPECT_EQ(turned > 1, off > 0) << turned;
    EXPECT_TRUE(turned > 1 || turned < 0.01) << turned;
  }
}

/// Largest way of a box of the stack.
double stack_moves(const std::string& dt, double seconds) {
  Ran r(shipped("v5-stack.yaml", {{"dt", dt}}));
  if (!r) return 1;
  const std::vector<BodyState> before = r.run->state().bodies;
  r.until(seconds);
  double most = 0;
  for (size_t b = 0; b < before.size(); ++b)
    most = std::max(most, (r.run->state().bodies[b].x - before[b].x).head<3>().norm());
  return most;
}

TEST(KnownMotion, a_stack_of_ten_stays_where_it_is) {
  for (const char* dt : {"0.005", "0.01"}) EXPECT_LT(stack_moves(dt, 2), 1e-6) << dt;
}

TEST(KnownMotion, slow_a_stack_of_ten_stays_for_ten_seconds) {
  for (const char* dt : {"0.002", "0.005", "0.01"}) EXPECT_LT(stack_moves(dt, 10), 1e-6) << dt;
}

// The axis of a symmetric top goes round its angular momentum with L / J1.
TEST(KnownMotion, a_free_top_turns_about_its_angular_momentum) {
  Ran r(shipped("v5-top.yaml"));
  ASSERT_TRUE(r);
  r.to_the_end();
  const double J1 = (0.0036 + 0.0004) / 12, J3 = 0.0036 / 6;
  const Vec3 L(3 * J1, 0, 4 * J3);
  const Vec3 exact = Eigen::AngleAxisd(L.norm() / J1 * 10, L.normalized()) * Vec3::UnitZ();
  const VecX& x = r.state("top").x;
  EXPECT_LT((Quat(x[6], x[3], x[4], x[5]) * Vec3::UnitZ() - exact).norm(), 0.5 * degree);
}

}  // namespace known_motion_test
}  // namespace palp
