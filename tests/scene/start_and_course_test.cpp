// Velocity and spin at the start, mass by hand, gravity and friction over time, static friction, the
// mid-point rule.
#include <numbers>

#include "scene/analytic.hpp"

namespace palp {
namespace start_and_course_test {

using testing::expect_refused;
using testing::Ran;

constexpr double pi = std::numbers::pi;

TEST(Start, a_body_that_is_thrown_follows_its_parabola) {
  for (const char* model : {"rigid", "globalCorotational\n    youngModulus: 1e6",
                            "linear\n    youngModulus: 1e6", "corotational\n    youngModulus: 1e6"}) {
    Ran r(std::string("dt: 0.005\nseconds: 0.5\nintegrator: midpoint\nbodies:\n  box:\n    model: ") + model +
          R"(
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}
    velocity: [2, 0, 3]
)");
    ASSERT_TRUE(r);
    r.to_the_end();
    EXPECT_LT((r.moved("box", Vec3(0.05, 0.05, 0.05)) - Vec3(1, 0, 1.5 - 0.5 * 9.81 * 0.25)).norm(), 1e-6)
        << model;
  }
}

TEST(Start, a_spinning_body_turns_by_its_spin) {
  for (const char* integrator : {"euler", "midpoint"}) {
    Ran r(std::string("dt: 0.01\nseconds: 0.5\ngravity: [0, 0, 0]\nintegrator: ") + integrator + R"(
bodies:
  box:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.2, 0.3], cells: [1, 1, 1]}
    spin: [0, 0, 2]
)");
    ASSERT_TRUE(r);
    r.to_the_end();
    EXPECT_NEAR(2 * std::asin(r.state("box").x[5]), 1, 1e-9) << integrator;
  }
}

TEST(Start, a_soft_body_and_a_beam_start_as_rigid_ones) {
  Ran r(R"(dt: 0.001
seconds: 0.001
gravity: [0, 0, 0]
bodies:
  soft:
    model: corotational
    mesh: {generator: box, size: [0.2, 0.02, 0.02], cells: [8, 1, 1]}
    youngModulus: 1e8
    velocity: [0, 0, 1]
    spin: [0, 3, 0]
  rod:
    model: beam
    mesh: {generator: straight, from: [-0.1, 1, 0], to: [0.1, 1, 0], segments: 8}
    section: {radius: 0.005}
    youngModulus: 1e10
    velocity: [0, 0, 1]
    spin: [0, 3, 0]
)");
  ASSERT_TRUE(r);
  const double mass = 1000 * 0.2 * 0.02 * 0.02,
               start = r.scene->model.bodies[0].body->kinetic_energy(r.state("soft"));
  // ½ m v² + ½ J ω² with the lumped inertia of eight cells along: m L²/12 (1 + 2/8²) and the depth.
  const double J = mass * (0.2 * 0.2 / 12 * (1 + 2 / 64.0) + 0.02 * 0.02 / 4);
  EXPECT_NEAR(start, 0.5 * mass + 0.5 * J * 9, 1e-9);
  r.to_the_end();
  EXPECT_NEAR(r.moved("rod", Vec3(0.1, 1, 0)).z(), 0.001 * (1 - 3 * 0.1), 2e-6);
  EXPECT_NEAR(r.moved("soft", Vec3(0.1, 0, 0)).z(), 0.001 * (1 - 3 * 0.1), 3e-6);
}

TEST(Mass, mass_centre_and_inertia_by_hand_replace_the_shapes_own) {
  // A torque about the given axis; the centre is turned and placed with the body.
  Ran r(R"(dt: 0.001
seconds: 0.001
gravity: [0, 0, 0]
integrator: midpoint
bodies:
  box:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}
    rotation: [0, 0, 90]
    position: [1, 0, 0]
    mass: 3
    centre: [0.02, 0, 0]
    inertia: [0.01, 0.02, 0.025]
    loads: [{torque: [0.5, 0, 0]}, {force: [0, 0, 6], at: [1, 0.02, 0]}]
  plain:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}
    position: [2, 0, 0]
    mass: 3
)");
  ASSERT_TRUE(r);
  EXPECT_LT((r.state("box").x.head<3>() - Vec3(1, 0.02, 0)).norm(),
            1e-12);  // x of the part is y of the world
  EXPECT_NEAR(r.scene->model.bodies[0].body->mass(), 3, 1e-12);
  EXPECT_NEAR(r.scene->model.bodies[1].body->mass(), 3, 1e-12);
  r.to_the_end();
  // The world's x is the part's −y: moment 0.02. The force acts at the centre and turns nothing.
  EXPECT_LT((r.state("box").v - (Vec6() << 0, 0, 6.0 / 3, 0.5 / 0.02, 0, 0).finished() * 1e-3).norm(), 1e-6);
}

