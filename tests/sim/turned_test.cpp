// Exact cylinders and tubes: rolling, at rest, one inside the other, under a soft skin.
#include <random>

#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace turned_test {

using testing::obstacle;
using testing::two_bodies;

constexpr double pi = std::numbers::pi;

std::shared_ptr<const Body> round_body(const RoundedShape& shape, double density = 1000) {
  RigidSpec spec;
  spec.rounded = shape;
  spec.density_kg_per_m3 = density;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

std::shared_ptr<const Body> round_obstacle(const RoundedShape& shape) {
  ObstacleSpec spec;
  spec.rounded = shape;
  return std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))));
}

std::shared_ptr<const Body> floor_at(double angle = 0) {
  const Mat3 tilt = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  return obstacle(testing::box_surface(Vec3(20, 1, 0.1), tilt * Vec3(0, 0, -0.05), tilt));
}

RoundedShape turned(RoundedShape shape, const Vec3& axis, double angle) {
  shape.rotation = Quat(Eigen::AngleAxisd(angle, axis));
  return shape;
}
/// Axis along y.
RoundedShape lying(const RoundedShape& shape) { return turned(shape, Vec3::UnitX(), pi / 2); }

struct Trial {
  Model model;
  State state = make_state(model);
  Workspace ws = make_workspace(model);

  Trial(Model m, double h) : model(std::move(m)) { model.h_s = h; }
  StepReport advance() {
    const StepReport report = step(model, state, ws);
    EXPECT_EQ(report.status, StepStatus::ok);
    return report;
  }
  double kinetic() const { return model.bodies[0].body->kinetic_energy(state.bodies[0]); }
  Vec3 centre() const { return state.bodies[0].x.head<3>(); }
};

TEST(Turned, mass_and_inertia_are_those_of_a_sum_over_rings) {
  for (bool hollow : {false, true}) {
    const double R = 0.3, r = 0.04, L = 0.5, inner = hollow ? 0.12 : 0, rho = 700;
    const auto shape =
        hollow ? *round_tube(inner, R, L, r, Vec3(1, 2, 3)) : *round_cylinder(R, L, r, Vec3(1, 2, 3));
    const auto m = mass_properties(shape, rho);
    double mass = 0, across = 0, along = 0;
    const int n = 2000;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double d = R * (i + 0.5) / n, z = L * ((j + 0.5) / n - 0.5);
        const double out = std::max({d - (R - r), hollow ? inner + r - d : 0.0, 0.0}),
                     up = std::max(std::abs(z) - (0.5 * L - r), 0.0);
        if ((hollow && d < inner) || std::hypot(out, up) > r) continue;
        const double dm = rho * 2 * pi * d * (R / n) * (L / n);
        mass += dm;
        along += dm * d * d;
        across += dm * (0.5 * d * d + z * z);
      }
    EXPECT_NEAR(m->mass_kg, mass, 1e-4 * mass);
    EXPECT_NEAR(m->inertia_kg_m2(2, 2), along, 1e-4 * along);
    EXPECT_NEAR(m->inertia_kg_m2(0, 0), across, 1e-4 * across);
    EXPECT_EQ(m->centre_m, Vec3(1, 2, 3));
    // What is drawn encloses nearly the same.
    EXPECT_NEAR(mass_properties(drawn_surface(shape), rho)->mass_kg, mass, 0.01 * mass);
  }
}

