// Loads, supports along axes, moved nodes and parts of other materials, against statics and beam theory.
#include "scene/analytic.hpp"

namespace palp {
namespace loads_test {

using testing::expect_refused;
using testing::Ran;

/// A block of 0.2 × 0.1 × 0.06 from the origin, on rollers at its three planes of symmetry.
std::string block(const std::string& model, const std::string& more) {
  return "dt: 0.01\nseconds: 0.05\ngravity: [0, 0, 0]\nbodies:\n  block:\n    model: " + model + R"(
    mesh: {generator: box, size: [0.2, 0.1, 0.06], centre: [0.1, 0.05, 0.03], cells: [4, 2, 2]}
    youngModulus: 1e6
    poissonRatio: 0.3
    quasiStatic: true
    supports:
      - {on: {box: [[-1, -1, -1], [1e-9, 1, 1]]}, axes: [x]}
      - {on: {box: [[-1, -1, -1], [1, 1e-9, 1]]}, axes: [y]}
      - {on: {box: [[-1, -1, -1], [1, 1, 1e-9]]}, axes: [z]}
)" + more;
}
const Vec3 corner(0.2, 0.1, 0.06);

TEST(Loads, a_traction_stretches_a_bar_on_rollers_as_hooke_says) {
  // Uniform stress: every element shows it exactly.
  Ran r(block("linear", "    loads: [{on: {box: [[0.199, -1, -1], [1, 1, 1]]}, traction: [1000, 0, 0]}]\n"));
  ASSERT_TRUE(r);
  r.to_the_end();
  const double strain = 1000 / 1e6;
  EXPECT_LT((r.moved("block", corner) - Vec3(0.2, -0.3 * 0.1, -0.3 * 0.06) * strain).norm(), 1e-9);
  EXPECT_NEAR(r.quantity("block.reaction"), 1000 * 0.1 * 0.06, 1e-6);
}

TEST(Loads, quadratic_tets_and_tets_carry_the_same_force) {
  for (const char* kind : {"tets", "quadraticTets"}) {
    std::string text =
        block("linear", "    loads: [{on: {box: [[0.199, -1, -1], [1, 1, 1]]}, traction: [1000, 0, 0]}]\n");
    text.replace(text.find("cells: [4, 2, 2]"), 16, std::string("cells: [4, 2, 2], elements: ") + kind);
    Ran r(text);
    ASSERT_TRUE(r);
    r.to_the_end();
    EXPECT_NEAR(r.quantity("block.reaction"), 6, 1e-6) << kind;
    EXPECT_NEAR(r.moved("block", corner).x(), 2e-4, 2e-6) << kind;
  }
}

TEST(Loads, pressure_all_around_shrinks_a_block_by_its_bulk_modulus) {
  for (const char* model : {"linear", "corotational"}) {
    Ran r(block(model, "    loads: [{pressure: 100}]\n"));
    ASSERT_TRUE(r);
    r.to_the_end();
    const double strain = -100 * (1 - 2 * 0.3) / 1e6;
    EXPECT_LT((r.moved("block", corner) - strain * corner).norm(), 1e-4 * std::abs(strain)) << model;
  }
}

TEST(Loads, pressure_follows_a_surface_that_turns) {
  // A rigid plate with pressure on its lower side is pushed along its normal, wherever that points.
  Ran r(R"(dt: 0.001
seconds: 0.001
gravity: [0, 0, 0]
integrator: midpoint
bodies:
  plate:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.2, 0.02], cells: [1, 1, 1]}
    rotation: [0, 90, 0]
    mass: 2
    loads: [{on: {box: [[-1, -1, -1], [-0.009, 1, 1]]}, pressure: 500}]
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  const double h = 0.001, a = 500 * 0.1 * 0.2 / 2;
  EXPECT_LT((r.state("plate").v.head<3>() - Vec3(a * h, 0, 0)).norm(), 1e-9 * a);
}