TEST(Courses, gravity_that_is_switched_on_late_acts_from_then_on) {
  Ran r(R"(dt: 0.001
seconds: 0.5
integrator: midpoint
gravity: [[0, [0, 0, 0]], [0.3, [0, 0, 0]], [0.3, [0, 0, -9.81]]]
bodies:
  bead: {model: point, mass: 0.1}
)");
  ASSERT_TRUE(r);
  r.until(0.29);
  EXPECT_EQ(r.state("bead").x[2], 0);
  r.to_the_end();
  EXPECT_NEAR(r.state("bead").x[2], -0.5 * 9.81 * 0.04, 1e-4);
}

/// A block on a floor, pulled sideways by the gravity of a slope.
std::string slope(double angle_deg, const std::string& contact, const std::string& body) {
  const double a = angle_deg * pi / 180;
  char gravity[120];
  std::snprintf(gravity, sizeof gravity, "gravity: [%.17g, 0, %.17g]\n", 9.81 * std::sin(a),
                -9.81 * std::cos(a));
  return "dt: 0.002\nseconds: 0.5\n" + std::string(gravity) + "contact: {" + contact +
         R"(, alarmDistance: 0.005}
bodies:
  block:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.04], centre: [0, 0, 0.02], cells: [2, 2, 1]}
)" + body +
         R"(  floor:
    model: obstacle
    mesh: {generator: box, size: [4, 4, 0.1], centre: [0, 0, -0.05], cells: [8, 8, 1]}
)";
}

TEST(Courses, a_block_slides_when_its_friction_is_gone) {
  Ran r(slope(20, "mu: [[0, 0.5], [0.2, 0.5], [0.2, 0.1]]", ""));
  ASSERT_TRUE(r);
  r.until(0.198);  // the step that ends at 0.2 s has the friction of 0.2 s
  EXPECT_LT(std::abs(r.state("block").v[0]), 1e-5);
  r.to_the_end();
  const double a = 9.81 * (std::sin(pi / 9) - 0.1 * std::cos(pi / 9));
  EXPECT_NEAR(r.state("block").v[0], a * 0.3, 0.02 * a * 0.3);
}

TEST(StaticFriction, holds_what_rests_and_lets_slide_what_slides) {
  // tan 20° = 0.364 is between the two.
  Ran rests(slope(20, "mu: 0.2, staticMu: 0.4", ""));
  ASSERT_TRUE(rests);
  rests.to_the_end();
  EXPECT_LT(std::abs(rests.state("block").x[0]), 1e-5);
  Ran slides(slope(20, "mu: 0.2, staticMu: 0.4", "    velocity: [0.3, 0, 0]\n"));
  ASSERT_TRUE(slides);
  slides.to_the_end();
  const double a = 9.81 * (std::sin(pi / 9) - 0.2 * std::cos(pi / 9));
  EXPECT_NEAR(slides.state("block").v[0], 0.3 + a * 0.5, 0.02 * (0.3 + a * 0.5));
  Ran slips(slope(25, "mu: 0.2, staticMu: 0.4", ""));  // tan 25° = 0.466
  ASSERT_TRUE(slips);
  slips.to_the_end();
  const double b = 9.81 * (std::sin(pi * 25 / 180) - 0.2 * std::cos(pi * 25 / 180));
  EXPECT_NEAR(slips.state("block").v[0], b * 0.5, 0.02 * b * 0.5);
}

TEST(StaticFriction, the_pull_rises_to_static_and_falls_to_sliding_friction) {
  // Drawn by a spring at 2 cm/s: the hand feels at most μ_s m g, then less.
  Ran r(slope(0, "mu: 0.2, staticMu: 0.4", "    mass: 1\n") + R"(devices:
  hand:
    type: script
    smooth: false
    path: [{time: 0, position: [0, 0, 0]}, {time: 1, position: [0.02, 0, 0]}]
    holds: {body: block, stiffness: 1000, damping: 5, angularStiffness: 10}
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_NEAR(r.quantity("hand.peakForce"), 0.4 * 9.81, 0.03 * 0.4 * 9.81);
  EXPECT_GT(r.state("block").x[0], 0.002);
}

/// A top with three different moments, turning about the middle one: it tumbles.
std::string top(const std::string& integrator) {
  return "dt: 0.005\nseconds: 10\ngravity: [0, 0, 0]\nintegrator: " + integrator + R"(
bodies:
  top:
    model: rigid
    mesh: {generator: box, size: [0.05, 0.1, 0.2], cells: [1, 1, 1]}
    spin: [0.1, 20, 0.1]
)";
}