// A solid cylinder rolls with a = 2/3 g sin α, a thin tube with nearly half of g sin α: a = g sin α / (1 +
// J/mR²).
TEST(Turned, cylinder_and_tube_roll_down_a_slope_as_their_inertia_says) {
  const double angle = 0.2, R = 0.03, L = 0.08;
  for (double h : {0.001, 0.005})
    for (bool hollow : {false, true}) {
      const Mat3 tilt = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
      const Vec3 centre = tilt * Vec3(0, 0, R);
      const auto body = round_body(
          lying(hollow ? *round_tube(0.9 * R, R, L, 0.0005, centre) : *round_cylinder(R, L, 0.0005, centre)));
      Trial run(two_bodies(body, floor_at(angle), 0.6), h);
      const int steps = static_cast<int>(std::lround(1 / h));
      for (int i = 0; i < steps; ++i) run.advance();
      const double share = hollow ? 1 / (1 + 0.5 * (1 + 0.81)) : 2.0 / 3;  // J = m (R² + r²) / 2
      const double speed = run.state.bodies[0].v.head<3>().norm(),
                   expected = share * 9.81 * std::sin(angle) * steps * h;
      EXPECT_NEAR(speed, expected, (hollow ? 5e-3 : 2e-3) * expected) << h;  // the rounding takes some mass
      EXPECT_NEAR(run.state.bodies[0].v.tail<3>().norm() * R, speed, 2e-3 * speed) << h;
    }
}

TEST(Turned, cylinder_and_tube_come_to_rest_on_their_end_and_on_their_side) {
  for (bool hollow : {false, true})
    for (bool on_side : {false, true})
      for (double h : {0.002, 0.005}) {
        const double R = 0.02, L = 0.06, drop = 0.0005, z = (on_side ? R : 0.5 * L) + drop;
        RoundedShape shape = hollow ? *round_tube(0.015, R, L, 0.0005, Vec3(0, 0, z))
                                    : *round_cylinder(R, L, 0.0005, Vec3(0, 0, z));
        shape = on_side ? lying(shape) : turned(shape, Vec3(1, 2, 0).normalized(), 0.005);
        Trial run(two_bodies(round_body(shape), floor_at(), 0.3), h);
        for (int i = 0; i < static_cast<int>(1.5 / h); ++i) run.advance();
        EXPECT_LT(run.kinetic(), 1e-12) << hollow << on_side << h;
        EXPECT_NEAR(run.centre().z(), z - drop, 1e-6) << hollow << on_side << h;
        EXPECT_NEAR(testing::total_force(run.ws).z(), run.model.bodies[0].body->mass() * 9.81, 1e-5);
      }
}

// A cylinder on its end tips when its centre is beyond the rim: over a slope with tan α = R / (L/2).
TEST(Turned, a_cylinder_on_its_end_tips_at_the_angle_of_its_rim) {
  const double R = 0.02, L = 0.08, edge = 0.0002, limit = std::atan((R - edge) / (0.5 * L));
  for (double off : {-0.02, 0.02}) {
    const Mat3 tilt = Eigen::AngleAxisd(limit + off, Vec3::UnitY()).toRotationMatrix();
    RoundedShape shape = *round_cylinder(R, L, edge, tilt * Vec3(0, 0, 0.5 * L + 1e-5));
    shape.rotation = Quat(tilt);
    Trial run(two_bodies(round_body(shape), floor_at(limit + off), 2.0), 0.002);
    for (int i = 0; i < 400; ++i) run.advance();
    const Quat q(run.state.bodies[0].x[6], run.state.bodies[0].x[3], run.state.bodies[0].x[4],
                 run.state.bodies[0].x[5]);
    const double turned_by = 2 * std::acos(std::min(1.0, std::abs(q.w())));
    EXPECT_EQ(turned_by > 0.3, off > 0) << turned_by;
  }
}

// A peg in a tube that is 0.1 mm wider: it falls through the whole tube, straight, without a force at rest on
// the way; pushed sideways, it lies against the wall, and its axis stays within the play.
TEST(Turned, a_peg_slides_through_a_tube_and_stays_inside) {
  const double inner = 0.01, play = 1e-4, L = 0.03;
  for (double aside : {0.0, 0.5, 0.99})
    for (double push : {0.0, 2.0}) {
      Model model =
          two_bodies(round_body(*round_cylinder(inner - play, L, 0.0005, Vec3(aside * play, 0, 0.03))),
                     round_obstacle(*round_tube(inner, 0.015, 0.2, 0.0005, Vec3::Zero())), 0.0);
      model.gravity = Vec3(push, 0.3 * push, -9.81);
      Trial run(std::move(model), 0.001);
      double most = 0;
      for (int i = 0; i < 120; ++i) {
        run.advance();
        most = std::max(most, run.centre().head<2>().norm());
      }
      EXPECT_NEAR(run.state.bodies[0].v[2], -9.81 * 0.12, 1e-6);
      EXPECT_LT(most, play * 1.01) << aside << " " << push;
      if (push > 0) {
        EXPECT_GT(most, 0.98 * play);
      }
    }
}