TEST(Loads, plane_strain_is_stiffer_by_the_poisson_ratio) {
  std::string text =
      block("linear", "    loads: [{on: {box: [[0.199, -1, -1], [1, 1, 1]]}, traction: [1000, 0, 0]}]\n");
  text.replace(text.find("[[-1, -1, -1], [1, 1, 1e-9]]"), 28, "[[-1, -1, -1], [1, 1, 1]]");
  Ran r(text);
  ASSERT_TRUE(r);
  r.to_the_end();
  const double strain = 1000 * (1 - 0.3 * 0.3) / 1e6;
  EXPECT_NEAR(r.moved("block", corner).x(), 0.2 * strain, 1e-9);
  EXPECT_NEAR(r.moved("block", corner).y(), -0.1 * strain * 0.3 / 0.7, 1e-9);
  EXPECT_EQ(r.moved("block", corner).z(), 0);
}

TEST(Loads, a_support_with_a_normal_holds_a_turned_block_as_axes_hold_a_straight_one) {
  // 30 degrees about z: the planes of symmetry turn along.
  const double c = std::sqrt(0.75), s = 0.5;
  char normals[600];
  std::snprintf(normals, sizeof normals, R"(dt: 0.01
seconds: 0.05
gravity: [0, 0, 0]
bodies:
  block:
    model: linear
    mesh: {generator: box, size: [0.2, 0.1, 0.06], centre: [0.1, 0.05, 0.03], cells: [1, 1, 1]}
    rotation: [0, 0, 30]
    youngModulus: 1e6
    quasiStatic: true
    supports:
      - {on: {nodes: [0, 2, 4, 6]}, normal: [%.17g, %.17g, 0]}
      - {on: {nodes: [0, 1, 4, 5]}, normal: [%.17g, %.17g, 0]}
      - {on: {box: [[-1, -1, -1], [1, 1, 1e-9]]}, axes: [z]}
    loads: [{on: {nodes: [1, 3, 5, 7]}, traction: [%.17g, %.17g, 0]}]
)",
                c, s, -s, c, 1000 * c, 1000 * s);
  Ran r(normals);
  ASSERT_TRUE(r);
  r.to_the_end();
  const Vec3 along(c, s, 0), across(-s, c, 0);
  const Vec3 far = 0.2 * along + 0.1 * across + 0.06 * Vec3::UnitZ();
  const Vec3 moved = r.moved("block", far);
  EXPECT_NEAR(moved.dot(along), 2e-4, 1e-10);
  EXPECT_NEAR(moved.dot(across), -0.3e-4, 1e-10);
}

