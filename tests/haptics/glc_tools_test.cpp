// Limited constraints for tools with a shape: rigid ones, beams, deformable ones.
#include <random>

#include "haptics/glc_cases.hpp"
#include "haptics/two_rate_support.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/math/rotation.hpp"
#include "palp/mechanics/global_corotational_body.hpp"

namespace palp {
namespace glc_tools_test {

using namespace cases;

/// `tool` held by one hand over `ground`.
Model held_model(std::shared_ptr<const Body> ground, std::shared_ptr<const Body> tool, double mu) {
  Model model;
  model.h_s = kLow;
  model.gravity.setZero();
  model.bodies.push_back({"ground", std::move(ground)});
  model.bodies.push_back({"tool", std::move(tool)});
  model.rules.push_back({.body1 = 0, .body2 = 1, .mu = mu, .alarm_distance_m = 0.02});
  return model;
}
Grip hand_of(int body, const CouplingSettings& coupling, int frame = 0) {
  return {.device = 0, .body = body, .frame = frame, .coupling = coupling};
}
CouplingSettings six_dof() {
  return {.stiffness_N_per_m = 1000,
          .damping_N_s_per_m = 2,
          .angular_stiffness_Nm_per_rad = 0.5,
          .angular_damping_Nm_s_per_rad = 2e-3};
}
HapticLoop loop_of(const Model& model, const Grip& grip, const TwoRateSettings& settings) {
  auto made = TwoRateModel::make(model, {1}, {grip}, 1, settings);
  EXPECT_TRUE(made) << made.error().text();
  return HapticLoop(std::move(*made));
}

/// Four corners, the first at `tip`, which is also the centre of mass.
std::shared_ptr<const Body> needle(const Vec3& tip) {
  RigidSpec spec;
  spec.surface.nodes = {tip, tip + Vec3(-4, -3, 30) * mm, tip + Vec3(4, -3, 30) * mm,
                        tip + Vec3(0, 5, 30) * mm};
  spec.surface.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  spec.given.mass_kg = 1e-3;
  spec.given.centre_m = tip;
  spec.given.inertia_kg_m2 = 1e-7 * Mat3::Identity();
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

std::shared_ptr<const Body> sphere_tool(const Vec3& centre, double radius, int subdivisions = 1) {
  RigidSpec spec;
  spec.surface = *icosphere({.radius_m = radius, .subdivisions = subdivisions});
  for (Vec3& x : spec.surface.nodes) x += centre;
  spec.density_kg_per_m3 = 3000;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

TriMesh sine_mesh(int cells = 40) {
  SinePlateShape shape;
  shape.cells_along = cells;
  shape.cells_wide = 8;
  return *sine_surface(shape);
}

// The centre of mass of the needle is its tip, where the hand holds it: whatever touches there moves it as it
// moves a point of the same mass.
TEST(GlcTools, a_rigid_tool_that_touches_with_its_centre_of_mass_feels_what_a_point_feels) {
  const Vec3 start(10 * mm, 0.3 * mm, sine_height(10 * mm) + 0.1 * mm);
  const auto swipe = [&](const Model& model) {
    HapticLoop loop = loop_of(model, hand_of(1, k16_coupling()), glc_settings());
    std::vector<Vec3> force;
    Vec3 input = start;
    for (int tick = 0; input.x() < 80 * mm; ++tick) {
      const Vec3 before = input;
      const double x = start.x() + 0.2 * kTick * std::max(0, tick - 60);
      input = Vec3(x, start.y(), sine_height(x) - 1 * mm * std::min(1.0, tick / 40.0));
      const DevicePose pose = pose_at(input, before);
      Wrench wrench;
      EXPECT_EQ(loop.advance({&pose, 1}, {&wrench, 1}).status, TickStatus::ok);
      EXPECT_TRUE(loop.report().converged) << tick;
      force.push_back(wrench.force);
    }
    return force;
  };
  const auto sine = obstacle(sine_mesh());
  const auto as_point = swipe(touch_model(sine, {start}, 0.1)),
             as_tool = swipe(held_model(sine, needle(start), 0.1));
  double largest = 0;
  for (size_t i = 0; i < as_point.size(); ++i) {
    ASSERT_LT((as_point[i] - as_tool[i]).norm(), 1e-6) << i;
    largest = std::max(largest, as_point[i].norm());
  }
  EXPECT_GT(largest, 0.8);
}

/// A hand that darts about over a patch of ground, at up to `speed`, turning as it likes.
struct WildHand {
  std::mt19937 random;
  Vec3 low, high, at;
  double speed;
  Quat turn = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  double number(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }

  DevicePose next(int tick) {
    if (tick % 25 == 0) {
      const Vec3 goal(number(low.x(), high.x()), number(low.y(), high.y()), number(low.z(), high.z()));
      velocity = (goal - at).normalized() * number(0, speed);
      spin = 10 * Vec3(number(-1, 1), number(-1, 1), number(-1, 1));
    }
    at += kTick * velocity;
    for (int k = 0; k < 3; ++k)
      if (at[k] < low[k] || at[k] > high[k]) velocity[k] = 0;
    at = at.cwiseMax(low).cwiseMin(high);
    turn = rotation_from_vector(kTick * spin) * turn;
    DevicePose pose;
    pose.position = at;
    pose.orientation = turn;
    pose.velocity = velocity;
    pose.angular_velocity = spin;
    return pose;
  }
};

/// Deepest that a vertex of the tool gets below the ground, in `ticks` of a wild hand; counts who was held.
template <class Below>
double deepest(const Model& model, const Grip& grip, WildHand hand, int ticks, const Below& below) {
  HapticLoop loop = loop_of(model, grip, glc_settings());
  std::vector<Vec3> skin(static_cast<size_t>(model.bodies[1].body->skin().vertices));
  double deep = 0;
  int touching = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    const DevicePose pose = hand.next(tick);
    Wrench wrench;
    EXPECT_EQ(loop.advance({&pose, 1}, {&wrench, 1}).status, TickStatus::ok) << tick;
    touching += loop.report().active_contacts > 0;
    model.bodies[1].body->skin_positions(loop.high().tools[0].state, VecX(), skin);
    for (const Vec3& x : skin) deep = std::max(deep, below(x));
  }
  EXPECT_GT(touching, ticks / 20);
  return deep;
}

// Vertices never pass through the surface, however fast the hand is and however it turns the tool: while a
// solve is at work they are at most one step deep, half of what a patch reaches down (2 mm, and half of a
// thin plate).
void move_wildly(unsigned hands) {
  const Grip grip = hand_of(1, six_dof());
  const auto hand = [](unsigned seed, double z) {
    return WildHand{.random = std::mt19937(seed),
                    .low = Vec3(20, -8, -12) * mm,
                    .high = Vec3(80, 8, 15) * mm,
                    .at = Vec3(50 * mm, 0, z),
                    .speed = 2};
  };
  // The mesh is straight in y and between its rows: its height is known without looking at triangles.
  const auto below_sine = [](const Vec3& x) {
    const double cell = 0.1 / 40, k = std::floor(x.x() / cell), part = x.x() / cell - k;
    return (1 - part) * sine_height(k * cell) + part * sine_height((k + 1) * cell) - x.z();
  };
  const auto sine = obstacle(sine_mesh());
  for (unsigned seed = 0; seed < hands; ++seed) {
    const Vec3 start(50 * mm, 0, 12 * mm);
    EXPECT_LT(deepest(held_model(sine, sphere_tool(start, 4 * mm), 0.3), grip, hand(seed, start.z()), 5000,
                      below_sine),
              1 * mm)
        << seed;
  }
  // A plate of half a millimetre.
  const auto plate = obstacle(two_rate_test::box_surface(Vec3(200, 100, 0.5) * mm, Vec3(50, 0, -0.25) * mm));
  for (unsigned seed = 10; seed < 10 + hands; ++seed) {
    const Vec3 start(50 * mm, 0, 10 * mm);
    const auto box = two_rate_test::rigid_box(Vec3(8, 6, 5) * mm, start, 3000);
    EXPECT_LT(deepest(held_model(plate, box, 0.3), grip, hand(seed, start.z()), 5000,
                      [](const Vec3& x) { return -x.z(); }),
              0.125 * mm)
        << seed;
  }
}

TEST(GlcTools, wild_motions_of_rigid_tools_never_pass_through) { move_wildly(1); }

TEST(GlcTools, long_thousands_of_wild_motions_of_rigid_tools_never_pass_through) { move_wildly(4); }

struct Felt {
  std::vector<Vec3> force;
  double jump = 0;
  int unsettled = 0, held_back = 0;
};

template <class Path>
Felt feel(const Model& model, const Grip& grip, const TwoRateSettings& settings, int ticks,
          const Path& path) {
  HapticLoop loop = loop_of(model, grip, settings);
  Felt felt;
  Vec3 before = path(0);
  for (int tick = 0; tick < ticks; ++tick) {
    const DevicePose pose = pose_at(path(tick), before);
    before = path(tick);
    Wrench wrench;
    EXPECT_EQ(loop.advance({&pose, 1}, {&wrench, 1}).status, TickStatus::ok) << tick;
    if (!felt.force.empty()) felt.jump = std::max(felt.jump, (wrench.force - felt.force.back()).norm());
    felt.unsettled += !loop.report().converged;
    felt.held_back += loop.report().held_back;
    felt.force.push_back(wrench.force);
  }
  return felt;
}

double error_of(const Felt& felt, const Felt& truth) {
  double error = 0, size = 0;
  for (size_t i = 0; i < truth.force.size(); ++i) {
    error += (felt.force[i] - truth.force[i]).squaredNorm();
    size += truth.force[i].squaredNorm();
  }
  return std::sqrt(error / size);
}

// The truth is the same scene with a low-rate step at every tick.
TEST(GlcTools, a_fast_rigid_tool_on_a_sine_feels_the_truth_of_one_rate) {
  const Vec3 start(10 * mm, 0.3 * mm, sine_height(10 * mm) + 2.8 * mm);
  const Model model = held_model(obstacle(sine_mesh()), sphere_tool(start, 2 * mm, 1), 0.1);
  const auto path = [&](int tick) {
    const double x = start.x() + 0.3 * kTick * std::max(0, tick - 60);
    return Vec3(x, start.y(), sine_height(x) + 2.5 * mm - 1 * mm * std::min(1.0, tick / 40.0));
  };
  TwoRateSettings settings = glc_settings();
  settings.low_every = 10;
  const Felt two = feel(model, hand_of(1, six_dof()), settings, 300, path);
  settings.low_every = 1;
  const Felt truth = feel(model, hand_of(1, six_dof()), settings, 300, path);
  settings.low_every = 10;
  settings.contact = HapticContact::standard;
  settings.hand_over = HandOver::end;  // planes of the snapshot
  const Felt standard = feel(model, hand_of(1, six_dof()), settings, 300, path);
  RecordProperty("error", std::to_string(error_of(two, truth)));
  EXPECT_LT(error_of(two, truth), 0.03);
  EXPECT_LT(two.jump, 1.2 * truth.jump);
  EXPECT_LT(5 * two.jump, standard.jump);
}

/// A roof along an axis of the plane z = 0, its ridge at height `top`; upside down below `top` when flipped.
std::shared_ptr<const Body> roof(bool along_x, double top, bool flipped, bool tool) {
  TriMesh mesh;
  const double w = 10 * mm, l = 15 * mm, h = flipped ? 8 * mm : -8 * mm;
  for (double y : {-l, l})
    for (const Vec2& c : {Vec2(-w, h), Vec2(w, h), Vec2(0, 0)})
      mesh.nodes.push_back(along_x ? Vec3(y, -c.x(), top + c.y()) : Vec3(c.x(), y, top + c.y()));
  mesh.triangles = {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}, {2, 5, 3}, {2, 3, 0}};
  if (flipped)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  if (!tool) return obstacle(mesh);
  RigidSpec spec;
  spec.surface = std::move(mesh);
  spec.density_kg_per_m3 = 1000;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

/// The lowest vertex of the tool after its hand has gone down by `way` and waited, and what the hand feels.
std::pair<double, Vec3> pressed_down(const Model& model, const CouplingSettings& coupling, double way,
                                     HapticContact contact, int frame = 0) {
  BodyFrame held;
  const Body& tool = *model.bodies[1].body;
  EXPECT_TRUE(tool.frame(tool.rest_state(), frame, held));
  Grip grip = hand_of(1, coupling, frame);
  grip.turn = held.orientation;
  HapticLoop loop = loop_of(model, grip, glc_settings(contact));
  Wrench wrench;
  for (int tick = 0; tick < 1500; ++tick) {
    DevicePose pose;
    pose.position = held.position - Vec3(0, 0, way * std::min(1.0, tick / 200.0));
    EXPECT_EQ(loop.advance({&pose, 1}, {&wrench, 1}).status, TickStatus::ok) << tick;
  }
  std::vector<Vec3> skin(static_cast<size_t>(tool.skin().vertices));
  tool.skin_positions(loop.high().tools[0].state, VecX(), skin);
  double lowest = 1;
  for (const Vec3& x : skin) lowest = std::min(lowest, x.z());
  return {lowest, wrench.force};
}

// No vertex of the box comes near the ridge: its corners bear the face, which stays level on both.
TEST(GlcTools, a_flat_face_rests_on_the_corners_below_it) {
  const auto box = two_rate_test::rigid_box(Vec3(60, 60, 4) * mm, Vec3(0, 0, 2.3) * mm);
  const auto [z, force] = pressed_down(held_model(roof(true, 0, false, false), box, 0.2), six_dof(), 1.3 * mm,
                                       HapticContact::glc);
  EXPECT_NEAR(z, 0, 1e-6);
  EXPECT_NEAR(force.z(), 1.0, 2e-3);  // 1 mm of 1000 N/m
}

// Two ridges across each other: nothing but the edges meets.
TEST(GlcTools, crossed_edges_hold_each_other) {
  const auto [z, force] =
      pressed_down(held_model(roof(true, 0, false, false), roof(false, 0.3 * mm, true, true), 0.2), six_dof(),
                   1.3 * mm, HapticContact::glc);
  EXPECT_NEAR(z, 0, 1e-6);
  EXPECT_NEAR(force.z(), 1.0, 2e-3);
}

// The ridge of the tool slides over the one below it within one snapshot: it bears where they cross now, and
// the hand feels the lever of that place.
TEST(GlcTools, crossed_edges_bear_where_they_cross_now) {
  const Model model = held_model(roof(true, 0, false, false), roof(false, 0.3 * mm, true, true), 0);
  BodyFrame held;
  const Body& tool = *model.bodies[1].body;
  ASSERT_TRUE(tool.frame(tool.rest_state(), 0, held));
  Grip grip = hand_of(1, six_dof());
  grip.turn = held.orientation;
  TwoRateSettings settings = glc_settings();
  settings.low_every = 600;
  HapticLoop loop = loop_of(model, grip, settings);
  Wrench wrench;
  DevicePose pose;
  for (int tick = 0; tick < 590; ++tick) {
    pose.position = held.position + Vec3(0, 1.5 * mm * std::clamp((tick - 250) / 100.0, 0.0, 1.0),
                                         -1.3 * mm * std::min(1.0, tick / 200.0));
    EXPECT_EQ(loop.advance({&pose, 1}, {&wrench, 1}).status, TickStatus::ok) << tick;
  }
  const double lever = -1.5 * mm;  // from the held point to where the ridges cross
  EXPECT_NEAR(wrench.force.z(), 1.0, 0.02);
  EXPECT_NEAR(wrench.torque.x(), lever * wrench.force.z(), 0.03 * 1.5 * mm);
}

std::shared_ptr<const Body> soft_ball(const Vec3& centre) {
  SphereShape ball;
  ball.radius_m = 5 * mm;
  ball.centre_m = centre;
  ball.cells_across = 4;
  GlobalCorotationalSpec spec;
  HexMesh mesh = *sphere_hexes(ball);
  for (size_t n = 0; n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n].z() > centre.z() + 1.7 * mm) spec.frame_nodes.push_back(static_cast<int>(n));
  spec.mesh = std::move(mesh);
  spec.young_modulus_Pa = 1e5;
  spec.rayleigh_stiffness_s = 0.002;
  return std::shared_ptr<const Body>(std::move(*GlobalCorotationalBody::make(spec)));
}

// At rest on a plane every contact model gives the same force: limited against ordinary contact.
TEST(GlcTools, beams_and_soft_bodies_at_rest_feel_what_ordinary_contact_gives_them) {
  const auto plane = two_rate_test::floor_at(0);
  const auto hook = two_rate_test::beam(Vec3(0, 0, 3.3 * mm), Vec3(0.04, 0, 1.3 * mm), 8, 1 * mm, 1e9, false);
  const auto finger = soft_ball(Vec3(0, 0, 5.3 * mm));
  for (const auto& tool : {hook, finger}) {
    const Model model = held_model(plane, tool, 0.2);
    const auto limited = pressed_down(model, six_dof(), 2 * mm, HapticContact::glc);
    const auto ordinary = pressed_down(model, six_dof(), 2 * mm, HapticContact::standard);
    EXPECT_GT(ordinary.second.z(), 0.05);
    EXPECT_LT((limited.second - ordinary.second).norm(), 0.01 * ordinary.second.norm())
        << limited.second.transpose() << " | " << ordinary.second.transpose();
    EXPECT_NEAR(limited.first, ordinary.first, 1e-5);
  }
}

void expect_the_same_bits_and_no_allocation(std::shared_ptr<const Body> tool, const Vec3& start) {
  const Model model = held_model(obstacle(sine_mesh()), std::move(tool), 0.3);
  const auto play = [&](std::vector<Vec3>& force) {
    const auto made = TwoRateModel::make(model, {1}, {hand_of(1, six_dof())}, 1, glc_settings());
    const TwoRateModel& m = *made;
    LowRate low = make_low_rate(m);
    HighRate high(m);
    TripleBuffer<Snapshot> snapshots(empty_snapshot(m));
    TripleBuffer<ToolState> tools(empty_tool_state(m));
    WildHand hand{.random = std::mt19937(5),
                  .low = Vec3(20, -8, -12) * mm,
                  .high = Vec3(80, 8, 15) * mm,
                  .at = start,
                  .speed = 1};
    Wrench wrench;
    long allocated = 0;
    for (int tick_number = 0; tick_number < 1500; ++tick_number) {
      const DevicePose pose = hand.next(tick_number);
      if (tick_number % 33 == 0) {
        publish_tools(high, {&pose, 1}, kTick, tools);
        tools.update();
        EXPECT_EQ(low_step(m, tools.front(), low, snapshots.back()).status, StepStatus::ok);
        snapshots.publish();
      }
      const long before = testing::allocations();
      publish_tools(high, {&pose, 1}, kTick, tools);
      snapshots.update();
      tick(m, snapshots.front(), {&pose, 1}, high, {&wrench, 1});
      allocated += testing::allocations() - before;
      force.push_back(wrench.force);
    }
    return allocated;
  };
  std::vector<Vec3> first, second;
  EXPECT_EQ(play(first), 0);
  EXPECT_EQ(play(second), 0);
  for (size_t i = 0; i < first.size(); ++i) ASSERT_EQ(first[i], second[i]) << i;
}

TEST(GlcTools, same_input_gives_the_same_bits_and_nothing_is_allocated) {
  if (!testing::watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  const Vec3 start(50 * mm, 0, 12 * mm);
  expect_the_same_bits_and_no_allocation(sphere_tool(start, 4 * mm), start);
  // What a deformable tool touches grows while it is pressed down and thrown about.
  expect_the_same_bits_and_no_allocation(soft_ball(start), start);
}

}  // namespace glc_tools_test
}  // namespace palp