TEST(Integrator, a_free_top_keeps_its_energy_with_the_midpoint_rule) {
  Ran r(top("midpoint"));
  ASSERT_TRUE(r);
  const Body& body = *r.scene->model.bodies[0].body;
  const double start = body.kinetic_energy(r.state("top"));
  double least = start, most = start;
  bool tumbled = false;
  while (r.run->state().time_s < 10 - 1e-9) {
    ASSERT_TRUE(r.step());
    const double now = body.kinetic_energy(r.state("top"));
    least = std::min(least, now);
    most = std::max(most, now);
    tumbled = tumbled || std::abs(Quat(r.state("top").x[6], r.state("top").x[3], r.state("top").x[4],
                                       r.state("top").x[5])
                                      .toRotationMatrix()(1, 1)) < 0.5;
  }
  EXPECT_TRUE(tumbled);
  EXPECT_LT(most - least, 1e-9 * start);
  Ran damped(top("euler"));
  ASSERT_TRUE(damped);
  damped.to_the_end();
  EXPECT_LT(body.kinetic_energy(damped.state("top")), 0.99 * start);
}

TEST(Integrator, a_vibration_keeps_its_amplitude_with_the_midpoint_rule) {
  const auto bar = [](const std::string& model, const std::string& integrator) {
    return "dt: 0.0005\nseconds: 0.4\ngravity: [0, 0, 0]\nintegrator: " + integrator +
           "\nbodies:\n  bar:\n    model: " + model + R"(
    mesh: {generator: bar, length: 0.2, width: 0.02, height: 0.02, cellsAlong: 8, cellsWide: 1, cellsHigh: 1}
    youngModulus: 1e7
    fixed: {box: [[-1, -1, -1], [1e-6, 1, 1]]}
    velocity: [0.05, 0, 0]
)";
  };
  for (const char* model : {"linear", "corotational"}) {
    const auto energy = [&](const std::string& integrator) {
      Ran r(bar(model, integrator));
      if (!r) return std::pair{0.0, 0.0};
      const double before = r.scene->model.bodies[0].body->kinetic_energy(r.state("bar"));
      r.to_the_end();
      return std::pair{before, r.run->record().kinetic_J + r.run->record().elastic_J};
    };
    const auto kept = energy("midpoint"), lost = energy("euler");
    EXPECT_NEAR(kept.second, kept.first, (std::string(model) == "linear" ? 1e-6 : 0.02) * kept.first)
        << model;
    EXPECT_LT(lost.second, 0.5 * lost.first) << model;
  }
}

TEST(Integrator, a_beam_vibrates_with_its_first_frequency) {
  // Cantilever: ω = 3.516 √(EI/(ρA L⁴)); counted over its swings at the tip.
  Ran r(R"(dt: 0.0005
seconds: 1
gravity: [0, 0, 0]
integrator: midpoint
bodies:
  reed:
    model: beam
    mesh: {generator: straight, from: [0, 0, 0], to: [0.2, 0, 0], segments: 20}
    section: {width: 0.01, height: 0.001}
    sectionY: [0, 1, 0]
    youngModulus: 2e11
    density: 7800
    fixed: {nodes: [0]}
    loads: [{on: {nodes: [20]}, force: [[0, [0, 0, 0]], [0.2, [0, 0, 0.05]], [0.2, [0, 0, 0]]]}]
)");
  ASSERT_TRUE(r);
  const double w = 3.516 * std::sqrt(2e11 * 0.001 * 0.001 / 12 / 7800 / std::pow(0.2, 4));
  std::vector<double> crossings;
  double before = 0;
  while (r.run->state().time_s < 1 - 1e-9) {
    ASSERT_TRUE(r.step());
    const double t = r.run->state().time_s, z = r.moved("reed", Vec3(0.2, 0, 0)).z();
    if (t > 0.25 && before < 0 && z >= 0) crossings.push_back(t - 0.0005 * z / (z - before));
    before = z;
  }
  ASSERT_GT(crossings.size(), 10u);
  const double period = (crossings.back() - crossings[0]) / static_cast<double>(crossings.size() - 1);
  EXPECT_NEAR(2 * pi / period, w, 0.01 * w);
}

TEST(Integrator, what_hits_a_floor_stays_there) {
  Ran r(slope(0, "mu: 0", "    position: [0, 0, 0.1]\n") + "integrator: midpoint\n");
  ASSERT_TRUE(r);
  double highest = 0;
  while (r.run->state().time_s < 0.5 - 1e-9) {
    ASSERT_TRUE(r.step());
    if (r.run->state().time_s > 0.2) highest = std::max(highest, r.state("block").x[2] - 0.02);
  }
  EXPECT_LT(highest, 0.002);
  EXPECT_NEAR(r.state("block").x[2], 0.02, 1e-6);
}

