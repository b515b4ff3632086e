// A passive scene stays passive through the hand-over: in no stretch of a long random interaction do the
// bodies gain more energy than the hand gives. The coupling is a spring and a damper taken implicitly: over a
// tick the force at its end times the way of the hand is at least the growth of the spring's energy and what
// the tool receives. So the hand's work is an upper bound without an error of its own. What a single-rate
// step adds where contacts push an overlap out is seen in the same scene stepped whole with every tick.
#include <random>

#include "haptics/glc_cases.hpp"
#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

namespace palp::passivity_test {

using namespace two_rate_test;

constexpr double h = 1e-3;

struct Scene {
  const char* name;
  Model model;
  std::vector<Grip> grips;  ///< of body 0, the tool
  Vec3 home;                ///< where the hand's wanderings lead back to
  double strength = 60;     ///< of its jerks, m/s²
  HapticContact contact = HapticContact::standard;
};

Scene press(const char* name, bool point_tool, double mu, double beta,
            HapticContact contact = HapticContact::standard) {
  const Press p = point_tool ? point_press(mu) : Press(mu);
  Scene s{name, p.model, p.grips, Press::path(0).position - Vec3(0, 0, 0.006)};
  s.model.gravity.setZero();
  s.model.bodies[1].body = damped_block(beta);
  s.contact = contact;
  return s;
}

/// A rigid tip that knocks a box about on a table.
Scene knock() {
  Scene s{"a box on a table", {}, {}, Vec3(-0.026, 0, 0.02)};
  s.model.gravity = Vec3(0, 0, -9.81);
  s.model.bodies = {{"tip", rigid_box(Vec3(0.006, 0.006, 0.006), Vec3(-0.03, 0, 0.02))},
                    {"box", rigid_box(Vec3(0.05, 0.05, 0.04), Vec3(0, 0, 0.02))},
                    {"table", floor_at(0)}};
  s.model.rules = {rule(0, 1, 0.3), rule(1, 2, 0.5)};
  s.model.solver.options.tolerance = 1e-9;
  s.model.solver.options.max_sweeps = 5000;
  s.grips = {hold(s.model, 0, 0, 0, at(Vec3(-0.03, 0, 0.02)),
                  {.stiffness_N_per_m = 1000,
                   .damping_N_s_per_m = 10,
                   .angular_stiffness_Nm_per_rad = 0.1,
                   .angular_damping_Nm_s_per_rad = 1e-4})};
  return s;
}

struct Balance {
  double work = 0;    ///< most that the hand had given, J
  double excess = 0;  ///< most that the bodies gained in some stretch beyond what it gave meanwhile, J
  double left = 0;    ///< speed of the low-rate body at the end, when the hand has stood still, m/s
};

Balance balance(const Scene& scene, int low_every, int delay, unsigned seed, int ticks) {
  TwoRateSettings settings{
      .h_high_s = h, .low_every = low_every, .delay_ticks = delay, .contact = scene.contact};
  settings.solve = {.tolerance = 1e-9, .max_sweeps = 5000, .warm_start = true};
  settings.region.range_m = 0.03;
  HapticLoop loop(*TwoRateModel::make(scene.model, {0}, scene.grips, 1, settings));
  std::mt19937 random(seed);
  std::normal_distribution<double> dice;
  const auto energy = [&] {
    double sum = 0;
    for (int b = 0; b < 2; ++b) {
      const Body& body = *scene.model.bodies[b].body;
      sum += body.kinetic_energy(loop.state(b)) + body.elastic_energy(loop.state(b));
      if (body.blocks() <= 2) sum -= body.mass() * scene.model.gravity.dot(loop.state(b).x.head<3>());
    }
    return sum;
  };
  BodyFrame held;
  scene.model.bodies[0].body->frame(loop.state(0), 0, held);
  Vec3 x = held.position, v = Vec3::Zero();
  const double start = energy(), k = scene.grips[0].coupling.stiffness_N_per_m;
  Balance out;
  double work = 0, least = 0;  // least: of what the bodies hold beyond the hand's work, until now
  Wrench w;
  for (int i = 0; i < ticks; ++i) {
    for (int a = 0; a < 3; ++a)
      v[a] += h * (-80 * v[a] - 2000 * (x[a] - scene.home[a]) + scene.strength * dice(random));
    if (i >= 3 * ticks / 4) v.setZero();  // at last the hand stands still
    x += h * v;
    const DevicePose pose = at(x, v);
    EXPECT_EQ(loop.advance(std::span(&pose, 1), std::span(&w, 1)).status, TickStatus::ok) << scene.name;
    work -= w.force.dot(h * v);
    out.work = std::max(out.work, work);
    if (!loop.moved()) continue;
    scene.model.bodies[0].body->frame(loop.state(0), 0, held);
    const double spring = 0.5 * k * (x - held.position).squaredNorm();
    const double beyond = energy() + spring - start - work;
    out.excess = std::max(out.excess, beyond - least);
    least = std::min(least, beyond);
  }
  out.left = loop.state(1).v.norm();
  return out;
}

void expect_no_energy_from_the_hand_over(unsigned seed) {
  const Scene scenes[] = {
      press("a point on an undamped block", true, 0, 0), press("a point with friction", true, 0.4, 0.01),
      press("a rigid block on a soft one", false, 0.3, 0.01),
      press("a point by limited constraints", true, 0.3, 0.01, HapticContact::glc), knock()};
  for (const Scene& scene : scenes) {
    const Balance truth = balance(scene, 1, 0, seed, 2000);
    for (const auto& [low_every, delay] : {std::pair{20, 0}, {20, 10}, {50, 25}}) {
      const Balance two = balance(scene, low_every, delay, seed, 2000);
      EXPECT_GT(two.work, 1e-3) << scene.name;
      EXPECT_LT(two.excess, 1.5 * truth.excess + 1e-6 * two.work)
          << scene.name << " " << low_every << " " << delay << " " << seed;
      EXPECT_LT(two.left, 1e-3) << scene.name;  // nothing swings on without a hand
    }
  }
}

TEST(Passivity, slow_a_random_hand_gets_no_energy_from_the_hand_over) { expect_no_energy_from_the_hand_over(1); }

TEST(Passivity, long_another_random_hand_gets_no_energy_either) { expect_no_energy_from_the_hand_over(2); }

}  // namespace palp::passivity_test
