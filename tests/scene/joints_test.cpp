// Springs, joints and attachments that come and go, against oscillators, pendulums and free fall.
#include <numbers>
#include <utility>

#include "scene/analytic.hpp"

namespace palp {
namespace joints_test {

using testing::expect_refused;
using testing::Ran;

constexpr double pi = std::numbers::pi;

/// A block of 2 kg, 0.1 m wide, at the origin.
std::string block(const std::string& head, const std::string& body, const std::string& tail) {
  return head + R"(bodies:
  block:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}
    mass: 2
)" + body +
         tail;
}

TEST(Springs, a_mass_on_a_spring_swings_with_its_period_and_keeps_its_amplitude) {
  // T = 2π √(m/k) = 0.6283 s; the mid-point rule lengthens it by (ωh)²/12 only.
  Ran r(block("dt: 0.002\nseconds: 6.2832\ngravity: [0, 0, 0]\nintegrator: midpoint\n",
              "    velocity: [0.5, 0, 0]\n",
              "springs: [{bodies: [block], at: [[0, 0, 0], [-0.3, 0, 0]], stiffness: 200}]\n"));
  ASSERT_TRUE(r);
  const double w = std::sqrt(200.0 / 2);
  double largest_late = 0;
  while (r.run->state().time_s < r.scene->seconds - 1e-9) {
    ASSERT_TRUE(r.step());
    if (r.run->state().time_s > 5.6) largest_late = std::max(largest_late, std::abs(r.state("block").x[0]));
  }
  EXPECT_NEAR(largest_late, 0.5 / w, 1e-4);
  EXPECT_NEAR(r.state("block").x[0], 0.5 / w * std::sin(w * r.run->state().time_s), 2e-3);
}

TEST(Springs, two_bodies_swing_about_their_centre_of_mass) {
  Ran r(R"(dt: 0.001
seconds: 2
gravity: [0, 0, 0]
integrator: midpoint
bodies:
  left: {model: point, mass: 1, position: [0, 0, 0], velocity: [-0.3, 0, 0]}
  right: {model: point, mass: 3, position: [0.4, 0, 0], velocity: [0.1, 0, 0]}
pairs: [{bodies: [left, right], ignore: true}]
springs: [{bodies: [left, right], at: [[0, 0, 0], [0.4, 0, 0]], stiffness: 75}]
)");
  ASSERT_TRUE(r);
  const double w = std::sqrt(75 * (1 + 1 / 3.0));  // √(k/m₁ + k/m₂) = 10
  for (double t : {0.3, 0.7, 2.0}) {
    r.until(t);
    EXPECT_NEAR(r.state("left").x[0], -0.03 * std::sin(w * t), 3e-5) << t;
    EXPECT_NEAR(r.state("right").x[0], 0.4 + 0.01 * std::sin(w * t), 1e-5) << t;
  }
}

TEST(Springs, a_damper_slows_a_body_exponentially) {
  Ran r(block("dt: 0.0005\nseconds: 0.5\ngravity: [0, 0, 0]\nintegrator: midpoint\n",
              "    velocity: [1, 0, 0]\n",
              "springs: [{bodies: [block], at: [[0, 0, 0], [-1, 0, 0]], damping: 8}]\n"));
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_NEAR(r.state("block").v[0], std::exp(-8 * 0.5 / 2), 1e-5);
}

TEST(Springs, a_soft_block_hangs_as_far_as_its_weight_stretches_the_spring) {
  Ran r(R"(dt: 0.01
seconds: 4
bodies:
  block:
    model: corotational
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}
    youngModulus: 1e6
    rayleighMass: 10
springs: [{bodies: [block], at: [[0, 0, 0.05], [0, 0, 0.25]], stiffness: 500, length: 0.15}]
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  // length 0.15 + m g/k below the anchor, at the middle of the upper face
  EXPECT_NEAR(r.moved("block", Vec3(0, 0, 0.05)).z(), 0.25 - 0.15 - 9.81 / 500 - 0.05, 2e-4);
}