TEST(Keys, what_cannot_be_meant_is_refused_with_place_and_remedy) {
  const auto body = [](const std::string& keys) {
    return "bodies:\n  box: {model: rigid, mesh: {generator: box, cells: [1, 1, 1]}, " + keys + "}\n";
  };
  expect_refused(body("mass: 1, density: 3"), "exclude each other");
  expect_refused(body("inertia: [1, 1]"), "three or six numbers");
  expect_refused(body("inertia: [1, 1, 3]"), "inertia of no solid");
  expect_refused(body("velocity: 3"), "three numbers");
  expect_refused(body("spin: [0, 0, 1e300]"), "must be");
  expect_refused("bodies: {p: {model: point, spin: [0, 0, 1]}}\n", "does not turn");
  expect_refused(
      "bodies: {s: {model: linear, youngModulus: 1e5, quasiStatic: true, rayleighMass: 1, velocity: [1, 0, "
      "0], mesh: "
      "{generator: box}}}\n",
      "no inertia");
  expect_refused(slope(0, "mu: 0.5, staticMu: 0.3", ""), "below mu");
  expect_refused(slope(0, "mu: 0.5, stickSpeed: 0.3", ""), "belongs to staticMu");
  expect_refused(slope(0, "mu: [[0, 0.5], [1, -1]]", ""), "must be");
  expect_refused(slope(0, "mu: []", ""), "empty list");
  expect_refused(slope(0, "mu: 0", "") + "integrator: verlet\n", "midpoint");
  expect_refused("gravity: [[0, [0, 0, 1]], [1, 3]]\nbodies: {p: {model: point}}\n", "three numbers");
}

TEST(Keys, with_two_rates_they_act_or_are_refused) {
  const auto scene = [](const std::string& more, const std::string& hold) {
    return R"(seconds: 0.3
haptics: {rate: 1000, lowRate: 50}
gravity: [[0, [0, 0, 0]], [0.1, [0, 0, 0]], [0.1, [0, 0, -5]]]
bodies:
  tool: {model: point, rate: high, mass: 0.2, position: [1, 0, 0], loads: [{force: [0, 0, 0.4]}]}
  block:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}
    mass: 2
    loads: [{force: [3, 0, 0]}]
devices:
  hand: {type: script, path: [{time: 0, position: [1, 0, 0]}], holds: {body: tool, stiffness: 1000)" +
           hold + "}}\n" + more;
  };
  Ran r(scene("", ""));
  ASSERT_TRUE(r);
  r.until(0.1);
  EXPECT_NEAR(r.state("tool").x[2], 4e-4, 1e-5);  // 0.4 N on 1000 N/m
  r.to_the_end();
  EXPECT_NEAR(r.state("tool").x[2], 4e-4 - 0.2 * 5 / 1000, 1e-5);
  EXPECT_NEAR(r.state("block").v[0], 1.5 * 0.3, 0.04);
  expect_refused(scene("integrator: midpoint\n", ""), "implicit Euler");
  expect_refused(scene("", ", until: 0.2"), "one rate only");
  expect_refused(
      scene("springs: [{bodies: [tool], at: [[1, 0, 0], [1, 0, 1]], stiffness: 10, damping: 1}]\n", ""),
      "no damping");
  expect_refused(scene("attachments: [{bodies: [block], at: [0, 0, 0], button: {device: hand}}]\n", ""),
                 "one rate only");
}

TEST(Keys, with_two_rates_a_spring_pulls_the_tool_with_its_stiffness) {
  Ran r(R"(seconds: 0.5
haptics: {rate: 1000, lowRate: 50}
gravity: [0, 0, 0]
bodies:
  tool: {model: point, rate: high, mass: 0.01, position: [0, 0, 0]}
springs: [{bodies: [tool], at: [[0, 0, 0], [0, 0, -0.5]], stiffness: 300}]
devices:
  hand: {type: script, path: [{time: 0, position: [0, 0, 0]}, {time: 0.2, position: [0, 0, 0.04]}], holds: {body: tool, stiffness: 100}}
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  // Two springs in a row: 4 cm shared 3 to 1.
  EXPECT_NEAR(r.state("tool").x[2], 0.01, 2e-4);
  EXPECT_NEAR(r.run->record().hands[0].wrench.force.z(), -3, 0.06);
}

}  // namespace start_and_course_test
}  // namespace palp
