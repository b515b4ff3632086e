// The ticks find the contacts of tools themselves: what slides, tilts or rolls within a low-rate step feels
// what the same scene stepped whole with every tick would give.
#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

namespace palp::live_contacts_test {

using namespace two_rate_test;

constexpr double h = 1e-3;
constexpr CouplingSettings firm{.stiffness_N_per_m = 800,
                                .damping_N_s_per_m = 3,
                                .angular_stiffness_Nm_per_rad = 2,
                                .angular_damping_Nm_s_per_rad = 0.01};

TriMesh sphere(double radius, int subdivisions, const Vec3& at = Vec3::Zero()) {
  TriMesh mesh = *icosphere({.radius_m = radius, .subdivisions = subdivisions});
  for (Vec3& x : mesh.nodes) x += at;
  return mesh;
}

std::shared_ptr<const Body> ball(double radius, const Vec3& at, bool exact = false) {
  RigidSpec spec;
  spec.density_kg_per_m3 = 1000;
  if (exact)
    spec.rounded = *round_ball(radius, at);
  else
    spec.surface = sphere(radius, 2, at);
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

using Path = DevicePose (*)(double);

struct Felt {
  std::vector<Wrench> wrench;
  int contacts = 0;
};

Felt feel(const Model& model, Path path, int low_every, int delay = 0, double seconds = 0.5) {
  TwoRateSettings s{.h_high_s = h, .low_every = low_every, .delay_ticks = delay};
  s.solve = {.tolerance = 1e-9, .max_sweeps = 5000, .warm_start = true};
  HapticLoop loop(*TwoRateModel::make(model, {0}, {hold(model, 0, 0, 0, path(0), firm)}, 1, s));
  Felt felt;
  for (int i = 0; i < std::lround(seconds / h); ++i) {
    const DevicePose pose = path((i + 1) * h);
    Wrench w;
    EXPECT_EQ(loop.advance(std::span(&pose, 1), std::span(&w, 1)).status, TickStatus::ok);
    felt.wrench.push_back(w);
    felt.contacts = std::max(felt.contacts, loop.report().active_contacts);
  }
  return felt;
}

/// Error of the force (rms over the truth's), and the largest jumps over the truth's.
std::pair<double, double> difference(const Felt& truth, const Felt& two) {
  double sum = 0, error = 0, jump = 0, jump_truth = 0;
  for (size_t i = 0; i < truth.wrench.size(); ++i) {
    const Vec3 &a = truth.wrench[i].force, &b = two.wrench[i].force;
    sum += a.squaredNorm();
    error += (a - b).squaredNorm();
    if (i == 0) continue;
    jump_truth = std::max(jump_truth, (a - truth.wrench[i - 1].force).norm());
    jump = std::max(jump, (b - two.wrench[i - 1].force).norm());
  }
  return {std::sqrt(error / sum), jump / jump_truth};
}

Model on_block(std::shared_ptr<const Body> tool, double mu) {
  Model model;
  model.gravity.setZero();
  model.bodies = {{"tool", std::move(tool)},
                  {"block", soft_block(Vec3(0.06, 0.06, 0.02), {7, 7, 2}, 3e4, false)}};
  model.rules = {rule(0, 1, mu, 0.004)};
  model.solver.options.tolerance = 1e-9;
  model.solver.options.max_sweeps = 5000;
  return model;
}

/// 2 mm into the block within 0.1 s, then aside at 4 cm/s.
DevicePose press_and_slide(double t) {
  const double down = std::min(t / 0.1, 1.0), aside = std::max(t - 0.1, 0.0);
  return at(Vec3(-0.008 + 0.04 * aside, 0.002, 0.0065 - 0.0025 * down),
            Vec3(t > 0.1 ? 0.04 : 0, 0, t < 0.1 ? -0.025 : 0));
}

TEST(LiveContacts, a_ball_that_slides_over_a_soft_block_feels_the_truth) {
  // Without friction a ball with facets turns from one facet to the next in jerks, whose times differ.
  for (const auto& [exact, mu] : {std::pair{false, 0.4}, std::pair{true, 0.4}, std::pair{true, 0.0}}) {
    const Model model = on_block(ball(0.006, press_and_slide(0).position, exact), mu);
    const Felt truth = feel(model, press_and_slide, 1, 0, 0.3);
    EXPECT_GE(truth.contacts, 1);
    for (const auto& [low_every, delay] : {std::pair{40, 0}, std::pair{20, 10}}) {
      const auto [error, jumps] = difference(truth, feel(model, press_and_slide, low_every, delay, 0.3));
      EXPECT_LT(error, 0.01) << exact << mu << low_every << delay;
      EXPECT_LT(jumps, 1.2) << exact << mu << low_every << delay;
    }
  }
}

/// Down, then turned about y by half a radian within 0.3 s.
DevicePose press_and_tilt(double t) {
  DevicePose pose = at(Vec3(0.003, 0.002, 0.0061 - 0.003 * std::min(t / 0.1, 1.0)));
  const double spin = t > 0.1 && t < 0.4 ? 0.5 / 0.3 : 0;
  pose.orientation = Quat(Eigen::AngleAxisd(0.5 * std::clamp((t - 0.1) / 0.3, 0.0, 1.0), Vec3::UnitY()));
  pose.angular_velocity = Vec3(0, spin, 0);
  return pose;
}

TEST(LiveContacts, a_box_that_tilts_on_a_soft_block_feels_the_truth) {
  const Model model = on_block(rigid_box(Vec3(0.02, 0.014, 0.01), press_and_tilt(0).position), 0.3);
  const Felt truth = feel(model, press_and_tilt, 1);
  EXPECT_GE(truth.contacts, 3);
  for (const int low_every : {20, 40}) {
    const auto [error, jumps] = difference(truth, feel(model, press_and_tilt, low_every));
    EXPECT_LT(error, 0.01) << low_every;
    EXPECT_LT(jumps, 1.2) << low_every;
  }
}

/// Over the top of a sphere of 2 cm that does not move.
DevicePose over_the_top(double t) {
  return at(Vec3(0.01 - 0.05 * t, 0.001, 0.0265 - 0.002 * std::min(t / 0.1, 1.0)), Vec3(-0.05, 0, 0));
}

TEST(LiveContacts, what_does_not_move_is_felt_as_in_the_single_rate_step) {
  ObstacleSpec spec;
  spec.surface = sphere(0.02, 3);
  Model model = on_block(ball(0.006, over_the_top(0).position), 0.2);
  model.bodies[1] = {"rock", std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))))};
  const Felt truth = feel(model, over_the_top, 1, 0, 0.4);
  EXPECT_GE(truth.contacts, 1);
  for (const auto& [low_every, delay] : {std::pair{25, 0}, std::pair{50, 20}}) {
    const auto [error, jumps] = difference(truth, feel(model, over_the_top, low_every, delay, 0.4));
    EXPECT_LT(error, 1e-5) << low_every;  // but for the ticks before the first snapshot
    EXPECT_NEAR(jumps, 1, 1e-4) << low_every;
  }
}

TEST(LiveContacts, a_rigid_body_that_is_pushed_beside_its_centre_turns_away_as_in_the_truth) {
  Model model = on_block(ball(0.004, Vec3(-0.0145, 0.003, 0)), 0.5);
  model.bodies[1] = {"log", ball(0.01, Vec3(0, 0, 0))};
  const Path push = [](double t) { return at(Vec3(-0.0145 + 0.04 * t, 0.003, 0), Vec3(0.04, 0, 0)); };
  const Felt truth = feel(model, push, 1, 0, 0.2);
  for (const int low_every : {5, 20}) {
    const auto [error, jumps] = difference(truth, feel(model, push, low_every, 0, 0.2));
    EXPECT_LT(error, 0.01) << low_every;
    EXPECT_LT(jumps, 1.2) << low_every;
  }
}

}  // namespace palp::live_contacts_test