// A ring hangs on a horizontal peg: its centre is below by the difference of the radii.
TEST(Turned, a_ring_hangs_on_a_peg_by_the_difference_of_the_radii) {
  const double inner = 0.02, peg = 0.008;
  Trial run(two_bodies(round_body(lying(*round_tube(inner, 0.025, 0.01, 0.0005, Vec3(0, 0, -0.0118)))),
                       round_obstacle(lying(*round_cylinder(peg, 0.1, 0.0005, Vec3::Zero()))), 0.5),
            0.002);
  for (int i = 0; i < 1000; ++i) run.advance();
  EXPECT_NEAR(run.centre().z(), -(inner - peg), 1e-6);
  EXPECT_LT(run.kinetic(), 1e-12);
  EXPECT_NEAR(testing::total_force(run.ws).z(), run.model.bodies[0].body->mass() * 9.81, 1e-4);
}

// A ball in a tube rolls about the bottom and stays there: its centre on a circle of the difference of the
// radii.
TEST(Turned, a_ball_in_a_tube_swings_like_a_pendulum) {
  const double inner = 0.05, ball = 0.01, reach = inner - ball, start = 0.1;
  Trial run(two_bodies(round_body(*round_ball(ball, reach * Vec3(std::sin(start), 0, -std::cos(start)))),
                       round_obstacle(lying(*round_tube(inner, 0.06, 0.1, 0.0005, Vec3::Zero()))), 0.8),
            0.0005);
  // Rolling: θ'' = −5/7 g/(R − r) θ.
  const double period = 2 * pi * std::sqrt(1.4 * reach / 9.81) * (1 + start * start / 16);
  const int steps = static_cast<int>(std::lround(0.5 * period / 0.0005));
  for (int i = 0; i < steps; ++i) {
    run.advance();
    EXPECT_NEAR(run.centre().norm(), reach, 2e-5);
  }
  EXPECT_NEAR(run.centre().x(), -reach * std::sin(start),
              0.03 * reach * start);  // implicit Euler damps a little
}

TEST(Turned, cylinders_lie_on_each_other_crossed_and_in_line) {
  for (bool crossed : {true, false}) {
    const double R = 0.02;
    // Thinner than what it lies on: thicker ones roll off.
    RoundedShape upper =
        *round_cylinder(crossed ? 0.5 * R : R, 0.1, 0.0005, Vec3(0, 0, crossed ? 1.5 * R : 0.08 + 0.05));
    upper.rotation = crossed ? Quat(Eigen::AngleAxisd(pi / 2, Vec3::UnitY())) : Quat::Identity();
    RoundedShape lower = *round_cylinder(R, 0.16, 0.0005, Vec3::Zero());
    if (crossed)
      lower = lying(lower);
    else
      upper.centre_m.x() = 0.013;  // on its end, aside: the ends overlap in a lens that holds the centre
    Trial run(two_bodies(round_body(upper), round_obstacle(lower), 0.5), 0.002);
    const double z = run.centre().z();
    for (int i = 0; i < 300; ++i) run.advance();
    EXPECT_NEAR(run.centre().z(), z, 1e-5) << crossed;
    EXPECT_NEAR(testing::total_force(run.ws).z(), run.model.bodies[0].body->mass() * 9.81, 1e-4) << crossed;
    EXPECT_LT(run.kinetic(), 1e-12) << crossed;
  }
}