/// A rod of 0.3 m hangs from the origin, half a metre per second at its centre: a pendulum.
std::string pendulum(const std::string& joint, const std::string& integrator, double seconds) {
  return "dt: 0.002\nseconds: " + std::to_string(seconds) + "\nintegrator: " + integrator + R"(
bodies:
  rod:
    model: rigid
    mesh: {generator: box, size: [0.02, 0.02, 0.3], centre: [0, 0, -0.15], cells: [1, 1, 1]}
    loads: [{torque: [[0, [0, 0.002, 0]], [0.1, [0, 0.002, 0]], [0.1, [0, 0, 0]]]}]
)" + joint;
}

Quat orientation(const BodyState& state) { return Quat(state.x[6], state.x[3], state.x[4], state.x[5]); }

TEST(Joints, a_pendulum_on_a_hinge_has_its_period_and_keeps_its_swing) {
  Ran r(pendulum("joints: [{type: hinge, bodies: [rod], at: [0, 0, 0], axis: [0, 1, 0]}]\n", "midpoint", 8));
  ASSERT_TRUE(r);
  // Zero crossings of the swing, by interpolation; √(g m l/J) with J about the hinge.
  const double J = 0.12 * (0.3 * 0.3 + 0.02 * 0.02) / 12 + 0.12 * 0.15 * 0.15;
  const double period = 2 * pi / std::sqrt(9.81 * 0.12 * 0.15 / J);
  std::vector<double> crossings, swings;
  double before = 0, largest = 0;
  while (r.run->state().time_s < 8) {
    ASSERT_TRUE(r.step());
    const double t = r.run->state().time_s, x = r.state("rod").x[0];
    if (t > 0.2 && before < 0 && x >= 0) {
      crossings.push_back(t - 0.002 * x / (x - before));
      swings.push_back(std::exchange(largest, 0));
    }
    before = x;
    largest = std::max(largest, std::abs(x));
    // The rod stays on its hinge.
    EXPECT_NEAR(Vec3(orientation(r.state("rod")) * Vec3(0, 0, 0.15) + r.state("rod").x.head<3>()).norm(), 0,
                1e-6);
    EXPECT_NEAR(r.state("rod").x[1], 0, 1e-9);
  }
  ASSERT_GT(crossings.size(), 5u);
  const double measured = (crossings.back() - crossings[1]) / static_cast<double>(crossings.size() - 2);
  EXPECT_NEAR(measured, period, 0.003 * period);
  EXPECT_NEAR(swings.back(), swings[1], 0.01 * swings[1]);
}

TEST(Joints, a_slider_lets_a_body_go_along_its_axis_only) {
  // A force at an angle and beside the centre: only its part along the axis moves the block.
  for (const char* type : {"slider", "cylinder"}) {
    Ran r(block(
        "dt: 0.001\nseconds: 0.5\n", "    loads: [{force: [6, 8, 0], at: [0.05, 0.05, 0.05]}]\n",
        std::string("joints: [{type: ") + type + ", bodies: [block], at: [0, 0, 0], axis: [1, 0, 0]}]\n"));
    ASSERT_TRUE(r);
    double turned = 0;
    while (r.run->state().time_s < 0.5 - 1e-9) {
      ASSERT_TRUE(r.step());
      turned = std::max(turned, 2 * std::asin(std::abs(r.state("block").x[3])));
    }
    const double way = 0.5 * 6 / 2 * 0.25;
    EXPECT_NEAR(r.state("block").x[0], way, 0.005 * way) << type;
    EXPECT_LT(r.state("block").x.segment<2>(1).norm(), 1e-6) << type;
    if (std::string(type) == "slider")
      EXPECT_LT(turned, 1e-5);
    else  // free about the axis: 8 N at 0.05 m turn it
      EXPECT_GT(turned, 0.5);
    EXPECT_LT(r.state("block").x.segment<2>(4).norm(), 1e-5) << type;
  }
}