TEST(Loads, a_force_on_nodes_follows_its_course) {
  Ran r(block("linear", R"(    loads:
      - {on: {box: [[0.199, -1, -1], [1, 1, 1]]}, force: [[0.01, [0, 0, 0]], [0.03, [4, 0, 0]]]}
)"));
  ASSERT_TRUE(r);
  for (const auto& [time, force] : {std::pair{0.01, 0.0}, {0.02, 2.0}, {0.03, 4.0}, {0.05, 4.0}}) {
    r.until(time);
    EXPECT_NEAR(r.run->support_force(0).x(), -force, 1e-9) << time;
  }
}

TEST(Loads, forces_and_torques_move_a_rigid_body_as_newton_says) {
  Ran r(R"(dt: 0.01
seconds: 1
gravity: [0, 0, 0]
integrator: midpoint
bodies:
  box:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}
    mass: 2
    inertia: [0.01, 0.02, 0.025]
    loads: [{force: [[0, [0, 0, 0]], [1, [0, 3, 0]]]}, {torque: [0, 0, 0.05]}]
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  // A force that grows evenly: x = F t³/(6 m T); a constant torque: half α t².
  EXPECT_NEAR(r.state("box").x[1], 3.0 / 12, 1e-4);
  EXPECT_NEAR(r.state("box").v[1], 3.0 / 4, 1e-9);
  EXPECT_NEAR(2 * std::asin(r.state("box").x[5]), 0.5 * 0.05 / 0.025, 1e-9);
}

TEST(Loads, a_force_beside_the_centre_turns_the_body) {
  Ran r(R"(dt: 0.0001
seconds: 0.001
gravity: [0, 0, 0]
integrator: midpoint
bodies:
  box:
    model: rigid
    mesh: {generator: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}
    mass: 2
    inertia: [0.01, 0.02, 0.025]
    loads: [{force: [0, 6, 0], at: [0.05, 0, 0]}]
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_NEAR(r.state("box").v[1], 6.0 / 2 * 1e-3, 1e-9);
  EXPECT_NEAR(r.state("box").v[5], 6 * 0.05 / 0.025 * 1e-3, 1e-9);
}

/// A steel strip of 0.4 m, flat side up: E I of bending in z.
std::string strip(const std::string& more) {
  return R"(dt: 0.01
seconds: 0.4
gravity: [0, 0, 0]
bodies:
  strip:
    model: beam
    mesh: {generator: straight, from: [0, 0, 0], to: [0.4, 0, 0], segments: 20}
    section: {width: 0.02, height: 0.002}
    sectionY: [0, 1, 0]
    youngModulus: 2e11
    quasiStatic: true
    rayleighMass: 1
)" + more;
}
constexpr double strip_EI = 2e11 * 0.02 * 0.002 * 0.002 * 0.002 / 12;

TEST(Loads, a_beam_on_two_rollers_sags_by_five_384ths) {
  Ran r(
      strip(R"(    supports: [{on: {nodes: [0]}, axes: [x, y, z, rx]}, {on: {nodes: [20]}, axes: [y, z, rx]}]
    loads: [{perLength: [0, 0, -0.5]}]
)"));
  ASSERT_TRUE(r);
  r.to_the_end();
  const double sag = 5 * 0.5 * std::pow(0.4, 4) / (384 * strip_EI);
  EXPECT_NEAR(r.moved("strip", Vec3(0.2, 0, 0)).z(), -sag, 0.005 * sag);
  EXPECT_NEAR(r.quantity("strip.reaction"), 0.5 * 0.4, 1e-6);
  // The right end is free to come nearer.
  EXPECT_LT(r.moved("strip", Vec3(0.4, 0, 0)).x(), 0);
}

TEST(Loads, a_moment_at_the_end_bends_a_cantilever_to_an_arc) {
  Ran r(strip(R"(    fixed: {nodes: [0]}
    loads: [{on: {nodes: [20]}, torque: [0, -0.1, 0]}]
)"));
  ASSERT_TRUE(r);
  r.to_the_end();
  const double curvature = 0.1 / strip_EI;
  EXPECT_NEAR(r.moved("strip", Vec3(0.4, 0, 0)).z(), (1 - std::cos(curvature * 0.4)) / curvature,
              0.002 * 0.5 * curvature * 0.16);
}

TEST(Moves, nodes_that_are_pulled_follow_their_course_and_tell_its_force) {
  // ν = 0: force E A d/L.
  std::string text = block("corotational", R"(    moves:
      - {on: {box: [[0.199, -1, -1], [1, 1, 1]]}, displacement: [[0, [0, 0, 0]], [0.02, [0.002, 0, 0]]], axes: [x]}
)");
  text.replace(text.find("poissonRatio: 0.3"), 17, "poissonRatio: 0.0");
  Ran r(text);
  ASSERT_TRUE(r);
  r.until(0.01);
  EXPECT_NEAR(r.moved("block", corner).x(), 0.001, 1e-15);
  r.to_the_end();
  EXPECT_NEAR(r.moved("block", corner).x(), 0.002, 1e-15);
  const double force = 1e6 * 0.1 * 0.06 * 0.01;
  EXPECT_NEAR(r.quantity("block.movingForce"), force, 1e-6 * force);
  EXPECT_NEAR(r.quantity("block.reaction"), force, 1e-6 * force);
}

TEST(Moves, a_platen_without_friction_lets_the_block_widen) {
  Ran r(block(
      "linear",
      R"(    moves: [{on: {box: [[0.199, -1, -1], [1, 1, 1]]}, displacement: [-0.0002, 0, 0], axes: [x]}]
)"));
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_LT((r.moved("block", corner) - Vec3(-2e-4, 0.3e-3 * 0.1, 0.3e-3 * 0.06)).norm(), 1e-10);
}

TEST(Moves, an_obstacle_goes_its_way_without_a_hand) {
  Ran r(R"(dt: 0.01
seconds: 1
bodies:
  plate:
    model: obstacle
    mesh: {generator: box, size: [0.1, 0.1, 0.01], cells: [1, 1, 1]}
    moves: [{displacement: [[0, [0, 0, 0]], [1, [0, 0, 0.2]]], rotation: [[0, [0, 0, 0]], [1, [0, 0, 90]]]}]
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_NEAR(r.state("plate").x[2], 0.2, 1e-12);
  EXPECT_NEAR(2 * std::asin(r.state("plate").x[5]), std::acos(0.0), 1e-9);
}

TEST(Materials, parts_in_a_row_share_the_force_and_add_their_stretch) {
  for (const char* model : {"linear", "corotational"}) {
    std::string text = block(
        model, R"(    materials: [{on: {box: [[0.1, -1, -1], [1, 1, 1]]}, youngModulus: 4e6, density: 3000}]
    loads: [{on: {box: [[0.199, -1, -1], [1, 1, 1]]}, traction: [10, 0, 0]}]
)");
    text.replace(text.find("poissonRatio: 0.3"), 17, "poissonRatio: 0.0");
    Ran r(text);
    ASSERT_TRUE(r);
    r.to_the_end();
    EXPECT_NEAR(r.moved("block", corner).x(), 10 * (0.1 / 1e6 + 0.1 / 4e6), 1e-10) << model;
    EXPECT_NEAR(r.scene->model.bodies[0].body->mass(), 0.1 * 0.1 * 0.06 * (1000 + 3000), 1e-9);
  }
}

TEST(Loads, what_cannot_be_meant_is_refused_with_place_and_remedy) {
  const auto refused = [](const std::string& line, const std::string& words) {
    expect_refused(block("linear", "    " + line + "\n"), words);
  };
  refused("loads: [{on: all}]", "a load is one of");
  refused("loads: [{on: all, force: [0, 0, 1], pressure: 3}]", "a load is one of");
  refused("loads: [{on: all, torque: [0, 0, 1]}]", "no rotation");
  refused("loads: [{force: [0, 0, 1]}]", "which nodes share the force");
  refused("loads: [{on: {box: [[0.199, 0.099, 0.059], [1, 1, 1]]}, pressure: 3}]", "no triangle");
  refused("loads: [{on: all, perLength: [0, 0, 1]}]", "only beams");
  refused("loads: [{at: [0, 0, 0], force: [0, 0, 1]}]", "one frame");
  refused("loads: [{on: all, presure: 3}]", "pressure");
  refused("loads: [{on: all, pressure: [[0, 1], [1]]}]", "a pair of a time and a value");
  refused("loads: [{on: all, pressure: [[1, 1], [0, 2]]}]", "goes back in time");
  refused("loads: [{on: all, pressure: 1e300}]", "must be");
  refused("loads: [{on: all, force: [[0, [0, 0]]]}]", "three numbers");
  refused("moves: [{on: all}]", "displacement");
  refused("moves: [{on: all, displacement: [0, 0, 0]}]", "both fixed and driven");
  refused("materials: [{on: {nodes: [1]}, youngModulus: 1e5}]", "by a box or a set");
  refused("materials: [{on: {box: [[5, 5, 5], [6, 6, 6]]}, youngModulus: 1e5}]", "selects no node");
  std::string text = block("linear", "");
  expect_refused(text.replace(text.find("axes: [x]"), 9, "axes: [w]"), "'w'");
  text = block("linear", "");
  expect_refused(text.replace(text.find("axes: [x]"), 9, "normal: [0, 0, 0]"), "no direction");
}

}  // namespace loads_test
}  // namespace palp
