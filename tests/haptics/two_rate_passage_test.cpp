// Bodies of the low rate go far in a step of 20 ms. None passes through another, whether all that move are followed or, as by
// default, those that go far in a step; and what flies past is not pushed.
#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace two_rate_passage_test {

using namespace two_rate_test;

/// A point in a hand that stays where it is, far from bodies that fly about at the low rate.
struct Flight {
  Model model;

  Flight(std::shared_ptr<const Body> thrown, std::shared_ptr<const Body> wall, Continuous followed) {
    model.gravity.setZero();
    model.bodies = {{"hand", point(Vec3(0, 0, 5))}, {"thrown", std::move(thrown)}, {"wall", std::move(wall)}};
    model.rules = {rule(1, 2, 0.2, 0.002), rule(0, 1, 0.2, 0.002)};
    model.solver.name = "coulomb";
    model.continuous = followed;
  }
  HapticLoop loop(const Vec3& velocity) {
    model.bodies[1].velocity = velocity;
    const std::vector<Grip> grips{
        hold(model, 0, 0, 0, at(Vec3(0, 0, 5)), {.stiffness_N_per_m = 800, .damping_N_s_per_m = 3})};
    return HapticLoop(*TwoRateModel::make(model, {0}, grips, 1, {.h_high_s = 1e-3, .low_every = 20}));
  }
};

void advance(HapticLoop& loop, int ticks) {
  const DevicePose pose = at(Vec3(0, 0, 5));
  Wrench w;
  for (int i = 0; i < ticks; ++i)
    ASSERT_EQ(loop.advance(std::span(&pose, 1), std::span(&w, 1)).status, TickStatus::ok);
}

std::shared_ptr<const Body> plate() {
  ObstacleSpec spec;
  spec.surface = box_surface(Vec3(1, 1, 0.002), Vec3::Zero());
  return std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))));
}

double lowest(const Body& body, const BodyState& state) {
  std::vector<Vec3> x(static_cast<size_t>(body.skin().vertices));
  body.skin_positions(state, VecX(), x);
  double z = 1e9;
  for (const Vec3& v : x) z = std::min(z, v.z());
  return z;
}

TEST(TwoRatePassage, a_fast_body_of_the_low_rate_stays_on_its_side_of_a_thin_plate) {
  const Vec3 at_start(0.013, 0.021, 0.3);
  BoxShape shape;
  shape.size_m = Vec3::Constant(0.04);
  shape.centre_m = at_start;
  shape.cells = {2, 2, 2};
  FemSpec spec;
  spec.mesh = *box_tets(shape);
  spec.young_modulus_Pa = 1e5;
  spec.rayleigh_stiffness_s = 0.005;
  const std::shared_ptr<const Body> soft = std::move(*FemBody::make(spec));
  for (const auto& thrown : {rigid_box(Vec3(0.03, 0.04, 0.02), at_start), soft})
    for (Continuous followed : {Continuous::fast, Continuous::all})
      for (double speed : {2, 20, 60, 200}) {
        SCOPED_TRACE(std::to_string(thrown->blocks()) + " blocks, " + std::to_string(speed) + " m/s, " +
                     (followed == Continuous::all ? "all" : "fast"));
        Flight flight(thrown, plate(), followed);
        HapticLoop loop = flight.loop(Vec3(0, 0, -speed));
        for (int i = 0; i < 40; ++i) {
          advance(loop, 20);
          ASSERT_GT(lowest(*thrown, loop.state(1)), 0.001 - 1e-4) << i;
        }
        EXPECT_GT(loop.state(1).v[2], -0.1 * speed);  // it was stopped, not only held back
      }
}

TEST(TwoRatePassage, a_near_miss_of_the_low_rate_keeps_its_velocity) {
  for (Continuous followed : {Continuous::fast, Continuous::all})
    for (double speed : {5, 50, 200}) {
      SCOPED_TRACE(speed);
      const auto thrown = rigid_box(Vec3(0.03, 0.04, 0.02), Vec3(0.5 + 0.015 + 0.001, 0, 0.3));
      Flight flight(thrown, plate(), followed);
      HapticLoop loop = flight.loop(Vec3(0, 0, -speed));
      advance(loop, 20 * (static_cast<int>(0.6 / (speed * 0.02)) + 2));
      EXPECT_LT(lowest(*thrown, loop.state(1)), -0.1);
      EXPECT_LT((loop.state(1).v.head<3>() - Vec3(0, 0, -speed)).norm(), 1e-9 * speed);
      EXPECT_LT(loop.state(1).v.tail<3>().norm(), 1e-9);
    }
}

}  // namespace two_rate_passage_test
}  // namespace palp