TEST(Joints, a_slider_on_a_body_that_turns_moves_with_it) {
  // The arm is turned about z by its own steady course; the bead on it feels the centrifugal force: r = r₀
  // cosh(ωt).
  Ran r(R"(dt: 0.0005
seconds: 0.5
gravity: [0, 0, 0]
bodies:
  arm:
    model: obstacle
    mesh: {generator: box, size: [0.6, 0.02, 0.02], cells: [1, 1, 1]}
    moves: [{displacement: [0, 0, 0], rotation: [[0, [0, 0, 0]], [1, [0, 0, 120]]]}]
  bead:
    model: rigid
    mesh: {generator: box, size: [0.02, 0.02, 0.02], centre: [0.1, 0, 0], cells: [1, 1, 1]}
    velocity: [0, 0.20943951023931953, 0]
    spin: [0, 0, 2.0943951023931953]
joints: [{type: slider, bodies: [bead, arm], at: [0.1, 0, 0], axis: [1, 0, 0]}]
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  const double w = 120 * pi / 180, out = 0.1 * std::cosh(w * 0.5);
  EXPECT_NEAR(r.state("bead").x.head<2>().norm(), out, 0.003 * out);
  EXPECT_NEAR(std::atan2(r.state("bead").x[1], r.state("bead").x[0]), w * 0.5, 1e-3);
}

TEST(Joints, a_weld_carries_force_and_moment) {
  Ran r(block("dt: 0.005\nseconds: 0.2\n", "    loads: [{force: [6, 8, 0], at: [0.05, 0.05, 0.05]}]\n",
              "joints: [{type: weld, bodies: [block], at: [0.2, 0, 0]}]\n"));
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_LT(r.state("block").x.head<6>().norm(), 1e-5);  // the solver's tolerance
}

TEST(Joints, a_joint_breaks_at_its_force_and_lets_go_at_its_time) {
  // The force grows by 10 N/s and passes 5 N (with the weight: gravity off) at 0.5 s; then the block flies
  // on.
  const std::string loads = "    loads: [{force: [[0, [0, 0, 0]], [1, [10, 0, 0]]]}]\n";
  Ran broken(block("dt: 0.002\nseconds: 0.7\ngravity: [0, 0, 0]\n", loads,
                   "joints: [{type: weld, bodies: [block], at: [0, 0, 0], breakForce: 5}]\n"));
  ASSERT_TRUE(broken);
  broken.until(0.49);
  EXPECT_LT(std::abs(broken.state("block").v[0]), 1e-6);
  broken.until(0.7);  // v = ∫ 10 t/m dt from 0.5 to 0.7
  EXPECT_NEAR(broken.state("block").v[0], 5 * (0.49 - 0.25) / 2, 0.02);
  Ran timed(block("dt: 0.002\nseconds: 0.7\ngravity: [0, 0, 0]\n", loads,
                  "joints: [{type: ball, bodies: [block], at: [0, 0, 0], until: 0.3}]\n"));
  ASSERT_TRUE(timed);
  timed.to_the_end();
  EXPECT_NEAR(timed.state("block").v[0], 5 * (0.49 - 0.09) / 2, 0.02);
}

TEST(Attachments, one_that_is_taken_later_holds_the_point_where_it_is_then) {
  Ran r(R"(dt: 0.001
seconds: 0.4
bodies:
  bead: {model: point, mass: 0.1}
attachments: [{bodies: [bead], at: [0, 0, 0], from: 0.1, until: 0.3}]
)");
  ASSERT_TRUE(r);
  r.until(0.1);
  const double fallen = r.state("bead").x[2];
  EXPECT_NEAR(fallen, -0.5 * 9.81 * 0.01, 0.02 * 0.05);
  r.until(0.3);
  EXPECT_NEAR(r.state("bead").x[2], fallen, 1e-9);
  r.to_the_end();
  EXPECT_NEAR(r.state("bead").x[2], fallen - 0.5 * 9.81 * 0.01, 0.02 * 0.05);
}

TEST(Attachments, a_button_takes_and_releases) {
  Ran r(R"(dt: 0.001
seconds: 0.3
bodies:
  bead: {model: point, mass: 0.1}
attachments: [{bodies: [bead], at: [0, 0, 0], button: {device: hand}}]
devices:
  hand: {type: script, path: [{time: 0, position: [1, 0, 0]}], button: [[0, 1], [0.2, 1], [0.2, 0]]}
)");
  ASSERT_TRUE(r);
  r.until(0.19);
  EXPECT_NEAR(r.state("bead").x[2], 0, 1e-9);
  r.to_the_end();
  EXPECT_NEAR(r.state("bead").x[2], -0.5 * 9.81 * 0.01, 0.002);
}

TEST(Holds, a_hold_is_taken_where_it_is_and_let_go_or_broken) {
  const auto scene = [](const std::string& hold) {
    return R"(dt: 0.001
seconds: 0.5
gravity: [0, 0, 0]
bodies:
  bead: {model: point, mass: 0.1, velocity: [1, 0, 0]}
devices:
  hand:
    type: script
    smooth: false
    path: [{time: 0, position: [0, 0, 0]}, {time: 0.3, position: [0, 0, 0]}, {time: 0.5, position: [0, 0.2, 0]}]
    button: [[0.1, 0], [0.1, 1], [0.4, 1], [0.4, 0]]
    holds: {body: bead, stiffness: 1000, )" +
           hold + "}\n";
  };
  for (const char* hold : {"from: 0.1, until: 0.4", "button: 1"}) {
    Ran r(scene(hold));
    ASSERT_TRUE(r);
    r.until(0.1);
    EXPECT_NEAR(r.state("bead").x[0], 0.1, 1e-3) << hold;  // a step more or less
    r.until(0.29);                                         // critically damped: at rest where it was taken
    EXPECT_NEAR(r.state("bead").x[0], 0.1, 2e-3) << hold;
    r.until(0.4);  // drawn along at 1 m/s
    EXPECT_NEAR(r.state("bead").v[1], 1, 0.02) << hold;
    const double at = r.state("bead").x[1], v = r.state("bead").v[1];
    r.to_the_end();
    EXPECT_NEAR(r.state("bead").x[1], at + 0.1 * v, 2e-3) << hold;
  }
  Ran broken(scene("breakForce: 2"));
  ASSERT_TRUE(broken);
  broken.to_the_end();  // 1 m/s on a stiff spring is more than 2 N at once: it flies on
  EXPECT_GT(broken.state("bead").x[0], 0.3);
}

TEST(Joints, what_cannot_be_meant_is_refused_with_place_and_remedy) {
  const auto refused = [](const std::string& tail, const std::string& words) {
    expect_refused(
        block(
            "", "",
            R"(  soft: {model: linear, youngModulus: 1e5, position: [1, 0, 0], mesh: {generator: box, cells: [1, 1, 1]}}
  floor: {model: obstacle, position: [0, 0, -1], mesh: {generator: box}}
)" + tail + "\n"),
        words);
  };
  refused("springs: [{bodies: [block], at: [[0, 0, 0], [1, 0, 0]]}]", "a stiffness, a damping");
  refused("springs: [{bodies: [block], at: [0, 0, 0], stiffness: 1}]", "two ends");
  refused("springs: [{bodies: [block, block], at: [[0, 0, 0], [1, 0, 0]], stiffness: 1}]",
          "attached to itself");
  refused("springs: [{bodies: [block], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1, length: 0.1}]",
          "no direction");
  refused("springs: [{bodies: [floor], at: [[0, 0, 0], [1, 0, 0]], stiffness: 1}]",
          "nothing moves these bodies");
  refused("joints: [{type: hinge, bodies: [block], at: [0, 0, 0]}]", "axis");
  refused("joints: [{type: hing, bodies: [block], at: [0, 0, 0], axis: [0, 0, 1]}]", "hinge");
  refused("joints: [{type: ball, bodies: [soft], at: [0, 0, 0]}]", "no rigid body");
  refused("joints: [{type: ball, bodies: [block], at: [0, 0, 0], axis: [0, 0, 1]}]", "has no axis");
  refused("joints: [{type: ball, bodies: [block], at: [0, 0, 0], from: 1}]", "from the start");
  refused("joints: [{type: hinge, bodies: [block], at: [0, 0, 0], axis: [0, 0, 0]}]", "no direction");
  refused("attachments: [{bodies: [block], at: [0, 0, 0], from: 2, until: 1}]", "not after");
  refused("attachments: [{bodies: [block], at: [0, 0, 0], breakForce: -1}]", "must be");
  refused("attachments: [{bodies: [block], at: [0, 0, 0], button: {device: hand}}]", "hand");
}

}  // namespace joints_test
}  // namespace palp