// No ghost: a body that slides past a rim, or stands beside a cylinder, feels nothing until it touches.
TEST(Turned, nothing_is_felt_beside_a_rim) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<> number(-1, 1);
  const double R = 0.02, h = 0.03, edge = 0.0005;
  for (bool hollow : {false, true})
    for (int n = 0; n < 1000; ++n) {
      // A small ball near the surface, at a known distance from it, by brute force over the profile.
      const double inner = 0.015, ball = 0.002;
      const Vec3 x(0.03 * number(engine), 0.03 * number(engine), 0.04 * number(engine));
      const double d = std::hypot(x.x(), x.y());
      const double out = std::max({d - (R - edge), hollow ? inner + edge - d : 0.0, 0.0}),
                   up = std::max(std::abs(x.z()) - (h - edge), 0.0);
      const double gap = std::hypot(out, up) - edge - ball;
      if (gap < 1e-6) continue;
      Model model = two_bodies(round_body(*round_ball(ball, x)),
                               round_obstacle(hollow ? *round_tube(inner, R, 2 * h, edge, Vec3::Zero())
                                                     : *round_cylinder(R, 2 * h, edge, Vec3::Zero())),
                               0.5);
      model.gravity.setZero();
      Trial run(std::move(model), 0.002);
      const Vec3 way = 0.5 * gap * Vec3(number(engine), number(engine), number(engine));
      run.state.bodies[0].v.head<3>() = way / 0.002;
      run.advance();
      EXPECT_LT((run.centre() - x - way).norm(), 1e-12) << x.transpose();
    }
}

// A box drawn over the flat end of a cylinder, over its rim and beyond: the force is its weight, along z, as
// long as its centre is held.
TEST(Turned, a_box_rests_on_the_end_of_a_cylinder_though_its_corners_overhang) {
  Trial run(two_bodies(
                testing::rigid(testing::box_surface(Vec3(0.1, 0.03, 0.02), Vec3(0.004, 0.003, 0.0601)), 1000),
                round_obstacle(*round_cylinder(0.03, 0.1, 0.0005, Vec3::Zero())), 0.3),
            0.002);
  for (int i = 0; i < 500; ++i) run.advance();
  EXPECT_NEAR(run.centre().z(), 0.06, 1e-6);
  EXPECT_LT(run.kinetic(), 1e-12);
  EXPECT_LT((run.centre().head<2>() - Vec2(0.004, 0.003)).norm(), 1e-6);
}

// Far from the ends a cylinder is a capsule for a soft skin: the same step, the same force.
TEST(Turned, a_soft_skin_feels_a_cylinder_as_it_feels_a_capsule) {
  SphereShape shape;
  shape.radius_m = 0.03;
  shape.centre_m = Vec3(0.004, 0, 0.051);
  shape.cells_across = 6;
  FemSpec soft;
  soft.mesh = *sphere_hexes(shape);
  soft.model = FemModel::corotational;
  soft.young_modulus_Pa = 3e4;
  soft.rayleigh_stiffness_s = 0.005;
  const std::shared_ptr<const Body> ball = std::move(*FemBody::make(soft));
  std::vector<Vec3> force[2];
  for (int kind : {0, 1}) {
    const double R = 0.02;
    Trial run(two_bodies(ball,
                         round_obstacle(lying(kind == 0 ? *round_capsule(R, 0.4, Vec3::Zero())
                                                        : *round_cylinder(R, 0.4, 0.0005, Vec3::Zero()))),
                         0.3),
              0.002);
    for (int i = 0; i < 150; ++i) {
      run.advance();
      force[kind].push_back(testing::total_force(run.ws));
    }
  }
  double largest = 0;
  for (const Vec3& f : force[0]) largest = std::max(largest, f.norm());
  EXPECT_GT(largest, 0.3);
  for (size_t i = 0; i < force[0].size(); ++i)
    EXPECT_LT((force[0][i] - force[1][i]).norm(), 0.02 * largest) << i;
}

}  // namespace turned_test
}  // namespace palp
